import FoundationEssentials
import NyanCore
import Testing

@testable import NyanNet

/// What a server may do between two attempts, row by row, with real requests: in the end the copy holds byte for byte what
/// the server has now, or it is not complete and there is a reason (field-issues.md C1–C5).
@Suite("The resume matrix", .timeLimit(.minutes(1)))
struct ResumeMatrixTests {
    nonisolated static let size = 300_000
    let server: LocalServer

    init() throws { server = try LocalServer() }

    /// A row: the server's answers one after another (the last goes on for ever; `mode_plan` in the script), and what must
    /// come of it within a few attempts.
    nonisolated struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        /// The first answer breaks off in the middle, the ones after it are what the row is about.
        let plan: String
        /// Which version the server has at the end; nil: there must be a failure and no complete copy.
        var version: Int? = 1
        var size = ResumeMatrixTests.size
        /// Attempts until it is whole.
        var attempts = 2
        var requests = 2
        /// Bytes written in all; nil: not looked at. What is there already is not written again.
        var written: Int64?
        var testDescription: String { name }
    }

    nonisolated static let half = "tag=a,cut=150000"
    nonisolated static let weak = "tag=weak,cut=150000"
    nonisolated static let bare = "cut=150000"
    nonisolated static let rows: [Row] = [
        Row(name: "ranges are honoured", plan: "\(half);tag=a", written: 300_000),
        Row(name: "ranges are ignored", plan: "\(half);tag=a,norange", written: 300_000),
        Row(
            name: "206 from another start, then whole", plan: "\(half);tag=a,shift=4096", requests: 3, written: 300_000),
        Row(name: "206 with another total", plan: "\(half);tag=a,size=310000", size: 310_000, requests: 3),
        Row(name: "206 without a total", plan: "\(half);tag=a,total=*", written: 300_000),
        Row(name: "206 without Content-Range", plan: "\(half);tag=a,place=none", requests: 3, written: 300_000),
        Row(name: "206 in several parts", plan: "\(half);tag=a,place=multi", requests: 3, written: 300_000),
        Row(name: "206 with more bytes than it says", plan: "\(half);tag=a,place=lie", version: nil, requests: 20),
        Row(name: "206 in pieces of 100 KB", plan: "\(half);tag=a,piece=100000", requests: 3, written: 300_000),
        Row(name: "206 byte by byte", plan: "\(half);tag=a,piece=1", version: nil, requests: 41),
        Row(name: "206 without the tag, same bytes", plan: "\(half);tag=a,notag", requests: 3, written: 300_000),
        Row(
            name: "206 without the tag, other bytes", plan: "\(half);tag=b,nocondition,notag,v=2", version: 2,
            requests: 3),
        Row(name: "416 with a length we do not have", plan: "\(half);tag=a,416;tag=a", requests: 3, written: 300_000),
        Row(name: "416 without a length", plan: "\(half);tag=a,416=bare", requests: 3, written: 300_000),
        Row(
            name: "416 for a copy of unknown length that is whole", plan: "tag=a,chunked,cut=300000;tag=a", requests: 2,
            written: 300_000),
        Row(
            name: "416 for a copy longer than the file is now", plan: "tag=a,chunked,cut=200000;tag=b,size=100000,v=2",
            version: 2, size: 100_000, requests: 2),
        Row(
            name: "416 for a copy longer than the file, tag unchecked",
            plan: "tag=a,chunked,cut=200000;tag=b,nocondition,size=100000,v=2", version: 2, size: 100_000, requests: 3),
        Row(name: "new tag, other bytes, same length", plan: "\(half);tag=b,v=2", version: 2),
        Row(
            name: "new tag, other bytes, other length", plan: "\(half);tag=b,v=2,size=280000", version: 2, size: 280_000
        ),
        Row(
            name: "new tag, other bytes, If-Range ignored", plan: "\(half);tag=b,v=2,nocondition", version: 2,
            requests: 3
        ),
        Row(name: "new tag, same bytes", plan: "\(half);tag=b"),
        Row(name: "weak tag, same bytes", plan: "\(weak);tag=weak", written: 300_000),
        Row(name: "weak tag, other bytes", plan: "\(weak);tag=weak,v=2", version: 2, requests: 3),
        Row(
            name: "weak tag and an old date", plan: "\(weak),modified=date;tag=weak,modified=date,nocondition",
            written: 300_000),
        Row(
            name: "a date of just now proves nothing", plan: "\(bare),modified=now;modified=now,v=2", version: 2,
            requests: 3),
        Row(name: "nothing to tell by, same bytes", plan: "\(bare);x", written: 300_000),
        Row(name: "nothing to tell by, other bytes", plan: "\(bare);v=2", version: 2, requests: 3),
        Row(name: "nothing to tell by, other length", plan: "\(bare);v=2,size=280000", version: 2, size: 280_000),
        Row(name: "nothing to tell by, longer now", plan: "\(bare),chunked;size=310000", size: 310_000),
        Row(name: "another tag every time, but whole at last", plan: "\(half);tag=turn"),
        Row(name: "another tag every time, never whole", plan: "tag=turn,cut=150000", version: nil, requests: 8),
        Row(name: "packed though nobody asked", plan: "gzip", attempts: 1, requests: 2, written: 300_000),
        Row(name: "packed and chunked", plan: "gzip,chunked,norange", attempts: 1, requests: 1, written: 300_000),
        Row(name: "packed on going on", plan: "\(half);tag=a,gzip", requests: 3, written: 300_000),
        Row(name: "packed on going on, other bytes", plan: "\(half);tag=b,v=2,gzip", version: 2, requests: 4),
        Row(name: "packed and cut", plan: "gzip,norange,cut=1000", version: nil, requests: 8),
        Row(name: "packed, cut, then plain", plan: "gzip,norange,cut=1000;x", written: 300_000),
        Row(name: "length too great, once", plan: "tag=a,norange,more=1000;tag=a", requests: 3),
        Row(name: "length too great, always", plan: "tag=a,norange,more=1000", version: nil, requests: 16),
        Row(name: "length too great, total right", plan: "tag=a,more=1000", requests: 1, written: 300_000),
        Row(name: "length too small, total right", plan: "tag=a,more=-100000;tag=a", requests: 3),
        Row(name: "chunks cut off before the last", plan: "tag=a,chunked,cut=150000;tag=a,chunked", written: 300_000),
        Row(name: "chunks always cut off", plan: "tag=a,chunked,norange,cut=150000", version: nil, requests: 8),
        Row(name: "no length, closed at the end", plan: "nolength", attempts: 1, requests: 2, written: 300_000),
        Row(
            name: "no length, closed in the middle once", plan: "nolength,cut=299000;nolength", attempts: 1,
            requests: 3,
            written: 300_000),
        Row(
            name: "no length, closed anywhere",
            plan: "nolength,cut=299000;nolength,cut=10000;nolength,cut=9000;nolength,cut=5000;nolength,cut=2000",
            version: nil,
            requests: 9),
        Row(name: "404 in between", plan: "\(half);status=404;tag=a", attempts: 3, requests: 3, written: 300_000),
        Row(
            name: "an empty answer in between", plan: "\(half);tag=a,empty,norange;tag=a", attempts: 3, requests: 3,
            written: 300_000),
    ]

    @Test("ends with the bytes the server has now, or with a reason", arguments: rows)
    func row(_ row: Row) async throws {
        let copy = MemoryCopy()
        let plan = row.plan.replacing(";", with: "%3B").replacing("*", with: "%2A")
        let location = server.location("plan/\(Self.size)?plan=\(plan)")
        var attempts = 0
        // As many as a download makes without progress (RetryRule).
        while attempts < (row.version == nil ? 8 : row.attempts), !copy.isComplete {
            let made = await attempt(location, into: copy)
            #expect(made.isFinished == copy.isComplete)
            #expect(made.isFinished || made.failure != nil)
            attempts += 1
        }
        let requests = try await server.log()
        #expect(requests.count <= row.requests, "\(requests.map { $0.headers["range"] ?? "whole" })")
        guard let version = row.version else { return #expect(!copy.isComplete) }
        #expect(copy.isComplete, "\(attempts) \(requests.map { $0.headers["range"] ?? "whole" })")
        #expect(attempts <= row.attempts)
        let isEqual = copy.bytes == LocalServer.sound(row.size, version: version)
        #expect(isEqual)
        #expect(copy.size == Int64(row.size))
        if let written = row.written { #expect(copy.look { $0.written } == written) }
        #expect(requests.allSatisfy { $0.headers["accept-encoding"] == "identity" })
    }

    @Test("Without proof a reader far ahead waits: nothing is asked for that could be of another file")
    func noJump() async throws {
        let copy = MemoryCopy()
        let location = server.location("plan/\(Self.size * 10)?plan=x")
        let made = await attempt(location, into: copy, from: 2_500_000)
        let isEqual = copy.bytes == LocalServer.sound(Self.size * 10)
        #expect(made.isFinished && isEqual)
        #expect(try await server.log().count == 1)
    }
}
