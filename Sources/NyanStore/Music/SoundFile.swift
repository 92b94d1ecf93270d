import CGLib
import Glibc
import NyanCore

/// A complete growing file on its way to My Music: judged, then copied without its old tags.
struct SoundFile {
    let file: OpenFile
    let id: TrackID
    let size: Int64

    private static let chunk = 64 << 10

    /// Somebody's file, open already; it has the length it has.
    init(_ file: OpenFile, id: TrackID) {
        self.file = file
        self.id = id
        size = file.size ?? 0
    }

    /// `size`: bytes the copy is said to have; another length is damage.
    init(_ path: String, id: TrackID, size: Int64) throws(Failure) {
        file = try OpenFile(path, O_RDONLY | O_NONBLOCK | O_NOCTTY, subject: id)
        self.id = id
        self.size = size
        guard size > 0, file.size == size else {
            throw Failure(
                .damagedSound, "The file does not have the length it should have.", subject: id, retry: .later)
        }
    }

    /// Reads the whole sound and judges it: what it is, whether its frames are whole, how long it is. `playlist`: how long
    /// it is by the playlist it came from.
    @discardableResult
    func verify(expected: Duration?, playlist: Duration? = nil) throws(Failure) -> SoundForm {
        var frames = MP3Frames()
        var isFirst = true
        if try isADTS() {
            let walk = try verifyAAC(expected: expected)
            if let playlist, let problem = SoundCheck.problem(walk.duration, playlist: playlist, of: id) {
                throw problem
            }
            return .aac(walk)
        }
        try read(0..<size) { bytes throws(Failure) in
            if isFirst, let complaint = Self.complaint(about: SoundSniff.kind(of: bytes)) {
                throw Failure(.damagedSound, complaint, subject: id, retry: .later)
            }
            isFirst = false
            frames.feed(bytes)
        }
        let walk = frames.finish()
        if let problem = SoundCheck.problem(walk, expected: expected, of: id) { throw problem }
        if let playlist, let problem = SoundCheck.problem(walk.duration, playlist: playlist, of: id) { throw problem }
        return .mp3(walk.trimmedDuration)
    }

    private func isADTS() throws(Failure) -> Bool {
        let start = try bytes(at: 0, 1024)
        return SoundSniff.kind(of: start) == .aac && !start.starts(with: "ADIF".utf8)
    }

    private static func complaint(about kind: SoundSniff) -> String? {
        switch kind {
        case .mp3, .unknown: nil  // The walk knows better what is wrong with an unknown one.
        case .html: "A web page came instead of the sound."
        case .json: "An answer of the API came instead of the sound."
        case .hls: "A playlist came instead of the sound."
        default: "What came is \(kind.rawValue), not MP3."
        }
    }

    /// The part between the tags: from behind ID3v2 to before ID3v1 and APE.
    func sound() throws(Failure) -> Range<Int64> {
        var lower: Int64 = 0
        // A few tags in a row do happen; each must make progress.
        while case let header = try bytes(at: lower, 10), header.starts(with: "ID3".utf8), header.count == 10,
            header[6...9].allSatisfy({ $0 < 0x80 })
        {
            lower += header[6...9].reduce(0) { $0 << 7 | Int64($1) } + (header[5] & 0x10 != 0 ? 20 : 10)
        }
        var upper = size
        if upper - lower >= 128, try bytes(at: upper - 128, 3).elementsEqual("TAG".utf8) { upper -= 128 }
        if upper - lower >= 32 {
            let footer = try bytes(at: upper - 32, 32)
            if footer.starts(with: "APETAGEX".utf8) {
                let length = footer[12..<16].reversed().reduce(0) { $0 << 8 | Int64($1) }
                let hasHeader = footer[23] & 0x80 != 0
                upper = max(lower, upper - length - (hasHeader ? 32 : 0))
            }
        }
        guard lower < upper else { throw Failure(.damagedSound, "The file has tags but no sound.", subject: id) }
        return lower..<upper
    }

    /// Writes a part of this file at the end of `target`, in the kernel where that works.
    func append(_ range: Range<Int64>, to target: OpenFile, at offset: Int64) throws(Failure) {
        var done = range.lowerBound
        lseek(file.descriptor, Int(done), SEEK_SET)
        lseek(target.descriptor, Int(offset), SEEK_SET)
        while done < range.upperBound {
            let rest = UInt(range.upperBound - done)
            guard let count = retrying({ nyan_copy_file_range(file.descriptor, target.descriptor, rest) }), count > 0
            else { break }
            done += Int64(count)
        }
        // Different or older file systems: the ordinary way from where the kernel stopped; it also names the error.
        var place = offset + done - range.lowerBound
        try read(done..<range.upperBound) { bytes throws(Failure) in
            try target.write(bytes, at: place, subject: id)
            place += Int64(bytes.count)
        }
    }

    /// Somebody's file that cannot be read is damaged; one of ours shows that its disk is in trouble.
    private func unreadable(_ number: Int32) -> Failure {
        let failure = Failure.file(number, "read", file.path, subject: id)
        return id == SoundIdentity.nobody ? Failure(.damagedSound, failure.message) : failure
    }

    func bytes(at offset: Int64, _ count: Int) throws(Failure) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: count)
        guard let read = buffer.withUnsafeMutableBytes({ file.read(at: offset, into: $0) }) else {
            throw unreadable(errno)
        }
        return Array(buffer[..<read])
    }

    func read(
        _ range: Range<Int64>, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        guard !range.isEmpty else { return }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
        defer { buffer.deallocate() }
        var offset = range.lowerBound
        while offset < range.upperBound {
            let part = UnsafeMutableRawBufferPointer(
                rebasing: buffer[..<Int(min(range.upperBound - offset, Int64(buffer.count)))])
            guard let count = file.read(at: offset, into: part), count > 0 else {
                throw unreadable(errno)
            }
            try body(UnsafeRawBufferPointer(rebasing: part[..<count]))
            offset += Int64(count)
        }
    }
}
