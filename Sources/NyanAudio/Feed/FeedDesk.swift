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

    /// Ends all feeds but `feed`. When it returns, the pipeline may be stopped.
    func start(_ feed: Feed?) {
        let (open, staged) = state.withLock { state in
            defer { state.staged = nil }
            return (Array(state.open.values), state.staged)
        }
        staged?.close()
        for one in open where one !== feed { one.waitUntilSettled() }
        let old = state.withLock { state in
            defer { state = State(open: feed.map { [$0.uri: $0] } ?? [:]) }
            return Array(state.open.values)
        }
        for one in old where one !== feed { one.close() }
    }

    /// The current sound's first sample reached the sink. Any thread.
    func settleCurrent() { current?.settle() }

    private var current: Feed? {
        state.withLock { state in state.open.values.first { $0 !== state.handedOver } }
    }

    /// A decoder gave the first samples of this feed's sound: the handed-over one is settled with that; the current one
    /// must reach the sink. Streaming threads.
    func decodes(_ feed: Feed) {
        if feed === handedOver { feed.settle() }
    }

    /// The feed that a stream inside the pipeline comes from. Streaming threads.
    func feed(ofStream stream: String) -> Feed? {
        state.withLock { Array($0.open.values) }.first { $0.isSource(ofStream: stream) }
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
    ///
    /// A sound of two seconds is read to its end before it is heard; playbin3 then mixes up the two. So this waits for
    /// the current sound's first sample, at most 100 ms and on a thread that has nothing else to do.
    fileprivate func handOver() -> Feed? {
        current?.waitUntilSettled()
        return state.withLock { state in
            guard let feed = state.staged else { return nil }
            state.staged = nil
            state.handedOver = feed
            state.open[feed.uri] = feed
            return feed
        }
    }

    fileprivate func feed(for uri: String) -> Feed? { state.withLock { $0.open[uri] } }

    /// Connects the signals that ask for feeds and the one that shows decoders.
    func serve(_ playbin: GstRef) {
        playbin.connect("source-setup", self, unsafeBitCast(sourceSetup, to: GCallback.self))
        playbin.connect("element-setup", self, unsafeBitCast(elementSetup, to: GCallback.self))
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
    next.open()
}

/// A new element inside playbin3: watches what comes out of a decoder. Streaming threads.
private nonisolated let elementSetup:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = {
        _, element, context in
        guard let element, let context, cgst_is_audio_decoder(element) != 0 else { return }
        let decoder = element.assumingMemoryBound(to: GstElement.self)
        TailTrim.watch(decoder, for: Unmanaged<FeedDesk>.fromOpaque(context).takeUnretainedValue())
    }
