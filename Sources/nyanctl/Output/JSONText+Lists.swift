extension JSONText {
    /// A list, by pieces: the encoder keeps a tree of what it encodes until it is done, several times as large as the text.
    static func encode(_ list: [some Encodable]) -> String {
        guard list.count > piece else { return whole(list) }
        var text = "["
        for start in stride(from: 0, to: list.count, by: piece) {
            if start > 0 { text += "," }
            let part = whole(Array(list[start..<min(start + piece, list.count)]))
            // What cannot be written is null, and so is the list it is in.
            guard part.utf8.first == UInt8(ascii: "[") else { return part }
            // Without the brackets.
            text += Substring(part.utf8.dropFirst().dropLast())
        }
        return text + "]"
    }

    private static func whole(_ value: some Encodable) -> String { encode(value) }

    private static let piece = 256
}
