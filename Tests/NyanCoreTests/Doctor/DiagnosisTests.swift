import NyanCore
import Testing

/// What the doctor's facts mean, row by row.
@Suite("Diagnosis")
struct DiagnosisTests {
    private static func sound(_ change: (inout SoundFacts) -> Void = { _ in }) -> SoundFacts {
        var facts = SoundFacts(sink: "auto")
        facts.server = .answers
        facts.decoders = [
            .init(.mp3, name: "MP3", element: "mpg123audiodec", missing: nil),
            .init(.aac, name: "AAC", element: "avdec_aac", missing: nil),
            .init(.flac, name: "FLAC", element: "flacdec", missing: nil),
        ]
        change(&facts)
        return facts
    }

    private func line(_ check: Finding.Check, of findings: [Finding]) throws -> Finding {
        try #require(findings.first { $0.check == check })
    }

    @Test("a whole installation is ok, line by line, in a fixed order")
    func whole() {
        let findings = Diagnosis.sound(Self.sound())
        #expect(findings.map(\.check) == [.pieces, .mp3, .aac, .flac, .sink, .server])
        #expect(findings.allSatisfy { $0.state == .ok && $0.advice.isEmpty && $0.packages.isEmpty })
    }

    @Test(
        "a missing decoder names its package and its element; without AAC VK's tracks still play",
        arguments: [
            (0, Finding.Check.mp3, "mpg123audiodec", "gstreamer1.0-plugins-good", Finding.State.problem),
            (1, .aac, "avdec_aac", "gstreamer1.0-libav", .note),
            (2, .flac, "flacdec", "gstreamer1.0-plugins-good", .problem),
        ])
    func decoders(
        place: Int, check: Finding.Check, element: String, package: String, state: Finding.State
    ) throws {
        let facts = Self.sound { $0.decoders[place].missing = MissingElement(element, in: package) }
        let finding = try line(check, of: Diagnosis.sound(facts))
        #expect(finding.state == state)
        #expect(finding.packages == [package] && finding.elements == [element])
        #expect(finding.message.contains(element) && finding.advice.contains(package))
    }

    @Test("what every sound needs is named once per package, and GStreamer that does not start skips the rest")
    func pieces() throws {
        let missing = [
            MissingElement("appsrc", in: "gstreamer1.0-plugins-base"),
            MissingElement("volume", in: "gstreamer1.0-plugins-base"),
        ]
        let finding = try line(.pieces, of: Diagnosis.sound(Self.sound { $0.missing = missing }))
        #expect(finding.state == .problem && finding.packages == ["gstreamer1.0-plugins-base"])
        #expect(finding.elements == ["appsrc", "volume"])
        let dead = Diagnosis.sound(Self.sound { $0.trouble = "GStreamer does not start: no" })
        #expect(dead.map(\.state) == [.problem] + Array(repeating: .skipped, count: 5))
        #expect(Set(dead.map(\.check)).count == 6)
    }

