internal import CGst

/// Decoded sound on its way out of a decoder, put together to larger pieces.
///
/// An MP3 frame is 26 ms: handed on one by one they wake the decoder's and the output's threads 38 times a second each, and
/// those turns cost several times what decoding does (docs/decisions/0049). The first pieces after a start or a seek go as
/// they come, so that nothing sounds later for it.
nonisolated struct Blocks: Sendable {
    /// What a piece holds at least, in nanoseconds. It is also how much later a volume that is set in the samples is heard
    /// (a bare card), so it is no longer than it must be.
    static let length: UInt64 = 100_000_000
    /// The same as a length of time.
    static let duration = Duration.nanoseconds(Int64(length))
    /// How many pieces go as they come.
    static let plain = 4
    /// Times are rounded, and more than this between two pieces is a hole, in nanoseconds.
    private static let doubt: Int64 = 1_000_000

    /// What is put together, oldest first; times and length are those of all of it.
    private var gathered: BufferRef?
    /// Pieces since the start or the last seek.
    private var count = 0

    init() {}

    /// Takes over a buffer. `mayGather`: more sound is certain to come at once, so nothing is lost by waiting for it.
    /// - Returns: what goes on now.
    mutating func add(_ buffer: BufferRef, mayGather: Bool) -> BufferRef? {
        count += 1
        guard let before = rest() else {
            guard mayGather, count > Self.plain, buffer.endTime != nil else { return buffer }
            gathered = buffer
            return nil
        }
        guard before.isFollowed(by: buffer, within: Self.doubt) else {
            gathered = buffer
            return before
        }
        before.append(buffer)
        guard mayGather, before.length < Self.length else { return before }
        gathered = before
        return nil
    }

    /// What has been put together so far; the end, or a change of the sound, comes.
    mutating func rest() -> BufferRef? {
        defer { gathered = nil }
        return gathered
    }
}
