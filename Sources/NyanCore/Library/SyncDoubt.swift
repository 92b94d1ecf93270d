/// Reasons to disbelieve a list that would remove tracks, though it was read twice (vk-api.md §5 "safety stop").
enum SyncDoubt {
    /// A library of more than this that reads as one track or none is a login gone wrong, not a clean-up.
    static let smallLibrary = 3
    /// Losing fewer tracks than this is never suspicious.
    static let fewTracks = 20

    /// Says why a list is not to be believed; nil when it is. `count` is VK's own length of the list, `read` what its
    /// pages held, `missed` the stored tracks they did not hold.
    static func about(stored: Int, read: Int, count: Int, missed: Int) -> Failure? {
        if read <= 1, stored > smallLibrary {
            return Failure(
                .badAnswer,
                "VK suddenly shows \(read == 0 ? "no track" : "one track") where there were \(stored). Nothing was "
                    + "removed. If the profile was really emptied, log out and in again.")
        }
        let unseen = count - read
        if read == 0, count > 0 { return cutShort(read, count) }
        // VK counts tracks it does not show, but not a quarter of a library at once.
        if missed > fewTracks, missed * 4 > stored, unseen * 2 >= missed { return cutShort(read, count) }
        return nil
    }

    static let restless = Failure(
        .badAnswer, "The profile keeps changing while it is read. Nothing was changed here.", retry: .later)
    static let endless = Failure(
        .badAnswer, "VK's list of the profile does not end. Nothing was changed here.", retry: .later)

    private static func cutShort(_ read: Int, _ count: Int) -> Failure {
        Failure(
            .badAnswer, "VK showed only \(read) of the \(count) tracks it counts. Nothing was removed.", retry: .later)
    }
}
