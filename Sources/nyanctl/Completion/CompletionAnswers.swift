import NyanCore

/// Turns what is known elsewhere (rows of listings, nyand's answers) into candidates.
@MainActor struct CompletionAnswers {
    /// nyand's answer to a kind, a text and ids (`NyandInterfaces.completion`).
    typealias Question = (_ kind: String, _ text: String, _ ids: [TrackReference]) -> [(String, String)]

    private let plan: CompletionPlan
    private let most: Int
    private var typed: String { plan.typed }

    init(_ plan: CompletionPlan, most: Int) { (self.plan, self.most) = (plan, most) }

    /// In the order of the kinds, each word once. Rows are read only where they are wanted: there may be many.
    func candidates(
        rows: () -> [String] = { LastListing.recall() },
        playlistRows: () -> [PlaylistReference] = { LastListing.recallPlaylists() }, _ ask: Question
    ) -> [Candidate] {
        var found: [Candidate] = []
        for kind in plan.kinds {
            switch kind {
            case .track: found += tracks(rows(), ask)
            case .found, .sound: found += isNumber ? tracks(rows(), ask) : titles(ask)
            case .download: found += pairs(ask("downloads", "", []))
            case .position: found += pairs(ask("queue", "", []))
            case .person: found += pairs(ask("people", "", []))
            case .playlist: found += playlists(playlistRows(), ask)
            default: break
            }
        }
        var seen = Set<String>()
        return found.filter { seen.insert($0.word).inserted }
    }

    /// An id or a row, or nothing yet.
    private var isNumber: Bool { typed.utf8.allSatisfy { (48...57).contains($0) || $0 == 45 || $0 == 95 } }

    /// Rows of the listing printed last, with the titles as what they stand for; with the beginning of an id, ids.
    /// Of a hundred thousand lines only those that are offered are read.
    private func tracks(_ lines: [String], _ ask: Question) -> [Candidate] {
        let isID = typed.contains("_") || typed.hasPrefix("-")
        let rows =
            isID
            ? Array(lines.indices.lazy.filter { lines[$0].hasPrefix(typed) }.map { $0 + 1 }.prefix(most))
            : Self.numbers(beginningWith: typed, upTo: lines.count, most)
        let found = rows.compactMap { row in TrackReference(lines[row - 1]).map { (row, $0) } }
        guard !found.isEmpty else { return [] }
        let names = Dictionary(ask("tracks", "", found.map(\.1)), uniquingKeysWith: { first, _ in first })
        return found.map { row, reference in
            Candidate(plan.head + (isID ? reference.description : "\(row)"), names[reference.id.description] ?? "")
        }
    }

    /// The first numbers from 1 on that begin with these digits.
    static func numbers(beginningWith typed: String, upTo last: Int, _ most: Int) -> [Int] {
        guard !typed.isEmpty else { return Array(1...max(1, min(last, most))).filter { $0 <= last } }
        guard typed.first != "0", var low = Int(typed), low > 0 else { return [] }
        var (high, found) = (low, [Int]())
        while low <= last, found.count < most {
            found += low...min(high, last)
            (low, high) = (low * 10, high * 10 + 9)
        }
        return Array(found.prefix(most))
    }

    private func playlists(_ rows: [PlaylistReference], _ ask: Question) -> [Candidate] {
        let known = ask("playlists", "", [])
        let names = Dictionary(known, uniquingKeysWith: { first, _ in first })
        let numbered = rows.indices.map { ("\($0 + 1)", names[rows[$0].id.description] ?? "") }
        return pairs(numbered) + pairs(known)
    }

    private func pairs(_ pairs: [(String, String)]) -> [Candidate] {
        pairs.filter { $0.0.hasPrefix(typed) && Self.plain($0.0) == $0.0 }.map { Candidate(plan.head + $0.0, $0.1) }
    }

    /// Texts that begin as it was typed, letter by letter: an artist, a title, or both. Case does not matter where a text
    /// selects tracks, and shells insist on what was typed.
    private func titles(_ ask: Question) -> [Candidate] {
        var found: [Candidate] = []
        for (artist, title) in ask("titles", typed, []) {
            for text in [artist, title, "\(artist) \(title)"] {
                guard let rest = Self.rest(of: Self.plain(text), behind: typed) else { continue }
                let word = typed + rest
                // Only what finds the track again, and is not read as something else.
                guard FilterWords(word).match(Track(id: .init(owner: 0, audio: 0), artist: artist, title: title)),
                    TrackWords.isText(word)
                else { continue }
                found.append(Candidate(plan.head + word, "\(artist) – \(title)"))
            }
        }
        return found
    }

    /// What of a text is behind its beginning; nil where it does not begin so, whatever the case.
    static func rest(of text: String, behind beginning: String) -> String? {
        let wanted = FoldedText.fold(beginning)
        var end = text.startIndex
        var count = 0
        while FoldedText.fold(String(text[..<end])) != wanted {
            guard end < text.endIndex, count <= beginning.count + 8 else { return nil }
            end = text.index(after: end)
            count += 1
        }
        return String(text[end...])
    }

    /// Foreign text on a line of its own and harmless in a terminal: blanks for what moves the cursor, nothing for what
    /// only joins letters or turns their order, which is not typed and not searched for either.
    static func plain(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .format: continue
            case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse:
                if result.last != " " { result.append(" ") }
            default: result.append(scalar)
            }
        }
        var plain = String(result)
        while plain.last == " " { plain.removeLast() }
        return plain
    }
}
