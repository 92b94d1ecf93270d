import Testing

@testable import NyanWords

/// Sentences as the programs make them, and what a Russian reads.
@Suite("What is said")
struct SaidTests {
    private func russian(_ english: String) -> String {
        Words.$language.withValue(.russian) { Words.message(english) }
    }

    @Test(
        "sentences come out whole, with their arguments where they belong",
        arguments: [
            ("the queue is empty", "очередь пуста"),
            ("no track of the library matches “Кино”", "в библиотеке нет треков по запросу «Кино»"),
            // A title that is a word of ours stays what it is.
            ("no track of the library matches “paused”", "в библиотеке нет треков по запросу «paused»"),
            ("nyanctl: the queue is empty", "nyanctl: очередь пуста"),
            ("usage: nyanctl play [TRACK…]", "использование: nyanctl play [TRACK…]"),
            (
                "nyanctl: there is no command “pley”\nusage: nyanctl play",
                "nyanctl: нет команды «pley»\nиспользование: nyanctl play"
            ),
            (
                "nyanctl: seek needs [+|-]TIME\nusage: nyanctl seek [+|-]TIME",
                "nyanctl: seek: нужно [+|-]TIME\nиспользование: nyanctl seek [+|-]TIME"
            ),
            (
                "Open this page in a browser, sign in, allow it, and paste the address it ends at (…/blank.html#…):\nhttps://x",
                "Откройте эту страницу в браузере, войдите, разрешите доступ и вставьте адрес, на котором всё закончится "
                    + "(…/blank.html#…):\nhttps://x"
            ),
            // A sentence in a sentence in a sentence.
            (
                "3 tracks in a row could not be played; the last one: VK refused this call (VK error 15)",
                "не удалось сыграть 3 трека подряд; последний: VK отклонил этот вызов (ошибка VK 15)"
            ),
            (
                "shown as it was read last: cs9-1.vkuseraudio.net cannot be reached.",
                "показано то, что было в прошлый раз: cs9-1.vkuseraudio.net недоступен."
            ),
            (
                "cannot open \"a b.mp3\" in /m/My Music: Permission denied; allow yourself to use it, or choose another folder",
                "не удаётся открыть «a b.mp3» в /m/My Music: нет доступа; откройте себе доступ к ней или выберите другую папку"
            ),
            (
                "VK wants the code it sent by SMS (+7 *** 12): `nyanctl answer CODE`; `nyanctl answer resend` sends another",
                "VK ждёт код из SMS (+7 *** 12): `nyanctl answer CODE`; `nyanctl answer resend` пришлёт ещё один"
            ),
            (
                "VK wants the code it sent by e-mail: `nyanctl answer CODE`; `nyanctl answer resend` sends another; "
                    + "or open http://vk.com/x and hand in the address it ends at",
                "VK ждёт код из письма: `nyanctl answer CODE`; `nyanctl answer resend` пришлёт ещё один; "
                    + "или откройте http://vk.com/x и передайте адрес, на котором всё закончится"
            ),
            // Parts that are put behind one another.
            ("imported 2 files, 1 known already, 3 skipped", "импортировано 2 файла, уже было: 1, пропущено: 3"),
            ("profile is kept no more", "profile больше не хранится"),
            (
                "the profile is kept: 450 tracks, 448 here, 1 coming, 1 not to be had now; 2 queued now",
                "профиль теперь хранится: 450 треков, на месте: 448, в пути: 1, сейчас не достать: 1; сейчас в очереди: 2"
            ),
            (
                "/h/nyand.conf: line 3: downloads.parallel must be a whole number from 1 to 16",
                "/h/nyand.conf: строка 3: downloads.parallel: нужно целое число от 1 до 16"
            ),
            ("12 tracks downloaded, 1 failed: the queue is empty", "Скачано 12 треков, не скачалось: 1: очередь пуста"),
        ])
    func sentences(english: String, expected: String) {
        #expect(russian(english) == expected)
    }

    @Test(
        "numbers take the form that goes with them",
        arguments: [
            (0, "треков"), (1, "трек"), (2, "трека"), (4, "трека"), (5, "треков"), (11, "треков"), (12, "треков"),
            (14, "треков"), (21, "трек"), (22, "трека"), (25, "треков"), (101, "трек"), (111, "треков"),
            (1011, "треков"),
        ])
    func plurals(number: Int, word: String) {
        #expect(russian("\(number) tracks, 3 new, 1 removed") == "\(number) \(word), 3 новых, 1 удалён")
    }

    @Test(
        "what the catalogue does not know stays as it is",
        arguments: [
            "Алиса – Трасса Е-95", "paused again", "", " ", "%1", "queue", "♪ Artist – paused", "a, paused",
            "{\"code\":\"not-found\",\"message\":\"the queue is empty\"}", "\u{1b}[Kqueue",
            "x tracks, 3 new, 1 removed",
        ])
    func unknown(text: String) {
        #expect(russian(text) == text)
    }

    @Test("no text takes long, whatever it holds")
    func long() {
        let clock = ContinuousClock()
        for text in [
            String(repeating: ", ", count: 2000), String(repeating: "a: b; ", count: 600),
            String(repeating: "“", count: 1300),
        ] {
            var said = ""
            #expect(clock.measure { said = russian(text) } < .seconds(10))
            #expect(said == text)
        }
    }

    @Test("in English everything is said as it was made")
    func english() {
        Words.$language.withValue(.english) {
            #expect(Words.said("the queue is empty") == "the queue is empty")
            #expect(Words.message("nyanctl: the queue is empty") == "nyanctl: the queue is empty")
            #expect(Words.said("3.4 MB") == "3.4 MB")
            #expect(!Words.isYes("да"))
        }
    }

    @Test("sizes and answers are Russian ones")
    func sizes() {
        Words.$language.withValue(.russian) {
            #expect(Words.said("3.4 MB") == "3,4 МБ")
            #expect(Words.said("3.4 MB") + Words.said("/s") == "3,4 МБ/с")
            #expect(Words.isYes("да"))
            #expect(!Words.isYes("нет"))
        }
    }
}
