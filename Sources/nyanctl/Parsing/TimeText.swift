/// Where `seek` should go.
enum SeekTarget: Equatable {
    case to(Duration)
    case by(Duration)
    /// 0…1 of the length.
    case fraction(Double)

    /// Reads `90`, `1:30`, `1:02:03`, `+10`, `-0:30`, `50%`; nil for anything else.
    init?(_ text: String) {
        if text.hasSuffix("%") {
            guard let percent = NumberText.number(text.dropLast()), (0...100).contains(percent) else { return nil }
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
            let seconds = NumberText.number(last), last.utf8.first.map({ (46...57).contains($0) }) == true
        else { return nil }
        var whole = 0
        for part in parts.dropLast() {
            guard let number = NumberText.whole(part), number < 100_000 else { return nil }
            whole = (whole + number) * 60
        }
        if parts.count > 1 && seconds >= 60 { return nil }
        let total = Double(whole) + seconds
        return total < 1e7 ? .seconds(total) : nil
    }

    /// `3:34`, `1:02:03`.
    static func text(_ seconds: Double) -> String {
        let whole = seconds.isFinite ? Int(max(0, min(seconds, 1e8))) : 0
        let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
        // Not by interpolation, which takes three times as long: each row of a listing has one.
        let tail = (rest < 10 ? ":0" : ":") + String(rest)
        guard hours > 0 else { return String(minutes) + tail }
        return String(hours) + (minutes < 10 ? ":0" : ":") + String(minutes) + tail
    }
}

/// Numbers as people type them: plain decimal. `Double` would also take `0x10`, `1e3` and `nan`.
enum NumberText {
    /// An optional sign, ASCII digits, an optional fraction; nil for anything else.
    static func number(_ text: some StringProtocol) -> Double? {
        let signed = text.utf8.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } ?? false
        let digits = text.utf8.dropFirst(signed ? 1 : 0)
        guard digits.contains(where: isDigit), digits.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }) else {
            return nil
        }
        return Double(text)
    }

    /// ASCII digits only; nil for anything else, and where it does not fit.
    static func whole(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy(isDigit) else { return nil }
        return Int(text)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (48...57).contains(byte) }
}
