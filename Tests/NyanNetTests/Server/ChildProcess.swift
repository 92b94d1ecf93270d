import Glibc
import NyanTestKit

/// Runs the programs these tests need.
nonisolated enum ChildProcess {
    struct Failed: Error { var program: String }

    /// Starts a program; its standard input and output are pipes.
    static func start(_ arguments: [String]) throws -> (pid: pid_t, input: Int32, output: Int32) {
        var toChild: [Int32] = [0, 0]
        var fromChild: [Int32] = [0, 0]
        guard pipe(&toChild) == 0, pipe(&fromChild) == 0 else { throw Failed(program: arguments[0]) }
        for end in toChild + fromChild { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer {
            close(toChild[0])
            close(fromChild[1])
        }
        let pid = try Spawning.start(arguments) { actions in
            posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
            posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        }
        return (pid, toChild[1], fromChild[0])
    }

    /// Runs a program to its end.
    static func run(_ arguments: [String]) throws {
        let child = try start(arguments)
        close(child.input)
        _ = readAll(child.output)
        var status: Int32 = 0
        waitpid(child.pid, &status, 0)
        guard status == 0 else { throw Failed(program: arguments[0]) }
    }

    /// Reads to the end and closes.
    static func readAll(_ descriptor: Int32) -> [UInt8] {
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65536)
        while case let count = read(descriptor, &room, room.count), count > 0 { bytes += room[..<count] }
        return bytes
    }

    static func readLine(_ descriptor: Int32) -> String {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1, byte != 10 { bytes.append(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
