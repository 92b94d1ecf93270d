/// A Content-Range header (RFC 9110 §14.4).
nonisolated struct ContentRange: Equatable {
    /// Nil in the answer 416: no byte is sent.
    var bytes: ClosedRange<Int64>?
    /// Nil when the server does not know or say it.
    var total: Int64?

    /// Nil when unreadable.
    init?(_ text: String?) {
        guard let text, text.lowercased().hasPrefix("bytes") else { return nil }
        let parts = text.dropFirst(5).drop { $0 == " " || $0 == "=" }.split(
            separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        if parts[1] != "*" {
            guard let total = Int64(parts[1]), total >= 0 else { return nil }
            self.total = total
        }
        if parts[0] != "*" {
            let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
            guard ends.count == 2, let first = ends[0], let last = ends[1], first >= 0, first <= last,
                last < total ?? .max
            else { return nil }
            bytes = first...last
        }
    }
}
