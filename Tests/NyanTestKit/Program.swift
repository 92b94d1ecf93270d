import Dispatch
public import Glibc

/// A program started by a test, with its three standard streams. Killed with the last reference.
public final class Program {
    /// How a program ended and what it wrote.
    public struct Outcome: Sendable, Equatable {
        /// The exit status, or 128 + the signal's number.
        public let status: Int32
        public let output: String
        public let errors: String
    }

    public let processID: pid_t
    private let outputEnd: Int32
    private let errorPath: String
    private var ended: Task<Int32, Never>
    /// Output read so far but not yet handed out.
    private var pending: [UInt8] = []

    /// Starts a program. Standard error goes to a file, so that a test that fails can show it.
    public init(_ words: [String], environment: [String: String], input: String? = nil) throws {
        var template = Array("/tmp/nyan-stderr-XXXXXX".utf8CString)
        let errorFile = mkstemp(&template)
        errorPath = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        var output: [Int32] = [-1, -1]
        var typed: [Int32] = [-1, -1]
        guard errorFile >= 0, pipe(&output) == 0, pipe(&typed) == 0 else {
            throw Trouble(what: "pipe", code: errno)
        }
        for end in output + typed { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let child = try Self.spawn(words, environment, (typed[0], output[1], errorFile))
        for end in [typed[0], output[1], errorFile] { close(end) }
        if let input { _ = Array(input.utf8).withUnsafeBytes { write(typed[1], $0.baseAddress, $0.count) } }
        close(typed[1])
        processID = child
        outputEnd = output[0]
        ended = Task.detached {
            await withCheckedContinuation { done in
                DispatchQueue.global().async { done.resume(returning: Self.reap(child)) }
            }
        }
    }

    isolated deinit {
        Glibc.kill(processID, SIGKILL)
        close(outputEnd)
        unlink(errorPath)
    }

    public func send(_ signal: Int32) { Glibc.kill(processID, signal) }

    /// Waits for its end.
    public func status() async -> Int32 { await ended.value }

    /// Waits for its end and gives everything it wrote.
    public func outcome() async -> Outcome {
        let end = outputEnd
        let earlier = pending
        let bytes = await Self.offMain { Self.readAll(end) }
        return Outcome(
            status: await ended.value, output: String(decoding: earlier + bytes, as: UTF8.self), errors: errors)
    }

    /// What it wrote to standard error so far.
    public var errors: String {
        let file = open(errorPath, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        return String(decoding: Self.readAll(file), as: UTF8.self)
    }

    /// The next line of standard output; nil at its end.
    public func line() async -> String? {
        while true {
            if let newline = pending.firstIndex(of: 10) {
                let line = String(decoding: pending[..<newline], as: UTF8.self)
                pending.removeFirst(newline + 1)
                return line
            }
            let end = outputEnd
            let bytes = await Self.offMain { Self.readSome(end) }
            guard !bytes.isEmpty else { return nil }
            pending += bytes
        }
    }

    public nonisolated struct Trouble: Error { public let what: String, code: Int32 }

    private static func offMain(_ work: @escaping @Sendable () -> [UInt8]) async -> [UInt8] {
        await withCheckedContinuation { done in DispatchQueue.global().async { done.resume(returning: work()) } }
    }

    nonisolated private static func readSome(_ end: Int32) -> [UInt8] {
        var chunk = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = read(end, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            return count > 0 ? Array(chunk[..<count]) : []
        }
    }

    nonisolated private static func readAll(_ end: Int32) -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let some = readSome(end)
            if some.isEmpty { return all }
            all += some
        }
    }

    nonisolated static func reap(_ child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 { if errno != EINTR { return -1 } }
        return status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f)
    }

    static func spawn(
        _ words: [String], _ environment: [String: String], _ streams: (Int32, Int32, Int32)
    ) throws(Trouble) -> pid_t {
        try Spawning.start(words, environment: environment) { actions in
            posix_spawn_file_actions_adddup2(&actions, streams.0, 0)
            posix_spawn_file_actions_adddup2(&actions, streams.1, 1)
            posix_spawn_file_actions_adddup2(&actions, streams.2, 2)
        }
    }
}
