import Glibc

/// A file in the user's runtime directory (else their state directory) that keeps what the rows printed last mean.
///
/// There is one of a kind for the user, and where a person is at a terminal one more for that terminal: what stands on
/// their screen is not changed by what is printed elsewhere (docs/decisions/0037). Files are replaced as a whole.
enum ListingFile: String, CaseIterable {
    case tracks = "nyanctl-rows"
    case playlists = "nyanctl-playlists"

    /// Why there are no rows.
    enum Absence: Error, Equatable {
        /// Nothing was listed yet, or there is no place to keep rows.
        case never
        /// Listed more than a day ago.
        case old
        /// Cut off, of another version, or not ours.
        case damaged
        /// Somebody signed in or out since.
        case forgotten
    }

    /// A row is what a person sees and means; whoever returns after this long looks again.
    static let longestAge = 86_400

    /// Without a place to keep rows the listing is printed all the same, so this has no failure: rows that cannot be kept
    /// are refused, for those kept before stand beside other tracks now.
    func write(_ lines: [String]) {
        var text = Self.head + "\(lines.count)\n"
        for line in lines {
            text += line
            text += "\n"
        }
        write(text)
    }

    /// From now on rows are refused, wherever they were listed, and on each terminal until it lists something itself.
    static func forget() {
        for folder in [runtimeFolder, stateFolder].compactMap(\.self) where isOurs(folder) {
            let own = names(in: folder + "/" + terminals).map { "\(terminals)/\($0)" }
            for name in own + allCases.map(\.rawValue) { spoil("\(folder)/\(name)", head + "forgotten\n") }
        }
    }

    /// The lines of this terminal's last listing; where it has none, of the user's last one.
    func read(now: Int = time(nil)) throws(Absence) -> [String] {
        guard let folder = Self.folder(create: false) else { throw .never }
        if let terminal = Self.terminal {
            do throws(Absence) {
                return try Self.read("\(folder)/\(Self.terminals)/\(rawValue)-\(terminal)", now)
            } catch {
                guard error == .never else { throw error }
            }
        }
        return try Self.read("\(folder)/\(rawValue)", now)
    }

    private static let head = "nyanctl 1 "
    private static let terminals = "nyanctl-terminals"

    private func write(_ text: String) {
        guard let folder = Self.folder(create: true) else { return }
        writeForTerminal(text, folder)
        write(text, to: "\(folder)/\(rawValue)", folder)
        // Sessions without a runtime directory do not go on with what was listed before.
        if let state = Self.stateFolder, state != folder, Self.isOurs(state) { unlink("\(state)/\(rawValue)") }
    }

    /// The same file under the terminal's name; files of terminals that are gone go.
    private func writeForTerminal(_ text: String, _ folder: String) {
        guard let terminal = Self.terminal else { return }
        let own = folder + "/" + Self.terminals
        mkdir(own, 0o700)
        guard Self.isOurs(own) else { return }
        for name in Self.names(in: own) {
            guard let session = name.split(separator: "-").last.flatMap({ pid_t($0) }) else { continue }
            if kill(session, 0) != 0, errno == ESRCH { unlink("\(own)/\(name)") }
        }
        write(text, to: "\(own)/\(rawValue)-\(terminal)", folder)
    }

    /// Replaces a file as a whole, by way of another one in the folder. Where that fails no rows are left in it.
    private func write(_ text: String, to path: String, _ folder: String) {
        let fresh = "\(folder)/\(rawValue).\(getpid())"
        // A leftover of a process that had our number, or a link somebody laid there.
        unlink(fresh)
        let file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        var isKept = false
        if file >= 0 {
            isKept = Writing.all(of: text, to: file) == nil
            close(file)
            isKept = isKept && rename(fresh, path) == 0
            unlink(fresh)
        }
        if !isKept { Self.spoil(path, "", O_CREAT) }
    }

