import FoundationEssentials
import Glibc
import NyanCore

@testable import NyanNet

/// The one Python server of this test run, and one test's view of it.
struct LocalServer {
    /// What the server was asked.
    struct Asked: Decodable {
        var path: String
        var method: String
        var headers: [String: String]
        var body: String
        /// The client's port: the same for requests on one connection.
        var link: Int
    }

    private static let shared = Result { try start() }
    private static var tokens = 0

    let port: Int
    /// Where `dir` requests are served from.
    let root: String
    let token: String
    private let session = CurlSession()

    /// A view of its own for a test: own log, own counters, own faults.
    init() throws {
        (port, root) = try Self.shared.get()
        Self.tokens += 1
        token = "t\(Self.tokens)"
    }

    func url(_ path: String, host: String = "127.0.0.1") -> Secret { Secret("http://\(host):\(port)/\(token)/\(path)") }

    func location(_ path: String) -> Location { Location(url: url(path)) }

    func log() async throws -> [Asked] {
        let answer = try await session.send(HTTPRequest(.get, url: url("log")))
        return try JSONDecoder().decode([Asked].self, from: FoundationEssentials.Data(answer.body))
    }

    /// Lets `held`, `silent` and `mute` answers go on.
    func open() async throws { _ = try await session.send(HTTPRequest(.get, url: url("open"))) }

    /// The next `times` requests for a file under `dir` go wrong.
    func fault(_ path: String, _ kind: String, times: Int) async throws {
        _ = try await session.send(HTTPRequest(.get, url: url("fault?path=\(path)&kind=\(kind)&times=\(times)")))
    }

    private static var sounds: [String: [UInt8]] = [:]

    /// The same bytes as the script's `sound`.
    static func sound(_ size: Int, version: Int = 1) -> [UInt8] {
        if let made = sounds["\(size) \(version)"] { return made }
        var body = (0..<size).map { UInt8(truncatingIfNeeded: $0 * 31 + ($0 >> 8) * 7 + version * 13) }
        for at in stride(from: 0, to: size - 3, by: 417) {
            body.replaceSubrange(at..<at + 4, with: [0xFF, 0xFB, 0x90, 0x64])
        }
        sounds["\(size) \(version)"] = body
        return body
    }

    private static func start() throws -> (Int, String) {
        var template = Array("/tmp/nyan-net-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw ChildProcess.Failed(program: "mkdtemp") }
        let root = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let child = try ChildProcess.start(["/usr/bin/python3", "-c", serverScript, root])
        // Its input stays open as long as this process lives: the server ends with the tests.
        guard let port = Int(ChildProcess.readLine(child.output)) else { throw ChildProcess.Failed(program: "python3") }
        return (port, root)
    }
}
