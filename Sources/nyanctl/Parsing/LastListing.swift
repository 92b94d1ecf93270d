import Glibc
import NyanCore

/// The ids of the listing last printed to this user: what row numbers mean (CONTRACT.md §5 TRACK).
///
/// One id per line in the user's runtime directory (else their state directory), replaced as a whole.
enum LastListing {
    /// Without a place to keep rows the listing is printed all the same, so this has no failure.
    static func remember(_ tracks: [TrackReference]) {
        var text = ""
        for track in tracks {
            text += track.description
            text += "\n"
        }
        write(text, as: "nyanctl-rows")
    }

    private static func write(_ text: String, as name: String) {
        guard let folder = folder(create: true) else { return }
        let fresh = "\(folder)/\(name).\(getpid())"
        // A leftover of a process that had our number, or a link somebody laid there.
        unlink(fresh)
        let file = open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let isWhole = writeAll(text, to: file)
        close(file)
        if !isWhole || rename(fresh, "\(folder)/\(name)") != 0 { unlink(fresh) }
    }

    /// The references in row order; empty where nothing was printed yet.
    static func recall() -> [TrackReference] { references("nyanctl-rows") { TrackReference($0) } }

    /// The same for the playlists printed last, which have row numbers of their own.
    static func remember(_ playlists: [PlaylistReference]) {
        write(playlists.map { "\($0)\n" }.joined(), as: "nyanctl-playlists")
    }

    static func recallPlaylists() -> [PlaylistReference] {
        references("nyanctl-playlists") { PlaylistReference($0) }
    }

    /// What `read` makes of each line.
    private static func references<Reference>(_ name: String, _ read: (String) -> Reference?) -> [Reference] {
        guard let folder = folder(create: false) else { return [] }
        let file = open("\(folder)/\(name)", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var collected: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = buffer.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            collected += buffer[..<count]
        }
        // A line that is no id would shift the rows behind it: then there are no rows at all.
        var references: [Reference] = []
        for line in collected.split(separator: 10) {
            guard let reference = read(String(decoding: line, as: UTF8.self)) else { return [] }
            references.append(reference)
        }
        return references
    }

    private static func writeAll(_ text: String, to file: Int32) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            var done = 0
            while done < bytes.count {
                let count = Glibc.write(file, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                done += count
            }
            return true
        }
    }

    private static func folder(create: Bool) -> String? {
        if let runtime = Terminal.environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/"), isOurs(runtime) {
            return runtime
        }
        let state = Terminal.environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        guard let base = state ?? Terminal.environment("HOME").map({ $0 + "/.local/state" }), base.hasPrefix("/") else {
            return nil
        }
        let folder = base + "/nyand"
        if create {
            var path = ""
            for part in folder.split(separator: "/") {
                path += "/" + part
                mkdir(path, 0o700)
            }
        }
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
