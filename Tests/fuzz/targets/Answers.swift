import FoundationEssentials
@testable import NyanCore
@testable import NyanVK

extension Fuzz {
    /// Readers of what VK answers.
    static let answers: [String: Target] = [
        "tracks": { bytes in
            guard case .response(let list)? = Answer<VKAudioList>.read(bytes) else { return }
            hold(list.count ?? 0 >= 0 && list.audios.count <= list.itemCount, "a count is none or more")
            for audio in list.audios {
                look(audio.track)
                look(audio.resolved.track)
                hold(audio.location.map { !$0.url.revealed.isEmpty } ?? true, "an address says something")
            }
            _ = Placeholder.isWhole(list.audios, count: list.count)
            if case .response(let list)? = Answer<VKRecommendations>.read(bytes) {
                list.audios.forEach { look($0.track) }
            }
        },
        "playlists": { bytes in
            if case .response(let list)? = Answer<VKPlaylistList>.read(bytes) {
                hold(list.count >= 0 && list.playlists.count <= list.itemCount, "a count is none or more")
                for playlist in list.playlists {
                    let reference = PlaylistReference(id: playlist.id, accessKey: playlist.accessKey)
                    hold(PlaylistReference(reference.description) == reference, "a playlist's name reads back")
                }
            }
            if case .response(let list)? = Answer<LenientArray<VKPlaylist>>.read(bytes) {
                hold(list.elements.allSatisfy { $0.playlist.count >= 0 }, "a count is none or more")
            }
        },
        "lyrics": { bytes in
            guard case .response(let answer)? = Answer<VKLyrics>.read(bytes), let lyrics = answer.lyrics else { return }
            let begins = lyrics.lines.compactMap(\.begin)
            hold(begins.allSatisfy { $0 >= 0 } && begins == begins.sorted(), "lines come in their order")
            for moment in [0, 1, 60_000, Int.max] { hold(lyrics.line(at: moment) ?? 0 < lyrics.lines.count, "a line") }
            hold(lyrics.language.count == 3, "a language has three letters")
        },
        "people": { bytes in
            _ = Answer<LenientArray<VKUser>>.read(bytes)
            _ = Answer<VKAdded>.read(bytes)
            _ = Answer<VKRestored>.read(bytes)
            _ = Answer<AnyAnswer>.read(bytes)
            _ = Answer<LenientArray<VKLyricsNumber>>.read(bytes)
            look(MethodBlocks(text: text(bytes)))
        },
        "errors": { bytes in
            guard case .error(let error)? = Answer<AnyAnswer>.read(bytes) else { return }
            let reaction = VKErrorTable.reaction(to: error)
            look(reaction.failure)
            _ = AuthorizationError.row(for: error).words
            if let challenge = error.challenge { look(challenge) }
        },
        "oauth": { bytes in
            guard let status = bytes.first else { return }
            let body = Array(bytes.dropFirst())
            let response = HTTPResponse(
                status: status < 128 ? 200 : Int(status) * 3, headers: ["retry-after": text(body)], body: body)
            switch OAuthAnswer.read(response) {
            case .token(let token, let user, let expires):
                hold(!token.revealed.isEmpty && user > 0 && expires ?? 0 >= 0, "a token is somebody's")
            case .challenge(let challenge): look(challenge)
            case .refused(let failure): look(failure)
            case .wrongCode: break
            }
        },
        "mending": { bytes in
            let mended = BodyMending.mend(bytes)
            hold(mended.count <= 3 * bytes.count, "it grows by what a replacement takes")
            hold(String(validating: mended, as: UTF8.self) != nil, "it is UTF-8")
            hold(BodyMending.mend(mended) == mended, "mending twice is mending once")
        },
        "entities": { bytes in
            let raw = text(bytes)
            let decoded = Entities.decode(raw)
            hold(decoded.utf8.count <= raw.utf8.count, "an entity is shorter than it is written")
            hold(
                !TitleText.shown(raw).unicodeScalars.contains { $0.properties.generalCategory == .control },
                "no controls")
        },
    ]

    private static func look(_ track: Track) {
        for text in [track.artist, track.title, track.album ?? ""] {
            hold(!text.unicodeScalars.contains { $0.properties.generalCategory == .control }, "a text has no controls")
        }
        hold(track.duration >= 0, "a length is none or more")
        hold(TrackReference(track.reference.description) == track.reference, "a track's name reads back")
        hold(
            FileName.make(template: "{artist} - {title} {album} {id}", track: track).utf8.count <= 231,
            "a name is short")
    }

    private static func look(_ failure: Failure) {
        hold(failure.message.utf8.count <= 2000 && isTame(failure.message), "a message is a line")
        if case .after(let seconds) = failure.retry {
            hold(seconds >= 0 && seconds <= 86_400, "a wait is within a day")
        }
    }

    private static func look(_ challenge: Challenge) {
        let profile = ClientProfile(name: "x", userAgent: "x", version: "5", apiURL: "https://api.vk.ru/method")
        guard let vetted = challenge.vetted(for: profile) else { return }
        hold(isTame(vetted.question), "what is asked is a line")
        if let address = vetted.address, let host = PageAddress.host(of: address) {
            hold(PageAddress.isVKs(host), "a page is VK's")
        }
    }

    private static func look(_ blocks: MethodBlocks) {
        var blocks = blocks
        for now in [Int64(0), 1_800_000_000, 4_000_000_000] {
            for cause in [MethodBlocks.Cause.flood, .limit] {
                do throws(Failure) { try blocks.check("audio.get", for: 1, at: now) } catch { look(error) }
                blocks.block("audio.get", for: 1, because: cause, at: now)
            }
        }
        hold(MethodBlocks(text: blocks.text) == blocks, "blocks read back")
    }
}
