public import NyanCore

/// A track's words, in both of VK's forms (vk-api.md §2.4).
nonisolated struct VKLyrics: Decodable {
    /// nil where there is no line in it.
    var lyrics: Lyrics?

    private enum Unreadable: Error { case shape }

    private struct Timed: Decodable {
        var line: Lyrics.Line

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: AnyKey.self)
            guard let begin = fields.int("begin") else { throw Unreadable.shape }
            // A pause has no text.
            line = Lyrics.Line(begin: max(begin, 0), text: TitleText.shown(fields.text("line") ?? ""))
        }
    }

    private struct Body: Decodable {
        var lines: [Lyrics.Line]

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: AnyKey.self)
            let timed: LenientArray<Timed>? = fields.object("timestamps")
            let plain: LenientArray<String>? = fields.object("text")
            if let timed, !timed.elements.isEmpty {
                // Stable: lines that begin together stay in their order.
                lines = timed.elements.map(\.line).enumerated()
                    .sorted { ($0.element.begin ?? 0, $0.offset) < ($1.element.begin ?? 0, $1.offset) }
                    .map(\.element)
            } else if let plain {
                lines = plain.elements.map {
                    Lyrics.Line(text: TitleText.shown(AnswerLimits.cut($0, to: AnswerLimits.text)))
                }
            } else {
                lines = VKLyrics.lines(fields.text("text", limit: AnswerLimits.lyrics) ?? "")
            }
        }
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: AnyKey.self)
        let body: Body? = fields.object("lyrics")
        guard body != nil || fields.has("text") || fields.has("md5") || fields.has("lyrics_id") else {
            throw Unreadable.shape
        }
        let lines = body?.lines ?? Self.lines(fields.text("text", limit: AnswerLimits.lyrics) ?? "")
        guard lines.contains(where: { $0.text.contains { !$0.isWhitespace } }) else { return }
        lyrics = Lyrics(lines: lines, credits: fields.filledText("credits").map(TitleText.shown))
    }

    /// The old form is one text.
    private static func lines(_ text: String) -> [Lyrics.Line] {
        Entities.decode(text).split(omittingEmptySubsequences: false) { $0.isNewline }
            .map { Lyrics.Line(text: AnswerLimits.cut(String($0), to: AnswerLimits.text)) }
    }
}

/// The number of a track's words in the old form.
nonisolated struct VKLyricsNumber: Decodable {
    var number: Int64?

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: AnyKey.self)
        number = fields.int64("lyrics_id").flatMap { $0 > 0 ? $0 : nil }
    }
}

extension VKSource: LyricsSource {
    public func lyrics(of track: TrackReference) async throws(Failure) -> Lyrics? {
        do throws(Reaction) {
            let found: VKLyrics = try await callSignedIn(
                "audio.getLyrics", [(name: "audio_id", value: track.id.description)])
            return found.lyrics
        } catch {
            switch error.vkCode {
            // No text is a normal state (vk-api.md §2.4).
            case 104: return nil
            // An old version of the API wants the number of the words instead of the track's.
            case 100: return try await oldLyrics(of: track)
            default: throw Feature.lyrics.failure(for: error.vkCode, at: "audio.getLyrics") ?? error.failure
            }
        }
    }

    private func oldLyrics(of track: TrackReference) async throws(Failure) -> Lyrics? {
        let tracks: LenientArray<VKLyricsNumber> = try await feature(
            "audio.getById", [(name: "audios", value: track.description)], of: .lyrics)
        guard let number = tracks.elements.first?.number else { return nil }
        do throws(Reaction) {
            let found: VKLyrics = try await callSignedIn(
                "audio.getLyrics", [(name: "lyrics_id", value: String(number))])
            return found.lyrics
        } catch {
            if error.vkCode == 104 { return nil }
            throw error.failure
        }
    }
}

/// The person's VK status (vk-api.md §2.6).
extension VKSource: BroadcastSource {
    public func setBroadcast(_ track: TrackID?) async throws(Failure) {
        let parameters = track.map { [(name: "audio", value: $0.description)] } ?? []
        let _: VKAnything = try await feature(
            "audio.setBroadcast", parameters, of: .status, mayRepeat: false)
    }
}
