import Testing

@testable import NyanCore

@Suite("Times of settings that are too long")
struct LongTimeTests {
    @Test("A time whose parts sum up to no number is refused like any other that is none")
    func sum() {
        let text = String(repeating: "1000000d", count: 110_000)
        #expect(throws: SettingProblem("must be a time such as 90s, 30min or 1h")) { try SettingValue.time(text) }
    }
}
