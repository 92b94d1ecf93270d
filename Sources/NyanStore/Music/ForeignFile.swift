import CGLib
import Glibc
import NyanCore

/// A file of somebody's that has a hidden name of ours for a moment, as it came where ours was looked at just before.
///
/// The name has an ending of its own: what a kill leaves under it may be anybody's, and is shown again instead of deleted.
enum ForeignFile {
    static let ending = ".put-back"

    /// A hidden name beside `path`, for what may turn out to be another file than the one that was looked at.
    static func hiddenPath(for path: String, id: TrackID) -> String {
        let (folder, name) = splitPath(path)
        let tail = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? ""
        let kind = tail.utf8.count <= 8 && tail.utf8.allSatisfy(isPlain) && !tail.isEmpty ? ".\(tail)" : ""
        let mark = String(UInt32.random(in: 0 ... .max), radix: 36)
        return "\(folder)/\(MusicFolder.temporaryPrefix)\(id)-\(mark)\(kind)\(ending)"
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    /// Gives it the name it had, or one like it where somebody was quicker once more.
    /// - Returns: where it is now; the hidden name where none was to be had.
    @discardableResult static func putBack(_ hidden: String, as path: String, id: TrackID) -> String {
        let (folder, name) = splitPath(path)
        for number in 0..<1000 {
            let target = "\(folder)/\(FileName.variant(of: name, id: id, number: number))"
            if nyan_rename_new(hidden, target) == 0 { return target }
            guard errno == EEXIST else { break }
        }
        return show(hidden) ?? hidden
    }

    /// The same for one whose name nobody knows: that without what hides it.
    private static func show(_ hidden: String) -> String? {
        let (folder, name) = splitPath(hidden)
        let target = "\(folder)/\(name.dropFirst(MusicFolder.temporaryPrefix.count).dropLast(ending.count))"
        return nyan_rename_new(hidden, target) == 0 ? target : nil
    }

    /// What a kill left under such names: a file that says it is this track's is what was to be deleted, any other is shown.
    static func settle(in folder: String) {
        for name in Folder.names(in: folder) {
            guard name.hasPrefix(MusicFolder.temporaryPrefix), name.hasSuffix(ending) else { continue }
            let path = "\(folder)/\(name)"
            // `put-back` has a dash of its own.
            let words = name.dropFirst(MusicFolder.temporaryPrefix.count).dropLast(ending.count)
            if let end = words.lastIndex(of: "-"), let id = TrackID(words[..<end]), Tags.isFile(path, of: id) {
                unlink(path)
            } else {
                _ = show(path)
            }
        }
    }
}
