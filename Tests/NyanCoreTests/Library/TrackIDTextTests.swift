import NyanCore
import Testing

@Suite("Ids of tracks as text") struct TrackIDTextTests {
    @Test(
        "An id is read from what it writes",
        arguments: [
            (1, 2, "1_2"), (-5, 70, "-5_70"), (0, 7, "0_7"), (.max, .max, "9223372036854775807_9223372036854775807"),
            (.min, 1, "-9223372036854775808_1"), (123_456, 456_239_017, "123456_456239017"),
        ] as [(Int64, Int64, String)])
    func written(owner: Int64, audio: Int64, text: String) {
        let id = TrackID(owner: owner, audio: audio)
        #expect(id.description == text)
        #expect(TrackID(text) == id)
        #expect(TrackID("x\(text)".dropFirst()) == id)
        let reference = TrackReference(id: id, accessKey: "aZ09")
        #expect(reference.description == text + "_aZ09")
        #expect(TrackReference(reference.description) == reference)
        #expect(TrackID(reference.description) == nil)
    }

    @Test(
        "Anything else is none",
        arguments: [
            "", "_", "1", "1_", "_1", "-_1", "--1_1", "+1_1", "1_+1", "1_-1", "1_0", " 1_1", "1_1 ", "1_1_", "1_1_a_b",
            "1_1_a-b", "1_1_ключ", "1_1_a\u{301}", "1__1", "1_\u{301}2", "9223372036854775808_1",
            "-9223372036854775809_1", "1_9223372036854775808", "99999999999999999999999999_1", "１_１", "1_1\n", "0x1_1",
            "1_1\0",
        ])
    func refused(text: String) {
        #expect(TrackReference(text) == nil)
        #expect(TrackReference(text[...]) == nil)
    }
}
