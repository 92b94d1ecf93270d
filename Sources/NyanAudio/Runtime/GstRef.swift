internal import CGst

/// Owns one reference of a GStreamer object and gives it back when dropped.
// unchecked: GObject reference counts are atomic, and every call we make on elements, pads and buses from more than one
// thread is documented as thread-safe by GStreamer.
nonisolated final class GstRef: @unchecked Sendable {
    let raw: UnsafeMutableRawPointer

    /// Takes over a reference the caller owns.
    init(owning raw: UnsafeMutableRawPointer) { self.raw = raw }

    /// Adds a reference of its own.
    init(retaining raw: UnsafeMutableRawPointer) {
        self.raw = raw
        gst_object_ref(raw)
    }

    deinit { gst_object_unref(raw) }

    var element: UnsafeMutablePointer<GstElement> { raw.assumingMemoryBound(to: GstElement.self) }
    var appSource: UnsafeMutablePointer<GstAppSrc> { raw.assumingMemoryBound(to: GstAppSrc.self) }
    var bus: UnsafeMutablePointer<GstBus> { raw.assumingMemoryBound(to: GstBus.self) }
    var pad: UnsafeMutablePointer<GstPad> { raw.assumingMemoryBound(to: GstPad.self) }

    /// Makes a new element; nil when its plugin is not installed. A fresh element is floating: it is sunk here so that
    /// our reference outlives any bin it is put into.
    static func make(_ factory: String) -> GstRef? {
        guard let element = gst_element_factory_make(factory, nil) else { return nil }
        return GstRef(owning: gst_object_ref_sink(element))
    }

    /// Connects a C handler to a signal; `context` is kept alive for as long as the object lives.
    /// - Returns: the handler's number.
    @discardableResult
    func connect(_ signal: String, _ context: AnyObject, _ handler: @escaping GCallback) -> UInt {
        let keep = Unmanaged.passRetained(context).toOpaque()
        return g_signal_connect_data(raw, signal, handler, keep, releaseClosureContext, GConnectFlags(rawValue: 0))
    }
}

nonisolated private func releaseClosureContext(
    _ context: UnsafeMutableRawPointer?, _ closure: UnsafeMutablePointer<GClosure>?
) {
    releaseContext(context)
}

/// Gives back what `Unmanaged.passRetained` handed to C; runs on any thread.
nonisolated func releaseContext(_ context: UnsafeMutableRawPointer?) {
    guard let context else { return }
    Unmanaged<AnyObject>.fromOpaque(context).release()
}
