/// Where `seek` should go.
enum SeekTarget: Equatable {
    case to(Duration)
    case by(Duration)
    /// 0…1 of the length.
    case fraction(Double)

    /// Reads `90`, `1:30`, `1:02:03`, `+10`, `-0:30`, `50%`; nil for anything else.
    init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let percent = Double(text.dropLast()), (0...100).contains(percent) else { return nil }
            self = .fraction(percent / 100)
            return
        }
        let sign = text.first.flatMap { "+-".contains($0) ? $0 : nil }
        guard let time = TimeText.duration(sign == nil ? text[...] : text.dropFirst()) else { return nil }
        switch sign {
        case "+": self = .by(time)
        case "-": self = .by(.zero - time)
        default: self = .to(time)
        }
    }
}

/// Times as people write and read them.
enum TimeText {
    /// Reads seconds, `m:ss` or `h:mm:ss`; the last part may have a fraction. nil for anything else.
    static func duration(_ text: some StringProtocol) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last,
            last.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let seconds = Double(last)
        else { return nil }
        var whole = 0
        for part in parts.dropLast() {
            guard part.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int(part), number < 100_000 else { return nil }
            whole = (whole + number) * 60
        }
        if parts.count > 1 && seconds >= 60 { return nil }
        let total = Double(whole) + seconds
        return total < 1e7 ? .seconds(total) : nil
    }

    /// `3:34`, `1:02:03`.
    static func text(_ seconds: Double) -> String {
        let whole = Int(max(0, min(seconds, 1e8)))
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        let tail = rest < 10 ? "0\(rest)" : "\(rest)"
        return hours > 0 ? "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(tail)" : "\(minutes):\(tail)"
    }
}
