import Dispatch
import Glibc
import Testing

/// A private PulseAudio with one null sink, whose monitor can be recorded.
final class SoundServer {
    private let directory: String
    private var child: Child?

    /// The socket clients use; `PULSE_SERVER` is set to it for this process.
    private var socket: String { directory + "/native" }

    init() {
        directory = Sounds.directory + "/pulse"
        mkdir(directory, 0o700)
        setenv("PULSE_SERVER", "unix:" + socket, 1)
    }

    isolated deinit { stop() }

    private var environment: [String: String] {
        ["XDG_RUNTIME_DIR": directory, "HOME": directory, "PULSE_SERVER": "unix:" + socket]
    }

    /// - Returns: whether the server answers.
    func start() async -> Bool {
        unlink(socket)
        child = Child(
            [
                "pulseaudio", "-n", "-F", "/dev/null", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no",
                "--system=false", "-L", "module-null-sink sink_name=null rate=44100",
                "-L", "module-native-protocol-unix auth-anonymous=1 socket=" + socket,
            ], environment: environment)
        for _ in 0..<100 {
            if access(socket, F_OK) == 0, Child.run(["pactl", "info"], environment: environment) { return true }
            await withCheckedContinuation { wake in
                DispatchQueue.main.asyncAfter(deadline: .now() + 0.05) { wake.resume() }
            }
        }
        return false
    }

    /// Kills the server as a crash would.
    func stop() {
        child?.kill()
        child?.wait()
        child = nil
    }

    func control(_ arguments: [String]) { _ = Child.run(["pactl"] + arguments, environment: environment) }

    /// What pactl says of the streams.
    func streams() -> String {
        let path = directory + "/streams"
        _ = Child.run(["pactl", "list", "sink-inputs"], environment: environment, output: path)
        return String(decoding: contents(of: path), as: UTF8.self)
    }

    /// The number of the only stream.
    func stream() -> String? {
        streams().split(separator: "\n").first { $0.hasPrefix("Sink Input #") }.map { String($0.dropFirst(12)) }
    }

    /// Records the monitor until the child is killed.
    func record(to path: String) -> Child? {
        Child(
            ["parec", "--raw", "--format=s16le", "--rate=44100", "--channels=2", "-d", "null.monitor"],
            environment: environment, output: path)
    }
}
