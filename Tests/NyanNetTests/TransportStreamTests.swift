import NyanCore
import Testing

@testable import NyanNet

@Suite("The sound is taken out of a transport stream")
struct TransportStreamTests {
    static let audio: UInt16 = 0x100
    static let map: UInt16 = 0x1000

    /// A packet; what the payload leaves free is filled by an adaptation field, as the standard wants.
    static func packet(
        _ pid: UInt16, _ counter: UInt8, start: Bool = false, flags: UInt8? = nil, _ payload: [UInt8]
    ) -> [UInt8] {
        var field: [UInt8] = []
        if payload.count < 184 || flags != nil {
            let length = 183 - payload.count
            field = [UInt8(length)] + (length > 0 ? [flags ?? 0] + [UInt8](repeating: 0xFF, count: length - 1) : [])
        }
        let head = [
            0x47, UInt8(pid >> 8) | (start ? 0x40 : 0), UInt8(pid & 0xFF), (field.isEmpty ? 0x10 : 0x30) | counter,
        ]
        return head + field + payload
    }

    static func table(_ pid: UInt16, _ id: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length = content.count + 9
        let section = [id, 0xB0, UInt8(length), 0, 1, 0xC1, 0, 0] + content + [1, 2, 3, 4]
        let payload = [0] + section
        return packet(pid, 0, start: true, payload + [UInt8](repeating: 0xFF, count: 184 - payload.count))
    }

    static let pat = table(0, 0, [0, 0, 0xE0, 0x10, 0, 1, 0xF0, 0x00])
    static func pmt(_ streams: [(UInt8, UInt16)]) -> [UInt8] {
        table(
            map, 2,
            [0xE1, 0, 0xF0, 0] + streams.flatMap { [$0.0, 0xE0 | UInt8($0.1 >> 8), UInt8($0.1 & 0xFF), 0xF0, 0] })
    }
    static let tables = pat + pmt([(3, audio)])

    static func pes(_ sound: [UInt8], header: [UInt8] = [0x80, 5, 0x21, 0, 1, 0, 1], id: UInt8 = 0xC0) -> [UInt8] {
        [0, 0, 1, id, 0, 0, 0x80] + header + sound
    }

    private func demux(_ bytes: [UInt8]) -> Result<[UInt8], TransportStream.Damage> {
        Result { () throws(TransportStream.Damage) in try TransportStream(bytes).sound().bytes }
    }

    static let sound = (0..<500).map { UInt8(truncatingIfNeeded: $0) }
    /// Three packets of one PES: 170 bytes of sound, 184, and the rest behind stuffing.
    static func three(counters: [UInt8] = [14, 15, 0]) -> [UInt8] {
        packet(audio, counters[0], start: true, pes(Array(sound[..<170])))
            + packet(audio, counters[1], Array(sound[170..<354])) + packet(audio, counters[2], Array(sound[354...]))
    }

