import Glibc
import NyanCore
import NyanDBus
import NyanWire
import NyanWords

/// `nyanctl complete WORD…`: asked by shells while a line is being typed (decision 0036). The last word is that at the
/// cursor.
///
/// The first line says what the shell should list itself (`none`, `files`, `folders`); each of the others is a word, and
/// behind a tab what it stands for. Nothing is ever written to standard error, nyand is never started, and it is over
/// within `limit` whatever hangs.
@MainActor enum CompletionCommand {
    static let name = "complete"
    /// Milliseconds in all, and for one answer of nyand.
    private static let limit = 160
    private static let patience = Duration.milliseconds(100)
    /// More than a person looks through.
    private static let most = 60

    /// Returns the exit status, which is always 0.
    static func run(_ words: [String]) -> Int32 {
        setDeadline()
        let plan = CompletionPlan(words)
        var text = plan.files.rawValue + "\n" + lines(plan.candidates.map { Candidate($0.word, Words.said($0.note)) })
        // What is known here goes out first: what is asked for may never come.
        Terminal.show(text)
        guard !plan.kinds.isEmpty else { return 0 }
        text = lines(Array(CompletionAnswers(plan, most: most).candidates(ask(_:_:_:)).prefix(most)))
        Terminal.show(text)
        return 0
    }

    /// Even connecting to a bus may hang: the end comes from outside then.
    private static func setDeadline() {
        signal(SIGALRM) { @Sendable _ in _exit(0) }
        var timer = itimerval()
        timer.it_value.tv_usec = suseconds_t(limit * 1000)
        setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
    }

    /// Pairs from nyand; empty where it is not there, too slow, or of another version.
    private static func ask(_ kind: String, _ text: String, _ ids: [TrackReference]) -> [(String, String)] {
        guard let connection = try? Connection.open(.session) else { return [] }
        let values = try? connection.callBlocking(
            MethodCall(
                Names.nyand, Names.nyandPath, NyandInterfaces.completion.name, "Offer",
                .typed(
                    "ssasu",
                    [.string(kind), .string(text), .strings(ids.map(\.description)), .uint32(UInt32(most))]),
                timeout: patience, autoStart: false)
        ).values()
        return (values?.first?.elements ?? []).compactMap { pair in
            guard let word = pair[0]?.string, let note = pair[1]?.string else { return nil }
            return (word, note)
        }
    }

    private static func lines(_ candidates: [Candidate]) -> String {
        candidates.map { candidate in
            let note = DisplayText.cut(CompletionAnswers.plain(candidate.note), to: 60)
            return note.isEmpty ? "\(candidate.word)\n" : "\(candidate.word)\t\(note)\n"
        }.joined()
    }
}
