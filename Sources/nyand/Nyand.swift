import CSystem
import Dispatch
import Glibc
import NyanCore
import NyanDBus
import NyanService
import NyanStore
import NyanWire

/// The daemon's process: options, settings, the bus, then the parts that live until somebody asks to stop.
@main
enum Nyand {
    static func main() {
        let options: DaemonOptions
        do throws(DaemonOptions.Mistake) {
            options = try DaemonOptions(Array(CommandLine.arguments.dropFirst()))
        } catch {
            ExitCode.stop(.badSettings, "\(error.message); `nyand --help` lists the options")
        }
        switch options.action {
        case .help: show(DaemonOptions.usage)
        case .version: show("nyand \(Names.version)")
        case .printDefaultConfig: show(Settings.commentedDefaults)
        case .run: run(options)
        }
    }

    private static func show(_ text: String) {
        var bytes = Array((text.hasSuffix("\n") ? text : text + "\n").utf8)
        _ = bytes.withUnsafeMutableBytes { write(1, $0.baseAddress, $0.count) }
    }

    private static func run(_ options: DaemonOptions) -> Never {
        nyan_use_one_heap()
        // Tokens live in this process: no core dump, no other process of this user may read its memory.
        _ = nyan_forbid_dumps()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        umask(0o077)
        // Otherwise it writes to the system's log that an ordinary user's threads get no higher priority.
        setenv("LIBDISPATCH_LOG", "NO", 0)
        signals = ProcessSignals(stop: stop, reload: reload)
        let log = Log(level: options.logLevel, toJournal: JournalStream.isStandardError())
        let places = Places()
        let path = options.configPath ?? places.configFile
        let settings = readSettings(path, mustExist: options.configPath != nil)
        let connection = openBus()
        requireFree(connection)
        claim(places.state, connection)
        Task.onMain {
            do throws(Failure) {
                let daemon = try await Daemon(
                    settings: settings, settingsPath: path, settingsMustExist: options.configPath != nil,
                    places: places, connection: connection, log: log)
                signals?.beganToServe()
                running = daemon
                try daemon.serve()
                if isReloadWanted { reload() }
            } catch {
                ExitCode.stop(.failed, error.message)
            }
        }
        dispatchMain()
    }

    /// Keeps the daemon's parts alive.
    private static var running: Daemon?
    private static var signals: ProcessSignals?
    /// One nyand at a time works with this user's queue, library and downloads.
    private static var lock: PlaceLock?
    /// The settings may have been read before the signal came: they are read again once everything is there.
    private static var isReloadWanted = false

    private static func stop() { running?.stop() }

    private static func reload() {
        // What is wrong with the file is logged; a signal has no answer.
        if let running { try? running.reload() } else { isReloadWanted = true }
    }

    static func readSettings(_ path: String, mustExist: Bool) -> Settings {
        do throws(SettingsError) {
            return try SettingsFile.read(path, mustExist: mustExist)
        } catch {
            ExitCode.stop(.badSettings, "\(path): \(error.description)")
        }
    }

    private static func openBus() -> Connection {
        do throws(BusError) {
            let address = try BusAddress.session.resolved()
            let connection = try Connection.open(.address(address))
            // The keyring's library looks nowhere else: it is to find the bus we are on.
            setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
            return connection
        } catch {
            ExitCode.stop(
                .noBus,
                "no session bus: DBUS_SESSION_BUS_ADDRESS names none that answers (\(error.message)); "
                    + "start nyand from your desktop session, or under `dbus-run-session`")
        }
    }

    /// Ends at once where another daemon holds the name, before anything of the user's is touched.
    private static func requireFree(_ connection: Connection) {
        guard let holder = try? connection.processIDBlocking(of: Names.nyand) else { return }
        ExitCode.stop(.nameTaken, "nyand is already running on this bus as process \(holder)")
    }

    /// Another nyand of this user, be it on another bus, would take this one's queue and downloads for its own. One that was
    /// asked to stop a moment ago is waited for: it ends within three seconds. On this bus its name tells it apart.
    private static func claim(_ folder: String, _ connection: Connection) {
        var holder: pid_t?
        for _ in 0..<200 {
            switch PlaceLock.take(in: folder) {
            case .taken(let lock): return Nyand.lock = lock
            // What cannot be written is told where it is opened.
            case .none: return
            case .held(let process): holder = process
            }
            requireFree(connection)
            var pause = timespec(tv_sec: 0, tv_nsec: 20_000_000)
            nanosleep(&pause, nil)
        }
        let process = holder.map { " as process \($0)" } ?? ""
        ExitCode.stop(
            .nameTaken,
            "nyand is already running\(process) with the same queue, \(folder), and has no name on this bus: "
                + "stop that one first")
    }
}
