import Glibc
import NyanTestKit
import Testing

/// A child process: a tool that makes fixtures, or a sound server.
nonisolated struct Child {
    let pid: pid_t

    init?(_ arguments: [String], environment: [String: String] = [:], output: String = "/dev/null") {
        let usual = ["PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LC_ALL": "C"]
        let child = try? Spawning.start(arguments, environment: usual.merging(environment) { $1 }) { actions in
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        }
        guard let child else { return nil }
        pid = child
    }

    @discardableResult
    func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        return status
    }

    func kill(_ signal: Int32 = SIGKILL) { Glibc.kill(pid, signal) }

    /// Runs a tool to its end.
    static func run(_ arguments: [String], environment: [String: String] = [:], output: String = "/dev/null") -> Bool {
        Child(arguments, environment: environment, output: output)?.wait() == 0
    }
}

/// The bytes of a file; empty when it cannot be read.
nonisolated func contents(of path: String) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return [] }
    defer { close(file) }
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 20)
    while true {
        let count = read(file, &block, block.count)
        guard count > 0 else { return bytes }
        bytes += block[..<count]
    }
}

nonisolated func write(_ bytes: [UInt8], to path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    _ = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
}
