internal import CGst
internal import NyanCore

/// One sound on its way from bytes to samples: a bin of appsrc, parser, decoder and queue, on a pad of the pipeline's
/// `concat`.
///
/// What VK serves is MP3, and the chain for that is fixed: nothing is plugged while it runs, so nothing can race with
/// being stopped (docs/decisions/0011). Only rarer kinds are left to decodebin.
final class Deck {
    let feed: Feed
    let bin: GstRef
    /// Where it ends; linked to `concat`.
    let out: GstRef

    /// Decoded sound held ready: enough for a busy machine, and for the end of the sound before.
    private static let queued: UInt64 = 500_000_000

    /// - Throws: the element that is missing, with its package.
    init(_ feed: Feed, gain: GainWish?) throws(Failure) {
        self.feed = feed
        guard let bin = gst_bin_new(nil).map({ GstRef(owning: gst_object_ref_sink($0)) }) else {
            throw Failure(.internal, "the sound pipeline could not be made")
        }
        self.bin = bin
        // decodebin takes its time to be ready. Nothing waits for that: what sounds must not, and what is to sound waits for
        // its sink.
        cgst_set_int(bin.raw, "async-handling", 1)
        let source = try GstRuntime.make("appsrc")
        let queue = try GstRuntime.make("queue")
        cgst_set_int(queue.raw, "max-size-buffers", 0)
        cgst_set_int(queue.raw, "max-size-bytes", 0)
        cgst_set_int64(queue.raw, "max-size-time", gint64(Self.queued))
        // Before the links: a ghost pad wants its target inside the bin.
        gst_bin_add(cgst_bin(bin.raw), queue.element)
        guard let end = gst_element_get_static_pad(queue.element, "src"), let out = gst_ghost_pad_new("src", end) else {
            throw Failure(.internal, "the sound pipeline could not be made")
        }
        gst_object_unref(end)
        self.out = GstRef(owning: gst_object_ref_sink(out))
        gst_element_add_pad(bin.element, out)
        try link(source, to: try evened(queue, gain))
        feed.attach(source)
    }

    /// Ends what the feed does; the bin is the pipeline's to stop.
    isolated deinit { feed.close() }

    /// Puts what evens out loudness in front of the queue, if anything does.
    /// - Returns: where decoded sound goes in.
    private func evened(_ queue: GstRef, _ gain: GainWish?) throws(Failure) -> Entrance {
        guard let gain else { return Entrance([queue]) }
        let filter = try GainFilter(gain)
        for element in filter.elements { gst_bin_add(cgst_bin(bin.raw), element.element) }
        for (from, to) in zip(filter.elements, filter.elements.dropFirst() + [queue]) {
            cgst_link(from.raw, to.raw)
        }
        return Entrance(filter.elements + [queue])
    }

    private func link(_ source: GstRef, to target: Entrance) throws(Failure) {
        let names: [String]
        let format: SoundFormat?
        switch feed.sound.form {
        case .mp3(let hasTags):
            names = (hasTags ? ["id3demux"] : []) + ["mpegaudioparse", GstRuntime.mp3Decoder]
            format = .mp3
        case .flac where GstRuntime.hasFLAC:
            names = ["flacparse", "flacdec"]
            format = .flac
        default: return try plug(source, to: target)
        }
        var chain = [source]
        for name in names { chain.append(try GstRuntime.make(name, for: format)) }
        if let decoder = chain.last { TailTrim.watch(decoder.element, feed.sound) }
        for element in chain { gst_bin_add(cgst_bin(bin.raw), element.element) }
        chain.append(target.first)
        for (from, to) in zip(chain, chain.dropFirst()) { cgst_link(from.raw, to.raw) }
    }

    /// Leaves it to decodebin to find out what it is.
    private func plug(_ source: GstRef, to target: Entrance) throws(Failure) {
        let decodebin = try GstRuntime.make("decodebin")
        cgst_set_raw_audio_only(decodebin.raw)
        for element in [source, decodebin] { gst_bin_add(cgst_bin(bin.raw), element.element) }
        cgst_link(source.raw, decodebin.raw)
        decodebin.connect("pad-added", target, unsafeBitCast(padAdded, to: GCallback.self))
        bin.connect("deep-element-added", feed.sound, unsafeBitCast(elementAdded, to: GCallback.self))
    }
}

/// What decoded sound goes through in a deck, in its order.
nonisolated private final class Entrance: Sendable {
    private let elements: [GstRef]
    init(_ elements: [GstRef]) { self.elements = elements }

    var first: GstRef { elements[0] }

    /// Makes it ready for sound: a bin starts elements that are not linked yet in any order, and what comes before they
    /// are started is lost.
    func open() {
        for element in elements.reversed() { gst_element_sync_state_with_parent(element.element) }
    }
}

/// decodebin found the sound in what it was given: its first stream goes on. Streaming thread.
private nonisolated let padAdded:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = {
        _, pad, context in
        guard let pad, let context else { return }
        let target = Unmanaged<Entrance>.fromOpaque(context).takeUnretainedValue()
        target.open()
        guard let sink = gst_element_get_static_pad(target.first.element, "sink") else { return }
        gst_pad_link(pad.assumingMemoryBound(to: GstPad.self), sink)
        gst_object_unref(sink)
    }

/// An element was put into decodebin: the end is cut on its decoder. Streaming thread.
private nonisolated let elementAdded:
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
    ) -> Void = {
        _, _, element, context in
        guard let element, let context, cgst_is_audio_decoder(element) != 0 else { return }
        let sound = Unmanaged<FedSound>.fromOpaque(context).takeUnretainedValue()
        TailTrim.watch(element.assumingMemoryBound(to: GstElement.self), sound)
    }
