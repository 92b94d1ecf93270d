import NyanCore

/// What a finished sound is, and with it how its file is made.
enum SoundForm {
    /// As long as players have it.
    case mp3(Duration)
    /// AAC in ADTS: it becomes an MP4 file.
    case aac(ADTSWalk)

    var length: Duration {
        switch self {
        case .mp3(let length): length
        case .aac(let walk): walk.duration
        }
    }

    /// Ending of the file's name.
    var ending: String {
        switch self {
        case .mp3: ".mp3"
        case .aac: ".m4a"
        }
    }

    /// A name made for an MP3, with this form's ending.
    func named(_ fileName: String) -> String {
        fileName.hasSuffix(".mp3") ? fileName.dropLast(4) + ending : fileName
    }
}

// AAC in ADTS: as it comes out of segments, and hardly anywhere else.
extension SoundFile {
    /// The walk of a whole AAC sound that is fine.
    func verifyAAC(expected: Duration?) throws(Failure) -> ADTSWalk {
        var frames = ADTSFrames()
        try read(0..<size) { bytes throws(Failure) in frames.feed(bytes) }
        let walk = frames.finish()
        if let problem = SoundCheck.problem(walk, expected: expected, of: id) { throw problem }
        return walk
    }

    /// Writes the frames without their headers at `offset` of `target`; `walk` is of this file.
    /// - Returns: how many bytes.
    func appendFrames(_ walk: ADTSWalk, to target: OpenFile, at offset: Int64) throws(Failure) -> Int64 {
        guard let header = walk.first?.headerByteCount else { return 0 }
        let length = walk.sizes.reduce(0) { $0 + Int64($1) }
        var (place, next) = (offset, 0)
        var waiting: [UInt8] = []
        var out: [UInt8] = []
        try read(walk.start..<walk.start + length) { bytes throws(Failure) in
            waiting.append(contentsOf: bytes)
            var at = 0
            while next < walk.sizes.count, case let end = at + Int(walk.sizes[next]), end <= waiting.count {
                out += waiting[at + header..<end]
                at = end
                next += 1
            }
            waiting.removeFirst(at)
            try target.write(out, at: place)
            place += Int64(out.count)
            out.removeAll(keepingCapacity: true)
        }
        return place - offset
    }
}
