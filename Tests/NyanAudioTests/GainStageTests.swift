import Testing

@testable import NyanAudio

/// The arithmetic of the gain, sample by sample.
@Suite struct GainStageTests {
    /// Sends samples through in blocks and gives what comes out.
    private func run(_ stage: inout GainStage, _ samples: [Float], channels: Int = 1) -> [Float] {
        var samples = samples
        samples.withUnsafeMutableBufferPointer { buffer in
            if !stage.passes(UnsafeBufferPointer(buffer)) { stage.change(buffer, channels: channels) }
        }
        return samples
    }

    @Test("Multiplies by the factor, from the first sample of a sound")
    func multiplies() {
        var stage = GainStage()
        stage.want(0.5)
        #expect(run(&stage, [1, -1, 0.5]) == [0.5, -0.5, 0.25])
        stage.begin()
        #expect(run(&stage, [1, -1, 0.5]) == [1, -1, 0.5])
    }

    @Test("Falls evenly to what a sample needs that proves the peak wrong, and stays there to the end of the sound")
    func falls() {
        var stage = GainStage()
        stage.want(2)
        let first = run(&stage, [0.4, 0.4, 0.4, 0.4, 0.8, 0.4])
        #expect(first.map { ($0 * 1000).rounded() } == [800, 725, 650, 575, 1000, 500])
        #expect(run(&stage, [0.4]) == [0.5])
        // The tags come again, as they do.
        stage.want(2)
        #expect(run(&stage, [0.4]) == [0.5])
        stage.begin()
        stage.want(2)
        #expect(run(&stage, [0.4]) == [0.8])
    }

    @Test("All channels of one moment get the same factor")
    func keepsBalance() {
        var stage = GainStage()
        stage.want(2)
        let out = run(&stage, [0.2, 0.4, 0.2, 0.4, 0.2, 0.8], channels: 2)
        #expect(stride(from: 0, to: 4, by: 2).allSatisfy { abs(out[$0] * 2 - out[$0 + 1]) < 1e-6 })
        #expect(out[5] == 1)
    }

    @Test("Damage is cut, is never louder than full scale, and does not silence the rest")
    func survivesDamage() {
        var stage = GainStage()
        let out = run(&stage, [0.5, .nan, .infinity, -1e30, 0.5])
        #expect(out.allSatisfy { abs($0) <= 1 } && out[1] == 0)
        #expect(run(&stage, [0.5]) == [0.25])
    }
}
