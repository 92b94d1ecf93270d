import Glibc
public import NyanCore
import Synchronization

/// The growing file of one track and the record of which bytes it has. Safe from any thread; reads never wait for
/// writers.
///
/// Two locks, always taken in this order: `writing` lets one writer at a time change the file and its sidecar;
/// `shared` guards what readers look at and is never held over a system call.
public final class CopyFile: CopySink {
    /// The sidecar is written when this much came, `gapBytes` where the file's length vouches for nothing, or this long
    /// passed, since the last time.
    private static let mapBytes: Int64 = 8 << 20
    private static let mapTime: Duration = .seconds(1)
    private static let gapBytes: Int64 = 256 << 10
    private static let gapTime: Duration = .milliseconds(20)  // between two, where a fast line fills a gap

    public let id: TrackID
    let file: OpenFile
    let writing: Mutex<Writing>
    let shared: Mutex<Shared>
    /// The kernel's run now.
    let boot: String?
    /// When it was last played before it was opened; 1970 where it never was.
    let playedBefore: timespec

    struct Writing {
        /// nil once discarded: the unlinked file lives on for its readers, but leaves no new sidecar behind.
        var mapPath: String?
        var unsaved: Int64 = 0
        var isDirty = false
        var isInGap = false
        var saved = ContinuousClock.now
    }

    struct Shared {
        var map: CopyMap
        /// Bytes of an earlier run are there that nobody has compared with their sums.
        var isUnchecked: Bool
        var wasPlayed = false
        /// Counts the times everything was thrown away, so that a read which overlapped one is not believed.
        var generation = 0
        /// Counts the times there was something to throw away, for readers who must not mix old and new.
        var edition = 0
        var observers: [Int: @Sendable (CopyChange) -> Void] = [:]
        var nextObserver = 0
    }

    /// Opens or creates `dataPath` and trusts of `mapPath` what the file really holds.
    init(_ id: TrackID, dataPath: String, mapPath: String, boot: String? = BootID.current) throws(Failure) {
        self.id = id
        self.boot = boot
        file = try Self.openFile(dataPath, id)
        playedBefore = file.changed
        let read = CopyMap.read(mapPath)
        // Rubbish must not be in the way of the next one.
        if read == nil, unlink(mapPath) != 0 { rmdir(mapPath) }
        var map = read ?? CopyMap()
        let size = file.size ?? 0
        map.reconcile(fileSize: size, extents: file.extents)
        if size > map.ranges.end { try file.truncate(to: map.ranges.end, subject: id) }
        shared = Mutex(Shared(map: map, isUnchecked: !map.ranges.isEmpty))
        writing = Mutex(Writing(mapPath: mapPath))
    }

    deinit {
        try? flush()
        keepTimePlayed()
    }

    public var size: Int64? { shared.withLock { $0.map.size } }
    public var isComplete: Bool { shared.withLock { $0.map.isComplete } }
    public var kind: CopyKind? { shared.withLock { $0.map.kind } }
    public var validator: Validator? { shared.withLock { $0.map.validator } }
    public var segments: SegmentProgress? { shared.withLock { $0.map.segments } }
    public var edition: Int { shared.withLock { $0.edition } }
    public var received: Int64 { shared.withLock { $0.map.ranges.count } }

    public func available(from offset: Int64) -> Int64 { shared.withLock { $0.map.ranges.available(from: offset) } }

