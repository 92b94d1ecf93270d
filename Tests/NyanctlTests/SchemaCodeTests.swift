import FoundationEssentials
import NyanCore
import Testing

@testable import nyanctl

/// docs/json beside the sources. What is really printed is held against it in EndToEndTests.
@Suite("JSON Schema")
struct SchemaCodeTests {
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/docs/json/"

    @Test("The codes of errors are those of the daemon and nyanctl's own")
    func codes() throws {
        struct Schema: Decodable {
            struct Parts: Decodable { let code: Code }
            struct Code: Decodable { let `enum`: [String] }
            let parts: Parts
            enum CodingKeys: String, CodingKey { case parts = "$defs" }
        }
        let text = try String(contentsOfFile: Self.folder + "error.schema.json", encoding: .utf8)
        let listed = try JSONDecoder().decode(Schema.self, from: Data(text.utf8)).parts.code.enum
        let own = ["usage", "daemon-absent", "no-answer", "no-bus", "misunderstood"]
        #expect(listed == Failure.Code.allCases.map(\.rawValue) + own)
    }

    @Test("The checks of the doctor are all of them")
    func checks() throws {
        let text = try String(contentsOfFile: Self.folder + "doctor.schema.json", encoding: .utf8)
        for check in Finding.Check.allCases { #expect(text.contains("\"\(check.rawValue)\""), "\(check)") }
    }
}
