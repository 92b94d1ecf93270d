import NyanCore
import NyanDBus
import NyanWire
import NyanWords

/// `friends`, `groups`, and whose list `--owner` means.
@MainActor enum PeopleCommands {
    static func friends(_ invocation: Invocation) throws(Ending) {
        try list("Friends", invocation, empty: "no friends")
    }

    static func groups(_ invocation: Invocation) throws(Ending) {
        try list("Groups", invocation, empty: "no groups")
    }

    private static func list(_ member: String, _ invocation: Invocation, empty: String) throws(Ending) {
        let values = try Daemon(invocation).ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.people, member, [], .network)
        }
        guard let people = values.first.flatMap(PersonCoding.people) else {
            throw Daemon.ending(.misunderstood(member))
        }
        if invocation.asJSON { return Terminal.print(JSONText.encode(people.map(PersonDocument.init))) }
        if people.isEmpty { return Terminal.complain(empty) }
        Pager.show(PeopleTable.lines(people, columns: Terminal.columns))
    }

    /// The owner of `--owner`: an id, a screen name, or an address of VK's site. 0 where none is given. The daemon is only
    /// turned to for a screen name.
    static func owner(
        _ invocation: Invocation, daemon: @autoclosure () throws(Ending) -> Daemon
    ) throws(Ending) -> Int64 {
        guard let text = invocation.options["--owner"] else { return 0 }
        switch VKAddress.owner(text) {
        case .id(let id): return id
        case .screenName(let name):
            let values = try daemon().ask { client throws(ClientFailure) in
                try client.call(NyandInterfaces.people, "Resolve", [.string(name)], .network)
            }
            guard let id = values.first?.int64 else { throw Daemon.ending(.misunderstood("Resolve")) }
            return id
        case nil:
            throw .usage(
                "--owner needs an id (negative for a group), a screen name, or the address of a page at VK",
                command: invocation.command.name)
        }
    }
}

/// Friends and groups for people: id, name, screen name, and what stands against listening.
enum PeopleTable {
    /// `columns` is the most a row may take; nil = as wide as it likes.
    static func lines(_ people: [Person], columns: Int?) -> [String] {
        let ids = people.map { "\($0.id)" }
        let names = people.map { Terminal.printable($0.name.isEmpty ? Words.said("Unknown") : $0.name) }
        let screenNames = people.map { Terminal.printable($0.screenName ?? "") }
        let idWidth = ids.map(\.utf8.count).max() ?? 0
        let nameWidth = min(mostName, names.map { DisplayText.columns($0) }.max() ?? 0)
        let screenWidth = min(mostScreenName, screenNames.map { DisplayText.columns($0) }.max() ?? 0)
        return people.indices.map { place in
            let id = String(repeating: " ", count: idWidth - ids[place].utf8.count) + ids[place]
            let name = DisplayText.fitted(names[place], to: nameWidth)
            let screen = DisplayText.fitted(screenNames[place], to: screenWidth)
            let person = people[place]
            let mark = person.canListen ? "" : "✗ " + Terminal.printable(Words.said(person.obstacle ?? "no music"))
            var line = [id, name, screen].joined(separator: "  ")
            if !mark.isEmpty { return marked(line, mark, columns) }
            while line.last == " " { line.removeLast() }
            return columns.map { DisplayText.cut(line, to: $0) } ?? line
        }
    }

    /// Of an obstacle that has no room its sign stays, at the edge.
    private static func marked(_ line: String, _ mark: String, _ columns: Int?) -> String {
        guard let columns else { return line + "  " + mark }
        let room = columns - DisplayText.columns(line) - 2
        return room >= 8
            ? line + "  " + DisplayText.cut(mark, to: room)
            : DisplayText.cut(DisplayText.fitted(line, to: max(0, columns - 3)) + "  ✗", to: columns)
    }

    private static let mostName = 40
    private static let mostScreenName = 32
}

/// One row of `friends` and `groups`.
struct PersonDocument: Encodable {
    var id: Int64
    var name: String
    var screenName: Nullable<String>
    var canListen: Bool

    init(_ person: Person) {
        id = person.id
        name = person.name
        screenName = Nullable(person.screenName)
        canListen = person.canListen
    }
}
