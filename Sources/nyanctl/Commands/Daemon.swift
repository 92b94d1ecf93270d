import NyanCore
import NyanDBus
import NyanWire

/// Calls to the daemon, with failures as the run's ending.
@MainActor struct Daemon {
    let client: NyanClient

    init(_ invocation: Invocation) throws(Ending) {
        do throws(ClientFailure) {
            client = try NyanClient(timeout: invocation.timeout)
        } catch {
            throw Self.ending(error)
        }
    }

    /// Does something with the client; what goes wrong ends the run with the right exit status.
    func ask<Answer>(_ question: (NyanClient) throws(ClientFailure) -> Answer) throws(Ending) -> Answer {
        do throws(ClientFailure) {
            return try question(client)
        } catch {
            if error == .silent, client.isAlone { throw Self.notStarted }
            throw Self.ending(error)
        }
    }

    static let misunderstood = "misunderstood"

    static let notStarted = Ending.failed(
        code: "daemon-absent",
        message: "nyand could not be started: `systemctl --user status nyand` says why", status: 3)

    static func ending(_ failure: ClientFailure) -> Ending {
        switch failure {
        case .refused(let failure):
            .failed(code: failure.code.rawValue, message: failure.message, status: failure.code.exitStatus)
        case .absent:
            .failed(
                code: "daemon-absent",
                message: AbsenceLook.sentence(), status: 3)
        case .silent:
            .failed(
                code: "no-answer", message: "nyand did not answer in time; `--timeout SECONDS` waits longer", status: 7)
        case .noBus(let message):
            .failed(
                code: "no-bus",
                message: "there is no session bus (DBUS_SESSION_BUS_ADDRESS): \(message)", status: 3)
        case .misunderstood(let message):
            .failed(
                // `Nyanctl.report` asks for the versions and makes a sentence of it.
                code: misunderstood, message: message, status: 1)
        }
    }
}

extension NyanClient {
    /// Nobody has the name: what did not answer is a daemon that the bus was to start. One kind of bus does not notice
    /// that its unit failed, and would wait for two minutes.
    var isAlone: Bool {
        do throws(BusError) {
            _ = try connection.processIDBlocking(of: Names.nyand)
            return false
        } catch {
            return error.kind == .noOwner
        }
    }
}
