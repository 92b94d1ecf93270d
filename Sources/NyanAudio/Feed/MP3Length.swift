internal import NyanCore

/// The length of an MP3: what its Xing or Info header states, and what its frames add up to.
nonisolated enum MP3Length {
    enum Stated {
        /// Too few bytes are there to say.
        case unknownYet
        case notMP3
        /// An MP3 whose first frame says nothing of its length.
        case unstated
        case length(Duration)
    }

    /// What a Xing or Info header says.
    private struct Header {
        var frames: Int
        /// Samples the encoder put before and after the sound (LAME).
        var padding: Int
    }

    /// Reads the first frame only; any thread.
    static func stated(by source: any ByteSource) -> Stated {
        let reader = ByteWindow(source)
        guard let start = soundStart(reader) else { return .unknownYet }
        guard let head = reader.bytes(at: start, 4) else { return source.isComplete ? .notMP3 : .unknownYet }
        guard let frame = MP3Frame(head) else { return .notMP3 }
        guard let body = reader.bytes(at: start, frame.size) else { return .unknownYet }
        guard let header = header(in: body, frame) else { return .unstated }
        return .length(duration(samples: header.frames * frame.samples - header.padding, rate: frame.rate))
    }

    /// Counts every frame of a complete MP3; nil if there is none. Reads the whole file; any thread but main.
    static func measured(of source: any ByteSource) -> Duration? {
        let reader = ByteWindow(source)
        guard var offset = soundStart(reader) else { return nil }
        var samples = 0
        var rate = 0
        var padding = 0
        while let head = reader.bytes(at: offset, 4) {
            guard let frame = MP3Frame(head) else {
                offset += 1
                continue
            }
            if rate == 0, let body = reader.bytes(at: offset, frame.size), let header = header(in: body, frame) {
                // The header's own frame holds no sound.
                padding = header.padding + frame.samples
            }
            rate = frame.rate
            samples += frame.samples
            offset += Int64(frame.size)
        }
        return rate == 0 ? nil : duration(samples: samples - padding, rate: rate)
    }

    private static func duration(samples: Int, rate: Int) -> Duration {
        .nanoseconds(Int64(max(samples, 0)) * 1_000_000_000 / Int64(rate))
    }

    /// The offset after an ID3v2 tag; nil while it cannot be told.
    private static func soundStart(_ reader: ByteWindow) -> Int64? {
        guard let head = reader.bytes(at: 0, 10) else { return nil }
        return tagSize(head)
    }

    /// The size of the ID3v2 tag that begins with these ten bytes; zero if none does.
    private static func tagSize(_ head: some Collection<UInt8>) -> Int64 {
        guard head.count == 10, head.prefix(3).elementsEqual("ID3".utf8) else { return 0 }
        let size = head.dropFirst(6).reduce(Int64(0)) { $0 << 7 | Int64($1 & 0x7F) }
        // Bit 4 of the flags: a footer of ten bytes follows.
        let hasFooter = head.dropFirst(5).first.map { $0 & 0x10 != 0 } ?? false
        return 10 + size + (hasFooter ? 10 : 0)
    }

    private static func header(in body: ArraySlice<UInt8>, _ frame: MP3Frame) -> Header? {
        let tag = body.dropFirst(4 + frame.sideInfo)
        guard tag.count >= 12, tag.prefix(4).elementsEqual("Xing".utf8) || tag.prefix(4).elementsEqual("Info".utf8)
        else {
            return nil
        }
        let flags = number(tag.dropFirst(4).prefix(4))
        guard flags & 1 != 0 else { return nil }
        var at = 12
        // Byte count, seek table and quality precede LAME's part, each if its flag is set.
        if flags & 2 != 0 { at += 4 }
        if flags & 4 != 0 { at += 100 }
        if flags & 8 != 0 { at += 4 }
        // LAME: version 9, method 1, filter 1, gains 8, flags 1, rate 1, then 12 bits of delay and 12 of padding.
        let gaps = number(tag.dropFirst(at + 21).prefix(3))
        let isLame = tag.count >= at + 24 && tag.dropFirst(at).first.map { $0 != 0 } ?? false
        let padding = isLame ? gaps >> 12 + gaps & 0xFFF : 0
        return Header(frames: number(tag.dropFirst(8).prefix(4)), padding: padding)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}

/// Reads a source a block at a time, forwards.
nonisolated private final class ByteWindow {
    private let source: any ByteSource
    private var block: [UInt8] = []
    private var start: Int64 = 0
    private static let size = 64 << 10

    init(_ source: any ByteSource) { self.source = source }

    /// `count` bytes at `offset`; nil if they are not all there.
    func bytes(at offset: Int64, _ count: Int) -> ArraySlice<UInt8>? {
        if offset < start || offset + Int64(count) > start + Int64(block.count) { fill(at: offset) }
        let index = Int(offset - start)
        guard index + count <= block.count else { return nil }
        return block[index..<index + count]
    }

    private func fill(at offset: Int64) {
        start = offset
        block = [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, count in
            while count < Self.size {
                let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[count...])
                guard case .bytes(let more) = source.read(at: offset + Int64(count), into: rest) else { return }
                count += more
            }
        }
    }
}
