import Dispatch
import Glibc
public import NyanCore

/// What became of a copy's file.
nonisolated enum CopySight: Sendable {
    /// It is where it was, or its whole disk is away.
    case there
    /// It is not where it was although its folder is there: somebody who wishes for it may have it anew.
    case missing
    /// Somebody took it away, so that the library may forget it: it is missing among others. An empty folder may be the
    /// place of a disk that is away.
    case gone
}

nonisolated extension FinishedCopy {
    private var folder: String? {
        // By scalars: a name may begin with a mark, which is one `Character` with the `/` before it.
        guard let slash = path.unicodeScalars.lastIndex(of: "/") else { return nil }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private var isMissing: Bool {
        guard let folder else { return false }
        return access(path, F_OK) != 0 && errno == ENOENT && access(folder, F_OK) == 0
    }

    /// The same as `CopySight.gone`, looked at here and now: for one file that is about to be read anyway.
    var isGone: Bool { isMissing && folder.map(Self.holdsSound) == true }

    private static func holdsSound(_ folder: String) -> Bool {
        guard let open = opendir(folder) else { return false }
        defer { closedir(open) }
        while let entry = readdir(open) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".mp3") || name.hasSuffix(".m4a"), !name.hasPrefix(".") { return true }
        }
        return false
    }
}

// Never on the main actor: a disk may be slow or hang, and the copies may be many.
extension FinishedCopy {
    var sight: CopySight {
        get async { await Self.sights(of: [id: self])[id] ?? .there }
    }

    /// Whether the file can be seen.
    public var isThere: Bool {
        get async {
            let path = path
            return await Self.looking { access(path, F_OK) == 0 }
        }
    }

    static func sights(of copies: [TrackID: FinishedCopy]) async -> [TrackID: CopySight] {
        guard !copies.isEmpty else { return [:] }
        return await looking {
            copies.mapValues { copy in copy.isMissing ? copy.isGone ? .gone : .missing : .there }
        }
    }

    /// Does `look` on a thread of its own.
    private static func looking<Sight: Sendable>(_ look: @escaping @Sendable () -> Sight) async -> Sight {
        await withCheckedContinuation { done in
            DispatchQueue(label: "org.nyantunes.Nyand.sights").async { done.resume(returning: look()) }
        }
    }
}
