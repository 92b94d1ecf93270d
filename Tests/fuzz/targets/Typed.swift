@testable import NyanCore

extension Fuzz {
    /// Readers of what people type and paste, and of what settings say.
    static let typed: [String: Target] = [
        "values": { bytes in
            let raw = text(bytes)
            for key in SettingKey.all {
                var settings = Settings.defaults
                do throws(SettingProblem) {
                    try key.set(&settings, raw)
                    _ = key.differs(settings, Settings.defaults)
                } catch {
                    hold(isTame(error.words), "what is wrong is a line")
                }
            }
            let entries = ["user-agent", "version", "client-id", "scope", raw].map {
                SettingEntry(group: "profile.web", key: $0, value: raw, line: 1)
            }
            if let settings = try? Settings.build(from: entries) {
                hold(settings.profiles.values.allSatisfy { !$0.client.userAgent.contains("\n") }, "a header is a line")
            }
        },
        "challenge": { bytes in
            let raw = text(bytes)
            for kind in [Challenge.Kind.picture, .robotCheck, .validation, .confirmation, .code(.sms), .deed] {
                let challenge = Challenge(kind, sid: "1", address: "https://vk.com/x", words: raw)
                do throws(Failure) {
                    switch try challenge.answer(in: Secret(raw), configured: ["https://a.example"]) {
                    case .fields(let fields): hold(fields.allSatisfy { !$0.name.isEmpty }, "a field has a name")
                    case .token(let token, _, let expires):
                        hold(!token.revealed.isEmpty && expires ?? 0 >= 0, "a token says something")
                    default: break
                    }
                } catch {
                    hold(isTame(error.message) && error.message.utf8.count < 1500, "a failure is a line")
                }
            }
        },
        "pasted": { bytes in
            let raw = text(bytes)
            do throws(Failure) {
                if case .token(let token, _, let expires, _) = try PastedAddress.read(raw) {
                    hold(!token.revealed.isEmpty && expires ?? 0 >= 0, "a token says something")
                }
            } catch {
                hold(isTame(error.message) && error.message.utf8.count < 1500, "a failure is a line")
            }
            if let shown = PageAddress.shown(raw) {
                hold(isTame(shown) && !shown.contains(" "), "an address is one word")
                hold(PageAddress.host(of: shown).map(PageAddress.isVKs) == true, "a page is VK's")
            }
            _ = ForeignWords.cleaned(raw).map { hold(isTame($0) && $0.count <= 301, "words are a line") }
            let bare = PastedWord.bare(raw)
            hold(PastedWord.bare(bare) == bare, "bare twice is bare once")
        },
        "address": { bytes in
            let raw = text(bytes)
            if let id = TrackID(raw) { hold(TrackID(id.description) == id, "an id reads back") }
            if let reference = TrackReference(raw) {
                hold(TrackReference(reference.description) == reference, "a reference reads back")
            }
            for reference in [PlaylistReference(raw)].compactMap(\.self) {
                hold(PlaylistReference(reference.description) == reference, "a playlist reads back")
            }
            if let list = KeptList(raw) { hold(KeptList(list.description) == list, "a list reads back") }
            if let list = MusicList(raw) { hold(MusicList(list.description) == list, "a list reads back") }
            _ = (VKAddress.track(raw), VKAddress.owner(raw), VKAddress.isPage(raw))
            if let address = try? SoundAddress(raw) {
                hold((try? SoundAddress(address.text))?.text == address.text, "an address reads back")
                hold(isTame(address.shown), "what is shown of it is a line")
            }
            for joined in [
                URLReference.resolve(raw, against: "https://a.example/b/c?d"), URLReference.resolve("x", against: raw),
            ] {
                guard let joined else { continue }
                hold(
                    joined.hasPrefix("http") || joined.hasPrefix("HTTP") || joined.lowercased().hasPrefix("http"),
                    "it is the web's")
                hold(joined.utf8.count <= raw.utf8.count + 32, "it is as long as what it is made of")
            }
            let decoded = PercentText.decoded(raw)
            hold(decoded.count <= raw.utf8.count, "it is no longer than it was written")
            hold(PercentText.decoded(PercentText.encoded(bytes)) == bytes, "bytes read back")
        },
        "markup": { bytes in
            let raw = text(bytes)
            for safe in [Markup.escaped(raw), Markup.quotable(raw)] {
                hold(!safe.unicodeScalars.contains { $0 == "<" || $0 == ">" }, "no tag")
                hold(safe.utf8.count <= 6 * raw.utf8.count, "as long as entities make it")
            }
            hold(
                !Markup.quotable(raw).unicodeScalars.contains { $0 == "\"" || $0 == "'" || $0.value < 0x20 }, "no quote"
            )
            let line = NoticeText.line(raw)
            hold(isTame(line) && line.count <= 250, "a notification is a line")
        },
        "unit": { bytes in
            let raw = text(bytes)
            if let program = UnitFacts.program(in: raw) { hold(program.hasPrefix("/"), "a path from the root") }
            if let service = UnitFacts.service(inControlGroups: raw) {
                hold(service.hasSuffix(".service"), "a service")
            }
        },
    ]
}
