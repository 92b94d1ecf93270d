import Testing

@testable import NyanCore

/// A profile at VK that may change between two requests.
private struct MovingProfile {
    var list: [Int64]
    var pageCap = 200
    /// Counted by VK but never shown.
    var hidden: Set<Int64> = []
    var requests = 0

    func page(_ offset: Int, _ count: Int) -> TrackPage {
        let rows = list.dropFirst(offset).prefix(min(count, pageCap))
        // VK cuts the page first and drops blocked rows from it afterwards.
        let shown = rows.filter { !hidden.contains($0) }
        return TrackPage(count: list.count, tracks: shown.map(Self.track), itemCount: shown.count)
    }

    static func track(_ number: Int64) -> Track {
        Track(id: TrackID(owner: 1, audio: number), artist: "A", title: "T\(number)")
    }
}

@Suite("Reading the profile") struct SyncReadingTests {
    private func ids(_ numbers: some Sequence<Int64>) -> [TrackID] { numbers.map { TrackID(owner: 1, audio: $0) } }

    /// Reads to the end; `change` may move the list before each request.
    private func read(
        stored: [Int64], _ profile: inout MovingProfile, change: (inout MovingProfile) -> Void = { _ in }
    ) -> SyncReading.Step {
        var reading = SyncReading(stored: stored.map(MovingProfile.track))
        while case .page(let offset, let count) = reading.next {
            change(&profile)
            profile.requests += 1
            guard profile.requests < 20_000 else { break }
            reading.received(profile.page(offset, count))
        }
        return reading.next
    }

    private func plan(_ step: SyncReading.Step) throws -> SyncPlan {
        guard case .done(let plan) = step else { throw Failure(.internal, "\(step)") }
        return plan
    }

    @Test("A first sync takes all pages in order", arguments: [1, 20, 150, 199, 200, 500])
    func readsAll(cap: Int) throws {
        var profile = MovingProfile(list: Array(1...450), pageCap: cap)
        let plan = try plan(read(stored: [], &profile))
        #expect(plan.tracks.map(\.id) == ids(1...450) && plan.added == ids(1...450) && plan.removed.isEmpty)
        #expect(plan.changesAnything)
    }

    @Test("An unchanged list changes nothing and costs one reading") func seesNoChange() throws {
        var profile = MovingProfile(list: Array(1...450))
        let plan = try plan(read(stored: Array(1...450), &profile))
        #expect(!plan.changesAnything && plan.added.isEmpty && plan.removed.isEmpty)
        #expect(profile.requests == 4)
    }

    @Test("A short list is read with one request") func readsShortList() throws {
        var profile = MovingProfile(list: Array(1...200))
        _ = try plan(read(stored: Array(1...200), &profile))
        #expect(profile.requests == 1)
    }

    @Test("Tracks that are gone are removed after a second pass") func removes() throws {
        var profile = MovingProfile(list: [1, 2, 4, 5, 9])
        let plan = try plan(read(stored: [1, 2, 3, 4, 5], &profile))
        #expect(plan.removed == ids([3]) && plan.added == ids([9]) && plan.tracks.map(\.id) == ids([1, 2, 4, 5, 9]))
        #expect(profile.requests == 2)
    }

    @Test("A track that was missed once only is kept") func keepsMissedOnce() throws {
        var profile = MovingProfile(list: [1, 2, 4])
        let plan = try plan(
            read(stored: [1, 2, 3, 4], &profile) { profile in
                if profile.requests == 1 { profile.list = [1, 2, 3, 4] }
            })
        #expect(plan.removed.isEmpty && !plan.changesAnything)
    }

    @Test("Two passes that miss different tracks agree on nothing") func keepsMissedInTurn() throws {
        var profile = MovingProfile(list: [])
        let lists: [[Int64]] = [[1, 2, 4], [1, 2, 3], [1, 2, 3, 4]]
        let plan = try plan(
            read(stored: [1, 2, 3, 4], &profile) { $0.list = lists[min($0.requests, 2)] })
        #expect(plan.removed.isEmpty && profile.requests == 3)
    }

    @Test("A change that leaves the count as it was is noticed by the first row") func noticesFirstRow() throws {
        var profile = MovingProfile(list: Array(1...450))
        let plan = try plan(
            read(stored: [], &profile) { profile in
                guard profile.requests == 1 else { return }
                profile.list.remove(at: 300)
                profile.list.insert(900, at: 0)
            })
        #expect(plan.tracks.map(\.id) == ids(profile.list))
    }

    @Test("A count that changes on the way and comes back is noticed") func noticesCount() throws {
        var profile = MovingProfile(list: Array(1...450))
        let plan = try plan(
            read(stored: [], &profile) { profile in
                if profile.requests == 1 { profile.list.removeFirst() }
                if profile.requests == 2 { profile.list.insert(1, at: 0) }
            })
        #expect(plan.tracks.map(\.id) == ids(1...450))
    }

