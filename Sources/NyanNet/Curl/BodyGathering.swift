/// Puts together what libcurl hands out in pieces of 16 KiB at most, so that a file is written in larger ones: that halves
/// what the kernel takes for it. Nothing waits in here for longer than one turn of libcurl.
final class BodyGathering {
    private static let room = 256 << 10

    private var memory: UnsafeMutableRawBufferPointer?
    private var count = 0
    /// Whose bytes wait.
    private var owner: Exchange?

    isolated deinit { memory?.deallocate() }

    /// Keeps these bytes until `flush` or until there is no more room.
    /// - Returns: false when the exchange is to end.
    func take(_ bytes: UnsafeRawBufferPointer, for exchange: Exchange) -> Bool {
        if owner !== exchange || count + bytes.count > Self.room { flush() }
        guard !exchange.stopped, !exchange.isCancelled else { return false }
        guard bytes.count < Self.room else { return exchange.hand(bytes) }
        let memory = memory ?? .allocate(byteCount: Self.room, alignment: 16)
        self.memory = memory
        owner = exchange
        UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
        count += bytes.count
        return true
    }

    /// Hands on what waits. An exchange whose handler wants no more is `stopped` then.
    func flush() {
        guard let owner, let memory else { return }
        let part = UnsafeRawBufferPointer(rebasing: memory[..<count])
        self.owner = nil
        count = 0
        _ = owner.hand(part)
    }

    /// Gives the memory back while nothing is fetched.
    func rest() {
        guard owner == nil else { return }
        memory?.deallocate()
        memory = nil
    }
}
