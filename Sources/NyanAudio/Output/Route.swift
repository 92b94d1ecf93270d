internal import CGst
internal import Dispatch
internal import Synchronization

/// Which of a sound server's devices the stream goes to, and why.
///
/// pulsesink asks for the device of its last stream by name when it makes the next one, so a listener's change of the
/// default device would not be followed after a stop. Here a device is named only if somebody moved the stream there by
/// hand; all else is left to the server. When the server moves a stream, pulsesink sends "pulse-sink-changed" upstream:
/// if the device before no longer exists, it was taken away (a headset pulled out), else it was somebody's wish.
nonisolated final class Route: Sendable {
    private let sink: GstRef
    /// The device that the setting names.
    private let named: String?
    private let state = Mutex(State())
    private let onVanish: @Sendable () -> Void
    /// Where the server is asked about devices: it may not answer.
    private let queue = DispatchQueue(label: "nyand.audio.route")

    private struct State {
        /// Where the stream is.
        var device: String?
        /// Where somebody put it, other than the server's default.
        var chosen: String?
        var probe: (pad: GstRef, id: UInt)?
    }

    /// - Returns: nil if the sink has no devices to choose from.
    init?(_ sink: GstRef, onVanish: @escaping @Sendable () -> Void) {
        guard cgst_has_property(sink.raw, "current-device") != 0,
            let pad = gst_element_get_static_pad(sink.element, "sink")
        else { return nil }
        self.sink = sink
        self.onVanish = onVanish
        named = Self.text(sink, "device")
        let keep = Unmanaged.passRetained(self).toOpaque()
        let id = gst_pad_add_probe(pad, GST_PAD_PROBE_TYPE_EVENT_UPSTREAM, sinkEvent, keep, releaseContext)
        state.withLock { $0.probe = (GstRef(owning: pad), id) }
    }

    /// Lets go of the sink, which holds us for its events.
    func remove() {
        let probe = state.withLock { state in
            defer { state.probe = nil }
            return state.probe
        }
        if let probe { gst_pad_remove_probe(probe.pad.pad, probe.id) }
    }

    /// A load begins; the sink has no stream, so nobody else looks at its `device`.
    func prepare() { cgst_set_string(sink.raw, "device", state.withLock { $0.chosen } ?? named) }

    /// A stream was made. Streaming thread: the server is asked where it is.
    func opened() {
        let device = Self.text(sink, "current-device")
        state.withLock { $0.device = device }
    }

    /// The server has moved the stream. On pulsesink's own thread, which must not wait.
    fileprivate func moved() {
        let device = Self.text(sink, "device")
        let before = state.withLock { state in
            defer { state.device = device }
            return state.device
        }
        guard let before, let device, before != device else { return }
        queue.async { [weak self] in self?.judge(before, device) }
    }

    private func judge(_ before: String, _ device: String) {
        guard let old = sibling(before) else { return }
        let isGone = old.isGone
        // Devices have names only for people where the default is asked for; two of the same kind may share one.
        let isDefault = !isGone && isSame(device, asDefaultBut: before, old.label)
        state.withLock { $0.chosen = isGone || isDefault ? nil : device }
        if isGone { onVanish() }
    }

    /// Whether `device` is the server's default, as far as labels tell; if `before` has the same label they do not.
    private func isSame(_ device: String, asDefaultBut before: String, _ oldLabel: String?) -> Bool {
        guard let label = sibling(device)?.label, label != oldLabel else { return false }
        return sibling(nil)?.label == label
    }

    /// What the server says of a device, or of its default one. Asked through a sink of its own that shares the
    /// connection. nil when there is no answer.
    private func sibling(_ device: String?) -> (label: String?, isGone: Bool)? {
        guard let asked = GstRef.make("pulsesink") else { return nil }
        if let server = Self.text(sink, "server") { cgst_set_string(asked.raw, "server", server) }
        cgst_set_string(asked.raw, "client-name", Self.text(sink, "client-name"))
        cgst_set_string(asked.raw, "device", device)
        guard gst_element_set_state(asked.element, GST_STATE_READY) != GST_STATE_CHANGE_FAILURE else { return nil }
        let label = Self.text(asked, "device-name")
        gst_element_set_state(asked.element, GST_STATE_NULL)
        return (label, label == nil)
    }

    private static func text(_ element: GstRef, _ property: String) -> String? {
        guard let text = cgst_get_string(element.raw, property) else { return nil }
        defer { g_free(text) }
        return String(cString: text)
    }
}

/// An event from the sink on its way upstream.
nonisolated private func sinkEvent(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
    _ context: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
    guard let info, let context, let event = gst_pad_probe_info_get_event(info),
        cgst_event_type(event) == GST_EVENT_CUSTOM_UPSTREAM, gst_event_has_name(event, "pulse-sink-changed") != 0
    else { return GST_PAD_PROBE_OK }
    Unmanaged<Route>.fromOpaque(context).takeUnretainedValue().moved()
    return GST_PAD_PROBE_OK
}
