import Glibc

// What a kill left in the folder of unfinished downloads; the cache's is cleared up as it is pruned.
extension CopyFolder {
    /// Removes sidecars that were being written when an earlier run was killed. Called once at start.
    /// `age`: how long this run lasts; what is younger is its own.
    public func sweepLeftovers(olderThan age: Duration) {
        var clock = timespec()
        clock_gettime(CLOCK_REALTIME, &clock)
        for name in Folder.names(in: durableFolder) where name.hasPrefix(".") && name.hasSuffix(".tmp") {
            var facts = stat()
            let path = "\(durableFolder)/\(name)"
            guard lstat(path, &facts) == 0, Self.moment(clock) - Self.moment(facts.st_mtim) > age else { continue }
            unlink(path)
        }
    }

    private static func moment(_ time: timespec) -> Duration {
        .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
