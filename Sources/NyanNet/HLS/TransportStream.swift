/// Takes the sound out of one HLS segment: an MPEG transport stream (ISO 13818-1) with one audio stream.
///
/// Pure and strict: a missing packet is damage, never a hole in the sound (vk-api.md §4.4).
nonisolated struct TransportStream {
    /// Why a segment cannot be used. Everything but `.unsupported` may be cured by fetching it again.
    enum Damage: Error, Equatable {
        /// Not a whole number of 188-byte packets that begin with 0x47.
        case notPackets
        case noProgram
        case noAudio
        /// A packet is missing or doubled with other content, or marked as broken by the sender.
        case discontinuity
        case badPES
        case empty
        /// Sound that is neither MP3 nor AAC in ADTS, by its PMT stream type.
        case unsupported(streamType: UInt8)
    }

    /// The elementary stream of a segment.
    struct Sound: Equatable {
        /// `aac`: in ADTS.
        enum Kind { case mp3, aac }
        var kind: Kind
        /// Bytes of an MP3 or ADTS file, not yet walked.
        var bytes: [UInt8]
        /// False where a PES packet is shorter than it says: whole packets are missing at an end.
        var isWhole: Bool
    }

    static let packetSize = 188
    private static let kinds: [UInt8: Sound.Kind] = [0x03: .mp3, 0x04: .mp3, 0x0F: .aac]
    /// AAC in LATM, AC-3: known sounds that nyand does not take from a transport stream.
    private static let otherAudioTypes: Set<UInt8> = [0x11, 0x81]

    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) throws(Damage) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count.isMultiple(of: Self.packetSize) else { throw .notPackets }
        self.bytes = bytes
        for start in starts where bytes[start] != 0x47 { throw .notPackets }
    }

    /// The first audio stream that is MP3 or AAC.
    func sound() throws(Damage) -> Sound {
        let (audio, kind) = try audioStream()
        var sound: [UInt8] = []
        sound.reserveCapacity(bytes.count)
        var isWhole = true
        var lastCounter: UInt8?
        var header = PESHeader()
        for start in starts {
            let packet = try Packet(bytes, at: start)
            guard packet.pid == audio, !packet.payload.isEmpty else { continue }
            if let last = lastCounter, !packet.mayJump {
                // The standard allows a packet to be sent twice in a row.
                if packet.counter == last { continue }
                guard packet.counter == (last + 1) & 15 else { throw .discontinuity }
            }
            lastCounter = packet.counter
            if packet.startsUnit {
                isWhole = isWhole && header.isWhole
                header = PESHeader()
            }
            sound.append(contentsOf: try header.strip(bytes[packet.payload]))
        }
        guard !sound.isEmpty else { throw .empty }
        return Sound(kind: kind, bytes: sound, isWhole: isWhole && header.isWhole)
    }

    private var starts: StrideTo<Int> { stride(from: 0, to: bytes.count, by: Self.packetSize) }

    /// PAT → PMT → the first audio stream. Looked up before any sound is taken, wherever the tables stand.
    private func audioStream() throws(Damage) -> (pid: UInt16, kind: Sound.Kind) {
        guard let pat = try section(pid: 0, table: 0x00) else { throw .noProgram }
        // Entries of program number and PID; number 0 names the network table.
        let entries = stride(from: 8, to: pat.count - 4 - 3, by: 4).map { (number(pat, $0), number(pat, $0 + 2)) }
        guard let program = entries.first(where: { $0.0 != 0 }) else { throw .noProgram }
        guard let pmt = try section(pid: program.1 & 0x1FFF, table: 0x02), pmt.count >= 16 else { throw .noProgram }
        var at = 12 + Int(number(pmt, 10) & 0x0FFF)
        var other: UInt8?
        while at + 5 <= pmt.count - 4 {
            let type = pmt[at]
            if let kind = Self.kinds[type] { return (number(pmt, at + 1) & 0x1FFF, kind) }
            if Self.otherAudioTypes.contains(type), other == nil { other = type }
            at += 5 + Int(number(pmt, at + 3) & 0x0FFF)
        }
        if let other { throw .unsupported(streamType: other) }
        throw .noAudio
    }

    /// The first whole section of `table` on `pid`, put together from as many packets as it takes.
    private func section(pid: UInt16, table: UInt8) throws(Damage) -> [UInt8]? {
        var gathered: [UInt8] = []
        var isOpen = false
        for start in starts {
            let packet = try Packet(bytes, at: start)
            guard packet.pid == pid, let first = packet.payload.first else { continue }
            if packet.startsUnit {
                // The pointer field says how many bytes of an older section come first.
                let from = first + 1 + Int(bytes[first])
                guard from <= packet.payload.upperBound else { continue }
                gathered = Array(bytes[from..<packet.payload.upperBound])
                isOpen = true
            } else if isOpen {
                gathered += bytes[packet.payload]
            }
            guard isOpen, gathered.count >= 3 else { continue }
            let length = 3 + Int(number(gathered, 1) & 0x0FFF)
            guard gathered.count >= length else { continue }
            if gathered[0] == table, length >= 12 { return Array(gathered[..<length]) }
            isOpen = false
        }
        return nil
    }

    private func number(_ bytes: [UInt8], _ at: Int) -> UInt16 {
        UInt16(bytes[at]) << 8 | UInt16(bytes[at + 1])
    }
}

