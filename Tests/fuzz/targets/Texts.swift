@testable import NyanCore

extension Fuzz {
    /// Readers and writers of text from outside.
    static let texts: [String: Target] = [
        "display": { bytes in
            let raw = text(bytes)
            let shown = DisplayText.escaped(raw)
            hold(isTame(shown), "no controls, and nothing turns the line")
            hold(shown.utf8.count <= 6 * raw.utf8.count, "as long as escapes make it")
            hold(DisplayText.escaped(shown) == shown, "escaped twice is escaped once")
            for width in [0, 1, 2, 7, 20] {
                hold(DisplayText.columns(DisplayText.cut(shown, to: width)) <= width, "cut to \(width)")
                hold(DisplayText.columns(DisplayText.fitted(shown, to: width)) == width, "fitted to \(width)")
            }
        },
        "name": { bytes in
            let half = bytes.count / 2
            let (artist, title) = (text(Array(bytes[..<half])), text(Array(bytes[half...])))
            let track = Track(
                id: TrackID(owner: -1, audio: 7), artist: artist, title: title, duration: 1)
            for template in ["{artist} - {title}", title] {
                let name = FileName.make(template: template, track: track)
                for name in [name, FileName.variant(of: name, id: track.id, number: 3)] {
                    hold(
                        name.utf8.count <= 255 - 24 && name.hasSuffix(".mp3"),
                        "a name is short enough and has its ending")
                    hold(
                        !name.unicodeScalars.contains { $0 == "/" || $0.value < 0x20 || $0.value == 0x7F },
                        "one element")
                    hold(!name.hasPrefix(".") && !name.hasPrefix("-"), "neither hidden nor an option")
                }
            }
            _ = FileName.problem(inTemplate: title)
            _ = ImportName(bytes)
        },
        "words": { bytes in
            let raw = text(bytes)
            let folded = FilterWords.folded(raw)
            hold(FilterWords.folded(folded) == folded, "folding twice is folding once")
            for repaired in [MisreadText.repaired(raw), MisreadText.repaired(raw, amongCyrillic: true)] {
                hold(repaired.utf8.count <= 2 * raw.utf8.count, "a letter is at most two bytes more")
            }
            let composed = ComposedText.compose(raw)
            hold(composed == raw && ComposedText.compose(composed).utf8.elementsEqual(composed.utf8), "composed once")
            _ = MisreadText.isCyrillic([raw])
            let track = Track(id: TrackID(owner: 1, audio: 1), artist: raw, title: "x", duration: 1)
            let words = FilterWords(raw)
            hold(raw.utf8.count > 200 || words.match(track), "a text finds itself")
        },
        "cookies": { bytes in
            let jar = WebCookies(remixsid: Secret("remixsid"), p: Secret("p"))
            let changed = jar.changed(by: [Secret(text(bytes))], from: "https://login.vk.ru")
            hold(!changed.remixsid.revealed.utf8.contains { $0 < 0x20 || $0 == 0x3B }, "a cookie ends where it ends")
            for line in [text(bytes), "remixsid=1; p=2; " + text(bytes)] {
                guard let cookies = try? CookieText.read(line, loginURL: "https://login.vk.ru") else { continue }
                _ = cookies.changed(by: [Secret(text(bytes))], from: "https://login.vk.ru")
                hold(!"\(cookies)".contains("remixsid"), "printed as dots")
            }
        },
    ]
}
