public import NyanCore

extension PlayerService {
    /// The tracks that sound now and next, as far as the order tells.
    public var listening: [TrackID] { machine.listening }
}
