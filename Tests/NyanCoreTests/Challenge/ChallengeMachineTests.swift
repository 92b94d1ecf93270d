import NyanCore
import Testing

private let first = Challenge(.picture, sid: "1", address: "https://vk.com/1")
private let second = Challenge(.picture, sid: "2", address: "https://vk.com/2")
private let yesOrNo = Challenge(.confirmation)
private let stop = Failure(.cancelled, "stop")
private let letters = ChallengeAnswer.fields([FormField("captcha_key", "a")])

private func noted(_ challenge: Challenge) -> Challenge {
    var challenge = challenge
    challenge.note = "VK did not take that answer"
    return challenge
}

@Suite("Questions of VK, one at a time")
struct ChallengeMachineTests {
    @Test("the first call is parked and its question shown")
    func parks() {
        var machine = ChallengeMachine()
        #expect(machine.handle(.met(1, first, method: "m")) == [.show(first, question: 1), .park(1, first)])
        #expect(machine.open?.ticket == 1 && machine.open?.challenge == first && !machine.isTrying)
    }

    @Test("others wait for it and then try again, each once")
    func others() {
        var machine = ChallengeMachine()
        _ = machine.handle(.met(1, first, method: "m"))
        #expect(machine.handle(.met(2, second, method: "n")) == [.park(2, first)])
        #expect(machine.handle(.begins(3, method: "m")) == [.park(3, first)])
        #expect(machine.handle(.begins(4, method: "n")) == [.release(4)], "another method is not held up")
        #expect(machine.handle(.answered(letters)) == [.hide, .resume(1, letters)])
        #expect(machine.handle(.met(5, second, method: "n")) == [.hold(5)])
        #expect(machine.handle(.left(1)) == [.release(2), .release(3), .release(5)])
        #expect(machine.open == nil && machine.handle(.left(2)) == [])
        #expect(machine.handle(.met(3, second, method: "m")) == [.show(second, question: 2), .park(3, second)])
    }

