import Glibc
import NyanCore
import NyanWords

/// Moments of the past as they are shown.
enum PlayTimeText {
    /// `2026-11-30 06:51` where the person is; always as wide.
    static func local(_ seconds: Int64) -> String {
        let parts = parts(seconds)
        return "\(date(parts)) \(two(parts.tm_hour)):\(two(parts.tm_min))"
    }

    /// For a person who reads it at `now`: `today 06:51`, `yesterday 23:10`, else as `local`; all of them as wide.
    static func near(_ moments: [Int64], now: Int64) -> [String] {
        let today = day(now)
        // Noon, so that an hour more or less in the year's two odd days makes no other day of it.
        let noon = now - Int64(secondsOfDay(now)) + 43_200
        let yesterday = day(noon - 86_400)
        let texts = moments.map { moment in
            let text = local(moment)
            let day = day(moment)
            guard day == today || day == yesterday else { return text }
            return Words.said(day == today ? "today" : "yesterday") + text.dropFirst(day.count)
        }
        let width = texts.reduce(0) { max($0, DisplayText.columns($1)) }
        return texts.map { String(repeating: " ", count: width - DisplayText.columns($0)) + $0 }
    }

    /// Where the person is.
    private static func parts(_ seconds: Int64) -> tm {
        var (time, parts) = (within(seconds), tm())
        localtime_r(&time, &parts)
        return parts
    }

    /// Dates come from VK and files: a year of more than four digits is none (and the largest have no sum in a `tm`).
    private static func within(_ seconds: Int64) -> time_t {
        time_t(min(max(seconds, -62_135_596_800), 253_402_214_400))
    }

    private static func day(_ seconds: Int64) -> String {
        date(parts(seconds))
    }

    private static func secondsOfDay(_ seconds: Int64) -> Int32 {
        let parts = parts(seconds)
        return parts.tm_hour * 3600 + parts.tm_min * 60 + parts.tm_sec
    }

    /// `2026-11-30T05:51:07Z` (ISO 8601).
    static func utc(_ seconds: Int64) -> String {
        var (time, parts) = (within(seconds), tm())
        gmtime_r(&time, &parts)
        return "\(date(parts))T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
    }

    private static func date(_ parts: tm) -> String {
        "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
    }

    private static func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
