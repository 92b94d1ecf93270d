import Testing

@testable import nyanctl

@Suite("Numbers and times as people write them")
struct NumberTests {
    @Test(
        "A seek names a place, a step or a part",
        arguments: [
            ("90", .to(.seconds(90))), ("1:30", .to(.seconds(90))), ("1:02:03", .to(.seconds(3723))),
            ("0", .to(.zero)), ("90.5", .to(.seconds(90.5))), ("1:30.5", .to(.seconds(90.5))),
            ("+10", .by(.seconds(10))), ("-10", .by(.seconds(-10))), ("-0:30", .by(.seconds(-30))),
            ("+1:00", .by(.seconds(60))), ("50%", .fraction(0.5)), ("0%", .fraction(0)), ("100%", .fraction(1)),
            ("33.5%", .fraction(0.335)),
        ] as [(String, SeekTarget)])
    func seek(text: String, target: SeekTarget) { #expect(SeekTarget(text) == target) }

    @Test(
        "Anything else is no time",
        arguments: [
            "", "x", "1:", ":30", "1:60", "1:99", "1::3", "1:2:3:4", "++5", "+-5", "--5", "101%", "-5%x", "%", "0x10",
            "1e3", "nan", "inf", "1.2.3", ".", "1,5", "٣", "1: 30", "99999999999", "1:-5", "+", "0x10%",
        ])
    func noTime(text: String) { #expect(SeekTarget(text) == nil) }

    @Test(
        "Times are written with as many parts as they need",
        arguments: [
            (0.0, "0:00"), (5.9, "0:05"), (62, "1:02"), (599, "9:59"), (3600, "1:00:00"), (3723, "1:02:03"),
            (-5, "0:00"), (.nan, "0:00"), (.infinity, "0:00"),
        ] as [(Double, String)])
    func time(seconds: Double, text: String) { #expect(TimeText.text(seconds) == text) }

    @Test(
        "Sizes have one digit after the point below a hundred",
        arguments: [
            (0, "0 B"), (-1, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (3_450_000, "3.4 MB"), (99_900_000, "99.9 MB"),
            (100_000_000, "100 MB"), (1_500_000_000, "1.5 GB"), (.max, "9223372 TB"),
        ] as [(Int64, String)])
    func bytes(count: Int64, text: String) { #expect(ByteText.text(count) == text) }

    @Test("Whole numbers are ASCII digits that fit")
    func whole() {
        #expect(NumberText.whole("012") == 12)
        for text in ["", "-1", "+1", "1.0", "٣", "99999999999999999999"] { #expect(NumberText.whole(text) == nil) }
    }
}
