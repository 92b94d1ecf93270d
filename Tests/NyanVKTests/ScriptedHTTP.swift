import NyanCore

/// One exchange the fake saw.
struct SeenRequest {
    var request: HTTPRequest
    /// The form's fields, decoded; a repeated one keeps its last value.
    var fields: [String: String]

    /// The method of the API: the last part of the address.
    var method: String { request.url.revealed.split(separator: "/").last.map(String.init) ?? "" }
    func header(_ name: String) -> String? {
        request.headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// What the fake does with one request.
nonisolated enum Reply: Sendable {
    case answer(Int, String, headers: [String: String] = [:])
    case bytes([UInt8])
    case failure(Failure)
    /// Answers once `ScriptedHTTP.open` is called.
    case gate(String)

    static func json(_ text: String) -> Reply { .answer(200, text) }
    static func error(_ code: Int, subcode: Int = 0, words: String = "", more: String = "") -> Reply {
        .json(#"{"error":{"error_code":\#(code),"error_subcode":\#(subcode),"error_msg":"\#(words)"\#(more)}}"#)
    }
}

/// A server that answers from a script and remembers what it was asked. Replies run out in order; then `otherwise`.
final class ScriptedHTTP: HTTPClient {
    var script: [Reply] = []
    var otherwise: (SeenRequest) -> Reply = { _ in .json(#"{"response":{"count":0,"items":[]}}"#) }
    /// `Set-Cookie` lines of every answer that has a status.
    var setCookies: [String] = []
    /// Called as each request arrives.
    var onRequest: (SeenRequest) -> Void = { _ in }
    private(set) var seen: [SeenRequest] = []
    private(set) var inFlight = 0
    private(set) var mostInFlight = 0
    private var isOpen = false
    private var gates: [CheckedContinuation<Void, Never>] = []

    init(_ script: Reply...) { self.script = script }

    func send(_ request: HTTPRequest) async throws(Failure) -> HTTPResponse {
        let arrival = SeenRequest(request: request, fields: Self.fields(of: request.body ?? []))
        seen.append(arrival)
        inFlight += 1
        mostInFlight = max(mostInFlight, inFlight)
        defer { inFlight -= 1 }
        onRequest(arrival)
        // Others get the chance to break in.
        for _ in 0..<10 { await Task.yield() }
        switch script.isEmpty ? otherwise(arrival) : script.removeFirst() {
        case .answer(let status, let text, let headers):
            return HTTPResponse(
                status: status, headers: headers, setCookies: setCookies.map { Secret($0) }, body: Array(text.utf8))
        case .bytes(let bytes): return HTTPResponse(status: 200, headers: [:], body: bytes)
        case .failure(let failure): throw failure
        case .gate(let text):
            if !isOpen { await withCheckedContinuation { gates.append($0) } }
            return HTTPResponse(status: 200, headers: [:], body: Array(text.utf8))
        }
    }

    /// Lets every gate answer, those to come too.
    func open() {
        isOpen = true
        let waiting = gates
        gates = []
        for gate in waiting { gate.resume() }
    }

    /// Reads a form the way a server does.
    static func fields(of body: [UInt8]) -> [String: String] {
        var fields: [String: String] = [:]
        for pair in body.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            fields[decode(parts[0])] = parts.count == 2 ? decode(parts[1]) : ""
        }
        return fields
    }

    private static func decode(_ bytes: ArraySlice<UInt8>) -> String {
        var decoded: [UInt8] = []
        var rest = bytes
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                decoded.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%") {
                decoded.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