    @Test("Payloads are joined over packets, the counter's wrap and stuffing")
    func joined() { #expect(demux(Self.tables + Self.three()) == .success(Self.sound)) }

    @Test("Other streams, null packets and bare adaptation fields are passed over")
    func passedOver() {
        let null = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
        let bare = [0x47, 1, 0, 0x2E, 183, 0] + [UInt8](repeating: 0xFF, count: 182)
        let video = Self.packet(0x101, 3, start: true, [UInt8](repeating: 9, count: 184))
        let map = Self.pat + Self.pmt([(0x1B, 0x101), (4, Self.audio)])
        #expect(demux(null + map + video + bare + Self.three() + null) == .success(Self.sound))
    }

    @Test("A packet sent twice counts once")
    func doubled() {
        let one = Self.packet(Self.audio, 1, start: true, Self.pes([1, 2, 3]))
        #expect(demux(Self.tables + one + one) == .success([1, 2, 3]))
    }

    @Test("Tables behind the sound are found")
    func lateTables() { #expect(demux(Self.three() + Self.tables) == .success(Self.sound)) }

    @Test("A jump of the counter is damage unless it is announced")
    func jump() {
        #expect(demux(Self.tables + Self.three(counters: [1, 3, 4])) == .failure(.discontinuity))
        let announced =
            Self.packet(Self.audio, 1, start: true, Self.pes([1])) + Self.packet(Self.audio, 9, flags: 0x80, [2])
        #expect(demux(Self.tables + announced) == .success([1, 2]))
    }

    @Test("A PES header may span two packets")
    func splitHeader() {
        let whole = Self.pes([7, 8, 9])
        for cut in 1..<whole.count {
            let packets =
                Self.packet(Self.audio, 1, start: true, Array(whole[..<cut]))
                + Self.packet(Self.audio, 2, Array(whole[cut...]))
            #expect(demux(Self.tables + packets) == .success([7, 8, 9]), "cut at \(cut)")
        }
    }

    @Test("The first stream that is MP3 or AAC in ADTS is taken; AAC in LATM and AC-3 are known, and refused")
    func kinds() throws {
        for (type, kind) in [(UInt8(3), TransportStream.Sound.Kind.mp3), (4, .mp3), (0x0F, .aac)] {
            let map = Self.pat + Self.pmt([(0x1B, 0x101), (0x81, 0x102), (type, Self.audio)])
            let sound = try TransportStream(map + Self.three()).sound()
            #expect(sound == TransportStream.Sound(kind: kind, bytes: Self.sound, isWhole: true))
        }
        for type in [UInt8(0x11), 0x81] {
            #expect(
                demux(Self.pat + Self.pmt([(type, Self.audio)]) + Self.three())
                    == .failure(.unsupported(streamType: type)))
        }
    }

    @Test("A PES packet that ends before its announced length is not whole")
    func shortPES() throws {
        func packets(_ length: Int) -> [UInt8] {
            var head = Self.pes([1, 2, 3, 4])
            (head[4], head[5]) = (UInt8(length >> 8), UInt8(length & 0xFF))
            return Self.packet(Self.audio, 1, start: true, head) + Self.packet(Self.audio, 2, [5, 6])
        }
        let next = Self.packet(Self.audio, 3, start: true, Self.pes([7]))
        // Three bytes of header flags and five of a time stamp belong to the length.
        for (length, isWhole) in [(0, true), (14, true), (15, false), (9000, false)] {
            #expect(try TransportStream(Self.tables + packets(length)).sound().isWhole == isWhole)
            #expect(try TransportStream(Self.tables + packets(length) + next).sound().isWhole == isWhole)
        }
    }

    @Test("Damage is told apart")
    func damage() {
        let good = Self.tables + Self.three()
        #expect(demux([]) == .failure(.empty))
        #expect(demux(Array(good.dropLast())) == .failure(.notPackets))
        var unsynced = good
        unsynced[188] = 0x46
        #expect(demux(unsynced) == .failure(.notPackets))
        #expect(demux(Self.three()) == .failure(.noProgram))
        #expect(demux(Self.pat + Self.three()) == .failure(.noProgram))
        #expect(demux(Self.pat + Self.pmt([(0x1B, 0x101)]) + Self.three()) == .failure(.noAudio))
        #expect(demux(Self.tables) == .failure(.empty))
        var marked = good
        marked[2 * 188 + 1] |= 0x80
        #expect(demux(marked) == .failure(.discontinuity))
        let video = Self.packet(Self.audio, 1, start: true, Self.pes([1], id: 0xE0))
        #expect(demux(Self.tables + video) == .failure(.badPES))
        var overlong = good
        overlong[4 * 188 + 4] = 200
        #expect(demux(overlong) == .failure(.notPackets))
    }

    @Test("The first segment must begin with an MP3 frame or a tag; later ones need not")
    func beginning() {
        func outcome(_ sound: [UInt8], isFirst: Bool) -> SegmentDecoder.Outcome {
            let segment = Self.tables + Self.packet(Self.audio, 1, start: true, Self.pes(sound))
            return SegmentDecoder.decode(segment, cipher: nil, isFirst: isFirst)
        }
        for begin in [[0xFF, 0xFB, 0x90, 0x64], Array("ID3\u{4}".utf8)] {
            #expect(outcome(begin, isFirst: true) == .sound(begin))
        }
        for begin in [[1, 2, 3, 4], [0xFF, 0xFB]] as [[UInt8]] {
            #expect(outcome(begin, isFirst: true) == .damaged)
            #expect(outcome(begin, isFirst: false) == .sound(begin))
        }
    }

    @Test("A segment that lacks a second is damaged; one with a break inside is doubtful; cut anywhere it is fine")
    func judged() {
        // 417 bytes, 26 ms each.
        let frame = [0xFF, 0xFB, 0x90, 0x64] + [UInt8](repeating: 0, count: 413)
        func outcome(_ sound: [UInt8], seconds: Double) -> SegmentDecoder.Outcome {
            var (packets, counter, rest) = (Self.tables, UInt8(0), Self.pes(sound)[...])
            while !rest.isEmpty {
                packets += Self.packet(
                    Self.audio, counter, start: counter == 0 && rest.count > sound.count, Array(rest.prefix(184)))
                rest = rest.dropFirst(184)
                counter = (counter + 1) & 15
            }
            return SegmentDecoder.decode(packets, cipher: nil, isFirst: false, seconds: seconds)
        }
        let whole = Array(repeatElement(frame, count: 100).joined())
        #expect(outcome(whole, seconds: 2.612) == .sound(whole))
        #expect(outcome(whole, seconds: 3.5) == .sound(whole))
        #expect(outcome(whole, seconds: 3.7) == .damaged)
        let middle = Array(whole[100..<whole.count - 100])
        #expect(outcome(middle, seconds: 2.6) == .sound(middle))
        let broken = Array(whole[..<4170]) + [UInt8](repeating: 7, count: 90) + Array(whole[4170...])
        #expect(outcome(broken, seconds: 2.6) == .doubtful(broken))
    }

    @Test("Rubbish never does more than fail")
    func rubbish() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2000 {
            var bytes = Self.tables + Self.three()
            for _ in 0..<20 {
                let at = Int.random(in: 0..<bytes.count, using: &random)
                if at % 188 != 0 { bytes[at] = UInt8.random(in: 0...255, using: &random) }
            }
            _ = demux(bytes)
        }
    }
}

