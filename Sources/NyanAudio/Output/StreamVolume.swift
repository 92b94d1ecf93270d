internal import CGst
internal import Dispatch
internal import Glibc
internal import Synchronization

/// The one volume of the stream: linear, never louder than set, not for one buffer.
///
/// On a sound server it is the stream's own volume, so that the desktop's mixer and ours are the same thing. pulsesink
/// hands a volume over only when the stream is made, and only if it was set since the last stream was made; a stream made
/// for a format change in mid-play starts at 100 %, and with pipewire-pulse 0.3 every stream does, or at what its session
/// manager remembers of other programs. So the volume is set before PAUSED, at once when it changes, and, on the
/// streaming thread, before the first buffer of every new stream, which waits until the server says it has it. Elsewhere
/// it is a `volume` element before the sink.
nonisolated final class StreamVolume: Sendable {
    private let element: GstRef
    let isServers: Bool
    private let wanted: Mutex<Wanted>
    /// While we set the volume ourselves, its notification is no news.
    private let settings = Atomic(0)
    /// When the volume last was set by us or a stream was made, on our monotonic clock in nanoseconds.
    private let setAt = Atomic<Int64>(0)
    /// Where the server is told.
    private let queue = DispatchQueue(label: "nyand.audio.volume")
    /// What is wanted by then is going to be told.
    private let isSending = Atomic(false)
    /// The server said something too soon after that; it is asked again.
    private let isCheckDue = Atomic(false)
    private let onChange: @Sendable (_ volume: Double, _ generation: UInt64) -> Void

    /// The server keeps 16 bits of a cubic scale: closer than this is the same.
    private static let tolerance = 0.002
    /// How long what the server says of the volume may still be about the time before ours: pipewire-pulse answers from
    /// memory, and a session manager may give a new stream a volume of its own choice a little later.
    private static let echo: Int64 = 250_000_000
    /// How often a new stream is asked whether it has its volume, 2 ms apart.
    private static let mostQuestions = 150

    private struct Wanted {
        var volume: Double
        /// Counts what was set by us: what the server said before the last setting is out of date.
        var generation: UInt64 = 0
        var handler: UInt = 0
    }

    init(
        _ element: GstRef, isServers: Bool, volume: Double, onChange: @escaping @Sendable (Double, UInt64) -> Void
    ) {
        self.element = element
        self.isServers = isServers
        self.onChange = onChange
        wanted = Mutex(Wanted(volume: volume))
        if isServers {
            let handler = element.connect("notify::volume", self, unsafeBitCast(volumeNotified, to: GCallback.self))
            wanted.withLock { $0.handler = handler }
        }
        apply()
    }

    /// The sink of a sound server that has this volume.
    var server: GstRef? { isServers ? element : nil }

    /// Lets go of the element, which holds us for its notifications: without this neither is ever freed.
    func remove() {
        let handler = wanted.withLock { wanted in
            defer { wanted.handler = 0 }
            return wanted.handler
        }
        if handler != 0 { g_signal_handler_disconnect(element.raw, handler) }
    }

    /// 0…1. Main thread. On a server's stream it is done on a thread of its own: playsink asks the sink for each volume that
    /// is set, and the sink asks the server.
    func set(_ volume: Double) {
        // First, so that nobody takes what the server still says for somebody else's wish.
        setAt.store(monotonicNow().nanoseconds, ordering: .sequentiallyConsistent)
        wanted.withLock {
            $0.volume = volume
            $0.generation += 1
        }
        guard isServers else { return apply() }
        guard !isSending.exchange(true, ordering: .acquiringAndReleasing) else { return }
        queue.async { [self] in
            isSending.store(false, ordering: .releasing)
            apply()
        }
    }

    /// Takes over what somebody else set, unless we have set it since.
    /// - Returns: whether it was taken.
    func adopt(_ volume: Double, generation: UInt64) -> Bool {
        wanted.withLock { wanted in
            guard wanted.generation == generation else { return false }
            wanted.volume = volume
            return true
        }
    }

    /// Gives the wanted volume to the sink again. Any thread.
    func apply() {
        setAt.store(monotonicNow().nanoseconds, ordering: .sequentiallyConsistent)
        settings.add(1, ordering: .sequentiallyConsistent)
        cgst_set_double(element.raw, "volume", wanted.withLock { $0.volume })
        settings.subtract(1, ordering: .sequentiallyConsistent)
    }

    /// A new stream is about to get its first buffer: gives it its volume and returns when it has it, after 0.3 s at the
    /// latest. Streaming thread.
    func enforce() {
        apply()
        guard isServers else { return }
        settings.add(1, ordering: .sequentiallyConsistent)
        defer { settings.subtract(1, ordering: .sequentiallyConsistent) }
        for question in 1...Self.mostQuestions {
            let wanted = wanted.withLock { $0.volume }
            if abs(cgst_get_double(element.raw, "volume") - wanted) <= Self.tolerance { break }
            var nap = timespec(tv_sec: 0, tv_nsec: 2_000_000)
            nanosleep(&nap, nil)
            if question.isMultiple(of: 10) { cgst_set_double(element.raw, "volume", wanted) }
        }
        setAt.store(monotonicNow().nanoseconds, ordering: .sequentiallyConsistent)
    }

    /// A buffer goes to the sink: looks again at what the server said too soon. Streaming thread.
    func look() {
        guard isCheckDue.load(ordering: .relaxed), !isTooSoon else { return }
        isCheckDue.store(false, ordering: .relaxed)
        notified()
    }

    private var isTooSoon: Bool {
        monotonicNow().nanoseconds - setAt.load(ordering: .sequentiallyConsistent) < Self.echo
    }

    /// The sink says its volume changed: asks the server for it and tells the engine if it is not ours. Streaming thread.
    fileprivate func notified() {
        guard settings.load(ordering: .sequentiallyConsistent) == 0 else { return }
        let before = wanted.withLock { $0 }
        let volume = cgst_get_double(element.raw, "volume")
        guard abs(volume - before.volume) > Self.tolerance else { return }
        guard !isTooSoon else { return isCheckDue.store(true, ordering: .relaxed) }
        onChange(volume, before.generation)
    }
}

private nonisolated let volumeNotified:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = {
        _, _, context in
        guard let context else { return }
        Unmanaged<StreamVolume>.fromOpaque(context).takeUnretainedValue().notified()
    }
