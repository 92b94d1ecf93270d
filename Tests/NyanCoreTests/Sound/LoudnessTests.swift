import NyanCore
import Testing

/// What gains and peaks mean together, and which of them are no such thing.
@Suite struct LoudnessTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var mode: GainMode
        var loudness: Loudness
        var factor: Double
        var what: String
        var testDescription: String { "\(mode): \(what)" }
        init(_ what: String, _ mode: GainMode, _ loudness: Loudness, _ factor: Double) {
            (self.what, self.mode, self.loudness, self.factor) = (what, mode, loudness, factor)
        }
    }

    static let rows: [Row] = [
        Row("nothing known", .track, Loudness(), 1),
        Row("nothing known", .album, Loudness(), 1),
        Row("a gain down", .track, Loudness(trackGain: -6.0206, trackPeak: 0.9), 0.5),
        Row("a gain down is not held back by a missing peak", .track, Loudness(trackGain: -6.0206), 0.5),
        Row("a gain up as far as the peak lets it", .track, Loudness(trackGain: 12, trackPeak: 0.8), 1.25),
        Row("a gain up that the peak allows", .track, Loudness(trackGain: 6.0206, trackPeak: 0.25), 2),
        Row("a gain up without a peak", .track, Loudness(trackGain: 12), 1),
        Row("a peak beyond full scale", .track, Loudness(trackGain: 12, trackPeak: 1.25), 0.8),
        Row("a peak beyond full scale and a small gain down", .track, Loudness(trackGain: -1, trackPeak: 1.25), 0.8),
        Row("a peak without a gain", .track, Loudness(trackPeak: 1.3), 1),
        Row("no more than 20 dB up", .track, Loudness(trackGain: 60, trackPeak: 0.001), 10),
        Row("60 dB down", .track, Loudness(trackGain: -60, trackPeak: 1), 0.001),
        Row("no number", .track, Loudness(trackGain: .nan, trackPeak: .nan), 1),
        Row("an infinite gain", .track, Loudness(trackGain: .infinity, trackPeak: 0.5), 1),
        Row("a gain nobody means", .track, Loudness(trackGain: 61, trackPeak: 0.1), 1),
        Row("a peak in 16-bit steps", .track, Loudness(trackGain: -6.0206, trackPeak: 32_767), 0.5),
        Row("a peak of zero", .track, Loudness(trackGain: 6, trackPeak: 0), 1),
        Row("a negative peak", .track, Loudness(trackGain: 6, trackPeak: -1), 1),
        Row("the album's own", .album, Loudness(trackGain: -6, albumGain: -12.0412, albumPeak: 1), 0.25),
        Row("the track's where the album has none", .album, Loudness(trackGain: -6.0206, trackPeak: 1), 0.5),
        Row("the album's where the track has none", .track, Loudness(albumGain: -6.0206, albumPeak: 1), 0.5),
        Row(
            "the album's gain is not judged by the track's peak", .album,
            Loudness(trackGain: 0, trackPeak: 0.25, albumGain: 6), 1),
        Row("an album gain that is no number", .album, Loudness(trackGain: -6.0206, albumGain: .nan), 0.5),
        Row("off", .off, Loudness(trackGain: -6, trackPeak: 1, albumGain: -6), 1),
    ]

    @Test("The factor follows gain, peak and mode", arguments: rows)
    func factors(row: Row) { #expect(abs(row.loudness.factor(row.mode) - row.factor) < 0.0005) }

    @Test("No loudness takes a sample past full scale that is as large as the peak it names")
    func neverPastFullScale() {
        for gain in stride(from: -60.0, through: 60, by: 1.5) {
            for peak in stride(from: 0.01, through: 4, by: 0.03) {
                for mode in GainMode.allCases where mode != .off {
                    let loudness = Loudness(trackGain: gain, trackPeak: peak, albumGain: gain, albumPeak: peak)
                    #expect(loudness.factor(mode) * peak <= 1.000_001)
                }
            }
        }
    }

    @Test("What a stream tells later completes what it told before")
    func completes() {
        let first = Loudness(trackGain: -3, albumGain: -4)
        let both = first.updated(by: Loudness(trackGain: .nan, trackPeak: 0.5))
        #expect(both == Loudness(trackGain: -3, trackPeak: 0.5, albumGain: -4))
        #expect(first.updated(by: Loudness(trackGain: -8)).trackGain == -8)
        #expect(first.hasGain && !Loudness(trackPeak: 1).hasGain)
    }
}
