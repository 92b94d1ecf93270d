import NyanCore
import Testing

@testable import NyanNet

@Suite("Short HTTP calls", .timeLimit(.minutes(1)))
struct HTTPTests {
    let server: LocalServer
    let session = CurlSession()

    init() throws { server = try LocalServer() }

    @Test("An answer is given whatever its status", arguments: [200, 404, 429, 500])
    func anyStatus(status: Int) async throws {
        let answer = try await session.send(HTTPRequest(.get, url: server.url("echo/\(status)")))
        #expect(answer.status == status)
        #expect(answer.body == LocalServer.sound(10))
        #expect(answer.headers["x-two"] == "b")
    }

    @Test("A post sends its body and headers, and leaves out a header with a line break in it")
    func post() async throws {
        let headers = [("Authorization", "Bearer x"), ("X-Bad", "a\r\nX-Evil: 1"), ("Content-Type", "text/plain")]
        _ = try await session.send(
            HTTPRequest(.post, url: server.url("echo/200"), headers: headers, body: Array("a=1&b=2".utf8)))
        let asked = try #require(try await server.log().first)
        #expect(asked.method == "POST")
        #expect(asked.body == "a=1&b=2")
        #expect(asked.headers["authorization"] == "Bearer x")
        #expect(asked.headers["content-type"] == "text/plain")
        #expect(asked.headers["x-evil"] == nil)
        #expect(asked.headers["expect"] == nil)
    }

    @Test("A post without a body is sent at once")
    func emptyPost() async throws {
        let answer = try await session.send(HTTPRequest(.post, url: server.url("echo/200")))
        #expect(answer.status == 200)
    }

