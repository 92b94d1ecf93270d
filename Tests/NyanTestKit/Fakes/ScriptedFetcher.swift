public import NyanCore

/// A fetcher whose bytes come when the test says so.
public final class ScriptedFetcher: Fetcher {
    /// Every attempt so far, oldest first.
    public private(set) var starts: [ScriptedTransfer] = []

    public init() {}

    public func start(
        _ location: Location, userAgent: String, into copy: any CopySink, from offset: Int64,
        onEvent: @escaping @MainActor (TransferEvent) -> Void
    ) -> any Transfer {
        let transfer = ScriptedTransfer(location, userAgent, copy, offset, onEvent)
        starts.append(transfer)
        return transfer
    }

    /// Attempts that were neither cancelled nor have ended.
    public var running: [ScriptedTransfer] { starts.filter { !$0.isOver } }

    /// The newest attempt for a track by its number, as `media.test` has it in the address.
    public func transfer(of id: TrackID) -> ScriptedTransfer? {
        starts.last { $0.location.url.revealed.contains("/\(id).mp3") }
    }
}

/// One attempt in the test's hands.
public final class ScriptedTransfer: Transfer {
    public let location: Location
    public let userAgent: String
    public let copy: any CopySink
    public let offset: Int64
    public private(set) var preferred: [Int64] = []
    public private(set) var limit: Int?
    public private(set) var isCancelled = false
    public private(set) var isOver = false
    private let onEvent: @MainActor (TransferEvent) -> Void

    init(
        _ location: Location, _ userAgent: String, _ copy: any CopySink, _ offset: Int64,
        _ onEvent: @escaping @MainActor (TransferEvent) -> Void
    ) {
        self.location = location
        self.userAgent = userAgent
        self.copy = copy
        self.offset = offset
        self.onEvent = onEvent
    }

    public func prefer(offset: Int64) { preferred.append(offset) }
    public func limit(bytesPerSecond: Int?) { limit = bytesPerSecond }

    public func cancel() {
        isCancelled = true
        isOver = true
    }

    /// So many more bytes arrive at the end of what is there.
    public func bring(_ count: Int, of total: Int64) throws(Failure) {
        guard !isOver else { return }
        _ = try copy.begin(kind: .direct, total: total, validator: nil)
        let bytes = [UInt8](repeating: 1, count: count)
        let start = copy.received
        var failure: Failure?
        bytes.withUnsafeBytes { raw in
            do throws(Failure) { try copy.write(raw, at: start) } catch { failure = error }
        }
        if let failure { throw failure }
        onEvent(.progress(received: copy.received, total: total))
    }

    /// All that is missing arrives.
    public func finish(total: Int64 = 1000) throws(Failure) {
        guard !isOver else { return }
        try bring(Int(total - copy.received), of: total)
        guard !isOver else { return }
        try copy.finish(total: total)
        isOver = true
        onEvent(.finished)
    }

    /// So many bytes arrive of a sound whose size nobody says.
    public func bringOpen(_ count: Int) throws(Failure) {
        _ = try copy.begin(kind: .direct, total: nil, validator: nil)
        let (bytes, start) = ([UInt8](repeating: 1, count: count), copy.received)
        let written: Result<Void, Failure> = bytes.withUnsafeBytes { raw in
            Result { () throws(Failure) in try copy.write(raw, at: start) }
        }
        try written.get()
        onEvent(.progress(received: copy.received, total: nil))
    }

    /// Tells something that happened, whatever the copy holds.
    public func say(_ event: TransferEvent) {
        if !isOver { onEvent(event) }
    }

    public func fail(_ failure: Failure) {
        guard !isOver else { return }
        isOver = true
        onEvent(.failed(failure))
    }
}
