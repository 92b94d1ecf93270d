import NyanCore
import Testing

private typealias Moment = SessionMachine.Moment

@Suite("When a token is renewed")
struct SessionMachineTests {
    private static let profile = ClientProfile(name: "web", userAgent: "", version: "", apiURL: "")
    private static let cookies = WebCookies(remixsid: Secret("s"), p: Secret("p"))
    private static let refused = Failure(.notSignedIn, "no")
    private static let noNetwork = Failure(.network, "no network")

    private static func credential(
        _ token: String = "one", expires: Int64? = 10_000, hasCookies: Bool = true
    ) -> Credential {
        Credential(
            profile: profile, token: Secret(token), way: hasCookies ? .cookies : .token, expires: expires,
            cookies: hasCookies ? cookies : nil)
    }

    private func machine(_ credential: Credential?) -> SessionMachine {
        var machine = SessionMachine()
        machine.use(credential)
        return machine
    }

    private func at(_ unix: Int64, _ ticker: Int64 = 100) -> SessionMachine.Moment {
        Moment(ticker: .seconds(ticker), unix: unix)
    }

    @Test(
        "an end is what VK can mean by its number, whatever it says",
        arguments: [
            (Int64(900), Int64(1_780_000_900)), (0, 1_780_000_000), (-1, 1_780_000_000), (.min, 1_780_000_000),
            (1_790_000_000, 1_790_000_000), (.max, 1_780_000_000 + TokenLife.longest),
        ])
    func ends(named: Int64, end: Int64) {
        #expect(TokenLife.end(named, now: 1_780_000_000) == end)
        #expect((TokenLife.seconds(named) ?? 1) <= TokenLife.longest)
    }

    /// What a call is to do at this moment with a credential that was stored.
    @Test(
        "two minutes before its end, when a call needs it, and never without cookies",
        arguments: [
            (Int64?.some(10_000), true, Int64(9_000), false), (10_000, true, 9_880, false), (10_000, true, 9_881, true),
            (10_000, true, 10_000, true), (10_000, true, 99_999, true), (nil, true, 99_999, false),
            (10_000, false, 99_999, false), (.min, true, 9_000, true), (.max, true, 9_000, false),
        ])
    func early(expires: Int64?, hasCookies: Bool, now: Int64, renews: Bool) {
        let credential = Self.credential(expires: expires, hasCookies: hasCookies)
        var machine = machine(credential)
        let decision = machine.decide(.call, at: at(now))
        #expect(decision == (renews ? .renew(credential, attempt: 1) : .go(credential)))
    }

    @Test("once for all: who comes while it is renewed or written down waits")
    func singleFlight() {
        var machine = machine(Self.credential())
        let fresh = Self.credential("two", expires: 20_000)
        #expect(machine.decide(.rejected(Secret("one")), at: at(9_000)) == .renew(Self.credential(), attempt: 1))
        #expect(machine.decide(.rejected(Secret("one")), at: at(9_000)) == .wait)
        #expect(machine.decide(.call, at: at(9_990)) == .wait)
        #expect(machine.ended(attempt: 1, .success(fresh), at: at(9_990)) == fresh)
        #expect(machine.credential == Self.credential(), "not in use before it is written down")
        #expect(machine.isSaving(1))
        #expect(machine.decide(.call, at: at(9_990)) == .wait)
        #expect(machine.saved(attempt: 1, at: at(9_991)) == true)
        #expect(machine.credential == fresh)
        #expect(machine.outcome(of: .rejected(Secret("one")), at: at(9_991)) == .go(fresh))
        #expect(
            machine.decide(.rejected(Secret("one")), at: at(9_991)) == .go(fresh), "who comes late takes it at once")
    }

    @Test("not at all when nothing renews it: what VK said stands")
    func withoutCookies() {
        var machine = machine(Self.credential(hasCookies: false))
        #expect(machine.decide(.rejected(Secret("one")), at: at(9_000)) == .nothing)
        var none = SessionMachine()
        #expect(none.decide(.call, at: at(9_000)) == .nothing)
    }

    @Test("in vain: a token that still holds is used on, one that was rejected fails with the reason")
    func failed() {
        var machine = machine(Self.credential())
        _ = machine.decide(.call, at: at(9_900))
        #expect(machine.ended(attempt: 1, .failure(Self.noNetwork), at: at(9_900)) == nil)
        #expect(machine.outcome(of: .call, at: at(9_900)) == .go(Self.credential()))
        #expect(machine.outcome(of: .call, at: at(10_000)) == .fail(Self.noNetwork))
        #expect(machine.outcome(of: .rejected(Secret("one")), at: at(9_900)) == .fail(Self.noNetwork))
        #expect(machine.decide(.rejected(Secret("one")), at: at(9_900)) == .renew(Self.credential(), attempt: 2))
    }

    @Test("after a refusal once more at once, then with growing pauses; cookies and token stay")
    func refusals() {
        var machine = machine(Self.credential())
        var ticker: Int64 = 100
        var pauses: [Int64] = []
        for attempt in 1...13 {
            let begun = ticker
            while machine.decide(.rejected(Secret("one")), at: at(9_000, ticker)) == .fail(Self.refused) { ticker += 1 }
            if attempt > 1 { pauses.append(ticker - begun) }
            #expect(machine.ended(attempt: attempt, .failure(Self.refused), at: at(9_000, ticker)) == nil)
            #expect(machine.credential == Self.credential())
        }
        #expect(pauses == [0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300])
        // A login begins anew.
        machine.use(Self.credential("new"))
        #expect(
            machine.decide(.rejected(Secret("new")), at: at(9_000, ticker))
                == .renew(Self.credential("new"), attempt: 14))
    }

    @Test("for nobody any more after a logout or another login: a late answer is not taken")
    func void() {
        var machine = machine(Self.credential())
        _ = machine.decide(.rejected(Secret("one")), at: at(9_000))
        machine.use(nil)
        #expect(machine.ended(attempt: 1, .success(Self.credential("two")), at: at(9_000)) == nil)
        #expect(machine.outcome(of: .rejected(Secret("one")), at: at(9_000)) == .nothing)
        machine.use(Self.credential("three"))
        _ = machine.decide(.rejected(Secret("three")), at: at(9_000))
        #expect(machine.ended(attempt: 1, .success(Self.credential("two")), at: at(9_000)) == nil)
        #expect(machine.ended(attempt: 2, .success(Self.credential("four")), at: at(9_000)) != nil)
        machine.use(nil)
        #expect(machine.saved(attempt: 2, at: at(9_000)) == false)
        #expect(machine.credential == nil)
    }

    @Test("not early again within a minute, whatever a wrong calendar says")
    func wrongClock() {
        var machine = machine(Self.credential())
        _ = machine.decide(.call, at: at(50_000, 100))
        let fresh = Self.credential("two", expires: 20_000)
        _ = machine.ended(attempt: 1, .success(fresh), at: at(50_000, 101))
        _ = machine.saved(attempt: 1, at: at(50_000, 101))
        #expect(machine.decide(.call, at: at(50_001, 102)) == .go(fresh))
        #expect(machine.decide(.call, at: at(50_060, 160)) == .go(fresh))
        #expect(machine.decide(.rejected(Secret("two")), at: at(50_060, 160)) == .renew(fresh, attempt: 2))
    }
}
