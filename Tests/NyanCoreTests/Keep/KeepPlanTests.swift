import NyanCore
import Testing

/// What a rule does about a list, by table.
@Suite("Keep rules")
struct KeepPlanTests {
    private static func kept(
        _ number: Int64, available: Bool = true, here: Bool = false, declined: Bool = false, brought: Bool = false,
        recording: Int64? = nil
    ) -> KeptTrack {
        KeptTrack(
            track: Track(id: id(number), artist: "A", title: "T", isAvailable: available), isHere: here,
            isDeclined: declined, isBrought: brought, recording: recording)
    }

    private static func id(_ number: Int64) -> TrackID { TrackID(owner: 1, audio: number) }

    private static func download(_ state: Download.State, _ code: Failure.Code? = nil) -> Download {
        Download(
            track: Track(id: id(1), artist: "A", title: "T"), state: state, failure: code.map { Failure($0, "no") },
            order: 1)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var track: KeptTrack
        var download: Download?
        var isAsked = false
        var isDue = false
        /// Queued and noted as the rule's.
        var queued = false
        var marked = false
        var testDescription: String { name }
    }

    static let rows = [
        Row(name: "not here: queued", track: kept(1), queued: true, marked: true),
        Row(name: "here by somebody's wish: left alone", track: kept(1, here: true)),
        Row(name: "here by a rule: noted", track: kept(1, here: true, brought: true), marked: true),
        Row(name: "coming by somebody's wish: left alone", track: kept(1), download: download(.waiting)),
        Row(name: "coming by a rule: noted", track: kept(1, brought: true), download: download(.running), marked: true),
        Row(name: "paused stays paused", track: kept(1), download: download(.paused), isAsked: true),
        Row(name: "taken away stays away", track: kept(1, declined: true)),
        Row(name: "taken away and put back by hand is here", track: kept(1, here: true, declined: true)),
        Row(name: "not to be had is skipped", track: kept(1, available: false), isAsked: true),
        Row(
            name: "not to be had but here is here", track: kept(1, available: false, here: true, brought: true),
            marked: true),
        Row(
            name: "failed for want of a sound: not again by itself", track: kept(1),
            download: download(.failed, .unavailableTrack)),
        Row(
            name: "failed for want of a sound and due: queued", track: kept(1),
            download: download(.failed, .unavailableTrack), isDue: true, queued: true, marked: true),
        Row(
            name: "failed for want of a network: queued", track: kept(1), download: download(.failed, .network),
            queued: true, marked: true),
        Row(
            name: "came and was wrong: not again by itself", track: kept(1), download: download(.failed, .damagedSound)),
        Row(
            name: "came and was wrong: again when asked", track: kept(1), download: download(.failed, .damagedSound),
            isAsked: true, queued: true, marked: true),
        Row(
            name: "done before and lost since: queued", track: kept(1), download: download(.done), queued: true,
            marked: true),
    ]

    @Test("One track", arguments: rows)
    func one(row: Row) {
        let plan = KeepPlan(
            [row.track], downloads: row.download.map { [Self.id(1): $0] } ?? [:], isAsked: row.isAsked,
            due: row.isDue ? [Self.id(1)] : [])
        #expect(plan.queued.map(\.id) == (row.queued ? [Self.id(1)] : []))
        #expect(plan.marked == (row.marked ? [Self.id(1)] : []))
    }

    @Test("The list's order stays; one recording is fetched once; what is not VK's is nobody's to fetch")
    func list() {
        let file = KeptTrack(track: Track(id: TrackID(owner: 0, audio: 9), artist: "", title: "file"))
        let plan = KeepPlan(
            [
                Self.kept(5), Self.kept(3, recording: 7), Self.kept(4, recording: 7), Self.kept(9, here: true),
                Self.kept(8, available: false), file, Self.kept(2),
            ], downloads: [:])
        #expect(plan.queued.map(\.id.audio).prefix(3) == [5, 3, 2])
        #expect(plan.here == 1 && plan.unavailable == 1)
        let left = KeepPlan(
            [Self.kept(1), Self.kept(2, declined: true)],
            downloads: [Self.id(1): Self.download(.failed, .damagedSound)])
        #expect(left.failed == 1 && left.declined == 1)
    }

    @Test("What failed for want of a sound is due once a day; sooner where the list withheld it and gives it again")
    func refusals() {
        let failed = [Self.id(1): Self.download(.failed, .unavailableTrack)]
        var refusals = KeepRefusals()
        func due(_ now: Int64, available: Bool = true) -> Bool {
            // As a restart reads it.
            refusals = KeepRefusals(refusals.text)
            let found = refusals.due([Self.kept(1, available: available)], downloads: failed, now: now)
            return found == [Self.id(1)]
        }
        #expect(!due(1_000) && !due(1_000 + 86_399))
        #expect(due(1_000 + 86_400) && !due(1_000 + 86_401))
        #expect(!due(100_000, available: false) && due(100_001) && !due(100_002))
        #expect(!due(100_003, available: false) && !due(100_004), "not every time VK changes its mind")
        #expect(due(50), "a clock that was set back")
        _ = refusals.due([], downloads: [:], now: 60)
        #expect(refusals.text.isEmpty)
    }

    @Test("The end of a rule takes what only it brought: files where told, downloads always")
    func end() {
        let brought = [
            BroughtTrack(id: Self.id(1), bytes: 100), BroughtTrack(id: Self.id(2), bytes: 50, isKeptElsewhere: true),
            BroughtTrack(id: Self.id(3), bytes: nil), BroughtTrack(id: Self.id(4), bytes: nil, isKeptElsewhere: true),
            BroughtTrack(id: Self.id(5), bytes: nil), BroughtTrack(id: Self.id(6), bytes: 11),
        ]
        let downloads = [3, 4, 1].map { (Self.id($0), Self.download($0 == 1 ? .done : .waiting)) }
        let plan = UnkeepPlan(brought, downloads: Dictionary(uniqueKeysWithValues: downloads))
        #expect(plan.files == [Self.id(1), Self.id(6)] && plan.bytes == 111)
        #expect(plan.cancelled == [Self.id(3)])
    }

    @Test(
        "A list is named by a word",
        arguments: [
            ("profile", "profile"), ("123456_17", "123456_17"), ("-2_5_key", "-2_5"), ("123456_-21", "123456_-21"),
            ("https://vk.com/music/playlist/1_2_abc", "1_2"), ("Profile", nil), ("", nil), ("17", nil),
        ] as [(String, String?)])
    func words(text: String, list: String?) { #expect(KeptList(text)?.description == list) }
}
