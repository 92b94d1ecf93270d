import NyanCore
import Testing

@testable import NyanNet

@Suite("Failures of the net, in words")
struct FailureTests {
    @Test(
        "libcurl's codes become codes a person can act on",
        arguments: [
            (6, Failure.Code.network, "found"), (5, .network, "proxy"), (7, .network, "reached"),
            (28, .timeout, "time"),
            (60, .network, "certificate"), (35, .network, "secure"), (18, .network, "early"), (56, .network, "broke"),
            (52, .network, "broke"), (97, .network, "proxy"), (47, .badAnswer, "circles"), (1, .badAnswer, "HTTP"),
            (61, .badAnswer, "HTTP"), (27, .internal, "memory"), (11, .network, "(11)"),
        ])
    func codes(curl: UInt32, code: Failure.Code, word: String) {
        let failure = NetworkFailure.of(curlCode: curl, host: "host.example")
        #expect(failure.code == code)
        #expect(failure.retry == .later)
        #expect(failure.message.contains(word))
    }

    @Test(
        "A media server's statuses",
        arguments: [
            (200, nil), (206, nil), (416, nil), (400, Failure.Code.expiredLocation), (401, .expiredLocation),
            (403, .expiredLocation), (404, .expiredLocation), (410, .expiredLocation), (418, .expiredLocation),
            (407, .network), (408, .timeout), (429, .serverBusy), (500, .serverBusy), (502, .serverBusy),
            (503, .serverBusy), (204, .badAnswer), (304, .badAnswer),
        ])
    func statuses(status: Int, code: Failure.Code?) {
        #expect(NetworkFailure.of(mediaStatus: status, headers: [:], host: "h")?.code == code)
    }

    @Test(
        "Retry-After is read as seconds or as a date",
        arguments: [
            ("20", 20), ("0", 0), ("-5", 0), ("1.5", 1.5), ("Wed, 21 Oct 2015 07:28:30 GMT", 30),
            ("Wed, 21 Oct 2015 07:27:00 GMT", 0), ("soon", nil), ("", nil), ("nan", nil), ("inf", nil),
        ])
    func retryAfter(text: String, seconds: Double?) {
        #expect(NetworkFailure.retryAfter(text, now: 1_445_412_480) == seconds)
    }

    @Test(
        "Content-Range is read strictly",
        arguments: [
            ("bytes 0-9/10", 0...9, 10), ("bytes 5-9/*", 5...9, nil), ("bytes */10", nil, 10),
            ("Bytes 0-0/1", 0...0, 1),
        ] as [(String, ClosedRange<Int64>?, Int64?)])
    func contentRange(text: String, bytes: ClosedRange<Int64>?, total: Int64?) throws {
        let range = try #require(ContentRange(text))
        #expect(range.bytes == bytes)
        #expect(range.total == total)
    }

    @Test(
        "An unreadable Content-Range is none",
        arguments: [
            "", "bytes", "bytes 0-9", "bytes 9-0/10", "bytes 0-10/10", "bytes -1-5/10", "lines 0-9/10", "bytes a-b/c",
        ])
    func badContentRange(text: String) { #expect(ContentRange(text) == nil) }

    @Test("Header lines: an interim answer is forgotten, names are lower case, the last value counts")
    func headerLines() {
        var lines = HeaderLines()
        for line in [
            "HTTP/1.1 103 Early Hints\r\n", "Link: x\r\n", "\r\n", "HTTP/2 206\r\n", "ETag:  \"a:b\" \r\n", "X:1\r\n",
            "x: 2\r\n", "\r\n",
        ] {
            Array(line.utf8).withUnsafeBytes { lines.take($0) }
        }
        #expect(lines.status == 206)
        #expect(lines.fields == ["etag": "\"a:b\"", "x": "2"])
    }

    @Test(
        "Same origin means same scheme, host and port",
        arguments: [
            ("http://a/x", "http://A:80/y", true), ("https://a/", "https://a:443/", true),
            ("http://a/", "https://a/", false),
            ("http://a/", "http://a:81/", false), ("http://a/", "http://b.a/", false),
        ])
    func origins(one: String, other: String, same: Bool) throws {
        #expect(try #require(WebAddress(one)).isSameOrigin(as: try #require(WebAddress(other))) == same)
    }

    @Test(
        "What is not http is no web address",
        arguments: ["", "file:///etc/passwd", "ftp://a/", "a b", "http://", "//a"])
    func notWeb(text: String) { #expect(WebAddress(text) == nil) }
}
