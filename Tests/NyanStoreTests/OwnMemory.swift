import FoundationEssentials

/// What the tests' own process holds.
enum OwnMemory {
    /// kB of memory it has written to, files that are mapped not among it.
    static func written() -> Int {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        return line.split { !$0.isNumber }.first.flatMap { Int($0) } ?? 0
    }
}
