import Glibc
import Synchronization

/// A real dbus-daemon of its own for one test: no service files, no other clients.
///
/// Ends with the last reference. `kill()` takes the bus away under its clients.
public final class PrivateBus {
    /// What clients connect to.
    public let address: String
    private let processID: pid_t
    private let folder: String
    private var isRunning = true

    /// Starts the daemon and waits until it listens; blocks for some 10 ms.
    /// - Parameter services: a folder of D-Bus service files the bus may start, for tests of activation.
    /// - Throws: `Trouble` where the daemon cannot be started.
    public init(services: String? = nil) throws {
        folder = try Self.makeFolder()
        let configuration = folder + "/bus.conf"
        try Self.write(Self.configuration(services: services), to: configuration)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Trouble("pipe", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        do {
            processID = try Self.spawn(configuration, addressTo: ends[1])
            close(ends[1])
            RunningBuses.add(processID)
        } catch {
            close(ends[1])
            throw error
        }
        address = Self.readLine(ends[0])
        guard !address.isEmpty else {
            end(SIGKILL)
            throw Trouble("dbus-daemon gave no address", 0)
        }
    }

    isolated deinit { end(SIGTERM) }

    /// Ends the bus at once, as if it had crashed; its clients see the connection close.
    public func kill() { end(SIGKILL) }

    /// Stops the daemon from answering without closing anything; `resume` lets it go on.
    public func freeze() { Glibc.kill(processID, SIGSTOP) }

    public func resume() { Glibc.kill(processID, SIGCONT) }

    private func end(_ signal: Int32) {
        guard isRunning else { return }
        isRunning = false
        RunningBuses.remove(processID)
        Glibc.kill(processID, signal)
        if signal != SIGKILL { Glibc.kill(processID, SIGCONT) }
        var status: Int32 = 0
        while waitpid(processID, &status, 0) < 0, errno == EINTR {}
        unlink(folder + "/bus.conf")
        unlink(folder + "/socket")
        rmdir(folder)
    }

    /// What went wrong while starting.
    public struct Trouble: Error, CustomStringConvertible {
        public let description: String

        init(_ what: String, _ code: Int32) {
            description = code == 0 ? what : "\(what): \(String(cString: strerror(code)))"
        }
    }
}

extension PrivateBus {
    private static func makeFolder() throws -> String {
        var template = Array("/tmp/nyan-bus-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Trouble("mkdtemp", errno) }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private static func configuration(services: String?) -> String {
        let activation = services.map { "<servicedir>\($0)</servicedir>" } ?? ""
        return """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>session</type>
              <listen>unix:tmpdir=/tmp</listen>
              <auth>EXTERNAL</auth>
              \(activation)
              <policy context="default">
                <allow send_destination="*" eavesdrop="true"/>
                <allow eavesdrop="true"/>
                <allow own="*"/>
              </policy>
              <limit name="max_incoming_bytes">1000000000</limit>
              <limit name="max_outgoing_bytes">1000000000</limit>
              <limit name="max_message_size">1000000000</limit>
              <limit name="max_incoming_unix_fds">250000000</limit>
              <limit name="max_outgoing_unix_fds">250000000</limit>
              <limit name="max_message_unix_fds">4096</limit>
              <limit name="max_replies_per_connection">50000</limit>
              <limit name="max_match_rules_per_connection">50000</limit>
            </busconfig>

            """
    }

    private static func write(_ text: String, to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Trouble(path, errno) }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw Trouble(path, errno) }
    }

    private static func spawn(_ configuration: String, addressTo end: Int32) throws -> pid_t {
        let words = ["dbus-daemon", "--config-file=" + configuration, "--nofork", "--nosyslog", "--print-address=1"]
        do throws(Program.Trouble) {
            return try Spawning.start(words) { actions in
                posix_spawn_file_actions_adddup2(&actions, end, 1)
                // It complains about limits it may not raise.
                posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
            }
        } catch {
            throw Trouble(error.what, error.code)
        }
    }

    private static func readLine(_ end: Int32) -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = read(end, &byte, 1)
            if count < 0, errno == EINTR { continue }
            guard count == 1, byte != UInt8(ascii: "\n") else { break }
            line.append(byte)
        }
        return String(decoding: line, as: UTF8.self)
    }
}

/// The daemons to end with the process, should a test keep its bus for ever (a reference cycle does).
nonisolated private enum RunningBuses {
    private static let processIDs = Mutex<Set<pid_t>>([])

    /// Evaluated once, at the first bus.
    private static let atExit: Int32 = atexit { @Sendable in
        for processID in RunningBuses.processIDs.withLock({ $0 }) { Glibc.kill(processID, SIGKILL) }
    }

    static func add(_ processID: pid_t) {
        _ = atExit
        processIDs.withLock { _ = $0.insert(processID) }
    }

    static func remove(_ processID: pid_t) { processIDs.withLock { _ = $0.remove(processID) } }
}
