import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

@testable import NyanService

/// What a client that began a login learns of it after the answer to a question of VK's.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct LoginOutcomeTests {
    private final class NoGrants: PasswordGrants {
        func grant(_ wish: PasswordWish) async throws(Failure) -> Credential { throw .refused }
    }

    let rig = Rig(signedIn: false)
    let desk: ChallengeDesk
    let line: Line

    init() throws {
        desk = ChallengeDesk(time: rig.time, hub: rig.hub, log: Log(level: .error))
        let signIn = SignIn(account: rig.account, grants: NoGrants(), profiles: [:])
        line = try Line(
            NyandInterfaces.account, AccountFrontend(account: rig.account, signIn: signIn, desk: desk) {})
    }

    private func picture(_ sid: String) -> Challenge {
        Challenge(.picture, sid: sid, address: "https://vk.com/captcha.php?sid=\(sid)")
    }

    /// A descriptor that gives this text.
    private func handed(_ text: String) throws -> BusValue {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        #expect(write(ends[1], text, text.utf8.count) == text.utf8.count)
        close(ends[1])
        return .unixFD(OwnedFD(owning: ends[0]))
    }

    private func failure(_ member: String, _ arguments: BusValue...) async -> Failure? {
        do throws(BusError) {
            _ = try await line.call(member, arguments)
            return nil
        } catch { return FailureCoding.failure(error) }
    }

    /// The source's proofs meet that question first.
    private func ask(_ challenge: Challenge) {
        let keeper = desk
        rig.source.beforeProof = { () async throws(Failure) in
            let call = ParkedCall(isLogin: true)
            keeper.begins(login: call)
            do throws(Failure) {
                while try await keeper.meet(challenge, of: "users.get", by: call) == .released {}
                keeper.ended(call, nil)
            } catch {
                keeper.ended(call, error)
                throw error
            }
        }
    }

    @Test("A login behind another operation's question is not over with that question's answer")
    func behindAnother() async throws {
        let other = Operation.begin(words: { _ in "450 tracks" }) { [desk] () async throws(Failure) in
            let call = ParkedCall()
            _ = try await desk.meet(picture("1"), of: "audio.get", by: call)
            desk.ended(call, nil)
            return []
        }
        _ = await other.next()
        ask(picture("2"))
        #expect(await failure("LoginOutcome")?.code == .conflict, "none was begun")
        let asked = await failure("Login", .string("token"), try handed("topsecret"), .string(""))
        #expect(asked?.code == .challengeNeeded && asked?.message.contains("sid=1") == true)
        #expect(try await line.call("Answer", [try handed("nyan")]) == [.string("450 tracks")])
        let own = await failure("LoginOutcome")
        #expect(own?.code == .challengeNeeded && own?.message.contains("sid=2") == true)
        #expect(!rig.account.isSignedIn)
        #expect(try await line.call("Answer", [try handed("nyan")]).first?.string?.hasPrefix("Signed in") == true)
        #expect(try await line.call("LoginOutcome", [])[0][1]?.string == rig.source.account.name)
    }

    @Test("A login that was declined is one that failed, for the answer and for whoever began it")
    func declined() async throws {
        ask(Challenge(.confirmation, words: "Really?"))
        #expect(
            await failure("Login", .string("token"), try handed("topsecret"), .string(""))?.code == .challengeNeeded)
        #expect(await failure("Answer", try handed("no"))?.code == .cancelled)
        #expect(await failure("LoginOutcome")?.code == .cancelled && !rig.account.isSignedIn)
    }
}
