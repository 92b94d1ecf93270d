internal import CGst
internal import Synchronization

/// The locked box between the engine and GStreamer's streaming threads: which feed belongs to which URI, and what is
/// staged to follow.
nonisolated final class FeedDesk: Sendable {
    private struct State {
        var open: [String: Feed] = [:]
        var staged: Feed?
        var handedOver: Feed?
    }
    private let state = Mutex(State())

    /// The feed that waits for about-to-finish.
    var staged: Feed? { state.withLock { $0.staged } }
    /// The feed the pipeline has already been told to play next, until its first sample is heard.
    var handedOver: Feed? { state.withLock { $0.handedOver } }

    /// Makes `feed` the only one; the others are closed, and their threads are where the pipeline may be stopped.
    func start(_ feed: Feed?) {
        let closed = state.withLock { state in
            defer { state = State(open: feed.map { [$0.uri: $0] } ?? [:]) }
            return Array(state.open.values) + [state.staged].compactMap(\.self)
        }
        let old = closed.filter { $0 !== feed }
        for one in old { one.close() }
        for one in old { one.quiesce(limit: .milliseconds(100)) }
    }

    func stage(_ feed: Feed?) {
        let old = state.withLock { state in
            defer { state.staged = feed }
            return state.staged
        }
        if old !== feed { old?.close() }
    }

    /// Takes the staged feed away without closing it.
    func takeStaged() -> Feed? {
        state.withLock { state in
            defer { state.staged = nil }
            return state.staged
        }
    }

    /// The handed-over feed is heard: it is the current one now.
    func switchOver() -> Feed? {
        let (feed, old) = state.withLock { state -> (Feed?, [Feed]) in
            guard let feed = state.handedOver else { return (nil, []) }
            let old = state.open.values.filter { $0 !== feed }
            state.open = [feed.uri: feed]
            state.handedOver = nil
            return (feed, old)
        }
        for one in old { one.close() }
        return feed
    }

    /// Hands the staged feed to the pipeline; nil when nothing is staged. Streaming threads.
    fileprivate func handOver() -> Feed? {
        state.withLock { state in
            guard let feed = state.staged else { return nil }
            state.staged = nil
            state.handedOver = feed
            state.open[feed.uri] = feed
            return feed
        }
    }

    fileprivate func feed(for uri: String) -> Feed? { state.withLock { $0.open[uri] } }

    /// Connects the two signals that ask for feeds.
    func serve(_ playbin: GstRef) {
        playbin.connect("source-setup", self, unsafeBitCast(sourceSetup, to: GCallback.self))
        playbin.connect("about-to-finish", self, unsafeBitCast(aboutToFinish, to: GCallback.self))
    }
}

/// playbin3 made an appsrc: gives it its feed. Main or streaming thread.
private nonisolated let sourceSetup:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = {
        _, source, context in
        guard let source, let context, let text = cgst_uri_of(source) else { return }
        defer { g_free(text) }
        let desk = Unmanaged<FeedDesk>.fromOpaque(context).takeUnretainedValue()
        desk.feed(for: String(cString: text))?.attach(GstRef(retaining: source))
    }

/// The current sound's last byte went through: the next one's URI, if one is staged. Streaming thread; waits for nothing.
private nonisolated let aboutToFinish: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = {
    playbin, context in
    guard let playbin, let context else { return }
    let desk = Unmanaged<FeedDesk>.fromOpaque(context).takeUnretainedValue()
    guard let next = desk.handOver() else { return }
    cgst_set_string(playbin, "uri", next.uri)
}
