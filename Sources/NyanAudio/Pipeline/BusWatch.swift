internal import CGst
internal import Dispatch
internal import Glibc

/// What the pipeline said, in our words. `group` tells one sound of a gapless row from the next.
enum PipelineEvent {
    case streamStart(group: UInt32)
    case prerolled
    case durationChanged
    case endOfStream
    case error(PipelineError)
    case missingPlugin(description: String, PipelinePart)
    case clockLost
}

/// A GStreamer ERROR message, taken apart.
struct PipelineError {
    /// 1 core, 2 library, 3 resource, 4 stream.
    var domain: Int32
    var code: Int32
    var text: String
    var part: PipelinePart
    /// The format was refused, as a sink does whose server is gone.
    var isNegotiation = false
}

/// What of the pipeline a message is about.
nonisolated enum PipelinePart {
    /// The sink or something inside it.
    case output
    /// The sound that plays, or what all sounds share.
    case playing
    /// The sound that is to follow.
    case staged
    /// Something that is no longer part of it.
    case gone
}

/// Delivers bus messages on the main queue through the bus's poll descriptor: no GLib loop, no thread, no timer.
final class BusWatch {
    private let bus: GstRef
    private let source: any DispatchSourceRead
    private let onEvent: (PipelineEvent) -> Void
    /// Tells what part of the pipeline an element is.
    var partOf: (UnsafeMutableRawPointer) -> PipelinePart = { _ in .playing }

    /// - Returns: nil when the process is out of descriptors.
    init?(_ pipeline: GstRef, onEvent: @escaping (PipelineEvent) -> Void) {
        guard let pointer = gst_element_get_bus(pipeline.element) else { return nil }
        bus = GstRef(owning: UnsafeMutableRawPointer(pointer))
        // Only what we act on may wake the main queue; the rest is dropped where it is posted.
        gst_bus_set_sync_handler(bus.bus, sieve, nil, nil)
        var poll = GPollFD()
        gst_bus_get_pollfd(bus.bus, &poll)
        // Dispatch loses events when a watched descriptor number is used again, so it gets a duplicate
        // (swift-facts.md §2.3).
        let copy = fcntl(poll.fd, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { return nil }
        self.onEvent = onEvent
        source = DispatchSource.makeReadSource(fileDescriptor: copy, queue: .main)
        source.setCancelHandler { @Sendable in Glibc.close(copy) }
        source.setEventHandler { [weak self] in self?.drain() }
        source.activate()
    }

    isolated deinit { source.cancel() }

    /// Throws away what was posted and not yet read: it is about an earlier load. The pipeline must be in READY or NULL.
    func flush() {
        gst_bus_set_flushing(bus.bus, 1)
        gst_bus_set_flushing(bus.bus, 0)
    }

    /// Says nothing more, whatever is still posted.
    func close() { gst_bus_set_flushing(bus.bus, 1) }

    private func drain() {
        while let message = gst_bus_pop(bus.bus) {
            let event = read(message)
            gst_message_unref(message)
            if let event { onEvent(event) }
        }
    }

    private func read(_ message: UnsafeMutablePointer<GstMessage>) -> PipelineEvent? {
        switch cgst_message_type(message) {
        case GST_MESSAGE_STREAM_START:
            var group: guint = 0
            gst_message_parse_group_id(message, &group)
            return .streamStart(group: group)
        case GST_MESSAGE_ASYNC_DONE: return .prerolled
        case GST_MESSAGE_DURATION_CHANGED: return .durationChanged
        case GST_MESSAGE_EOS: return .endOfStream
        case GST_MESSAGE_CLOCK_LOST: return .clockLost
        case GST_MESSAGE_ERROR: return .error(readError(message))
        case GST_MESSAGE_ELEMENT: return readMissingPlugin(message)
        default: return nil
        }
    }

    private func part(_ message: UnsafeMutablePointer<GstMessage>) -> PipelinePart {
        message.pointee.src.map { partOf(UnsafeMutableRawPointer($0)) } ?? .playing
    }

    private func readError(_ message: UnsafeMutablePointer<GstMessage>) -> PipelineError {
        var error: UnsafeMutablePointer<GError>?
        var details: UnsafeMutablePointer<CChar>?
        gst_message_parse_error(message, &error, &details)
        defer {
            g_clear_error(&error)
            g_free(details)
        }
        guard let error else { return PipelineError(domain: 0, code: 0, text: "", part: part(message)) }
        return PipelineError(
            domain: cgst_error_domain(error), code: error.pointee.code, text: String(cString: error.pointee.message),
            part: part(message),
            isNegotiation: details.map { strstr($0, "not-negotiated") != nil } ?? false)
    }

    private func readMissingPlugin(_ message: UnsafeMutablePointer<GstMessage>) -> PipelineEvent? {
        guard let structure = gst_message_get_structure(message),
            gst_structure_has_name(structure, "missing-plugin") != 0,
            let text = gst_structure_to_string(structure)
        else { return nil }
        defer { g_free(text) }
        return .missingPlugin(description: String(cString: text), part(message))
    }
}

/// Lets through what `BusWatch` reads. Runs on whatever thread posts.
nonisolated private func sieve(
    _ bus: UnsafeMutablePointer<GstBus>?, _ message: UnsafeMutablePointer<GstMessage>?,
    _ context: UnsafeMutableRawPointer?
) -> GstBusSyncReply {
    guard let message else { return GST_BUS_PASS }
    switch cgst_message_type(message) {
    case GST_MESSAGE_STREAM_START, GST_MESSAGE_ASYNC_DONE, GST_MESSAGE_DURATION_CHANGED, GST_MESSAGE_EOS,
        GST_MESSAGE_CLOCK_LOST, GST_MESSAGE_ERROR:
        return GST_BUS_PASS
    case GST_MESSAGE_ELEMENT:
        let structure = gst_message_get_structure(message)
        if let structure, gst_structure_has_name(structure, "missing-plugin") != 0 { return GST_BUS_PASS }
    default: break
    }
    gst_message_unref(message)
    return GST_BUS_DROP
}
