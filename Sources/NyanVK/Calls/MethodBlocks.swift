import FoundationEssentials
import NyanCore

/// Methods that VK has closed for a person: for an hour by its long-window limit (error 29), for growing minutes by its
/// flood control (error 9); vk-api.md §3.2. Goes by the calendar, so that it outlives a restart.
struct MethodBlocks: Equatable, Codable {
    /// Raw values are VK's error numbers.
    enum Cause: Int, Codable {
        case flood = 9
        case limit = 29
    }

    private struct Block: Equatable, Codable {
        var method: String
        var user: Int64
        var cause: Cause
        /// Unix seconds at which it opens again.
        var opens: Int64
        /// How often in a row the flood control has closed it.
        var times: Int
    }

    /// Seconds VK's own SDK leaves a method alone after error 29.
    static let hour: Int64 = 3600
    /// Seconds after the first error 9; doubled with each further one, up to the hour.
    static let firstPause: Int64 = 300

    private var blocks: [Block] = []

    /// Closes a method. A credential whose owner is not known is left out: it is being proved, by somebody who waits.
    mutating func block(_ method: String, for user: Int64?, because cause: Cause, at now: Int64) {
        guard let user else { return }
        let before = blocks.first { $0.method == method && $0.user == user }
        let times = cause == .flood ? min(before?.times ?? 0, 100) + 1 : 0
        let length = cause == .limit ? Self.hour : min(Self.firstPause << min(max(times - 1, 0), 8), Self.hour)
        blocks.removeAll { $0.method == method && $0.user == user || $0.opens < now - 24 * Self.hour }
        blocks.append(Block(method: method, user: user, cause: cause, opens: now + length, times: times))
    }

    /// VK has answered it: the next flood begins with the first pause.
    mutating func succeeded(_ method: String, for user: Int64?) {
        if blocks.isEmpty { return }
        blocks.removeAll { $0.method == method && $0.user == user }
    }

    /// - Throws: `.serverBusy` with the time left while the method is closed.
    func check(_ method: String, for user: Int64?, at now: Int64) throws(Failure) {
        // One that opens later than it ever could comes from a calendar that was wrong.
        guard let block = blocks.first(where: { $0.method == method && $0.user == user }), block.opens > now,
            block.opens <= now + Self.hour
        else { return }
        let left = Double(block.opens - now)
        let minutes = (block.opens - now + 59) / 60
        let when = minutes == 1 ? "within a minute" : "in \(minutes) minutes"
        let words =
            block.cause == .limit
            ? "VK's limit for \(method) is used up; it opens again \(when) (VK error 29)"
            : "VK's flood control stopped \(method); it may be tried again \(when) (VK error 9)"
        throw Failure(.serverBusy, words, retry: .after(seconds: left))
    }
}

extension MethodBlocks {
    /// As it is kept between runs.
    var text: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "" }

    init(text: String) {
        self = (try? JSONDecoder().decode(Self.self, from: Data(text.utf8))) ?? MethodBlocks()
    }
}

extension VKSource {
    /// The methods VK has closed, as a text to be kept between runs.
    public var closedMethods: String {
        get { client.blocks.text }
        set { client.blocks = MethodBlocks(text: newValue) }
    }

    /// Called with that text whenever it changes.
    public func onClosedMethods(_ keep: @escaping (String) -> Void) {
        client.onBlocksChanged = { keep($0.text) }
    }
}
