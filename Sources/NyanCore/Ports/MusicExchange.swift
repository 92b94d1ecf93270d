/// A file that somebody wants in My Music. Its name may be in any encoding: `path` is what the system takes.
public struct ImportCandidate: Sendable, Equatable {
    /// The absolute path's bytes, without a NUL.
    public var path: [UInt8]
    /// It lies in My Music already, and stays where it is.
    public var isInPlace: Bool
    public init(path: [UInt8], isInPlace: Bool = false) {
        self.path = path
        self.isInPlace = isInPlace
    }

    /// The path for people; bytes that are no text are shown as replacement characters.
    public var shown: String { String(decoding: path, as: UTF8.self) }
}

/// What a candidate turned out to be: whole sound of a kind nyand can keep.
public struct ImportedSound: Sendable, Equatable {
    public var candidate: ImportCandidate
    public var kind: SoundSniff
    /// The id its tag says nyand gave it, else one made of the sound; names as they were meant (`MisreadText`).
    public var track: Track
    /// The file's tags are in an 8-bit Cyrillic encoding.
    public var isCyrillic: Bool
    public init(candidate: ImportCandidate, kind: SoundSniff, track: Track, isCyrillic: Bool) {
        self.candidate = candidate
        self.kind = kind
        self.track = track
        self.isCyrillic = isCyrillic
    }

    /// With the dot, as the file's content says; where that leaves a choice, as its name says.
    public var fileExtension: String {
        let own = candidate.shown.split(separator: ".").last.map { ".\($0.lowercased())" } ?? ""
        let possible: [String] =
            switch kind {
            case .flac: [".flac"]
            case .ogg: [".ogg", ".opus", ".oga"]
            case .mp4: [".m4a", ".m4b"]
            case .aac: [".m4a"]
            case .wav: [".wav"]
            default: [".mp3"]
            }
        return possible.contains(own) ? own : possible[0]
    }
}

/// Port: other people's files on their way into My Music. Never changes, moves or deletes one of them.
public protocol MusicImporter: Sendable {
    /// Looks only whether the folder or file is there.
    /// - Throws: as `candidates` would of one that is not.
    func look(for folder: String) async throws(Failure)
    /// The folder's files and those below that are sounds by name, in order; hidden ones and other programs' temporary
    /// ones are left out. A file alone is its own candidate.
    func candidates(in folder: String) async throws(Failure) -> [ImportCandidate]
    /// Reads a whole file and judges it.
    /// - Throws: why it cannot be taken, in words for a person.
    func identify(_ candidate: ImportCandidate) async throws(Failure) -> ImportedSound
    /// Copies it into My Music under a name of its own, with its id in its tag; durable when it returns.
    func take(_ sound: ImportedSound, fileName: String) async throws(Failure) -> FinishedCopy
}

/// Port: copies of finished files for other places.
public protocol MusicExporter: Sendable {
    /// Makes the folder's last element if it is missing.
    /// - Throws: `.notFound`, `.fileAccess` in words.
    func prepare(folder: String) async throws(Failure)
    /// Copies a finished file into `folder`. Foreign files are never overwritten; a file of the same bytes under one of
    /// the names it could get is what was wanted.
    /// - Returns: the path, and whether it was there already.
    func export(_ copy: FinishedCopy, as fileName: String, to folder: String) async throws(Failure)
        -> (path: String, wasThere: Bool)
}

/// A finished copy and what its file says about the track.
public struct DescribedCopy: Sendable, Equatable {
    public var copy: FinishedCopy
    public var track: Track
    public init(copy: FinishedCopy, track: Track) {
        self.copy = copy
        self.track = track
    }
}

/// Port: the library, as far as imported files concern it. Returning means durable against kill -9.
public protocol ImportStore: Sendable {
    /// Takes all of them in one step; what is known of a track stays.
    func take(_ copies: [DescribedCopy]) async throws(Failure)
}
