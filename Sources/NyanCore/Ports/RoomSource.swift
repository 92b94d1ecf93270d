/// What a folder can take.
public enum Room: Sendable, Equatable {
    /// So many bytes can still be written, as far as the file system tells; a quota may allow fewer.
    case free(Int64)
    /// The folder is not there; its disk may be away.
    case away
    /// It is there and cannot be written: read-only, or no right to.
    case closed
}

/// A folder that downloads write to.
public struct FolderRoom: Sendable, Equatable {
    public enum Purpose: Sendable {
        /// Growing files, and the database beside them.
        case growing
        /// Finished files.
        case music
    }
    public var folder: String
    public var purpose: Purpose
    public var room: Room
    public init(_ folder: String, for purpose: Purpose, _ room: Room) {
        self.folder = folder
        self.purpose = purpose
        self.room = room
    }
}

/// Port: looks at the folders that downloads write to. Never on the main actor: a disk may be slow.
public protocol RoomSource: Sendable {
    func rooms() async -> [FolderRoom]
}
