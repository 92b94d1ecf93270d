import NyanCore
import Testing

@Suite("How fast bytes come")
struct DownloadPaceTests {
    /// The speed after so many bytes at each of these quarters of a second, as asked at the last of them.
    private func pace(_ steps: [Int64]) -> (DownloadPace, Duration) {
        var pace = DownloadPace()
        var now: Duration = .seconds(100)
        for received in steps {
            now += .milliseconds(250)
            pace.note(received, at: now)
        }
        return (pace, now)
    }

    @Test("Nothing is said in the first second, nor before any byte has come")
    func firstSecond() {
        #expect(DownloadPace().speed(at: .seconds(5)) == nil)
        let (early, now) = pace([0, 1000, 2000, 3000])
        #expect(early.speed(at: now) == nil)
        let (still, later) = pace(Array(repeating: 5000, count: 40))
        #expect(still.speed(at: later) == nil)
        // The same moment twice.
        var twice = DownloadPace()
        for received in [0, 1, 2] as [Int64] { twice.note(received, at: .seconds(1)) }
        #expect(twice.speed(at: .seconds(1)) == nil)
    }

    @Test("An even stream has its speed, in the second second as after a minute")
    func even() throws {
        for count in [8, 20, 240] {
            let (pace, now) = pace((0..<count).map { Int64($0) * 25_000 })
            #expect(pace.speed(at: now) == 100_000, "\(count)")
        }
    }

    @Test("What an earlier run left is not counted as fetched")
    func leftBefore() {
        let (pace, now) = pace([0, 5_000_000] + (1...8).map { 5_000_000 + $0 * 25_000 })
        #expect(pace.speed(at: now) == 100_000)
    }

    @Test("A burst moves it by a fifth of a second's worth at most, and is forgotten after five seconds")
    func burst() throws {
        var steps = (0..<40).map { Int64($0) * 25_000 }
        let (calm, before) = pace(steps)
        steps.append((steps.last ?? 0) + 125_000)
        let (burst, after) = pace(steps)
        let jump = try #require(burst.speed(at: after)) - (try #require(calm.speed(at: before)))
        #expect(jump > 0 && jump <= 20_000)
        for _ in 0..<21 { steps.append((steps.last ?? 0) + 25_000) }
        let (calmAgain, end) = pace(steps)
        #expect(calmAgain.speed(at: end) == 100_000)
    }

    @Test("It sinks while nothing comes, and is 0 after five seconds")
    func stall() throws {
        let (pace, now) = pace((0..<40).map { Int64($0) * 25_000 })
        let sinking = (1...6).map { pace.speed(at: now + .seconds($0)) ?? -1 }
        #expect(sinking == [80_000, 60_000, 40_000, 20_000, 0, 0])
    }

    @Test("Fewer bytes than before: it begins anew")
    func anew() {
        let (pace, now) = pace((0..<40).map { Int64($0) * 25_000 } + [10])
        #expect(pace.speed(at: now + .seconds(2)) == nil)
    }

    @Test(
        "The time left is rounded up; unknown without a speed, without a total, and where the total was too low",
        arguments: [
            (100, 1000, 100, 9), (100, 1001, 100, 10), (0, nil, 100, nil), (0, 100, nil, nil), (0, 100, 0, nil),
            (100, 100, 5, nil), (101, 100, 5, nil), (0, .max, 1, nil), (0, .max, .max, 1),
        ] as [(Int64, Int64?, Int64?, Int?)])
    func left(received: Int64, total: Int64?, speed: Int64?, seconds: Int?) {
        #expect(DownloadPace.secondsLeft(received: received, total: total, speed: speed) == seconds)
    }

    @Test("However often it is fed it keeps few samples, and says the same")
    func often() {
        var pace = DownloadPace()
        for step in 0..<10_000 { pace.note(Int64(step) * 100, at: .milliseconds(step)) }
        #expect(pace.speed(at: .milliseconds(9999)) == 100_000)
        #expect("\(pace)".count < 5000)
    }
}

@Suite("A batch in words")
struct DownloadBatchTests {
    @Test(
        "Numbers agree with their words, and the reason is told",
        arguments: [
            (1, 0, nil, "Downloads finished", "1 track downloaded"),
            (12, 0, nil, "Downloads finished", "12 tracks downloaded"),
            (12, 1, "the disk is full", "Downloads finished", "12 tracks downloaded, 1 failed: the disk is full"),
            (0, 1, "no", "Downloads failed", "1 track failed: no"), (0, 3, nil, "Downloads failed", "3 tracks failed"),
        ] as [(Int, Int, String?, String, String)])
    func words(finished: Int, failed: Int, reason: String?, title: String, body: String) {
        let batch = DownloadBatch(finished: finished, failed: failed, reason: reason)
        #expect(batch.title == title && batch.body == body)
    }

    @Test("Two are told as one")
    func joined() {
        let both = DownloadBatch(finished: 1, failed: 0).joined(
            with: DownloadBatch(finished: 2, failed: 1, reason: "no"))
        #expect(both == DownloadBatch(finished: 3, failed: 1, reason: "no"))
        #expect(DownloadBatch(finished: 0, failed: 0).isEmpty && !both.isEmpty)
    }
}
