import NyanCore

/// Findings for people: state, check, how it is; below that what to do.
enum FindingText {
    static func lines(_ findings: [Finding]) -> [String] {
        let width = findings.map { label($0.check).utf8.count }.max() ?? 0
        var lines: [String] = []
        for finding in findings {
            let state = padded(finding.state.rawValue, to: 7)
            lines.append("\(state)  \(padded(label(finding.check), to: width))  \(Terminal.printable(finding.message))")
            guard !finding.advice.isEmpty else { continue }
            lines.append(padded("", to: 9 + width + 2) + "→ " + Terminal.printable(finding.advice))
        }
        lines.append(sum(findings))
        return lines
    }

    /// The check in a person's words.
    static func label(_ check: Finding.Check) -> String {
        switch check {
        case .bus: "session bus"
        case .daemon: "nyand"
        case .names: "bus names"
        case .pieces: "GStreamer"
        case .mp3: "MP3 decoder"
        case .aac: "AAC decoder"
        case .flac: "FLAC decoder"
        case .sink: "sound output"
        case .server: "sound server"
        case .keyring: "keyring"
        case .account: "account"
        case .network: "network"
        case .music: "My Music"
        case .library: "library disk"
        case .state: "state disk"
        case .cache: "cache disk"
        case .unit: "systemd unit"
        case .activation: "D-Bus activation"
        case .settings: "settings"
        case .problem: "last problem"
        }
    }

    private static func sum(_ findings: [Finding]) -> String {
        switch findings.count(where: { $0.state == .problem }) {
        case 0: "all well"
        case 1: "1 problem"
        case let count: "\(count) problems"
        }
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.utf8.count))
    }
}
