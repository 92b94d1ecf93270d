import NyanCore
import NyanWords
import Testing

@testable import nyanctl

/// What `doctor` shows a person.
@Suite("Findings in words")
struct FindingTextTests {
    private let failure = Failure(.network, "api.vk.ru cannot be reached.", retry: .later)

    /// As the daemon makes them.
    private var findings: [Finding] {
        [
            Diagnosis.network(.failed(failure)),
            Diagnosis.account(AccountFacts(account: nil, problem: failure)),
            Diagnosis.trouble(TroubleFacts(problem: failure, logged: nil)),
            Diagnosis.disk(.state, "/m", .free(512)),
        ]
    }

    private func messages(_ language: Language) -> [String] {
        let lines = Words.$language.withValue(language) { FindingText.lines(findings) }
        return lines.filter { !$0.contains("→") }
    }

    @Test("a failure is told in the person's language, in a table without its full stop")
    func failures() {
        let english = messages(.english)
        #expect(english[0].hasSuffix("  api.vk.ru cannot be reached"), "\(english)")
        #expect(english[1].hasSuffix("  api.vk.ru cannot be reached"), "\(english)")
        #expect(english[3].hasSuffix("/m has no room: 512 B left"), "\(english)")
        let russian = messages(.russian)
        #expect(russian[0].hasSuffix("  api.vk.ru недоступен"), "\(russian)")
        #expect(russian[1].hasSuffix("  api.vk.ru недоступен"), "\(russian)")
        #expect(russian[2].hasSuffix("  api.vk.ru недоступен. (network)"), "\(russian)")
        #expect(russian[3].hasSuffix("диск с очередью  в /m нет места: осталось 512 Б"), "\(russian)")
    }
}
