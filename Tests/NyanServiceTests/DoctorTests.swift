import NyanCore
import NyanTestKit
import Testing

@testable import NyanService

/// The examination as a whole: whatever hangs, it ends, and it does no harm.
@Suite(.timeLimit(.minutes(1)))
struct DoctorTests {
    private final class Ears: SoundExaminer {
        var hangs = false
        var asked = 0

        func examineSound() async -> SoundFacts {
            asked += 1
            while hangs { await settle() }
            var facts = SoundFacts(sink: "auto")
            facts.server = .answers
            return facts
        }
    }

    private struct Disks: RoomSource, FolderExaminer {
        func rooms() async -> [FolderRoom] {
            [FolderRoom("/data", for: .growing, .free(1 << 40)), FolderRoom("/music", for: .music, .away)]
        }
        func room(in folder: String) async -> Room { .free(1 << 40) }
    }

    private let rig = Rig()
    private let ears = Ears()
    private var asked = Asked()

    private final class Asked { var keyring = 0 }

    private func doctor(_ setting: Settings.AccountStore = .auto) -> DoctorService {
        let sources = DoctorService.Sources(
            sound: ears,
            keyring: { [asked] in
                asked.keyring += 1
                return .unlocked
            }, rooms: Disks(), folders: Disks(), stateFolder: "/state", cacheFolder: "/cache",
            unit: { UnitFacts() },
            names: { NameFacts(processID: 1, version: "0", mpris: "m", isPlain: true) },
            settings: { SettingsFacts(path: "/c", isThere: true) },
            trouble: { TroubleFacts(problem: nil, logged: nil) }, loginEndsIn: { nil },
            address: { "https://me:secret@api.test/method" }, keyringSetting: { setting })
        return DoctorService(
            sources, account: rig.account, connectivity: rig.connectivity, http: rig.http, time: rig.time)
    }

    @Test("every check has its line, always in the same order")
    func whole() async {
        let findings = await doctor().examine()
        #expect(
            findings.map(\.check) == [
                .daemon, .names, .pieces, .sink, .server, .keyring, .account, .network, .library, .music, .state,
                .cache, .unit, .activation, .settings, .problem,
            ])
        #expect(findings.first { $0.check == .music }?.state == .problem)
        #expect(rig.http.requests == 1)
    }

    @Test("what hangs is told as hanging, and the rest is told all the same")
    func hanging() async {
        ears.hangs = true
        let doctor = doctor()
        let task = Task { await doctor.examine() }
        while rig.time.waits.isEmpty || ears.asked == 0 { await settle() }
        for _ in 0..<50 { await settle() }
        rig.time.advance(by: .seconds(5))
        let findings = await task.value
        // What still hangs is not begun a second time.
        let again = Task { await doctor.examine() }
        for _ in 0..<50 { await settle() }
        rig.time.advance(by: .seconds(5))
        #expect(await again.value.count == 19 && ears.asked == 1)
        ears.hangs = false
        let late = findings.filter { $0.message.contains("no answer within") }
        #expect(late.map(\.check) == [.pieces, .mp3, .aac, .flac, .sink, .server])
        #expect(findings.first { $0.check == .account }?.state == .ok)
    }

    @Test("in offline mode nothing goes out")
    func offline() async {
        rig.connectivity.setOfflineMode(true)
        let findings = await doctor().examine()
        #expect(findings.first { $0.check == .network }?.state == .skipped)
        #expect(rig.http.requests == 0)
    }

    @Test("a keyring that is not used is left alone, and no name or password of the address is shown")
    func discreet() async {
        let findings = await doctor(.file).examine()
        #expect(asked.keyring == 0)
        #expect(!findings.contains { $0.message.contains("secret") })
    }

    @Test("who asks meanwhile is told the same examination")
    func shared() async {
        let doctor = doctor()
        let tasks = (0..<5).map { _ in Task { await doctor.examine() } }
        for task in tasks { #expect(await task.value.count == 16) }
        #expect(ears.asked == 1)
    }

    @Test("the last warning of the log is kept, also where it is not written")
    func lastTrouble() {
        let log = Log(level: .error)
        log.notice("nothing")
        #expect(log.lastTrouble.line == nil)
        let copy = log
        copy.warning("first\nline")
        #expect(log.lastTrouble.line?.text == "first line" && log.lastTrouble.line?.level == .warning)
    }
}
