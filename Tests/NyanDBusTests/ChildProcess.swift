import Dispatch
import Glibc

/// Runs a program to its end while the main queue goes on serving, and gives what it wrote to standard output.
enum ChildProcess {
    struct Outcome: Sendable {
        let status: Int32
        let output: String
    }

    static func run(_ words: [String]) async -> Outcome {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(returning: runBlocking(words)) }
        }
    }

    nonisolated private static func runBlocking(_ words: [String]) -> Outcome {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return Outcome(status: -1, output: "") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        // A thread of Dispatch blocks every signal, and a child would inherit that.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var child: pid_t = 0
        let spawned = posix_spawnp(&child, words[0], &actions, &attributes, &arguments, environ)
        close(ends[1])
        guard spawned == 0 else { return Outcome(status: -1, output: "") }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return Outcome(status: status, output: String(decoding: bytes, as: UTF8.self))
    }
}
