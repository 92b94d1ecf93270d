import NyanCore
import NyanVK
import Testing

/// A calendar the test turns.
private final class Calendar {
    var now: Int64 = 1_780_000_000
}

@Suite("A method that VK has closed")
struct MethodBlockTests {
    private let calendar = Calendar()
    private let owned = Credential(profile: profile, token: Secret(token), user: 123)

    private func source(_ http: ScriptedHTTP, _ kept: String = "") -> VKSource {
        let source = VKSource(http: http, time: TestClock(), seed: 7, wallClock: { [calendar] in calendar.now })
        source.closedMethods = kept
        source.use(owned)
        return source
    }

    private func searched(_ source: VKSource) async -> Failure? {
        await failure { () async throws(Failure) in _ = try await source.search("x", count: 1, byArtist: false) }
    }

    @Test("by error 29 stays so for an hour, also after a restart and with a newer token; nothing else is closed")
    func limit() async throws {
        let http = ScriptedHTTP(.error(29))
        let first = source(http)
        var kept = ""
        first.onClosedMethods { kept = $0 }
        #expect(await searched(first)?.code == .serverBusy)
        calendar.now += 600
        #expect(await searched(first)?.retry == .after(seconds: 3000))
        #expect(http.seen.count == 1, "the closed method is not called")
        let second = source(http, kept)
        var renewed = owned
        renewed.token = Secret("newer")
        second.use(renewed)
        #expect(await searched(second)?.message.contains("in 50 minutes") == true)
        #expect(http.seen.count == 1)
        _ = try await second.profilePage(owner: nil, offset: 0, count: 200)
        #expect(http.seen.count == 2)
        second.use(Credential(profile: profile, token: Secret("t"), user: 77))
        #expect(await searched(second) == nil, "another person's is open")
        second.use(owned)
        calendar.now += 3000
        #expect(await searched(second) == nil)
    }

    @Test("by error 9 pauses for minutes that grow, until it is answered again")
    func flood() async {
        let http = ScriptedHTTP()
        let source = source(http)
        http.otherwise = { _ in .error(9) }
        for (number, pause) in [300, 600, 1200, 2400, 3600, 3600].enumerated() {
            #expect(await searched(source)?.code == .serverBusy)
            #expect(await searched(source)?.retry == .after(seconds: Double(pause)))
            #expect(http.seen.count == number + 1, "while it is closed it is not called")
            calendar.now += Int64(pause)
        }
        http.otherwise = { _ in list([]) }
        #expect(await searched(source) == nil)
        http.otherwise = { _ in .error(9) }
        _ = await searched(source)
        #expect(await searched(source)?.retry == .after(seconds: 300), "an answer begins anew")
    }

    @Test("does not stay closed because a calendar was wrong, nor keeps garbage from being read")
    func wrongCalendar() async {
        let http = ScriptedHTTP(.error(29))
        let first = source(http)
        var kept = ""
        first.onClosedMethods { kept = $0 }
        calendar.now += 1_000_000
        _ = await searched(first)
        calendar.now -= 1_000_000
        #expect(await searched(source(http, kept)) == nil)
        #expect(await searched(source(http, "garbage")) == nil)
    }
}
