import Dispatch
import FoundationEssentials
import Glibc
import NyanCore
import Testing

@testable import NyanStore

/// Syncs of 10,000 tracks killed at any moment. The child is this test program again, told so by its environment.
@Suite("A sync that is killed", .serialized)
struct KilledSyncTests {
    private static let variable = "NYAN_KILLED_SYNC"
    static let child = getenv(variable).map { String(cString: $0) }

    /// 10,000 tracks of one round: every round renames, adds and removes.
    static func tracks(_ round: Int) -> [Track] {
        (1...10_000).map { number in
            track(Int64(number + round * 37), "Исполнитель \(number % 700)", "Песня \(number) раз \(round)")
        }
    }

    @Test("the child: one sync after the other until it is killed", .enabled(if: child != nil))
    func endless() async throws {
        let database = try await LibraryDatabase.open(try #require(Self.child))
        for round in 0... {
            let tracks = Self.tracks(round)
            // The parent counts from here.
            _ = write(1, "\u{1}", 1)
            try await database.apply(
                SyncPlan(tracks: tracks, added: [], removed: [], unavailable: 0, changesAnything: true))
            _ = write(1, "\u{2}", 1)
        }
    }

    @Test(
        "twenty times: the file is whole each time and holds one list or the next, never half of one",
        .enabled(if: child == nil), .timeLimit(.minutes(5)))
    func killed() async throws {
        let folder = TemporaryFolder()
        let path = folder("library.db")
        var random = Steps(state: 5)
        var lengths: Set<Int> = []
        // How long one takes here: the kills come in the course of one, or just when it ended; on a machine that takes very
        // long for one only in its course.
        let whole = Self.runChild(folder("other.db"), for: 60_000)
        let most = min(max(900, Int32(whole / .milliseconds(1) * 1.2)), 6000)
        for round in 0..<20 {
            // One comes to its end however slow the machine is: what is killed after it had a list before.
            Self.runChild(path, for: round == 8 ? 60_000 : Int32.random(in: 1...most, using: &random))
            let database = try await LibraryDatabase.open(path)
            #expect(database.notice == nil)
            let profile = try await database.profile(matching: nil)
            lengths.insert(profile.count)
            let rounds = Set(profile.map { $0.track.title.split(separator: " ").last ?? "" })
            #expect(rounds.count <= 1 && [0, 10_000].contains(profile.count), "\(rounds) \(profile.count)")
            try await database.reading { connection throws(DatabaseError) in
                #expect(try connection.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
                try connection.run("INSERT INTO words (words) VALUES ('integrity-check')")
            }
        }
        #expect(lengths.contains(10_000), "no sync ever came to its end")
        #expect(!Folder.names(in: folder.path).contains { $0.contains("broken") })
    }

    /// Runs the child and kills it so many milliseconds after a sync began, or just when it ended.
    /// - Returns: how long the sync ran.
    @discardableResult
    private static func runChild(_ path: String, for milliseconds: Int32) -> Duration {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return .zero }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        posix_spawn_file_actions_addclose(&actions, ends[0])
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var mask = sigset_t()
        sigemptyset(&mask)
        posix_spawnattr_setsigmask(&attributes, &mask)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let words = [program, "--testing-library", "swift-testing", "--filter", "KilledSyncTests"]
        var arguments = words.map { strdup($0) } + [nil]
        var environment = [strdup("\(variable)=\(path)"), strdup("PATH=/usr/bin:/bin"), nil]
        var child: pid_t = 0
        let code = posix_spawn(&child, program, &actions, &attributes, &arguments, &environment)
        for word in arguments + environment { free(word) }
        close(ends[1])
        defer { close(ends[0]) }
        guard code == 0 else {
            Issue.record("the child did not start: \(code)")
            return .zero
        }
        // Whatever the test library prints comes before.
        var byte: UInt8 = 0
        while read(ends[0], &byte, 1) == 1, byte != 1 {}
        var end = pollfd(fd: ends[0], events: Int16(POLLIN), revents: 0)
        let begun = ContinuousClock.now
        poll(&end, 1, milliseconds)
        let ran = ContinuousClock.now - begun
        kill(child, SIGKILL)
        waitpid(child, nil, 0)
        return ran
    }
}
