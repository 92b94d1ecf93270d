import Glibc
import NyanCore
import Testing

@testable import enum NyanCore.CyrillicBytes

/// A text's bytes in another encoding, through the C library's converter.
private func encoded(_ text: String, in encoding: String) -> [UInt8]? {
    guard let converter = iconv_open(encoding, "UTF-8"), converter != iconv_t(bitPattern: -1) else { return nil }
    defer { iconv_close(converter) }
    var input = Array(text.utf8).map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: input.count + 4)
    var left = input.count
    var room = output.count
    let result = input.withUnsafeMutableBufferPointer { from in
        output.withUnsafeMutableBufferPointer { to in
            var source = from.baseAddress
            var target = to.baseAddress
            return iconv(converter, &source, &left, &target, &room)
        }
    }
    guard result != Int.max, left == 0 else { return nil }
    return output.dropLast(room).map { UInt8(bitPattern: $0) }
}

/// What a reader shows who takes bytes for Latin-1.
private func misread(_ bytes: [UInt8]) -> String {
    String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}

@Suite("Texts that were read in the wrong encoding")
struct MisreadTextTests {
    @Test(
        "Words that are right stay as they are",
        arguments: [
            "", "plain words", "Motörhead", "Sigur Rós", "Beyoncé", "Æther", "Ñandú", "Mañana", "Ágætis byrjun",
            "Björk",
            "Mylène Farmer", "Où es-tu", "À la claire fontaine", "L’été", "¿Qué será?", "¡Ésta!", "Nº 5", "MØ", "Ø",
            "ÆØÅ", "Öö", "ööö", "Þú", "þú ert", "Ég á þig", "Ísland er land þitt", "Für Elise", "Übermäßig", "Jää", "É",
            "Ça ira", "Noël", "Señorita", "Coração", "São João", "Ääniä", "Þetta", "5° à l’ombre", "½ + ¼", "© 2004",
            "Straße", "ß", "ÄÖÜ", "Ééé", "Mötley Crüe", "Queensrÿche", "Antonín Dvořák", "Кино", "Кино – Группа крови",
            "日本語", "🙂", "naïve café", "\u{1}\u{7F}", "a\tb", "\u{85}", "Târgu Mureș", "“Héroes”",
        ])
    func stay(_ text: String) {
        #expect(MisreadText.repaired(text) == text)
        #expect(!MisreadText.isCyrillic([text]))
    }

    static let cyrillic = [
        "Кино", "кино", "КИНО", "ДДТ", "Ария", "Пётр Налич", "Мы", "Он и она", "Группа крови", "Ёлка", "Україна",
        "Її очі", "Чайф - Ой-йо", "«Аквариум»", "Кино (live 1987)", "Звезда по имени Солнце",
        "Земфира feat. Мумий Тролль",
        "Я", "Ты не один", "№ 1 – Хит", "Что-то", "Аукцыон\tДорога", "Ў", "Сплин: Выхода нет…",
    ]

    @Test("Cyrillic in windows-1251 that was read as Latin-1 is read right", arguments: cyrillic)
    func windows1251(_ text: String) throws {
        let wrong = misread(try #require(encoded(text, in: "CP1251")))
        // One letter alone tells nothing; beside others it does.
        let isTelling = text.count > 2
        #expect(MisreadText.repaired(wrong) == (isTelling || text == "Мы" ? text : wrong))
        #expect(MisreadText.repaired(wrong, amongCyrillic: true) == text)
        #expect(MisreadText.isCyrillic(["Motörhead", wrong]) == (isTelling || text == "Мы"))
    }

    @Test("The issue's own example")
    func example() {
        #expect(MisreadText.repaired("Êèíî") == "Кино")
        #expect(MisreadText.repaired("Êèíî - Ãðóïïà êðîâè") == "Кино - Группа крови")
    }

    @Test(
        "KOI8-R is told by its capitals",
        arguments: ["Кино", "Группа крови", "Звезда по имени Солнце", "Наутилус - Крылья"]
    )
    func koi8r(_ text: String) throws {
        #expect(MisreadText.repaired(misread(try #require(encoded(text, in: "KOI8-R")))) == text)
    }

    @Test("UTF-8 that was read as Latin-1 is read right", arguments: ["Кино", "Beyoncé", "日本語", "“Héroes”", "🙂"])
    func utf8(_ text: String) {
        #expect(MisreadText.repaired(misread(Array(text.utf8))) == text)
    }

    @Test("Controls stay among letters that are put right")
    func controls() throws {
        let wrong = misread([1] + (try #require(encoded("Кино", in: "CP1251"))) + [0x1F, 10])
        #expect(MisreadText.repaired(wrong) == "\u{1}Кино\u{1F}\n")
    }

    @Test("Both tables are those of the C library", arguments: ["CP1251", "KOI8-R"])
    func tables(_ encoding: String) {
        let table = encoding == "CP1251" ? CyrillicBytes.windows1251 : CyrillicBytes.koi8r
        #expect(table.count == 128)
        for (index, scalar) in table.enumerated() where scalar != "\u{98}" {
            #expect(encoded(String(scalar), in: encoding) == [UInt8(0x80 + index)], "\(index)")
        }
    }
}

@Suite("Names of files that are imported")
struct ImportNameTests {
    @Test(
        "say artist and title where they can",
        arguments: [
            ("/a/Кино - Группа крови.mp3", "Кино", "Группа крови"), ("/a/song.mp3", "", "song"),
            ("/a/01. Artist - Title.flac", "Artist", "Title"), ("/a/07 - Title.mp3", "", "Title"),
            ("/a/1987.mp3", "", "1987"), ("/a/A-ha.mp3", "", "A-ha"), ("/a/X – Y - Z.ogg", "X", "Y - Z"),
            ("/a/99 Luftballons.mp3", "", "99 Luftballons"), ("/a/ - .mp3", "", " - "), ("noslash", "", "noslash"),
        ])
    func names(_ path: String, _ artist: String, _ title: String) {
        let name = ImportName(Array(path.utf8))
        #expect(name.artist == artist)
        #expect(name.title == title)
    }

    @Test("A name in windows-1251 is read right")
    func cyrillic() throws {
        let name = ImportName(
            Array("/a/".utf8) + (try #require(encoded("Кино - Мама", in: "CP1251"))) + Array(".mp3".utf8))
        #expect(name == ImportName(Array("Кино - Мама.mp3".utf8)))
        #expect(name.artist == "Кино")
    }
}
