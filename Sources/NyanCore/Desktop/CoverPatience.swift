/// When a cover that could not be had is asked for again, by its address. A value without I/O; times are monotonic.
public struct CoverPatience: Sendable {
    public enum Trouble: Sendable, Equatable {
        /// The network's or the server's, which passes.
        case passing
        /// What is there is no picture we show, or nothing is.
        case lasting
    }

    private struct Record {
        var attempts: Int
        var trouble: Trouble
        var until: Duration
    }

    /// Pauses after the first passing troubles; after the last of them nobody waits for the picture any more.
    static let pauses: [Duration] = [.seconds(5), .seconds(20), .seconds(80), .seconds(320)]
    /// So long an address is left alone that has no picture.
    static let lasting = Duration.seconds(3600)
    /// More than these are forgotten together: they are only a courtesy to servers.
    static let most = 1000

    private var records: [String: Record] = [:]

    public init() {}

    public func mayAsk(_ address: String, at now: Duration) -> Bool { records[address].map { $0.until <= now } ?? true }

    /// When it is worth another try by itself; nil = not at all, or nothing is known against one now.
    public func nextTry(_ address: String) -> Duration? {
        guard let record = records[address], record.trouble == .passing, record.attempts <= Self.pauses.count else {
            return nil
        }
        return record.until
    }

    public mutating func had(_ address: String) { records[address] = nil }

    public mutating func failed(_ address: String, _ trouble: Trouble, at now: Duration) {
        if records.count >= Self.most, records[address] == nil { records = [:] }
        let attempts = (records[address]?.attempts ?? 0) + 1
        let pause = trouble == .lasting ? Self.lasting : Self.pauses[min(attempts, Self.pauses.count) - 1]
        records[address] = Record(attempts: attempts, trouble: trouble, until: now + pause)
    }

    /// The network is another one now: what was its trouble may have passed.
    public mutating func forgive() { records = records.filter { $0.value.trouble == .lasting } }
}

extension CoverPatience.Trouble {
    /// What an answer's status says that is not 200.
    public init(status: Int) {
        switch status {
        case 408, 425, 429, 500...: self = .passing
        default: self = .lasting
        }
    }
}
