import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// The download queue with the real programs: few calls, pauses that are kept, and nothing that comes back.
@Suite("Download queue, whole", .serialized, .timeLimit(.minutes(3)))
struct DownloadQueueTests {
    private func rows(_ house: House) async throws -> [DownloadRow] {
        try await house.ctl("--json", "downloads").decoded([DownloadRow].self)
    }

    @Test("many short tracks need few calls, though VK allows three a second; short-lived addresses cost some more")
    func batches() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        let ids = try await BadTrackTests.shortTracks(40, in: house)
        try await house.control(#"{"cmd":"clear-log"}"#)
        let outcome = try await house.ctl("download", "--matching", "Short", "--wait")
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try await house.resolves() <= 4)
        #expect(try await house.ctl("--json", "music").decoded([TrackRow].self).map(\.id).sorted() == ids.sorted())
        _ = try await BadTrackTests.shortTracks(80, in: house, named: "Brief")
        try await house.control(#"[{"cmd":"set","link-lifetime":3},{"cmd":"set","latency":0.2},{"cmd":"clear-log"}]"#)
        let begun = ContinuousClock.now
        let brief = try await house.ctl("download", "--matching", "Brief", "--wait")
        let took = (ContinuousClock.now - begun) / .seconds(1)
        #expect(brief.status == 0, "\(brief.errors)")
        #expect(try await house.ctl("--json", "music").decoded([TrackRow].self).count == 120)
        // An address lives for three seconds: the longer a machine takes for its files, the more of them are asked for.
        let calls = try await house.resolves()
        #expect(Double(calls) < 20 + took, "\(calls) in \(took) s")
        try await house.control(#"[{"cmd":"set","link-lifetime":3600},{"cmd":"set","latency":0}]"#)
        try await lists(house)
    }

    /// A playlist is queued as it is listed; what cannot be had is told with its reason.
    private func lists(_ house: House) async throws {
        let listed = try await house.ctl("--json", "playlist", "123456_90001").decoded([TrackRow].self)
        let outcome = try await house.ctl("download", "--playlist", "123456_90001", "--wait")
        #expect(outcome.status == 0 && outcome.errors.hasPrefix("\(listed.count) queued\n"), "\(outcome)")
        #expect(try await rows(house).suffix(listed.count).map(\.id) == listed.map(\.id))
        let all = try await house.ctl("download", "--all")
        #expect(all.status == 0 && all.errors.contains(" cannot be had: "), "\(all.errors)")
        #expect(try await house.ctl("--json", "cancel", "--all").status == 0)
        #expect(try await house.ctl("download", "--playlist", "77_70009").status == 5)
        #expect(try await house.ctl("--json", "download", "--matching", "no such words").output == "{\"queued\":0}\n")
    }

    @Test("a pause a server asks for, in seconds or by date, is kept by every download, and by a restart")
    func pause() async throws {
        let house = try await House()
        let daemon = try await house.startDaemon()
        try await house.signIn()
        let first = try await BadTrackTests.shortTracks(12, in: house)
        let second = try await BadTrackTests.shortTracks(12, in: house, named: "Other")
        try await house.fault(#""fault":"status","value":429,"retry-after":3"#)
        try await pauses(of: first, in: house) {
            // A pause is told a moment before it is on the disk; what is answered after it is written behind it.
            #expect(try await house.run(["download", first[0]]).status == 0)
            daemon.send(SIGKILL)
            _ = await daemon.status()
            try await house.startDaemon()
        }
        let date = time(nil) + 8
        // Half a second is for rounding. The look-alike's clock is the kernel's, as ours.
        let end = Self.uptime() + Double(date) - Self.now() - 0.5
        try await house.fault(#""fault":"status","value":503,"retry-after":"\#(Self.httpDate(date))""#)
        try await pauses(of: second, in: house, until: end) {}
    }

    /// Queues these while the look-alike asks for a pause, and sees that nobody asks it before the time: `until` (by the
    /// kernel's clock), else 2.5 s after the first.
    private func pauses(
        of ids: [String], in house: House, until end: Double? = nil, _ meanwhile: () async throws -> Void
    ) async throws {
        try await house.control(#"{"cmd":"clear-log"}"#)
        try #require(try await house.run(["download"] + ids).status == 0)
        try await house.until("the pause is told") {
            try await rows(house).contains { $0.error?.message.contains("it goes on at") == true }
        }
        try await meanwhile()
        try await house.control(#"{"cmd":"media-clear"}"#)
        try await house.until("all came") {
            let rows = try await rows(house)
            return !rows.isEmpty && rows.allSatisfy { $0.state == "done" }
        }
        let times = try await house.mediaRequests().map(\.time)
        let early = times.filter { $0 < end ?? times[0] + 2.5 }.count
        // No more than the workers.
        #expect(early <= 3 && times.count >= early + ids.count, "\(end ?? 0): \(times)")
    }

    /// Seconds of the kernel's clock that never jumps.
    private static func uptime() -> Double { seconds(CLOCK_MONOTONIC) }
    /// Seconds of the wall clock.
    private static func now() -> Double { seconds(CLOCK_REALTIME) }

    private static func seconds(_ clock: clockid_t) -> Double {
        var moment = timespec()
        clock_gettime(clock, &moment)
        return Double(moment.tv_sec) + Double(moment.tv_nsec) / 1e9
    }

    /// As in Retry-After, at Greenwich.
    private static func httpDate(_ moment: time_t) -> String {
        var moment = moment
        var parts = tm()
        gmtime_r(&moment, &parts)
        var text = [CChar](repeating: 0, count: 64)
        strftime(&text, text.count, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test("cancelled in every state and killed right after the answer: nothing is left and nothing comes back")
    func cancelled() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        let short = try await BadTrackTests.shortTracks(8, in: house)
        let ids = ["123456_456239965", "123456_456239964"] + short + ["123456_456239963"]
        for round in 0..<4 {
            try await house.control(#"{"cmd":"set","bandwidth":\#([0, 40_000, 400_000, 0][round])}"#)
            try #require(try await house.run(["download"] + ids).status == 0)
            if round == 1 { try await house.ctl("downloads", "pause", ids[1]) }
            try await house.until("round \(round) is under way") {
                let rows = try await rows(house)
                return round == 0 || rows.contains { $0.received > 0 }
            }
            try #require(try await house.ctl("cancel", "--all").status == 0)
            let programs = round % 2 == 0 ? house.daemon : nil
            programs?.send(SIGKILL)
            if programs != nil {
                _ = await programs?.status()
                try await house.startDaemon()
            }
            let done = try await rows(house)
            #expect(done.allSatisfy { $0.state == "done" })
            let known = try await house.ctl("--json", "music").decoded([TrackRow].self)
            let files =
                try FileManager.default.contentsOfDirectory(atPath: house.home).contains("Music")
                ? FileManager.default.contentsOfDirectory(atPath: house.music) : []
            #expect(files.count == known.count, "\(files)")
            try await house.until("nothing is left") { try house.leftovers().isEmpty }
        }
    }

    @Test("the order is kept, the same track twice is one download, whatever restarts come in the middle")
    func order() async throws {
        let house = try await House(settings: "parallel=1\n")
        try await house.startDaemon()
        try await house.signIn()
        let ids = try await BadTrackTests.shortTracks(12, in: house).reversed() as [String]
        try await house.control(#"{"cmd":"set","bandwidth":60000}"#)
        for _ in 0..<2 { try #require(try await house.run(["download"] + ids).status == 0) }
        for some in [2, 6] {
            try await house.until("\(some) are there") {
                try await house.ctl("--json", "music").decoded([TrackRow].self).count >= some
            }
            house.daemon?.send(SIGKILL)
            _ = await house.daemon?.status()
            try await house.startDaemon()
            try await house.until("the list is there") { try await rows(house).count == 12 }
            #expect(try await rows(house).map(\.id) == ids)
        }
        try await house.control(#"{"cmd":"set","bandwidth":0}"#)
        try await house.until("all came") {
            try await house.ctl("--json", "music").decoded([TrackRow].self).count == 12
        }
        // Newest first.
        #expect(try await house.ctl("--json", "music").decoded([TrackRow].self).map(\.id) == ids.reversed())
        #expect(try FileManager.default.contentsOfDirectory(atPath: house.music).count == 12)
    }
}