    @Test("A packed answer is unpacked, and its unpacked length counts")
    func gzip() async throws {
        let answer = try await session.send(HTTPRequest(.get, url: server.url("packed")))
        #expect(answer.body.count == 30000)
        #expect(answer.headers["content-encoding"] == "gzip")
        await #expect(throws: Failure(.badAnswer, "127.0.0.1 answered more than expected.")) {
            try await session.send(HTTPRequest(.get, url: server.url("packed"), maxBytes: 20000))
        }
        await #expect(throws: Failure(.badAnswer, "127.0.0.1 answered more than expected.")) {
            try await session.send(HTTPRequest(.get, url: server.url("good/1000"), maxBytes: 999))
        }
    }

    @Test("A redirect to another host takes the harmless headers along and no others")
    func redirectLeaksNothing() async throws {
        let secrets = [("Authorization", "Bearer s"), ("Cookie", "sid=s"), ("X-Token", "s")]
        let harmless = [("User-Agent", "ua/1"), ("Range", "bytes=5-")]
        for host in ["localhost", "127.0.0.1"] {
            let answer = try await session.send(
                HTTPRequest(.get, url: server.url("hop/1000?to=\(host)"), headers: secrets + harmless))
            #expect(answer.status == 206)
        }
        let hops = try await server.log().filter { $0.path.contains("good") }
        try #require(hops.count == 2)
        for (name, value) in harmless { #expect(hops[0].headers[name.lowercased()] == value) }
        for (name, value) in secrets {
            #expect(hops[0].headers[name.lowercased()] == nil, "\(name) went to another host")
            #expect(hops[1].headers[name.lowercased()] == value, "\(name) is kept on the same host")
        }
    }

    @Test("A post that is redirected goes on on its own host only, and keeps its body there")
    func redirectedPost() async throws {
        let body = Array("secret".utf8)
        _ = try await session.send(
            HTTPRequest(.post, url: server.url("hop/9?to=127.0.0.1&status=307"), body: body))
        for status in [301, 302, 303, 307, 308] {
            let failure = await #expect(throws: Failure.self) {
                try await session.send(
                    HTTPRequest(.post, url: server.url("hop/9?to=localhost&status=\(status)"), body: body))
            }
            #expect(failure?.code == .badAnswer)
        }
        let hops = try await server.log().filter { $0.path.contains("good") }
        #expect(hops.map(\.method) == ["POST"])
        #expect(hops.map(\.body) == ["secret"])
    }

    @Test(
        "An answer to a call made over https does not come over http",
        arguments: [
            ("https://a.test/", "http://a.test/", false), ("https://a.test/", "https://b.test/", true),
            ("http://a.test/", "http://b.test/", true), ("http://a.test/", "https://a.test/", true),
        ])
    func downgrade(from: String, to: String, isFollowed: Bool) throws {
        let (here, there) = (try #require(WebAddress(from)), try #require(WebAddress(to)))
        #expect(there.isAsSafe(as: here) == isFollowed)
    }

    @Test("Cookies that an answer sets are told apart from its headers, all of them")
    func setCookies() async throws {
        var lines = HeaderLines()
        for line in [
            "HTTP/1.1 302 Found\r\n", "Set-Cookie: old=1\r\n", "HTTP/1.1 200 OK\r\n", "set-cookie: a=1; p\r\n",
            "Set-Cookie: b=2\r\n", "X: y\r\n",
        ] {
            Array(line.utf8).withUnsafeBytes { lines.take($0) }
        }
        #expect(lines.setCookies == [Secret("a=1; p"), Secret("b=2")] && lines.fields == ["x": "y"])
    }

    @Test("Circles and other protocols are refused, the former after five redirects")
    func badRedirects() async throws {
        await #expect(throws: NetworkFailure.tooManyRedirects(host: "127.0.0.1")) {
            try await session.send(HTTPRequest(.get, url: server.url("circle")))
        }
        #expect(try await server.log().count == 6)
        await #expect(throws: Failure.self) { try await session.send(HTTPRequest(.get, url: server.url("file"))) }
        await #expect(throws: NetworkFailure.badAddress()) {
            try await session.send(HTTPRequest(.get, url: Secret("file:///etc/hostname")))
        }
    }

    @Test("A silent server ends the call at its time limit, with the host's name and no more of the URL")
    func timeout() async throws {
        let failure = await #expect(throws: Failure.self) {
            try await session.send(
                HTTPRequest(.get, url: server.url("mute?token=secret"), timeout: .milliseconds(300)))
        }
        #expect(failure == Failure(.timeout, "127.0.0.1 did not answer in time.", retry: .later))
        try await server.open()
    }

    @Test("A refused connection and an unknown name are network failures that name the host")
    func unreachable() async throws {
        let refused = await #expect(throws: Failure.self) {
            try await session.send(HTTPRequest(.get, url: Secret("http://127.0.0.1:1/secret")))
        }
        #expect(refused == Failure(.network, "127.0.0.1 cannot be reached.", retry: .later))
        let unknown = await #expect(throws: Failure.self) {
            try await session.send(HTTPRequest(.get, url: Secret("http://nowhere.invalid/secret")))
        }
        #expect(unknown == Failure(.network, "The name nowhere.invalid cannot be found.", retry: .later))
    }

    @Test("A TLS handshake with something else is a network failure")
    func tls() async throws {
        let failure = await #expect(throws: Failure.self) {
            try await session.send(HTTPRequest(.get, url: Secret("https://127.0.0.1:\(server.port)/")))
        }
        #expect(failure?.code == .network)
    }

    @Test("Cancelling the task ends the call at once and leaves nothing running")
    func cancellation() async throws {
        let call = Task { () -> Result<HTTPResponse, Failure> in
            do throws(Failure) {
                return .success(try await session.send(HTTPRequest(.get, url: server.url("mute"))))
            } catch { return .failure(error) }
        }
        while session.runningCount == 0 { await Task.yield() }
        call.cancel()
        let result = await call.value
        #expect(throws: NetworkFailure.cancelled) { try result.get() }
        #expect(session.runningCount == 0)
        try await server.open()
    }

    @Test("Two hundred calls at once are all answered, each with its own bytes")
    func many() async throws {
        let calls = (1...200).map { length in
            Task { try? await session.send(HTTPRequest(.get, url: server.url("echo/200?length=\(length)"))).body }
        }
        var right = 0
        for (index, call) in calls.enumerated() where await call.value == LocalServer.sound(index + 1) { right += 1 }
        #expect(right == 200)
    }

    @Test("Calls in a row use one connection")
    func reuse() async throws {
        for _ in 0..<5 { _ = try await session.send(HTTPRequest(.get, url: server.url("echo/200"))) }
        #expect(Set(try await server.log().map(\.link)).count == 1)
    }

    @Test("Through a dead proxy nothing arrives, and the proxy's password is in no message")
    func deadProxy() async throws {
        let session = CurlSession(proxy: Secret("http://user:password@127.0.0.1:1"))
        let failure = await #expect(throws: Failure.self) {
            try await session.send(HTTPRequest(.get, url: Secret("http://example.invalid/")))
        }
        #expect(failure?.code == .network)
        #expect(failure?.message.contains("password") == false)
    }
}
