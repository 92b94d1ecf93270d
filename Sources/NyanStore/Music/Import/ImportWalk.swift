import Glibc
import NyanCore

/// Finds the sounds in a folder and below it, by their names. Names are bytes: old collections have some that are no
/// UTF-8.
struct ImportWalk {
    /// My Music as the library writes it, and with links resolved; nil where it is not there.
    private let music: [UInt8]
    private let resolvedMusic: [UInt8]?
    private var found: [ImportCandidate] = []
    /// Folders that were read: a link may lead back up.
    private var visited: Set<FileNumber> = []

    private struct FileNumber: Hashable {
        var device: UInt
        var number: UInt
        init(_ facts: stat) {
            device = UInt(facts.st_dev)
            number = UInt(facts.st_ino)
        }
    }

    /// What a name that may be sound ends in. Kinds nyand cannot keep are among them, to be named with the reason.
    private static let endings: Set<String> = [
        "mp3", "mp2", "flac", "ogg", "oga", "opus", "wav", "m4a", "m4b", "aac", "wma", "ape", "wv", "aif", "aiff",
        "mpc", "tta", "mka", "spx", "dsf",
    ]

    /// `folder`: absolute, or one file. `music`: where My Music is.
    /// - Throws: `.notFound` where there is nothing, `.fileAccess` where the folder cannot be read.
    static func candidates(in folder: String, music: String) throws(Failure) -> [ImportCandidate] {
        var walk = ImportWalk(music: music)
        let facts = try facts(of: folder)
        let path = resolved(Array(folder.utf8)) ?? Array(folder.utf8)
        guard facts.st_mode & S_IFMT == S_IFDIR else {
            walk.add(path)
            return walk.found
        }
        walk.visited.insert(FileNumber(facts))
        guard walk.read(path) else { throw .file(errno, "open the folder", folder) }
        return walk.found
    }

    /// - Throws: as `candidates`, but for a folder that is there and cannot be read.
    static func facts(of folder: String) throws(Failure) -> stat {
        guard folder.hasPrefix("/"), !folder.utf8.contains(0) else {
            throw Failure(.badArgument, "a folder is named by its whole path, from / on")
        }
        var facts = stat()
        guard stat(folder, &facts) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { throw Failure(.notFound, "there is no folder \(folder)") }
            throw .file(errno, "open", folder)
        }
        return facts
    }

    private init(music: String) {
        self.music = Array(music.utf8)
        resolvedMusic = Self.resolved(self.music)
    }

    private static func resolved(_ path: [UInt8]) -> [UInt8]? {
        guard let real = realpath(path.cPath, nil) else { return nil }
        defer { free(real) }
        return Array(UnsafeRawBufferPointer(start: real, count: strlen(real)))
    }

    private mutating func add(_ path: [UInt8]) {
        guard let inside = resolvedMusic, path.starts(with: inside + [UInt8(ascii: "/")]) else {
            found.append(ImportCandidate(path: path))
            return
        }
        found.append(ImportCandidate(path: music + path.dropFirst(inside.count), isInPlace: true))
    }

    /// - Returns: false when the folder cannot be read (`errno`).
    private mutating func read(_ folder: [UInt8]) -> Bool {
        guard let open = opendir(folder.cPath) else { return false }
        var entries: [(name: [UInt8], kind: UInt8)] = []
        while let entry = readdir(open) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            // Hidden files are nobody's music, and `.` and `..` are among them.
            if name.first != UInt8(ascii: ".") { entries.append((name, entry.pointee.d_type)) }
        }
        closedir(open)
        entries.sort { $0.name.lexicographicallyPrecedes($1.name) }
        for entry in entries {
            let path = folder + (folder.last == UInt8(ascii: "/") ? [] : [UInt8(ascii: "/")]) + entry.name
            look(at: path, name: entry.name, kind: entry.kind)
        }
        return true
    }

    private mutating func look(at path: [UInt8], name: [UInt8], kind: UInt8) {
        let isSound = Self.isSound(name)
        // Most entries need no question to the system.
        if kind == UInt8(DT_REG) {
            if isSound { add(path) }
            return
        }
        guard kind == UInt8(DT_DIR) || kind == UInt8(DT_LNK) || kind == UInt8(DT_UNKNOWN) else { return }
        var facts = stat()
        guard stat(path.cPath, &facts) == 0 else { return }
        switch facts.st_mode & S_IFMT {
        case S_IFREG where isSound: add(path)
        case S_IFDIR where visited.insert(FileNumber(facts)).inserted:
            // One that cannot be read is named as what it is: skipped.
            if !read(path) { add(path) }
        default: break
        }
    }

    /// By the ending; `song.mp3.part` and the like are other programs' business.
    static func isSound(_ name: [UInt8]) -> Bool {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return false }
        return endings.contains(String(decoding: name[(dot + 1)...], as: UTF8.self).lowercased())
    }
}

extension [UInt8] {
    /// These bytes as a path for the system.
    var cPath: [CChar] { map { CChar(bitPattern: $0) } + [0] }
}
