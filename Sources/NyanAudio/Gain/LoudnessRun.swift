internal import CGst
internal import Glibc
internal import NyanCore
internal import Synchronization

/// One measurement: file → decoder → rganalysis → nothing. The decoder's own queues bound the memory.
nonisolated final class LoudnessRun: Sendable {
    private let path: String
    private let pipeline: GstRef
    private let bus: GstRef
    private let isCancelled = Atomic(false)
    private let carried: CarriedTags

    /// A file of hours takes less; what takes longer has hung.
    private static let patience = Duration.seconds(300)
    private static let description = """
        filesrc name=file ! decodebin ! audioconvert ! audioresample ! audio/x-raw,format=F32LE
        ! rganalysis name=meter forced=true ! fakesink sync=false
        """

    /// GStreamer must have been started.
    init(_ path: String) throws(Failure) {
        let missing = Failure.missing("rganalysis", "gstreamer1.0-plugins-good")
        var error: UnsafeMutablePointer<GError>?
        let made = gst_parse_launch(Self.description, &error)
        let isWhole = error == nil
        g_clear_error(&error)
        guard let made else { throw missing }
        let pipeline = GstRef(owning: gst_object_ref_sink(made))
        func part(_ name: String) -> GstRef? {
            gst_bin_get_by_name(pipeline.raw.assumingMemoryBound(to: GstBin.self), name).map { GstRef(owning: $0) }
        }
        guard isWhole, let bus = gst_element_get_bus(made), let file = part("file"), let meter = part("meter"),
            let carried = CarriedTags(on: meter)
        else { throw missing }
        cgst_set_string(file.raw, "location", path)
        self.path = path
        self.pipeline = pipeline
        self.bus = GstRef(owning: UnsafeMutableRawPointer(bus))
        self.carried = carried
    }

    /// Ends `carryOut` with `.cancelled`. Any thread.
    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        // Wakes whoever waits for a message.
        gst_bus_post(bus.bus, gst_message_new_application(nil, gst_structure_new_empty("cancelled")))
    }

    /// Measures; waits for it, so it is called on a queue of its own.
    func carryOut() throws(Failure) -> LoudnessReading {
        let size = try size()
        defer { gst_element_set_state(pipeline.element, GST_STATE_NULL) }
        let loudness = try listen()
        guard try self.size() == size else {
            throw Failure(.conflict, "\"\(path)\" changed while it was measured", retry: .later)
        }
        return LoudnessReading(bytes: size, loudness: loudness)
    }

    private static let ended = Failure(.cancelled, "measuring was ended")

    private func size() throws(Failure) -> Int64 {
        var facts = stat()
        guard stat(path, &facts) == 0 else { throw Failure(.fileAccess, "\"\(path)\" cannot be read") }
        return Int64(facts.st_size)
    }

    private func listen() throws(Failure) -> Loudness? {
        gst_element_set_state(pipeline.element, GST_STATE_PLAYING)
        // The bus drops what is posted before a pipeline's first state change.
        if isCancelled.load(ordering: .acquiring) { throw Self.ended }
        let end = monotonicNow() + Self.patience
        let kinds = GstMessageType(
            rawValue: GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue | GST_MESSAGE_TAG.rawValue
                | GST_MESSAGE_APPLICATION.rawValue)
        var measured = Loudness()
        while true {
            let left = max(.zero, end - monotonicNow())
            let message = gst_bus_timed_pop_filtered(bus.bus, UInt(left.nanoseconds), kinds)
            if isCancelled.load(ordering: .acquiring) {
                if let message { gst_message_unref(message) }
                throw Self.ended
            }
            guard let message else { throw Failure(.timeout, "measuring \"\(path)\" does not end") }
            defer { gst_message_unref(message) }
            // The file has its own say, which travels with its bytes.
            if carried.loudness.hasGain { return nil }
            switch cgst_message_type(message) {
            case GST_MESSAGE_TAG: measured = measured.updated(by: Loudness(toldBy: message))
            case GST_MESSAGE_EOS: return measured.hasGain ? measured : nil
            case GST_MESSAGE_ERROR: throw Failure(.damagedSound, "\"\(path)\" cannot be measured: it is no whole sound")
            default: break
            }
        }
    }
}

/// Reads what the file's own tags say of its loudness, before rganalysis adds its word.
nonisolated private final class CarriedTags: Sendable {
    private let state = Mutex(Loudness())

    init?(on meter: GstRef) {
        guard let pad = gst_element_get_static_pad(meter.element, "sink") else { return nil }
        defer { gst_object_unref(pad) }
        let keep = Unmanaged.passRetained(self).toOpaque()
        gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM, carriedPassing, keep, releaseContext)
    }

    var loudness: Loudness { state.withLock { $0 } }

    func passed(_ event: UnsafeMutablePointer<GstEvent>) {
        guard cgst_event_type(event) == GST_EVENT_TAG else { return }
        let told = Loudness(taggedBy: event)
        state.withLock { $0 = $0.updated(by: told) }
    }
}

nonisolated private func carriedPassing(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
    _ context: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
    if let info, let context, let event = gst_pad_probe_info_get_event(info) {
        Unmanaged<CarriedTags>.fromOpaque(context).takeUnretainedValue().passed(event)
    }
    return GST_PAD_PROBE_OK
}
