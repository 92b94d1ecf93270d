/// What is more than any answer of VK's holds: its own greatest lists have 5,000 people, its longest names 4 KB. Beyond
/// stands an error or somebody who means harm, and nyand would keep what it cannot use.
nonisolated enum AnswerLimits {
    /// Bytes of a whole answer. Reading JSON takes up to 25 times as much memory.
    static let answer = 4 << 20
    /// Elements of one list.
    static let elements = 10_000
    /// Commas of a whole answer, in texts and between values: six thousand tracks with all their covers have 300,000. What
    /// has more is so crowded that reading it would keep everybody waiting for seconds.
    static let commas = 400_000
    /// Bytes of one name, address or sentence, in UTF-8.
    static let text = 8 << 10
    /// Bytes of an access key, which goes back with every request for its track; VK's have 20.
    static let key = 256
    /// Bytes of the words of a song where they are one text.
    static let lyrics = 256 << 10
    /// Seconds of a track: a hundred hours.
    static let duration = 360_000

    static func isCrowded(_ body: [UInt8]) -> Bool {
        guard body.count > commas else { return false }
        return body.withUnsafeBytes { bytes in
            var (count, at) = (0, 0)
            while at < bytes.count {
                if bytes[at] == 0x2C { count &+= 1 }
                at &+= 1
            }
            return count > commas
        }
    }

    /// The text's first `limit` bytes at most; no letter is cut in two.
    static func cut(_ text: String, to limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limit)
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        return String(text[..<end])
    }
}
