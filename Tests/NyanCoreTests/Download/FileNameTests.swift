import Testing

@testable import NyanCore

@Suite("File names") struct FileNameTests {
    private func track(_ artist: String, _ title: String, album: String? = nil) -> Track {
        Track(id: TrackID(owner: -2_001_550_144, audio: 92_550_144), artist: artist, title: title, album: album)
    }

    private func name(_ artist: String, _ title: String) -> String {
        FileName.make(template: "{artist} - {title}", track: track(artist, title))
    }

    @Test(
        "A name keeps what people read and loses what file systems refuse",
        arguments: [
            ("Кино", "Кукушка", "Кино - Кукушка.mp3"),
            ("AC/DC", "T.N.T.", "AC-DC - T.N.T.mp3"),
            ("", "", "Unknown - Unknown.mp3"),
            ("  ", "\n\t", "Unknown - Unknown.mp3"),
            ("..", "..", "Unknown - Unknown.mp3"),
            (".", "bashrc", "Unknown - bashrc.mp3"),
            ("../../.bashrc", "x", "bashrc - x.mp3"),
            (".hidden", "dot.", "hidden - dot.mp3"),
            ("-rf", "/", "rf - -.mp3"),
            ("a:b*c?\"<>|", "\\", "a-b_c_'()- - -.mp3"),
            ("line\nbreak\r\nagain", "tab\tnul\0del\u{7F}", "line break again - tab nul del.mp3"),
            ("evil\u{202E}3pm", "zero\u{200B}width\u{FEFF}\u{2066}", "evil3pm - zerowidth.mp3"),
            ("и\u{306}", "е\u{308}", "й - ё.mp3"),
            ("👩‍👩‍👧", "❤️ love", "👩‍👩‍👧 - ❤️ love.mp3"),
            ("~", "%s", "~ - %s.mp3"),
            // One character each with the sign behind or before them.
            ("\u{D4E}/\u{111C2}\\", "\u{D4E}:x", "\u{D4E}-\u{111C2}- - \u{D4E}-x.mp3"),
            (".\u{301}a", "x", "a - x.mp3"),
            ("x", "y \u{D4E}.\u{D4E}", "x - y.mp3"),
            ("null", "a  b", "null - a b.mp3"),
            ("می‌خواهم", "x\u{200C}y", "می‌خواهم - xy.mp3"),
        ])
    func cleans(artist: String, title: String, expected: String) {
        let made = name(artist, title)
        // Equal by bytes, not only canonically.
        #expect(Array(made.utf8) == Array(expected.utf8), "\(made)")
    }

    @Test(
        "No name is longer than 255 bytes with its extension and room for a temporary mark",
        arguments: [
            ("", String(repeating: "Ж", count: 500)), (String(repeating: "й", count: 300), "title"),
            (String(repeating: "👨‍👩‍👧‍👦", count: 100), String(repeating: "👨‍👩‍👧‍👦", count: 100)),
            ("a" + String(repeating: "\u{301}", count: 400), "z"), (String(repeating: "x", count: 255), ""),
        ])
    func isShort(artist: String, title: String) {
        let made = name(artist, title)
        #expect(made.utf8.count <= 255 - 24)
        #expect(made.hasSuffix(".mp3"))
        #expect(!made.unicodeScalars.contains("\u{FFFD}"))
        for number in [1, 2, 12_345] {
            let variant = FileName.variant(of: made, id: TrackID(owner: .min + 1, audio: .max), number: number)
            #expect(variant.utf8.count <= 255 - 24)
            #expect(variant.hasSuffix(number == 1 ? "[\(Int64.min + 1)_\(Int64.max)].mp3" : " (\(number)).mp3"))
        }
    }

    @Test("A long artist does not push the title out") func sharesRoom() {
        #expect(name(String(repeating: "й", count: 300), "Песня").hasSuffix(" - Песня.mp3"))
        #expect(name("Кино", String(repeating: "й", count: 300)).hasPrefix("Кино - "))
    }

    @Test(
        "Device names of Windows are not used",
        arguments: [("CON", "_CON.mp3"), ("nul.x", "_nul.x.mp3"), ("Com7", "_Com7.mp3"), ("CONE", "CONE.mp3")])
    func avoidsDevices(title: String, expected: String) {
        #expect(FileName.make(template: "{title}", track: track("", title)) == expected)
    }

    @Test("A template fills in all it knows") func fillsTemplate() {
        let song = track("A", "T", album: "B")
        #expect(
            FileName.make(template: "{album}: {title} [{id}]", track: song)
                == "B- T [-2001550144_92550144].mp3")
        #expect(FileName.make(template: "{bad", track: song) == "A - T.mp3")
        #expect(FileName.make(template: "{title}", track: song, fileExtension: ".flac") == "T.flac")
    }

    @Test(
        "A template that cannot name tracks is refused",
        arguments: [
            ("{artist} - {title}", true), ("{id}", true), ("{album}/{title}", false), ("{artist}", false),
            ("{nope} {title}", false), ("{title", false), ("title}", false), ("", false), ("{{title}}", false),
        ])
    func judgesTemplate(template: String, isGood: Bool) {
        #expect((FileName.problem(inTemplate: template) == nil) == isGood)
    }

    @Test("Names that a file system may take for one have one key") func collides() {
        #expect(FileName.collisionKey("ПЕСНЯ.mp3") == FileName.collisionKey("песня.mp3"))
        #expect(Array(FileName.collisionKey("й").utf8) == Array(FileName.collisionKey("И\u{306}").utf8))
        #expect(FileName.variant(of: "A - T.mp3", id: TrackID(owner: 1, audio: 2), number: 0) == "A - T.mp3")
        #expect(FileName.variant(of: "A - T.mp3", id: TrackID(owner: 1, audio: 2), number: 1) == "A - T [1_2].mp3")
        #expect(FileName.variant(of: "A - T.mp3", id: TrackID(owner: 1, audio: 2), number: 2) == "A - T [1_2] (2).mp3")
    }

    @Test("Any text at all gives a safe name") func survivesAnything() {
        var random = SeededNumbers(seed: 7)
        for _ in 0..<400 {
            let text = { (random: inout SeededNumbers) in
                var view = String.UnicodeScalarView()
                for _ in 0..<Int.random(in: 0...60, using: &random) {
                    let low = Bool.random(using: &random)
                    let value = UInt32.random(in: 0...(low ? 0x600 : 0x10FFFF), using: &random)
                    if let scalar = Unicode.Scalar(value) { view.append(scalar) }
                }
                return String(view)
            }
            let made = name(text(&random), text(&random))
            #expect(made.utf8.count <= 231)
            #expect(!made.utf8.contains { $0 < 0x20 || $0 == 0x7F || "/\\:*?\"<>|".utf8.contains($0) })
            #expect(!made.hasPrefix(".") && !made.hasPrefix(" ") && !made.hasPrefix("-"))
            #expect(made.count > 4)
        }
    }
}

/// A small random source that is the same in every run.
struct SeededNumbers: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
