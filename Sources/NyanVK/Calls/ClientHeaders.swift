import NyanCore

extension ClientProfile {
    /// The headers of a form that this client sends: its own ones, in a settled order, and those that are ours to say
    /// (vk-api.md §1.2, §1.9). `others`: names, in lower case, which the caller says himself.
    nonisolated func formHeaders(but others: [String] = []) -> [(name: String, value: String)] {
        let ours = ["user-agent", "content-type"] + others
        let own = headers.sorted { $0.key < $1.key }
            .filter { !ours.contains($0.key.lowercased()) }
            .map { (name: $0.key, value: $0.value) }
        return own + [
            (name: "User-Agent", value: userAgent),
            (name: "Content-Type", value: "application/x-www-form-urlencoded; charset=utf-8"),
        ]
    }
}
