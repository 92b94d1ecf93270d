internal import CGst
internal import Synchronization

/// The one volume of the stream: linear, never louder than set, not for one buffer.
///
/// On a sound server it is the stream's own volume, so that the desktop's mixer and ours are the same thing. pulsesink
/// hands a volume over only when the stream is made, and only if it was set since the last stream was made; a stream made
/// for a format change in mid-play starts at 100 %. So the volume is set three times: before PAUSED, at once when it
/// changes, and, on the streaming thread, right before the first buffer after every caps event. The server works commands
/// off in order, so no sample of a stream is mixed before its volume. Elsewhere it is a `volume` element before the sink.
nonisolated final class StreamVolume: Sendable {
    private let element: GstRef
    let isServers: Bool
    private let wanted: Mutex<Wanted>
    /// While we set the volume ourselves, its notification is no news.
    private let settings = Atomic(0)
    private let onChange: @Sendable (_ volume: Double, _ generation: UInt64) -> Void

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

    /// Lets go of the element, which holds us for its notifications: without this neither is ever freed.
    func remove() {
        let handler = wanted.withLock { wanted in
            defer { wanted.handler = 0 }
            return wanted.handler
        }
        if handler != 0 { g_signal_handler_disconnect(element.raw, handler) }
    }

    /// 0…1. Main thread; one command to the server, no answer is waited for.
    func set(_ volume: Double) {
        wanted.withLock {
            $0.volume = volume
            $0.generation += 1
        }
        apply()
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
        settings.add(1, ordering: .sequentiallyConsistent)
        cgst_set_double(element.raw, "volume", wanted.withLock { $0.volume })
        settings.subtract(1, ordering: .sequentiallyConsistent)
    }

    /// The sink says its volume changed: asks the server for it and tells the engine if it is not ours. Streaming thread.
    fileprivate func notified() {
        guard settings.load(ordering: .sequentiallyConsistent) == 0 else { return }
        let before = wanted.withLock { $0 }
        let volume = cgst_get_double(element.raw, "volume")
        // The server keeps 16 bits of a cubic scale: closer than this is the same.
        guard abs(volume - before.volume) > 0.002 else { return }
        onChange(volume, before.generation)
    }
}

private nonisolated let volumeNotified:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = {
        _, _, context in
        guard let context else { return }
        Unmanaged<StreamVolume>.fromOpaque(context).takeUnretainedValue().notified()
    }
