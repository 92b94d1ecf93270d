import Glibc
public import NyanCore
import Synchronization

/// The growing copies on disk: streams in the cache folder, wanted downloads in the durable one.
///
/// A track has `ID.copy` (bytes) and `ID.map` (which bytes), nothing else goes into a name. `ID.keep` in the cache
/// marks a download that could not be moved because the durable folder is on another file system. Safe from any thread.
public final class CopyFolder: CopyStore {
    private let cacheFolder: String
    let durableFolder: String
    private let boot: String?
    private let open: Mutex<[TrackID: OpenCopy]>

    /// A copy somebody holds; gone with its last user.
    private struct OpenCopy { weak var copy: CopyFile? }

    /// Folders are made with mode 0700 when first needed.
    public convenience init(cacheFolder: String, durableFolder: String) {
        self.init(cacheFolder: cacheFolder, durableFolder: durableFolder, boot: BootID.current)
    }

    /// `boot`: which run of the kernel this is; tests cut the power by another one.
    init(cacheFolder: String, durableFolder: String, boot: String?) {
        self.boot = boot
        self.cacheFolder = cacheFolder
        self.durableFolder = durableFolder
        open = Mutex([:])
    }

    public func open(_ id: TrackID, durable: Bool) throws(Failure) -> any CopySink {
        try openCopy(id, durable: durable)
    }

    /// A copy that is still open is handed out again, so that two of a track never fight over one sidecar.
    func openCopy(_ id: TrackID, durable: Bool) throws(Failure) -> CopyFile {
        if durable { try makeDurable(id) }
        return try open.withLock { open throws(Failure) in
            if let copy = open[id]?.copy { return copy }
            open = open.filter { $0.value.copy != nil }
            let folder: String
            if let found = self.folder(of: id) {
                folder = found
            } else {
                folder = durable ? durableFolder : cacheFolder
                try Folder.makePrivate(folder)
            }
            let (data, map) = ("\(folder)/\(id).copy", "\(folder)/\(id).map")
            let copy = try CopyFile(id, dataPath: data, mapPath: map, boot: boot)
            open[id] = OpenCopy(copy: copy)
            return copy
        }
    }

    public func makeDurable(_ id: TrackID) throws(Failure) {
        try open.withLock { open throws(Failure) in
            guard folder(of: id) == cacheFolder, cacheFolder != durableFolder else { return }
            try Folder.makePrivate(durableFolder)
            let move = { () throws(Failure) in try self.moveToDurable(id) }
            do throws(Failure) {
                if let copy = open[id]?.copy {
                    try copy.relocate(mapPath: "\(durableFolder)/\(id).map", move)
                } else {
                    try move()
                }
            } catch  where error.code == .unsupported {
                // Another file system: it stays, and the mark keeps the cache from dropping it.
                try WholeFile.replace("\(cacheFolder)/\(id).keep", with: [], mode: 0o600, durable: false)
            }
        }
    }

    /// Renames sidecar and bytes; after a kill in between the bytes are found without a sidecar and fetched anew.
    /// - Throws: `.unsupported` when the folders are on two file systems; then nothing has moved.
    private func moveToDurable(_ id: TrackID) throws(Failure) {
        let (from, to) = ("\(cacheFolder)/\(id)", "\(durableFolder)/\(id)")
        if rename("\(from).map", "\(to).map") != 0 && errno != ENOENT {
            if errno == EXDEV { throw Failure(.unsupported, "the folders are on two file systems", subject: id) }
            throw .file(errno, "move", "\(from).map", subject: id)
        }
        if rename("\(from).copy", "\(to).copy") != 0 {
            let number = errno
            rename("\(to).map", "\(from).map")
            if number == EXDEV { throw Failure(.unsupported, "the folders are on two file systems", subject: id) }
            throw .file(number, "move", "\(from).copy", subject: id)
        }
    }

    public func discard(_ id: TrackID) throws(Failure) {
        try open.withLock { open throws(Failure) in
            let remove = { () throws(Failure) in try self.removeFiles(id) }
            if let copy = open.removeValue(forKey: id)?.copy { try copy.detach(remove) } else { try remove() }
        }
    }

