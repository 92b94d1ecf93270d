internal import CGst
public import NyanCore

/// GStreamer itself: started once, at the first sound, and asked what is installed.
public enum GstRuntime {
    private static var isStarted = false

    /// What the usual sounds need from end to end, with the Debian 12 package that has it (swift-facts.md §4).
    private static let needed: [(element: String, package: String)] = [
        ("pipeline", "libgstreamer1.0-0"),
        ("concat", "libgstreamer1.0-0"),
        ("queue", "libgstreamer1.0-0"),
        ("appsrc", "gstreamer1.0-plugins-base"),
        ("decodebin", "gstreamer1.0-plugins-base"),
        ("volume", "gstreamer1.0-plugins-base"),
        ("audioconvert", "gstreamer1.0-plugins-base"),
        ("audioresample", "gstreamer1.0-plugins-base"),
        ("mpegaudioparse", "gstreamer1.0-plugins-good"),
        ("id3demux", "gstreamer1.0-plugins-good"),
        ("flacparse", "gstreamer1.0-plugins-good"),
        ("flacdec", "gstreamer1.0-plugins-good"),
        ("pulsesink", "gstreamer1.0-plugins-good"),
    ]

    /// Either of these turns MP3 into samples; the first is the one we want (half the memory, swift-facts.md §3).
    private static let mp3Decoders = ["mpg123audiodec", "avdec_mp3", "avdec_mp3float"]

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
        if !mp3Decoders.contains(where: isInstalled) { missing.append((mp3Decoders[0], "gstreamer1.0-plugins-good")) }
        return missing
    }

    /// Makes a new element that may be used.
    /// - Throws: its name and the package that has it.
    static func make(_ element: String) throws(Failure) -> GstRef {
        if isInstalled(element), let made = GstRef.make(element) { return made }
        let package = needed.first { $0.element == element }?.package ?? "gstreamer1.0-plugins-good"
        throw .missing(element, package)
    }

    /// The decoder that turns MP3 into samples here; the one we want where there is none.
    static var mp3Decoder: String { mp3Decoders.first(where: isInstalled) ?? mp3Decoders[0] }

    private static func isInstalled(_ element: String) -> Bool {
        guard let factory = gst_element_factory_find(element) else { return false }
        defer { gst_object_unref(UnsafeMutableRawPointer(factory)) }
        // Rank zero is somebody's word that a decoder or parser is not to be used; others have no rank.
        let isRanked = mp3Decoders.contains(element) || element.hasSuffix("parse") || element.hasSuffix("demux")
        return !isRanked || gst_plugin_feature_get_rank(cgst_feature(UnsafeMutableRawPointer(factory))) > 0
    }

    /// Debian ranks libav's decoder first, which costs 30 MiB more (swift-facts.md §3). A rank of zero was set on
    /// purpose through GST_PLUGIN_FEATURE_RANK and is left alone.
    private static func preferMpg123() {
        guard let feature = gst_registry_lookup_feature(gst_registry_get(), mp3Decoders[0]) else { return }
        if gst_plugin_feature_get_rank(feature) > 0 { gst_plugin_feature_set_rank(feature, 512) }
        gst_object_unref(UnsafeMutableRawPointer(feature))
    }
}
