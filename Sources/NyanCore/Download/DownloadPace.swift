/// How fast a download's bytes come: the mean of its last five seconds, which neither jumps nor lags for long.
///
/// A value: it is fed with what has come and asked for the speed. Times are of one monotonic clock.
public struct DownloadPace: Sendable, Equatable {
    /// Nothing is said before this much was seen: a first burst says little.
    static let shortest: Duration = .seconds(1)
    static let window: Duration = .seconds(5)
    /// Samples that are closer to each other become one.
    private static let grain: Duration = .milliseconds(200)

    private struct Sample: Sendable, Equatable {
        var time: Duration
        var received: Int64
    }

    /// In the order of time; the first may be older than the window.
    private var samples: [Sample] = []
    /// Bytes were seen to come.
    private var hasBegun = false

    public init() {}

    /// Takes over how many bytes there are now. Fewer than before: it is fetched anew, and so is this.
    public mutating func note(_ received: Int64, at now: Duration) {
        let sample = Sample(time: now, received: received)
        guard let last = samples.last, received >= last.received else {
            samples = [sample]
            hasBegun = false
            return
        }
        if received == last.received { return }
        // What an earlier run had left is found within the first moments, and was not fetched in them.
        if !hasBegun {
            samples = [sample]
            hasBegun = true
        } else if samples.count > 1, now - samples[samples.count - 2].time < Self.grain {
            samples[samples.count - 1] = sample
        } else {
            samples.append(sample)
        }
        while samples.count > 2, samples[1].time <= now - Self.window { samples.removeFirst() }
    }

    /// Bytes per second; 0 where none came for five seconds, nil in the first second.
    public func speed(at now: Duration) -> Int64? {
        guard hasBegun, let first = samples.first, let last = samples.last, now - first.time >= Self.shortest else {
            return nil
        }
        let start = max(first.time, now - Self.window)
        let came = Double(last.received) - received(at: start)
        return Int64(max(0, came / ((now - start) / .seconds(1))))
    }

    /// Bytes that were there at a moment not before the first sample, as if they had come evenly.
    private func received(at moment: Duration) -> Double {
        guard let after = samples.firstIndex(where: { $0.time > moment }), after > 0 else {
            return Double(samples.last?.received ?? 0)
        }
        let (from, to) = (samples[after - 1], samples[after])
        let part = (moment - from.time) / (to.time - from.time)
        return Double(from.received) + Double(to.received - from.received) * part
    }

    /// Whole seconds until the rest is there; nil where that is unknown, further away than 100 hours, or the total, an
    /// estimate for HLS (vk-api.md §4.3), was too low.
    public static func secondsLeft(received: Int64, total: Int64?, speed: Int64?) -> Int? {
        guard let total, let speed, speed > 0, total > received else { return nil }
        let seconds = (Double(total) - Double(received)) / Double(speed)
        return seconds < 360_000 ? Int(seconds.rounded(.up)) : nil
    }
}
