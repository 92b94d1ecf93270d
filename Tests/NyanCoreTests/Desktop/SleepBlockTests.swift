@testable import NyanCore
import Testing

/// When the machine is kept awake.
@Suite("Keeping the machine awake")
struct SleepBlockTests {
    typealias Input = SleepBlockMachine.Input
    typealias Effect = SleepBlockMachine.Effect

    struct Story: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var steps: [(Input, [Effect])]
        init(_ name: String, _ steps: [(Input, [Effect])]) {
            testDescription = name
            self.steps = steps
        }
    }

    static let stories = [
        Story(
            "held while it plays, let go of at the pause",
            [(.wants(true), [.ask]), (.granted, []), (.wants(true), []), (.wants(false), [.release])]),
        Story("paused before the answer came", [(.wants(true), [.ask]), (.wants(false), []), (.granted, [.release])]),
        Story(
            "paused and gone on before the answer came: asked once",
            [
                (.wants(true), [.ask]), (.wants(false), []), (.wants(true), []), (.granted, []),
                (.wants(false), [.release]),
            ]),
        Story(
            "refused: told once, asked again at the next play",
            [
                (.wants(true), [.ask]), (.refused, [.complain]), (.wants(true), []), (.wants(false), []),
                (.wants(true), [.ask]), (.refused, []),
            ]),
        Story(
            "refused after one that was granted: told again",
            [
                (.wants(true), [.ask]), (.refused, [.complain]), (.wants(false), []), (.wants(true), [.ask]),
                (.granted, []), (.wants(false), [.release]), (.wants(true), [.ask]), (.refused, [.complain]),
            ]),
        Story(
            "refused when nobody wants it any more: no word",
            [(.wants(true), [.ask]), (.wants(false), []), (.refused, [])]),
        Story(
            "a logind that is new is asked at once",
            [(.wants(true), [.ask]), (.granted, []), (.renewed, [.release, .ask]), (.granted, [])]),
        Story("a logind that is new while nothing plays is not", [(.renewed, []), (.wants(true), [.ask])]),
        Story(
            "one that appears after a refusal is asked",
            [(.wants(true), [.ask]), (.refused, [.complain]), (.renewed, [.ask]), (.granted, [])]),
        Story("one that appears while it is asked is not asked twice", [(.wants(true), [.ask]), (.renewed, [])]),
        Story(
            "the bus goes: told, and asked again at the next play",
            [
                (.wants(true), [.ask]), (.granted, []), (.lost, [.release, .complain]), (.wants(true), []),
                (.wants(false), []), (.wants(true), [.ask]), (.refused, []),
            ]),
        Story(
            "the bus goes while it is asked: the answer that never came counts once",
            [(.wants(true), [.ask]), (.lost, [.complain]), (.refused, []), (.wants(false), []), (.wants(true), [.ask])]),
    ]

    @Test("is asked for, let go of and complained about as it should be", arguments: stories)
    func goes(_ story: Story) {
        var machine = SleepBlockMachine()
        for (number, (input, wanted)) in story.steps.enumerated() {
            #expect(machine.handle(input) == wanted, "step \(number): \(input)")
        }
    }

    @Test(
        "Whatever happens: one request at most is under way, and nothing is held that nobody wants", arguments: 1...20)
    func walk(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        var machine = SleepBlockMachine()
        var (isAsking, isHeld, wants) = (false, false, false)
        for _ in 0..<500 {
            var inputs: [Input] = [.wants(true), .wants(false), .renewed, .lost]
            if isAsking { inputs += [.granted, .refused] }
            guard let input = inputs.randomElement(using: &random) else { return }
            switch input {
            case .wants(let fresh): wants = fresh
            case .granted: (isAsking, isHeld) = (false, true)
            case .refused, .lost: isAsking = false
            case .renewed: break
            }
            for effect in machine.handle(input) {
                switch effect {
                case .ask:
                    #expect(!isAsking && !isHeld && wants)
                    isAsking = true
                case .release:
                    #expect(isHeld)
                    isHeld = false
                case .complain: #expect(wants)
                }
            }
            if !wants { #expect(!isHeld) }
        }
    }
}

/// When a cover is asked for again.
@Suite("Patience with covers")
struct CoverPatienceTests {
    @Test("Passing troubles are tried again with growing pauses, four times by themselves; a success forgets them")
    func passing() {
        var patience = CoverPatience()
        var now = Duration.zero
        #expect(patience.mayAsk("a", at: now) && patience.nextTry("a") == nil)
        for pause in CoverPatience.pauses {
            patience.failed("a", .passing, at: now)
            #expect(!patience.mayAsk("a", at: now + pause - .seconds(1)) && patience.mayAsk("b", at: now))
            #expect(patience.nextTry("a") == now + pause && patience.mayAsk("a", at: now + pause))
            now += pause
        }
        patience.failed("a", .passing, at: now)
        #expect(patience.nextTry("a") == nil && !patience.mayAsk("a", at: now + .seconds(319)))
        patience.had("a")
        #expect(patience.mayAsk("a", at: now))
    }

    @Test("What has no picture is left alone for an hour; another network helps only where it was the network's fault")
    func lasting() {
        var patience = CoverPatience()
        patience.failed("gone", .lasting, at: .zero)
        patience.failed("late", .passing, at: .zero)
        patience.forgive()
        #expect(!patience.mayAsk("gone", at: .seconds(3599)) && patience.nextTry("gone") == nil)
        #expect(patience.mayAsk("late", at: .zero) && patience.mayAsk("gone", at: .seconds(3600)))
    }

    @Test(
        "An answer's status says which it is",
        arguments: [
            (404, .lasting), (403, .lasting), (410, .lasting), (204, .lasting), (408, .passing), (429, .passing),
            (500, .passing), (503, .passing),
        ] as [(Int, CoverPatience.Trouble)])
    func status(_ status: Int, _ wanted: CoverPatience.Trouble) {
        #expect(CoverPatience.Trouble(status: status) == wanted)
    }

    @Test("It does not grow for ever")
    func bounded() {
        var patience = CoverPatience()
        for number in 0...CoverPatience.most { patience.failed("\(number)", .lasting, at: .zero) }
        #expect(patience.mayAsk("1", at: .zero) && !patience.mayAsk("\(CoverPatience.most)", at: .zero))
    }
}
