import NyanTestKit
import Testing

@testable import NyanWords

/// Every entry of the catalogue, and that the catalogue is whole.
@Suite("The catalogue", .serialized)
struct CatalogueTests {
    /// An entry as a translator reads it.
    struct Entry: Sendable, CustomTestStringConvertible {
        var english: String
        var russian: String
        var testDescription: String { english }
    }

    static let entries = Russian.text.split(separator: "\n").compactMap { line -> Entry? in
        let parts = line.split(separator: "\t", maxSplits: 1).map(unfolded)
        return parts.count == 2 ? Entry(english: parts[0], russian: parts[1]) : nil
    }

    private static func unfolded(_ text: Substring) -> String {
        text.components("\\\\").map { $0.components("\\n").joined(separator: "\n") }.joined(separator: "\\")
    }

    /// What stands in the holes: numbers where the Russian counts, words of nobody's language elsewhere.
    private static func arguments(_ entry: Entry, _ number: Int) -> [String] {
        (1...9).map { hole in
            ["|", "#"].contains { entry.russian.contains("{%\(hole)\($0)") } ? "\(number)" : "Щ\(hole)щ"
        }
    }

    /// The English template with its holes filled.
    private static func filled(_ text: String, _ arguments: [String]) -> String {
        arguments.enumerated().reduce(text) { replaced($0, "%\($1.offset + 1)", $1.element) }
    }

    /// The Russian one, its braces read another way than the catalogue does.
    private static func expected(_ text: String, _ arguments: [String], _ number: Int) -> String {
        var result = ""
        var rest = text[...]
        while let open = rest.firstRange(of: "{%")?.lowerBound {
            result += rest[..<open]
            let close = rest[open...].firstIndex(of: "}") ?? rest.endIndex
            let forms = rest[rest.index(after: open)..<close].split(separator: "|", omittingEmptySubsequences: false)
            result += forms.count > 1 ? String(forms[form(number)]) : String(forms[0].prefix(2))
            rest = rest[close...].dropFirst()
        }
        return filled(result + rest, arguments)
    }

    private static func form(_ number: Int) -> Int {
        if (11...14).contains(number % 100) { return 3 }
        return number % 10 == 1 ? 1 : (2...4).contains(number % 10) ? 2 : 3
    }

    private static func replaced(_ text: String, _ what: String, _ by: String) -> String {
        var result = ""
        var rest = text[...]
        while !rest.isEmpty {
            if rest.hasPrefix(what) {
                result += by
                rest = rest.dropFirst(what.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result
    }

    @Test("every sentence finds its Russian, with each argument in its place", arguments: entries)
    func roundTrip(entry: Entry) {
        // What only joins others needs others that are known.
        let joints = ["%1, %2", "%1; %2", "%1: %2", "%1 and %2", "%1 (%2)"]
        guard !joints.contains(entry.english) else { return }
        for number in [1, 3, 11] {
            let arguments = Self.arguments(entry, number)
            let isBehind = entry.english.hasPrefix("^")
            let english = Self.filled(isBehind ? "a.key " + entry.english.dropFirst() : entry.english, arguments)
            let russian = (isBehind ? "a.key" : "") + Self.expected(entry.russian, arguments, number)
            #expect(Catalogue.russian.said(english) == russian)
        }
    }

    @Test("every sentence of the sources is in the catalogue, and the catalogue has no others")
    @MainActor func isWhole() async throws {
        #expect(Self.entries.count > 700)
        let outcome = try await Program(
            ["/usr/bin/python3", Self.root + "/scripts/words"],
            environment: ["LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin"]
        ).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test("the catalogue is a PO file as gettext's own tools want it")
    @MainActor func isPO() async throws {
        let words = ["/usr/bin/msgfmt", "--check", "-o", "/dev/null", Self.root + "/dist/po/ru.po"]
        let outcome = try await Program(words, environment: ["LC_ALL": "C.UTF-8"]).outcome()
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
}

extension StringProtocol {
    /// The pieces between the separators.
    fileprivate func components(_ separator: String) -> [String] {
        var pieces = [""]
        var rest = self[...]
        while let next = rest.first {
            if rest.hasPrefix(separator) {
                pieces.append("")
                rest = rest.dropFirst(separator.count)
            } else {
                pieces[pieces.count - 1].append(next)
                rest = rest.dropFirst()
            }
        }
        return pieces
    }
}
