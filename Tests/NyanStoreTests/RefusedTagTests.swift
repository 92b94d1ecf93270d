import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

@Suite("Files whose tags are refused while they are read", .serialized, .timeLimit(.minutes(2)))
struct RefusedTagTests {
    // TagLib holds a kilobyte for each frame, and lost them where an exception left its constructor.
    @Test("cost no memory that stays, however many frames were read before")
    func nothingStays() throws {
        let folder = TemporaryFolder()
        let path = folder("a.mp3")
        let frame = Array("TXXX".utf8) + [0, 0, 0, 3, 0, 0, 0, 0x41, 0x42]
        let size = 4900 * frame.count
        let head = Array("ID3".utf8) + [4, 0, 0] + [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
        let sound = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
        try Disk.write(path, head + (0..<4900).flatMap { _ in frame } + sound + sound + sound)
        // The rest is a hole, in which TagLib looks for the last frame.
        #expect(truncate(path, 200 << 20) == 0)
        #expect(Tags.identify(path, .mp3) == nil)
        let before = OwnMemory.written()
        for _ in 0..<8 { #expect(Tags.identify(path, .mp3) == nil) }
        #expect(OwnMemory.written() - before < 25_000, "what leaked would be 39 MB")
    }
}