    /// Puts a text that has no rows into a file that is there. Never by removing it: a terminal that has none of its own
    /// would be given the rows of another. Room for it is not needed, as an empty file has no rows either.
    private static func spoil(_ path: String, _ text: String, _ creating: Int32 = 0) {
        let file = open(path, O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | creating, 0o600)
        guard file >= 0 else {
            unlink(path)
            return
        }
        _ = Writing.all(of: text, to: file)
        close(file)
    }

    /// No listing of ours is longer, in bytes; what is, is not ours and is not read.
    private static let longest = 64 << 20

    /// The lines of one file; `now`: seconds since 1970.
    static func read(_ path: String, _ now: Int) throws(Absence) -> [String] {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        guard file >= 0 else { throw errno == ENOENT ? .never : .damaged }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, facts.st_size <= longest else {
            throw .damaged
        }
        let lines = lines(of: readAll(file))
        guard let first = lines.first, first.hasPrefix(head) else { throw .damaged }
        let rest = first.dropFirst(head.utf8.count)
        guard rest != "forgotten" else { throw .forgotten }
        guard Int(rest) == lines.count - 1 else { throw .damaged }
        guard now - facts.st_mtim.tv_sec <= longestAge else { throw .old }
        return Array(lines.dropFirst())
    }

    /// A shell that completes a line waits for this.
    private static func lines(of bytes: [UInt8]) -> [String] {
        bytes.withUnsafeBytes { buffer in
            guard let start = buffer.baseAddress else { return [] }
            var lines: [String] = []
            var place = 0
            while place < buffer.count {
                let found = memchr(start + place, 10, buffer.count - place)
                let end = found.map { start.distance(to: UnsafeRawPointer($0)) } ?? buffer.count
                let line = UnsafeRawBufferPointer(start: start + place, count: end - place)
                if end > place { lines.append(String(decoding: line, as: UTF8.self)) }
                place = end + 1
            }
            return lines
        }
    }

    private static func readAll(_ file: Int32) -> [UInt8] {
        var collected: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return collected }
            collected += buffer[..<count]
        }
    }
}

// Where the files are.
extension ListingFile {
    /// `DEVICE-SESSION` of the terminal where a person is; nil for scripts and services: they have one listing, the
    /// user's last.
    private static var terminal: String? {
        // A shell that completes a line has a person before it, though we talk to the shell.
        let isSeen = isatty(1) == 1 || isatty(2) == 1 || CompletionCommand.isRunning
        guard isSeen || isatty(0) == 1 else { return nil }
        let file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        // Behind the name, which may hold anything (proc(5)): state, parent, group, session, terminal, its group.
        let text = String(decoding: readAll(file), as: UTF8.self)
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        guard fields.count > 6, fields[5] != "0" else { return nil }
        // All we say may go elsewhere (`2>&1 | tee`, `x=$(…)`): who typed it still looks at this terminal. Jobs behind
        // their back have its input, too, but not the terminal.
        guard isSeen || fields[3] == fields[6] else { return nil }
        return "\(fields[5])-\(fields[4])"
    }

    private static func names(in folder: String) -> [String] {
        guard let listing = opendir(folder) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("nyanctl-") { names.append(name) }
        }
        return names
    }

    private static var runtimeFolder: String? {
        Terminal.environment("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    private static var stateFolder: String? {
        let state = Terminal.environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let base = state ?? Terminal.environment("HOME").map({ $0 + "/.local/state" }), base.hasPrefix("/") else {
            return nil
        }
        return base + "/nyand"
    }

    private static func folder(create: Bool) -> String? {
        if let runtime = runtimeFolder, isOurs(runtime) { return runtime }
        guard let folder = stateFolder else { return nil }
        if create, !StateFolder.make(folder) { return nil }
        return isOurs(folder) ? folder : nil
    }

    /// A directory of this user's. After `su` or `sudo` the variables may still name somebody else's, which root could
    /// write to: the file would be in that user's way.
    private static func isOurs(_ folder: String) -> Bool {
        var found = stat()
        return stat(folder, &found) == 0 && found.st_mode & S_IFMT == S_IFDIR && found.st_uid == geteuid()
            && access(folder, W_OK) == 0
    }
}
