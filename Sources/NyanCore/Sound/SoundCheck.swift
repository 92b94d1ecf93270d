/// Decides whether a walked MP3 is the whole sound that was wanted (DESIGN.md §5 "Done means verified").
public enum SoundCheck {
    /// How far the length may be from what VK says.
    public static let tolerance: Duration = .seconds(2)

    /// nil when the sound is fine, else a `.damagedSound` failure that may be tried again. `expected` is VK's length or
    /// the sum of a playlist's EXTINF; nil or zero = unknown, not judged.
    public static func problem(
        _ walk: MP3Walk, expected: Duration?, of subject: TrackID? = nil
    ) -> Failure? {
        guard let words = complaint(walk, expected: expected) else { return nil }
        return Failure(.damagedSound, words, subject: subject, retry: .later)
    }

    /// The same for AAC.
    public static func problem(_ walk: ADTSWalk, expected: Duration?, of subject: TrackID? = nil) -> Failure? {
        let words: String? =
            if walk.first == nil {
                "What came is no AAC."
            } else if walk.breaks > 0 {
                damage(walk.breaks, walk.brokenBytes)
            } else {
                complaint(walk.duration, trimmed: walk.duration, expected: expected)
            }
        return words.map { Failure(.damagedSound, $0, subject: subject, retry: .later) }
    }

    /// nil when a sound put together from segments is as long as its playlist says, else as above. A longer one is fine:
    /// what a playlist says may be rounded down.
    public static func problem(_ length: Duration, playlist: Duration, of subject: TrackID? = nil) -> Failure? {
        guard length < playlist - tolerance else { return nil }
        let words = "The sound is cut off: \(clock(length)) of the \(clock(playlist)) in its playlist."
        return Failure(.damagedSound, words, subject: subject, retry: .later)
    }

    private static func complaint(_ walk: MP3Walk, expected: Duration?) -> String? {
        guard walk.frames > 0 else { return "What came is no MP3." }
        if walk.breaks > 0 { return damage(walk.breaks, walk.brokenBytes) }
        // Frames before the header's own count are missing: the end was cut off. Encoders differ by one.
        if let promised = walk.info?.frames, promised > walk.frames + 1 {
            return "The sound is cut off: \(walk.frames) of \(promised) frames came."
        }
        return complaint(walk.duration, trimmed: walk.trimmedDuration, expected: expected)
    }

    private static func damage(_ breaks: Int, _ bytes: Int) -> String {
        "The sound is damaged in \(breaks == 1 ? "one place" : "\(breaks) places") (\(bytes) bytes)."
    }

    private static func complaint(_ length: Duration, trimmed: Duration, expected: Duration?) -> String? {
        guard let expected, expected > .zero else { return nil }
        if isSample(length, of: expected) { return "Only a sample of \(clock(length)) instead of \(clock(expected))." }
        if length < expected - tolerance { return "The sound is cut off: \(clock(length)) of \(clock(expected))." }
        if trimmed > expected + tolerance {
            return "The sound is \(clock(length)) long, not \(clock(expected)) as VK says."
        }
        return nil
    }

    /// People without rights get a preview of about 30 s (vk-api.md §4.1).
    private static func isSample(_ length: Duration, of expected: Duration) -> Bool {
        length >= .seconds(15) && length <= .seconds(46) && expected > length + .seconds(10)
    }

    /// Minutes and seconds, `3:05`.
    private static func clock(_ time: Duration) -> String {
        let seconds = (time + .milliseconds(500)).components.seconds
        return "\(seconds / 60):\(seconds % 60 < 10 ? "0" : "")\(seconds % 60)"
    }
}
