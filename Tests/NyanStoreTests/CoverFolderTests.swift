import FoundationEssentials
import NyanCore
import Testing

@testable import NyanStore

@Suite("Covers")
struct CoverFolderTests {
    let folder = TemporaryFolder()

    @Test("are kept under their content's name, once, and pruned")
    func stores() async throws {
        let covers = CoverFolder(folder("covers"))
        let jpeg = try await covers.store(Sounds.jpeg)
        let png = try await covers.store(Sounds.png)
        #expect(try await covers.store(Sounds.jpeg) == jpeg)
        let sum = Disk.output("sha256sum", [jpeg]).prefix(64)
        #expect(jpeg == folder("covers/\(sum).jpg") && png.hasSuffix(".png"))
        #expect(Disk.bytes(jpeg) == Sounds.jpeg && Disk.mode(jpeg) == 0o644)
        await covers.prune(keeping: [png])
        #expect(Folder.names(in: folder("covers")) == [splitPath(png).name])
    }

    @Test("are refused when they are no picture", arguments: ["", "<html>", "GIF89a"])
    func refuses(text: String) async {
        let covers = CoverFolder(folder("covers"))
        #expect(await failure { _ = try await covers.store(Array(text.utf8)) }?.code == .badAnswer)
        #expect(!Disk.exists(folder("covers")))
    }
}
