internal import NyanCore

/// The way down to silence before the sleep timer pauses.
extension GstEngine {
    /// What the sink and the sound server have in hand sounds on by so much after it was scaled.
    private static let ahead = Duration.milliseconds(300) + Blocks.duration

    public func fadeOut(over time: Duration) {
        endFade()
        guard let sink = pipeline?.output?.sink else { return }
        fade = Fade(sink, over: max(.milliseconds(200), time - Self.ahead))
    }

    public func endFade() {
        fade?.remove()
        fade = nil
    }
}
