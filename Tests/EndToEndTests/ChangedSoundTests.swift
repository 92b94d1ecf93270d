import FoundationEssentials
import NyanTestKit
import Testing

/// The server has another file than a moment ago, and lines of sound that comes in segments. 192 kbit/s: 24,000 bytes a
/// second.
@Suite("Changed and segmented sound", .serialized, .timeLimit(.minutes(3)))
struct ChangedSoundTests {
    private let long = "123456_456239965"
    private let segmented = "123456_456239964"
    private let next = "123456_456239998"

    private func house() async throws -> House {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        return house
    }

    @Test("a file that changes in mid-play is fetched whole, and goes on at the same second; none of it is spliced")
    func changed() async throws {
        let house = try await house()
        try await house.fault(#""track":"\#(long)","fault":"truncate","at":120000,"times":1"#)
        // What is behind the old addresses and the new ones from then on: as long, under another tag.
        try await house.control(
            #"{"cmd":"after","kind":"mp3","do":[{"cmd":"track","id":"\#(long)","media":"long-hls"}]}"#)
        #expect(try await house.ctl("play", long, next).status == 0)
        let before = try await house.sounds(beyond: 1)
        var last = before.position
        try await house.until("it is past the change") {
            let status = try await house.status()
            #expect(status.track?.id == long && status.problem == nil && status.position >= last - 0.2)
            last = status.position
            return status.state == "playing" && status.position > 7 && status.buffered == 1
        }
        let requests = try await house.mediaRequests(of: long)
        // The start of the old one; then the new one from its start, as the tag of the old one no longer holds.
        #expect(requests.count >= 2 && requests[1].headers["if-range"] != nil && requests[1].status == 200)
        #expect(requests.dropFirst(2).allSatisfy { $0.status == 206 })
        struct Expected: Decodable { let sha256: String }
        let expected = try JSONDecoder().decode(
            Expected.self, from: Data(try await house.fetch("/_expected/\(long)").utf8))
        #expect(try await house.digest(of: house.cachedCopy(of: long)) == expected.sha256)
    }

    @Test("a file that is another at each request is given up with a reason, and the next track plays")
    func changesAlways() async throws {
        let house = try await house()
        try await house.fault(#""track":"\#(long)","fault":"etag-change""#)
        try await house.fault(#""track":"\#(long)","fault":"truncate","at":50000"#)
        #expect(try await house.ctl("play", long, next).status == 0)
        try await house.until("the next one plays", within: 100) {
            let status = try await house.status()
            return status.track?.id == next && status.state == "playing"
        }
        #expect(house.daemon?.errors.contains("\(long): ") == true)
        let requests = try await house.mediaRequests(of: long)
        #expect(requests.count < 60, "\(requests.count)")
    }

    @Test(
        "segments that break, stall, or die: buffering at most, then on at the same segment and second",
        arguments: [
            #""fault":"truncate","at":10000"#, #""fault":"reset","at":-1"#, #""fault":"stall","at":10000"#,
            #""fault":"status","value":403"#, #""fault":"status","value":500"#, #""fault":"expire""#,
            #""fault":"html""#,
        ])
    func segments(fault: String) async throws {
        let house = try await house()
        try await house.fault(#""track":"\#(segmented)","kind":"segment","segment":3,"times":1,\#(fault)"#)
        #expect(try await house.ctl("play", segmented, next).status == 0)
        let first = try await house.sounds(beyond: 0.2)
        #expect(first.track?.id == segmented)
        try await house.until("all of it is there") { try await house.status().buffered == 1 }
        let status = try await house.status()
        #expect(status.track?.id == segmented && status.problem == nil)
        let whole = try await house.mediaRequests(of: segmented)
            .filter { $0.kind == "segment" && $0.outcome == "ok" }.compactMap(\.segment)
        // Those that were written are not asked for again, but for the last one, which proves that it is the same sound.
        #expect(whole.count { $0 == 1 } == 1 && (1...2).contains(whole.count { $0 == 2 }), "\(whole)")
        #expect(try await house.press("Stop") < House.atOnce)
    }
}
