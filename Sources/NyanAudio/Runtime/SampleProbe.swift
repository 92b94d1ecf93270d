internal import CGst

/// Changes samples on their way through a pad. Streaming thread.
nonisolated class SampleWorker {
    /// An event that is about to pass.
    func passed(_ event: UnsafeMutablePointer<GstEvent>) {}

    /// Samples that are about to pass.
    /// - Returns: the buffer to go on with: the same, or a copy if others hold it. Takes over the reference.
    func passed(_ buffer: UnsafeMutablePointer<GstBuffer>) -> UnsafeMutablePointer<GstBuffer> { buffer }

    /// Lets `change` write to the samples of a buffer, or of a copy if others hold it.
    /// - Returns: the changed one. Takes over the reference.
    final func changing(
        _ buffer: UnsafeMutablePointer<GstBuffer>, _ change: (UnsafeMutableRawBufferPointer) -> Void
    ) -> UnsafeMutablePointer<GstBuffer> {
        let object = UnsafeMutableRawPointer(buffer).assumingMemoryBound(to: GstMiniObject.self)
        guard let own = gst_mini_object_make_writable(object) else { return buffer }
        let ours = UnsafeMutableRawPointer(own).assumingMemoryBound(to: GstBuffer.self)
        var map = GstMapInfo()
        let mode = GstMapFlags(rawValue: GST_MAP_READ.rawValue | GST_MAP_WRITE.rawValue)
        guard gst_buffer_map(ours, &map, mode) != 0 else { return ours }
        change(UnsafeMutableRawBufferPointer(start: map.data, count: Int(map.size)))
        gst_buffer_unmap(ours, &map)
        return ours
    }

    /// Puts the worker on a pad, which keeps it.
    /// - Returns: the probe's number.
    @discardableResult
    final func watch(_ pad: UnsafeMutablePointer<GstPad>) -> UInt {
        let mask = GstPadProbeType(
            rawValue: GST_PAD_PROBE_TYPE_BUFFER.rawValue | GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM.rawValue)
        return gst_pad_add_probe(pad, mask, samplesPassing, Unmanaged.passRetained(self).toOpaque(), releaseContext)
    }
}

nonisolated private func samplesPassing(
    _ pad: UnsafeMutablePointer<GstPad>?, _ info: UnsafeMutablePointer<GstPadProbeInfo>?,
    _ context: UnsafeMutableRawPointer?
) -> GstPadProbeReturn {
    guard let info, let context else { return GST_PAD_PROBE_OK }
    let worker = Unmanaged<SampleWorker>.fromOpaque(context).takeUnretainedValue()
    if info.pointee.type.rawValue & GST_PAD_PROBE_TYPE_BUFFER.rawValue != 0 {
        if let buffer = gst_pad_probe_info_get_buffer(info) {
            info.pointee.data = UnsafeMutableRawPointer(worker.passed(buffer))
        }
    } else if let event = gst_pad_probe_info_get_event(info) {
        worker.passed(event)
    }
    return GST_PAD_PROBE_OK
}
