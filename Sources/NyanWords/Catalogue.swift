import Glibc

/// English sentences and what they are in another language, found by the sentence itself.
///
/// A sentence was made from a template by filling holes. Of all templates that fit, the one with most text of its own
/// wins. A template is read only when a sentence may be made from it: a program that says one thing and ends would spend
/// most of its time with the others (docs/decisions/0040).
public struct Catalogue: Sendable {
    static let russian = Catalogue(Russian.text)

    private struct Line: Sendable {
        var first: UInt8
        var bytes: Range<Int>
    }

    private let text: String
    /// Entries whose English begins as their sentences do.
    private var entries: [Line] = []
    /// Those whose sentences may begin with anything.
    private var open: [Line] = []

    /// `text`: an entry a line, English, a tab, and the translation; a line's end in a text is written `\n`.
    public init(_ text: String) {
        var text = text
        text.makeContiguousUTF8()
        self.text = text
        entries.reserveCapacity(text.utf8.count / 80)
        text.withUTF8 { bytes in
            var start = 0
            while start < bytes.count {
                let end = Self.place(of: UInt8(ascii: "\n"), in: bytes, from: start) ?? bytes.count
                if start < end { add(Line(first: bytes[start], bytes: start..<end)) }
                start = end + 1
            }
        }
    }

    private mutating func add(_ line: Line) {
        let isTail = Template.isTail(line.first)
        if isTail || Template.isOpen(line.first) { open.append(line) }
        if isTail || !Template.isOpen(line.first) { entries.append(line) }
    }

    private static func place(of byte: UInt8, in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard let base = bytes.baseAddress, start < bytes.count,
            let found = memchr(base + start, Int32(byte), bytes.count - start)
        else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    private static func template(_ line: Slice<UnsafeBufferPointer<UInt8>>, asTail: Bool = false) -> Template? {
        guard let tab = line.firstIndex(of: UInt8(ascii: "\t")) else { return nil }
        let rendering = Rendering(unfolded(line[line.index(after: tab)...]))
        return Template(unfolded(line[..<tab]), rendering, asTail: asTail)
    }

    /// The templates that begin as the sentence does. Most text first.
    private func beginning(as sentence: [UInt8]) -> [Template] {
        guard let first = sentence.first else { return [] }
        var found: [Template] = []
        read { bytes in
            for line in entries where line.first == first {
                var place = 0
                for byte in bytes[line.bytes] {
                    // What is behind a hole, or is written otherwise than it reads, is for the template to say.
                    if byte == UInt8(ascii: "%") || byte == UInt8(ascii: "\t") || byte == UInt8(ascii: "\\") {
                        if let template = Self.template(bytes[line.bytes]) { found.append(template) }
                        break
                    }
                    guard place < sentence.count, sentence[place] == byte else { break }
                    place += 1
                }
            }
        }
        return found.sorted { $0.rank > $1.rank }
    }

    /// The open templates that may fit the sentence. Most text first.
    private func reaching(_ sentence: [UInt8]) -> [Template] {
        var found: [Template] = []
        read { bytes in
            for line in open where Self.mayFit(bytes[line.bytes], sentence) {
                let isTail = Template.isTail(line.first)
                if let template = Self.template(bytes[line.bytes], asTail: isTail) { found.append(template) }
            }
        }
        return found.sorted { $0.rank > $1.rank }
    }

    /// Whether the texts between an entry's holes stand in the sentence one behind the other: seldom, and sooner known than
    /// whether the template fits.
    private static func mayFit(_ line: Slice<UnsafeBufferPointer<UInt8>>, _ sentence: [UInt8]) -> Bool {
        var at = line.startIndex
        if line[at] == UInt8(ascii: "^") { at += 1 }
        var from = 0
        while at < line.endIndex, line[at] != UInt8(ascii: "\t") {
            var end = at
            while end < line.endIndex, line[end] != UInt8(ascii: "\t"), line[end] != UInt8(ascii: "%") {
                // Written otherwise than it reads.
                if line[end] == UInt8(ascii: "\\") { return true }
                end += 1
            }
            guard let found = place(of: line[at..<end], in: sentence, from: from) else { return false }
            from = found
            at = end
            guard end < line.endIndex, line[end] == UInt8(ascii: "%") else { continue }
            // A sign of percent that is no hole is left to the template.
            guard end + 1 < line.endIndex, (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(line[end + 1]) else {
                return true
            }
            at = end + 2
        }
        return true
    }

    /// Where `part` ends in the sentence, at or behind `start`.
    private static func place(
        of part: Slice<UnsafeBufferPointer<UInt8>>, in sentence: [UInt8], from start: Int
    ) -> Int? {
        guard let first = part.first else { return start }
        var place = start
        while place + part.count <= sentence.count {
            if sentence[place] == first, sentence[place..<(place + part.count)].elementsEqual(part) {
                return place + part.count
            }
            place += 1
        }
        return nil
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
