import NyanCore

extension CopyFolder {
    /// How long a copy that came in segments is by its playlist; nil for any other.
    func playlistLength(_ id: TrackID) -> Duration? {
        guard let copy = try? openCopy(id, durable: false), copy.kind == .hls else { return nil }
        return copy.segments.map { .seconds($0.durations.reduce(0, +)) }
    }
}
