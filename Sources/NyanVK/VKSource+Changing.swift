public import NyanCore

/// Changing the profile (vk-api.md §2.6). Nothing here is repeated by itself: what was lost on the way may have been
/// done, and adding twice makes two copies.
extension VKSource: ProfileEditor {
    public func addOnce(_ track: TrackReference) async throws(Failure) -> ChangeAnswer<TrackID> {
        // The short answer tells only the number, and the copy is the signed-in person's: who that is must be known
        // before, since nothing may go wrong any more when VK has added it.
        let user = try await signedInUser()
        var parameters = Self.identity(track.id)
        if let key = track.accessKey { parameters.append((name: "access_key", value: key)) }
        let answer: ChangeAnswer<VKAdded> = try await change("audio.add", parameters)
        switch answer {
        case .lost(let failure): return .lost(failure)
        case .done(.refused): throw Failure(.denied, "VK does not let this track be added", subject: track.id)
        case .done(.copy(let number, let owner)):
            return .done(TrackID(owner: owner ?? user, audio: number))
        }
    }

    /// Whose profile is changed. Only a login of an early version does not tell.
    private func signedInUser() async throws(Failure) -> Int64 {
        if let user = credential?.user, user != 0 { return user }
        do throws(Reaction) {
            let users: LenientArray<VKUser> = try await callSignedIn("users.get", [])
            guard let user = users.elements.first else { throw Reaction.unreadable }
            return user.id
        } catch {
            throw error.failure
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

    /// One try. VK's trouble and what happened on the way leave open what was done, and so does a call that was given up;
    /// VK's other refusals do not.
    private func change<Response: Decodable & Sendable>(
        _ method: String, _ parameters: [(name: String, value: String)]
    ) async throws(Failure) -> ChangeAnswer<Response> {
        do {
            return .done(try await callSignedIn(method, parameters, mayRepeat: false))
        } catch {
            guard error.backoff == .trouble || error.failure.code == .cancelled else { throw error.failure }
            return .lost(error.failure)
        }
    }
}

/// What `audio.add` answers: the copy's number alone, or, in newer versions, a list of one beside a list of refusals.
nonisolated enum VKAdded: Decodable, Sendable {
    /// `owner` nil where only the number was told.
    case copy(number: Int64, owner: Int64?)
    case refused

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

    /// - Throws: where neither a copy nor a refusal can be read, which leaves open what was done.
    init(from decoder: any Decoder) throws {
        if let value = try? decoder.singleValueContainer() {
            let number = (try? value.decode(Int64.self)) ?? (try? value.decode(String.self)).flatMap { Int64($0) }
            if let number {
                guard number > 0 else { throw Unreadable.shape }
                self = .copy(number: number, owner: nil)
                return
            }
        }
        let fields = try decoder.container(keyedBy: AnyKey.self)
        let items: LenientArray<Item>? = fields.object("items")
        if let item = items?.elements.first {
            self = .copy(number: item.id, owner: item.owner)
            return
        }
        let errors: LenientArray<AnyRow>? = fields.object("errors")
        let isRefused = (fields.int("errors_count") ?? 0) > 0 || (errors?.sentCount ?? 0) > 0
        guard isRefused, (items?.sentCount ?? 0) == 0 else { throw Unreadable.shape }
        self = .refused
    }

    /// An element that is only counted.
    private struct AnyRow: Decodable { init(from decoder: any Decoder) {} }
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
