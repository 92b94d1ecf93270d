import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanNet

@Suite("Servers that mean harm", .serialized, .timeLimit(.minutes(1)))
struct HostileServerTests {
    let session = CurlSession(limits: CurlSession.Limits(connect: .seconds(5), silence: .seconds(1)))

    /// What the process holds at most from now on, in MB: the kernel's own mark, which this resets.
    private func peak(_ body: () async -> Void) async -> Int {
        func line(_ name: String) -> Int {
            let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            let row = text.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
            return row.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) } ?? Int.max
        }
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = line("VmRSS:")
        await body()
        return (line("VmHWM:") - before) / 1024
    }

    @Test(
        "heads, bodies and packed bodies without an end are stopped, in words, and fill no memory",
        arguments: [
            "endless-headers", "endless-cookies", "endless-header", "endless-interim", "endless-trailers",
            "endless-body", "endless-chunks", "gzip-bomb", "deflate-bomb", "bomb-in-bomb", "redirect-body",
        ])
    func endless(name: String) async throws {
        let request = HTTPRequest(.get, url: try RawServer.url(name), timeout: .seconds(20), maxBytes: 1 << 20)
        var failure: Failure?
        let grown = await peak {
            do throws(Failure) { _ = try await session.send(request) } catch { failure = error }
        }
        #expect(failure != nil && failure?.code != .timeout, "\(failure?.message ?? "none")")
        #expect(grown < 40, "\(grown) MB")
        #expect(session.runningCount == 0)
    }

    @Test(
        "answers that are not HTTP, lengths that are no lengths and ways to elsewhere are failures of a kind",
        arguments: [
            "http-0.9", "rubbish", "http2", "status", "negative-length", "length-2^63", "length-2^63-1", "chunk-2^64",
            "chunk-negative", "to-file", "to-gopher", "to-rubbish", "to-itself",
        ])
    func nonsense(name: String) async throws {
        let request = HTTPRequest(.get, url: try RawServer.url(name), timeout: .seconds(20), maxBytes: 1 << 20)
        let failure = await #expect(throws: Failure.self) {
            let answer = try await session.send(request)
            // A length that makes no sense may be passed over; the body is what came then.
            if answer.body == Array("{}".utf8) { throw Failure(.badAnswer, "no more than what came") }
        }
        #expect(failure?.code == .badAnswer || failure?.code == .network, "\(String(describing: failure))")
        #expect(failure?.message.contains("passwd") == false)
    }

    @Test("a head that drips in line by line is given up after the longest silence")
    func dripping() async throws {
        let begun = ContinuousClock.now
        let attempt = await attempt(Location(url: try RawServer.url("dripping")), into: MemoryCopy(), on: session)
        #expect(attempt.failure?.code == .timeout)
        #expect(ContinuousClock.now - begun < .seconds(20))
    }

    @Test(
        "heads without an end stop a transfer, too",
        arguments: ["endless-headers", "endless-cookies", "endless-interim", "endless-header"])
    func endlessHeads(name: String) async throws {
        let copy = MemoryCopy()
        var failure: Failure?
        let grown = await peak {
            failure = await attempt(Location(url: (try? RawServer.url(name)) ?? Secret("")), into: copy, on: session)
                .failure
        }
        #expect(failure != nil && copy.received == 0)
        #expect(grown < 40, "\(grown) MB")
    }

    @Test(
        "places in a file where no sound reaches are not believed",
        arguments: [
            (206, "bytes 0-99/9223372036854775807", "100"), (206, "bytes 0-9223372036854775805/*", "100"),
            (206, "bytes 0-68719476736/68719476737", "100"), (416, "bytes */9223372036854775807", "0"),
            (200, "", "9223372036854775807"),
        ])
    func farAway(status: Int, range: String, length: String) {
        let head = ResponseHead(
            status: status, headers: ["content-range": range, "content-length": length, "etag": "\"a\""],
            url: Secret("http://a/b"), host: "a")
        var asked = RangeAnswer.Asked(first: 0)
        if status == 416 {
            asked = RangeAnswer.Asked(
                first: .max - 1, received: .max, size: .max, fromStart: .max, validator: Validator(etag: "\"a\""))
        }
        #expect(RangeAnswer.judge(head, asked: asked) == .fail(NetworkFailure.tooLong(host: "a")))
    }
}