    @Test("a wrong answer is a new question, which those who wait are told; the third wrong one ends the call")
    func rounds() {
        var machine = ChallengeMachine()
        _ = machine.handle(.met(1, first, method: "m"))
        _ = machine.handle(.met(2, first, method: "m"))
        for number in 2...3 {
            _ = machine.handle(.answered(letters))
            #expect(
                machine.handle(.met(1, second, method: "m")) == [
                    .show(noted(second), question: number), .park(1, noted(second)), .park(2, noted(second)),
                ])
        }
        _ = machine.handle(.answered(letters))
        let effects = machine.handle(.met(1, second, method: "m"))
        guard effects.count == 2, case .fail(1, let failure) = effects[0] else {
            Issue.record("\(effects)")
            return
        }
        #expect(failure.code == .challengeNeeded && failure.message.contains("3"))
        #expect(effects[1] == .release(2) && machine.open == nil)
    }

    @Test("another kind of question begins its own rounds, and a wish for another code is none")
    func kinds() {
        var machine = ChallengeMachine()
        let code = Challenge(.code(.sms))
        _ = machine.handle(.met(1, first, method: "m"))
        _ = machine.handle(.answered(letters))
        #expect(machine.handle(.met(1, code, method: "m")).contains(.park(1, code)), "no note: nothing was wrong")
        for _ in 0..<10 {
            _ = machine.handle(.answered(.resend))
            #expect(machine.handle(.met(1, code, method: "m")).contains(.park(1, code)))
        }
        for _ in 0..<2 {
            _ = machine.handle(.answered(letters))
            #expect(machine.handle(.met(1, code, method: "m")).contains(.park(1, noted(code))))
        }
    }

    @Test("time running out fails all, but only for the question that is open")
    func expiry() {
        var machine = ChallengeMachine()
        _ = machine.handle(.met(1, first, method: "m"))
        _ = machine.handle(.met(2, first, method: "m"))
        #expect(machine.handle(.expired(question: 0)) == [])
        let effects = machine.handle(.expired(question: 1))
        #expect(effects.first == .hide && effects.count == 3)
        guard case .fail(1, let failure) = effects[1] else {
            Issue.record("\(effects)")
            return
        }
        #expect(failure.code == .challengeNeeded && failure.message.contains("30 minutes"))
        #expect(!failure.message.contains("vk.com"))
    }

    @Test("an answer being tried is neither answered again, nor expired, nor cancelled with the others")
    func trying() {
        var machine = ChallengeMachine()
        _ = machine.handle(.met(1, first, method: "m"))
        _ = machine.handle(.met(2, first, method: "m"))
        _ = machine.handle(.answered(letters))
        #expect(machine.open == nil && machine.isTrying)
        #expect(machine.handle(.answered(letters)) == [] && machine.handle(.declined(stop)) == [])
        #expect(machine.handle(.expired(question: 1)) == [])
        #expect(machine.handle(.cancelled(stop)) == [.fail(2, stop)])
    }

    @Test("no, and whoever does not want the call any more, let the others try again")
    func declined() {
        var machine = ChallengeMachine()
        _ = machine.handle(.met(1, yesOrNo, method: "m"))
        _ = machine.handle(.met(2, first, method: "n"))
        #expect(machine.handle(.begins(3, method: "m")) == [.release(3)], "a confirmation is one request's own")
        #expect(machine.handle(.declined(stop)) == [.fail(1, stop), .hide, .release(2)])
        _ = machine.handle(.met(2, first, method: "n"))
        _ = machine.handle(.met(3, first, method: "n"))
        #expect(machine.handle(.left(3)) == [])
        #expect(machine.handle(.left(2)) == [.hide])
    }

    @Test("the end of everything fails all that wait")
    func cancelled() {
        var machine = ChallengeMachine()
        #expect(machine.handle(.cancelled(stop)) == [] && machine.handle(.answered(letters)) == [])
        _ = machine.handle(.met(1, first, method: "m"))
        _ = machine.handle(.met(2, first, method: "m"))
        #expect(machine.handle(.cancelled(stop)) == [.hide, .fail(1, stop), .fail(2, stop)])
        #expect(machine.open == nil)
    }

    @Test("whatever comes in whatever order, nobody is forgotten and nobody is told twice", arguments: 0..<40)
    func walk(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var machine = ChallengeMachine()
        var waiting: Set<Int> = []
        var running: Set<Int> = []
        var shown = 0
        for step in 0..<400 {
            let effects: [ChallengeMachine.Effect]
            let ticket = running.randomElement(using: &random) ?? step
            switch Int.random(in: 0..<8, using: &random) {
            case 0...2:
                running.remove(ticket)
                waiting.insert(ticket)
                effects = machine.handle(.met(ticket, Bool.random(using: &random) ? first : yesOrNo, method: "m"))
            case 3:
                waiting.insert(step)
                effects = machine.handle(.begins(step, method: "m"))
            case 4: effects = machine.handle(.answered(letters))
            case 5:
                let gone = (waiting.union(running)).randomElement(using: &random) ?? step
                waiting.remove(gone)
                running.remove(gone)
                effects = machine.handle(.left(gone))
            case 6: effects = machine.handle(.declined(stop))
            default: effects = Int.random(in: 0..<10, using: &random) == 0 ? machine.handle(.cancelled(stop)) : []
            }
            for effect in effects {
                switch effect {
                case .resume(let ticket, _), .release(let ticket), .fail(let ticket, _):
                    #expect(waiting.remove(ticket) != nil, "told twice")
                    if case .fail = effect {
                        for more in machine.handle(.left(ticket)) { end(more) }
                    } else {
                        running.insert(ticket)
                    }
                case .show: shown += 1
                case .hide: shown = 0
                case .park(let ticket, _), .hold(let ticket): #expect(waiting.contains(ticket))
                }
            }
            #expect((machine.open == nil) == (shown == 0))
            if machine.open == nil && !machine.isTrying { #expect(waiting.isEmpty, "forgotten") }
        }
        func end(_ effect: ChallengeMachine.Effect) {
            if case .release(let ticket) = effect {
                #expect(waiting.remove(ticket) != nil)
                running.insert(ticket)
            }
        }
    }
}
