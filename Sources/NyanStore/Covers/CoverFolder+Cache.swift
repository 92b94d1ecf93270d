import CTag
import Glibc
public import NyanCore

// Where pictures come from, and which of them stay.
extension CoverFolder: CoverCache {
    /// A picture that lies there.
    struct Stored {
        var path: String
        var bytes: Int64
        /// When it was shown last, as far as that was told.
        var used: Int
    }

    /// Files of a write that a kill interrupted are older than this, in seconds; nobody writes for so long.
    private static let stale = 600
    /// Beside a file, by the names that players and rippers give it.
    private static let besideNames = [
        "cover.jpg", "folder.jpg", "Cover.jpg", "Folder.jpg", "front.jpg", "cover.png", "folder.png", "cover.jpeg",
    ]

    public func picture(from address: String) async -> String? {
        let found = try? await offPool { [self] () throws(Failure) in target(of: link(address)) }
        return found ?? nil
    }

    public func store(_ bytes: [UInt8], from address: String) async throws(Failure) -> String {
        try await offPool { [self] () throws(Failure) in
            let path = try keep(bytes)
            let link = link(address)
            let fresh = "\(folder)/.\(UInt64.random(in: 0 ... .max)).tmp"
            // Without the link it is merely fetched again some day.
            if symlink(splitPath(path).name, fresh) == 0, rename(fresh, link) != 0 { unlink(fresh) }
            return path
        }
    }

    public func embedded(in file: String, beside: Bool) async -> String? {
        let found = try? await offPool { [self] () throws(Failure) -> String? in
            if let bytes = Self.pictureInside(file), let path = try? keep(bytes) { return path }
            return beside ? pictureBeside(file) : nil
        }
        return found ?? nil
    }

    public func use(_ path: String) async {
        // Its time of change is when it was used; a picture itself never changes.
        try? await offPool { () throws(Failure) in _ = utimensat(AT_FDCWD, path, nil, 0) }
    }

    public func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR) }

    public func shrink(keeping: Set<String>) async -> Bool {
        let isKnown = try? await offPool { [self] () throws(Failure) in
            guard let found = pictures() else { return false }
            var (count, bytes) = (found.count, found.reduce(0) { $0 + $1.bytes })
            for picture in found.sorted(by: { $0.used < $1.used }) where !keeping.contains(picture.path) {
                guard count > bounds.pictures || bytes > bounds.bytes else { break }
                guard unlink(picture.path) == 0 else { continue }
                count -= 1
                bytes -= picture.bytes
            }
            removeLooseEnds()
            return true
        }
        return isKnown ?? false
    }

    private func link(_ address: String) -> String {
        "\(folder)/\(Self.name(of: Array(address.utf8)))\(Self.linkEnding)"
    }

    /// The picture a link names; nil where either is not there.
    private func target(of link: String) -> String? {
        var name = [CChar](repeating: 0, count: 256)
        let length = readlink(link, &name, name.count)
        guard length > 0, length < name.count else { return nil }
        let target = String(decoding: name[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let path = "\(folder)/\(target)"
        guard !target.contains("/"), Self.isPicture(target), access(path, R_OK) == 0 else { return nil }
        return path
    }

    private static func isPicture(_ name: String) -> Bool {
        !name.hasPrefix(".") && (name.hasSuffix(".jpg") || name.hasSuffix(".png"))
    }

    /// nil where the folder is there and cannot be read.
    func pictures() -> [Stored]? {
        guard Folder.isThere(folder) else { return [] }
        guard access(folder, R_OK | X_OK) == 0 else { return nil }
        return Folder.names(in: folder).compactMap { name in
            var facts = stat()
            let path = "\(folder)/\(name)"
            guard Self.isPicture(name), lstat(path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
            return Stored(path: path, bytes: Int64(facts.st_size), used: Int(facts.st_mtim.tv_sec))
        }
    }

    /// Links whose picture is gone, and what a kill left half written.
    func removeLooseEnds() {
        for name in Folder.names(in: folder) {
            let path = "\(folder)/\(name)"
            if name.hasSuffix(Self.linkEnding) {
                if target(of: path) == nil { unlink(path) }
            } else if name.hasPrefix("."), name.hasSuffix(".tmp") {
                var facts = stat()
                if lstat(path, &facts) == 0, time(nil) - facts.st_mtim.tv_sec > Self.stale { unlink(path) }
            }
        }
    }

    private static func pictureInside(_ path: String) -> [UInt8]? {
        guard let file = try? SoundIdentity(ImportCandidate(path: Array(path.utf8))) else { return nil }
        var count = 0
        // The path names a descriptor of the file.
        return withExtendedLifetime(file) {
            let kind = SoundIdentity.tagKind(file.kind)
            guard let bytes = ctag_cover(file.tagPath, kind, limit, isSound, &count) else { return nil }
            defer { ctag_free(bytes) }
            return Array(UnsafeBufferPointer(start: bytes, count: count))
        }
    }

    /// A damaged picture does not hide a sound one behind it.
    private static let isSound: ctag_judge = { @Sendable bytes, count in
        Picture.complaint(Array(UnsafeBufferPointer(start: bytes, count: count))) == nil ? 1 : 0
    }

    private func pictureBeside(_ file: String) -> String? {
        let place = splitPath(file).folder
        for name in Self.besideNames {
            // Not blocking, as a pipe may have that name.
            guard let bytes = try? WholeFile.read("\(place)/\(name)", flags: O_NONBLOCK, limit: Int64(Self.limit)),
                let path = try? keep(bytes)
            else { continue }
            return path
        }
        return nil
    }
}
