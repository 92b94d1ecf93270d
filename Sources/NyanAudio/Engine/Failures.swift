internal import CGst
internal import NyanCore

extension Failure {
    /// An element that every sound needs is not installed. Trying again makes sense once it is: `GstRuntime` looks again.
    static func missing(_ element: String, _ package: String, for name: String = "sound") -> Failure {
        Failure(
            .missingDecoder,
            "\(name) cannot be played: the GStreamer element \(element) is missing; install the package \(package)",
            retry: .later)
    }

    /// An element that sounds of one kind need is not installed.
    static func missing(_ element: String, of format: SoundFormat) -> Failure {
        var failure = missing(element, GstRuntime.package(of: element) ?? format.package, for: format.name)
        if !format.isEverywhere { failure.retry = .never }
        return failure
    }

    /// What it means that the pipeline found no element for these caps: a piece is missing, or the bytes are no sound.
    static func missingDecoder(_ description: String) -> Failure {
        // Caps inside a structure's text are escaped: spaces and parentheses carry backslashes.
        let plain = description.filter { $0 != "\\" }
        if let format = SoundFormat.known.first(where: { plain.contains($0.sign) }) {
            return GstRuntime.firstMissing(of: format).map { missing($0, of: format) } ?? .damaged
        }
        guard plain.contains("audio/") || plain.contains("video/") else { return .damaged }
        return Failure(
            .missingDecoder,
            "no GStreamer element decodes this sound; the packages gstreamer1.0-plugins-bad and gstreamer1.0-libav may")
    }

    /// A sound server that takes calls and does not answer.
    static let silentOutput = Failure(.audioOutput, "the audio output does not answer", retry: .later)

    static let damaged = Failure(.damagedSound, "the file is damaged or is no sound")

    /// What an ERROR of the pipeline means to a person. Stream errors are about the bytes, resource errors outside the
    /// output about reading them (swift-facts.md §5).
    init(_ error: PipelineError, missingPlugin: String?) {
        if error.part == .output {
            self = Failure(
                .audioOutput, "the sound server or device is gone; play again once it is back (\(error.text))",
                retry: .later)
            return
        }
        let isMissing =
            error.domain == 1 && error.code == GST_CORE_ERROR_MISSING_PLUGIN.rawValue
            || error.domain == 4 && error.code == GST_STREAM_ERROR_CODEC_NOT_FOUND.rawValue
        switch error.domain {
        case _ where isMissing && missingPlugin != nil: self = .missingDecoder(missingPlugin ?? "")
        // Nothing was asked for by name: the bytes lead to no decoder because they are no sound.
        case _ where isMissing: self = .damaged
        case 4: self = .damaged
        default: self = Failure(.internal, "the sound pipeline failed: \(error.text)")
        }
    }
}
