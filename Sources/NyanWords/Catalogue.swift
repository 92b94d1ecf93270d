import Glibc
import Synchronization

/// English sentences and what they are in another language, found by the sentence itself.
///
/// A sentence was made from a template by filling holes. Of all templates that fit, the one with most text of its own
/// wins. A template is read only when a sentence may be made from it: a program that says one thing and ends would spend
/// most of its time with the others (docs/decisions/0040).
public struct Catalogue: Sendable {
    static let russian = Catalogue(Russian.text)

    /// An entry whose sentences may begin with anything.
    private struct Open: Sendable {
        var line: Range<Int>
        /// The longest of the English's own texts, which every sentence of it holds; empty where that is not seen at once.
        var probe: Range<Int>
        var isTail: Bool
    }

    /// The templates read so far: by where the entry begins, twice, and one more for a tail.
    private final class Shelf: Sendable {
        let templates = Mutex<[Int: Template]>([:])
    }

    private let text: String
    private let shelf = Shelf()
    /// Entries whose English begins as their sentences do: the first byte of each, and where it is.
    private var firsts: [UInt8] = []
    private var entries: [Range<Int>] = []
    private var open: [Open] = []

    /// `text`: an entry a line, English, a tab, and the translation; a line's end in a text is written `\n`.
    public init(_ text: String) {
        var text = text
        text.makeContiguousUTF8()
        self.text = text
        firsts.reserveCapacity(text.utf8.count / 64)
        entries.reserveCapacity(text.utf8.count / 64)
        text.withUTF8 { bytes in
            var start = 0
            while start < bytes.count {
                let end = Self.place(of: UInt8(ascii: "\n"), in: bytes, start..<bytes.count) ?? bytes.count
                if start < end { add(bytes, start..<end) }
                start = end + 1
            }
        }
    }

    private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) {
        let first = bytes[line.lowerBound]
        let isTail = Template.isTail(first)
        let isOpen = Template.isOpen(first)
        if isTail || isOpen {
            open.append(Open(line: line, probe: Self.probe(bytes, line), isTail: isTail))
        }
        guard !isOpen else { return }
        firsts.append(first)
        entries.append(line)
    }

    private static func place(
        of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
    ) -> Int? {
        guard let base = bytes.baseAddress, !range.isEmpty,
            let found = memchr(base + range.lowerBound, Int32(byte), range.count)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    private static func probe(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) -> Range<Int> {
        let none = line.lowerBound..<line.lowerBound
        guard let tab = place(of: UInt8(ascii: "\t"), in: bytes, line),
            // Written otherwise than it reads.
            place(of: UInt8(ascii: "\\"), in: bytes, line.lowerBound..<tab) == nil
        else { return none }
        var longest = none
        var start = bytes[line.lowerBound] == UInt8(ascii: "^") ? line.lowerBound + 1 : line.lowerBound
        while start < tab {
            let end = place(of: UInt8(ascii: "%"), in: bytes, start..<tab) ?? tab
            if end - start > longest.count { longest = start..<end }
            guard end < tab else { break }
            // A sign of percent that is no hole is left to the template.
            guard (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(bytes[end + 1]) else { return none }
            start = end + 2
        }
        return longest
    }

    private func template(
        _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>, asTail: Bool = false
    ) -> Template? {
        let key = line.lowerBound * 2 + (asTail ? 1 : 0)
        if let known = shelf.templates.withLock({ $0[key] }) { return known }
        guard let tab = Self.place(of: UInt8(ascii: "\t"), in: bytes, line) else { return nil }
        let rendering = Rendering(Self.unfolded(bytes[(tab + 1)..<line.upperBound]))
        let template = Template(Self.unfolded(bytes[line.lowerBound..<tab]), rendering, asTail: asTail)
        shelf.templates.withLock { $0[key] = template }
        return template
    }

    /// The templates that begin as the sentence does. Most text first.
    private func beginning(as sentence: [UInt8]) -> [Template] {
        guard let first = sentence.first else { return [] }
        var found: [Template] = []
        read { bytes in
            firsts.withUnsafeBufferPointer { firsts in
                var next = 0
                while let entry = Self.place(of: first, in: firsts, next..<firsts.count) {
                    next = entry + 1
                    if let template = template(bytes, entries[entry], beginning: sentence) {
                        found.append(template)
                    }
                }
            }
        }
        return found.sorted { $0.rank > $1.rank }
    }

    /// The template of an entry whose English begins as the sentence does, up to its first hole.
    private func template(
        _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>, beginning sentence: [UInt8]
    ) -> Template? {
        var place = 0
        while line.lowerBound + place < line.upperBound {
            let byte = bytes[line.lowerBound + place]
            // What is behind a hole, or is written otherwise than it reads, is for the template to say.
            if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\\") {
                return template(bytes, line)
            }
            guard place < sentence.count, sentence[place] == byte else { return nil }
            place += 1
        }
        return nil
    }

    /// The open templates that may fit the sentence. Most text first.
    private func reaching(_ sentence: [UInt8]) -> [Template] {
        var found: [Template] = []
        read { bytes in
            sentence.withUnsafeBufferPointer { sentence in
                for open in open where Self.holds(sentence, bytes, open.probe) {
                    if let template = template(bytes, open.line, asTail: open.isTail) { found.append(template) }
                }
            }
        }
        return found.sorted { $0.rank > $1.rank }
    }

    /// Whether what is there in `bytes` stands somewhere in the sentence.
    private static func holds(
        _ sentence: UnsafeBufferPointer<UInt8>, _ bytes: UnsafeBufferPointer<UInt8>, _ probe: Range<Int>
    ) -> Bool {
        guard !probe.isEmpty else { return true }
        guard let own = bytes.baseAddress, let theirs = sentence.baseAddress, probe.count <= sentence.count else {
            return false
        }
        let last = sentence.count - probe.count
        var start = 0
        while start <= last, let found = place(of: bytes[probe.lowerBound], in: sentence, start..<(last + 1)) {
            if memcmp(theirs + found, own + probe.lowerBound, probe.count) == 0 { return true }
            start = found + 1
        }
        return false
    }

    private func read(_ work: (UnsafeBufferPointer<UInt8>) -> Void) {
        var text = text
        text.withUTF8(work)
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
        var two = (sentence.count <= Self.mostBytes ? reaching(sentence) : [])[...]
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

    private static func unfolded(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var bytes = text
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
