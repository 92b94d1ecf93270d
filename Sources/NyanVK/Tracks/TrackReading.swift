import NyanCore

extension VKAudio {
    nonisolated var trackID: TrackID { TrackID(owner: owner, audio: id) }

    /// Where the sound is; nil when VK gave no usable address.
    nonisolated var location: Location? {
        guard !url.isEmpty, !Placeholder.isAddress(url), !Placeholder.isHiddenAddress(url) else { return nil }
        return Location(url: Secret(url))
    }

    /// The track as a listing shows it: an empty address alone does not make it unavailable, because it often becomes
    /// a real one at `audio.getById` (vk-api.md §2.2).
    nonisolated var track: Track {
        let reason = unavailableReason
        return Track(
            id: trackID, accessKey: usableAccessKey, artist: Entities.decode(artist), title: shownTitle,
            album: album.map(Entities.decode), duration: duration, isAvailable: reason == nil,
            unavailableReason: reason, isExplicit: isExplicit, coverURL: coverURL, date: date)
    }

    /// The track as it is when VK was asked for its sound just now: no address means unavailable.
    nonisolated var resolved: ResolvedTrack {
        var track = track
        let location = location
        if location == nil {
            track.isAvailable = false
            track.unavailableReason = track.unavailableReason ?? "VK gives no sound for this track now"
        }
        return ResolvedTrack(track: track, location: location)
    }

    /// A sentence for a person; nil while the track can be tried.
    private nonisolated var unavailableReason: String? {
        if Placeholder.isAddress(url) { return "VK gives only a notice instead of this track" }
        if url.isEmpty, contentRestricted != 0 {
            return "VK restricts this track for this account or country (reason \(contentRestricted))"
        }
        return nil
    }

    /// Dropped when it does not fit the written form `OWNER_ID_KEY`.
    private nonisolated var usableAccessKey: String? {
        accessKey.flatMap { TrackReference("\(owner)_\(id)_\($0)")?.accessKey }
    }

    /// VK shows the subtitle after the title, in parentheses unless it brings its own.
    private nonisolated var shownTitle: String {
        let title = Entities.decode(title)
        guard let subtitle = subtitle.map(Entities.decode) else { return title }
        guard !title.isEmpty else { return subtitle }
        return subtitle.hasPrefix("(") && subtitle.hasSuffix(")") ? "\(title) \(subtitle)" : "\(title) (\(subtitle))"
    }
}
