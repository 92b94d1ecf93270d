/// How long to wait before trying again; the figures are those of VK's own SDK (vk-api.md §3.2).
nonisolated enum Backoff: Sendable, Equatable {
    /// The service or the network is in trouble: 1 s × 1.5 up to 60 s.
    case trouble
    /// Calls come too fast (error 6): 1 s × 1.2 up to 8 s.
    case rate

    /// Tries of one call in all, the first included (vk-api.md §3.4).
    static let maxTries = 5

    private var growth: (factor: Double, ceiling: Double) {
        switch self {
        case .trouble: (1.5, 60)
        case .rate: (1.2, 8)
        }
    }

    /// The pause after the `tries`-th try (from 1), with up to 10 % more so that clients do not march in step.
    func delay(after tries: Int, jitter: inout some RandomNumberGenerator) -> Duration {
        var seconds = 1.0
        for _ in 1..<max(tries, 1) { seconds = min(seconds * growth.factor, growth.ceiling) }
        return .seconds(seconds * Double.random(in: 1...1.1, using: &jitter))
    }
}
