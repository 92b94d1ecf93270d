internal import CGst
internal import Dispatch
public import NyanCore

/// Says what can be played here. Makes elements and asks the sound server, but opens no stream and no device.
extension GstEngine: SoundExaminer {
    /// One at a time: a server that does not answer holds its thread until it does.
    private static let queue = DispatchQueue(label: "nyand.audio.examination")
    private static var isAsking = false
    private static let patience = DispatchTimeInterval.seconds(2)

    public func examineSound() async -> SoundFacts {
        var facts = SoundFacts(sink: sinkSetting)
        do throws(Failure) {
            try GstRuntime.start()
        } catch {
            facts.trouble = error.message
            return facts
        }
        // What was installed a moment ago is seen without a restart.
        GstRuntime.lookAgain()
        let ofMP3 = SoundFormat.mp3.elements.flatMap { $0 } + ["pulsesink"]
        facts.missing = GstRuntime.missingElements().filter { !ofMP3.contains($0.element) }
            .map { MissingElement($0.element, in: $0.package) }
        facts.decoders = [decoder(.mp3, .mp3), SoundFormat.aac.map { decoder(.aac, $0) }, decoder(.flac, .flac)]
            .compactMap { $0 }
        facts.output = audioOutput
        facts.hasCard = Output.hasCard
        if sinkSetting != "auto" { facts.sinkTrouble = trouble(of: sinkSetting) }
        if sinkSetting == "auto" || sinkSetting.contains("pulsesink") { facts.server = await askServer() }
        return facts
    }

    private func decoder(_ check: Finding.Check, _ format: SoundFormat) -> SoundFacts.Decoder {
        let missing = GstRuntime.firstMissing(of: format).map {
            MissingElement($0, in: GstRuntime.package(of: $0) ?? format.package)
        }
        return SoundFacts.Decoder(check, name: format.name, element: GstRuntime.decoder(of: format), missing: missing)
    }

    /// Why a sink of the person's own words cannot be made; it is made and dropped, never opened: to open a file sink
    /// would empty its file.
    private func trouble(of description: String) -> String? {
        var error: UnsafeMutablePointer<GError>?
        let bin = gst_parse_bin_from_description(description, 1, &error)
        defer { g_clear_error(&error) }
        guard let bin else { return error.map { String(cString: $0.pointee.message) } ?? "it is not valid" }
        _ = GstRef(owning: gst_object_ref_sink(bin))
        return nil
    }

    private func askServer() async -> SoundFacts.Server {
        guard let sink = GstRef.make("pulsesink") else {
            return .cannotBeAsked(MissingElement("pulsesink", in: "gstreamer1.0-plugins-good"))
        }
        guard !Self.isAsking else { return .silent }
        Self.isAsking = true
        return await withCheckedContinuation { waiter in
            let first = FirstAnswer(waiter)
            Self.queue.async {
                let isThere = gst_element_set_state(sink.element, GST_STATE_READY) != GST_STATE_CHANGE_FAILURE
                gst_element_set_state(sink.element, GST_STATE_NULL)
                DispatchQueue.main.async {
                    MainActor.assumeIsolated {
                        Self.isAsking = false
                        first.say(isThere ? .answers : .refuses)
                    }
                }
            }
            DispatchQueue.main.asyncAfter(deadline: .now() + Self.patience) {
                MainActor.assumeIsolated { first.say(.silent) }
            }
        }
    }

    /// Resumes whoever waits with what is said first.
    private final class FirstAnswer {
        private var waiter: CheckedContinuation<SoundFacts.Server, Never>?
        init(_ waiter: CheckedContinuation<SoundFacts.Server, Never>) { self.waiter = waiter }

        func say(_ answer: SoundFacts.Server) {
            waiter?.resume(returning: answer)
            waiter = nil
        }
    }
}

extension SoundFormat {
    nonisolated static var aac: SoundFormat? { known.first { $0.name == "AAC" } }
}

extension GstRuntime {
    /// The element that decodes a format here; nil where none is there.
    static func decoder(of format: SoundFormat) -> String? {
        format.elements.last?.first { !isMissing($0) }
    }

    private static func isMissing(_ element: String) -> Bool {
        firstMissing(of: SoundFormat(sign: "", name: "", elements: [[element]], package: "")) != nil
    }
}
