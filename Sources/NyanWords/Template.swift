/// An English sentence with holes, `"%1" cannot be read`, as bytes to be found again in a finished sentence.
///
/// Two kinds are parts of sentences (docs/languages.md): one that begins with a blank or a mark, `; %1 more`, also goes
/// behind any sentence, and one that begins with `^` goes behind a name without blanks, such as a setting's key.
///
/// A hole at the beginning with a word behind it, `%1 is not there`, is a name; the beginning of another sentence, which
/// ends with a colon, is none (`problem: /m is not there`).
struct Template: Sendable {
    /// What stands before, between and behind the holes: one more than there are holes.
    let texts: [[UInt8]]
    let rendering: Rendering
    /// Bytes of the sentence's own: the more, the surer a match.
    let weight: Int
    /// The higher, the earlier it is tried. What stands behind a title may look like anything.
    let rank: Int
    /// Nothing without others: it goes behind one, or says nothing itself, as `%1, %2` and `%1 and %2`.
    let isJoint: Bool
    /// The hole before the first is a name.
    private let isBehindName: Bool
    /// The first hole is what a verb speaks of, so it holds no sentence of its own.
    private let isOfSubject: Bool

    var holes: Int { texts.count - 1 }

    /// Whether what begins so goes behind any sentence, too.
    static func isTail(_ first: UInt8) -> Bool { " ;,:(".utf8.contains(first) }

    /// Whether what begins so may begin with anything.
    static func isOpen(_ first: UInt8) -> Bool { first == UInt8(ascii: "%") || first == UInt8(ascii: "^") }

    init(_ english: [UInt8], _ rendering: Rendering, asTail isTail: Bool = false) {
        var texts: [[UInt8]] = [[]]
        var rest = english[...]
        isBehindName = rest.first == UInt8(ascii: "^")
        if isBehindName {
            rest.removeFirst()
            texts.append([UInt8(ascii: " ")])
        } else if isTail {
            texts.append([])
        }
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let digit = rest.first,
                (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(digit)
            {
                rest.removeFirst()
                texts.append([])
            } else {
                texts[texts.count - 1].append(byte)
            }
        }
        self.texts = texts
        isOfSubject = !isTail && texts.count > 1 && texts[0].isEmpty && Self.isWord(texts[1])
        weight = texts.reduce(0) { $0 + $1.count }
        rank = rendering.holdsTitle ? .max : weight
        isJoint = isTail || weight <= " and ".utf8.count
        self.rendering =
            isBehindName ? rendering.behind(.data) : isTail ? rendering.behind(.sentence) : rendering
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (97...122).contains(byte | 32) || byte >= 128 }

    /// Whether a word goes on behind a hole: a letter behind a blank, or what is written onto a name (`'s address`).
    private static func isWord(_ text: [UInt8]) -> Bool {
        guard let first = text.first else { return false }
        return first == UInt8(ascii: "'") || first == UInt8(ascii: " ") && text.dropFirst().first.map(isLetter) == true
    }

    /// Offers what may stand in the holes, shortest first, until `take` is content.
    func fill(_ sentence: [UInt8], _ take: ([Range<Int>]) -> Bool) {
        guard holes > 0 else {
            if sentence == texts[0] { _ = take([]) }
            return
        }
        // A line of several is no sentence of one.
        let lineEnd = UInt8(ascii: "\n")
        guard !sentence.contains(lineEnd) || texts.contains(where: { $0.contains(lineEnd) }) else { return }
        guard sentence.count > weight || sentence.count == weight && mayEndEmpty, sentence.starts(with: texts[0]),
            let end = texts.last, sentence.suffix(end.count).elementsEqual(end)
        else { return }
        var tries = 0
        _ = fill(sentence, hole: 0, from: texts[0].count, [], &tries, take)
    }

    /// No sentence of ours has so many ways to be read; a stranger's text may.
    private static let mostTries = 200

    private func fill(
        _ sentence: [UInt8], hole: Int, from start: Int, _ before: [Range<Int>], _ tries: inout Int,
        _ take: ([Range<Int>]) -> Bool
    ) -> Bool {
        let next = texts[hole + 1]
        let last = sentence.count - next.count
        if hole == holes - 1 {
            guard start < last || start == last && mayEndEmpty else { return false }
            tries += 1
            return tries > Self.mostTries
                || isName(before.first ?? start..<last, sentence) && take(before + [start..<last])
        }
        var end = start + 1
        while end <= last {
            if sentence[end..<(end + next.count)].elementsEqual(next),
                fill(sentence, hole: hole + 1, from: end + next.count, before + [start..<end], &tries, take)
            {
                return true
            }
            end += 1
        }
        return false
    }

    /// Whether the first hole may hold this.
    private func isName(_ range: Range<Int>, _ sentence: [UInt8]) -> Bool {
        if isBehindName { return !sentence[range].contains(UInt8(ascii: " ")) }
        // Folders have whatever names people give them.
        guard isOfSubject, let first = sentence[range].first, !"/~".utf8.contains(first) else { return true }
        return !sentence[range].indices.dropLast().contains {
            sentence[$0] == UInt8(ascii: ":") && sentence[$0 + 1] == UInt8(ascii: " ")
        }
    }

    /// `… sends another%2`: what may be added to a word's end may also not be.
    private var mayEndEmpty: Bool {
        guard holes > 0, texts[holes].isEmpty, let before = texts[holes - 1].last else { return false }
        return Self.isLetter(before)
    }
}
