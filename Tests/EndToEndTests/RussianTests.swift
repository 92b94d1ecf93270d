import FoundationEssentials
import NyanTestKit
import Testing

/// What a Russian sees of the real programs, and what scripts see: the same as ever.
@Suite("In Russian, whole", .serialized, .timeLimit(.minutes(1)))
struct RussianTests {
    private func ctl(_ house: House, _ words: [String], _ language: String) async throws -> Program.Outcome {
        var environment = house.environment
        environment["LANG"] = language
        return try await Program([House.programs + "/nyanctl"] + words, environment: environment).outcome()
    }

    private func hasCyrillic(_ text: String) -> Bool {
        text.unicodeScalars.contains { (0x410...0x44F).contains($0.value) }
    }

    @Test("commands answer in Russian with the same exit status; JSON and its errors are the same bytes in both")
    func everything() async throws {
        let house = try await House()
        // The daemon's own language is nobody's business: it answers in English, and whoever asks translates.
        house.environment["LANG"] = "ru_RU.UTF-8"
        try await house.startDaemon()
        let commands: [[String]] = [
            ["status"], ["play", "ничего такого"], ["downloads"], ["help"], ["queue"], ["whoami"], ["sync"],
            ["playlist"],
            ["next"], ["sleep", "x"], ["nonsense"], ["keep"], ["music"], ["history"],
        ]
        for words in commands {
            let english = try await ctl(house, words, "C.UTF-8")
            let russian = try await ctl(house, words, "ru_RU.UTF-8")
            #expect(russian.status == english.status, "\(words)")
            #expect(
                !hasCyrillic(english.output + english.errors.replacing("ничего такого", with: "")),
                "\(words) \(english)")
            #expect(hasCyrillic(russian.output + russian.errors), "\(words) \(russian)")
            let scripts = try await ctl(house, ["--json"] + words, "C.UTF-8")
            #expect(try await ctl(house, ["--json"] + words, "ru_RU.UTF-8") == scripts, "\(words)")
        }
        #expect(
            try await ctl(house, ["play", "нет"], "ru_RU.UTF-8").errors
                == "nyanctl: в библиотеке нет треков по запросу «нет»\n")
        let log = house.daemon?.errors ?? ""
        #expect(!log.isEmpty && !hasCyrillic(log), "the journal is in English")
    }

    @Test("a notice beside JSON is English, too: who asked for JSON is a program")
    func notices() async throws {
        let house = try await House()
        try await house.startDaemon()
        try await house.signIn()
        #expect(try await house.ctl("playlists").status == 0)
        await house.stopServer()
        let person = try await ctl(house, ["playlists"], "ru_RU.UTF-8")
        #expect(person.errors.hasPrefix("показано то, что было в прошлый раз: "), "\(person)")
        let scripts = try await ctl(house, ["playlists", "--json"], "ru_RU.UTF-8")
        #expect(scripts.errors.hasPrefix("shown as it was read last"), "\(scripts.errors)")
        #expect(!hasCyrillic(scripts.errors))
    }

    @Test("without a daemon the person is told in Russian what to do")
    func absent() async throws {
        let house = try await House(server: nil)
        let answer = try await ctl(house, ["status"], "ru_RU.UTF-8")
        #expect(answer.status == 3)
        #expect(answer.errors.hasPrefix("nyanctl: nyand не запущен: запустите его командой `"), "\(answer)")
        #expect(answer.errors.hasSuffix("nyand &`; подробности — `nyanctl doctor`\n"), "\(answer)")
    }
}