    public func missing(from offset: Int64) -> (lower: Int64, upper: Int64?)? {
        shared.withLock { $0.map.ranges.missing(from: offset, size: $0.map.size) }
    }

    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> ByteRead {
        guard offset >= 0 else { return .failed }
        let (there, size, generation) = shared.withLock {
            ($0.map.ranges.available(from: offset), $0.map.size, $0.generation)
        }
        guard there > 0, !buffer.isEmpty else {
            if let size, offset >= size { return .end }
            return .notYet
        }
        let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(min(there, Int64(buffer.count)))])
        guard let count = file.read(at: offset, into: part) else { return .failed }
        // Everything may have been thrown away while we read: then these are nobody's bytes.
        guard shared.withLock({ $0.generation }) == generation else { return .notYet }
        return count > 0 ? .bytes(count) : .failed
    }

    /// The change may be told once more while the observation is being dropped on another thread.
    public func observe(_ change: @escaping @Sendable (CopyChange) -> Void) -> Observation {
        let number = shared.withLock { shared in
            shared.nextObserver += 1
            shared.observers[shared.nextObserver] = change
            return shared.nextObserver
        }
        return Observation { [weak self] in
            // Out of the lock: letting go of the closure may run anything.
            _ = self?.shared.withLock { $0.observers.removeValue(forKey: number) }
        }
    }

    private func tell(_ change: CopyChange) {
        let observers = shared.withLock { Array($0.observers.values) }
        for observer in observers { observer(change) }
    }

    public func begin(kind: CopyKind, total: Int64?, validator: Validator?) throws(Failure) -> Bool {
        if let total, total <= 0 { throw Failure(.damagedSound, "the server has no bytes of this sound", subject: id) }
        let (kept, changed) = try changing { writing throws(Failure) in
            let map = shared.withLock { $0.map }
            let kept = map.continues(as: kind, total: total, validator: validator)
            if !kept { try empty(&writing) }
            let isNew = shared.withLock { shared in
                let before = shared.map
                shared.map.kind = kind
                if let total { shared.map.size = total }
                if let validator { shared.map.validator = validator }
                return shared.map != before
            }
            // Before the first byte: bytes of an unknown kind and origin would be worth nothing after a kill.
            if isNew { try save(&writing) }
            return (kept, size != map.size)
        }
        if changed { tell(.grew) }
        return kept
    }

    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(Failure) {
        guard !bytes.isEmpty else { return }
        let range = offset..<(offset + Int64(bytes.count))
        let done = try changing(after: range.upperBound - range.lowerBound) { writing throws(Failure) in
            let (map, wasComplete) = shared.withLock { ($0.map, $0.map.isComplete) }
            guard offset >= 0, range.upperBound <= map.size ?? .max else {
                throw Failure(.damagedSound, "more bytes came than the server announced", subject: id)
            }
            if offset > max(map.ranges.end, map.ranges.isEmpty ? map.tail : 0) {
                try announceJump(to: offset, &writing)
            }
            do throws(Failure) {
                try file.write(bytes, at: offset, subject: id)
            } catch {
                // What was half written is nobody's: `tail` vouches for everything up to the end of the file.
                try? file.truncate(to: max(map.ranges.end, 0))
                throw error
            }
            shared.withLock { shared in
                shared.map.sums.forget(range)
                shared.map.ranges.insert(range)
                shared.map.tail = shared.map.ranges.ranges.last?.lowerBound ?? 0
            }
            writing.isInGap = range.upperBound < map.ranges.end
            sumBlocks(range)
            return !wasComplete && isComplete
        }
        tell(done ? .completed : .grew)
    }

    public func segmentDone(_ progress: SegmentProgress) throws(Failure) {
        try changing(saving: true) { writing throws(Failure) in
            let ranges = shared.withLock { $0.map.ranges }
            guard ranges.available(from: 0) >= progress.bytes else {
                throw Failure(.internal, "a segment was called done before its bytes were written", subject: id)
            }
            try cut(to: progress.bytes)
            shared.withLock { $0.map.note(progress) }
        }
    }

    public func finish(total: Int64) throws(Failure) {
        guard total > 0 else { throw Failure(.damagedSound, "the sound came without a byte", subject: id) }
        let change: CopyChange? = try changing(saving: true) { writing throws(Failure) in
            let map = shared.withLock { $0.map }
            if map.isComplete && map.size == total { return nil }
            if map.kind == .hls {
                // Bytes of an abandoned try of the last segment may lie behind the end.
                try cut(to: total)
            } else if total < map.ranges.end || (map.size ?? total) != total {
                let announced = map.size.map { "\($0)" } ?? "unknown"
                throw Failure(
                    .damagedSound, "the sound has \(total) bytes, announced were \(announced)", subject: id)
            }
            shared.withLock { $0.map.size = total }
            sumBlocks(total - 1..<total)
            return isComplete ? .completed : .grew
        }
        if let change { tell(change) }
    }

    public func reset() throws(Failure) {
        try changing { writing throws(Failure) in try empty(&writing) }
        tell(.grew)
    }

    public func forgetValidator() throws(Failure) {
        try changing(saving: true) { _ in shared.withLock { $0.map.validator = nil } }
    }

    /// Writes the sidecar now if it is behind; also done when the last reference goes.
    public func flush() throws(Failure) {
        try writing.withLock { writing throws(Failure) in
            if writing.isDirty { try save(&writing) }
        }
    }

    /// Runs `body` as the only writer, then writes the sidecar if it is time; observers hear of a failure.
    private func changing<Result: Sendable>(
        after bytes: Int64 = 0, saving: Bool = false, _ body: (inout Writing) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        do throws(Failure) {
            return try writing.withLock { writing throws(Failure) in
                let result = try body(&writing)
                writing.unsaved += bytes
                writing.isDirty = writing.isDirty || bytes > 0 || saving
                let (age, came) = (ContinuousClock.now - writing.saved, writing.unsaved)
                let isTime =
                    came >= Self.mapBytes || age >= Self.mapTime
                    || (writing.isInGap && came >= Self.gapBytes && age >= Self.gapTime)
                if saving || (writing.isDirty && isTime) || (bytes > 0 && isComplete) { try save(&writing) }
                return result
            }
        } catch {
            if error.code == .diskFull || error.code == .fileAccess { tell(.broke(error)) }
            throw error
        }
    }

    func save(_ writing: inout Writing) throws(Failure) {
        let map = shared.withLock { shared in
            // Until they are compared, bytes of an earlier run of the kernel stay that.
            if !shared.isUnchecked { shared.map.boot = boot }
            return shared.map
        }
        if let path = writing.mapPath { try map.write(path) }
        writing.unsaved = 0
        writing.isDirty = false
        writing.saved = .now
    }

    /// Records, before the file gets a hole, that what lies behind `offset` is whole and what lies before may not be.
    private func announceJump(to offset: Int64, _ writing: inout Writing) throws(Failure) {
        shared.withLock { $0.map.tail = offset }
        try save(&writing)
    }

    /// Drops everything behind `end`.
    private func cut(to end: Int64) throws(Failure) {
        guard shared.withLock({ $0.map.ranges.end }) > end else { return }
        shared.withLock { shared in
            shared.map.ranges.cut(to: end)
            shared.map.sums.cut(to: end)
            shared.generation += 1
        }
        try file.truncate(to: end, subject: id)
    }

    /// Throws away bytes and knowledge; the sidecar goes first, so that it never promises what is gone.
    func empty(_ writing: inout Writing) throws(Failure) {
        shared.withLock { shared in
            if !shared.map.ranges.isEmpty { shared.edition += 1 }
            shared.map = CopyMap()
            shared.isUnchecked = false
            shared.generation += 1
        }
        try save(&writing)
        try file.truncate(to: 0, subject: id)
    }
}

extension CopyFile {
    /// Renames the file and its sidecar as one writer's turn, so that no sidecar is written to the old place.
    /// `move`: renames the files; throwing leaves this copy where it is.
    func relocate(mapPath: String, _ move: () throws(Failure) -> Void) throws(Failure) {
        try writing.withLock { writing throws(Failure) in
            try save(&writing)
            try move()
            writing.mapPath = mapPath
        }
    }

    /// Removes the files as one writer's turn; who has this copy open goes on without a sidecar.
    func detach(_ remove: () throws(Failure) -> Void) throws(Failure) {
        try writing.withLock { writing throws(Failure) in
            writing.mapPath = nil
            try remove()
        }
    }
}
