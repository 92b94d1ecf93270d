import NyanCore
import Testing

@testable import NyanNet

/// The decision alone, every status with every kind of proof.
@Suite("What an answer to a range means")
struct RangeAnswerTests {
    /// A copy with 50 of 100 bytes from the start and a strong tag; what a row names differs.
    nonisolated struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        var status = 206
        var headers: [String: String] = [:]
        var asked = RangeAnswer.Asked(
            first: 50, received: 50, size: 100, fromStart: 50, validator: Validator(etag: "\"a\""))
        let answer: RangeAnswer
        var testDescription: String { name }
    }

    nonisolated static let old = "Wed, 21 Oct 2015 07:28:00 GMT"
    nonisolated static let fresh = RangeAnswer.Asked(first: 0)
    nonisolated static let unknown = RangeAnswer.Asked(
        first: 50, received: 50, size: nil, fromStart: 50, validator: Validator(etag: "\"a\""))
    nonisolated static let unproven = RangeAnswer.Asked(
        first: nil, received: 50, size: 100, fromStart: 50, validator: Validator())
    nonisolated static let dated = RangeAnswer.Asked(
        first: 50, received: 50, size: 100, fromStart: 50, validator: Validator(lastModified: old))
    nonisolated static let holed = RangeAnswer.Asked(
        first: 0, received: 50, size: 100, fromStart: 0, validator: Validator(etag: "\"a\""))
    nonisolated static let place = "bytes 50-99/100"

    nonisolated static let goOn = RangeAnswer.take(first: 50, end: 100, total: 100, validator: Validator(etag: "\"a\""))
    nonisolated static let rows: [Row] = [
        Row(name: "part, same tag", headers: ["content-range": place, "etag": "\"a\""], answer: goOn),
        Row(
            name: "part, same tag, no total", headers: ["content-range": "bytes 50-99/*", "etag": "\"a\""], answer: goOn
        ),
        Row(
            name: "part of a smaller piece", headers: ["content-range": "bytes 50-59/100", "etag": "\"a\""],
            answer: .take(first: 50, end: 60, total: 100, validator: Validator(etag: "\"a\""))),
        Row(name: "part, other tag", headers: ["content-range": place, "etag": "\"b\""], answer: .restart),
        Row(name: "part, weak tag", headers: ["content-range": place, "etag": "W/\"a\""], answer: .askWhole),
        Row(name: "part, no tag", headers: ["content-range": place], answer: .askWhole),
        Row(
            name: "part, other total", headers: ["content-range": "bytes 50-98/99", "etag": "\"a\""], answer: .restart),
        Row(
            name: "part, other start", headers: ["content-range": "bytes 49-99/100", "etag": "\"a\""],
            answer: .askWhole),
        Row(name: "part, no place", headers: ["etag": "\"a\""], answer: .askWhole),
        Row(
            name: "part of a packed file",
            headers: ["content-range": place, "etag": "\"a\"", "content-encoding": "gzip"], answer: .askWhole),
        Row(
            name: "part, same date", headers: ["content-range": place, "last-modified": old], asked: dated,
            answer: .take(first: 50, end: 100, total: 100, validator: Validator(lastModified: old))),
        Row(
            name: "part, same date, which is that of the answer",
            headers: ["content-range": place, "last-modified": old, "date": old], asked: dated, answer: .askWhole),
        Row(
            name: "part, other tag than before at the start",
            headers: ["content-range": "bytes 0-49/90", "etag": "\"b\""],
            asked: holed, answer: .takeAnew(end: 50, total: 90, validator: Validator(etag: "\"b\""))),
        Row(
            name: "part nobody asked for", headers: ["content-range": place, "etag": "\"a\""], asked: unproven,
            answer: .askWhole),
        Row(
            name: "first part", headers: ["content-range": "bytes 0-99/100", "etag": "\"a\""], asked: fresh,
            answer: .take(first: 0, end: 100, total: 100, validator: Validator(etag: "\"a\""))),
        Row(
            name: "whole, first", status: 200, headers: ["content-length": "100", "etag": "W/\"a\""], asked: fresh,
            answer: .take(first: 0, end: 100, total: 100, validator: Validator())),
        Row(
            name: "whole, first, packed", status: 200,
            headers: ["content-length": "60", "etag": "\"a\"", "content-encoding": "gzip"], asked: fresh,
            answer: .take(first: 0, end: nil, total: nil, validator: Validator())),
        Row(
            name: "whole, same tag", status: 200, headers: ["content-length": "100", "etag": "\"a\""],
            answer: .take(first: 0, end: 100, total: 100, validator: Validator(etag: "\"a\""))),
        Row(
            name: "whole, same tag, no length", status: 200, headers: ["etag": "\"a\""],
            answer: .take(first: 0, end: 100, total: 100, validator: Validator(etag: "\"a\""))),
        Row(
            name: "whole, other tag", status: 200, headers: ["content-length": "100", "etag": "\"b\""],
            answer: .takeAnew(end: 100, total: 100, validator: Validator(etag: "\"b\""))),
        Row(
            name: "whole, same tag, other length", status: 200, headers: ["content-length": "99", "etag": "\"a\""],
            answer: .takeAnew(end: 99, total: 99, validator: Validator(etag: "\"a\""))),
        Row(
            name: "whole, nothing to tell by", status: 200, headers: ["content-length": "100"], asked: unproven,
            answer: .compare(total: 100)),
        Row(
            name: "whole, the tag is gone", status: 200, headers: ["content-length": "100"],
            answer: .compare(total: 100)),
        Row(
            name: "whole, packed", status: 200, headers: ["content-encoding": "gzip", "etag": "\"a\""],
            answer: .compare(total: nil)),
        Row(
            name: "whole, nothing to tell by, other length", status: 200, headers: ["content-length": "99"],
            asked: unproven, answer: .takeAnew(end: 99, total: 99, validator: Validator())),
        Row(
            name: "416, whole, same tag", status: 416, headers: ["content-range": "bytes */50", "etag": "\"a\""],
            asked: unknown, answer: .complete(total: 50)),
        Row(
            name: "416, whole, no tag", status: 416, headers: ["content-range": "bytes */50"], asked: unknown,
            answer: .askWhole),
        Row(
            name: "416, whole, other tag", status: 416, headers: ["content-range": "bytes */50", "etag": "\"b\""],
            asked: unknown, answer: .restart),
        Row(
            name: "416, ours is too long", status: 416, headers: ["content-range": "bytes */40", "etag": "\"a\""],
            asked: unknown, answer: .restart),
        Row(name: "416, no length", status: 416, headers: ["etag": "\"a\""], asked: unknown, answer: .askWhole),
        Row(
            name: "416, though bytes are missing", status: 416,
            headers: ["content-range": "bytes */100", "etag": "\"a\""], answer: .askWhole),
        Row(
            name: "416, a length that was another", status: 416,
            headers: ["content-range": "bytes */50", "etag": "\"a\""],
            answer: .restart),
        Row(
            name: "416 at the start", status: 416, headers: ["content-range": "bytes */0"], asked: fresh,
            answer: .fail(Failure(.expiredLocation, "h no longer gives this track."))),
        Row(
            name: "416, empty now", status: 416, headers: ["content-range": "bytes */0", "etag": "\"a\""],
            answer: .fail(Failure(.expiredLocation, "h no longer gives this track."))),
    ]

    @Test("is decided by what the answer itself proves", arguments: rows)
    func decision(_ row: Row) {
        var headers = row.headers
        headers["date"] = headers["date"] ?? "Wed, 21 Oct 2020 07:28:00 GMT"
        let head = ResponseHead(status: row.status, headers: headers, url: Secret("http://h/x.mp3"), host: "h")
        #expect(RangeAnswer.judge(head, asked: row.asked) == row.answer)
    }

    @Test(
        "The end of a body is announced by a length, by chunks, or by a later HTTP",
        arguments: [
            ("HTTP/1.1 200 OK", "content-length: 5", true),
            ("HTTP/1.1 200 OK", "Transfer-Encoding: gzip, chunked", true),
            ("HTTP/2 200", "x: y", true), ("HTTP/1.1 200 OK", "x: y", false), ("HTTP/1.0 200 OK", "x: y", false),
        ])
    func announced(status: String, header: String, isAnnounced: Bool) {
        var lines = HeaderLines()
        for line in [status, header] { Array("\(line)\r\n".utf8).withUnsafeBytes { lines.take($0) } }
        #expect(lines.isEndAnnounced == isAnnounced)
    }
}
