import Dispatch
import FoundationEssentials
import Glibc
import NyanTestKit
import Testing

/// A daemon that has nothing to do does nothing: a laptop's processor may sleep.
@Suite("Idle, whole", .serialized, .timeLimit(.minutes(4)))
struct IdleTests {
    /// One use of the pool of threads that Swift and Dispatch share makes libdispatch wake up every second until the
    /// process ends; so does any forgotten timer of ours.
    @Test("an idle daemon does not wake up: paused, after a play and a download", .timeLimit(.minutes(2)))
    func sleeps() async throws {
        let house = try await House()
        // A system bus is listened to all the while.
        let systemBus = try PrivateBus()
        defer { withExtendedLifetime(systemBus) {} }
        house.environment["DBUS_SYSTEM_BUS_ADDRESS"] = systemBus.address
        let daemon = try await house.startDaemon()
        try await house.signIn()
        // From a playlist, with large segments; then an MP3 whose length is counted.
        for id in ["123456_456239999", "123456_456239965"] {
            #expect(try await house.ctl("play", id).status == 0)
            try await house.until("it plays") { try await house.status().state == "playing" }
        }
        #expect(try await house.ctl("pause").status == 0)
        try await house.until("it pauses") { try await house.status().state == "paused" }
        let download = try await house.ctl("download", "123456_456239999", "123456_456239965", "--wait")
        #expect(download.status == 0, "\(download.errors)")
        // Threads that found no more work end after five seconds; after that nothing moves.
        try await house.until("five seconds pass with hardly a wakeup") {
            let before = house.wakeups(of: daemon)
            await Self.fiveSeconds()
            return house.wakeups(of: daemon).reduce(0) { $0 + $1.value - (before[$1.key] ?? 0) } <= 2
        }
        #expect(try await house.status().state == "paused")
    }

    /// The time that is measured; nothing is waited for.
    static func fiveSeconds() async {
        await withCheckedContinuation { done in
            DispatchQueue.main.asyncAfter(deadline: .now() + 5) { done.resume() }
        }
    }
}

extension House {
    /// How often each thread of a program was put to sleep or interrupted so far.
    func wakeups(of program: Program) -> [String: Int] { wakeups(of: program.processID) }

    func wakeups(of process: pid_t) -> [String: Int] {
        let tasks = "/proc/\(process)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return threads.reduce(into: [:]) { found, thread in
            // A thread may end between being listed and being read.
            guard let status = try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8) else { return }
            let lines = status.split(separator: "\n").filter { $0.contains("voluntary_ctxt_switches:") }
            found[thread] = lines.compactMap { $0.split(separator: "\t").last.flatMap { Int($0) } }.reduce(0, +)
        }
    }
}
