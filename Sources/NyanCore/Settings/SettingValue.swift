/// Why a value is no good, in words that follow the key: "must be …".
struct SettingProblem: Error, Equatable {
    var words: String
    init(_ words: String) { self.words = words }
}

/// Reads the kinds of values a settings file holds.
enum SettingValue {
    static func bool(_ text: String) throws(SettingProblem) -> Bool {
        switch text.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: throw SettingProblem("must be true or false")
        }
    }

    static func int(_ text: String, in range: ClosedRange<Int>) throws(SettingProblem) -> Int {
        guard let number = digits(text), range.contains(number) else {
            throw SettingProblem("must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String, _ type: Choice.Type
    ) throws(SettingProblem) -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: text.lowercased()) else {
            throw SettingProblem("must be \(alternatives(Choice.allCases.map(\.rawValue)))")
        }
        return choice
    }

    /// A time such as `90s`, `30min`, `1h30min`, `500ms`, `2d`.
    static func time(_ text: String) throws(SettingProblem) -> Duration {
        let problem = SettingProblem("must be a time such as 90s, 30min or 1h")
        var rest = Substring(text)
        var milliseconds = 0
        repeat {
            let number = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest[number.endIndex...].trimmedBlanks
            let unit = rest.prefix { $0.isLetter }
            rest = rest[unit.endIndex...].trimmedBlanks
            guard let count = digits(number), count <= 1_000_000, let length = unitLength(unit) else { throw problem }
            // A million of the longest unit fits a hundred thousand times, which a file has room for.
            let (sum, overflow) = milliseconds.addingReportingOverflow(count * length)
            guard !overflow else { throw problem }
            milliseconds = sum
        } while !rest.isEmpty
        return .milliseconds(milliseconds)
    }

    /// A number of bytes such as `500k`, `10M`, `1G`; k, M, G and T count by 1024.
    static func size(_ text: String) throws(SettingProblem) -> Int64 {
        let problem = SettingProblem("must be a size such as 500k, 10M or 1G")
        let number = text.prefix { $0.isASCII && $0.isNumber }
        let power: Int
        switch text[number.endIndex...].trimmedBlanks.lowercased() {
        case "", "b": power = 0
        case "k", "kb", "kib": power = 1
        case "m", "mb", "mib": power = 2
        case "g", "gb", "gib": power = 3
        case "t", "tb", "tib": power = 4
        default: throw problem
        }
        guard let count = digits(number), count <= 1_000_000_000 else { throw problem }
        let (bytes, overflow) = Int64(count).multipliedReportingOverflow(by: 1 << (10 * power))
        guard !overflow, bytes <= 1 << 60 else { throw problem }
        return bytes
    }

    /// An http or https address with a host; a slash at its end is dropped, so that names can be appended.
    static func address(_ text: String) throws(SettingProblem) -> String {
        var address = text
        while address.hasSuffix("/") { address.removeLast() }
        guard !text.contains("?"), !text.contains("#"), let resolved = URLReference.resolve(address, against: ""),
            resolved.lowercased() == address.lowercased()
        else { throw SettingProblem("must be an http or https address such as https://api.vk.ru/method") }
        return address
    }

    private static func unitLength(_ unit: Substring) -> Int? {
        switch unit {
        case "ms": 1
        case "s", "sec": 1_000
        case "m", "min": 60_000
        case "h": 3_600_000
        case "d": 86_400_000
        default: nil
        }
    }

    /// ASCII digits only; `Int` alone would take a sign.
    private static func digits(_ text: some StringProtocol) -> Int? {
        text.utf8.allSatisfy { (48...57).contains($0) } ? Int(text) : nil
    }

    private static func alternatives(_ words: [String]) -> String {
        words.count < 2 ? words.joined() : words.dropLast().joined(separator: ", ") + " or " + (words.last ?? "")
    }
}
