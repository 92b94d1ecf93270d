import Glibc
public import NyanCore

/// Looks at folders that nyand makes itself, and at the files that start it.
public struct FolderLook: FolderExaminer {
    public init() {}

    public func room(in folder: String) async -> Room {
        (try? await offPool { () throws(Failure) in FolderRooms.room(in: folder, mayBeMade: true) }) ?? .away
    }

    /// What a settings file says now.
    public func settings(_ path: String, mustExist: Bool) async -> Result<Settings, SettingsError> {
        let result = try? await offPool { () throws(Failure) -> Result<Settings, SettingsError> in
            do throws(SettingsError) {
                return .success(try SettingsFile.read(path, mustExist: mustExist))
            } catch {
                return .failure(error)
            }
        }
        // Nothing above throws.
        return result ?? .failure(SettingsError(line: nil, key: "the file", message: "was not looked at"))
    }

    /// Whether there is a file at a path.
    public func isThere(_ path: String) async -> Bool {
        (try? await offPool { () throws(Failure) in access(path, F_OK) == 0 }) ?? false
    }

    /// The unit and the activation file that concern this process.
    public func unit(environment: [String: String]) async -> UnitFacts {
        let look = { @Sendable () throws(Failure) in
            var facts = UnitFacts.look(
                environment: environment, entry: Self.entry(at:), isProgram: { access($0, X_OK) == 0 })
            let groups = (try? WholeFile.read("/proc/self/cgroup", limit: 1 << 16)) ?? nil
            facts.runsUnder = groups.flatMap {
                UnitFacts.service(inControlGroups: String(decoding: $0, as: UTF8.self))
            }
            return facts
        }
        return (try? await offPool(look)) ?? UnitFacts()
    }

    private static func entry(at path: String) -> UnitFacts.Entry? {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return nil }
        switch facts.st_mode & S_IFMT {
        case S_IFDIR: return .folder(names: Folder.names(in: path))
        case S_IFLNK:
            var target = [CChar](repeating: 0, count: Int(PATH_MAX))
            let count = readlink(path, &target, target.count)
            return .link(
                to: String(decoding: target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self))
        default:
            let bytes = (try? WholeFile.read(path, limit: 1 << 16)) ?? nil
            return .file(text: String(decoding: bytes ?? [], as: UTF8.self))
        }
    }
}
