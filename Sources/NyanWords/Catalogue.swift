/// English sentences and what they are in another language, found by the sentence itself.
///
/// A sentence was made from a template by filling holes. Of all templates that fit, the one with most text of its own
/// wins. Most templates are read only when a sentence begins as they do: what is made at the first sentence takes a
/// fraction of a millisecond.
public struct Catalogue: Sendable {
    static let russian = Catalogue(Russian.text)

    /// Entries whose English begins with a letter or a sign, by its first byte, unread.
    private var entries: [UInt8: [Substring.UTF8View]] = [:]
    /// Templates that may begin with anything. Most text first.
    private var open: [Template] = []

    /// `text`: an entry a line, English, a tab, and the translation; a line's end in a text is written `\n`.
    public init(_ text: String) {
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            guard let first = line.first else { continue }
            if Template.isTail(first) {
                open += Self.template(line, asTail: true).map { [$0] } ?? []
                entries[first, default: []].append(line)
            } else if Template.isOpen(first) {
                open += Self.template(line).map { [$0] } ?? []
            } else {
                entries[first, default: []].append(line)
            }
        }
        open.sort { $0.rank > $1.rank }
    }

    private static func template(_ line: Substring.UTF8View, asTail: Bool = false) -> Template? {
        guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
        let rendering = Rendering(unfolded(line[line.index(after: tab)...]))
        return Template(unfolded(line[..<tab]), rendering, asTail: asTail)
    }

    /// The templates that begin as the sentence does. Most text first.
    private func beginning(as sentence: [UInt8]) -> [Template] {
        guard let lines = sentence.first.flatMap({ entries[$0] }) else { return [] }
        var found: [Template] = []
        for line in lines {
            var place = 0
            for byte in line {
                // What is behind a hole, or is written otherwise than it reads, is for the template to say.
                if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\\") {
                    if let template = Self.template(line) { found.append(template) }
                    break
                }
                guard place < sentence.count, sentence[place] == byte else { break }
                place += 1
            }
        }
        return found.sorted { $0.rank > $1.rank }
    }

    /// nil where no template fits.
    public func said(_ english: String) -> String? {
        var looks = Self.mostLooks
        return said(english, &looks)
    }

    /// Sentences stand in sentences, but no message has nearly so many; a stranger's text may look as if it had.
    private static let mostLooks = 300
    /// Longer ones are found by their beginning alone.
    private static let mostBytes = 1024

    private func said(_ english: String, _ looks: inout Int) -> String? {
        guard looks > 0 else { return nil }
        looks -= 1
        let sentence = Array(english.utf8)
        // Two sorted lists are gone through as one.
        var one = beginning(as: sentence)[...]
        var two = (sentence.count <= Self.mostBytes ? open : [])[...]
        while let next = (one.first?.rank ?? -1) >= (two.first?.rank ?? -1) ? one.popFirst() : two.popFirst() {
            if let text = rendered(next, sentence, &looks) { return text }
        }
        return nil
    }

    private func rendered(_ template: Template, _ sentence: [UInt8], _ looks: inout Int) -> String? {
        var result: String?
        template.fill(sentence) { ranges in
            let texts = ranges.map { String(decoding: sentence[$0], as: UTF8.self) }
            guard template.rendering.fits(texts) else { return false }
            var isKnown = true
            let text = template.rendering.text { place in
                guard texts.indices.contains(place.hole) else { return "" }
                let text = texts[place.hole]
                if place.kind == .number { return String(text.map { $0 == "." ? "," : $0 }) }
                guard place.kind == .sentence, !text.isEmpty else { return text }
                if let said = said(text, &looks) { return said }
                isKnown = false
                return text
            }
            // The first way to read it counts, if in no way all of it is known. A joint says nothing about what is not.
            if isKnown || result == nil && !template.isJoint { result = text }
            return isKnown || looks <= 0
        }
        return result
    }

    private static func unfolded(_ text: Substring.UTF8View) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var bytes = text[...]
        while let byte = bytes.popFirst() {
            if byte == UInt8(ascii: "\\"), let next = bytes.first, next == UInt8(ascii: "n") || next == byte {
                bytes.removeFirst()
                result.append(next == byte ? byte : UInt8(ascii: "\n"))
            } else {
                result.append(byte)
            }
        }
        return result
    }
}
