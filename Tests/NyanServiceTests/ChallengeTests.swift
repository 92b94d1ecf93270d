import NyanCore
import NyanDBus
import NyanTestKit
import Testing

@testable import NyanService

private nonisolated let picture = Challenge(.picture, sid: "1", address: "https://vk.com/captcha.php?sid=1")
private nonisolated let another = Challenge(.picture, sid: "2", address: "https://vk.com/captcha.php?sid=2")
private nonisolated let agreement = Challenge(.confirmation, words: "Really?")

/// Where calls wait for a person's answer.
@Suite(.timeLimit(.minutes(1)))
struct ChallengeTests {
    let rig = Rig()
    let desk: ChallengeDesk

    init() { desk = ChallengeDesk(time: rig.time, hub: rig.hub, log: Log(level: .error)) }

    /// A call to VK that meets the questions in order and gives the answers it went on with.
    private func call(_ questions: Challenge..., of method: String = "m") async throws(Failure) -> [ChallengeAnswer] {
        let call = ParkedCall()
        var answers: [ChallengeAnswer] = []
        do {
            try await desk.passed(method, by: call)
            for question in questions { answers.append(try await desk.meet(question, of: method, by: call)) }
        } catch {
            desk.ended(call, error)
            throw error
        }
        desk.ended(call, nil)
        return answers
    }

    private func ask(_ questions: Challenge..., of method: String = "m") -> Operation {
        Operation.begin(words: { _ in "all done" }) { () async throws(Failure) in
            for question in questions { _ = try await call(question, of: method) }
            return [.bool(true)]
        }
    }

    private func answer(_ text: String) async -> Result<String, Failure> {
        do throws(Failure) { return .success(try await desk.answer(Secret(text))) } catch { return .failure(error) }
    }

    private func parked(_ event: Operation.Event) -> String? {
        if case .parked(let failure) = event, failure.code == .challengeNeeded { failure.message } else { nil }
    }

    private func failed(_ event: Operation.Event) -> Failure? {
        if case .ended(.failure(let failure)) = event { failure } else { nil }
    }

    private func succeeded(_ event: Operation.Event) -> Bool {
        if case .ended(.success) = event { true } else { false }
    }

    @Test("Whoever asked is told at once; status shows it; the answer brings the end, and the problem is gone")
    func parkedAndAnswered() async {
        let operation = ask(picture)
        let told = parked(await operation.next())
        #expect(told?.contains("https://vk.com/captcha.php?sid=1") == true && told?.contains("nyanctl answer") == true)
        #expect(desk.problem?.code == .challengeNeeded && desk.problem?.message == told)
        #expect(await until { rig.time.waits == [ChallengeMachine.patience] })
        #expect(await answer("nyan") == .success("all done"))
        #expect(desk.problem == nil)
        #expect(await until { rig.time.waits.isEmpty })
        #expect(succeeded(await operation.next()))
    }

    @Test("A wrong answer brings the next question, the third wrong one an end")
    func rounds() async {
        let operation = Operation.begin(words: Operation.done) { () async throws(Failure) in
            _ = try await call(picture, another, another, another)
            return []
        }
        _ = await operation.next()
        for _ in 0..<2 {
            guard case .failure(let next) = await answer("bad") else {
                Issue.record("went on")
                return
            }
            #expect(next.code == .challengeNeeded && next.message.contains("sid=2"))
            #expect(next.message.hasPrefix("VK did not take that answer"))
        }
        guard case .failure(let end) = await answer("bad") else {
            Issue.record("went on")
            return
        }
        #expect(end.message.contains("3 answers") && desk.problem == nil)
        #expect(failed(await operation.next()) == end)
    }

    @Test("Two operations at once are one question; the second goes on after the first")
    func twoAtOnce() async throws {
        let first = ask(picture)
        _ = await first.next()
        let second = ask(another, of: "n")
        let third = ask(of: "m")
        #expect(parked(await second.next())?.contains("sid=1") == true)
        let rest = Task { try await call(of: "m") }
        await settle()
        #expect(succeeded(await third.next()), "without a call there is nothing to wait for")
        #expect(await answer("nyan") == .success("all done"))
        #expect(succeeded(await second.next()))
        #expect(try await rest.value == [])
    }

    @Test("An operation that meets one question after another tells each, and the answer waits for what comes")
    func oneAfterAnother() async {
        let operation = ask(picture, agreement)
        _ = await operation.next()
        guard case .failure(let next) = await answer("nyan") else {
            Issue.record("no next question")
            return
        }
        #expect(next.message.contains("Really?") && desk.problem == next)
        #expect(await answer("yes") == .success("all done"))
    }

    @Test("No is an end that does what it says; nonsense leaves the question open")
    func declined() async {
        let operation = ask(agreement)
        _ = await operation.next()
        guard case .failure(let nonsense) = await answer("perhaps") else {
            Issue.record("taken")
            return
        }
        #expect(nonsense.code == .badArgument && desk.problem != nil)
        #expect(await answer("no") == .failure(Failure(.cancelled, "you said no: it was not done")))
        #expect(failed(await operation.next())?.code == .cancelled && desk.problem == nil)
    }

    @Test("Nobody answers: after half an hour all that wait are told so, and nothing of the page")
    func givingUp() async {
        let operation = ask(picture)
        _ = await operation.next()
        let background = Task { () -> Failure? in
            do throws(Failure) {
                _ = try await call(another, of: "n")
                return nil
            } catch { return error }
        }
        await settle()
        rig.time.advance(by: ChallengeMachine.patience - .seconds(1))
        await settle()
        #expect(desk.problem != nil)
        rig.time.advance(by: .seconds(1))
        let failure = await background.value
        #expect(failure?.code == .challengeNeeded && failure?.message.contains("30 minutes") == true)
        #expect(failure?.message.contains("vk.com") == false && desk.problem == nil)
        #expect(await until { rig.time.waits.isEmpty })
        #expect(await answer("nyan") == .failure(Failure(.conflict, "VK asks nothing at present")))
    }

