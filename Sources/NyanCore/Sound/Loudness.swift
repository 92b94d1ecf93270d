internal import Glibc

/// The setting `audio.replaygain`: whose gain evens out loudness (CONTRACT.md §3).
public enum GainMode: String, Sendable, CaseIterable { case off, track, album }

/// How loud a sound is, as its ReplayGain tags or a measurement say; only values that can be meant are ever in it.
public struct Loudness: Sendable, Equatable {
    /// dB that bring the track to the common loudness (89 dB SPL), −60…60; nil = unknown.
    public let trackGain: Double?
    /// The largest sample, 1 = full scale, above 0 up to 4; nil = unknown.
    public let trackPeak: Double?
    /// The same for the album the track is on.
    public let albumGain: Double?
    public let albumPeak: Double?

    /// Leaves out what cannot be meant: text that was no number, infinities, a peak in 16-bit steps (field-issues.md B8).
    public init(
        trackGain: Double? = nil, trackPeak: Double? = nil, albumGain: Double? = nil, albumPeak: Double? = nil
    ) {
        self.trackGain = Self.gain(trackGain)
        self.trackPeak = Self.peak(trackPeak)
        self.albumGain = Self.gain(albumGain)
        self.albumPeak = Self.peak(albumPeak)
    }

    private static func gain(_ value: Double?) -> Double? { value.flatMap { abs($0) <= 60 ? $0 : nil } }
    private static func peak(_ value: Double?) -> Double? { value.flatMap { $0 > 0 && $0 <= 4 ? $0 : nil } }

    /// Whether it says of any gain.
    public var hasGain: Bool { trackGain != nil || albumGain != nil }

    /// These values where `newer` has none of its own: a stream tells its tags bit by bit.
    public func updated(by newer: Loudness) -> Loudness {
        Loudness(
            trackGain: newer.trackGain ?? trackGain, trackPeak: newer.trackPeak ?? trackPeak,
            albumGain: newer.albumGain ?? albumGain, albumPeak: newer.albumPeak ?? albumPeak)
    }

    /// What every sample is to be multiplied with, 0.001…10: 1 where nothing is known. Never so much that the peak
    /// would leave full scale; an unknown peak counts as full scale. Each mode does with the other's gain if its own
    /// is missing.
    public func factor(_ mode: GainMode) -> Double {
        let track = trackGain.map { (gain: $0, peak: trackPeak) }
        // Without the album's own peak each track would be held back by another amount, so the track's does not count.
        let album = albumGain.map { (gain: $0, peak: albumPeak) }
        let chosen: (gain: Double, peak: Double?)?
        switch mode {
        case .off: chosen = nil
        case .track: chosen = track ?? album
        case .album: chosen = album ?? track
        }
        guard let chosen else { return 1 }
        // More than 20 dB would bring up the noise of a sound that is meant to be silent.
        return min(pow(10, min(chosen.gain, 20) / 20), 1 / (chosen.peak ?? 1))
    }
}

/// What is stored of a finished copy's loudness.
public struct LoudnessReading: Sendable, Equatable {
    /// The file's size when it was read: another size is another file.
    public var bytes: Int64
    /// nil = nothing is to be added: the file's own tags say it, or it has no loudness (silence).
    public var loudness: Loudness?
    public init(bytes: Int64, loudness: Loudness?) {
        self.bytes = bytes
        self.loudness = loudness
    }
}
