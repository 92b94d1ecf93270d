import Testing

@testable import NyanStore

/// Signs of paths that are one character with what stands beside them.
@Suite("Paths by scalars")
struct PathTextTests {
    @Test("A name that begins with a mark is in its own folder, not in the one above")
    func folder() {
        let parts = splitPath("/Music/\u{301}a.mp3")
        #expect(parts.folder == "/Music" && Array(parts.name.unicodeScalars) == Array("\u{301}a.mp3".unicodeScalars))
        #expect(splitPath("/a").folder == "/" && splitPath("a").folder == "." && splitPath("/a/b").name == "b")
    }

    @Test("A letter before the dot hides no ending")
    func ending() { #expect(MusicFolder.isSound("x\u{D4E}.mp3") && !MusicFolder.isSound("x.\u{301}txt")) }
}
