/// Port: the cache of cover pictures, which also knows where each came from. Works off the caller's actor.
public protocol CoverCache: CoverStore {
    /// Absolute path of the picture that came from this address before, if it is still there.
    func picture(from address: String) async -> String?
    /// As `store`, and `picture(from:)` knows it from now on.
    func store(_ bytes: [UInt8], from address: String) async throws(Failure) -> String
    /// Stores the picture inside a sound file, or that of the folder it is in; nil where there is none.
    /// `beside`: whether the folder's picture counts.
    func embedded(in file: String, beside: Bool) async -> String?
    /// Says that a picture is shown now, which keeps it longer than others.
    func use(_ path: String) async
    /// Removes pictures, those first that were not used for longest, until the cache is within its bounds.
    /// - Returns: whether it is known what is there; false = the folder cannot be read.
    func shrink(keeping: Set<String>) async -> Bool
    /// Whether a picture is there now. Quick, and safe anywhere.
    func isThere(_ path: String) -> Bool
}

/// Port: which picture each track has, as the library remembers it.
public protocol CoverLedger: Sendable {
    /// Forgets every picture of which this is true. What is set while it runs is set after it.
    func forgetCovers(_ isGone: @escaping @Sendable (String) -> Bool) async throws(Failure)
}
