import NyanCore
import NyanWords

/// Findings for people: state, check, how it is; below that what to do.
enum FindingText {
    static func lines(_ findings: [Finding]) -> [String] {
        let width = findings.map { DisplayText.columns(Words.said(label($0.check))) }.max() ?? 0
        let states = max(7, findings.map { DisplayText.columns(Words.said($0.state.rawValue)) }.max() ?? 0)
        var lines: [String] = []
        for finding in findings {
            let state = padded(Words.said(finding.state.rawValue), to: states)
            let check = padded(Words.said(label(finding.check)), to: width)
            lines.append("\(state)  \(check)  \(Terminal.printable(message(finding)))")
            guard !finding.advice.isEmpty else { continue }
            lines.append(padded("", to: states + width + 4) + "→ " + Terminal.printable(Words.said(finding.advice)))
        }
        lines.append(Words.said(sum(findings)))
        return lines
    }

    /// A failure's sentence has a full stop, and a line of a table none. The catalogue knows the whole sentence.
    private static func message(_ finding: Finding) -> String {
        let said = Words.said(finding.message)
        return said.hasSuffix(".") ? String(said.dropLast()) : said
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
        text + String(repeating: " ", count: max(0, width - DisplayText.columns(text)))
    }
}
