/// The words of a track as VK has them.
public struct Lyrics: Sendable, Equatable, Codable {
    /// One line; an empty text is a pause.
    public struct Line: Sendable, Equatable, Codable {
        /// Milliseconds from the track's start; nil where nobody knows.
        public var begin: Int?
        public var text: String

        public init(begin: Int? = nil, text: String) {
            self.begin = begin
            self.text = text
        }
    }

    public var lines: [Line]
    /// Who wrote them, or where they are from.
    public var credits: String?

    public init(lines: [Line], credits: String? = nil) {
        self.lines = lines
        self.credits = credits
    }

    /// Every line knows when it is sung.
    public var isTimed: Bool { !lines.isEmpty && lines.allSatisfy { $0.begin != nil } }

    /// Index of the line that is sung at `milliseconds`; nil before the first one, and where nothing is timed.
    public func line(at milliseconds: Int) -> Int? {
        guard isTimed else { return nil }
        return lines.lastIndex { ($0.begin ?? .max) <= milliseconds }
    }
}