    @Test("A new order and a new description are changes, a new cover address is none") func compares() throws {
        var profile = MovingProfile(list: [2, 1])
        #expect(try plan(read(stored: [1, 2], &profile)).changesAnything)
        for (title, cover, isChange) in [("T1", "x", false), ("other", "x", true), ("T1", nil, true)] {
            var stored = MovingProfile.track(1)
            stored.coverURL = "y"
            var fresh = MovingProfile.track(1)
            fresh.title = title
            fresh.coverURL = cover
            var reading = SyncReading(stored: [stored])
            reading.received(TrackPage(count: 1, tracks: [fresh], itemCount: 1))
            #expect(try plan(reading.next).changesAnything == isChange)
        }
        var reading = SyncReading(storedIDs: ids([1]))
        reading.received(TrackPage(count: 1, tracks: [MovingProfile.track(1)], itemCount: 1))
        #expect(try plan(reading.next).changesAnything)
    }

    @Test("Tracks VK counts but does not show are no end of the list") func passesGaps() throws {
        var profile = MovingProfile(list: Array(1...900), hidden: Set(Array(1...210) + Array(400...640)))
        let plan = try plan(read(stored: [], &profile))
        #expect(plan.tracks.map(\.id) == ids(Array(211...399) + Array(641...900)))
    }

    /// Stored, read, VK's count, whether it is believed.
    @Test(
        "An answer that looks like a failed login or a cut list changes nothing",
        arguments: [
            (450, 0, 0, false), (450, 1, 1, false), (450, 0, 450, false), (4, 1, 1, false), (450, 200, 450, false),
            (1_000, 500, 1_000, false), (3, 1, 1, true), (1, 0, 0, true), (0, 0, 0, true), (450, 449, 449, true),
            (450, 100, 100, true), (450, 447, 450, true), (450, 430, 450, true), (2, 0, 5, false),
        ])
    func doubts(stored: Int64, read: Int64, count: Int64, isBelieved: Bool) {
        var profile = MovingProfile(list: count == 0 ? [] : Array(1...count))
        if read < count { profile.hidden = Set(read + 1...count) }
        let step = self.read(stored: stored == 0 ? [] : Array(1...stored), &profile)
        switch step {
        case .done(let plan):
            #expect(isBelieved)
            #expect(plan.removed.count == max(0, Int(stored - read)))
        case .failed(let failure):
            #expect(!isBelieved)
            #expect(failure.code == .badAnswer && failure.message.contains("Nothing was"))
        case .page: Issue.record("not finished")
        }
    }

    @Test("A list that never stands still, and one that never ends, are given up") func givesUp() {
        var restless = MovingProfile(list: Array(1...450))
        let step = read(stored: [], &restless) { $0.list.insert(Int64($0.requests) + 10_000, at: 0) }
        #expect(step == .failed(SyncDoubt.restless))
        #expect(restless.requests < 30)

        var reading = SyncReading(stored: [])
        var requests = 0
        while case .page = reading.next {
            reading.received(TrackPage(count: .max - 1_000, tracks: [], itemCount: 0))
            requests += 1
        }
        #expect(reading.next == .failed(SyncDoubt.endless) && requests <= 1_000)
    }

    @Test("A list changed during paging is read anew until it is true") func followsMovingList() throws {
        var profile = MovingProfile(list: Array(1...450))
        let plan = try plan(
            read(stored: Array(1...450), &profile) { profile in
                if profile.requests == 1 { profile.list.insert(contentsOf: [901, 902, 903], at: 0) }
                if profile.requests == 4 { profile.list.removeSubrange(10..<13) }
            })
        #expect(plan.tracks.map(\.id) == ids(profile.list))
        #expect(plan.added == ids([901, 902, 903]) && plan.removed == ids(8...10))
    }

    /// Adds, deletes and moves rows at random between requests, then stops.
    @Test("However the list moves, nothing is removed that is still there", arguments: 1...60)
    func survivesMoves(seed: Int) {
        var random = SeededNumbers(seed: UInt64(seed))
        let stored = Array(1...Int64.random(in: 5...700, using: &random))
        var profile = MovingProfile(list: stored, pageCap: [50, 120, 200][seed % 3])
        var everThere = Set(profile.list)
        var changes = seed % 6
        let start = profile.list
        let step = read(stored: stored, &profile) { profile in
            guard changes > 0, Bool.random(using: &random), profile.list.count > 3 else { return }
            changes -= 1
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                profile.list.insert(10_000 + Int64(changes), at: 0)
                everThere.insert(10_000 + Int64(changes))
            case 1: profile.list.remove(at: Int.random(in: 0..<profile.list.count, using: &random))
            default:
                let row = profile.list.remove(at: Int.random(in: 0..<profile.list.count, using: &random))
                profile.list.insert(row, at: Int.random(in: 0...profile.list.count, using: &random))
            }
        }
        switch step {
        case .done(let plan):
            let kept = Set(plan.tracks.map(\.id))
            #expect(Set(plan.removed).isDisjoint(with: ids(profile.list)), "removed though it is there")
            #expect(Set(ids(stored)).isSubset(of: kept.union(plan.removed)), "neither kept nor removed")
            #expect(kept.count == plan.tracks.count, "one is listed twice")
            #expect(kept.isSubset(of: ids(everThere)))
            if profile.list == start { #expect(plan.tracks.map(\.id) == ids(start)) }
        case .failed(let failure): #expect(failure == SyncDoubt.restless)
        case .page: Issue.record("not finished")
        }
    }
}
