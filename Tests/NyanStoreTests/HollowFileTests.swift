import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

@Suite("Files that are mostly a hole", .timeLimit(.minutes(1)))
struct HollowFileTests {
    /// Three frames of MP3, and behind them nothing up to this size: it takes no room on the disk.
    private func hollow(_ size: Int, head: [UInt8] = []) throws -> String {
        var template = Array("/tmp/nyan-hollow-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw LookError(errno, "/tmp") }
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self) + "/a.mp3"
        let frame = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
        try Data(head + frame + frame + frame).write(to: URL(fileURLWithPath: path))
        #expect(truncate(path, size) == 0)
        return path
    }

    private func remove(_ path: String) { try? FileManager.default.removeItem(atPath: splitPath(path).folder) }

    @Test("are given up soon where tags are read, however long they say they are")
    func tags() throws {
        let path = try hollow(4 << 30)
        defer { remove(path) }
        // Nobody looks for the last frame byte by byte through gigabytes.
        #expect(Tags.identify(path, .mp3) == nil)
        #expect(Tags.read(path) == nil)
    }

    @Test("are no sound to take in beyond 4 GiB")
    func imported() throws {
        let path = try hollow(4 << 30 + 1)
        defer { remove(path) }
        let failure = #expect(throws: Failure.self) { try SoundIdentity(ImportCandidate(path: Array(path.utf8))) }
        #expect(failure?.message == "it is larger than 4 GiB")
    }

    @Test("do not fill the memory with a tag of hundreds of megabytes")
    func longTag() throws {
        // 256 MiB less one byte, and the hole has them.
        let path = try hollow(300 << 20, head: Array("ID3".utf8) + [4, 0, 0, 0x7F, 0x7F, 0x7F, 0x7F])
        defer { remove(path) }
        // The kernel's mark of the most that was held, from now on.
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = held("VmRSS:")
        #expect(Tags.identify(path, .mp3) == nil)
        #expect(held("VmHWM:") - before < 150_000)
    }

    /// A file with a tag of so many frames. `junk`: bytes before it; TagLib looks for a tag behind them, too.
    private func framed(_ count: Int, extended: Bool = false, junk: Int = 0) throws -> String {
        let frame = Array("TXXX".utf8) + [0, 0, 0, 1, 0, 0, 0]
        let before: [UInt8] = extended ? [0, 0, 0, 6, 1, 0] : []
        let size = count * frame.count + before.count
        let head = Array("ID3".utf8) + [4, 0, extended ? 0x40 : 0] + [21, 14, 7, 0].map { UInt8(size >> $0 & 0x7F) }
        let all = [UInt8](repeating: 1, count: junk) + head + before + (0..<count).flatMap { _ in frame }
        return try hollow(all.count + 3 * 417, head: all)
    }

    private func expectLittle(_ work: () throws -> Void) rethrows {
        try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
        let before = held("VmRSS:")
        try work()
        #expect(held("VmHWM:") - before < 150_000)
    }

    @Test(
        "with more frames in their tag than any are not read at all",
        arguments: [
            (100, false, 0), (1_000_000, false, 0), (100, true, 0), (1_000_000, true, 0), (1_000_000, false, 7),
        ])
    func frames(count: Int, extended: Bool, junk: Int) throws {
        let path = try framed(count, extended: extended, junk: junk)
        defer { remove(path) }
        expectLittle { #expect((Tags.identify(path, .mp3) == nil) == (count > 100)) }
    }

    @Test("with such a tag that come from VK get their own tag all the same, and cost nothing")
    func downloaded() throws {
        let path = try framed(1_000_000)
        defer { remove(path) }
        let tags = FileTags(title: "T", artist: "A", album: nil, trackID: TrackID(owner: 1, audio: 2), coverPath: nil)
        try expectLittle {
            let rendered = try Tags.render(tags, keepingGainOf: path)
            #expect(!rendered.isEmpty)
        }
    }

    /// Kilobytes of a line of the process's status.
    private func held(_ name: String) -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let row = text.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
        return row.split { $0 == " " || $0 == "\t" }.dropFirst().first.flatMap { Int($0) } ?? Int.max
    }
}
