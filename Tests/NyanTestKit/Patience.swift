import Glibc

/// How many times as long as usual tests wait for what must happen: `NYAN_PATIENCE`, which scripts/sanitize sets, as programs
/// under a sanitiser take several times as long. How soon something happens is measured without one.
public nonisolated enum Patience {
    public static let factor = getenv("NYAN_PATIENCE").flatMap { Double(String(cString: $0)) } ?? 1
}
