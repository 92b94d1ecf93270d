import Glibc
import NyanTestKit
import Testing

/// The network goes away in the middle of a track (field-issues.md B12). The track is 40 s of 192 kbit/s: 24,000 bytes a
/// second, of which the first 120,000 last five seconds.
@Suite("Network lost", .serialized, .timeLimit(.minutes(4)))
struct NetworkLostTests {
    private let long = "123456_456239965"
    private let next = "123456_456239998"
    static let bytesASecond = 24_000.0

    private func house() async throws -> House {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        return house
    }

    /// No request may ask again for what came, nor leave anything out.
    private func requireSeamless(_ house: House, from edge: Int) async throws {
        let firsts = try await house.firstBytes(of: long)
        #expect(firsts.first == 0 && firsts.count >= 2, "\(firsts)")
        for first in firsts.dropFirst() { #expect(first >= edge && first <= edge + 70_000, "\(firsts)") }
        let sent = try await house.mediaRequests(of: long).reduce(0) { $0 + $1.bytes }
        #expect(sent < 960_000 + 100_000, "fetched twice: \(sent)")
    }

    @Test(
        "the line breaks, or the server falls silent: it goes on at the same byte and the same second",
        arguments: [
            #""fault":"truncate","at":120000,"times":1"#, #""fault":"reset","at":120000,"times":1"#,
            #""fault":"stall","at":120000,"times":1"#, #""fault":"wrong-length","at":120000,"times":1"#,
        ])
    func breaks(fault: String) async throws {
        let house = try await house()
        try await house.fault(#""track":"\#(long)",\#(fault)"#)
        let begun = ContinuousClock.now
        #expect(try await house.ctl("play", long).status == 0)
        var last = 0.0
        // All the while the position neither jumps nor runs ahead of the time.
        try await house.until("it is past the break") {
            let status = try await house.status()
            #expect(status.problem == nil && status.track?.id == long)
            #expect(status.position >= last - 0.1)
            #expect(status.position <= (ContinuousClock.now - begun) / .seconds(1) + 0.1)
            last = status.position
            return status.position > 7
        }
        if !fault.contains("wrong-length") { try await requireSeamless(house, from: 120_000) }
    }

    @Test("a dry feed shows as buffering within two seconds, frozen; every wish is answered at once")
    func buffering() async throws {
        let house = try await house()
        try await house.fault(#""track":"\#(long)","fault":"stall","at":120000"#)
        #expect(try await house.ctl("play", long, next).status == 0)
        _ = try await house.sounds(beyond: 0)
        let held = try await house.reached("buffering")
        // What came lasts to 5 s: no clock beyond it, and not much is left unheard.
        #expect(held.position > 3 && held.position < 5.2, "\(held.position)")
        var times: [Double] = []
        // Silence is waited out for a minute.
        let end = ContinuousClock.now + .seconds(10)
        for _ in 0..<20 where ContinuousClock.now < end {
            let status = try await house.status()
            #expect(status.state == "buffering" && status.position == held.position)
            times.append(try await house.statusTime())
        }
        // What the slower ones take longer than the quickest is the machine's.
        #expect(times.min() ?? .infinity < 100 && times.max() ?? .infinity < House.atOnce, "\(times)")
        #expect(try await house.press("Pause") < House.atOnce)
        #expect(try await house.status().state == "paused")
        #expect(try await house.press("Play") < House.atOnce)
        #expect(try await house.status().state == "buffering")
        #expect(try await house.status().position == held.position)
        #expect(try await house.press("Next") < House.atOnce)
        #expect(try await house.status().track?.id == next)
        _ = try await house.sounds(beyond: 0)
        #expect(try await house.press("Previous") < House.atOnce)
        #expect(try await house.status().track?.id == long)
        #expect(try await house.press("Stop") < House.atOnce)
        #expect(try await house.status().state == "stopped")
    }

    @Test(
        "a line slower than the sound: it buffers and plays by turns, to the end, and skips nothing")
    func slow() async throws {
        let house = try await house()
        try await house.fault(#""track":"\#(long)","fault":"drip","value":18000"#)
        #expect(try await house.ctl("play", long).status == 0)
        let first = try await house.sounds(beyond: 1)
        let held = try await house.reached("buffering")
        #expect(held.position > first.position)
        let again = try await house.sounds(beyond: held.position)
        #expect(again.position < held.position + 2 + house.blink)
        for _ in 0..<5 { #expect(try await house.statusTime() < House.atOnce) }
        #expect(try await house.firstBytes(of: long) == [0])
    }

    @Test("the server is gone for good while it plays, and comes back at the same address with other links")
    func gone() async throws {
        let house = try await house()
        try await house.fault(#""track":"\#(long)","fault":"stall","at":120000"#)
        #expect(try await house.ctl("play", long).status == 0)
        _ = try await house.sounds(beyond: 1)
        await house.stopServer()
        let held = try await house.reached("buffering")
        try await house.until("it is known to be away") { try await !house.status().online }
        try await house.restartServer()
        let back = try await house.sounds(beyond: held.position)
        #expect(back.position < held.position + 3 + house.blink)
        #expect(try await house.status().problem == nil)
        // The new server has seen nothing but the rest.
        let firsts = try await house.firstBytes(of: long)
        #expect(firsts.count == 1 && firsts[0] >= 120_000 && firsts[0] < 190_000, "\(firsts)")
    }

    @Test(
        "links that died in the middle: one fresh one, and on from the same second",
        arguments: ["403", "404", "410", "302"])
    func expired(answer: String) async throws {
        let house = try await house()
        try await house.control(#"{"cmd":"set","bandwidth":40000,"expired-answer":\#(answer)}"#)
        #expect(try await house.ctl("play", long).status == 0)
        _ = try await house.sounds(beyond: 1)
        let asked = try await house.resolves()
        try await house.control(#"{"cmd":"expire-links"}"#)
        // Past what is fetched: the old link is asked for it, and refuses.
        #expect(try await house.ctl("seek", "30").status == 0)
        try await house.control(#"{"cmd":"set","bandwidth":0}"#)
        let there = try await house.sounds(beyond: 30.2)
        #expect(there.position < 33 + house.blink && there.problem == nil)
        #expect(try await house.resolves() == asked + 1)
        let refused = try await house.mediaRequests(of: long).filter { $0.outcome == "expired" }
        #expect(refused.count == 1)
    }

    @Test(
        "a server that refuses, or sends a page for a sound: one fresh link, a reason, and the next track",
        arguments: [
            #""fault":"status","value":403"#, #""fault":"status","value":404"#, #""fault":"status","value":410"#,
            #""fault":"error-page""#, #""fault":"html""#, #""fault":"empty""#,
            #""fault":"other-page""#,
        ])
    func refused(fault: String) async throws {
        let house = try await house()
        if fault.contains("other-page") {
            // A page with the type of a sound.
            try await house.fault(#""track":"\#(long)","fault":"html""#)
            try await house.fault(#""track":"\#(long)","fault":"content-type","value":"audio/mpeg""#)
        } else {
            try await house.fault(#""track":"\#(long)",\#(fault)"#)
        }
        #expect(try await house.ctl("play", long, next).status == 0)
        try await house.until("the next one plays") {
            let status = try await house.status()
            return status.track?.id == next && status.state == "playing"
        }
        let tried = try await house.mediaRequests(of: long).filter { $0.kind == "mp3" }
        #expect(tried.count == 2, "\(tried.map(\.outcome))")
        let log = house.daemon?.errors ?? ""
        #expect(log.contains("\(long): VK's media server refuses this track, also with a fresh address"), "\(log)")
        // The good start of the next one clears the reason.
        #expect(try await house.status().problem == nil)
    }

    @Test("one refusal only: the fresh link plays, and nobody hears of it")
    func refusedOnce() async throws {
        let house = try await house()
        for fault in [#""fault":"status","value":410"#, #""fault":"error-page""#, #""fault":"html""#] {
            try await house.fault(#""track":"\#(long)",\#(fault),"times":1"#)
            let asked = try await house.resolves()
            try house.emptyCache()
            #expect(try await house.ctl("play", long).status == 0)
            let status = try await house.sounds(beyond: 0.5)
            #expect(status.problem == nil)
            #expect(try await house.resolves() == asked + 2)
            try await house.ctl("stop")
        }
    }

    @Test("a refused port: the reason names the server, and the player goes on to what is on disk")
    func unreachable() async throws {
        let house = try await house()
        try await house.ctl("download", next, "--wait")
        try await house.fault(#""fault":"unreachable""#)
        #expect(try await house.ctl("play", long, next).status == 0)
        #expect(try await house.press("Pause") < House.atOnce)
        #expect(try await house.press("Play") < House.atOnce)
        try await house.until("the one on disk plays") {
            let status = try await house.status()
            return status.track?.id == next && status.state == "playing"
        }
        #expect(house.daemon?.errors.contains("\(long): The connection to 127.0.0.1") == true)
    }

    @Test("a server that answers nothing at all, VK included: every wish is answered at once all the while")
    func frozen() async throws {
        let house = try await house()
        try await house.fault(#""track":"\#(long)","fault":"stall","at":120000"#)
        #expect(try await house.ctl("play", long, next).status == 0)
        _ = try await house.sounds(beyond: 0)
        house.server?.send(SIGSTOP)
        for member in ["Next", "Pause", "Play", "Previous", "PlayPause", "Play", "Stop", "Play"] {
            #expect(try await house.press(member) < House.atOnce, "\(member)")
            #expect(try await house.statusTime() < House.atOnce, "\(member)")
        }
        _ = try await house.reached("buffering")
        house.server?.send(SIGCONT)
        try await house.control(#"{"cmd":"media-clear"}"#)
        _ = try await house.sounds(beyond: 0)
    }

    @Test("the server closes idle connections in a long pause: play goes on at the same byte and second")
    func longPause() async throws {
        let house = try await house()
        // Everything came but the end, which the server keeps back until it hangs up.
        try await house.fault(#""track":"\#(long)","fault":"stall","at":300000,"seconds":4,"times":1"#)
        #expect(try await house.ctl("play", long).status == 0)
        let before = try await house.sounds(beyond: 1)
        let heard = ContinuousClock.now
        #expect(try await house.press("Pause") < House.atOnce)
        let paused = try await house.status()
        #expect(paused.position < before.position + 0.5 + house.blink + (ContinuousClock.now - heard) / .seconds(1))
        try await house.until("the rest has come") { try await house.status().buffered == 1 }
        let waited = try await house.status()
        #expect(waited.state == "paused" && waited.position == paused.position && waited.problem == nil)
        #expect(try await house.press("Play") < House.atOnce)
        _ = try await house.sounds(beyond: paused.position + 0.2)
        try await requireSeamless(house, from: 300_000)
    }

    @Test("a server that stays dead through a pause: play tries anew where it was")
    func deadPause() async throws {
        let house = try await house()
        try await house.fault(#""track":"\#(long)","fault":"stall","at":120000,"seconds":1"#)
        #expect(try await house.ctl("play", long).status == 0)
        _ = try await house.sounds(beyond: 1)
        #expect(try await house.press("Pause") < House.atOnce)
        let paused = try await house.status()
        await house.stopServer()
        try await house.until("it is known to be away") { try await !house.status().online }
        try await house.restartServer()
        #expect(try await house.press("Play") < House.atOnce)
        let back = try await house.sounds(beyond: 6)
        #expect(back.position < paused.position + 20 && back.track?.id == long)
    }
}
