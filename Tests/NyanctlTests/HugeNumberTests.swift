import NyanCore
import NyanWire
import Testing

@testable import nyanctl

/// Numbers that no terminal, no VK and no daemon sends, and that whoever has their name may send.
@Suite("Numbers beyond all measure")
@MainActor struct HugeNumberTests {
    @Test(
        "A key with modifiers that are none is the key without",
        arguments: ["-9223372036854775808", "-1", "0", "9223372036854775807"])
    func keys(number: String) {
        var (input, reader) = (InputBytes(), KeyReader())
        let bytes = Array("\u{1b}[1;\(number)H\u{1b}[97;\(number)u".utf8)
        let events = input.events(bytes, at: .now)
        #expect(events.count == 2 && events[0] == .key(.home))
        _ = reader.keys(bytes)
    }

    @Test("Speeds whose sum is no number end nobody's list of downloads")
    func speeds() {
        let row = UIKit.download(1, .running, 5, .max, speed: .max)
        #expect(DownloadText.summary([row, row, row]).hasPrefix("3 running"))
    }

    @Test(
        "A date beyond the calendar is the last there is",
        arguments: [Int64.max, 67_768_036_191_676_799, 253_402_300_800])
    func late(date: Int64) {
        #expect(PlayTimeText.utc(date).hasPrefix("9999-12-31T"))
        #expect(PlayTimeText.near([date, 0], now: 1_800_000_000).count == 2)
    }

    @Test("A date before the calendar is the first there is")
    func early() {
        #expect(PlayTimeText.utc(.min) == "1-01-01T00:00:00Z")
        #expect(!PlayTimeText.local(.min).isEmpty)
    }

    @Test(
        "A line of words far out is waited for day by day, and a position far out is one"
    )
    func words() {
        let track = UIKit.track(1)
        var sung = SungLines()
        _ = sung.take(UIKit.status(.playing, playing: track, at: 0), at: 0)
        let lines = [Lyrics.Line(begin: 0, text: "a"), Lyrics.Line(begin: .max, text: "b")]
        #expect(sung.take(Lyrics(lines: lines), of: track.track.id).isEmpty)
        #expect(sung.due(at: 1).map(\.text) == ["a"])
        #expect(sung.pause(at: 1) == 86_400)
        _ = sung.take(UIKit.status(.playing, playing: track, at: 1e300), at: 2)
        #expect(sung.due(at: 3).isEmpty)
    }
}
