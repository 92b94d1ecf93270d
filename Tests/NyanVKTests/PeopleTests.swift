import NyanCore
import NyanVK
import Testing

@Suite("People")
struct PeopleTests {
    @Test("friends tell whose music may be listed, and why not")
    func friends() async throws {
        let http = ScriptedHTTP(
            .json(
                #"""
                {"response":{"count":7,"items":[
                {"id":1,"first_name":"Анна &amp; Co","last_name":"Б","screen_name":"anna"},
                {"id":2,"first_name":"DELETED","last_name":"","deactivated":"deleted"},
                {"id":"3","first_name":"X","last_name":"Y","deactivated":"banned"},
                {"id":4,"first_name":"C","is_closed":true,"can_access_closed":false},
                {"id":5,"first_name":"D","is_closed":1,"can_access_closed":1,"domain":"dd"},
                {"id":6,"first_name":"E\nF","can_see_audio":0}, null]}}
                """#))
        let people = try await makeSource(http).friends()
        #expect(people.map(\.id) == [1, 2, 3, 4, 5, 6])
        #expect(people.map(\.canListen) == [true, false, false, false, true, false])
        #expect(people.map(\.obstacle) == [nil, "deleted", "banned", "closed profile", nil, "music is hidden"])
        #expect(people[0].name == "Анна & Co Б" && people[5].name == "E F")
        #expect(people[0].screenName == "anna" && people[4].screenName == "dd" && people[1].screenName == nil)
        #expect(http.seen.count == 1 && http.seen[0].method == "friends.get")
    }

    @Test("a list longer than any is refused, not shown as one without anybody")
    func tooMany() async throws {
        let items = [String](repeating: "{}", count: 10_001).joined(separator: ",")
        let http = ScriptedHTTP()
        http.otherwise = { _ in .json(#"{"response":{"count":1,"items":[\#(items)]}}"#) }
        await #expect(throws: Failure.self) { try await makeSource(http).friends() }
    }

    @Test("groups have negative ids")
    func groups() async throws {
        let http = ScriptedHTTP(
            .json(
                #"""
                {"response":{"count":3,"items":[{"id":88,"name":"G","screen_name":"g"},
                {"id":15,"name":"H","deactivated":"banned"},{"id":16,"name":"I","is_closed":1,"is_member":0}]}}
                """#))
        let groups = try await makeSource(http).groups()
        #expect(groups.map(\.id) == [-88, -15, -16])
        #expect(groups.map(\.canListen) == [true, false, false])
        #expect(http.seen[0].fields["extended"] == "1")
    }

    @Test("numbers that no group, moment or pause can have are left out, and nothing breaks")
    func absurd() async throws {
        let least = Int64.min
        let http = ScriptedHTTP(
            .json(#"{"response":{"count":\#(Int64.max),"items":[{"id":\#(least),"name":"X"},{"id":-5,"name":"G"}]}}"#))
        #expect(try await makeSource(http).groups().map(\.id) == [-5])
        let named = ScriptedHTTP(.json(#"{"response":{"type":"group","object_id":\#(least)}}"#))
        #expect(try await makeSource(named).owner(named: "x") == nil)
    }

    @Test("long lists are read page by page, each person once")
    func paging() async throws {
        let http = ScriptedHTTP()
        http.otherwise = { seen in
            let offset = Int(seen.fields["offset"] ?? "") ?? 0
            let rows = (offset..<min(offset + 400, 1000)).map { #"{"id":\#($0 + 1),"name":"G"}"# }
            return .json(#"{"response":{"count":1000,"items":[\#(rows.joined(separator: ","))]}}"#)
        }
        #expect(try await makeSource(http).groups().map(\.id) == (1...1000).map { -Int64($0) })
        #expect(http.seen.count == 3)
    }

    @Test(
        "a screen name is a person's, a group's, or nobody's",
        arguments: [
            (#"{"type":"user","object_id":7}"#, 7), (#"{"type":"group","object_id":8}"#, -8),
            (#"{"type":"page","object_id":"9"}"#, -9), (#"{"type":"application","object_id":5}"#, nil), ("[]", nil),
        ] as [(String, Int64?)])
    func names(_ answer: String, _ owner: Int64?) async throws {
        let http = ScriptedHTTP(.json(#"{"response":\#(answer)}"#))
        #expect(try await makeSource(http).owner(named: "durov") == owner)
        #expect(http.seen[0].method == "utils.resolveScreenName" && http.seen[0].fields["screen_name"] == "durov")
    }
}
