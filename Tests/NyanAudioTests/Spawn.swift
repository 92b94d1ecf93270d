import Glibc
import Testing

/// A child process: a tool that makes fixtures, or a sound server.
nonisolated struct Child {
    let pid: pid_t

    /// Starts a program with an empty signal mask: a child of a Dispatch thread inherits an all-blocked one and could
    /// not be stopped (swift-facts.md §2.3).
    init?(_ arguments: [String], environment: [String: String] = [:], output: String = "/dev/null") {
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
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var variables = ["PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/tmp", "LC_ALL=C"]
        variables += environment.map { "\($0.key)=\($0.value)" }
        let argv = arguments.map { strdup($0) } + [nil]
        let envp = variables.map { strdup($0) } + [nil]
        defer { (argv + envp).forEach { free($0) } }
        var pid: pid_t = 0
        guard posix_spawnp(&pid, arguments[0], &actions, &attributes, argv, envp) == 0 else { return nil }
        self.pid = pid
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
