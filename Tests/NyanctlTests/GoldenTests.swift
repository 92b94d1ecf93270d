import FoundationEssentials
import Glibc
import NyanCore
import NyanWords
import Testing

@testable import nyanctl

/// Texts that people and scripts know, as files under `golden`. `NYAN_GOLDEN=write scripts/test NyanctlTests` writes them
/// anew; then `scripts/pages --write`, and look at what git says has changed.
@Suite("Golden files")
struct GoldenTests {
    static let folder = String(#filePath.dropLast("GoldenTests.swift".count)) + "golden/"

    /// Compares with the file, or writes it.
    static func compare(_ text: String, with name: String) throws {
        let path = folder + name
        if getenv("NYAN_GOLDEN") != nil {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        let golden = try String(contentsOfFile: path, encoding: .utf8)
        let lines = (golden.split(separator: "\n"), text.split(separator: "\n"))
        let place = zip(lines.0, lines.1).enumerated().first { $1.0 != $1.1 }
        #expect(
            golden == text,
            "\(name) is out of step: \(String(describing: place)); NYAN_GOLDEN=write scripts/test NyanctlTests")
    }

    private func help() -> String {
        let pages = CommandTable.all.map { "$ nyanctl help \($0.name)\n\(HelpText.command($0))\n" }
        return "$ nyanctl help\n\(HelpText.all)\n\n" + pages.joined(separator: "\n")
    }

    @Test(
        "the help of every command is as it was, in English and Russian, and fits 80 columns", arguments: ["en", "ru"])
    func helpPages(language: String) throws {
        let text = Words.$language.withValue(language == "ru" ? .russian : .english) { help() }
        try Self.compare(text, with: "help.\(language).txt")
        for line in text.split(separator: "\n") {
            #expect(DisplayText.columns(line) <= 80, "\(line)")
            #expect(line.last != " ")
        }
    }

    @Test("help --json, from which pages, completions and the cheat sheet are made, is as it was")
    func document() throws {
        // A command a line, so that changes can be read.
        let text = JSONText.encode(HelpDocument.all).split(separator: "},{\"arguments\"").joined(
            separator: "},\n{\"arguments\"")
        try Self.compare(text + "\n", with: "help.json")
    }
}
