public import NyanCore

/// Changing the profile (vk-api.md §2.6). Nothing here is repeated by itself: what was lost on the way may have been
/// done, and adding twice makes two copies.
extension VKSource: ProfileEditor {
    public func addOnce(_ track: TrackReference) async throws(Failure) -> ChangeAnswer<TrackID> {
        var parameters = Self.identity(track.id)
        if let key = track.accessKey { parameters.append((name: "access_key", value: key)) }
        let answer: ChangeAnswer<VKAdded> = try await change("audio.add", parameters)
        switch answer {
        case .lost(let failure): return .lost(failure)
        case .done(let added):
            if let owner = added.owner { return .done(TrackID(owner: owner, audio: added.id)) }
            // The short answer tells only the number: the copy is the signed-in person's, whose id the list knows.
            let head = try await profilePage(owner: nil, offset: 0, count: 50)
            guard let copy = head.tracks.first(where: { $0.id.audio == added.id }) else {
                return .lost(Failure(.badAnswer, "VK added a track that its list does not show", retry: .later))
            }
            return .done(copy.id)
        }
    }

    public func deleteOnce(_ id: TrackID) async throws(Failure) -> ChangeAnswer<Void> {
        // 1 or {"audio_ids": […]}: anything but an error says that it is done.
        let answer: ChangeAnswer<AnyAnswer> = try await change("audio.delete", Self.identity(id))
        switch answer {
        case .done: return .done(())
        case .lost(let failure): return .lost(failure)
        }
    }

    public func restoreOnce(_ id: TrackID) async throws(Failure) -> ChangeAnswer<Track?> {
        let answer: ChangeAnswer<VKRestored> = try await change("audio.restore", Self.identity(id))
        switch answer {
        case .done(let restored): return .done(restored.audio.flatMap { $0.trackID == id ? $0.track : nil })
        case .lost(let failure): return .lost(failure)
        }
    }

    private static func identity(_ id: TrackID) -> [(name: String, value: String)] {
        [(name: "owner_id", value: String(id.owner)), (name: "audio_id", value: String(id.audio))]
    }

    /// One try. VK's trouble and what happened on the way leave open what was done; VK's other refusals do not.
    private func change<Response: Decodable & Sendable>(
        _ method: String, _ parameters: [(name: String, value: String)]
    ) async throws(Failure) -> ChangeAnswer<Response> {
        do {
            return .done(try await callSignedIn(method, parameters, mayRepeat: false))
        } catch {
            guard error.backoff == .trouble else { throw error.failure }
            return .lost(error.failure)
        }
    }
}

/// The copy's identity as `audio.add` answers: the number alone, or, in newer versions, a list of one.
nonisolated struct VKAdded: Decodable, Sendable {
    var id: Int64
    /// nil where only the number was told.
    var owner: Int64?

    private enum Unreadable: Error { case shape }

    private struct Item: Decodable {
        var id: Int64
        var owner: Int64?
        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: AnyKey.self)
            guard let id = fields.int64("new_audio_id"), id > 0 else { throw Unreadable.shape }
            self.id = id
            owner = fields.int64("new_owner_id").flatMap { $0 == 0 ? nil : $0 }
        }
    }

    /// - Throws: where no identity can be read, which leaves open what was done.
    init(from decoder: any Decoder) throws {
        if let value = try? decoder.singleValueContainer() {
            let number = (try? value.decode(Int64.self)) ?? (try? value.decode(String.self)).flatMap { Int64($0) }
            if let number {
                guard number > 0 else { throw Unreadable.shape }
                id = number
                return
            }
        }
        let fields = try decoder.container(keyedBy: AnyKey.self)
        let items: LenientArray<Item>? = fields.object("items")
        guard let item = items?.elements.first else { throw Unreadable.shape }
        id = item.id
        owner = item.owner
    }
}

/// `audio.restore` answers the audio object; anything else that is no error will do.
nonisolated struct VKRestored: Decodable, Sendable {
    var audio: VKAudio?
    init(from decoder: any Decoder) throws { audio = try? VKAudio(from: decoder) }
}

/// An answer whose content does not matter.
nonisolated struct AnyAnswer: Decodable, Sendable {
    private enum Unreadable: Error { case refused }

    /// - Throws: for 0, false and null, which say that nothing was done.
    init(from decoder: any Decoder) throws {
        guard let value = try? decoder.singleValueContainer() else { return }
        if value.decodeNil() || (try? value.decode(Int64.self)) == 0 || (try? value.decode(Bool.self)) == false {
            throw Unreadable.refused
        }
    }
}