    @Test("A cancelled call is no question any more, and the others try again")
    func cancelledCall() async throws {
        let unwanted = Task { try? await call(picture) }
        #expect(await until { desk.problem != nil })
        let waiting = Task { try await call(another, of: "n") }
        await settle()
        unwanted.cancel()
        #expect(await unwanted.value == nil)
        #expect(try await waiting.value == [.released])
        #expect(desk.problem == nil)
    }

    @Test("A skipped track's question stays open until it is answered; others of its kind wait unsent")
    func skipped() async throws {
        let skipped = Task { try await Operation.outlasting { () async throws(Failure) in try await call(picture) } }
        #expect(await until { desk.problem != nil })
        let next = Task { try await Operation.outlasting { () async throws(Failure) in try await call() } }
        let unwanted = Task {
            try? await Operation.outlasting { () async throws(Failure) in try await call(another, of: "n") }
        }
        await settle()
        skipped.cancel()
        unwanted.cancel()
        #expect(await unwanted.value == nil)
        #expect(desk.problem?.message.contains("sid=1") == true)
        #expect(await answer("nyan") == .success("VK took the answer; what waited for it is done"))
        #expect(try await skipped.value.count == 1)
        #expect(try await next.value == [])
    }

    @Test("An answer that is still being tried after a minute is no success")
    func lateAnswer() async {
        let latch = Latch()
        latch.shut()
        let operation = Operation.begin(words: Operation.done) { () async throws(Failure) in
            _ = try await call(picture)
            await latch.pass()
            return []
        }
        _ = await operation.next()
        let answering = Task { await answer("nyan") }
        #expect(await until { latch.held == 1 && rig.time.waits == [.seconds(60)] })
        rig.time.advance(by: .seconds(60))
        guard case .failure(let late) = await answering.value else {
            Issue.record("said done")
            return
        }
        #expect(late.code == .timeout && late.code.exitStatus == 6)
        latch.open()
        #expect(succeeded(await operation.next()))
    }

    @Test("A newer login ends an older one's question, and no other call's; the older one asks nothing more")
    func newerLogin() async throws {
        let (old, new) = (ParkedCall(isLogin: true), ParkedCall(isLogin: true))
        func meet(_ call: ParkedCall, _ challenge: Challenge) async -> Result<ChallengeAnswer, Failure> {
            do throws(Failure) {
                return .success(try await desk.meet(challenge, of: "users.get", by: call))
            } catch { return .failure(error) }
        }
        desk.begins(login: old)
        let asked = Task { await meet(old, picture) }
        #expect(await until { desk.problem != nil })
        desk.begins(login: old)
        await settle()
        #expect(desk.problem != nil, "the same login")
        let other = Task { try await call(another, of: "m") }
        await settle()
        desk.begins(login: new)
        #expect(await asked.value == .failure(Failure(.cancelled, "another login came in between")))
        #expect(try await other.value == [.released])
        let parked = Task { try await call(another, of: "m") }
        #expect(await until { desk.problem?.message.contains("sid=2") == true })
        desk.begins(login: ParkedCall(isLogin: true))
        await settle()
        #expect(desk.problem != nil, "an ordinary call's question stays")
        #expect(await meet(new, picture) == .failure(Failure(.cancelled, "another login came in between")))
        #expect(await answer("nyan") == .success("VK took the answer; what waited for it is done"))
        _ = try await parked.value
    }

    @Test("Everything that waits ends with the login")
    func cancelled() async {
        let operation = ask(picture)
        _ = await operation.next()
        desk.cancel(Failure(.cancelled, "logged out"))
        #expect(await until { desk.problem == nil })
        await settle()
        #expect(failed(await operation.next())?.message == "logged out")
    }

    @Test("A call that nobody asked for over the bus is answered like others")
    func background() async {
        let alone = Task { try? await call(picture) }
        #expect(await until { desk.problem != nil })
        #expect(await answer("nyan") == .success("VK took the answer; what waited for it is done"))
        #expect(await alone.value?.count == 1)
        let failing = Task {
            let call = ParkedCall()
            _ = try? await desk.meet(another, of: "m", by: call)
            desk.ended(call, .refused)
        }
        #expect(await until { desk.problem != nil })
        #expect(await answer("nyan") == .failure(.refused))
        await failing.value
    }

    @Test("Whoever joins a sync that is parked is told so too; the answer tells what the sync brought")
    func joinedSync() async {
        rig.source.pageLatch.shut()
        let keeper = desk
        rig.source.profile = [track(1)]
        rig.source.beforePage = { () async throws(Failure) in
            let call = ParkedCall()
            do throws(Failure) {
                _ = try await keeper.meet(picture, of: "audio.get", by: call)
                keeper.ended(call, nil)
            } catch {
                keeper.ended(call, error)
                throw error
            }
        }
        rig.source.pageLatch.open()
        func sync() -> Operation {
            Operation.begin(words: Operation.done) { () async throws(Failure) in
                [.uint32(UInt32(try await rig.librarian.sync().total))]
            }
        }
        let timer = Task { try? await rig.librarian.sync() }
        #expect(await until { desk.problem != nil })
        let first = sync()
        #expect(parked(await first.next()) != nil)
        #expect(await answer("nyan") == .success("VK took the answer: 1 tracks, 1 new, 0 removed"))
        #expect(succeeded(await first.next()))
        #expect(await timer.value?.total == 1)
    }
}
