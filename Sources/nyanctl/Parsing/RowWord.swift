import NyanCore

/// Row numbers as they are typed: `3`, `3-7`, `3,5,8-10`; a comma may end the word, as in `3, 5`.
///
/// Such a word is never a text, whatever the rows are: nothing is guessed. (A text that looks so is searched for with a
/// blank in front.)
struct RowWord: Equatable {
    /// First and last of each part, as typed.
    private(set) var parts: [(first: Int, last: Int)] = []
    /// The row of a word that is a number and nothing else: `3-3` and `3,` are a choice of rows.
    private(set) var single: Int?

    static func == (one: RowWord, two: RowWord) -> Bool {
        one.parts.elementsEqual(two.parts) { $0 == $1 }
    }

    /// nil for a word of another shape; VK's ids have an underscore. A number that no listing has is a row that is not
    /// there.
    init?(_ word: String) {
        let list = word.hasSuffix(",") ? word.dropLast() : word[...]
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            let rows = ends.compactMap(Self.number)
            guard (1...2).contains(rows.count), rows.count == ends.count else { return nil }
            parts.append((rows[0], rows[rows.count - 1]))
        }
        single = Self.number(word[...])
    }

    private static func number(_ text: Substring) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text) ?? .max
    }

    /// What the rows mean, in the order they were typed.
    /// - Throws: where one of them is not there: then none of them is taken.
    func references<Reference>(
        command: String, _ kind: Kind, _ listed: () throws(ListingFile.Absence) -> [Reference]
    ) throws(Ending) -> [Reference] {
        for (first, last) in parts where first > last {
            throw .usage("rows are counted upwards: \(last)-\(first), not \(first)-\(last)", command: command)
        }
        let rows: [Reference]
        do throws(ListingFile.Absence) {
            rows = try listed()
        } catch {
            throw Self.missing(parts.first?.first ?? 0, kind.reason(error))
        }
        var found: [Reference] = []
        for (first, last) in parts {
            guard first > 0, last <= rows.count else {
                throw Self.missing(
                    first > 0 && first <= rows.count ? last : first,
                    rows.isEmpty ? kind.empty : kind.range(rows.count))
            }
            found += rows[(first - 1)..<last]
        }
        return found
    }

    private static func missing(_ row: Int, _ reason: String) -> Ending {
        .failed(code: Failure.Code.notFound.rawValue, message: "there is no row \(row): \(reason)", status: 5)
    }

    /// Which listing has the rows.
    enum Kind {
        case tracks, playlists

        func range(_ count: Int) -> String {
            self == .tracks
                ? "the last listing had 1 to \(count)" : "the last `nyanctl playlists` had 1 to \(count)"
        }

        var empty: String { self == .tracks ? "the last listing was empty" : "the last `nyanctl playlists` was empty" }

        func reason(_ absence: ListingFile.Absence) -> String {
            switch (absence, self) {
            case (.never, .tracks): "list something first, such as `nyanctl profile`"
            case (.never, .playlists): "run `nyanctl playlists` first"
            case (.old, _): "the last listing is more than a day old; list again"
            case (.damaged, _): "the last listing cannot be read any more; list again"
            case (.forgotten, _): "you signed in or out since the last listing; list again"
            }
        }
    }
}
