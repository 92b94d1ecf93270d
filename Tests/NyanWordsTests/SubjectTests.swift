import Testing

@testable import NyanWords

/// Sentences within sentences, where the inner one begins with a name.
@Suite("Whose sentence it is")
struct SubjectTests {
    private func russian(_ english: String) -> String {
        Words.$language.withValue(.russian) { Words.message(english) }
    }

    @Test(
        "a sentence that begins with a name does not take what stands before it",
        arguments: [
            (
                "1 could not be removed: 123_45 is not in your profile",
                "не убрано: 1; 123_45 нет в вашем профиле"
            ),
            (
                "the rest was not removed: 123_45 is not in your profile",
                "остальное не убрано: 123_45 нет в вашем профиле"
            ),
            ("2 could not be exported: 123_45 is not in My Music", "не скопировано: 2; 123_45 нет в «Моей музыке»"),
            (
                "problem: /m/Nyan Tunes is not there; is its disk mounted?",
                "неполадка: нет папки /m/Nyan Tunes; подключён ли её диск?"
            ),
            (
                "1 could not be exported: /m/Nyan Tunes is not there; is its disk mounted?",
                "не скопировано: 1; нет папки /m/Nyan Tunes; подключён ли её диск?"
            ),
            (
                "shown as it was read last: api.vk.ru could not prove who it is; its certificate is not trusted.",
                "показано то, что было в прошлый раз: Подлинность api.vk.ru не подтверждена: сертификату нельзя доверять."
            ),
            (
                "shown as it was read last: api.vk.ru redirects to where nyand must not follow.",
                "показано то, что было в прошлый раз: api.vk.ru перенаправляет туда, куда nyand нельзя."
            ),
            (
                "problem: api.vk.ru could not prove who it is; its certificate is not trusted.",
                "неполадка: Подлинность api.vk.ru не подтверждена: сертификату нельзя доверять."
            ),
            ("problem: api.vk.ru has trouble (503).", "неполадка: У сервера api.vk.ru неполадки (503)."),
            (
                "1 could not be removed: api.vk.ru has trouble (503).",
                "не убрано: 1; У сервера api.vk.ru неполадки (503)."
            ),
            (
                "scrobbling waits: api.listenbrainz.org redirects to where nyand must not follow.",
                "скробблинг ждёт: api.listenbrainz.org перенаправляет туда, куда nyand нельзя."
            ),
            (
                "not downloaded: A – B: cs9-1.vkuseraudio.net could not prove who it is; its certificate is not trusted.",
                "не скачано: A – B: Подлинность cs9-1.vkuseraudio.net не подтверждена: сертификату нельзя доверять."
            ),
            (
                "3 tracks in a row could not be played; the last one: cs9-1.vkuseraudio.net could not prove who it is; "
                    + "its certificate is not trusted.",
                "не удалось сыграть 3 трека подряд; последний: Подлинность cs9-1.vkuseraudio.net не подтверждена: "
                    + "сертификату нельзя доверять."
            ),
        ])
    func inner(english: String, expected: String) {
        #expect(russian(english) == expected)
    }

    @Test(
        "titles and folders stay as they are, whatever they look like",
        arguments: [
            ("changed: Queen – This is not in your profile", "изменился: Queen – This is not in your profile"),
            ("changed: Queen – /m is not there", "изменился: Queen – /m is not there"),
            ("changed: A: B is not among these downloads", "изменился: A: B is not among these downloads"),
            ("back: Cupid – Cupid shuffle", "вернулся: Cupid – Cupid shuffle"),
            ("back: A – Interlude (silent)", "вернулся: A – Interlude (silent)"),
            ("changed: A – B: VK does not answer", "изменился: A – B: VK does not answer"),
            ("gone from the profile: A – B, 2 skipped", "пропал из профиля: A – B, 2 skipped"),
            ("Queen – This is not in your profile", "Queen – This is not in your profile"),
            ("not downloaded: A – paused: the queue is empty", "не скачано: A – paused: очередь пуста"),
            ("/m/Live: 2020 is not there; is its disk mounted?", "нет папки /m/Live: 2020; подключён ли её диск?"),
            ("~/a: b cannot be written", "в ~/a: b нельзя писать"),
            ("Live: 2020 is deleted; its tracks stay", "Live: 2020 удалён; его треки остались"),
        ])
    func data(english: String, expected: String) {
        #expect(russian(english) == expected)
    }

    @Test(
        "a server without a name is in its right case",
        arguments: [
            ("The server has trouble (503).", "У сервера неполадки (503)."),
            ("cs9-1.vkuseraudio.net has trouble (503).", "У сервера cs9-1.vkuseraudio.net неполадки (503)."),
            ("problem: The server has trouble (503).", "неполадка: У сервера неполадки (503)."),
            ("The connection to the server broke off.", "Соединение с сервером оборвалось."),
            ("The connection to api.vk.ru broke off.", "Соединение с api.vk.ru оборвалось."),
            (
                "No secure connection to The server could be made.",
                "Не удалось установить защищённое соединение с сервером."
            ),
            (
                "The server could not prove who it is; its certificate is not trusted.",
                "Подлинность сервера не подтверждена: сертификату нельзя доверять."
            ),
        ])
    func server(english: String, expected: String) {
        #expect(russian(english) == expected)
    }

    @Test(
        "what doctor finds is said whole",
        arguments: [
            ("api.vk.ru cannot be reached. (network)", "api.vk.ru недоступен. (network)"),
            (
                "/m/Nyan Tunes is not there; is its disk mounted? (file-access)",
                "нет папки /m/Nyan Tunes; подключён ли её диск? (file-access)"
            ),
            ("/m has no room: 512 B left", "в /m нет места: осталось 512 Б"),
            (
                "none now; the last warning 5 min ago: the queue is empty",
                "сейчас нет; последняя запись: предупреждение, 5 мин назад: очередь пуста"
            ),
            (
                "installed and not enabled, but this nyand was started by hand",
                "установлена (не включена), но этот nyand запущен вручную"
            ),
            ("3 tracks match; this is the first", "подходят 3 трека; это первый"),
            ("21 tracks match; this is the first", "подходит 21 трек; это первый"),
            // What is no message of ours is no message with a code either.
            ("Queen – Song (live)", "Queen – Song (live)"),
        ])
    func doctor(english: String, expected: String) {
        #expect(russian(english) == expected)
    }
}
