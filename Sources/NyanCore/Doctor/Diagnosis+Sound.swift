/// What the facts mean to a person. Pure; each function makes the lines of its checks.
public enum Diagnosis {
    /// The words of an installation by hand.
    static func install(_ packages: [String], _ elements: [String]) -> String {
        let names = packages.joined(separator: " ")
        let searched =
            elements.isEmpty ? "" : " (elsewhere than on Debian: what has the GStreamer element \(list(elements)))"
        return "install \(names)\(searched)"
    }

    static func list(_ words: [String]) -> String { words.joined(separator: ", ") }

    /// A part that gave no answer within its time.
    public static func late(_ check: Finding.Check, seconds: Int) -> Finding {
        Finding(
            check, .problem, "no answer within \(seconds) s",
            advice: "what it waits for hangs; the log may say more (`journalctl --user -u nyand`)")
    }

    public static func sound(_ facts: SoundFacts) -> [Finding] {
        if let trouble = facts.trouble {
            let finding = Finding(
                .pieces, .problem, trouble, advice: "install gstreamer1.0-plugins-base and gstreamer1.0-plugins-good",
                packages: ["gstreamer1.0-plugins-base", "gstreamer1.0-plugins-good"])
            let skipped: [Finding.Check] = [.mp3, .aac, .flac, .sink, .server]
            return [finding] + skipped.map { Finding($0, .skipped, "GStreamer does not start") }
        }
        return [pieces(facts.missing)] + facts.decoders.map(decoder) + [sink(facts), server(facts)]
    }

    private static func pieces(_ missing: [MissingElement]) -> Finding {
        guard !missing.isEmpty else { return Finding(.pieces, .ok, "every element that sound needs is installed") }
        let (elements, packages) = (missing.map(\.element), unique(missing.map(\.package)))
        return Finding(
            .pieces, .problem, "nothing can be played: \(list(elements)) missing", advice: install(packages, elements),
            packages: packages, elements: elements)
    }

    private static func decoder(_ decoder: SoundFacts.Decoder) -> Finding {
        guard let missing = decoder.missing else {
            return Finding(decoder.check, .ok, "\(decoder.name) is decoded by \(decoder.element ?? "GStreamer")")
        }
        // What VK is known to have is MP3, and Debian's -good plugins decode FLAC beside it; AAC is in a package of its own.
        return Finding(
            decoder.check, decoder.check == .aac ? .note : .problem,
            "\(decoder.name) cannot be played: \(missing.element) is missing",
            advice: install([missing.package], [missing.element]), packages: [missing.package],
            elements: [missing.element])
    }

    private static func sink(_ facts: SoundFacts) -> Finding {
        guard facts.sink == "auto" else {
            if let trouble = facts.sinkTrouble {
                return Finding(
                    .sink, .problem, "audio.sink=\(facts.sink) cannot be used: \(trouble)",
                    advice: "correct audio.sink, or set it to auto, and restart nyand")
            }
            if facts.output == .lost { return lost("audio.sink=\(facts.sink)") }
            return Finding(.sink, .ok, "audio.sink=\(facts.sink)")
        }
        switch facts.server {
        case .answers:
            return facts.output == .lost
                ? lost("the sound server") : Finding(.sink, .ok, "the sound server (pulsesink)")
        case .silent:
            return Finding(
                .sink, .problem, "the sound server holds up every sound",
                advice: "see sound-server, or name another output in audio.sink")
        case .refuses, .cannotBeAsked, .notAsked:
            if facts.hasCard { return Finding(.sink, .ok, "the sound card itself (alsasink)") }
            return Finding(
                .sink, .problem, "there is no output: everything plays in silence",
                advice: "start a sound server, or name an output in audio.sink")
        }
    }

    private static func lost(_ what: String) -> Finding {
        Finding(
            .sink, .problem, "\(what) was lost and is not back", advice: "connect it again; then `nyanctl play` goes on"
        )
    }

    private static func server(_ facts: SoundFacts) -> Finding {
        let start = "start it (`systemctl --user start pipewire-pulse`, or `pulseaudio --start`)"
        switch facts.server {
        case .answers: return Finding(.server, .ok, "it answers")
        case .notAsked: return Finding(.server, .skipped, "audio.sink names an output that does not need it")
        case .silent:
            return Finding(
                .server, .problem, "it takes the call and does not answer",
                advice: "restart it (`systemctl --user restart pipewire-pulse`, or `pulseaudio -k`)")
        case .cannotBeAsked(let missing):
            return Finding(
                .server, facts.hasCard ? .note : .problem,
                "it cannot be used: \(missing.element) is missing",
                advice: install([missing.package], [missing.element]),
                packages: [missing.package], elements: [missing.element])
        case .refuses:
            return Finding(
                .server, facts.hasCard && facts.sink == "auto" ? .note : .problem, "no sound server answers",
                advice: "install pipewire-pulse (or pulseaudio), and \(start)",
                packages: ["pipewire-pulse", "pulseaudio"])
        }
    }

    static func unique(_ words: [String]) -> [String] {
        words.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }
}
