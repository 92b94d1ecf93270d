import Dispatch

/// What kinds of things changed since the readers were told last.
public struct ChangeSet: OptionSet, Sendable {
    public let rawValue: Int
    public nonisolated init(rawValue: Int) { self.rawValue = rawValue }

    /// Status, position, track, modes, volume, problem.
    public static let playback = ChangeSet(rawValue: 1)
    public static let queue = ChangeSet(rawValue: 2)
    public static let downloads = ChangeSet(rawValue: 4)
    public static let library = ChangeSet(rawValue: 8)
    public static let account = ChangeSet(rawValue: 16)
    public static let connectivity = ChangeSet(rawValue: 32)
}

/// Tells readers that something changed, once per turn of the main queue however often it changed (mpris.md §4.4.8).
///
/// Readers compute what they show from the newest state; a slow one gets fewer, never wrong, updates.
public final class EventHub {
    private var readers: [(ChangeSet) -> Void] = []
    private var pending: ChangeSet = []
    private var isScheduled = false

    public init() {}

    public func subscribe(_ reader: @escaping (ChangeSet) -> Void) { readers.append(reader) }

    public func changed(_ changes: ChangeSet) {
        pending.formUnion(changes)
        guard !isScheduled else { return }
        isScheduled = true
        DispatchQueue.main.async { self.flush() }
    }

    /// Tells the readers now; for the end of the program and for tests.
    public func flush() {
        isScheduled = false
        let changes = pending
        pending = []
        guard !changes.isEmpty else { return }
        for reader in readers { reader(changes) }
    }
}
