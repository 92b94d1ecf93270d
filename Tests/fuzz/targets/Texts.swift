@testable import NyanCore

extension Fuzz {
    /// Readers and writers of text from outside.
    static let texts: [String: Target] = [
        "display": { bytes in
            let raw = text(bytes)
            let shown = DisplayText.escaped(raw)
            hold(!shown.unicodeScalars.contains { $0.value < 0x20 || (0x7F..<0xA0).contains($0.value) }, "no controls")
            hold(
                !shown.unicodeScalars.contains {
                    (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value)
                },
                "nothing turns the line")
            for width in [0, 1, 2, 7, 20] {
                hold(DisplayText.columns(DisplayText.cut(shown, to: width)) <= width, "cut to \(width)")
                hold(DisplayText.columns(DisplayText.fitted(shown, to: width)) == width, "fitted to \(width)")
            }
            _ = NoticeText.line(raw)
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
            _ = MisreadText.repaired(raw)
            _ = MisreadText.repaired(raw, amongCyrillic: true)
            _ = ComposedText.compose(raw)
        },
        "cookies": { bytes in
            for line in [text(bytes), "remixsid=1; p=2; " + text(bytes)] {
                guard let cookies = try? CookieText.read(line, loginURL: "https://login.vk.ru") else { continue }
                _ = cookies.changed(by: [Secret(text(bytes))])
                hold(!"\(cookies)".contains("remixsid"), "printed as dots")
            }
        },
        "address": { bytes in
            let raw = text(bytes)
            if let id = TrackID(raw) { hold(TrackID(id.description) == id, "an id reads back") }
            if let reference = TrackReference(raw) {
                hold(TrackReference(reference.description) == reference, "a reference reads back")
            }
            if let reference = PlaylistReference(raw) {
                hold(PlaylistReference(reference.description) == reference, "a playlist reads back")
            }
            _ = VKAddress.track(raw)
            _ = VKAddress.owner(raw)
            _ = try? SoundAddress(raw)
            _ = try? PastedAddress.read(raw)
            _ = PageAddress.shown(raw)
            _ = URLReference.resolve(raw, against: "https://a.example/b/c?d")
            _ = URLReference.resolve("x", against: raw)
        },
    ]
}
