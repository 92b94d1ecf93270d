/// Where transfers wait while as many go on with their host as may: servers ban who opens more (field-issues.md C11).
///
/// A person's calls never wait here. In three downloads and one song by segments, which is what there is by default, nor do
/// transfers.
final class ConnectionLine {
    /// Transfers at once with one host (and port).
    static let mostPerHost = 24

    private var waiting: [Exchange] = []

    var count: Int { waiting.count }

    /// Whether it may begin beside those that run; if not, it waits here.
    func lets(_ exchange: Exchange, beside running: some Sequence<Exchange>) -> Bool {
        guard exchange.request.timeout == nil else { return true }
        let place = exchange.place
        guard running.count(where: { $0.request.timeout == nil && $0.place == place }) >= Self.mostPerHost else {
            return true
        }
        waiting.append(exchange)
        return false
    }

    func remove(_ exchange: Exchange) { waiting.removeAll { $0 === exchange } }

    /// Everybody, in the order they came; who still may not begin comes back by `lets`.
    func takeAll() -> [Exchange] {
        defer { waiting = [] }
        return waiting
    }
}
