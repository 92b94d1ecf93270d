import NyanCore

/// Methods that VK's long-window limit has closed for a token (error 29, vk-api.md §3.2).
///
/// Kept in memory only: a restart forgets them, and VK then says 29 once more.
struct MethodBlocks {
    /// How long VK's own SDK leaves a method alone.
    static let length = Duration.seconds(3600)

    private struct Key: Hashable {
        var token: Secret
        var method: String
    }

    /// Ticker time at which a method opens again.
    private var opens: [Key: Duration] = [:]

    mutating func block(_ method: String, for token: Secret, at now: Duration) {
        opens[Key(token: token, method: method)] = now + Self.length
    }

    /// - Throws: `.serverBusy` with the time left while the method is closed.
    mutating func check(_ method: String, for token: Secret, at now: Duration) throws(Failure) {
        opens = opens.filter { $0.value > now }
        guard let opening = opens[Key(token: token, method: method)] else { return }
        let left = (opening - now).inSeconds
        throw Failure(
            .serverBusy, "VK's limit for \(method) is used up; it opens again within the hour (VK error 29)",
            retry: .after(seconds: left))
    }
}

extension Duration {
    /// Seconds as a number for hints and logs.
    nonisolated var inSeconds: Double {
        Double(components.seconds) + Double(components.attoseconds) / 1e18
    }
}
