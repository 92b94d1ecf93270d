import FoundationEssentials
import Glibc
import Testing

/// Tables as they are expected to look, kept as files beside the tests: `NYAN_GOLDEN=write` writes them anew.
enum GoldenTable {
    private static let folder =
        #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/golden/tables"

    /// `lines` are those of `golden/tables/NAME.txt`, to the byte.
    static func check(_ name: String, _ lines: [String], at location: SourceLocation = #_sourceLocation) throws {
        let path = "\(folder)/\(name).txt"
        let text = lines.map { $0 + "\n" }.joined()
        if getenv("NYAN_GOLDEN").map({ String(cString: $0) }) == "write" {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let expected = try? String(contentsOfFile: path, encoding: .utf8)
        // Bytes, not characters: two spellings of one letter are not the same table.
        #expect(
            expected.map { Array($0.utf8) } == Array(text.utf8),
            "golden/tables/\(name).txt (NYAN_GOLDEN=write writes it anew); now it is:\n\(text)",
            sourceLocation: location)
    }
}
