import NyanCore
import NyanDBus
import NyanWire

/// `sleep`: playback pauses by itself.
@MainActor enum SleepCommand {
    static func run(_ invocation: Invocation) throws(Ending) {
        guard let word = invocation.words.first else { return try show(invocation) }
        switch word {
        case "off": try set("off", .zero, invocation)
        case "track": try set("track", .zero, invocation)
        default:
            guard let time = SleepTimeText.duration(word), SleepWish.range.contains(time) else {
                throw .usage(
                    "“\(word)” is no time to sleep in, such as 30 (minutes), 45min, 1h30min, 1:30:00 or 90s, up to a day",
                    command: "sleep")
            }
            try set("time", time, invocation)
            // A time that was read otherwise than it was meant is seen at once.
            Terminal.complain("pauses in \(TimeText.text(time / .seconds(1)))")
        }
    }

    private static func set(_ mode: String, _ time: Duration, _ invocation: Invocation) throws(Ending) {
        _ = try Daemon(invocation).ask { client throws(ClientFailure) in
            try client.call(
                NyandInterfaces.player, "SetSleepTimer",
                [.string(mode), .int64(MetadataCoding.microseconds(time))])
        }
    }

    private static func show(_ invocation: Invocation) throws(Ending) {
        let timer = try Daemon(invocation).ask { client throws(ClientFailure) in try client.status().sleepTimer }
        if invocation.asJSON { return Terminal.print(JSONText.encode(Nullable(timer.map(SleepDocument.init)))) }
        Terminal.print(StatusText.sleep(timer) ?? "off")
    }
}

/// Times of the sleep timer as people write them: a plain number is minutes.
enum SleepTimeText {
    /// Reads `30`, `1.5`, `90s`, `45min`, `1h30min`, and clock times such as `1:30:00` as everywhere; nil for anything else.
    static func duration(_ text: String) -> Duration? {
        if text.contains(":") { return TimeText.duration(text) }
        if let minutes = NumberText.number(text) {
            return (0...1e6).contains(minutes) ? .seconds(minutes * 60) : nil
        }
        var rest = text[...]
        var total = Duration.zero
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest[digits.endIndex...]
            let unit = rest.prefix { $0.isLetter }
            rest = rest[unit.endIndex...]
            guard let number = NumberText.whole(digits), number <= 1_000_000, let seconds = seconds(in: unit) else {
                return nil
            }
            total += .seconds(number * seconds)
        }
        return total
    }

    private static func seconds(in unit: Substring) -> Int? {
        switch unit.lowercased() {
        case "s", "sec": 1
        case "m", "min": 60
        case "h": 3_600
        default: nil
        }
    }
}
