import Glibc
import NyanCore

/// What stands beside a database and is not its own.
extension DatabaseFile {
    /// The journal of another database (left from a crash, beside a file that was put back) would be rolled back into ours,
    /// and nothing would be left of it. One that keeps a log, as all of ours do, has no journal: whatever bears that name is
    /// moved out of the way before SQLite looks.
    func setForeignJournalAside(of file: OpenFile) throws(Failure) -> Failure? {
        let journal = "\(path)-journal"
        guard access(journal, F_OK) == 0 else { return nil }
        // The format's numbers for writing and reading, at 18: 2 is "with a log" (sqlite.org/fileformat2.html §1.3.3).
        var numbers: [UInt8] = [0, 0]
        let count = numbers.withUnsafeMutableBytes { file.read(at: 18, into: $0) }
        guard count == 2, numbers == [2, 2] else { return nil }
        let aside = try WholeFile.setAside(journal)
        return Failure(
            .fileAccess, "\"\(splitPath(journal).name)\" was left by another database; it is kept as \(aside)")
    }
}
