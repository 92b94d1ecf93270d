import NyanCore
import NyanDBus
import NyanWire

/// The transport: `play`, `pause`, `toggle`, `stop`, `next`, `prev`, `seek`, `volume`, `shuffle`, `repeat`.
@MainActor enum PlayCommands {
    static func play(_ invocation: Invocation) throws(Ending) {
        let daemon = try Daemon(invocation)
        guard !invocation.words.isEmpty else { return try send("Play", daemon, patience: .network) }
        let tracks = try TrackWords.toPlay(invocation.words, daemon: daemon)
        try send("PlayTracks", daemon, [tracks.busValue, .uint32(UInt32(clamping: tracks.start))], patience: .network)
    }

    static func pause(_ invocation: Invocation) throws(Ending) { try send("Pause", Daemon(invocation)) }
    static func toggle(_ invocation: Invocation) throws(Ending) { try send("Toggle", Daemon(invocation)) }
    static func stop(_ invocation: Invocation) throws(Ending) { try send("Stop", Daemon(invocation)) }
    static func next(_ invocation: Invocation) throws(Ending) { try send("Next", Daemon(invocation)) }
    static func prev(_ invocation: Invocation) throws(Ending) { try send("Previous", Daemon(invocation)) }

    static func seek(_ invocation: Invocation) throws(Ending) {
        guard let target = SeekTarget(invocation.words[0]) else {
            throw .usage("“\(invocation.words[0])” is no time such as 90, 1:30, +10, -10 or 50%", command: "seek")
        }
        let daemon = try Daemon(invocation)
        switch target {
        case .to(let time): try send("SeekTo", daemon, [.int64(MetadataCoding.microseconds(time))])
        case .by(let time): try send("SeekBy", daemon, [.int64(MetadataCoding.microseconds(time))])
        case .fraction(let part): try send("SeekToFraction", daemon, [.double(part)])
        }
    }

    static func volume(_ invocation: Invocation) throws(Ending) {
        guard let word = invocation.words.first else {
            let volume = try Daemon(invocation).ask { client throws(ClientFailure) in try client.status().volume }
            // The number this command takes, on stdout with --json too: it is a JSON number.
            return Terminal.print("\(Int((volume * 100).rounded()))")
        }
        let digits = word.hasSuffix("%") ? word.dropLast() : word[...]
        let isRelative = digits.hasPrefix("+") || digits.hasPrefix("-")
        guard let number = NumberText.number(digits), isRelative || (0...100).contains(number) else {
            throw .usage("“\(word)” is no volume: 0 to 100, +N or -N", command: "volume")
        }
        let member = isRelative ? "ChangeVolume" : "SetVolume"
        _ = try Daemon(invocation).ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.player, member, [.double(number / 100)])
        }
    }

    static func shuffle(_ invocation: Invocation) throws(Ending) {
        guard let word = invocation.words.first else {
            let isOn = try Daemon(invocation).ask { client throws(ClientFailure) in try client.status().shuffle }
            return Terminal.print(invocation.asJSON ? "\(isOn)" : isOn ? "on" : "off")
        }
        guard word == "on" || word == "off" else { throw .usage("shuffle is on or off", command: "shuffle") }
        try send("SetShuffle", Daemon(invocation), [.bool(word == "on")])
    }

    static func repeatMode(_ invocation: Invocation) throws(Ending) {
        guard let word = invocation.words.first else {
            let mode = try Daemon(invocation).ask { client throws(ClientFailure) in try client.status().repeatMode }
            return Terminal.print(invocation.asJSON ? JSONText.encode(mode.rawValue) : mode.rawValue)
        }
        guard RepeatMode(rawValue: word) != nil else {
            throw .usage("repeat is off, track or queue", command: "repeat")
        }
        try send("SetRepeat", Daemon(invocation), [.string(word)])
    }

    private static func send(
        _ member: String, _ daemon: Daemon, _ arguments: [BusValue] = [], patience: NyanClient.Patience = .quick
    ) throws(Ending) {
        _ = try daemon.ask { client throws(ClientFailure) in
            try client.call(NyandInterfaces.player, member, arguments, patience)
        }
    }
}
