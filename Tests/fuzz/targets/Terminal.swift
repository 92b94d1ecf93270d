@testable import NyanCore
@testable import NyanWire
@testable import NyanWords
@testable import nyanctl

extension Fuzz {
    /// Readers of what a terminal sends, a shell hands over, and files of the client's own hold.
    static let terminal: [String: Target] = [
        "keys": { bytes in
            let now = ContinuousClock.now
            var reader = KeyReader()
            var (whole, pieces) = (InputBytes(), InputBytes())
            var line = LineInput()
            var (atOnce, inPieces): ([ScreenEvent], [ScreenEvent]) = (whole.events(bytes, at: now), [])
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let piece = bytes[start..<min(start + 3, bytes.count)]
                _ = reader.keys(piece)
                inPieces += pieces.events(piece, at: now)
            }
            hold(atOnce == inPieces || !isText(bytes), "letters do not depend on how they come")
            atOnce += whole.settle(at: now)
            inPieces += pieces.settle(at: now)
            for event in atOnce {
                switch event {
                case .key(let key): _ = line.press(key)
                case .pasted(let text):
                    hold(!text.unicodeScalars.contains { $0.value < 0x20 }, "a paste has no controls")
                case .mouse(_, let place): hold(place.row >= 0 && place.column >= 0, "a cell is on the screen")
                default: break
                }
            }
            hold(line.characters.count <= 500 && line.cursor <= line.characters.count, "a line is short")
            hold(!line.text.unicodeScalars.contains { $0.value < 0x20 }, "a line has no controls")
            // Whatever came, Escape is Escape in the end.
            for _ in 0..<3 { _ = (whole.events([0x1B], at: now + .seconds(2)), whole.settle(at: now + .seconds(4))) }
            hold(whole.events([0x71], at: now + .seconds(9)) == [.key(.text("q"))], "a key is a key after nonsense")
        },
        "format": { bytes in
            let parts = fields(bytes)
            guard let format = try? StatusFormat(parts[0]) else { return }
            let title = parts[parts.count - 1]
            let track = Track(id: TrackID(owner: 1, audio: 2), artist: title, title: title, album: title, duration: 1)
            let report = StatusReport(
                state: .playing, track: ListedTrack(track: track), position: 1, duration: 2, volume: 1)
            let text = format.text(of: report)
            // A section or a place for each three bytes, each with all of the title made entities.
            hold(text.utf8.count <= (parts[0].utf8.count + 1) * (title.utf8.count + 16) * 7, "as long as it says")
            hold(FormatFilter("pango")?.applied(to: title).contains("<") == false, "no markup")
            let json = "\"" + (FormatFilter("json")?.applied(to: title) ?? "") + "\""
            hold(!json.unicodeScalars.contains { $0.value < 0x20 }, "JSON has no controls")
            hold(json.unicodeScalars.filter { $0 == "\"" }.count >= 2, "JSON's quotes")
        },
        "command": { bytes in
            let words = fields(bytes)
            if let invocation = try? CommandLineParser.parse(words) { _ = invocation.words }
            let plan = CompletionPlan(words)
            let rows = ["1_2", "1_3_key", "x"] + words
            let found = CompletionAnswers(plan, most: 50).candidates(rows: { rows }, playlistRows: { [] }) {
                _, text, _ in
                [(text, text), (words[0], "a")] + words.map { ($0, $0) }
            }
            let typed = (plan.head + plan.typed).unicodeScalars.count
            for candidate in found {
                hold(isTame(String(candidate.word.unicodeScalars.dropFirst(typed))), "what is offered is harmless")
            }
            for word in words {
                _ = (SleepTimeText.duration(word), SeekTarget(word), RowWord(word), NumberText.number(word))
                if let duration = TimeText.duration(word) {
                    hold(duration >= .zero && duration < .seconds(1e7), "a time")
                }
                _ = try? RowWord(word)?.references(command: "x", .tracks) { [1, 2, 3] }
            }
        },
        "shapes": { bytes in
            let raw = text(bytes)
            for way in [LoginWay.cookies, .token, .url, .password] {
                switch SecretShape.look(raw, for: way) {
                case .slip(let sentence): hold(isTame(sentence) && sentence.utf8.count < 1000, "a slip is a sentence")
                case .fit(_, let secret): hold(!secret.revealed.isEmpty, "a secret says something")
                case .file(let path): hold(path.utf8.count < 4096, "a path is short")
                }
            }
        },
        "hints": { bytes in
            let book = HintBook(text(bytes))
            hold(HintBook(book.text).text == book.text, "a book reads back")
        },
        "sayings": { bytes in
            let raw = text(bytes)
            Words.$language.withValue(.russian) {
                for said in [Words.said(raw), Words.message(raw)] {
                    hold(said.utf8.count <= 16 * raw.utf8.count + 4096, "a translation is as long as a sentence")
                }
            }
            hold(Words.said(raw) == raw || Words.language != .english, "English is English")
            let catalogue = Catalogue(raw)
            _ = catalogue.said("one two three")
            _ = catalogue.said(raw)
        },
        "painted": { bytes in
            let raw = DisplayText.escaped(text(bytes))
            var painted = PaintedText(raw, limit: 40) { $0 < 0x300 ? 1 : Int($0 % 3) }
            _ = painted
            painted = PaintedText(raw, limit: 0) { _ in 1 }
            hold(LineText.joined(raw).unicodeScalars.allSatisfy { $0 != "\n" && $0 != "\r" }, "a line is one")
            hold(
                !LineText.joined(text(bytes)).unicodeScalars.contains { $0 == "\n" || $0 == "\u{85}" }, "a line is one")
        },
    ]

    /// Whole letters without what begins a key.
    private static func isText(_ bytes: [UInt8]) -> Bool {
        !bytes.contains(0x1B) && bytes.allSatisfy { $0 < 0x80 }
    }
}
