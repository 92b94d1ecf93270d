import NyanCore
import NyanVK
import Testing

/// A call that nyand makes, an answer as VK gives it, and what can be told of what the client made of it.
nonisolated struct HostileCall: Sendable, CustomTestStringConvertible {
    /// What came of a call.
    struct Outcome: Sendable {
        var failure: Failure?
        var tracks: [Track] = []
        /// Everything that may be shown to a person.
        var texts: [String] = []
        /// Things in a list, where it was a list; nil otherwise.
        var items: Int?
    }

    var method: String
    var answer: String
    /// Where the list stands of which at most one element may be lost.
    var list: [String]?
    var run: @MainActor @Sendable (VKSource) async throws(Failure) -> Outcome
    var testDescription: String { method }
    /// Its objects are those of another call, and so is what reads them.
    var isLikeAnother: Bool {
        ["audio.getById", "audio.search", "audio.getRecommendations", "audio.restore", "audio.createPlaylist"]
            .contains(method)
    }

    @MainActor func outcome(_ body: [UInt8]) async -> Outcome {
        let http = ScriptedHTTP()
        http.otherwise = { seen in
            seen.method == method ? .bytes(body) : .json(#"{"response":[{"id":123456,"first_name":"A"}]}"#)
        }
        do { return try await run(makeSource(http)) } catch { return Outcome(failure: error) }
    }

    private static func tracks(_ tracks: [Track]) -> Outcome {
        Outcome(tracks: tracks, items: tracks.count)
    }

    private static let reference = TrackReference(id: TrackID(owner: 123456, audio: 456_239_998))
    private static let playlist = PlaylistID(owner: 123456, number: 90001)

    static let all: [HostileCall] = [
        HostileCall(method: "audio.get", answer: counted(audios), list: ["response", "items"]) {
            source async throws(Failure) in
            tracks(try await source.profilePage(owner: nil, offset: 0, count: 200).tracks)
        },
        HostileCall(method: "audio.getById", answer: "{\"response\":[\(audios)]}", list: ["response"]) {
            source async throws(Failure) in
            let ids = (456_239_996...456_239_998).map { TrackReference(id: TrackID(owner: 123456, audio: $0)) }
            return tracks(try await source.resolve(ids).values.map(\.track))
        },
        HostileCall(method: "audio.search", answer: counted(audios), list: ["response", "items"]) {
            source async throws(Failure) in tracks(try await source.search("x", count: 3, byArtist: false))
        },
        HostileCall(method: "audio.getRecommendations", answer: counted(audios), list: ["response", "items"]) {
            source async throws(Failure) in tracks(try await source.recommendations(like: reference, count: 3))
        },
        HostileCall(method: "friends.get", answer: counted(friends), list: ["response", "items"]) {
            source async throws(Failure) in people(try await source.friends())
        },
        HostileCall(method: "groups.get", answer: counted(groups), list: ["response", "items"]) {
            source async throws(Failure) in people(try await source.groups())
        },
        HostileCall(method: "utils.resolveScreenName", answer: #"{"response":{"type":"group","object_id":77}}"#) {
            source async throws(Failure) in
            Outcome(texts: [try await source.owner(named: "x").map { "\($0)" } ?? ""])
        },
        HostileCall(method: "audio.getPlaylists", answer: counted(playlists), list: ["response", "items"]) {
            source async throws(Failure) in
            let page = try await source.playlistPage(owner: nil, offset: 0, count: 100)
            return Outcome(texts: page.playlists.map(\.title), items: page.playlists.count)
        },
        HostileCall(method: "audio.getPlaylistById", answer: #"{"response":\#(onePlaylist)}"#) {
            source async throws(Failure) in
            Outcome(texts: [try await source.playlist(PlaylistReference(id: playlist)).title])
        },
        HostileCall(method: "audio.createPlaylist", answer: #"{"response":\#(onePlaylist)}"#) {
            source async throws(Failure) in
            Outcome(texts: [try await source.createPlaylist("x", owner: 123456).title])
        },
        HostileCall(method: "audio.getLyrics", answer: lyrics) { source async throws(Failure) in
            Outcome(texts: try await source.lyrics(of: reference)?.lines.map(\.text) ?? [])
        },
        HostileCall(method: "audio.add", answer: added) { source async throws(Failure) in
            if case .done(let id) = try await source.addOnce(reference) { return Outcome(texts: [id.description]) }
            return Outcome()
        },
        HostileCall(method: "audio.delete", answer: #"{"response":{"audio_ids":["123456_456239998"]}}"#) {
            source async throws(Failure) in
            _ = try await source.deleteOnce(reference.id)
            return Outcome()
        },
        HostileCall(method: "audio.restore", answer: "{\"response\":\(audio(456_239_998))}") {
            source async throws(Failure) in
            if case .done(let track?) = try await source.restoreOnce(reference.id) { return tracks([track]) }
            return Outcome()
        },
        HostileCall(method: "audio.setBroadcast", answer: #"{"response":[123456]}"#) { source async throws(Failure) in
            try await source.setBroadcast(reference.id)
            return Outcome()
        },
        HostileCall(method: "users.get", answer: #"{"response":[{"id":123456,"first_name":"Т","last_name":"О"}]}"#) {
            source async throws(Failure) in Outcome(texts: [try await source.prove(credential, isWanted: nil).name])
        },
        HostileCall(method: "audio.editPlaylist", answer: hostileError) { source async throws(Failure) in
            try await source.rename(Playlist(id: playlist, title: "x", count: 1), to: "y")
            return Outcome()
        },
    ]

    private static func people(_ people: [Person]) -> Outcome {
        Outcome(texts: people.flatMap { [$0.name, $0.screenName ?? ""] }, items: people.count)
    }

    // As the look-alike gives them, which is as VK does; what nyand does not read is here too.

    private static func counted(_ items: String) -> String { #"{"response":{"count":3,"items":[\#(items)]}}"# }
    private static let audios = (456_239_996...456_239_998).map(audio).joined(separator: ",")
    private static func audio(_ id: Int) -> String {
        """
        {"artist":"Segments","id":\(id),"owner_id":123456,"title":"HLS","subtitle":"live","duration":6,
        "access_key":"37f72e68121727242b","is_explicit":false,"date":1749992800,"content_restricted":0,
        "url":"https://cdn.test/s/v1/ac/a471283c/index.m3u8?siren=1","album":{"id":4550145,"title":"Second Album",
        "owner_id":-2000550145,"access_key":"8404140855","thumb":{"width":600,"height":600,
        "photo_300":"https://cdn.test/covers/lagoon-300.jpg","sizes":[{"src":"https://cdn.test/s","width":80}]}},
        "main_artists":[{"name":"Someone","id":"fa00b0a8148d"}]}
        """
    }

    private static let friends = (77...79).map {
        #"{"id":\#($0),"first_name":"Друг","last_name":"О","is_closed":false,"can_access_closed":true,"domain":"f"}"#
    }.joined(separator: ",")
    private static let groups = (88...90).map {
        #"{"id":\#($0),"name":"Группа","screen_name":"open_group","is_closed":0,"type":"group","is_member":1}"#
    }.joined(separator: ",")
    private static let playlists = (1...3).map { onePlaylist.replacing("90001", with: "9000\($0)") }
        .joined(separator: ",")
    private static let onePlaylist = """
        {"id":90001,"owner_id":123456,"type":0,"title":"Утро","description":"С кофе","count":5,"is_following":false,
        "access_key":"6eba015acf310d27c2","photo":{"photo_300":"https://cdn.test/300"},
        "original":{"playlist_id":7,"owner_id":5,"access_key":"ab"},"followed":{"playlist_id":8,"owner_id":6}}
        """
    private static let lyrics = """
        {"response":{"md5":"55308b7f","credits":"Автор","lyrics":{"language":"ru","timestamps":
        [{"begin":200,"end":1000,"line":"Раз"},{"begin":1100,"end":2000,"line":"два"}],"text":["x","y"]}}}
        """
    private static let added = """
        {"response":{"errors":[],"errors_count":0,"items":[{"audio_raw_id":"77_500005","new_audio_id":456250001,
        "new_owner_id":123456}],"items_count":1}}
        """
    private static let hostileError = """
        {"error":{"error_code":14,"error_subcode":1,"error_msg":"Captcha needed","captcha_sid":"77","captcha_ts":1.5,
        "captcha_img":"https://api.vk.ru/captcha.php?sid=77","redirect_uri":"https://id.vk.com/x","ban_info":null,
        "confirmation_text":"Sure?","request_params":[{"key":"v","value":"5.199"}]}}
        """
}
