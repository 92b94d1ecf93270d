/// How far a reading of the profile is.
public struct SyncProgress: Sendable, Equatable {
    /// Tracks read so far in this pass; starts again when the list is read a second time.
    public var read: Int
    /// How many VK says there are.
    public var total: Int
    public init(read: Int, total: Int) {
        self.read = read
        self.total = total
    }
}
