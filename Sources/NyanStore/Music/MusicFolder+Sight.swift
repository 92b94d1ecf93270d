import Glibc
public import NyanCore

/// Looking at the folder, and at nothing in its files but tags.
extension MusicFolder: MusicSight {
    /// Endings of files that can be copies, in small letters.
    static let endings = ["mp3", "m4a", "m4b", "mp4", "aac", "flac", "ogg", "oga", "opus", "wav"]
    /// Folders in folders; nobody sorts music deeper than that.
    private static let depth = 16

    static func isSound(_ name: String) -> Bool {
        guard !name.hasPrefix("."), let dot = name.unicodeScalars.lastIndex(of: ".") else { return false }
        return endings.contains(name[name.unicodeScalars.index(after: dot)...].lowercased())
    }

    public func look() async throws(Failure) -> FolderSight {
        let folder = directory
        return try await offPool { () throws(Failure) in
            do throws(LookError) { return try Self.look(at: folder) } catch { throw error.failure }
        }
    }

    /// `listing`: names in a folder.
    static func look(
        at folder: String, listing: (String) throws(LookError) -> [String] = Folder.listing
    ) throws(LookError) -> FolderSight {
        do throws(LookError) {
            let facts = try facts(folder, stat)
            guard facts.st_mode & S_IFMT == S_IFDIR else { return FolderSight(folder: folder, identity: nil) }
            var sight = FolderSight(folder: folder, identity: "\(facts.st_dev):\(facts.st_ino)")
            try add(folder, depth: depth, to: &sight, listing)
            sight.files.sort { $0.path < $1.path }
            return sight
        } catch  where error.isAbsence {
            return FolderSight(folder: folder, identity: nil)
        }
    }

    private static func facts(
        _ path: String, _ look: (UnsafePointer<CChar>, UnsafeMutablePointer<stat>) -> Int32
    ) throws(LookError) -> stat {
        var facts = stat()
        guard look(path, &facts) == 0 else { throw LookError(errno, path) }
        return facts
    }

    /// What came of something below the folder that may have gone by now, or that this user may not look at.
    private static func below(_ path: String, _ sight: inout FolderSight, _ error: LookError) throws(LookError) {
        if error.isAbsence { return }
        guard error.isOfPath else { throw error }
        sight.unread.append(path)
    }

    /// Links to folders are not followed: what is behind them is somebody else's order.
    private static func add(
        _ folder: String, depth: Int, to sight: inout FolderSight, _ listing: (String) throws(LookError) -> [String]
    ) throws(LookError) {
        for name in try listing(folder) where !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            do throws(LookError) {
                let entry = try facts(path, lstat)
                if entry.st_mode & S_IFMT == S_IFDIR {
                    guard depth > 0 else { continue }
                    sight.subfolders.append(path)
                    try add(path, depth: depth - 1, to: &sight, listing)
                } else if isSound(name) {
                    let file = try facts(path, stat)
                    guard file.st_mode & S_IFMT == S_IFREG else { continue }
                    let modified = Int64(file.st_mtim.tv_sec) * 1_000_000_000 + Int64(file.st_mtim.tv_nsec)
                    sight.files.append(SeenFile(path: path, bytes: Int64(file.st_size), modified: modified))
                }
            } catch {
                try below(path, &sight, error)
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

    /// Names in the folder; none where there is no such folder.
    static func names(of folder: String) throws(Failure) -> [String] {
        do throws(LookError) {
            return try Folder.listing(folder)
        } catch {
            guard error.isAbsence else { throw error.failure }
            return []
        }
    }
}
