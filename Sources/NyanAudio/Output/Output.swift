internal import CGst
internal import Glibc
internal import NyanCore

/// Where the sound goes: a sink with its volume and its tap.
final class Output {
    /// A Flatpak's icon has the name of the whole, as its desktop entry.
    private static let icon = getenv("FLATPAK_ID").map { String(cString: $0) } ?? "nyand"

    enum Kind { case server, device, silent, described }

    let kind: Kind
    let sink: GstRef
    let volume: StreamVolume
    let tap: SinkTap
    /// Which of a server's devices it goes to; nil where there is no server.
    let route: Route?
    private let opening: Opening

    /// What an output tells, on streaming threads.
    struct Reports: Sendable {
        /// Somebody else set the stream's volume.
        var volume: @Sendable (Double, UInt64) -> Void
        /// The first buffer of a load reached the sink.
        var firstSample: @Sendable () -> Void
        /// A buffer went in after `SinkTap.expectMove`.
        var moved: @Sendable () -> Void
        /// The device the stream played on is gone, and the server has put the stream on another.
        var vanished: @Sendable () -> Void
    }

    private init(_ kind: Kind, _ sink: GstRef, _ volume: StreamVolume, _ reports: Reports, _ opening: Opening) {
        self.opening = opening
        self.kind = kind
        self.sink = sink
        self.volume = volume
        route = volume.server.flatMap { Route($0, onVanish: reports.vanished) }
        tap = SinkTap(sink, volume: volume, route: route, onFirst: reports.firstSample, onMove: reports.moved)
    }

    isolated deinit {
        tap.remove()
        volume.remove()
        route?.remove()
        opening.close(sink)
    }

    /// How long before the last sample in the sink the clock must be held, so that nothing of what comes later is late:
    /// sinks with a ring buffer drop samples that are more than 40 ms late.
    var underrunMargin: Duration { kind == .server || kind == .device ? .milliseconds(60) : .zero }

    /// Opens the output that the setting names. `auto`: the sound server if one answers, else a real card, else silence
    /// in real time, if that will do. Our own choice, because autoaudiosink falls back to silence without a word
    /// (swift-facts.md §5).
    /// - Throws: also when a server takes the call and does not answer; `Opening.onAnswer` then follows.
    static func open(
        _ setting: String, volume: Double, reports: Reports, opening: Opening, orSilence: Bool = true
    ) throws(Failure) -> Output {
        guard setting == "auto" else {
            return try described(.described, setting, volume: volume, reports: reports, opening: opening)
        }
        if let sink = GstRef.make("pulsesink"), try opening.wakes(sink) {
            cgst_set_stream_properties(sink.raw, "nyand", icon)
            let volume = StreamVolume(sink, isServers: true, volume: volume, onChange: reports.volume)
            return Output(.server, sink, volume, reports, opening)
        }
        if hasCard,
            let output = try? described(.device, "alsasink", volume: volume, reports: reports, opening: opening),
            try opening.wakes(output.sink)
        {
            return output
        }
        guard orSilence else { throw Failure(.audioOutput, "there is no audio output", retry: .later) }
        return try described(.silent, "fakesink sync=true", volume: volume, reports: reports, opening: opening)
    }

    /// A sink of the person's own words, as `gst-launch` takes them.
    private static func described(
        _ kind: Kind, _ description: String, volume: Double, reports: Reports, opening: Opening
    ) throws(Failure) -> Output {
        let plain = try parse(description)
        if let pointer = cgst_stream_volume_in(plain.raw) {
            let element = GstRef(owning: pointer)
            if cgst_is_sink(element.raw) != 0 {
                let volume = StreamVolume(element, isServers: true, volume: volume, onChange: reports.volume)
                return Output(.server, plain, volume, reports, opening)
            }
        }
        let bin = try parse("volume name=nyand-volume ! " + description)
        guard let pointer = gst_bin_get_by_name(bin.raw.assumingMemoryBound(to: GstBin.self), "nyand-volume") else {
            throw .missing("volume", "gstreamer1.0-plugins-base")
        }
        let element = GstRef(owning: UnsafeMutableRawPointer(pointer))
        let volume = StreamVolume(element, isServers: false, volume: volume, onChange: reports.volume)
        return Output(kind, bin, volume, reports, opening)
    }

    private static func parse(_ description: String) throws(Failure) -> GstRef {
        var error: UnsafeMutablePointer<GError>?
        let bin = gst_parse_bin_from_description(description, 1, &error)
        let reason = error.map { String(cString: $0.pointee.message) }
        g_clear_error(&error)
        guard let bin else {
            throw Failure(.audioOutput, "the sink \"\(description)\" cannot be used: \(reason ?? "it is not valid")")
        }
        return GstRef(owning: gst_object_ref_sink(bin))
    }

    /// Whether the kernel knows a sound card; without one alsasink may still open a plug that leads nowhere.
    static var hasCard: Bool { access("/proc/asound/card0", F_OK) == 0 }
}