    private func removeFiles(_ id: TrackID) throws(Failure) {
        for folder in [cacheFolder, durableFolder] {
            for ending in ["map", "copy", "keep"] where unlink("\(folder)/\(id).\(ending)") != 0 {
                if errno != ENOENT && errno != ENOTDIR {
                    throw .file(errno, "remove", "\(folder)/\(id).\(ending)", subject: id)
                }
            }
        }
    }

    public func openFile(_ path: String) throws(Failure) -> any ByteSource { try FinishedFile(path) }

    public func describeFile(_ path: String) async throws(Failure) -> FileDescription {
        try await offPool { () throws(Failure) in
            _ = try FinishedFile(path)
            return Tags.describe(path)
        }
    }

    /// Where the track's growing file lies; the durable one wins.
    private func folder(of id: TrackID) -> String? {
        [durableFolder, cacheFolder].first { access("\($0)/\(id).copy", F_OK) == 0 }
    }

    /// Path and size of a copy all of whose bytes are there; nil while something is missing.
    func complete(_ id: TrackID) -> (path: String, size: Int64)? {
        open.withLock { open in
            guard let folder = folder(of: id) else { return nil }
            let path = "\(folder)/\(id).copy"
            if let copy = open[id]?.copy {
                return copy.isComplete ? copy.size.map { (path, $0) } : nil
            }
            guard let map = CopyMap.read("\(folder)/\(id).map"), map.isComplete, let size = map.size else { return nil }
            return (path, size)
        }
    }

    /// Tracks that have a durable copy or a kept one: what no download wants any more can be discarded at start.
    public func durableIDs() -> [TrackID] {
        let durable = Folder.names(in: durableFolder).compactMap { Self.id(in: $0, ending: ".copy") }
        return durable + Folder.names(in: cacheFolder).compactMap { Self.id(in: $0, ending: ".keep") }
    }

    private static func id(in name: String, ending: String) -> TrackID? {
        name.hasSuffix(ending) ? TrackID(name.dropLast(ending.count)) : nil
    }
}

extension CopyFolder {
    public func sweep(keeping: Set<TrackID>) {
        for id in durableIDs() where !keeping.contains(id) {
            let isOpen = open.withLock { $0[id]?.copy != nil }
            if !isOpen { try? discard(id) }
        }
    }

    /// Also clears up what a kill left: sidecars without bytes and temporary files. Copies somebody holds open stay.
    public func prune(to bytes: Int64, keeping: Set<TrackID>) {
        open.withLock { open in
            let names = Folder.names(in: cacheFolder)
            var files: [(id: TrackID, used: (Int, Int), bytes: Int64)] = []
            let all = Set(names)
            for name in names {
                if let id = Self.id(in: name, ending: ".copy") {
                    var facts = stat()
                    guard stat("\(cacheFolder)/\(name)", &facts) == 0 else { continue }
                    // Blocks, not length: a file with a hole takes less.
                    let used = (Int(facts.st_mtim.tv_sec), Int(facts.st_mtim.tv_nsec))
                    files.append((id, used, Int64(facts.st_blocks) * 512))
                } else if name.hasSuffix(".tmp") && name.hasPrefix(".") {
                    removeOldTemporary(name)
                } else if name.hasSuffix(".map") && !all.contains("\(name.dropLast(4)).copy") {
                    unlink("\(cacheFolder)/\(name)")
                }
            }
            var total = files.reduce(0) { $0 + $1.bytes }
            for file in files.sorted(by: { $0.used < $1.used }) where total > bytes {
                let isUsed = keeping.contains(file.id) || open[file.id]?.copy != nil
                if isUsed || all.contains("\(file.id).keep") { continue }
                unlink("\(cacheFolder)/\(file.id).map")
                unlink("\(cacheFolder)/\(file.id).copy")
                total -= file.bytes
            }
        }
    }

    /// A temporary file is a sidecar being written right now unless it is older than a minute.
    private func removeOldTemporary(_ name: String) {
        var facts = stat()
        guard stat("\(cacheFolder)/\(name)", &facts) == 0, time(nil) - facts.st_mtim.tv_sec > 60 else { return }
        unlink("\(cacheFolder)/\(name)")
    }
}
