import NyanCore

extension VKAudio {
    nonisolated var trackID: TrackID { TrackID(owner: owner, audio: id) }

    /// Where the sound is; nil when VK gave no usable address.
    nonisolated var location: Location? {
        guard !url.isEmpty, !Placeholder.isAddress(url), !Placeholder.isHiddenAddress(url), !isSample else {
            return nil
        }
        return Location(url: Secret(url))
    }

    /// VK gives a piece of the track only, as to people without a subscription (vk-api.md §4.1).
    private nonisolated var isSample: Bool {
        url.prefix { $0 != "?" && $0 != "#" }.contains("/sample/")
    }

    /// Whether a listing leaves open if the track can be had: asked by its id it often can.
    nonisolated var isDoubtful: Bool { location == nil }

    /// The track as a listing shows it: an empty address alone does not make it unavailable, because it often becomes
    /// a real one at `audio.getById` (vk-api.md §2.2).
    nonisolated var track: Track {
        let reason = unavailableReason
        return Track(
            id: trackID, accessKey: usableAccessKey, artist: TitleText.shown(artist), title: shownTitle,
            album: album.map(TitleText.shown), duration: duration, isAvailable: reason == nil,
            unavailableReason: reason, isExplicit: isExplicit, coverURL: coverURL, date: date)
    }

    /// The track as it is when VK was asked for its sound just now: no address means unavailable.
    nonisolated var resolved: ResolvedTrack {
        var track = track
        let location = location
        if location == nil {
            track.isAvailable = false
            track.unavailableReason = track.unavailableReason ?? UnavailableWords.silent
        }
        return ResolvedTrack(track: track, location: location)
    }

    /// A sentence for a person; nil while the track can be tried.
    private nonisolated var unavailableReason: String? {
        if Placeholder.isAddress(url) { return UnavailableWords.notice }
        if isSample { return UnavailableWords.sample }
        if url.isEmpty, contentRestricted != 0 {
            return UnavailableWords.restricted(contentRestricted)
        }
        return nil
    }

    /// Dropped when it does not fit the written form `OWNER_ID_KEY`.
    private nonisolated var usableAccessKey: String? {
        accessKey.flatMap { TrackReference("\(owner)_\(id)_\($0)")?.accessKey }
    }

    /// VK shows the subtitle after the title, in parentheses unless it brings its own.
    private nonisolated var shownTitle: String {
        let title = TitleText.shown(title)
        guard let subtitle = subtitle.map(TitleText.shown), subtitle.contains(where: { !$0.isWhitespace }) else {
            return title
        }
        guard !title.isEmpty else { return subtitle }
        return subtitle.hasPrefix("(") && subtitle.hasSuffix(")") ? "\(title) \(subtitle)" : "\(title) (\(subtitle))"
    }
}
