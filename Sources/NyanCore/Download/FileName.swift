/// Readable file names for finished tracks, safe on every file system a music folder may live on.
///
/// A name is one path element: no `/`, no control, bidi-override or zero-width characters, nothing FAT or NTFS
/// refuses, no leading dot or dash. Identity is the track's id, never the name (field-issues.md C8–C10): names that
/// meet are told apart by `variant(of:id:number:)`.
public enum FileName {
    /// What a file system allows for one element, in bytes of UTF-8.
    static let elementLimit = 255
    /// Left free for a temporary prefix or suffix around the name.
    static let temporaryRoom = 24

    /// Why a template is no good, in words for the settings file; nil when it is fine.
    public static func problem(inTemplate template: String) -> String? {
        guard let parts = FileNameTemplate(template) else {
            return "knows only {artist}, {title}, {album} and {id} in braces"
        }
        if template.utf8.contains(UInt8(ascii: "/")) { return "a file name cannot contain /" }
        guard parts.fields.contains(where: { $0 == .title || $0 == .id }) else {
            return "needs {title} or {id}, or all tracks would have one name"
        }
        return nil
    }

    /// The name of a track's file, extension included. A template with a problem counts as the default one.
    public static func make(template: String, track: Track, fileExtension: String = ".mp3") -> String {
        let good = problem(inTemplate: template) == nil ? FileNameTemplate(template) : nil
        let parts = good ?? .standard
        let stem = parts.fill(limit: elementLimit - temporaryRoom - fileExtension.utf8.count) { field in
            switch field {
            case .artist: clean(track.artist)
            case .title: clean(track.title)
            case .album: clean(track.album ?? "")
            case .id: track.id.description
            }
        }
        return finished(stem) + fileExtension
    }

    /// Another name when `name` is taken by a different file: `name [OWNER_ID].mp3`, then `name [OWNER_ID] (2).mp3` …
    /// Number 0 gives `name` itself, 1 the id, 2 and up the id and the number.
    public static func variant(of name: String, id: TrackID, number: Int) -> String {
        guard number > 0 else { return name }
        let (stem, fileExtension) = split(name)
        let mark = number == 1 ? " [\(id)]" : " [\(id)] (\(number))"
        let room = elementLimit - temporaryRoom - fileExtension.utf8.count - mark.utf8.count
        return trimmedEnd(cut(stem, toBytes: room)) + mark + fileExtension
    }

    /// Equal for names that a case-insensitive or normalising file system would take for one.
    public static func collisionKey(_ name: String) -> String { ComposedText.compose(name.lowercased()) }

    /// The start of a text that fits into so many bytes of UTF-8, cut at a character's border.
    static func cut(_ text: String, toBytes limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var used = 0
        var end = text.startIndex
        for index in text.indices {
            used += text[index].utf8.count
            if used > limit { break }
            end = text.index(after: index)
        }
        return String(text[..<end])
    }

    private static func split(_ name: String) -> (stem: String, fileExtension: String) {
        guard let dot = name.unicodeScalars.lastIndex(of: "."), dot != name.startIndex, name[dot...].utf8.count <= 8
        else {
            return (name, "")
        }
        return (String(name[..<dot]), String(name[dot...]))
    }

    /// One field's text made safe; `Unknown` when nothing is left.
    static func clean(_ text: String) -> String {
        var result = ""
        for character in ComposedText.compose(text) {
            let safe = FileNameCharacters.safe(character)
            // Runs of blanks become one, so that a dropped character leaves no double space.
            if safe == " " && (result.isEmpty || result.last == " ") { continue }
            result += safe
        }
        while result.last == " " { result.removeLast() }
        let isHollow = result.allSatisfy { $0 == "." || $0 == " " }
        return isHollow ? "Unknown" : result
    }

    /// The rules for a whole name without its extension.
    private static func finished(_ stem: String) -> String {
        // By scalars: a dot hides a file also with a mark on it.
        var name = stem.unicodeScalars[...]
        while let first = name.first, first == "." || first == " " || first == "-" || joinsSlash(first) {
            name.removeFirst()
        }
        var result = trimmedEnd(String(name))
        if result.isEmpty { result = "Unknown" }
        if FileNameCharacters.isReservedOnWindows(result) { result = "_" + result }
        return result
    }

    private static func trimmedEnd(_ text: String) -> String {
        var scalars = text.unicodeScalars[...]
        while let last = scalars.last, last == "." || last == " " || joinsDot(last) { scalars.removeLast() }
        return String(scalars)
    }

    /// A mark at a name's beginning is one character with the `/` before it, a letter such as U+0D4E at a stem's end with
    /// the dot behind it: programs that go by characters find neither sign then.
    private static func joinsSlash(_ first: Unicode.Scalar) -> Bool { !first.isASCII && "/\(first)".count == 1 }
    private static func joinsDot(_ last: Unicode.Scalar) -> Bool { !last.isASCII && "\(last).".count == 1 }
}