/// The four header bytes of a packet and where its payload stands.
private nonisolated struct Packet {
    let pid: UInt16
    let startsUnit: Bool
    let counter: UInt8
    /// The sender announces that the counter begins anew here.
    let mayJump: Bool
    let payload: Range<Int>

    init(_ bytes: [UInt8], at start: Int) throws(TransportStream.Damage) {
        let end = start + TransportStream.packetSize
        pid = UInt16(bytes[start + 1] & 0x1F) << 8 | UInt16(bytes[start + 2])
        startsUnit = bytes[start + 1] & 0x40 != 0
        counter = bytes[start + 3] & 0x0F
        let isNull = pid == 0x1FFF
        // Transport error, or scrambled by something other than HLS.
        guard isNull || (bytes[start + 1] & 0x80 == 0 && bytes[start + 3] & 0xC0 == 0) else { throw .discontinuity }
        var from = start + 4
        var jump = false
        if bytes[start + 3] & 0x20 != 0 {
            let length = Int(bytes[from])
            if length > 0 { jump = bytes[from + 1] & 0x80 != 0 }
            from += 1 + length
            guard isNull || from <= end else { throw .notPackets }
        }
        mayJump = jump
        payload = bytes[start + 3] & 0x10 != 0 && !isNull ? from..<end : from..<from
    }
}

/// Strips the header that begins every packet of the elementary stream; it may span transport packets.
private nonisolated struct PESHeader {
    private var head: [UInt8] = []
    private var isDone = false
    /// Bytes of sound still to come; nil where the header does not say.
    private var left: Int?

    /// Whether as much came as was announced.
    var isWhole: Bool { (left ?? 0) <= 0 }

    /// What of `payload` is sound.
    mutating func strip(_ payload: ArraySlice<UInt8>) throws(TransportStream.Damage) -> ArraySlice<UInt8> {
        if isDone {
            left = left.map { $0 - payload.count }
            return payload
        }
        let before = head.count
        head += payload
        guard head.count >= 9 else { return [] }
        guard head[0] == 0, head[1] == 0, head[2] == 1, (0xC0...0xDF).contains(head[3]) else { throw .badPES }
        let length = 9 + Int(head[8])
        guard head.count >= length else { return [] }
        isDone = true
        let sound = payload.dropFirst(length - before)
        let announced = Int(head[4]) << 8 | Int(head[5])
        if announced > 0 { left = announced - 3 - Int(head[8]) - sound.count }
        return sound
    }
}
