public import NyanCore

// Sounds that are no tracks of VK: files of this machine and addresses on the web (mpris.md §4.2 OpenUri).
extension PlayerService {
    /// Plays the sound at an address now: it comes right behind the current entry, and the queue stays as it is.
    /// Nothing changes where it cannot be played.
    public func open(_ uri: String) async throws(Failure) {
        let track = try await track(at: SoundAddress(uri))
        perform(.playNow([track]))
        try await saved()
    }

    /// The tracks behind the words of a call: references of VK's tracks, and addresses.
    func tracks(_ words: [String], knownTo library: LibraryService) async throws(Failure) -> [ListedTrack] {
        var references: [TrackReference] = []
        for word in words {
            if let reference = TrackReference(word) ?? VKAddress.track(word) {
                references.append(reference)
            } else {
                guard word.contains(":") else {
                    throw Failure(.badArgument, "“\(word.prefix(80))” is no track id such as 123456_456239321")
                }
                references.append(try await track(at: SoundAddress(word)).reference)
            }
        }
        return try await library.tracks(references)
    }

    /// The track of an address that can be played now; known by its id from here on.
    /// - Throws: what a person can do something about: no such file, a folder, offline mode.
    private func track(at address: SoundAddress) async throws(Failure) -> Track {
        var track = address.track
        if let path = address.path {
            let file = try await copies.describeFile(path)
            track.title = file.title ?? track.title
            track.artist = file.artist ?? track.artist
            track.album = file.album
            track.duration = file.seconds
        } else {
            try transfers.requireNetwork()
        }
        try await library.remember([track])
        return track
    }

    /// The bytes of a file of this machine.
    func file(_ path: String) throws(Failure) -> any ByteSource { try copies.openFile(path) }
}
