import NyanCore
import Testing

@testable import nyanctl

@Suite("Times of the sleep timer")
struct SleepTimeTests {
    @Test(
        "a plain number is minutes; units and clock times are what they say",
        arguments: [
            ("30", 1_800), ("1.5", 90), ("0", 0), ("90s", 90), ("45min", 2_700), ("45m", 2_700), ("1h", 3_600),
            ("1h30min", 5_400), ("1H30M10S", 5_410), ("1:30:00", 5_400), ("1:30", 90),
        ] as [(String, Double)])
    func reads(text: String, seconds: Double) { #expect(SleepTimeText.duration(text) == .seconds(seconds)) }

    @Test(
        "anything else is none",
        arguments: ["", "-5", "soon", "min", "5 min", "5d", "1e3", "0x10", "5s5", "1:75", "٣", "99999999h", "nan"])
    func refuses(text: String) {
        if let time = SleepTimeText.duration(text) { #expect(!SleepWish.range.contains(time)) }
    }
}

@Suite("Words that name files and addresses")
struct AddressWordTests {
    @Test("addresses go through as they are, texts are none", arguments: ["http://h/a b", "FILE:///x", "xyz://y"])
    func addresses(word: String) throws {
        #expect(try AddressWord.address(word, command: "play") == word)
        #expect(try AddressWord.address("кошкин дом", command: "play") == nil)
        #expect(try AddressWord.address("usr", command: "play") == nil)
    }

    @Test("a path that is none is told, and so is a folder")
    func paths() throws {
        #expect(try AddressWord.address("/dev/null", command: "play") == "file:///dev/null")
        #expect(throws: Ending.self) { try AddressWord.address("/nowhere.mp3", command: "play") }
        #expect(throws: Ending.self) { try AddressWord.address("/dev", command: "play") }
    }
}
