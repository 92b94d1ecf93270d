import Glibc

/// Wall time as VK counts it: seconds since 1970.
nonisolated enum UnixTime {
    static var now: Int64 { Int64(time(nil)) }
}
