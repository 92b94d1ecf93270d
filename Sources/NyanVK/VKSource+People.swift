public import NyanCore

/// Friends, groups and names (vk-api.md §2.7).
extension VKSource: PeopleSource {
    /// VK allows 10,000 friends.
    private static let mostPages = 20

    public func friends() async throws(Failure) -> [Person] {
        let people: [VKPerson] = try await everybody(
            "friends.get", count: 5000,
            [
                (name: "order", value: "name"),
                (name: "fields", value: "screen_name,domain,can_access_closed,can_see_audio"),
            ])
        return people.filter { $0.id > 0 }.map(\.person)
    }

    public func groups() async throws(Failure) -> [Person] {
        let groups: [VKGroup] = try await everybody(
            "groups.get", count: 1000,
            [(name: "extended", value: "1"), (name: "fields", value: "screen_name,is_closed,is_member")])
        return groups.map(\.person)
    }

    public func owner(named screenName: String) async throws(Failure) -> Int64? {
        let found: VKNamed
        do {
            found = try await callSignedIn(
                "utils.resolveScreenName", [(name: "screen_name", value: screenName)])
        } catch {
            throw error.failure
        }
        guard let id = found.id, id > 0 else { return nil }
        switch found.type {
        case "user": return id
        case "group", "page", "event": return -id
        default: return nil
        }
    }

    /// A whole list of people, page by page, each once.
    private func everybody<Element: Decodable & Identified>(
        _ method: String, count: Int, _ parameters: [(name: String, value: String)]
    ) async throws(Failure) -> [Element] {
        var all: [Element] = []
        var seen: Set<Int64> = []
        var offset = 0
        for _ in 0..<Self.mostPages {
            let page: VKPeoplePage<Element>
            do {
                page = try await callSignedIn(
                    method,
                    parameters + [(name: "count", value: String(count)), (name: "offset", value: String(offset))])
            } catch {
                throw error.failure
            }
            all += page.people.elements.filter { seen.insert($0.id).inserted }
            offset += page.people.sentCount
            if page.people.sentCount == 0 || offset >= page.count ?? 0 { break }
        }
        return all
    }
}

nonisolated protocol Identified { var id: Int64 { get } }

/// `{count, items}`, or a bare array.
private nonisolated struct VKPeoplePage<Element: Decodable>: Decodable {
    var count: Int?
    var people: LenientArray<Element>

    private enum Unreadable: Error { case shape }

    init(from decoder: any Decoder) throws {
        if let bare = try? LenientArray<Element>(from: decoder) {
            people = bare
            return
        }
        let fields = try decoder.container(keyedBy: AnyKey.self)
        count = fields.int("count")
        guard count != nil || fields.has("items") else { throw Unreadable.shape }
        people = try fields.list("items")
    }
}

private nonisolated struct VKPerson: Decodable, Identified {
    var id: Int64
    var person: Person

    private enum Unreadable: Error { case identity }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: AnyKey.self)
        guard let id = fields.int64("id"), id > 0 else { throw Unreadable.identity }
        self.id = id
        let name = ["first_name", "last_name"].compactMap(fields.filledText).joined(separator: " ")
        var obstacle: String?
        if let state = fields.filledText("deactivated") {
            obstacle = state == "banned" ? "banned" : "deleted"
        } else if fields.flag("is_closed"), !fields.flag("can_access_closed") {
            obstacle = "closed profile"
        } else if fields.has("can_see_audio"), !fields.flag("can_see_audio") {
            obstacle = "music is hidden"
        }
        person = Person(
            id: id, name: TitleText.shown(name),
            screenName: fields.screenName("screen_name") ?? fields.screenName("domain"),
            canListen: obstacle == nil, obstacle: obstacle)
    }
}

private nonisolated struct VKGroup: Decodable, Identified {
    var id: Int64
    var person: Person

    private enum Unreadable: Error { case identity }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: AnyKey.self)
        // Some answers give a group's id as an owner's. The least number has no opposite.
        guard let sent = fields.int64("id"), sent != 0, sent != .min else { throw Unreadable.identity }
        let id = abs(sent)
        self.id = id
        var obstacle: String?
        if let state = fields.filledText("deactivated") {
            obstacle = state == "banned" ? "banned" : "deleted"
        } else if fields.flag("is_closed"), fields.has("is_member"), !fields.flag("is_member") {
            obstacle = "closed group"
        }
        person = Person(
            id: -id, name: TitleText.shown(fields.text("name") ?? ""), screenName: fields.screenName("screen_name"),
            canListen: obstacle == nil, obstacle: obstacle)
    }
}

/// `{type, object_id}`, or `[]` where nobody has the name.
private nonisolated struct VKNamed: Decodable {
    var type: String?
    var id: Int64?

    init(from decoder: any Decoder) throws {
        guard let fields = try? decoder.container(keyedBy: AnyKey.self) else {
            // An empty list; what is neither is no answer.
            _ = try decoder.unkeyedContainer()
            return
        }
        type = fields.text("type")
        id = fields.int64("object_id")
    }
}
