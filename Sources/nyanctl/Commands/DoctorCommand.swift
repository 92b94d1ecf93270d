import NyanCore
import NyanDBus
import NyanWire

/// `doctor`: the daemon looks, this shows; where there is no daemon, as much as a client can see.
@MainActor enum DoctorCommand {
    /// The daemon's own limits are below it.
    private static let patience: Duration = .seconds(15)

    static func run(_ invocation: Invocation) throws(Ending) {
        let client: NyanClient
        do throws(ClientFailure) {
            client = try NyanClient(timeout: invocation.timeout ?? patience)
        } catch {
            var absence = AbsenceLook.files()
            if case .noBus(let message) = error { absence.busTrouble = message }
            throw end(absence, Daemon.ending(error), invocation)
        }
        let values: [BusValue]
        do throws(ClientFailure) {
            values = try client.call(NyandInterfaces.doctor, "Examine")
        } catch {
            let isStarting = error == .silent && client.isAlone
            guard isStarting || error == .absent else { throw Daemon.ending(error) }
            let ending = isStarting ? Daemon.notStarted : Daemon.ending(error)
            throw end(AbsenceLook.whole(client), ending, invocation)
        }
        guard let findings = values.first.flatMap(FindingCoding.findings) else {
            throw Daemon.ending(.misunderstood("Examine"))
        }
        // The daemon is older or newer, and still answers.
        let running = VersionLook.running(client)
        let version = VersionLook.finding(running)
        show(findings.map { $0.check == .daemon ? version ?? $0 : $0 }, invocation)
        if findings.contains(where: { $0.state == .problem }) { throw .quietly(1) }
    }

    /// Shows why there is no daemon. Its lines are the answer of a person; a script has the usual error too.
    private static func end(_ absence: MissingDaemon, _ ending: Ending, _ invocation: Invocation) -> Ending {
        show(absence.findings, invocation)
        guard !invocation.asJSON, case .failed(_, _, let status) = ending else { return ending }
        return .quietly(status)
    }

    private static func show(_ findings: [Finding], _ invocation: Invocation) {
        if invocation.asJSON { return Terminal.print(JSONText.encode(findings.map { FindingDocument($0) })) }
        for line in FindingText.lines(findings) { Terminal.print(line) }
    }
}

/// A finding as `--json` has it (docs/doctor.md).
struct FindingDocument: Encodable {
    var check: String
    var state: String
    var message: String
    var advice: Nullable<String>
    var packages: [String]
    var elements: [String]

    init(_ finding: Finding) {
        check = finding.check.rawValue
        state = finding.state.rawValue
        message = finding.message
        advice = Nullable(finding.advice.isEmpty ? nil : finding.advice)
        packages = finding.packages
        elements = finding.elements
    }
}
