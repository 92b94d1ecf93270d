internal import CGst
internal import NyanCore

extension Failure {
    /// An element that is not installed.
    static func missing(_ element: String, _ package: String) -> Failure {
        Failure(.missingDecoder, "the GStreamer element \(element) is missing: install the package \(package)")
    }

    /// The caps of a missing decoder in a person's words, with the Debian 12 package that decodes them.
    static func missingDecoder(_ description: String) -> Failure {
        let known: [(sign: String, name: String, package: String)] = [
            ("mpegversion=(int)4", "AAC", "gstreamer1.0-libav"),
            ("audio/mpeg", "MP3", "gstreamer1.0-plugins-good"),
            ("audio/x-flac", "FLAC", "gstreamer1.0-plugins-good"),
            ("audio/x-vorbis", "Vorbis", "gstreamer1.0-plugins-base"),
            ("audio/x-opus", "Opus", "gstreamer1.0-plugins-base"),
        ]
        // Caps inside a structure's text are escaped: spaces and parentheses carry backslashes.
        let plain = description.filter { $0 != "\\" }
        guard let hit = known.first(where: { plain.contains($0.sign) }) else {
            return Failure(
                .missingDecoder,
                "this sound cannot be decoded: install the packages gstreamer1.0-plugins-good and gstreamer1.0-libav")
        }
        return Failure(.missingDecoder, "\(hit.name) cannot be decoded: install the package \(hit.package)")
    }

    /// A sound server that takes calls and does not answer.
    static let silentOutput = Failure(.audioOutput, "the audio output does not answer", retry: .later)

    static let damaged = Failure(.damagedSound, "the file is damaged or is no sound")

    /// What an ERROR of the pipeline means to a person. Stream errors are about the bytes, resource errors outside the
    /// output about reading them (swift-facts.md §5).
    init(_ error: PipelineError, missingPlugin: String?) {
        if error.part == .output {
            self = Failure(.audioOutput, "the audio output failed: \(error.text)", retry: .later)
            return
        }
        let isMissing =
            error.domain == 1 && error.code == GST_CORE_ERROR_MISSING_PLUGIN.rawValue
            || error.domain == 4 && error.code == GST_STREAM_ERROR_CODEC_NOT_FOUND.rawValue
        switch error.domain {
        case _ where isMissing && missingPlugin != nil: self = .missingDecoder(missingPlugin ?? "")
        // Nothing was asked for by name: the bytes lead to no decoder because they are no sound.
        case _ where isMissing: self = .missingDecoder("")
        case 4: self = .damaged
        default: self = Failure(.internal, "the sound pipeline failed: \(error.text)")
        }
    }
}
