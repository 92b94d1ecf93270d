public import NyanCore

// Sounds that are no tracks of VK: files of this machine and addresses on the web (mpris.md §4.2 OpenUri).
extension PlayerService {
    /// Plays the sound at an address now: it comes right behind the current entry, and the queue stays as it is.
    /// Nothing changes where it cannot be played, or where something else was chosen while it was looked for; `choice` =
    /// the number that `makeChoice` gave when it was wished, nil = now.
    public func open(_ uri: String, choice: UInt64? = nil) async throws(Failure) {
        let choice = choice ?? makeChoice()
        let track = try await track(called: uri)
        try perform(.playNow([track]), choice: choice)
        try await saved()
    }

    /// The track a desktop means: the address of a sound, of a track's page at VK as our own metadata has it, or VK's
    /// id alone. What is not known of a track of VK yet is told when VK is asked for its sound.
    func track(called uri: String) async throws(Failure) -> Track {
        guard let reference = TrackReference(uri) ?? (uri.contains("/") ? VKAddress.track(uri) : nil),
            reference.id.isVKs
        else { return try await track(at: SoundAddress(uri)) }
        let known = try await library.tracks([reference.id]).first?.track
        return known ?? Track(id: reference.id, accessKey: reference.accessKey, artist: "", title: "")
    }

    /// The entry of this number, if it is in the queue.
    func entry(_ id: EntryID) -> Entry? { machine.entry(id) }

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
