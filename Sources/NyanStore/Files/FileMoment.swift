import Glibc

/// Which file it is, and when it changed last.
struct FileMoment: Equatable {
    private let numbers: [Int]

    init?(_ descriptor: Int32) {
        var facts = stat()
        guard fstat(descriptor, &facts) == 0 else { return nil }
        self.init(facts)
    }

    init?(_ path: String) {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return nil }
        self.init(facts)
    }

    private init(_ facts: stat) {
        numbers =
            [Int(facts.st_dev), Int(facts.st_ino), Int(facts.st_size)]
            + [Int(facts.st_mtim.tv_sec), Int(facts.st_mtim.tv_nsec)]
    }
}
