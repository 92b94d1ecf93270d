/// How long a token may be said to last: VK's numbers come from outside, and sums of them must not overflow.
public enum TokenLife {
    /// Ten years, in seconds: longer than any account keeps a token.
    public static let longest: Int64 = 10 * 366 * 86_400

    /// Seconds from now as VK names them; nil where they say nothing of an end.
    public static func seconds(_ named: Int64?) -> Int64? {
        named.flatMap { $0 > 0 ? min($0, longest) : nil }
    }

    /// An end in unix seconds. A small number is how long the token lasts, not when it ends (vk-api.md §1.7); one that
    /// cannot be is over already, or the latest there may be.
    public static func end(_ named: Int64, now: Int64) -> Int64 {
        if named < 1_000_000_000 { return now + min(max(named, 0), longest) }
        return min(named, now + longest)
    }
}
