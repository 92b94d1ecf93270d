import NyanCore
import NyanDBus
import Testing

@testable import nyanctl

@Suite("Changes and people in words")
struct ProfileTextTests {
    private func answer(
        _ added: [String], _ present: [String], _ refused: [(String, String)] = [],
        _ stopped: (String, String) = ("", "")
    ) -> [BusValue] {
        [
            .strings(added), .strings(present),
            .array(refused.map { .structure([.string($0.0), .string($0.1)]) }, of: "(ss)"),
            .structure([.string(stopped.0), .string(stopped.1)]),
        ]
    }

    @Test(
        "What was added is said in a line",
        arguments: [
            (1, ["1_1"], [], "added to the profile"), (1, [], ["1_1"], "already in the profile"),
            (3, ["1_1", "1_2"], [], "2 of 3 added to the profile"),
            (3, ["1_1", "1_2"], ["1_3"], "2 of 3 added to the profile, 1 already there"),
            (2, [], ["1_3", "1_4"], "2 already there"), (2, [], [], "0 of 2 added to the profile"),
        ] as [(Int, [String], [String], String)])
    func added(total: Int, added: [String], present: [String], words: String) throws {
        #expect(try #require(AddReport(answer(added, present))).words(of: total) == words)
    }

    @Test("Portions come together in the profile's order, and the end names what kept the rest away")
    func merged() throws {
        var report = AddReport()
        report.merge(try #require(AddReport(answer(["1_3"], ["1_4"]))))
        report.merge(try #require(AddReport(answer(["1_1"], [], [("1_2", "no")], ("server-busy", "flood")))))
        #expect(report.added == ["1_1", "1_3"] && report.present == ["1_4"])
        #expect(report.rest.refused == [RefusedDocument(id: "1_2", reason: "no")])
        let ending = #expect(throws: Ending.self) { try report.end() }
        #expect(
            ending
                == .failed(code: "server-busy", message: "the rest was not added: flood", status: 6))
        #expect(AddReport([.string("x")]) == nil)
    }

    @Test("What was refused ends the run with 1 and says why")
    func refused() throws {
        let report = try #require(AddReport(answer(["1_1"], [], [("1_2", "no access")])))
        let ending = #expect(throws: Ending.self) { try report.end() }
        #expect(ending == .failed(code: "denied", message: "1 could not be added: 1_2: no access", status: 1))
        try #require(AddReport(answer(["1_1"], ["1_5"]))).end()
    }

    @Test("People stand in columns, and none is wider than the terminal", arguments: [nil, 20, 40, 80])
    func people(columns: Int?) {
        let people = [
            Person(id: 5, name: "Анна", screenName: "anna"), Person(id: -12345, name: "日本 🎵"),
            Person(id: 77, name: "a\u{1B}b", screenName: "x", canListen: false, obstacle: "deleted"),
            Person(id: 1, name: ""),
        ]
        let lines = PeopleTable.lines(people, columns: columns)
        if let columns { #expect(lines.allSatisfy { DisplayText.columns($0) <= columns }) }
        guard columns == nil else { return }
        #expect(lines[0] == "     5  Анна     anna")
        #expect(lines[1] == "-12345  日本 🎵")
        #expect(lines[2].hasSuffix("x     ✗ deleted"))
        #expect(lines[3].hasSuffix("Unknown"))
    }
}
