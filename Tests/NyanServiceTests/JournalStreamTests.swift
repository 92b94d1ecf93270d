import Glibc
import NyanService
import Testing

@Suite("The journal's stream") struct JournalStreamTests {
    @Test("is known by device and inode; a variable of an earlier stream, or none, is no journal")
    func known() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        defer { for end in ends { close(end) } }
        var facts = stat()
        try #require(fstat(ends[1], &facts) == 0)
        let (device, inode) = (UInt64(facts.st_dev), UInt64(facts.st_ino))
        #expect(JournalStream.isDescriptor(ends[1], named: "\(device):\(inode)"))
        for name in [nil, "", "\(device)", "\(device):", "\(device):\(inode + 1)", "\(device + 1):\(inode)", "a:b"] {
            #expect(!JournalStream.isDescriptor(ends[1], named: name), "\(name ?? "none")")
        }
        #expect(!JournalStream.isDescriptor(-1, named: "\(device):\(inode)"))
    }
}
