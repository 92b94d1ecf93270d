import NyanCore
import Testing

/// Every kind of input in every situation, against tables that were written by the rules of mpris.md §4.2–4.6.
///
/// A row reads `input | state afterwards | effects in order`; `nothing` lists inputs that change neither. States and
/// effects are in the short forms of `Scene.swift`. Groups of inputs: `idle words` change nothing anywhere, `dead
/// current` and `dead next` are everything that is told about loads #1 and #2 where there are none.
@Suite("Every input in every situation")
struct SituationTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var situation: Situation
        var word: String
        /// nil = nothing changes.
        var expected: (state: String, effects: String)?
        var testDescription: String { "\(situation): \(word)" }
    }

    static let rows: [Row] = Situation.allCases.flatMap(rows(of:))

    @Test("an input does what its row says", arguments: rows)
    func row(_ row: Row) throws {
        let input = try #require(Inputs.all.first { $0.word == row.word }?.input, "unknown input \(row.word)")
        var scene = row.situation.scene()
        let before = scene.state
        let effects = scene.send(input)
        if let expected = row.expected {
            #expect(short(scene.state, at: scene.now) == expected.state)
            #expect(short(effects) == expected.effects)
        } else {
            #expect(scene.state == before)
            #expect(short(effects) == "")
        }
    }

    @Test("each input has exactly one row", arguments: Situation.allCases)
    func completeness(_ situation: Situation) {
        let words = Self.rows(of: situation).map(\.word).sorted()
        #expect(words == Inputs.all.map(\.word).sorted())
    }

    @Test("what is told about a load that is gone changes nothing", arguments: Situation.allCases)
    func deadLoads(_ situation: Situation) {
        let dead = LoadNumber(99)
        let inputs: [PlaybackInput] = [
            .prepared(dead), .refused(dead, Failure(.network, "")), .bytesComplete(dead), .nearEnd(dead),
            .positionReport(dead, .seconds(1)), .engine(.started(dead)), .engine(.lengthKnown(dead, .seconds(1))),
            .engine(.hungry(dead, at: .zero)), .engine(.fed(dead, at: .zero)), .engine(.seeked(dead, .zero)),
            .engine(.ended(dead)), .engine(.failed(dead, Failure(.audioOutput, ""))),
        ]
        var scene = situation.scene()
        let before = scene.state
        for input in inputs { #expect(scene.send(input) == [], "\(input)") }
        #expect(scene.state == before)
    }

    private static func rows(of situation: Situation) -> [Row] {
        situation.table.split(separator: "\n").flatMap { line -> [Row] in
            let cells = line.split(separator: "|").map(trimmed)
            guard cells[0] == "nothing" else {
                let effects = cells[2] == "-" ? "" : cells[2]
                return [Row(situation: situation, word: cells[0], expected: (cells[1], effects))]
            }
            let words = cells[1].split(separator: ",").map(trimmed)
            return words.flatMap { groups[$0] ?? [$0] }.map { Row(situation: situation, word: $0) }
        }
    }

    private static let groups: [String: [String]] = [
        "idle words": [
            "volume 7", "volume nan", "shuffle off", "repeat off", "play none", "go e99", "add none", "remove e99",
            "move e1 first", "output ok", "other track changed", "seek to stale", "seek to -1", "seek to 121",
        ],
        "dead current": [
            "prepared", "refused", "bytes complete", "near end", "report 12", "started", "length 100", "hungry", "fed",
            "seeked", "ended", "failed", "no output",
        ],
        "dead next": [
            "next prepared", "next refused", "next bytes complete", "next near end", "next report 12", "next started",
            "next length 100", "next hungry", "next fed", "next seeked", "next ended", "next failed",
        ],
    ]

    private static func trimmed(_ text: Substring) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

extension Situation {
    var table: String {
        switch self {
        case .empty: Self.emptyTable
        case .stopped: Self.stoppedTable
        case .restored: Self.restoredTable
        case .preparing: Self.preparingTable
        case .loading: Self.loadingTable
        case .playing: Self.playingTable
        case .paused: Self.pausedTable
        case .buffering: Self.bufferingTable
        case .seeking: Self.seekingTable
        case .finding: Self.findingTable
        case .staged: Self.stagedTable
        }
    }
}
