import Dispatch
import Glibc

/// A private sound server with two null sinks, `a` (the default) and `b`, whose monitors can be recorded. Killed with the
/// last reference.
public final class Mixer {
    public enum Kind: String, CaseIterable, Sendable {
        /// PulseAudio with nothing but the sinks.
        case pulse
        /// PulseAudio that remembers volumes and devices of streams (module-stream-restore), as desktops have it.
        case restoring
        /// PipeWire with pipewire-pulse and WirePlumber, which remembers too.
        case pipewire

        /// Where memory of streams plays no part.
        public nonisolated static let forgetful: [Kind] = [.pulse, .pipewire]
    }

    public let kind: Kind
    public let directory: String
    private let bus: PrivateBus
    private var children: [pid_t] = []

    public init(_ kind: Kind) throws {
        self.kind = kind
        bus = try PrivateBus()
        var template = Array("/tmp/nyan-mixer-XXXXXX".utf8CString)
        mkdtemp(&template)
        directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    isolated deinit {
        kill()
        _ = run(["/bin/rm", "-rf", directory])
    }

    private var socket: String { directory + (kind == .pipewire ? "/pulse/native" : "/native") }
    /// What clients find the server by.
    public var address: String { "unix:" + socket }

    public var environment: [String: String] {
        [
            "PATH": "/usr/bin:/bin", "HOME": directory, "XDG_RUNTIME_DIR": directory, "LC_ALL": "C.UTF-8",
            "XDG_CONFIG_HOME": directory + "/config", "XDG_STATE_HOME": directory + "/state",
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "PULSE_SERVER": address,
        ]
    }

    /// Starts the server, again after `kill`.
    /// - Returns: whether it answers and has its sinks.
    public func start() async -> Bool {
        unlink(socket)
        unlink(directory + "/pipewire-0")
        for words in programs {
            children.append(spawn(words))
            // WirePlumber gives up where there is no PipeWire yet.
            while words == ["pipewire"], access(directory + "/pipewire-0", F_OK) != 0 { await Self.pause(0.02) }
        }
        for _ in 0..<200 {
            if access(socket, F_OK) == 0, run(["pactl", "info"]), addSinks() { return true }
            startFallen()
            await Self.pause(0.05)
        }
        return false
    }

    /// Starts again what ended by itself: WirePlumber does on a very busy machine, and no stream gets a sink then.
    private func startFallen() {
        for (index, words) in programs.enumerated() where children.indices.contains(index) {
            var status: Int32 = 0
            if waitpid(children[index], &status, WNOHANG) == children[index] { children[index] = spawn(words) }
        }
    }

    private var programs: [[String]] {
        switch kind {
        case .pipewire: return [["pipewire"], ["wireplumber"], ["pipewire-pulse"]]
        case .pulse, .restoring:
            let restore = kind == .restoring ? ["-L", "module-stream-restore"] : []
            return [
                [
                    "pulseaudio", "-n", "-F", "/dev/null", "--daemonize=no", "--exit-idle-time=-1",
                    "--use-pid-file=no", "--system=false",
                ] + restore + ["-L", "module-native-protocol-unix auth-anonymous=1 socket=" + socket]
            ]
        }
    }

    private func addSinks() -> Bool {
        for name in ["a", "b"] where !run(["pactl", "load-module", "module-null-sink", "sink_name=" + name]) {
            return false
        }
        // Whoever puts streams on sinks may come up last: a tenth of a second of silence goes through when all is there.
        let silence = "head -c 17640 /dev/zero | timeout 5 pacat --raw"
        return run(["pactl", "set-default-sink", "a"]) && run(["/bin/sh", "-c", silence])
    }

    /// Ends the server as a crash would.
    public func kill() {
        for child in children {
            Glibc.kill(child, SIGKILL)
            var status: Int32 = 0
            while waitpid(child, &status, 0) < 0, errno == EINTR {}
        }
        children = []
    }

    /// The server does nothing any more, but keeps its connections.
    public func freeze() { for child in children { Glibc.kill(child, SIGSTOP) } }

    public func thaw() { for child in children { Glibc.kill(child, SIGCONT) } }

    /// Runs pactl and gives what it printed.
    @discardableResult
    public func pactl(_ words: String...) -> String {
        let path = directory + "/answer"
        _ = run(["/bin/sh", "-c", "exec pactl \"$@\" >\(path)", "sh"] + words)
        return Self.contents(of: path)
    }

    /// Takes a sink away, as a headset that is pulled out.
    public func remove(_ sink: String) {
        for line in pactl("list", "short", "modules").split(separator: "\n") {
            let fields = line.split(separator: "\t")
            if fields.count > 2, fields[2].split(separator: " ").contains("sink_name=\(sink)") {
                pactl("unload-module", String(fields[0]))
            }
        }
    }

    /// One stream as the server has it: its number, the name of its sink and its volume in per cent.
    public struct Stream: Equatable {
        public let number: String, sink: String?, percent: Int?, isCorked: Bool
    }

    /// The streams that play.
    public func streams() -> [Stream] {
        let sinks = pactl("list", "short", "sinks").split(separator: "\n").map { $0.split(separator: "\t") }
        return pactl("list", "sink-inputs").split(separator: "Sink Input #").dropFirst(0).compactMap { block in
            let lines = block.split(separator: "\n")
            guard let number = lines.first, number.allSatisfy(\.isNumber) else { return nil }
            func value(_ key: String) -> Substring? {
                lines.first { $0.hasPrefix("\t\(key): ") }.map { $0.dropFirst(key.count + 3) }
            }
            let sink = value("Sink").flatMap { index in sinks.first { $0.first == index } }.map { String($0[1]) }
            let percent = value("Volume")?.split(separator: "/").dropFirst().first.flatMap { part in
                Int(part.filter(\.isNumber))
            }
            return Stream(number: String(number), sink: sink, percent: percent, isCorked: value("Corked") == "yes")
        }
    }

    /// Waits until the streams are so, as the server is another process and takes its time, and gives what was seen last.
    public func streams<Part: Equatable>(_ part: KeyPath<Stream, Part>, until wanted: [Part]) async -> [Part] {
        let end = ContinuousClock.now + .seconds(20)
        while true {
            let seen = streams().map { $0[keyPath: part] }
            if seen == wanted || ContinuousClock.now > end { return seen }
            await Self.pause(0.05)
        }
    }

    /// Makes another program play silence as music, so loud that whoever is given its volume hurts.
    public func rememberFullVolume() async {
        let words = "head -c 176400 /dev/zero | pacat --raw --property=media.role=music --volume=65536"
        _ = run(["/bin/sh", "-c", words])
        await Self.pause(0.3)
    }

    private func spawn(_ words: [String], to path: String = "/dev/null") -> pid_t {
        let (none, log) = (open("/dev/null", O_RDWR | O_CLOEXEC), open("/dev/null", O_WRONLY | O_CLOEXEC))
        let output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { for file in [none, log, output] { close(file) } }
        return (try? Program.spawn(words, environment, (none, output, log))) ?? -1
    }

    private func run(_ words: [String]) -> Bool {
        var status: Int32 = 0
        let child = spawn(words)
        while waitpid(child, &status, 0) < 0 { if errno != EINTR { return false } }
        return status == 0
    }

    static func pause(_ seconds: Double) async {
        await withCheckedContinuation { done in
            DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { done.resume() }
        }
    }

    static func contents(of path: String) -> String { String(decoding: bytes(of: path), as: UTF8.self) }

    nonisolated static func bytes(of path: String) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file, &block, block.count)
            guard count > 0 else { return bytes }
            bytes += block[..<count]
        }
    }
}

