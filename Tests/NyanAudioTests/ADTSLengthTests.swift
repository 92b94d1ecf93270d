import NyanCore
import Testing

@testable import NyanAudio

@Suite("The length of AAC as it comes out of segments")
struct ADTSLengthTests {
    /// 100 frames of 120 bytes, LC, 44.1 kHz, stereo.
    private static let sound = Array(
        repeatElement([0xFF, 0xF1, 0x50, 0x80, 0x0F, 0x1F, 0xFC] + [UInt8](repeating: 0x21, count: 113), count: 100)
            .joined())

    @Test("Nothing states it; once all of it is there, its frames are counted")
    func counted() {
        let growing = GrowingSource(Self.sound)
        growing.come(0..<4000)
        guard case .unstated = MP3Length.stated(by: growing) else {
            Issue.record("stated by \(MP3Length.stated(by: growing))")
            return
        }
        #expect(MP3Length.measured(of: MemorySource(Self.sound)) == .seconds(100 * 1024.0 / 44_100))
    }
}
