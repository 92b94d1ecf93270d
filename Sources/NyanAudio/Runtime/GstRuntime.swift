internal import CGst
public import NyanCore

/// GStreamer itself: started once, at the first sound, and asked what is installed.
public enum GstRuntime {
    private static var isStarted = false

    /// What every sound needs between its bytes and the output, with the Debian 12 package that has it.
    private static let pipeline: [(element: String, package: String)] = [
        ("pipeline", "libgstreamer1.0-0"),
        ("concat", "libgstreamer1.0-0"),
        ("queue", "libgstreamer1.0-0"),
        ("capsfilter", "libgstreamer1.0-0"),
        ("appsrc", "gstreamer1.0-plugins-base"),
        ("decodebin", "gstreamer1.0-plugins-base"),
        ("volume", "gstreamer1.0-plugins-base"),
        ("audioconvert", "gstreamer1.0-plugins-base"),
        ("audioresample", "gstreamer1.0-plugins-base"),
    ]

    /// What one MP3 needs from end to end (swift-facts.md §4).
    private static let needed =
        pipeline + [
            ("mpegaudioparse", "gstreamer1.0-plugins-good"),
            ("id3demux", "gstreamer1.0-plugins-good"),
            ("pulsesink", "gstreamer1.0-plugins-good"),
        ]

    /// The first element without which no pipeline works; nil where all are there.
    static var missingForPipeline: (element: String, package: String)? {
        pipeline.first { !isInstalled($0.element) }
    }

    /// Loads GStreamer (7–9 ms with a registry cache). Calling it again costs nothing.
    public static func start() throws(Failure) {
        if isStarted { return }
        var error: UnsafeMutablePointer<GError>?
        guard gst_init_check(nil, nil, &error) != 0 else {
            let reason = error.map { String(cString: $0.pointee.message) } ?? "no reason given"
            g_clear_error(&error)
            throw Failure(.internal, "GStreamer does not start: \(reason)")
        }
        preferMpg123()
        isStarted = true
    }

    /// Elements that are not installed, each with the package to install; empty when all is well. Starts GStreamer.
    public static func missingElements() -> [(element: String, package: String)] {
        guard (try? start()) != nil else { return needed }
        var missing = needed.filter { !isInstalled($0.element) }
        let decoders = SoundFormat.mp3Decoders
        if !decoders.contains(where: isUsed) { missing.append((decoders[0], "gstreamer1.0-plugins-good")) }
        return missing
    }

    /// Makes a new element, for every sound or for one kind.
    /// - Throws: its name and the package that has it.
    static func make(_ element: String, for format: SoundFormat? = nil) throws(Failure) -> GstRef {
        if format == nil ? isInstalled(element) : isUsed(element), let made = GstRef.make(element) { return made }
        if let format { throw .missing(element, of: format) }
        throw .missing(element, pipeline.first { $0.element == element }?.package ?? "gstreamer1.0-plugins-good")
    }

    /// The decoder that turns MP3 into samples here; the one we want where there is none.
    static var mp3Decoder: String { SoundFormat.mp3Decoders.first(where: isUsed) ?? SoundFormat.mp3Decoders[0] }

    /// Whether FLAC is decoded by the elements we want.
    static var hasFLAC: Bool { isUsed("flacparse") && isUsed("flacdec") }

    /// The element that has to be there for a format to be decoded and is not; nil where all are.
    nonisolated static func firstMissing(of format: SoundFormat) -> String? {
        format.elements.first { !$0.contains(where: isUsed) }?.first
    }

    /// Packages of elements that do not come with their format's.
    nonisolated static func package(of element: String) -> String? {
        ["aacparse", "mpegaudioparse", "flacparse"].contains(element) ? "gstreamer1.0-plugins-good" : nil
    }

    /// Looks anew for what is installed, so that a piece that was missing and is there now needs no restart. Takes as
    /// long as the new plugins take to load, and some milliseconds where nothing is new.
    static func lookAgain() {
        guard isStarted else { return }
        gst_update_registry()
        preferMpg123()
    }

    /// Whether the pipeline would take this element by itself: one of rank zero is set aside, mostly on purpose.
    private nonisolated static func isUsed(_ element: String) -> Bool {
        guard let feature = gst_registry_lookup_feature(gst_registry_get(), element) else { return false }
        defer { gst_object_unref(UnsafeMutableRawPointer(feature)) }
        return gst_plugin_feature_get_rank(feature) > 0
    }

    private static func isInstalled(_ element: String) -> Bool {
        guard let factory = gst_element_factory_find(element) else { return false }
        gst_object_unref(UnsafeMutableRawPointer(factory))
        return true
    }

    /// Debian ranks libav's decoder first, which costs 30 MiB more (swift-facts.md §3). A rank of zero was set on
    /// purpose through GST_PLUGIN_FEATURE_RANK and is left alone.
    private static func preferMpg123() {
        guard let feature = gst_registry_lookup_feature(gst_registry_get(), SoundFormat.mp3Decoders[0]) else { return }
        if gst_plugin_feature_get_rank(feature) > 0 { gst_plugin_feature_set_rank(feature, 512) }
        gst_object_unref(UnsafeMutableRawPointer(feature))
    }
}