    @Test(
        "the output and its server, as the setting and the machine have it",
        arguments: [
            ("auto", SoundFacts.Server.answers, false, AudioOutput.ok, Finding.State.ok, Finding.State.ok),
            ("auto", .answers, false, .lost, .problem, .ok), ("auto", .refuses, false, .ok, .problem, .problem),
            ("auto", .refuses, true, .ok, .ok, .note), ("auto", .silent, true, .ok, .problem, .problem),
            ("auto", .cannotBeAsked(.init("pulsesink", in: "p")), false, .ok, .problem, .problem),
            ("auto", .cannotBeAsked(.init("pulsesink", in: "p")), true, .ok, .ok, .note),
            ("fakesink", .notAsked, false, .ok, .ok, .skipped),
            ("fakesink", .notAsked, false, .lost, .problem, .skipped),
            ("pulsesink device=x", .refuses, true, .ok, .ok, .problem),
        ])
    func output(
        sink: String, server: SoundFacts.Server, hasCard: Bool, output: AudioOutput, sinkState: Finding.State,
        serverState: Finding.State
    ) throws {
        var facts = Self.sound { ($0.server, $0.hasCard, $0.output) = (server, hasCard, output) }
        facts.sink = sink
        let findings = Diagnosis.sound(facts)
        #expect(try line(.sink, of: findings).state == sinkState)
        #expect(try line(.server, of: findings).state == serverState)
        for finding in findings where finding.state == .problem { #expect(!finding.advice.isEmpty, "\(finding)") }
    }

    @Test("a sink of the settings that cannot be made says why")
    func sinkTrouble() throws {
        var facts = Self.sound { ($0.server, $0.sinkTrouble) = (.notAsked, "no element \"foosink\"") }
        facts.sink = "foosink"
        let finding = try line(.sink, of: Diagnosis.sound(facts))
        #expect(finding.state == .problem && finding.message.contains("foosink") && finding.advice.contains("auto"))
    }

    @Test(
        "the keyring matters as far as the login depends on it",
        arguments: [
            (Settings.AccountStore.auto, KeyringState.unlocked, "keyring", Finding.State.ok),
            (.auto, .absent, "file", .ok), (.auto, .absent, "keyring", .ok), (.auto, .locked, "keyring", .problem),
            (.auto, .locked, "file", .note), (.auto, .silent, "file", .note), (.auto, .silent, "keyring", .problem),
            (.auto, .empty, "file", .note), (.auto, .startable, "keyring", .ok),
            (.keyring, .absent, "keyring", .problem),
            (.keyring, .empty, "keyring", .problem), (.keyring, .locked, "keyring", .problem),
            (.file, .absent, "file", .ok), (.file, .locked, "file", .ok),
        ])
    func keyring(setting: Settings.AccountStore, state: KeyringState, place: String, expected: Finding.State) {
        let finding = Diagnosis.keyring(KeyringFacts(setting: setting, state: state, place: place))
        #expect(finding.state == expected, "\(finding)")
        #expect(expected == .ok || !finding.advice.isEmpty)
    }

    @Test("nobody signed in, a refused login, a login that ends soon")
    func account() {
        let account = Account(id: 7, name: "Тест", tracks: 12, login: "token")
        let none = Diagnosis.account(AccountFacts(account: nil))
        #expect(none.state == .problem && none.advice.contains("nyanctl login"))
        let fine = Diagnosis.account(AccountFacts(account: account, endsIn: 30 * 86400))
        #expect(fine.state == .ok && fine.message.contains("Тест") && fine.message.contains("12 tracks"))
        let soon = Diagnosis.account(AccountFacts(account: account, endsIn: 7200))
        #expect(soon.state == .note && soon.message.contains("2 hours"))
        let asked = Failure(.challengeNeeded, "VK wants a code")
        let challenge = Diagnosis.account(AccountFacts(account: account, problem: asked))
        #expect(challenge.state == .problem && challenge.advice.contains("nyanctl answer"))
    }

    @Test("offline mode skips the network; a failure is told as the whole sentence it is")
    func network() {
        let skipped = Diagnosis.network(.offlineMode)
        #expect(skipped.state == .skipped && skipped.message == "offline mode is on")
        #expect(Diagnosis.network(.answered(host: "api.vk.ru", milliseconds: 20)).state == .ok)
        let failed = Diagnosis.network(.failed(Failure(.network, "api.vk.ru cannot be reached.")))
        #expect(failed.state == .problem && failed.message == "api.vk.ru cannot be reached.")
    }

    @Test(
        "room on a disk",
        arguments: [
            (Room.free(5_000_000), Finding.State.problem, "5 MB"), (.free(100_000_000), .note, "100 MB"),
            (.free(9_000_000_000), .ok, "9 GB"), (.free(512), .problem, ": 512 B left"), (.away, .problem, "not there"),
            (.closed, .problem, "cannot be written"),
        ])
    func disk(room: Room, state: Finding.State, words: String) {
        for check in [Finding.Check.music, .library, .state, .cache] {
            let finding = Diagnosis.disk(check, "/m", room)
            #expect(finding.state == state && finding.message.contains(words) && finding.check == check)
            #expect(state == .ok || !finding.advice.isEmpty)
        }
    }

    @Test("settings: a mistake, a change that was not read, none at all")
    func settings() {
        var facts = SettingsFacts(path: "/c", isThere: true)
        #expect(Diagnosis.settings(facts).state == .ok)
        facts.withoutEffect = ["a.b"]
        #expect(Diagnosis.settings(facts).state == .note)
        facts.isChanged = true
        #expect(Diagnosis.settings(facts).advice.contains("nyanctl reload"))
        facts.mistake = "line 3: vk.nonsense is unknown"
        let wrong = Diagnosis.settings(facts)
        #expect(wrong.state == .problem && wrong.message.contains("line 3"))
        #expect(Diagnosis.settings(SettingsFacts(path: "/c", isThere: false)).state == .ok)
    }

    @Test("the trouble of now, else the last of the log, else none")
    func trouble() {
        let logged = (level: "warning", text: "it broke", secondsAgo: 300)
        let now = Diagnosis.trouble(TroubleFacts(problem: Failure(.diskFull, "no room"), logged: logged))
        #expect(now.state == .problem && now.message == "no room (disk-full)")
        let past = Diagnosis.trouble(TroubleFacts(problem: nil, logged: logged))
        #expect(past.state == .note && past.message.contains("warning 5 min ago: it broke"))
        #expect(Diagnosis.trouble(TroubleFacts(problem: nil, logged: nil)).state == .ok)
    }

    @Test("another nyand on the plain MPRIS name is told")
    func names() {
        let plain = NameFacts(processID: 5, version: "1", mpris: "org.mpris.MediaPlayer2.nyand", isPlain: true)
        #expect(Diagnosis.names(plain).map(\.state) == [.ok, .ok])
        let other = NameFacts(processID: 5, version: "1", mpris: "x.instance5", isPlain: false)
        #expect(Diagnosis.names(other).map(\.state) == [.ok, .note])
    }
}
