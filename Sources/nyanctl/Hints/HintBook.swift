/// What a newcomer is told once in a while: each until it was done once, and a few times at most. A value; the file it is
/// kept in has a line `NAME COUNT` each.
struct HintBook: Equatable {
    enum Hint: String, CaseIterable {
        /// Signing in, while nobody is.
        case login = "login"
        /// What row numbers are for, after a listing.
        case rows
        /// The live player and the media keys, after something began to play.
        case player
        /// Where downloads are to be seen, after one was asked for.
        case downloads
        /// The doctor, after something that it knows about.
        case doctor
    }

    /// So many times each is shown.
    static let most = 3
    /// The count of a hint that is shown no more: it was done.
    private static let done = 99

    private var counts: [Hint: Int] = [:]

    init() {}

    /// Reads `text`; lines of another version's are left out.
    init(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, let hint = Hint(rawValue: String(words[0])), let count = Int(words[1]) else {
                continue
            }
            counts[hint] = min(max(count, 0), Self.done)
        }
    }

    var text: String {
        Hint.allCases.compactMap { hint in counts[hint].map { "\(hint.rawValue) \($0)\n" } }.joined()
    }

    func isDue(_ hint: Hint) -> Bool { counts[hint, default: 0] < Self.most }

    /// It was told once more.
    mutating func told(_ hint: Hint) { counts[hint] = min(counts[hint, default: 0] + 1, Self.done) }

    /// The person knows it.
    mutating func did(_ hint: Hint) { counts[hint] = Self.done }

    /// What a command that was carried out teaches, and what it shows that is known already.
    struct Lesson: Equatable {
        var known: [Hint] = []
        var next: Hint?
    }

    /// `hasRows`: a listing that is not empty was printed. `isSignedOut`, `isAiling`: what `status` told.
    static func lesson(
        of command: String, words: [String] = [], hasRows: Bool = false, isSignedOut: Bool = false,
        isAiling: Bool = false
    ) -> Lesson {
        switch command {
        case "login": Lesson(known: [.login])
        case "profile", "search", "music", "playlist", "recommendations", "history":
            Lesson(next: hasRows ? .rows : nil)
        case "play": Lesson(known: words.isEmpty ? [] : [.rows], next: .player)
        case "download": Lesson(known: [.rows], next: .downloads)
        case "downloads": Lesson(known: [.downloads])
        case "player", "ui": Lesson(known: [.player])
        case "doctor": Lesson(known: [.doctor])
        case "status": Lesson(next: isSignedOut ? .login : isAiling ? .doctor : nil)
        default: Lesson()
        }
    }
}
