/// Whether a playlist's tracks, read completely, are to be believed where they are fewer than were known
/// (vk-api.md §5: nothing is emptied on doubt).
public enum PlaylistDoubt: Sendable, Equatable {
    case believe
    /// Read it once more: the next reading must show the same.
    case readAgain
    /// Keep what is stored; says why.
    case keep(Failure)

    /// Judges a reading: `stored` are the tracks known so far (nil = the list was never read), `read` those read now,
    /// `before` what the reading before this one gave (nil = this is the first), `described` how many tracks VK's
    /// description of the playlist counts (nil = not asked).
    public static func about(
        _ id: PlaylistID, stored: [TrackID]?, read: [TrackID], before: [TrackID]?, described: Int?
    ) -> PlaylistDoubt {
        guard let stored, !stored.isEmpty else { return .believe }
        // What VK makes itself is another list each day; only nothing at all is suspicious.
        let missesSome = id.isGenerated ? read.isEmpty : !Set(stored).isSubset(of: read)
        guard missesSome else { return .believe }
        guard let before, before == read else {
            // A list that never reads twice alike is no reason to lose it.
            return before == nil ? .readAgain : .keep(restless)
        }
        if read.isEmpty, described != 0 {
            return .keep(
                Failure(.badAnswer, "VK suddenly shows no track of a playlist that had \(stored.count)", retry: .later))
        }
        return .believe
    }

    private static let restless = Failure(
        .badAnswer, "The playlist keeps changing while it is read", retry: .later)
}
