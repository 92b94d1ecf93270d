internal import Dispatch
internal import NyanCore

/// The true length of a sound. A parser's estimate is never told: it is far off for VBR without a header
/// (field-issues.md B5), and a header may lie (B6).
extension GstEngine {
    /// Where frames are counted, one file at a time. Labelled, as a global queue never rests again once it was used.
    private static let counting = DispatchQueue(label: "org.nyantunes.Nyand.length", qos: .utility)

    /// Finds out as much as the bytes that are there can prove.
    func learnLength() {
        guard let now = current, now.phase == .sounding, !now.isMeasured else {
            return
        }
        let source = now.sound.bytes
        switch MP3Length.stated(by: source) {
        case .notMP3:
            if let length = now.feed.sound.oggLength ?? pipeline?.duration() { tellLength(length, of: now.feed) }
        case .length(let length) where isPlausible(length, now):
            current?.isMeasured = source.isComplete
            tellLength(length, of: now.feed)
        case .length, .unstated: if source.isComplete { measure(now) }
        case .unknownYet: break
        }
    }

    /// A header's word is taken if the service says about the same, or nothing.
    private func isPlausible(_ length: Duration, _ now: Current) -> Bool {
        guard let expected = now.sound.expectedLength else { return true }
        return abs((length - expected).inSeconds) <= 3
    }

    /// Counts the frames, off the main queue (10 ms for a song, more on a slow disk).
    private func measure(_ now: Current) {
        current?.isMeasured = true
        let feed = now.feed
        let source = now.sound.bytes
        Self.counting.async { [weak self] in
            guard let length = MP3Length.measured(of: source) else { return }
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.tellLength(length, of: feed) } }
        }
    }

    private func tellLength(_ length: Duration, of feed: Feed) {
        guard let now = current, now.feed.load == feed.load, now.phase != .over else { return }
        if let told = now.length, abs((told - length).inSeconds) < 0.001 { return }
        current?.length = length
        emit(.lengthKnown(now.load, length))
    }
}
