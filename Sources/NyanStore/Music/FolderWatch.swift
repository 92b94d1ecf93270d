import Dispatch
import Glibc
public import NyanCore
import Synchronization

/// Hears from the kernel (inotify(7)) when something in the music folder changes; costs nothing while nothing does.
///
/// What nyand itself does there, under hidden names and by renaming from one, is not told.
@MainActor public final class FolderWatch: FolderSignals {
    public var onChange: () -> Void = {}
    /// Told once where the kernel gives no more watches (fs.inotify.max_user_watches): what changes in some folders is then
    /// seen at the next look only.
    public var onLimit: () -> Void = {}
    private var isLimitTold = false
    private let source: any DispatchSourceRead
    private let watched: Watched

    /// nil where the kernel gives no such descriptor; then the folder is looked at only at the start.
    public init?() {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        watched = Watched(descriptor)
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        source.setEventHandler { [weak self] in self?.readEvents() }
        source.setCancelHandler { @Sendable in close(descriptor) }
        source.activate()
    }

    isolated deinit { source.cancel() }

    public func listen(to folder: String, _ subfolders: [String]) async -> Bool {
        let watched = watched
        let answer = try? await offPool { () throws(Failure) in watched.set(folder, subfolders) }
        if answer?.isLimited == true, !isLimitTold {
            isLimitTold = true
            onLimit()
        }
        return answer?.isNew ?? false
    }

    public func takeDeleted() -> Set<String> { watched.takeDeleted() }

    private func readEvents() { if watched.readEvents() { onChange() } }
}

/// The kernel's watches and what they say; shared with the thread that sets them, since a slow disk may hold that up.
private final class Watched: Sendable {
    private let descriptor: Int32
    private let state = Mutex(State())

    private struct State {
        /// Folders by the kernel's number.
        var paths: [Int32: String] = [:]
        var deleted: Set<String> = []
        /// Renames from nyand's own hidden names: what they became is its doing.
        var hidden: Set<UInt32> = []
    }

    private static let ofItself = IN_MOVE_SELF | IN_DELETE_SELF | Int32(bitPattern: UInt32(IN_ONLYDIR))
    private static let ofFiles =
        ofItself | IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE
        | Int32(bitPattern: UInt32(IN_EXCL_UNLINK))

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    func takeDeleted() -> Set<String> {
        state.withLock { state in
            defer { state.deleted = [] }
            return state.deleted
        }
    }

    /// Listens to the folder, what is in it, and to the folders above it only for their own renaming and end; where it is
    /// not there, to what appears in the nearest one that is.
    /// - Returns: whether any folder was not listened to before, and whether the kernel gave no more watches.
    func set(_ folder: String, _ subfolders: [String]) -> (isNew: Bool, isLimited: Bool) {
        var wanted: [(path: String, mask: Int32)] = []
        // A folder named with a slash at its end would be its own parent.
        var folder = folder
        while folder.count > 1, folder.hasSuffix("/") { folder.removeLast() }
        var path = folder
        var isFound = false
        while true {
            if Folder.isThere(path) {
                let nearest = path == folder ? Self.ofFiles : Self.ofItself | IN_CREATE | IN_MOVED_TO
                wanted.append((path, isFound ? Self.ofItself : nearest))
                isFound = true
            }
            let parent = splitPath(path).folder
            guard parent != path, parent != ".", !path.isEmpty, path != "/" else { break }
            path = parent
        }
        wanted += subfolders.map { ($0, Self.ofFiles) }
        let before = state.withLock { Set($0.paths.keys) }
        var now: [Int32: String] = [:]
        var isLimited = false
        for (path, mask) in wanted {
            // A folder that went meanwhile is not listened to; the one above it tells.
            let number = inotify_add_watch(descriptor, path, UInt32(bitPattern: mask))
            if number >= 0 { now[number] = path } else if errno == ENOSPC { isLimited = true }
        }
        for number in before where now[number] == nil { inotify_rm_watch(descriptor, number) }
        state.withLock { $0.paths = now }
        return (!Set(now.keys).isSubset(of: before), isLimited)
    }

    /// Takes all events that wait; says whether one of them matters.
    func readEvents() -> Bool {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var matters = false
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
            buffer.withUnsafeBytes { bytes in
                var place = 0
                while place + 16 <= count {
                    let length = Int(bytes.loadUnaligned(fromByteOffset: place + 12, as: UInt32.self))
                    let name = bytes[(place + 16)..<min(place + 16 + length, count)].prefix { $0 != 0 }
                    let isHeard = hear(
                        bytes.loadUnaligned(fromByteOffset: place, as: Int32.self),
                        bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self),
                        bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt32.self),
                        String(decoding: name, as: UTF8.self))
                    if isHeard { matters = true }
                    place += 16 + length
                }
            }
        }
        return matters
    }

    private func hear(_ number: Int32, _ mask: UInt32, _ cookie: UInt32, _ name: String) -> Bool {
        func has(_ flag: Int32) -> Bool { mask & UInt32(bitPattern: flag) != 0 }
        return state.withLock { state in
            // Lost events may have been any.
            if has(IN_Q_OVERFLOW) { return true }
            guard let folder = state.paths[number] else { return false }
            if has(IN_IGNORED) { state.paths[number] = nil }
            // The folder itself: renamed, deleted, unmounted.
            if name.isEmpty { return true }
            if name.hasPrefix(".") {
                // Others make their files under hidden names as well, and are to be heard: rsync, Syncthing.
                if has(IN_MOVED_FROM), name.hasPrefix(MusicFolder.temporaryPrefix) {
                    // Those that became nothing here are of no use any more.
                    if state.hidden.count > 64 { state.hidden = [] }
                    state.hidden.insert(cookie)
                }
                return false
            }
            if has(IN_MOVED_TO), state.hidden.remove(cookie) != nil { return false }
            if mask & UInt32(IN_ISDIR) != 0 { return true }
            guard MusicFolder.isSound(name) else { return false }
            let path = "\(folder)/\(name)"
            if has(IN_DELETE) { state.deleted.insert(path) } else { state.deleted.remove(path) }
            return true
        }
    }
}
