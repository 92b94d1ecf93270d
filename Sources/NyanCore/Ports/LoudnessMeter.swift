/// Port: listens to a whole finished file, faster than time, and says how loud it is.
@MainActor public protocol LoudnessMeter: AnyObject {
    /// Takes a second or two of a processor for a song. Cancelling the task ends it at once with `.cancelled`.
    /// `path` is absolute. Throws `.missingDecoder` where nothing can be measured at all, else what is wrong with this file.
    func measure(_ path: String) async throws(Failure) -> LoudnessReading
}

/// Port: what was measured of finished copies, on disk. Returning means durable against kill -9.
public protocol LoudnessStore: Sendable {
    func loudness(of id: TrackID) async throws(Failure) -> LoudnessReading?
    /// nil = forget it. One of a track that is not known any more is dropped.
    func setLoudness(_ reading: LoudnessReading?, of id: TrackID) async throws(Failure)
    /// Finished copies without a reading, newest first.
    func unmeasured() async throws(Failure) -> [FinishedCopy]
}

/// Port: what was measured, in the files themselves, where every player finds it.
public protocol GainTagger: Sendable {
    /// Writes a track's gain and peak into the tag of its finished file.
    /// - Returns: the copy as it is then; nil where there is nothing to write, or the file is not one that nyand made, or
    ///   was changed or deleted meanwhile.
    func tag(_ copy: FinishedCopy, with reading: LoudnessReading) async throws(Failure) -> FinishedCopy?
}
