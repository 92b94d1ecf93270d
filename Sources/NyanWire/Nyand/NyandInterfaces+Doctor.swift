public import NyanCore
public import NyanDBus

/// What is well and what is not.
extension NyandInterfaces {
    public nonisolated static let doctor = Interface(
        "org.nyantunes.Nyand1.Doctor",
        methods: [
            // Looks at everything a person could have to mend; answers within eight seconds, whatever hangs. check, state
            // (ok, note, problem, skipped), message, advice, packages, GStreamer elements.
            Method("Examine", out: [Argument("findings", FindingCoding.listSignature)])
        ])
}

/// Findings as they travel.
public enum FindingCoding {
    public nonisolated static let signature: Signature = "(ssssasas)"
    public nonisolated static let listSignature: Signature = "a(ssssasas)"

    public nonisolated static func list(_ findings: [Finding]) -> BusValue {
        .array(
            findings.map { finding in
                .structure([
                    .string(finding.check.rawValue), .string(finding.state.rawValue), .string(finding.message),
                    .string(finding.advice), .strings(finding.packages), .strings(finding.elements),
                ])
            }, of: signature)
    }

    /// nil where the value has another shape, or holds words of another version.
    public nonisolated static func findings(_ value: BusValue) -> [Finding]? {
        guard let elements = value.elements else { return nil }
        let findings = elements.compactMap { element -> Finding? in
            guard let fields = element.fields, fields.count == 6,
                let check = fields[0].string.flatMap(Finding.Check.init),
                let state = fields[1].string.flatMap(Finding.State.init),
                let message = fields[2].string, let advice = fields[3].string,
                let packages = fields[4].strings, let missing = fields[5].strings
            else { return nil }
            return Finding(check, state, message, advice: advice, packages: packages, elements: missing)
        }
        return findings.count == elements.count ? findings : nil
    }
}
