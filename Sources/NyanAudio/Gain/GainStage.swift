internal import NyanCore

/// Multiplies the samples of one sound after another, and never lets one out that would be cut flat.
///
/// The factor already respects the peak the tags name. Where a sample proves them wrong, the factor falls to what that
/// sample needs and stays there until the sound ends: a level that only ever falls does not pump as a limiter would.
nonisolated struct GainStage {
    /// 1 = full scale. No decoder of a sound one keeps goes further; what does is damage, and is cut.
    private static let beyondBelief: Float = 2

    private var wanted: Float = 1
    /// The largest sample of this sound so far.
    private var loudest: Float = 1e-3

    /// What the next sample is multiplied with.
    private(set) var applied: Float = 1

    /// Another sound begins: nothing is known of it yet.
    mutating func begin() { self = GainStage() }

    /// The tags of the sound that has begun ask for this factor.
    mutating func want(_ factor: Double) {
        wanted = Float(factor)
        applied = allowed
    }

    private var allowed: Float { min(wanted, 1 / loudest) }

    /// Looks at the samples that come next.
    /// - Returns: whether they need no change, so that the buffer need not be copied.
    mutating func passes(_ samples: UnsafeBufferPointer<Float>) -> Bool {
        var peak: Float = 0
        for index in samples.indices {
            let size = abs(samples[index])
            // Also false for what is no number.
            if size > peak { peak = size }
        }
        loudest = max(loudest, min(peak, Self.beyondBelief))
        return applied == 1 && allowed == 1 && peak <= 1
    }

    /// Changes the samples that were looked at; `channels` values belong to one moment.
    mutating func change(_ samples: UnsafeMutableBufferPointer<Float>, channels: Int) {
        var start = 0
        if allowed < applied {
            // Falls evenly up to the first sample that would be too large, so that there is no step.
            let first = samples.firstIndex { abs($0) * applied > 1 } ?? 0
            let frames = first / channels
            let step = (allowed - applied) / Float(max(frames, 1))
            for frame in 0..<frames {
                let factor = applied + step * Float(frame)
                for channel in 0..<channels { Self.multiply(&samples[frame * channels + channel], factor) }
            }
            start = frames * channels
            applied = allowed
        }
        for index in start..<samples.count { Self.multiply(&samples[index], applied) }
    }

    private static func multiply(_ sample: inout Float, _ factor: Float) {
        let product = sample * factor
        sample = product.isNaN ? 0 : min(max(product, -1), 1)
    }
}