@Suite("Segments are opened by AES-128-CBC")
struct SegmentCipherTests {
    static let plain = Array("nyand AES-128-CBC vector, seq 5".utf8)
    let cipher = SegmentCipher(key: Array(0..<16))

    static func bytes(_ hex: String) -> [UInt8] {
        let digits = Array(hex)
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
    }

    @Test(
        "The vectors of vk-api.md §4.3: the IV is the sequence number",
        arguments: [
            (5, "946f77a2a509012acde73479cd737c6fd556f804d14c0cf0bafd31044e392d02"),
            (0, "39575bd993b7303469b32812207f31860c1a5d31afd1e44915e1279ff2f95997"),
        ])
    func vectors(sequence: Int, sealed: String) {
        #expect(cipher?.open(Self.bytes(sealed), iv: SegmentCipher.iv(sequence: sequence)) == Self.plain)
    }

    @Test("A wrong length, a wrong padding and nothing at all are damage")
    func damage() {
        let sealed = Self.bytes("946f77a2a509012acde73479cd737c6fd556f804d14c0cf0bafd31044e392d02")
        let iv = SegmentCipher.iv(sequence: 5)
        #expect(cipher?.open([], iv: iv) == nil)
        #expect(cipher?.open(Array(sealed.dropLast()), iv: iv) == nil)
        #expect(cipher?.open(Array(sealed.dropLast(16)), iv: iv) == nil)
        #expect(cipher?.open(sealed, iv: Array(iv.dropLast())) == nil)
    }

    @Test("Only sixteen bytes are a key", arguments: [0, 15, 17, 32])
    func keys(length: Int) { #expect(SegmentCipher(key: [UInt8](repeating: 1, count: length)) == nil) }
}
