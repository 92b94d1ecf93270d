import Glibc

/// Moments of the past as they are shown.
enum PlayTimeText {
    /// `2026-11-30 06:51` where the person is; always as wide.
    static func local(_ seconds: Int64) -> String {
        var (time, parts) = (time_t(seconds), tm())
        localtime_r(&time, &parts)
        return "\(date(parts)) \(two(parts.tm_hour)):\(two(parts.tm_min))"
    }

    /// `2026-11-30T05:51:07Z` (ISO 8601).
    static func utc(_ seconds: Int64) -> String {
        var (time, parts) = (time_t(seconds), tm())
        gmtime_r(&time, &parts)
        return "\(date(parts))T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }

    private static func date(_ parts: tm) -> String {
        "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
