/// What stands at one place behind a command's name. Parser, completions and manual read it.
struct WordSlot: Equatable {
    /// What a word that is none of the fixed ones means.
    enum Kind: String, Equatable {
        /// Only the fixed words may stand here.
        case fixed
        /// A track by id, address or row: what is removed or kept is never chosen by a text.
        case track
        /// The same, or a text that selects tracks of the library.
        case found
        /// The same, or a file or an address.
        case sound
        /// A track in the list of downloads.
        case download
        /// A playlist by id, address or row of `playlists`.
        case playlist
        /// A place in the queue, from 1.
        case position
        case text, time, number, folder, command
        /// Somebody whose music can be listed.
        case person
    }

    var kind: Kind
    /// What the usage calls it; empty where only fixed words may stand.
    var name = ""
    /// Words that are meant literally.
    var words: [String] = []
    var isOptional = false
    /// It may be there several times. A text is many words and shown as one.
    var isMany = false
    /// An option such as `--all` may stand instead, which is the command's own business.
    var mayBeOption = false

    /// How many words it takes at least.
    var least: Int { isOptional || mayBeOption ? 0 : 1 }

    /// As the usage shows it without brackets: `TRACK…`, `on|off`, `TIME|track|off`.
    var bare: String {
        let choices = (name.isEmpty ? [] : [name]) + words
        return choices.joined(separator: "|") + (isMany && kind != .text ? "…" : "")
    }
}

extension WordSlot {
    static func word(_ words: String...) -> WordSlot { WordSlot(kind: .fixed, words: words) }
    static let track = WordSlot(kind: .track, name: "TRACK")
    static let tracks = WordSlot(kind: .track, name: "TRACK", isMany: true)
    static let found = WordSlot(kind: .found, name: "TRACK")
    static let founds = WordSlot(kind: .found, name: "TRACK", isMany: true)
    static let sounds = WordSlot(kind: .sound, name: "TRACK", isMany: true)
    static let downloads = WordSlot(kind: .download, name: "TRACK", isMany: true)
    static let folder = WordSlot(kind: .folder, name: "DIR")
    static let command = WordSlot(kind: .command, name: "COMMAND")
    static func playlist(_ name: String, _ words: String...) -> WordSlot {
        WordSlot(kind: .playlist, name: name, words: words)
    }
    static func position(_ name: String, isMany: Bool = false) -> WordSlot {
        WordSlot(kind: .position, name: name, isMany: isMany)
    }
    static func time(_ name: String, _ words: String...) -> WordSlot {
        WordSlot(kind: .time, name: name, words: words)
    }
    static func number(_ name: String) -> WordSlot { WordSlot(kind: .number, name: name) }
    /// The rest of the line.
    static func text(_ name: String) -> WordSlot { WordSlot(kind: .text, name: name, isMany: true) }

    var optional: WordSlot {
        var slot = self
        slot.isOptional = true
        return slot
    }
    /// An option may stand instead.
    var orOption: WordSlot {
        var slot = self
        slot.mayBeOption = true
        return slot
    }
}

/// One way in which a command is used: what stands where. An empty one is the command alone.
struct CommandForm: Equatable, ExpressibleByArrayLiteral {
    var slots: [WordSlot]

    init(arrayLiteral elements: WordSlot...) { slots = elements }

    var least: Int { slots.map(\.least).reduce(0, +) }
    /// nil = as many as one likes.
    var most: Int? { slots.contains(where: \.isMany) ? nil : slots.count }
    /// The fixed words one of which begins it; empty where anything may.
    var verbs: [String] { slots.first.map { $0.kind == .fixed && !$0.isOptional ? $0.words : [] } ?? [] }

    var usage: String { slots.map { $0.isOptional ? "[\($0.bare)]" : $0.bare }.joined(separator: " ") }

    /// What may stand at a place from 0: several slots behind one that may be there several times.
    func slots(at place: Int) -> [WordSlot] {
        guard let many = slots.firstIndex(where: \.isMany), place >= many else {
            return slots.indices.contains(place) ? [slots[place]] : []
        }
        return place == many ? [slots[many]] : Array(slots[many...])
    }
}

extension [CommandForm] {
    /// What follows the name in the usage line.
    var usage: String {
        let shown = filter { !$0.slots.isEmpty }.map(\.usage)
        let joined = shown.joined(separator: " | ")
        return shown.count < count && !shown.isEmpty ? "[\(joined)]" : joined
    }

    /// The form these words are of, as far as they go; nil where no form begins with the first.
    func matching(_ words: [String]) -> CommandForm? {
        guard let lead = words.first else {
            return first { $0.least == 0 } ?? (count == 1 ? first : nil)
        }
        if let form = first(where: { $0.verbs.contains(lead) }) { return form }
        let open = filter { $0.verbs.isEmpty }
        return open.first { !$0.slots.isEmpty } ?? (count == open.count ? open.first : nil)
    }

    /// The words that begin a form.
    var verbs: [String] { flatMap(\.verbs) }
}
