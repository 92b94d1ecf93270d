import Glibc
import NyanCore
import NyanDBus
import NyanTestKit
import NyanWire
import Testing

/// `answer` and the logins over VK's own pages, towards a daemon that only listens.
@Suite("nyanctl and VK's questions", .serialized, .enabled(if: Desk.hasProgram))
struct AnswerTests {
    /// Lets the daemon take what comes through a descriptor, and answer.
    private func listen(_ daemon: ScriptedDaemon, _ member: String, at place: Int, _ values: BusValue...) -> Heard {
        let heard = Heard()
        daemon.replies[member] = { arguments, _ in
            var bytes = [UInt8](repeating: 0, count: 200)
            let count = arguments[place].unixFD.map { read($0.descriptor, &bytes, bytes.count) } ?? 0
            heard.text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
            return .reply(values)
        }
        return heard
    }

    private final class Heard { var text = "" }

    private var account: BusValue {
        .structure([.int64(9), .string("Кот"), .uint32(3), .string("password"), .string("hls")])
    }

    @Test("an answer goes through a descriptor, whether typed as words or piped", arguments: [true, false])
    func answer(asWords: Bool) async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let heard = listen(daemon, "Account.Answer", at: 0, .string("all done"))
        let outcome = asWords ? try await desk.ctl("answer", "st.A b") : try await desk.ctl("answer", input: "st.A b")
        #expect(outcome.status == 0 && outcome.output == "all done\n" && outcome.errors.isEmpty)
        #expect(heard.text == "st.A b")
        let json = try await desk.ctl("--json", "answer", "x")
        #expect(json.output == #"{"message":"all done"}"# + "\n")
    }

    @Test(
        "what VK asks next ends it with 4, nothing to answer with 1",
        arguments: [
            (Failure.Code.challengeNeeded, 4), (.conflict, 1), (.badArgument, 2), (.network, 6),
        ] as [(Failure.Code, Int32)])
    func refused(_ code: Failure.Code, _ status: Int32) async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.refuses("Account.Answer", code, "because")
        let outcome = try await desk.ctl("answer", "x")
        #expect(outcome.status == status && outcome.errors == "nyanctl: because\n" && outcome.output.isEmpty)
    }

    @Test("a password goes through the descriptor; a script is told what VK asks and ends with 4")
    func password() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        let heard = listen(daemon, "Account.LoginWithPassword", at: 1, account)
        let done = try await desk.ctl("login", "--password", "+7 999", "--profile", "marusia", input: " s3 cret\n")
        #expect(done.status == 0 && done.output == "Кот (9), 3 tracks, signed in by password, sound as HLS\n")
        #expect(heard.text == " s3 cret\n")
        let arguments = try #require(daemon.arguments["Account.LoginWithPassword"])
        #expect(arguments[0] == .string("+7 999") && arguments[2] == .string("marusia"))
        daemon.refuses("Account.LoginWithPassword", .challengeNeeded, "VK wants the code")
        let asked = try await desk.ctl("login", "--password", "+7 999", input: "x")
        #expect(asked.status == 4 && asked.errors == "nyanctl: VK wants the code\n" && asked.output.isEmpty)
        #expect(!daemon.calls.contains("Account.Answer"))
    }

    /// Runs nyanctl on a terminal, types the answers, one at each prompt, and gives its status and what it showed.
    private func type(_ desk: Desk, _ answers: [String], _ words: String...) async throws -> Program.Outcome {
        let script = """
            import os, pty, re, sys
            answers = sys.argv[1].split(",")
            child, terminal = pty.fork()
            if child == 0: os.execv(sys.argv[2], sys.argv[2:])
            shown, prompts = b"", 0
            while True:
                try: some = os.read(terminal, 4096)
                except OSError: break
                if not some: break
                shown += some
                while shown.count(b"not shown") > prompts:
                    os.write(terminal, answers[prompts].encode() + b"\\n")
                    prompts += 1
            print(shown.decode(), end="")
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """
        return try await Program(
            ["/usr/bin/python3", "-c", script, answers.joined(separator: ","), Desk.programPath] + words,
            environment: desk.environment
        ).outcome()
    }

    /// Answers each call with the next of these; the last one stays.
    private func script(_ daemon: ScriptedDaemon, _ member: String, _ outcomes: Result<BusValue, Failure>...) {
        var rest = outcomes
        func next(_ arguments: [BusValue], _ context: CallContext) throws(BusError) -> Answer {
            switch rest.count > 1 ? rest.removeFirst() : rest[0] {
            case .success(let value): return .reply([value])
            case .failure(let failure): throw FailureCoding.busError(failure)
            }
        }
        daemon.replies[member] = next
    }

    private nonisolated static let asked = Failure(.challengeNeeded, "VK wants the code")

    @Test(
        "a login on a terminal ends as the login does, whatever an answer ended with",
        arguments: [
            (.success(.string("450 tracks")), nil), (.failure(Failure(.network, "no route")), nil),
            (.success(.string("450 tracks")), Failure(.notSignedIn, "VK refuses the token")),
            (.failure(Failure(.cancelled, "you said no")), Failure(.cancelled, "you said no")),
            (.failure(Failure(.timeout, "not over")), Failure(.timeout, "not over")),
        ] as [(Result<BusValue, Failure>, Failure?)])
    func conversation(_ answer: Result<BusValue, Failure>, _ end: Failure?) async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers(
            "Account.WhoAmI",
            .structure([.int64(1), .string("Old"), .uint32(3), .string("token"), .string("hls")]))
        daemon.refuses("Account.Login", .challengeNeeded, "VK wants the captcha of another")
        script(daemon, "Account.Answer", answer, .success(.string("Signed in")))
        script(daemon, "Account.LoginOutcome", .failure(Self.asked), end.map { .failure($0) } ?? .success(account))
        let outcome = try await type(desk, ["tok", "a", "b"], "login", "--token")
        #expect(outcome.status == end?.code.exitStatus ?? 0, "\(outcome)")
        #expect(outcome.output.contains("VK wants the captcha of another") && outcome.output.contains("the code"))
        #expect(outcome.output.contains(end?.message ?? "Кот (9)") && !outcome.output.contains("Old"))
        #expect(daemon.calls.filter { $0 == "Account.Answer" }.count == 2)
    }

    @Test("the authorize page is shown as a message, the pasted address goes through the descriptor")
    func address() async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Account.AuthorizeAddress", .string("https://oauth.vk.ru/authorize?x=1"))
        let heard = listen(daemon, "Account.Login", at: 1, account)
        let done = try await desk.ctl(
            "login", "--url", "--profile", "kate", input: "https://oauth.vk.ru/blank.html#a=1")
        #expect(done.status == 0 && done.output.hasPrefix("Кот (9)"))
        #expect(done.errors.contains("\nhttps://oauth.vk.ru/authorize?x=1\n"))
        #expect(heard.text == "https://oauth.vk.ru/blank.html#a=1")
        #expect(daemon.arguments["Account.Login"]?[0] == .string("url"))
        #expect(daemon.arguments["Account.AuthorizeAddress"] == [.string("kate")])
    }

    @Test(
        "whoami says when a login ends",
        arguments: [
            (Int64(86_400), "ends in 24 hours"), (1200, "ends in 20 minutes"), (-5, "has ended"), (0, ""),
        ])
    func ends(_ left: Int64, _ words: String) async throws {
        let desk = try Desk()
        let daemon = try desk.daemon()
        daemon.answers("Account.WhoAmI", account)
        daemon.answers("Account.LoginEnds", .int64(left == 0 ? 0 : Int64(time(nil)) + left))
        let outcome = try await desk.ctl("whoami")
        #expect(outcome.status == 0 && outcome.errors.contains(words) && outcome.errors.isEmpty == words.isEmpty)
    }
}
