import NyanCore
import Testing

@testable import NyanNet

/// Bytes of two files never meet in one copy, also where everything but the bytes is equal.
@Suite("One copy, one file", .timeLimit(.minutes(1)))
struct SameFileTests {
    let server: LocalServer
    let fixture: SoundFixture

    init() async throws {
        server = try LocalServer()
        fixture = try await SoundFixture.inDirectory(of: server.root)
    }

    /// The same sound at another bit rate under a list of the same seconds.
    private func makePoor() throws {
        let place = "\(server.root)/hls"
        try ChildProcess.run([
            "ffmpeg", "-nostdin", "-loglevel", "error", "-y", "-i", "\(place)/a.mp3", "-map", "0:a", "-c:a",
            "libmp3lame", "-b:a", "96k", "-f", "hls", "-hls_time", "2", "-hls_list_size", "0",
            "-hls_segment_filename", "\(place)/poor-%d.ts", "\(place)/poor-own.m3u8",
        ])
        let lines = fixture.durations.enumerated().flatMap { ["#EXTINF:\($1),", "poor-\($0).ts"] }
        let text = (["#EXTM3U"] + lines + ["#EXT-X-ENDLIST", ""]).joined(separator: "\n")
        try SoundFixture.write(text, "\(place)/same-seconds.m3u8")
    }

    @Test("Another encoding whose segments last as long begins anew")
    func otherEncoding() async throws {
        try makePoor()
        let location = server.location("dir/hls/same-seconds.m3u8")
        let fresh = MemoryCopy()
        #expect(await attempt(location, into: fresh).isFinished)
        #expect(fresh.received < Int64(fixture.sound.count) * 2 / 3)
        let copy = MemoryCopy()
        try await server.fault("hls/seg-5.ts", "403", times: 1)
        _ = await attempt(server.location("dir/hls/index.m3u8"), into: copy)
        #expect(copy.segments?.done == 4)
        #expect(await attempt(location, into: copy).isFinished)
        #expect(copy.look { $0.resets } == 1)
        let isEqual = copy.bytes == fresh.bytes
        #expect(isEqual)
    }

    @Test(
        "The proof that came badly is asked for again, and nothing that is there is lost",
        arguments: ["tail", "rubbish", "404"])
    func badProof(kind: String) async throws {
        let copy = MemoryCopy()
        let location = server.location("dir/hls/index.m3u8")
        try await server.fault("hls/seg-6.ts", "403", times: 1)
        _ = await attempt(location, into: copy)
        #expect(copy.segments?.done == 5)
        try await server.fault("hls/seg-5.ts", kind, times: 1)
        #expect(await attempt(location, into: copy).isFinished)
        let isEqual = copy.bytes == fixture.sound
        #expect(isEqual)
        #expect(copy.look { $0.resets } == 0)
        #expect(copy.look { $0.written } == Int64(fixture.sound.count))
    }

    @Test("A proof that cannot be had keeps what is there")
    func noProof() async throws {
        let copy = MemoryCopy()
        let location = server.location("dir/hls/index.m3u8")
        try await server.fault("hls/seg-6.ts", "403", times: 1)
        _ = await attempt(location, into: copy)
        try await server.fault("hls/seg-5.ts", "429", times: 1)
        #expect(await attempt(location, into: copy).failure?.code == .serverBusy)
        #expect(copy.segments?.done == 5 && copy.look { $0.resets } == 0)
    }

    @Test("What is written behind compared bytes is of another origin: the copy's proof is gone")
    func comparedThenWritten() throws {
        let sound = LocalServer.sound(1000)
        let proof = Validator(etag: "\"a\"")
        let copy = MemoryCopy()
        _ = try copy.begin(kind: .direct, total: 1000, validator: proof)
        try sound[..<400].withUnsafeBytes { try copy.write($0, at: 0) }
        try sound[800...].withUnsafeBytes { try copy.write($0, at: 800) }
        var body = AnswerBody(position: 0, end: 1000, isComparing: true)
        #expect(sound[..<400].withUnsafeBytes { body.put($0, into: copy) == nil })
        #expect(copy.validator == proof)
        #expect(sound[400..<500].withUnsafeBytes { body.put($0, into: copy) == nil })
        #expect(copy.validator == nil && copy.available(from: 0) == 500)
    }
}
