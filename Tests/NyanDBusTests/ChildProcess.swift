import Dispatch
import Glibc
import NyanTestKit

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
        let child = try? Spawning.start(words) { posix_spawn_file_actions_adddup2(&$0, ends[1], 1) }
        close(ends[1])
        guard let child else { return Outcome(status: -1, output: "") }
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
