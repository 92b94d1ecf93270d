import Glibc
public import NyanCore

/// Reads and replaces small files as a whole.
enum WholeFile {
    /// The bytes of a file; nil when there is none.
    /// `flags`: further `open` flags, such as `O_NOFOLLOW`. With `O_NONBLOCK` a pipe is refused: nobody waits for who may
    /// never write into it.
    static func read(_ path: String, flags: Int32 = 0, limit: Int64 = 64 << 20) throws(Failure) -> [UInt8]? {
        let descriptor = retrying { Int(Glibc.open(path, O_RDONLY | O_CLOEXEC | flags)) }
        guard let descriptor else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .file(errno, "open", path)
        }
        defer { close(Int32(descriptor)) }
        if flags & O_NONBLOCK != 0 { try refusePipe(Int32(descriptor), path) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = retrying { Glibc.read(Int32(descriptor), &chunk, chunk.count) }
            guard let count else { throw .file(errno, "read", path) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            if bytes.count > limit { throw .file(EFBIG, "read", path) }
        }
    }

    private static func refusePipe(_ descriptor: Int32, _ path: String) throws(Failure) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFIFO else { return }
        let (folder, name) = splitPath(path)
        throw Failure(.fileAccess, "\"\(name)\" in \(folder) is no file but a pipe: remove it, then try again")
    }

    /// Puts a new file in the place of `path` in one step: whoever reads sees the old or the new one, never half.
    ///
    /// The temporary file is born with `mode` beside the target and is gone again after a failure.
    /// `durable`: also against power loss (fsync of file and folder); kill -9 needs none of it.
    static func replace(_ path: String, with bytes: some Collection<UInt8>, mode: mode_t, durable: Bool) throws(Failure)
    {
        let temporary = temporaryName(for: path)
        let contiguous = Array(bytes)
        do throws(Failure) {
            let file = try OpenFile(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
            // The umask may only take away; a caller who asked for 0644 under umask 077 still gets 0644.
            if fchmod(file.descriptor, mode) != 0 { throw .file(errno, "protect", temporary) }
            try file.write(contiguous, at: 0)
            if durable { try file.sync() }
            if rename(temporary, path) != 0 { throw .file(errno, "replace", path) }
        } catch {
            unlink(temporary)
            throw error
        }
        if durable { try Folder.sync(splitPath(path).folder) }
    }

    /// A hidden name beside `path` that nobody else uses.
    private static func temporaryName(for path: String) -> String {
        let (folder, name) = splitPath(path)
        return "\(folder)/.\(name.prefix(60)).\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
    }

    /// Moves an unreadable file (and its companions, by suffix) aside as `NAME.broken-DATE`; returns the new path.
    /// `from`: where the file is now, if elsewhere.
    static func setAside(
        _ path: String, from source: String? = nil, companions: [String] = []
    ) throws(Failure) -> String {
        var now = time(nil)
        var parts = tm()
        localtime_r(&now, &parts)
        let numbers = [parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec]
        let date = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
        let base = "\(path).broken-\(parts.tm_year + 1900)\(date)"
        var target = base
        var number = 2
        while access(target, F_OK) == 0 {
            target = "\(base)-\(number)"
            number += 1
        }
        try move(source ?? path, to: target, companions: companions)
        return target
    }

    /// Renames a file; its companions (endings of its name), as far as they are there, go first: after a kill in between
    /// none is left that would be taken for another file's.
    static func move(_ path: String, to target: String, companions: [String]) throws(Failure) {
        for suffix in companions { rename(path + suffix, target + suffix) }
        if rename(path, target) != 0 { throw .file(errno, "set aside", path) }
    }
}

/// Folders: made on demand, listed, synced.
public enum Folder {
    /// Makes the folder and the missing ones above it, with exactly this mode whatever the umask (nyand's is 077, but
    /// My Music is for every player). An existing folder keeps its mode.
    public static func make(_ path: String, mode: UInt32) throws(Failure) {
        if mkdir(path, mode) == 0 { return setMode(path, mode) }
        if errno == EEXIST { return try checkIsFolder(path) }
        let parent = splitPath(path).folder
        guard errno == ENOENT, parent != path, parent != "." else { throw .file(errno, "make the folder", path) }
        try make(parent, mode: mode)
        if mkdir(path, mode) == 0 { setMode(path, mode) } else { try checkIsFolder(path) }
    }

    /// Gives a folder that was just made its mode; what somebody put in its place since, a link, keeps its own.
    static func setMode(_ path: String, _ mode: UInt32) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fchmod(descriptor, mode)
        close(descriptor)
    }

    /// The same, and one that was not there is on the disk when this returns: what is synced in it would be lost with it.
    static func makeDurably(_ path: String, mode: UInt32) throws(Failure) {
        if isThere(path) { return }
        try make(path, mode: mode)
        try sync(splitPath(path).folder)
    }

    /// Makes a folder only its owner may look into, also when it was there with a wider mode.
    public static func makePrivate(_ path: String) throws(Failure) {
        try make(path, mode: 0o700)
        var facts = stat()
        if stat(path, &facts) == 0, facts.st_mode & 0o077 != 0, facts.st_uid == geteuid() { chmod(path, 0o700) }
    }

    /// Whether there is a folder of this path now; the disk it is on may be away.
    static func isThere(_ path: String) -> Bool {
        var facts = stat()
        return stat(path, &facts) == 0 && facts.st_mode & S_IFMT == S_IFDIR
    }

    private static func checkIsFolder(_ path: String) throws(Failure) {
        var facts = stat()
        if stat(path, &facts) != 0 { throw .file(errno, "open the folder", path) }
        if facts.st_mode & S_IFMT != S_IFDIR { throw .file(ENOTDIR, "open the folder", path) }
    }

    /// Names in the folder without `.` and `..`; none when it cannot be read.
    static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }

    /// Makes renames in the folder durable against power loss. File systems that cannot are let be.
    static func sync(_ path: String) throws(Failure) {
        let folder = try OpenFile(path, O_RDONLY | O_DIRECTORY)
        if retrying({ Int(fsync(folder.descriptor)) }) == nil && errno != EINVAL { throw .file(errno, "save", path) }
    }
}