/// What a sink's monitor gives, from `record` to `end`: 16-bit stereo at 44.1 kHz, here one channel of it.
public final class Recording {
    private let child: pid_t
    private let path: String

    fileprivate init(_ child: pid_t, _ path: String) { (self.child, self.path) = (child, path) }

    /// Samples written so far.
    public var count: Int {
        var about = stat()
        return stat(path, &about) == 0 ? Int(about.st_size) / 4 : 0
    }

    public var samples: [Int16] {
        // By hand: a debug build takes seconds for a minute of sound else, and while it does the recording grows.
        Mixer.bytes(of: path).withUnsafeBytes { raw in
            let frames = raw.bindMemory(to: UInt32.self)
            return [Int16](unsafeUninitializedCapacity: frames.count) { room, count in
                while count < frames.count {
                    room[count] = Int16(truncatingIfNeeded: frames[count])
                    count += 1
                }
            }
        }
    }

    /// Ends the recording and gives it.
    public func end() -> [Int16] {
        Glibc.kill(child, SIGTERM)
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        return samples
    }
}

extension Mixer {
    /// Records what comes out of a sink; returns when the first samples are there.
    public func record(_ sink: String) async -> Recording {
        let path = directory + "/\(sink)-\(ContinuousClock.now.hashValue).pcm"
        let child = spawn(
            [
                "parec", "--raw", "--format=s16le", "--rate=44100", "--channels=2", "--latency-msec=10", "-d",
                sink + ".monitor",
            ], to: path)
        let recording = Recording(child, path)
        for _ in 0..<100 where recording.count == 0 { await Self.pause(0.05) }
        return recording
    }
}
