import Glibc
public import NyanCore

/// Looking at the folder, and at nothing in its files but tags.
extension MusicFolder: MusicSight {
    /// Endings of files that can be copies, in small letters.
    static let endings = ["mp3", "m4a", "m4b", "mp4", "aac", "flac", "ogg", "oga", "opus", "wav"]
    /// Folders in folders; nobody sorts music deeper than that.
    private static let depth = 16

    static func isSound(_ name: String) -> Bool {
        guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
        return endings.contains(name[name.index(after: dot)...].lowercased())
    }

    public func look() async -> FolderSight {
        let folder = directory
        let sight = try? await offPool { () throws(Failure) in Self.look(at: folder) }
        return sight ?? FolderSight(folder: folder, identity: nil)
    }

    static func look(at folder: String) -> FolderSight {
        var facts = stat()
        guard stat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR else {
            return FolderSight(folder: folder, identity: nil)
        }
        var sight = FolderSight(folder: folder, identity: "\(facts.st_dev):\(facts.st_ino)")
        add(folder, depth: depth, to: &sight)
        sight.files.sort { $0.path < $1.path }
        return sight
    }

    /// Links to folders are not followed: what is behind them is somebody else's order.
    private static func add(_ folder: String, depth: Int, to sight: inout FolderSight) {
        for name in Folder.names(in: folder) where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            var facts = stat()
            guard lstat(path, &facts) == 0 else { continue }
            if facts.st_mode & S_IFMT == S_IFDIR {
                guard depth > 0 else { continue }
                sight.subfolders.append(path)
                add(path, depth: depth - 1, to: &sight)
            } else if isSound(name), stat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG {
                let modified = Int64(facts.st_mtim.tv_sec) * 1_000_000_000 + Int64(facts.st_mtim.tv_nsec)
                sight.files.append(SeenFile(path: path, bytes: Int64(facts.st_size), modified: modified))
            }
        }
    }

    public func identify(_ files: [SeenFile]) async -> [SeenFile] {
        guard !files.isEmpty else { return [] }
        let read = try? await offPool { () throws(Failure) in
            files.map { file in
                var file = file
                file.id = Tags.read(file.path)?.trackID
                return file
            }
        }
        return read ?? files
    }

    public func describe(_ copy: FinishedCopy) async -> Track? {
        let tags = try? await offPool { () throws(Failure) in Tags.read(copy.path) }
        guard let tags = tags.flatMap(\.self), !tags.title.isEmpty else { return nil }
        return Track(id: copy.id, artist: tags.artist, title: tags.title, album: tags.album)
    }

    public func absent(of copies: [FinishedCopy]) async -> Absence {
        guard !copies.isEmpty else { return Absence() }
        let found = try? await offPool { () throws(Failure) in
            let missing = copies.filter { access($0.path, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno) }
            // Missing among others: an empty folder may be the place of a disk that is away.
            let gone = missing.filter { Folder.names(in: splitPath($0.path).folder).contains(where: Self.isSound) }
            return Absence(missing: Set(missing.map(\.id)), gone: Set(gone.map(\.id)))
        }
        return found ?? Absence()
    }
}
