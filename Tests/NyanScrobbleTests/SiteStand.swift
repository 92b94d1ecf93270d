import NyanCore

/// A site's server from a script: what it was asked, and what it answers.
final class SiteStand: HTTPClient {
    var answers: [Result<HTTPResponse, Failure>] = []
    private(set) var seen: [HTTPRequest] = []

    /// Answers this status and text next.
    func will(_ status: Int, _ text: String, _ headers: [String: String] = [:]) {
        answers.append(.success(HTTPResponse(status: status, headers: headers, body: Array(text.utf8))))
    }

    func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
        seen.append(request)
        guard !answers.isEmpty else { throw Failure(.network, "nothing is there", retry: .later) }
        return try answers.removeFirst().get()
    }

    var lastBody: String { String(decoding: seen.last?.body ?? [], as: UTF8.self) }

    /// The last form's fields, decoded.
    var lastForm: [String: String] {
        var fields: [String: String] = [:]
        for pair in lastBody.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(Self.decoded)
            fields[parts[0]] = parts.count == 2 ? parts[1] : ""
        }
        return fields
    }

    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Listen {
    /// Listen number n, three minutes long, one a second.
    nonisolated static func numbered(_ number: Int64) -> Listen {
        Listen(artist: "Á & B", title: "Ы \(number)", album: "L=P", seconds: 180, began: 1_790_000_000 + number)
    }
}
