import Glibc
import Testing

@testable import nyanctl

@Suite("Files in and out")
struct FileCommandTests {
    @Test("A folder's word is a whole path, whichever way it is written")
    func folders() throws {
        let folder = try #require(getcwd(nil, 0))
        defer { free(folder) }
        let here = String(cString: folder)
        let below = here == "/" ? "/" : here + "/"
        for (word, path) in [
            ("/a/b", "/a/b"), ("/a/b/", "/a/b"), ("/", "/"), (".", here), ("./", here), ("x", below + "x"),
            ("./x/", below + "x"), ("../x", below + "../x"), (".x", below + ".x"),
        ] {
            #expect(FolderWord.absolute(word) == path, "\(word)")
        }
    }

    @Test(
        "The outcome of an import in words",
        arguments: [
            (0, 0, 0, "there are no sound files in this folder"), (1, 0, 0, "imported 1 file"),
            (2, 0, 3, "imported 2 files, 3 skipped"), (0, 5, 0, "imported 0 files, 5 known already"),
        ])
    func words(_ imported: Int, _ known: Int, _ skipped: Int, _ words: String) {
        #expect(FileCommands.words(imported: imported, known: known, skipped: skipped) == words)
    }
}
