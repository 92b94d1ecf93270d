internal import CGst
internal import Synchronization

/// Takes out what decodebin3 of GStreamer 1.22 forgets inside itself: at each load, and at each join, the `identity` in
/// front of its decoder (about 4 KiB a track, for as long as the pipeline lives).
///
/// An element goes only when nobody holds it but the bin and we: decodebin3 has let go of the input it belonged to. Where
/// decodebin3 takes it out by itself, nothing is left to do.
nonisolated final class LeakedInputs: Sendable {
    private let noted = Mutex<[GstRef]>([])

    /// Watches what is put into the pipeline.
    func watch(_ playbin: GstRef) {
        playbin.connect("element-setup", self, unsafeBitCast(inputAdded, to: GCallback.self))
    }

    /// Frees what is forgotten by now. Not on the main thread while the pipeline runs: elements have locks.
    func free() {
        let unused = noted.withLock { noted in
            let unused = noted.filter { cgst_references($0.raw) <= 2 }
            noted.removeAll { element in unused.contains { $0 === element } }
            return unused
        }
        for element in unused { cgst_take_out(element.raw) }
    }

    /// Streaming threads.
    fileprivate func note(_ element: UnsafeMutableRawPointer) {
        let element = GstRef(retaining: element)
        noted.withLock { $0.append(element) }
    }
}

private nonisolated let inputAdded:
    @convention(c) (UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?) -> Void = {
        _, element, context in
        guard let element, let context, cgst_is_input_identity(element) != 0 else { return }
        Unmanaged<LeakedInputs>.fromOpaque(context).takeUnretainedValue().note(element)
    }
