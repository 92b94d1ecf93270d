/// A sound file of My Music as a look at the folder finds it.
public struct SeenFile: Sendable, Equatable {
    /// Absolute.
    public var path: String
    public var bytes: Int64
    /// Nanoseconds since 1970.
    public var modified: Int64
    /// The track its tag names; nil where it names none, and before it was read.
    public var id: TrackID?

    public init(path: String, bytes: Int64, modified: Int64, id: TrackID? = nil) {
        self.path = path
        self.bytes = bytes
        self.modified = modified
        self.id = id
    }

    /// Whether this is the same file, untouched, as far as its name, size and time say.
    public func isLike(_ other: SeenFile) -> Bool {
        path == other.path && bytes == other.bytes && modified == other.modified
    }
}

/// What one look at the music folder sees.
public struct FolderSight: Sendable, Equatable {
    public var folder: String
    /// Which folder stands there, to tell it from another one in its place; nil = there is none.
    public var identity: String?
    /// Sound files, those of subfolders included, ordered by path; ids are not read.
    public var files: [SeenFile]
    /// Folders inside, at any depth.
    public var subfolders: [String]
    /// Folders inside, and links, that could not be looked into: what is in them is as it was.
    public var unread: [String]

    public init(
        folder: String, identity: String?, files: [SeenFile] = [], subfolders: [String] = [], unread: [String] = []
    ) {
        self.folder = folder
        self.identity = identity
        self.files = files
        self.subfolders = subfolders
        self.unread = unread
    }
}

/// What a look at the folder changes in the library. Nothing of it changes a file, nor anything at VK.
public struct FolderChanges: Sendable, Equatable {
    /// A copy whose file has another name now.
    public struct Move: Sendable, Equatable {
        public var copy: FinishedCopy
        /// The path the library knew.
        public var from: String
        public init(_ copy: FinishedCopy, from: String) {
            self.copy = copy
            self.from = from
        }
    }

    public var moved: [Move] = []
    /// Files of another size at the path they had.
    public var edited: [FinishedCopy] = []
    /// Copies whose files were taken away.
    public var gone: [FinishedCopy] = []
    /// Files of tracks that had no copy: brought back by hand, or by a disk.
    public var found: [FinishedCopy] = []
    /// The folder, or its disk, is away as a whole; then nothing else is said.
    public var isAway = false
    /// Files to be remembered as they are now.
    public var seen: [SeenFile] = []
    /// Paths to be remembered no more.
    public var unseen: [String] = []

    public init() {}

    /// Whether a listing is another one by it.
    public var touchesLibrary: Bool { !(moved.isEmpty && edited.isEmpty && gone.isEmpty && found.isEmpty) }
    public var isEmpty: Bool { !touchesLibrary && seen.isEmpty && unseen.isEmpty }
}

/// Compares what is in the music folder with what the library knows: a value without I/O.
///
/// Names, sizes and times come first; only a file that is new by these has its tag read (`unknown`).
public struct FolderReckoning: Sendable {
    private let copies: [FinishedCopy]
    private let sight: FolderSight
    private let seen: [String: SeenFile]
    private let copiesByPath: [String: FinishedCopy]

    /// `copies`: read before the look, so that a file that is finished meanwhile is not missed.
    public init(copies: [FinishedCopy], sight: FolderSight, seen: [SeenFile]) {
        self.copies = copies
        self.sight = sight
        self.seen = Dictionary(seen.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        copiesByPath = Dictionary(copies.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
    }

    /// Files whose tags must be read before it can be decided.
    public var unknown: [SeenFile] { sight.files.filter { known($0) == nil } }

    /// Copies whose files are not below the folder: the adapter says which of them were taken away.
    public var elsewhere: [FinishedCopy] { copies.filter { !isInside($0.path) } }

    /// A file whose track is known without reading it: as it was seen, or as the library has it.
    private func known(_ file: SeenFile) -> SeenFile? {
        if let before = seen[file.path], before.isLike(file) { return before }
        if seen[file.path] == nil, let copy = copiesByPath[file.path], copy.bytes == file.bytes {
            var file = file
            file.id = copy.id
            return file
        }
        return nil
    }

    /// What a rename leaves as it is.
    private struct Signature: Hashable {
        let bytes: Int64
        let modified: Int64
        init(_ file: SeenFile) { (bytes, modified) = (file.bytes, file.modified) }
    }

    private func isInside(_ path: String) -> Bool { path.hasPrefix(sight.folder + "/") }

    /// Nobody could see whether it is there.
    private func isUnread(_ path: String) -> Bool {
        sight.unread.contains { path == $0 || path.hasPrefix($0 + "/") }
    }

    /// Decides what the look means.
    ///
    /// - Parameters:
    ///   - identified: `unknown` with their ids.
    ///   - isSameFolder: it is the very folder in which copies were seen last.
    ///   - deleted: paths the kernel told to be deleted, one by one.
    ///   - absent: what became of `elsewhere`.
    /// - Returns: what is to be carried out.
    public func changes(
        identified: [SeenFile], isSameFolder: Bool, deleted: Set<String> = [], absent: Absence = Absence()
    ) -> FolderChanges {
        let read = Dictionary(identified.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        let files = sight.files.map { known($0) ?? read[$0.path] ?? $0 }
        let byPath = Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { $1 })
        // The first one counts where there are several.
        let byID = Dictionary(
            files.compactMap { file in file.id.map { ($0, file) } }, uniquingKeysWith: { first, _ in first })
        // A rename leaves size and time: it shows files whose tags name no track, too.
        let strays = Dictionary(
            files.filter { $0.id == nil && copiesByPath[$0.path] == nil }.map { (Signature($0), $0) },
            uniquingKeysWith: { first, _ in first })
        var changes = FolderChanges()
        var missing: [FinishedCopy] = []
        var present = 0
        for copy in copies where !isUnread(copy.path) {
            if let file = byPath[copy.path], file.id == copy.id || file.id == nil && byID[copy.id] == nil {
                present += 1
                if file.bytes != copy.bytes { changes.edited.append(copy.with(file)) }
            } else if isInside(copy.path) || absent.missing.contains(copy.id),
                let file = byID[copy.id] ?? seen[copy.path].flatMap({ strays[Signature($0)] })
            {
                present += 1
                changes.moved.append(.init(copy.with(file), from: copy.path))
            } else if isInside(copy.path) {
                missing.append(copy)
            } else if absent.gone.contains(copy.id) {
                changes.gone.append(copy)
            }
        }
        let had = Set(copies.map(\.id))
        for file in files {
            guard let id = file.id, !had.contains(id), byID[id]?.path == file.path else { continue }
            changes.found.append(FinishedCopy(id: id, path: file.path, bytes: file.bytes))
        }
        // Where none of many is there, and another folder or none stands in the place, their disk is away.
        let isAway = !missing.isEmpty && present + changes.found.count == 0 && !isSameFolder
        changes.gone += isAway ? missing.filter { deleted.contains($0.path) } : missing
        changes.isAway = isAway && changes.gone.count < missing.count
        guard !changes.isAway else { return changes }
        changes.seen = files.filter { seen[$0.path] != $0 }
        changes.unseen = seen.keys.filter { byPath[$0] == nil && !isUnread($0) }.sorted()
        return changes
    }
}

extension FinishedCopy {
    fileprivate func with(_ file: SeenFile) -> FinishedCopy {
        FinishedCopy(id: id, path: file.path, bytes: file.bytes)
    }
}
