import Glibc
import NyanCore

/// The ids of the listing last printed to this user: what row numbers mean (CONTRACT.md §5 TRACK).
///
/// One id per line in the user's runtime directory (else their state directory), replaced as a whole.
enum LastListing {
    static func remember(_ tracks: [TrackReference]) {
        guard let place = place(create: true) else { return }
        let text = tracks.map { "\($0)\n" }.joined()
        let fresh = place + ".\(getpid())"
        // Without a place to keep rows the listing is printed all the same.
        let file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        let count = Array(text.utf8).withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        close(file)
        if count == text.utf8.count { rename(fresh, place) } else { unlink(fresh) }
    }

    /// The references in row order; empty where nothing was printed yet.
    static func recall() -> [TrackReference] {
        guard let place = place(create: false) else { return [] }
        let file = open(place, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var collected: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(file, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            collected += buffer[..<count]
        }
        return String(decoding: collected, as: UTF8.self).split(separator: "\n").compactMap { TrackReference($0) }
    }

    private static func place(create: Bool) -> String? {
        if let runtime = Terminal.environment("XDG_RUNTIME_DIR"), runtime.hasPrefix("/"), access(runtime, W_OK) == 0 {
            return runtime + "/nyanctl-rows"
        }
        let home = Terminal.environment("HOME") ?? ""
        let state = Terminal.environment("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let folder = (state ?? home + "/.local/state") + "/nyand"
        if create {
            var path = ""
            for part in folder.split(separator: "/") {
                path += "/" + part
                mkdir(path, 0o700)
            }
        }
        return folder + "/nyanctl-rows"
    }
}
