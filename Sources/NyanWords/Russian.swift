// swift-format-ignore-file
/// The Russian catalogue, made by `scripts/words --write` from dist/po/ru.po. Not to be edited, and as long as the
/// catalogue is: a generated file is not held to the 300 lines of the others.
enum Russian {
    /// An entry a line: English, a tab, Russian; a line's end inside of a text is `\n`.
    static let text = #"""
          --cookies        the session of a browser in which you are signed in to VK: paste the cookies remixsid and p\n                   (a Cookie header, a cookies.txt, or a browser extension's JSON). VK's tokens last 15 minutes;\n                   nyand renews them by itself, and no password is needed. Best for daily use\n  --token          a token you already have, of a VK client that has music; --profile names that client (web,\n                   android, marusia). When it ends you sign in again\n  --url            prints VK's authorize page; you allow the client there and paste the address it ends at. VK\n                   gives music to its own clients only, and such a token may last a day\n  --password USER  name and password, for a client of VK's whose id and secret are in the settings; asks for the\n                   code where VK wants one. The password is not kept. VK often wants a captcha for it\nEvery secret is read from standard input: a prompt on a terminal, else a pipe or a file	  --cookies        сеанс браузера, в котором вы вошли в VK: вставьте куки remixsid и p (заголовок Cookie, файл\n                   cookies.txt или JSON из расширения браузера). Токены VK живут 15 минут, nyand продлевает их\n                   сам, пароль не нужен. Лучше всего на каждый день\n  --token          готовый токен клиента VK, у которого есть музыка; --profile называет этот клиент (web,\n                   android, marusia). Когда токен истечёт, нужно войти снова\n  --url            покажет страницу VK для входа; разрешите на ней доступ и вставьте адрес, на котором всё\n                   закончится. Музыку VK даёт только своим клиентам, а такой токен может жить один день\n  --password USER  имя и пароль, для клиента VK, чьи id и секрет есть в настройках; спросит код, если он нужен\n                   VK. Пароль не хранится. VK часто просит для этого пройти капчу\nЛюбой секрет читается из стандартного ввода: с терминала, из канала или из файла
          1  by a browser in which you are signed in. Best for daily use: no password, and nyand renews it by itself	  1  через браузер, в котором вход уже выполнен. Лучше на каждый день: без пароля, и nyand продлевает вход сам
          1. open https://vk.ru, press F12 and choose the tab Network	  1. откройте https://vk.ru, нажмите F12 и выберите вкладку «Сеть» (Network)
          2  by a token you already have, of a VK client that has music. When it ends you sign in again	  2  токеном, который у вас уже есть, от клиента VK с музыкой. Когда он кончится, нужно войти снова
          2. type web_token into its filter and reload the page (F5); nothing there after a minute: reload again	  2. введите web_token в её фильтр и обновите страницу (F5); если за минуту ничего нет, обновите ещё раз
          3  over VK's own page. VK gives music to its own clients only, and such a token may last a day	  3  через страницу самого VK. Музыку VK даёт только своим клиентам, и такой токен может прожить день
          3. click the line web_token, and under Request Headers copy the value of Cookie, all of it	  3. нажмите на строку web_token и в заголовках запроса скопируйте значение Cookie целиком
          4  by name and password, for a client whose id and secret are in the settings. VK often wants a captcha	  4  по имени и паролю, для клиента, чьи id и секрет есть в настройках. VK часто требует капчу
         (elsewhere than on Debian: what has the GStreamer element %1)	 (не в Debian — то, где есть элемент GStreamer %1)
         (needs a restart)	 (нужен перезапуск)
         (no effect yet)	 (пока ни на что не влияет)
         (no output)	 (нет выхода)
         (silent)	 (без звука)
         repeat %1	 повтор: {%1}
         repeat queue	 повтор очереди
         repeat track	 повтор трека
         shuffle	 вперемешку
        "%1" cannot be measured: it is no whole sound	«%1» не измерить: звук не целый
        "%1" cannot be read	не удаётся прочитать «%1»
        "%1" changed while it was measured	«%1» изменился во время измерения
        "%1" in %2	«%1» в %2
        "%1" in %2 %3; it is left alone	«%1» в %2 {%3}; он оставлен как есть
        "%1" in %2 is no file but a pipe: remove it, then try again	«%1» в папке %2 — не файл, а канал: удалите его и попробуйте ещё раз
        "%1" is no file name	«%1» не годится для имени файла
        "%1" is no ordinary file but a device or a pipe	«%1» — не обычный файл, а устройство или канал
        "%1" was damaged (%2); it is kept as %3, a new one was started	файл «%1» был повреждён (%2); он сохранён как %3, начат новый
        "%1" was left by another database; it is kept as %2	файл «%1» остался от другой базы; он сохранён как %2
        %1 (%2)	{%1} ({%2_})
        %1 (%2), %3 tracks, signed in by %4	%1 (%2), {%3|%3 трек|%3 трека|%3 треков}, вход: {%4}
        %1 (VK error %2)	{%1} (ошибка VK {%2#})
        %1 (it belongs to %2)	%1 (с сайта %2)
        %1 (until then the login is in a file only you can read)	{%1} (до тех пор вход хранится в файле, который читаете только вы)
        %1 B	{%1#} Б
        %1 GB	{%1#} ГБ
        %1 MB	{%1#} МБ
        %1 TB	{%1#} ТБ
        %1 already there	уже было: {%1#}
        %1 and %2	{%1} и {%2}
        %1 answered more than expected.	{%1} отвечает больше, чем нужно.
        %1 answered something that is not HTTP.	{%1} ответил не по HTTP.
        %1 answered with an unexpected status (%2).	{%1} ответил непонятно чем (код %2).
        %1 answers (%2 ms)	{%1} отвечает (%2 мс)
        %1 are two ways to sign in: choose one	%1 — это два способа войти: выберите один
        %1 asks to wait	{%1} просит подождать
        %1 asks to wait.	{%1} просит подождать.
        %1 cancelled	отменено: {%1#}
        %1 cannot be had: %2	{%1|%1 трек не скачать|%1 трека не скачать|%1 треков не скачать}: {%2}
        %1 cannot be played: %2 is missing	%1 не играет: не хватает %2
        %1 cannot be played: the GStreamer element %2 is missing; install the package %3	%1 не играет: не хватает элемента GStreamer %2; установите пакет %3
        %1 cannot be reached.	{%1} недоступен.
        %1 cannot be written	в %1 нельзя писать
        %1 cannot read what it was sent (%2).	%1 не может разобрать отправленное (%2).
        %1 coming	в пути: {%1#}
        %1 could not be %2: %3	не {%2}: %1; {%3}
        %1 could not prove who it is; its certificate is not trusted.	Подлинность {%1} не подтверждена: сертификату нельзя доверять.
        %1 days ago	{%1|%1 день|%1 дня|%1 дней} назад
        %1 did not answer in time.	{%1} не отвечает.
        %1 did not wait for the request.	{%1} не дождался запроса.
        %1 does not send the part that was asked for.	{%1} присылает не ту часть, которую просили.
        %1 done	готово: {%1#}
        %1 download cancelled	{%1|отменена %1 загрузка|отменены %1 загрузки|отменено %1 загрузок}
        %1 downloaded	скачано: {%1#}
        %1 downloads cancelled	{%1|отменена %1 загрузка|отменены %1 загрузки|отменено %1 загрузок}
        %1 downloads wait and go on by themselves	{%1|ждёт %1 загрузка, она продолжится сама|ждут %1 загрузки, они продолжатся сами|ждут %1 загрузок, они продолжатся сами}
        %1 ended its answer too early.	{%1} оборвал ответ раньше времени.
        %1 failed	не удалось: {%1#}
        %1 file	{%1|%1 файл|%1 файла|%1 файлов}
        %1 files	{%1|%1 файл|%1 файла|%1 файлов}
        %1 found for “%2”	по запросу «{%2~}» {%1|найден %1 трек|найдено %1 трека|найдено %1 треков}
        %1 gives something else every time.	{%1} каждый раз отдаёт другое.
        %1 has %2 left	в %1 осталось {%2}
        %1 has no option %2: did you mean %3?	у %1 нет параметра %2: может быть, %3?
        %1 has no option %2; words that begin with - go behind --	у %1 нет параметра %2; слова, которые начинаются с -, пишутся после --
        %1 has no room: %2 left	в %1 нет места: осталось {%2}
        %1 has no use for “%2”	%1: «%2» здесь лишнее
        %1 has no verb “%2”	у %1 нет действия «%2»
        %1 has no verb “%2”: did you mean %3?	у %1 нет действия «%2»: может быть, %3?
        %1 has trouble (%2).	У сервера {%1} неполадки (%2).
        %1 here	на месте: {%1#}
        %1 hours ago	{%1|%1 час|%1 часа|%1 часов} назад
        %1 is damaged (%2); it is set aside at the next start	{%1}: файл повреждён (%2); при следующем запуске он будет отложен
        %1 is decoded by %2	%1 декодирует %2
        %1 is deleted; its tracks stay	%1 удалён; его треки остались
        %1 is in use by another program	{%1}: файл занят другой программой
        %1 is kept no more	%1 больше не хранится
        %1 is kept: %2	{%1} теперь хранится: {%2}
        %1 is kept: %2; %3 queued now	{%1} теперь хранится: {%2}; сейчас в очереди: %3
        %1 is masked	%1 замаскирован
        %1 is no folder	%1 — не папка
        %1 is not among these downloads	{%1_} нет среди этих загрузок
        %1 is not in My Music	{%1_} нет в «Моей музыке»
        %1 is not in your profile	{%1_} нет в вашем профиле
        %1 is not installed: nyand does not start with the session	%1 не установлен: nyand не запускается вместе с сеансом
        %1 is not kept: `nyanctl keep` lists what is	%1 не хранится: `nyanctl keep` покажет, что хранится
        %1 is not there	нет папки %1
        %1 is not there; is its disk mounted?	нет папки %1; подключён ли её диск?
        %1 is somebody else's: you follow it no more	%1 — чужой плейлист: вы от него отписались
        %1 kB	{%1#} кБ
        %1 kbit/s	%1 кбит/с
        %1 listen	{%1|%1 прослушивание|%1 прослушивания|%1 прослушиваний}
        %1 listens	{%1|%1 прослушивание|%1 прослушивания|%1 прослушиваний}
        %1 listens wait already, and the oldest are kept	ждёт уже {%1|%1 прослушивание|%1 прослушивания|%1 прослушиваний}, хранятся самые старые
        %1 min ago	%1 мин назад
        %1 needs %2	%1: нужно %2
        %1 needs a playlist and tracks	%1: нужны плейлист и треки
        %1 needs a text	%1: нужен текст
        %1 needs a value	%1: нужно значение
        %1 needs tracks, or --all	%1: назовите треки или добавьте --all
        %1 no longer gives this track (%2).	{%1} больше не отдаёт этот трек (%2).
        %1 no longer gives this track.	{%1} больше не отдаёт этот трек.
        %1 not taken	не принято: {%1#}
        %1 not to be had now	сейчас не достать: {%1#}
        %1 of %2	{%1#} из %2
        %1 of %2 added to the profile	добавлено в профиль: {%1#} из {%2#}
        %1 of %2 match “%3”	{%1#} из {%2#} подходят под «{%3~}»
        %1 of it stay	остаются {%1}
        %1 of it stays	остаётся {%1}
        %1 of the sound came damaged each time.	{%1} звука каждый раз приходит повреждённой.
        %1 of them unavailable now	из них теперь недоступно: {%1#}
        %1 paused	на паузе: {%1#}
        %1 paused: `nyanctl downloads resume` lets it go on	{%1|%1 загрузка|%1 загрузки|%1 загрузок} на паузе: `nyanctl downloads resume` продолжит
        %1 paused: `nyanctl downloads resume` lets them go on	{%1|%1 загрузка|%1 загрузки|%1 загрузок} на паузе: `nyanctl downloads resume` продолжит
        %1 problems	{%1|%1 неполадка|%1 неполадки|%1 неполадок}
        %1 queued	{%1|%1 загрузка|%1 загрузки|%1 загрузок} в очереди
        %1 queued, %2 already there	в очереди: {%1#}, уже есть: {%2#}
        %1 redirects in circles.	{%1} перенаправляет по кругу.
        %1 redirects to where nyand must not follow.	%1 перенаправляет туда, куда nyand нельзя.
        %1 removed from the profile	убрано из профиля: {%1#}
        %1 resumed	продолжается: {%1#}
        %1 running	качается: {%1#}
        %1 sends more than 1 GiB, or without an end: nyand stops here	{%1} присылает больше 1 ГиБ или без конца: nyand здесь останавливается
        %1 sent	отправлено: {%1#}
        %1 starts %2, which is not there	%1 запускает %2, а такого файла нет
        %1 taken away by you	убрано вами: {%1#}
        %1 takes no more listens today, or the clock of this machine is ahead.	%1 больше не берёт сегодня прослушиваний, или часы этой машины спешат.
        %1 takes no value	%1: значение не нужно
        %1 track	{%1|%1 трек|%1 трека|%1 треков}
        %1 track added	{%1|%1 трек добавлен|%1 трека добавлено|%1 треков добавлено}
        %1 track removed	{%1|%1 трек убран|%1 трека убрано|%1 треков убрано}
        %1 tracks	{%1|%1 трек|%1 трека|%1 треков}
        %1 tracks added	{%1|%1 трек добавлен|%1 трека добавлено|%1 треков добавлено}
        %1 tracks downloaded	{%1|Скачан %1 трек|Скачано %1 трека|Скачано %1 треков}
        %1 tracks failed	{%1|Не скачался %1 трек|Не скачались %1 трека|Не скачались %1 треков}
        %1 tracks in a row could not be played; the last one: %2	не удалось сыграть {%1|%1 трек|%1 трека|%1 треков} подряд; последний: {%2}
        %1 tracks match “%2”	«%2»: {%1|подходит %1 трек|подходят %1 трека|подходят %1 треков}
        %1 tracks match; this is the first	{%1|подходит %1 трек|подходят %1 трека|подходят %1 треков}; это первый
        %1 tracks removed	{%1|%1 трек убран|%1 трека убрано|%1 треков убрано}
        %1 tracks, %2 new, %3 removed	{%1|%1 трек|%1 трека|%1 треков}, {%2|%2 новый|%2 новых|%2 новых}, {%3|%3 удалён|%3 удалено|%3 удалено}
        %1 tried again	повторяем: {%1#}
        %1 waiting	ждёт: {%1#}
        %1 was changed since it was read	%1 изменился после чтения
        %1 was lost and is not back	{%1}: связь потеряна и не вернулась
        %1 was not in your profile: `add` adds it	{%1_} не было в вашем профиле: `add` добавит
        %1 was open to others (mode %2); it is closed to them now	%1 был открыт другим (права %2); теперь закрыт
        %1 was taken away since it was read	%1 пропал после чтения
        %1's address answered something else (%2).	По адресу %1 отвечает что-то другое (%2).
        %1, %2	{%1}, {%2}
        %1, %2 failed	{%1}, не скачалось: {%2#}
        %1, %2 failed: %3	{%1}, не скачалось: {%2#}: {%3}
        %1, and VK: %2	{%1}, а VK: {%2}
        %1, id %2	%1, id %2
        %1: %2	%1: {%2}
        %1: %2 has no effect yet	%1: пока ни на что не влияет: %2
        %1: %2 not taken: %3	%1: не принято {%2}: {%3}
        %1: `nyanctl unkeep %2 --delete` deletes them	{%1}: `nyanctl unkeep %2 --delete` удалит их
        %1: addresses cannot be played, only file:, http: and https:	%1: такие адреса не играют, только file:, http: и https:
        %1: open %2 in a browser, then say `nyanctl answer done`	{%1}: откройте %2 в браузере, затем скажите `nyanctl answer done`
        %1: open VK in a browser, then say `nyanctl answer done`	{%1}: откройте VK в браузере, затем скажите `nyanctl answer done`
        %1: the log says why	{%1}: почему — сказано в журнале
        %1; "%2" cannot be written until then	{%1}; до тех пор «%2» не записать
        %1; %2	{%1}; {%2}
        %1; %2 when that is over	{%1}; {%2}, когда это пройдёт
        %1; `nyanctl scrobble login` begins scrobbling anew	{%1}; `nyanctl scrobble login` начнёт скробблинг заново
        %1; it goes on at %2	{%1}; продолжение в %2
        %1; say `nyanctl answer yes` or `nyanctl answer no`	{%1}; ответьте `nyanctl answer yes` или `nyanctl answer no`
        %1; the login ends in %2 hours	{%1}; вход закончится через {%2|%2 час|%2 часа|%2 часов}
        %1; then `systemctl --user restart nyand`	{%1}; затем `systemctl --user restart nyand`
        (y/n)	(д/н)
        , %1 known already	, уже было: {%1#}
        , %1 skipped	, пропущено: {%1#}
        , sound as %1	, звук приходит как {%1}
        --count needs a number from 1 to 1000	--count: нужно число от 1 до 1000
        --count needs a number from 1 to 10000	--count: нужно число от 1 до 10000
        --every needs --follow and a number of seconds from 1 to 3600	--every: нужны --follow и число секунд от 1 до 3600
        --finish belongs to `login lastfm`	--finish бывает только у `login lastfm`
        --follow belongs to `downloads` alone	--follow бывает только у самой команды `downloads`
        --follow is about whatever plays: name no track	--follow следит за тем, что играет: треков не называйте
        --format and --json exclude each other	--format и --json вместе не бывают
        --next belongs to `queue add`	--next бывает только у `queue add`
        --owner needs an id (negative for a group), a screen name, or the address of a page at VK	--owner: нужен номер (для группы — отрицательный), короткое имя или адрес страницы в VK
        --timeout needs a number of seconds, more than 0	--timeout: нужно число секунд больше 0
        --yes belongs to --delete: without it nothing is deleted	--yes бывает только вместе с --delete: без него ничего не удаляется
        /s	/с
        0 tracks added: they are in it already	ничего не добавлено: всё это в нём уже есть
        1 download waits and goes on by itself	ждёт 1 загрузка, она продолжится сама
        1 problem	1 неполадка
        1 track downloaded	Скачан 1 трек
        1 track failed	Не скачался 1 трек
        1, 2, 3 or 4 (Enter is 1, Ctrl-C leaves): 	1, 2, 3 или 4 (Enter — 1, Ctrl-C — выйти): 
        10 seconds back and forward	на 10 секунд назад и вперёд
        ; %1 of them were there already	; из них уже были там: {%1#}
        ; %1 will not be sent	; не будет отправлено: {%1}
        ; or open %1 and hand in the address it ends at	; или откройте %1 и передайте адрес, на котором всё закончится
        ; then it stopped: %1	; затем остановка: {%1}
        A cookies.txt or the JSON of a cookie extension does as well: its contents, or the name of its file.	Подойдёт и cookies.txt или JSON из расширения для cookie: его содержимое или имя файла.
        A part of the sound is too long.	Часть звука слишком велика.
        A plain number is minutes. The sound fades out first. The timer goes on while paused and ends with `stop`.	Просто число — это минуты. Сначала звук затихает. На паузе таймер идёт дальше, а с `stop` кончается.
        A play counts from 30 seconds or half a track on; the newest 10,000 are kept. Its rows are row numbers.	Прослушивание считается с 30 секунд или половины трека; хранятся последние 10 000. Строки годятся как номера.
        A playlist came instead of the sound.	Вместо звука пришёл плейлист.
        A web page came instead of the sound.	Вместо звука пришла веб-страница.
        AAC decoder	декодер AAC
        API key (it is not shown): 	Ключ API (его не видно): 
        Access was revoked in VK's settings; log in again	Доступ отозван в настройках VK; войдите снова
        Account and other services	Аккаунт и другие службы
        Address (it is not shown): 	Адрес (его не видно): 
        Address, then Enter (it is not shown): 	Адрес и Enter (на экране не видно): 
        Alone it goes on where it was, or starts the queue, or queues the profile (offline: My Music).	Без слов продолжает с того же места, или запускает очередь, или ставит в очередь профиль (без сети: мою музыку).
        An address with access_token= in it does as well. Add `--profile NAME` for a client other than VK's web page.	Подойдёт и адрес, в котором есть access_token=. Для клиента, кроме сайта VK, добавьте `--profile NAME`.
        An answer of the API came instead of the sound.	Вместо звука пришёл ответ API.
        Another code is on its way	Другой код уже в пути
        Answer (it is not shown): 	Ответ (его не видно): 
        Answer (it is not shown; Ctrl-C leaves it): 	Ответ (его не видно; Ctrl-C — отложить): 
        Asking VK whose account this is …	Спрашиваю VK, чей это аккаунт…
        Asks the nyand daemon. `nyanctl COMMAND --help` says how a command is used, with examples. TRACK is a VK id such as 123456_456239321 or its address at VK, a row number of the listing printed last, or, where a command only reads or plays, a text that selects tracks of the library; what is only played may be a file or an address.	Обращается к службе nyand. `nyanctl COMMAND --help` рассказывает о команде и приводит примеры. TRACK — номер в VK вроде 123456_456239321 или адрес в VK, номер строки последнего показанного списка, а где команда только читает или играет — текст, который выбирает треки библиотеки; если трек только играют, годится и файл или адрес.
        Broken pipe	канал оборван
        Bytes of the sound are missing.	Не хватает байтов звука.
        Cannot allocate memory	не хватает памяти
        Clear queue?	Очистить всё?
        Clear the queue?	Очистить очередь?
        Connection refused	соединение отвергнуто
        Cookies, pasted (they are not shown): 	Вставьте куки (их не видно): 
        Copy to folder: 	Скопировать в папку: 
        D-Bus activation	активация D-Bus
        Delete %1 (%2)?	Удалить {%1} (%2)?
        Delete file?	Удалить файл?
        Delete the file of “%1”?	Удалить файл «{%1~}»?
        Device or resource busy	устройство занято
        Disk quota exceeded	доля диска исчерпана
        Downloads	Загрузки
        Downloads and files	Загрузки и файлы
        Downloads failed	Загрузки не удались
        Downloads finished	Загрузки завершены
        Enter does it, Esc closes	Enter — сделать, Esc — закрыть
        Enter tries once more, Ctrl-C leaves: 	Enter — попробовать ещё раз, Ctrl-C — выйти: 
        Exit status 4: VK refused, or wants something from you.	Код завершения 4: VK отказал или чего-то от вас хочет.
        FILTER finds every track that has a word beginning with each of yours, in artist, title or album, in any order.	FILTER находит треки, где с каждого вашего слова начинается слово исполнителя, названия или альбома, в любом порядке.
        FLAC decoder	декодер FLAC
        File exists	такой файл уже есть
        File name too long	слишком длинное имя файла
        File too large	файл слишком велик
        Files are deleted only with --delete, and only those that nothing else wants. Without a terminal it needs --yes.	Файлы удаляются только с --delete, и лишь те, что больше ничему не нужны. Без терминала нужен --yes.
        Filter: 	Отбор: 
        GStreamer does not start	GStreamer не запускается
        GStreamer does not start: %1	GStreamer не запускается: {%1}
        HLS	HLS
        Host is down	сервер не отвечает
        How do you want to sign in to VK?	Как вы хотите войти в VK?
        ID is OWNER_ID, an address at VK, or a row of `playlists`. Deleting somebody else's only ends that you follow it.	ID — это OWNER_ID, адрес в VK или строка списка `playlists`. Удалить чужой — значит лишь отписаться от него.
        In VK's order, newest first, as it was read last. Rows of the listing can be used as TRACK in the next commands.	В порядке VK, новые сверху, как было прочитано в последний раз. Номера строк годятся как TRACK в следующих командах.
        In a browser on a computer, where you are signed in:	В браузере на компьютере, где вход выполнен:
        Input/output error	ошибка ввода-вывода
        Invalid argument	неверное значение
        Is a directory	это папка
        It also happens by itself (vk.sync-interval). A track leaves the list only when it was missing twice.	Это происходит и само (vk.sync-interval). Трек уходит из списка, только если его не было дважды.
        It holds over restarts, until `offline off`.	Действует и после перезапусков, пока не `offline off`.
        It is too early for another code: VK wants a minute between two	Для другого кода ещё рано: между двумя VK выдерживает минуту
        It is too late to restore this; add it again	Возвращать уже поздно; добавьте заново
        It works without nyand, too. Exit status 1 says that there is something to mend, 3 that nyand does not run.	Работает и без nyand. Код завершения 1 значит, что есть что исправить, 3 — что nyand не запущен.
        Its rows are numbers of their own, for `playlist`, `keep` and `download --playlist`.	У этого списка свои номера строк — для `playlist`, `keep` и `download --playlist`.
        Keys	Клавиши
        Last.fm asks to wait.	Last.fm просит подождать.
        Last.fm cannot read a listen (error %1).	Last.fm не может разобрать прослушивание (ошибка %1).
        Last.fm does not know this API key; look at it and `nyanctl scrobble login lastfm`	Last.fm не знает такого ключа API; проверьте его и запустите `nyanctl scrobble login lastfm`
        Last.fm does not know this login any more; `nyanctl scrobble login lastfm` makes a new one	Last.fm больше не знает этого входа; войдите снова: `nyanctl scrobble login lastfm`
        Last.fm gave no session.	Last.fm не открыл сеанса.
        Last.fm gave no token.	Last.fm не дал токена.
        Last.fm has suspended this API key; make another and `nyanctl scrobble login lastfm`	Last.fm отключил этот ключ API; создайте другой и запустите `nyanctl scrobble login lastfm`
        Last.fm has trouble (error %1).	У Last.fm неполадки (ошибка %1).
        Last.fm ignores it (%1)	Last.fm это не учитывает (%1)
        Last.fm ignores this artist	Last.fm не учитывает этого исполнителя
        Last.fm ignores this track	Last.fm не учитывает этот трек
        Last.fm takes nothing older than 14 days	Last.fm не берёт то, что старше 14 дней
        Last.fm wants an API account of your own: https://www.last.fm/api/account/create	Last.fm нужен ваш собственный аккаунт API: https://www.last.fm/api/account/create
        ListenBrainz does not know this token; copy it anew and `nyanctl scrobble login listenbrainz`	ListenBrainz не знает этого токена; скопируйте его заново и запустите `nyanctl scrobble login listenbrainz`
        Lists of music	Списки музыки
        MP3 decoder	декодер MP3
        Make folder?	Создать её?
        Music is playing	Играет музыка
        My Music	«Моя музыка»
        My Music: the finished downloads	«Моя музыка»: всё скачанное
        Next: `nyanctl profile` lists your tracks (the first reading may take a moment), `nyanctl play 1` plays the first, `nyanctl download 1` keeps it for offline	Дальше: `nyanctl profile` показывает ваши треки (первое чтение займёт немного времени), `nyanctl play 1` включает первый, `nyanctl download 1` сохраняет его для режима без сети
        No other code could be asked for	Другой код попросить не удалось
        No other code could be asked for (%1)	Другой код попросить не удалось ({%1})
        No other code was sent: %1	Другой код не отправлен: {%1}
        No secure connection to %1 could be made.	Не удалось установить защищённое соединение с %1.
        No secure connection to The server could be made.	Не удалось установить защищённое соединение с сервером.
        No secure connection to the server could be made.	Не удалось установить защищённое соединение с сервером.
        No space left on device	на устройстве нет места
        No such device	нет такого устройства
        No such device or address	нет такого устройства или адреса
        No such file or directory	нет такого файла или папки
        No track comes twice before all have played.	Ни один трек не повторится, пока не сыграют все.
        Not a directory	это не папка
        Nothing was changed. `nyanctl login` begins again.	Ничего не изменилось. `nyanctl login` начнёт сначала.
        One row number queues the whole listing that was printed last and starts there. Several words queue what each of them selects.	Один номер строки ставит в очередь весь последний показанный список и начинает с неё. Несколько слов ставят в очередь то, что выбирает каждое.
        Only a sample of %1 instead of %2.	Это лишь отрывок: %1 вместо %2.
        Open this page in a browser and allow it:	Откройте эту страницу в браузере и разрешите доступ:
        Open this page in a browser, sign in, allow it, and paste the address it ends at (…/blank.html#…):	Откройте эту страницу в браузере, войдите, разрешите доступ и вставьте адрес, на котором всё закончится (…/blank.html#…):
        OpenSSL here has no MD5, which Last.fm's signatures need	в этом OpenSSL нет MD5, а он нужен для подписей Last.fm
        Operation not permitted	это не разрешено
        Options of every command	Параметры всех команд
        Out of memory.	Не хватает памяти.
        Part %1 of %2	Часть {%1#} из {%2#}
        Part %1 of %2 cannot be had: %3	Часть {%1#} из {%2#} не получить: {%3}
        Password (it is not shown): 	Пароль (на экране не видно): 
        Password of %1 (not shown): 	Пароль для %1 (его не видно): 
        Paste it here, then Enter (it is not shown): 	Вставьте сюда и нажмите Enter (на экране не видно): 
        Permission denied	нет доступа
        Phone number, e-mail address or login at VK: 	Телефон, почта или логин в VK: 
        Profile	Профиль
        Queue	Очередь
        Read-only file system	файловая система только для чтения
        Remove it?	Убрать трек?
        Remove “%1” from the profile?	Убрать «{%1~}» из профиля?
        Search	Поиск
        Search VK: 	Искать в VK: 
        Secrets come from standard input and never stand in the command line: a terminal asks for them and does not show them. They are proved with a real call first; what VK refuses is not stored.	Секреты берутся из стандартного ввода и никогда не стоят в командной строке: терминал спрашивает их и не показывает. Сначала они проверяются настоящим вызовом; что VK отверг, не сохраняется.
        Shared secret (it is not shown): 	Секрет (его не видно): 
        Signed in as %1, %2 tracks	Вы вошли как %1, {%2|%2 трек|%2 трека|%2 треков}
        Space	Пробел
        Space pauses, the left and right arrows seek, up and down or + and - change the volume, n and p the track, s and r the order; 0 to 9 go to a tenth of the track. l adds what is shown to the profile, d downloads it, q ends the player and lets the music play.	Пробел — пауза, стрелки влево и вправо — перемотка, вверх и вниз или + и - — громкость, n и p — трек, s и r — порядок; цифры от 0 до 9 — десятые доли трека. l добавляет показанный трек в профиль, d скачивает его, q закрывает плеер, а музыка играет дальше.
        Stale file handle	файл пропал с сервера
        TERM is %1, which this system does not know; ncurses-term describes more terminals	TERM — %1, такого терминала система не знает; в пакете ncurses-term есть описания других
        TERM is not set: ui cannot know how to paint on this terminal	TERM не задана: ui не знает, как рисовать на этом терминале
        TEXT is the code or the letters that VK asks for; alone it asks for it and does not show what you type.	TEXT — код или буквы, которых просит VK; без него команда спросит сама и не покажет, что вы вводите.
        TIME is seconds, minutes and seconds (1:30), hours too (1:02:03), or a part of the track (50%).	TIME — секунды, минуты с секундами (1:30), часы тоже (1:02:03) или часть трека (50%).
        Takes ids and row numbers only, and says the id with which `restore` brings a track back.	Принимает только номера треков и строк и называет номер, по которому `restore` вернёт трек.
        Takes ids and row numbers only. The track stays in the VK profile.	Принимает только номера треков и строк. Из профиля VK трек не пропадёт.
        The VK status may not show music	VK не разрешает показывать музыку в статусе
        The address is not one of the web.	Это не адрес в интернете.
        The audio output is gone or does not answer, so playback is paused.	Звуковой выход пропал или не отвечает, поэтому воспроизведение на паузе.
        The call to VK was cancelled	Запрос к VK отменён
        The connection to %1 broke off.	Соединение с {%1} оборвалось.
        The connection to %1 failed (%2).	Соединение с {%1} не удалось (%2).
        The connection to %1 was closed after the machine slept.	Соединение с {%1} закрылось, пока компьютер спал.
        The connection to The server broke off.	Соединение с сервером оборвалось.
        The connection to The server failed (%1).	Соединение с сервером не удалось (%1).
        The connection to The server was closed after the machine slept.	Соединение с сервером закрылось, пока компьютер спал.
        The connection to the server broke off.	Соединение с сервером оборвалось.
        The connection to the server failed (%1).	Соединение с сервером не удалось (%1).
        The connection to the server was closed after the machine slept.	Соединение с сервером закрылось, пока компьютер спал.
        The file does not have the length it should have.	Длина файла не та, что нужна.
        The file has tags but no sound.	В файле есть теги, но нет звука.
        The files are ordinary tagged ones in the folder My Music (downloads.directory). It ends at once; --wait waits, and then exit status 1 says that something failed.	Файлы обычные, с тегами, в папке «Моя музыка» (downloads.directory). Команда кончается сразу; --wait ждёт, и тогда код завершения 1 значит, что что-то не удалось.
        The key of this sound is not a key.	Ключ этого звука негоден.
        The library libcurl.so.4 cannot be loaded: install libcurl4, or restart nyand if it was just upgraded.	Библиотека libcurl.so.4 не загружается: установите libcurl4 или, если её только что обновили, перезапустите nyand.
        The list is full	Список полон
        The list of playlists keeps changing while it is read	Список плейлистов меняется, пока мы его читаем
        The name %1 cannot be found.	Не удаётся найти сервер %1.
        The owner does not show this music	Владелец не показывает эту музыку
        The owner of this music is deleted or banned at VK	Владелец этой музыки удалён или заблокирован в VK
        The playlist is full (VK error 300)	Плейлист полон (ошибка VK 300)
        The playlist is too long.	Плейлист слишком длинный.
        The playlist keeps changing while it is read	Плейлист меняется, пока мы его читаем
        The playlist of this sound has a broken %1.	В плейлисте этого звука испорчен %1.
        The playlist of this sound has a broken address.	В плейлисте этого звука испорчен адрес.
        The playlist of this sound is cut short.	Плейлист этого звука обрывается.
        The playlist of this sound is empty.	Плейлист этого звука пуст.
        The playlist of this sound leads to no sound.	Плейлист этого звука не ведёт к звуку.
        The profile keeps changing while it is read. Nothing was changed here.	Профиль меняется, пока мы его читаем. Здесь всё осталось как было.
        The program itself	Сама программа
        The proxy asks for a name and a password.	Прокси требует имя и пароль.
        The proxy would not connect to %1.	Прокси не соединяет с %1.
        The proxy's name cannot be found.	Не удаётся найти прокси-сервер.
        The request was called off.	Запрос отменён.
        The server	Сервер
        The server could not prove who it is; its certificate is not trusted.	Подлинность сервера не подтверждена: сертификату нельзя доверять.
        The server gives another file every time.	Сервер каждый раз отдаёт другой файл.
        The server has trouble (%1).	У сервера неполадки (%1).
        The server sent more than it announced.	Сервер прислал больше, чем обещал.
        The sound ended before it began.	Звук кончился, не начавшись.
        The sound ended when it had hardly begun.	Звук кончился, едва начавшись.
        The sound is %1 long, not %2 as VK says.	Звук длится %1, а не %2, как говорит VK.
        The sound is cut off: %1 of %2 frames came.	Звук обрывается: пришло %1 из {%2|%2 кадра|%2 кадров|%2 кадров}.
        The sound is cut off: %1 of %2.	Звук обрывается: %1 из %2.
        The sound is cut off: %1 of the %2 in its playlist.	Звук обрывается: %1 из %2, обещанных плейлистом.
        The sound is damaged in %1 places (%2 bytes).	Звук повреждён в {%1|%1 месте|%1 местах|%1 местах} ({%2|%2 байт|%2 байта|%2 байт}).
        The sound is damaged in one place (%1 bytes).	Звук повреждён в одном месте ({%1|%1 байт|%1 байта|%1 байт}).
        The sound is of a kind nyand cannot take from a playlist (%1).	nyand не умеет брать из плейлиста звук такого вида (%1).
        The sound is too long for an MP4 file.	Звук слишком длинный для файла MP4.
        The token has expired; log in again	Токен истёк; войдите снова
        The token is an anonymous one; log in with your own	Это анонимный токен; войдите со своим
        The token of a VK client: letters, digits, . _ and -, often beginning with vk1.a.	Токен клиента VK: буквы, цифры, . _ и -, часто начинается с vk1.a.
        The token wants signed calls; log in with a token made without nohttps	Токену нужны подписанные вызовы; войдите с токеном, полученным без nohttps
        The token was made for another network address; log in again on this machine	Токен выдан для другого сетевого адреса; войдите снова на этой машине
        There is no VK API at this address (HTTP %1): check vk.api-url	По этому адресу нет VK API (HTTP %1): проверьте vk.api-url
        There is no VK account: log in with nyanctl login	Аккаунта VK нет: войдите через nyanctl login
        There is no folder “%1”. Make it?	Папки «{%1~}» нет. Создать её?
        There is nothing to search for	Искать нечего
        These are cookies: they are taken as such.	Это cookie: так они и будут приняты.
        This VK account is deleted or banned	Этот аккаунт VK удалён или заблокирован
        This VK profile is private	Этот профиль VK закрыт
        This VK user or service is switched off	Этот пользователь или сервис VK отключён
        This is an address with a token in it: it is taken as such.	Это адрес с токеном: так он и будет принят.
        This is not a person's token; log in with your own	Это не пользовательский токен; войдите со своим
        This is the name of a file: it is read.	Это имя файла: читаю его.
        This kind of AAC cannot be kept as a file.	AAC такого вида нельзя сохранить файлом.
        This looks like a token: it is taken as one.	Это похоже на токен: так он и будет принят.
        This part of VK is closed for now	Эта часть VK пока закрыта
        This sound needs %1, which is not supported.	Такой звук не поддерживается: {%1}.
        This token may not do that at VK	Этому токену такое в VK не разрешено
        This token's client no longer has music at VK; log in another way	Клиенту этого токена VK больше не даёт музыку; войдите другим способом
        Token (it is not shown): 	Токен (его не видно): 
        Token from listenbrainz.org/settings (it is not shown): 	Токен с listenbrainz.org/settings (его не видно): 
        Token, then Enter (it is not shown): 	Токен и Enter (на экране не видно): 
        Too many actions today; go on tomorrow	На сегодня действий слишком много; продолжите завтра
        Too many logins; wait some hours	Слишком много входов; подождите несколько часов
        Too many logins; wait some hours (VK error 1105)	Слишком много входов; подождите несколько часов (ошибка VK 1105)
        Too many open files	открыто слишком много файлов
        Transport endpoint is not connected	связь с диском потеряна
        Unknown	Неизвестно
        Untitled	Без названия
        Up to 1000 tracks, in VK's order. What is found can be played, added and downloaded by its row.	До 1000 треков, в порядке VK. Найденное можно слушать, добавлять и скачивать по номеру строки.
        VK answered something that is no answer of its API	VK ответил чем-то, что не похоже на ответ его API
        VK answered with its placeholder track: token and User-Agent do not match; log in with the token's profile	VK ответил треком-заглушкой: токен и User-Agent не подходят друг к другу; войдите с профилем этого токена
        VK asks for one thing after another: log in another way	VK просит одно за другим: войдите другим способом
        VK asks nothing at present	VK сейчас ни о чём не спрашивает
        VK asks to wait (HTTP 429)	VK просит подождать (HTTP 429)
        VK asks: “%1”	VK спрашивает: «%1»
        VK calls this client profile too old: change its user-agent and version	VK считает этот клиентский профиль устаревшим: смените его user-agent и version
        VK could not run the call	VK не смог выполнить вызов
        VK could not save this	VK не смог это сохранить
        VK denies access to this	VK не даёт к этому доступа
        VK denies access to this list	VK не даёт доступа к этому списку
        VK did not say whether the playlist was made: look with `nyanctl playlists` before you try again (%1)	VK не сказал, создан ли плейлист: проверьте `nyanctl playlists`, прежде чем пробовать снова ({%1})
        VK did not take %1 answers in a row: wait a while, then try again	VK отклонил ответы {%1|%1 раз|%1 раза|%1 раз} подряд: подождите немного и попробуйте снова
        VK did not take that answer	VK не принимает этот ответ
        VK did not take that code	VK не принял этот код
        VK did not take the code; ask for a new one	VK не принял код; попросите новый
        VK does not accept a part of the call	VK не принимает часть вызова
        VK does not accept an id or a text of the call	VK не принимает номер или текст в вызове
        VK does not accept the token; log in again	VK не принимает токен; войдите снова
        VK does not accept this name and password; too many wrong ones lock the account	VK не принимает это имя и пароль; после многих неверных аккаунт блокируют
        VK does not give this client what it asks for (check scope)	VK не даёт этой программе того, что она просит (проверьте scope)
        VK does not give this track now	VK сейчас не отдаёт этот трек
        VK does not know or has banned this user, group or client	VK не знает этого пользователя, группы или клиента, или они заблокированы
        VK does not know this token; check that it was copied whole and log in again	VK не знает этого токена; проверьте, целиком ли он скопирован, и войдите снова
        VK does not let this client in (check client-id)	VK не пускает эту программу (проверьте client-id)
        VK does not let this track be added	VK не разрешает добавить этот трек
        VK does not open this playlist to you: it is private, somebody else's, or needs the key that its address has (VK error %1)	VK не открывает вам этот плейлист: он закрыт, он чужой, или нужен ключ из его адреса (ошибка VK %1)
        VK does not say whose token this is; log in with your own	VK не говорит, чей это токен; войдите со своим
        VK does not serve this network address	VK не обслуживает этот сетевой адрес
        VK does not take the browser session's cookies; if that stays so, sign in to VK in the browser again and then run `nyanctl login --cookies`	VK не принимает куки сеанса браузера; если так и останется, войдите в VK в браузере ещё раз и запустите `nyanctl login --cookies`
        VK does not take this file	VK не берёт этот файл
        VK ended this session (password changed, or logged out everywhere); log in again	VK завершил этот сеанс (сменился пароль или был выход отовсюду); войдите снова
        VK found the call malformed: the profile's version may not fit this token	VK счёл вызов неверным: version профиля может не подходить этому токену
        VK gave another token with that confirmation: hand the same address in with `nyanctl login --url`	с этим подтверждением VK дал другой токен: передайте тот же адрес через `nyanctl login --url`
        VK gave no answer: y asks again	VK не ответил: y спросит ещё раз
        VK gives no sound for it now: taken away by its owner, or not for this country or account	VK сейчас его не отдаёт: трек убрал владелец, или он не для этой страны или аккаунта
        VK gives no sound for this track	VK не отдаёт этот трек
        VK gives only a short sample of it: the whole track needs a VK subscription	VK отдаёт только короткий отрывок: для целого трека нужна подписка VK
        VK gives only a spoken notice instead of it	VK отдаёт вместо него только голосовое объявление
        VK got no token; log in again	VK не получил токена; войдите снова
        VK has blocked this	VK это заблокировал
        VK has blocked this account	VK заблокировал этот аккаунт
        VK has had too many logins of this account: wait some hours, more tries only make it longer	у этого аккаунта VK было слишком много входов: подождите несколько часов, новые попытки только продлят ожидание
        VK has no other code to send	VK больше некуда прислать код
        VK has not made this yet	VK этого ещё не сделал
        VK has switched this token's client off; log in another way	VK отключил клиент этого токена; войдите другим способом
        VK has trouble of its own; try again later	У VK свои неполадки; попробуйте позже
        VK is not reachable; they go on by themselves	VK недоступен; загрузки продолжатся сами
        VK keeps %1 from this login's client (VK error %2 at %3)	VK не даёт клиенту этого входа {%1} (ошибка VK %2 в %3)
        VK keeps this from the token's kind of client; log in another way	VK не даёт этого клиентам такого вида; войдите другим способом
        VK knows no such playlist (VK error 104)	VK не знает такого плейлиста (ошибка VK 104)
        VK knows no track %1	VK не знает трека %1
        VK knows nobody by the name “%1”	VK не знает никого по имени «%1»
        VK knows nothing of this	VK об этом ничего не знает
        VK makes this playlist itself: nobody can change it	этот плейлист VK составляет сам: изменить его нельзя
        VK no longer has this track	у VK больше нет этого трека
        VK protects the account from this client: allow it under VK ID, Security, suspicious apps	VK защищает аккаунт от этой программы: разрешите её в VK ID, «Безопасность», «Подозрительные приложения»
        VK protects the account from this client: confirm it in VK ID, Security, suspicious apps	VK защищает аккаунт от этой программы: подтвердите её в VK ID, «Безопасность», «Подозрительные приложения»
        VK recommends nothing like this track (VK error 104)	VK не знает ничего похожего на этот трек (ошибка VK 104)
        VK recommends nothing now	VK сейчас ничего не советует
        VK recommends only what is like its own tracks	VK советует только похожее на свои треки
        VK refused this call	VK отклонил этот вызов
        VK refuses a code it did not ask for	VK отклонил код, которого не просил
        VK refuses this action	VK отклоняет это действие
        VK refuses this login: %1	VK отказывает во входе: {%1}
        VK restored %1 but does not describe it; sync to see it	VK вернул %1, но не описывает его; синхронизируйте, чтобы увидеть
        VK restricts it for this account or country (VK's reason %1)	VK ограничил его для этого аккаунта или страны (причина VK %1)
        VK says the calls come too fast	VK говорит, что вызовы идут слишком часто
        VK sends another code in %1 s	VK пришлёт другой код через {%1|%1 секунду|%1 секунды|%1 секунд}
        VK sent something that is no playlist.	VK прислал не плейлист.
        VK showed only %1 of the %2 tracks it counts. Nothing was removed.	VK показал только %1 из {%2|%2 трека|%2 треков|%2 треков}, которые насчитал. Ничего не удалено.
        VK suddenly shows no playlist where there were %1	VK вдруг не показывает ни одного плейлиста там, где было %1
        VK suddenly shows no track of a playlist that had %1	VK вдруг не показывает ни одного трека в плейлисте, где было %1
        VK suddenly shows no track where there were %1. Nothing was removed. If the profile was really emptied, log out and in again.	VK вдруг не показывает ни одного трека там, где было %1. Ничего не удалено. Если вы сами очистили профиль, выйдите и войдите снова.
        VK suddenly shows one track where there were %1. Nothing was removed. If the profile was really emptied, log out and in again.	VK вдруг показывает один трек там, где было %1. Ничего не удалено. Если вы сами очистили профиль, выйдите и войдите снова.
        VK took the answer: %1 added to the profile%2	VK принял ответ: в профиль добавлено: %1{%2}
        VK took the answer: %1 tracks, %2 new, %3 removed	VK принял ответ: {%1|%1 трек|%1 трека|%1 треков}, {%2|%2 новый|%2 новых|%2 новых}, {%3|%3 удалён|%3 удалено|%3 удалено}
        VK took the answer; what waited for it is done	VK принял ответ; то, что его ждало, сделано
        VK wanted %1 and nobody answered within %2 minutes: try again	VK просил {%1}, но ответа не было {%2|%2 минуту|%2 минуты|%2 минут}: попробуйте ещё раз
        VK wants %1	VK просит {%1}
        VK wants %1 (%2): `nyanctl answer CODE`; `nyanctl answer resend` sends another%3	VK ждёт {%1} (%2): `nyanctl answer CODE`; `nyanctl answer resend` пришлёт ещё один{%3}
        VK wants %1, and names no page of its own for it: log in another way	VK просит {%1}, но своей страницы для этого не называет: войдите другим способом
        VK wants %1: `nyanctl answer CODE`; `nyanctl answer resend` sends another%2	VK ждёт {%1}: `nyanctl answer CODE`; `nyanctl answer resend` пришлёт ещё один{%2}
        VK wants a captcha: open %1 and hand in its letters: `nyanctl answer LETTERS`	VK просит пройти капчу: откройте %1 и введите буквы с картинки: `nyanctl answer LETTERS`
        VK wants a captcha: use VK in a browser for a while, then try again	VK просит пройти капчу: побудьте в VK через браузер, затем попробуйте снова
        VK wants a confirmation from you	VK ждёт от вас подтверждения
        VK wants a confirmation from you: open VK in a browser, then try again	VK ждёт от вас подтверждения: откройте VK в браузере, затем попробуйте снова
        VK wants https: check vk.api-url	VK требует https: проверьте vk.api-url
        VK wants the token renewed; log in again	VK просит обновить токен; войдите снова
        VK wants this action confirmed	VK просит подтвердить это действие
        VK wants this action confirmed in a browser or its app	VK просит подтвердить это действие в браузере или в приложении
        VK wants this login confirmed: open %1 in a browser, and hand in the address it ends at (…/blank.html#…): `nyanctl answer`	VK просит подтвердить вход: откройте %1 в браузере и передайте адрес, на котором всё закончится (…/blank.html#…): `nyanctl answer`
        VK wants this login confirmed: open VK in a browser, then log in again	VK просит подтвердить вход: откройте VK в браузере, затем войдите снова
        VK wants to see that you are no robot: open %1 in a browser with its network tools (F12) on, pass the check, and hand in the success_token of the page's last answer: `nyanctl answer TOKEN`; a login by `nyanctl login --cookies` meets this less often	VK проверяет, что вы не робот: откройте %1 в браузере с инструментами сети (F12), пройдите проверку и передайте success_token из последнего ответа страницы: `nyanctl answer TOKEN`; вход через `nyanctl login --cookies` встречает это реже
        VK's flood control stopped %1; it may be tried again %2 (VK error 9)	защита VK от частых вызовов остановила %1; попробовать снова можно {%2} (ошибка VK 9)
        VK's flood control stopped this action; wait some minutes	Защита VK от частых вызовов остановила это действие; подождите несколько минут
        VK's limit for %1 is used up; it opens again %2 (VK error 29)	лимит VK на %1 исчерпан; снова можно {%2} (ошибка VK 29)
        VK's limit for this is used up; it opens again within the hour	Лимит VK на это исчерпан; снова можно будет в течение часа
        VK's list of playlists does not end	Список плейлистов у VK не кончается
        VK's list of the profile does not end. Nothing was changed here.	Список профиля у VK не кончается. Здесь всё осталось как было.
        VK's login service answered something that is no token; the login is kept	служба входа VK ответила не токеном; вход сохранён
        VK's media server	медиасервер VK
        VK's media server refuses this track, also with a fresh address	медиасервер VK не отдаёт этот трек даже по свежему адресу
        VK's page ended with %1	страница VK закончилась ошибкой: {%1}
        VK's page said: %1 (%2)	страница VK ответила: %1 (%2)
        VK's server answered with HTTP status %1	Сервер VK ответил кодом HTTP %1
        VK's server is in trouble (HTTP %1)	У сервера VK неполадки (HTTP %1)
        VK's server refuses this machine or client (HTTP %1)	Сервер VK отказывает этой машине или программе (HTTP %1)
        VK's web client takes no passwords: add --profile marusia, or --profile android with its client-secret set; `nyanctl login --cookies` needs no password at all	веб-клиент VK не берёт паролей: добавьте --profile marusia или --profile android с его client-secret; `nyanctl login --cookies` обходится без пароля
        What came is %1, not MP3.	Пришло {%1}, а не MP3.
        What came is no AAC.	Пришло не AAC.
        What came is no MP3.	Пришло не MP3.
        What is here plays without a network.	Что здесь есть, играет без сети.
        What plays	Что играет
        What was not downloaded yet is named; the rest is copied all the same.	Что ещё не скачано, будет названо; остальное всё равно копируется.
        With --follow a line is printed at once and then one per change; it waits for nyand when nyand goes away, and ends with whoever reads it.	С --follow печатается строка сразу и ещё по одной на каждую перемену; если nyand пропадёт, команда его дождётся, а кончится вместе с тем, кто её читает.
        With --follow a terminal shows the words around the line that is sung; anywhere else each line is printed when it is sung.	С --follow терминал показывает слова вокруг той строки, которую поют; в остальных местах каждая строка печатается, когда её поют.
        With shuffle on it goes back the way it came.	Вперемешку идёт назад тем же путём.
        Words of --format, in braces: state, artist, title, album, id, position, duration, left, percent, buffered, volume, shuffle, repeat, queue, sleep, output, problem, cover. Ready-made forms: @waybar, @i3blocks, @polybar, @tmux.	Слова для --format, в фигурных скобках: state, artist, title, album, id, position, duration, left, percent, buffered, volume, shuffle, repeat, queue, sleep, output, problem, cover. Готовые форматы: @waybar, @i3blocks, @polybar, @tmux.
        You are signed in already; a new login replaces that one.	Вход уже выполнен; новый заменит прежний.
        Your VK profile and playlists	Ваш профиль VK и плейлисты
        [profile.%1] in nyand.conf	[profile.%1] в nyand.conf
        ^a file name cannot contain /	: в имени файла не может быть /
        ^is not UTF-8 or has a backslash before a wrong letter (\\\\ stands for one)	: это не UTF-8, или обратная косая черта стоит перед неверной буквой (сама она пишется \\\\)
        ^is not a known key	: такого ключа нет
        ^is not a known key, nor is its group	: нет ни такого ключа, ни такого раздела
        ^is not a known key; there is %1	: такого ключа нет; есть %1
        ^knows only {artist}, {title}, {album} and {id} in braces	: допускаются только {artist}, {title}, {album} и {id} в фигурных скобках
        ^must be %1	: нужно {%1}
        ^must be a number	: нужно число
        ^must be a size such as 500k, 10M or 1G	: нужен размер, например 500k, 10M или 1G
        ^must be a time such as 90s, 30min or 1h	: нужно время, например 90s, 30min или 1h
        ^must be a whole number from %1 to %2	: нужно целое число от %1 до %2
        ^must be an API version such as 5.131	: нужна версия API, например 5.131
        ^must be an absolute path, or start with ~/	: нужен полный путь или путь от ~/
        ^must be an http or https address such as https://api.vk.ru/method	: нужен адрес http или https, например https://api.vk.ru/method
        ^must be off or at least 1k	: нужно off или не меньше 1k
        ^must be off or from 1s to 30d	: нужно off или от 1s до 30d
        ^must be one of %1	: нужно одно из: %1
        ^must be set	: нужно задать
        ^must be the name of a profile	: нужно имя профиля
        ^must be true or false	: нужно true или false
        ^must not be empty	: нужно значение
        ^must not hold control characters	: управляющие символы недопустимы
        ^needs {title} or {id}, or all tracks would have one name	: нужно {title} или {id}, иначе у всех треков будет одно имя
        `?` shows its keys, q leaves it and lets the music play.	`?` показывает клавиши, q закрывает, а музыка играет дальше.
        `journalctl --user -u nyand -n 20` says why	почему — скажет `journalctl --user -u nyand -n 20`
        `nyanctl COMMAND --help` says the same.	`nyanctl COMMAND --help` говорит то же самое.
        `nyanctl help` lists the commands	`nyanctl help` покажет все команды
        `nyanctl login` lists the ways to sign in	`nyanctl login` перечислит способы входа
        `nyanctl login` signs in again	войдите снова: `nyanctl login`
        `nyanctl offline off` ends it	выключить: `nyanctl offline off`
        `nyanctl reload` reads it again	`nyanctl reload` прочитает его снова
        `nyanctl status` shows when it is over	`nyanctl status` покажет, когда это пройдёт
        `systemctl --user enable --now nyand`	`systemctl --user enable --now nyand`
        `systemctl --user restart nyand`	`systemctl --user restart nyand`
        `systemctl --user start nyand`	`systemctl --user start nyand`
        `systemctl --user unmask nyand`	`systemctl --user unmask nyand`
        a captcha	пройти капчу
        a check that you are no robot	подтвердить, что вы не робот
        a code	ввести код
        a code of your authenticator app	код из приложения для двухфакторной защиты
        a confirmation	подтвердить действие
        a confirmation from you	подтверждение
        a file is named by its whole path, from / on	у файла нужен полный путь, начиная с /
        a file, then an address	файл, потом адрес
        a folder has a name	у папки должно быть имя
        a folder is named by its whole path, from / on	у папки нужен полный путь, начиная с /
        a friend's or group's: id, name or address	друга или группы: номер, имя или адрес
        a hundred of one artist	сотня треков одного исполнителя
        a line at once and one per change	строка сразу и по строке на каждое изменение
        a list of what can be done with the row	что можно сделать со строкой
        a little softer	немного тише
        a page up and down	на страницу вверх и вниз
        a playlist	плейлист
        a playlist needs a title	плейлисту нужно название
        a playlist of this length	плейлист такой длины
        a segment was called done before its bytes were written	часть названа готовой раньше, чем записаны её байты
        a setting is wrong: `nyand` in a terminal names file and line	ошибка в настройках: `nyand` в терминале назовёт файл и строку
        a start ended before it was read	прошлый запуск оборвался, не прочитав файл
        a tab by its number	вкладка по номеру
        a token has only Latin letters, digits and . _ - in it: copy it alone and whole	в токене только латинские буквы, цифры и . _ -: скопируйте его одного и целиком
        a token is one word: more than the token was copied, or it was broken into lines	токен — одно слово: скопировано лишнее, или он разбит на строки
        a track in it has no number	у трека в нём нет номера
        a validation	подтвердить вход
        absent	nyand не запущен
        access was refused on VK's page	вы отказали в доступе на странице VK
        account	аккаунт
        add needs a track	add: какой трек?
        add to the profile	добавить в профиль
        add what plays to the profile	добавить в профиль то, что играет
        add: right after the current track	add: сразу после того, что играет
        added	добавлено
        added to the profile	добавлено в профиль
        after a change of nyand.conf	после правки nyand.conf
        all %1 already there	{%1|%1 трек уже есть|все %1 уже есть|все %1 уже есть}
        all files, newest first	все файлы, новые сверху
        all of them	все сразу
        all that you have saved	всё, что вы сохранили
        all well	всё в порядке
        allow yourself to use it, or choose another folder	откройте себе доступ к ней или выберите другую папку
        already in the profile	уже в профиле
        already there	уже скачано
        always offline, also what is added later; alone: what is kept	всегда хранить на диске, и новое тоже; без слов — показать, что хранится
        an API key and its shared secret are wanted, one a line, from last.fm/api/account/create	нужны ключ API и его секрет, каждый на своей строке, со страницы last.fm/api/account/create
        an action in a browser	выполнить действие в браузере
        an answer is being tried already: wait for what VK says	один ответ уже проверяется: дождитесь, что скажет VK
        an empty text is no track	пустой текст — не трек
        an error	ошибка
        an index of "%1" was damaged (%2) and was made anew	индекс в «%1» был повреждён (%2) и создан заново
        and %1 more	и ещё {%1#}
        and its files go	и файлы удаляются
        another import is running: wait until it is done	уже идёт другой импорт: дождитесь его конца
        another login came in between	за это время выполнен другой вход
        another login or logout came in between	тем временем был другой вход или выход
        another nyand was running: end that	уже работал другой nyand: завершите его
        another program has nyand's plain MPRIS name; this one is %1	обычное имя MPRIS занято другой программой; этот nyand называется %1
        any key closes	любая клавиша закроет
        anybody's, by its address	чей угодно, по адресу
        asking VK …	спрашиваю VK…
        asks for your token	спросит ваш токен
        audio.sink names an output that does not need it	выходу из audio.sink он не нужен
        audio.sink=%1 cannot be used: %2	audio.sink=%1 не годится: {%2}
        auto, keyring or file	auto, keyring или file
        back again	снова с сетью
        back to the start, or to the track before	к началу трека или к предыдущему
        back: %1	вернулся: {%1~}
        banned	страница заблокирована
        begin again at the end	в конце начать сначала
        buffered %1 %	загружено %1 %
        buffering	подгружается
        bus names	имена на шине
        by a password	по паролю
        by a password, which is not kept	паролем; он не хранится
        by artist only	только по исполнителю
        cache disk	диск кэша
        cancel the download	отменить загрузку
        cancelled	отменено
        cannot %1 "%2" in %3: %4	не удаётся {%1} «%2» в %3: {%4}
        cannot be opened: %1	не открывается: {%1}
        cannot be read	не читается
        cannot make the file's tags	не удаётся составить теги файла
        cannot use %1: %2	не удаётся работать с {%1}: {%2}
        cannot write down which bytes of a copy are there	не удаётся записать, какие байты копии уже есть
        changed: %1	изменился: {%1~}
        check the connection, network.proxy and the machine's clock; My Music plays without it	проверьте соединение, network.proxy и часы машины; «Моя музыка» играет и без сети
        clear takes no words	clear: больше ничего не нужно
        clear the queue	очистить очередь
        closed group	закрытая группа
        closed profile	закрытый профиль
        connect it again; then `nyanctl play` goes on	подключите снова; затем `nyanctl play` продолжит
        consent was not given yet on Last.fm's page	на странице Last.fm доступ ещё не разрешён
        cookies	куки браузера
        copy files of My Music out under readable names	скопировать файлы из «Моей музыки» под понятными именами
        copy its file into a folder	скопировать файл в папку
        copy the downloaded file into a folder	скопировать скачанный файл в папку
        correct audio.sink, or set it to auto, and restart nyand	исправьте audio.sink или задайте auto и перезапустите nyand
        correct it: nyand goes on with what it read before, and would not start again	исправьте: nyand живёт по прежним настройкам, но заново уже не запустится
        create	создать
        create needs a title	create: нужно название
        delete	удалить
        delete needs one playlist	delete: нужен один плейлист
        delete the downloaded file	удалить скачанный файл
        delete the files that only this rule brought; a terminal asks first	удалить файлы, которые появились только из-за этого правила; в терминале сначала спросит
        delete the local file; the VK profile stays	удалить файл; в профиле VK трек останется
        delete without asking	удалить, не спрашивая
        deleted	страница удалена
        deleted %1 file, %2 freed	{%1|удалён %1 файл|удалено %1 файла|удалено %1 файлов}, освободилось %2
        deleted %1 files, %2 freed	{%1|удалён %1 файл|удалено %1 файла|удалено %1 файлов}, освободилось %2
        deleted %1, %2 freed	удалено: {%1}, освободилось %2
        done	готово
        download	скачать
        download finished	скачано
        download needs one of: tracks, --all, --playlist ID, --matching TEXT	download: нужно что-то одно: треки, --all, --playlist ID или --matching TEXT
        download paused	загрузка приостановлена
        download waiting: %1	загрузка ждёт: %1
        download, or try again	скачать или попробовать снова
        downloading %1	скачивается %1
        downloads has no verb “%1”	у downloads нет действия «%1»
        drop two positions	убрать два места
        enabled	включена
        enabled, and nyand runs under it	включена, и nyand работает под ней
        encryption %1	шифрование %1
        end it, then `systemctl --user enable --now nyand`	завершите его, затем `systemctl --user enable --now nyand`
        end the other nyand: `nyanctl` and scripts may reach the wrong one	завершите другой nyand: `nyanctl` и скрипты могут попасть не к тому
        end the sound	прекратить звук
        end the sound; the queue stays	остановить; очередь останется
        end when they are done or have failed	закончить, когда всё скачано или не удалось
        error	ошибка
        error %1	ошибка %1
        every element that sound needs is installed	всё, что нужно для звука, установлено
        everything that failed	всё, что не удалось
        everything that is not finished	всё, что не закончено
        everything you have saved, now and later	всё, что вы сохранили и ещё сохраните
        exit status: 0 done, 1 failed, 2 wrong usage, 3 nyand is not running, 4 not signed in, 5 no such track or position, 6 network or VK not reachable, 7 no answer in time	код завершения: 0 сделано, 1 не удалось, 2 неверная команда, 3 nyand не запущен, 4 вход не выполнен, 5 нет такого трека или места, 6 сеть или VK недоступны, 7 ответа не дождались
        exported	скопировано
        exported %1 file, %2	{%1|скопирован %1 файл|скопировано %1 файла|скопировано %1 файлов}, %2
        exported %1 file, %2, into %3	{%1|скопирован %1 файл|скопировано %1 файла|скопировано %1 файлов}, %2, в {%3~}
        exported %1 files, %2	{%1|скопирован %1 файл|скопировано %1 файла|скопировано %1 файлов}, %2
        exported %1 files, %2, into %3	{%1|скопирован %1 файл|скопировано %1 файла|скопировано %1 файлов}, %2, в {%3~}
        failed	не удалось
        failed: %1: %2	не удалось: {%1~}: {%2}
        files and addresses can only be played	файлы и адреса можно только играть
        files and queue stay	файлы и очередь остаются
        files in %1 may not become so large (ulimit -f, or the disk's own limit): raise it	файлам в %1 нельзя быть такими большими (ulimit -f или предел самого диска): поднимите предел
        filter	отбор
        find tracks	найти треки
        followed	подписка
        for a key of the keyboard	для клавиши на клавиатуре
        for a script	для сценария
        for a status bar	для строки состояния
        for example:	например:
        for you	для вас
        forget the account; finished downloads stay	забыть аккаунт; скачанное останется
        free some room	освободите место
        free some room, or lower cache.size	освободите место или уменьшите cache.size
        free some room, or name another folder in downloads.directory; downloads then go on by themselves	освободите место или укажите другую папку в downloads.directory; загрузки продолжатся сами
        given up, as you said	отменено, как вы и сказали
        go on	продолжить
        go to 90, 1:30, +10, -10 or 50%	перейти к 90, 1:30, +10, -10 или 50%
        go to what plays	к тому, что играет
        gone from the profile: %1	пропал из профиля: {%1~}
        hand in what VK asks for with `nyanctl answer`	передайте то, чего ждёт VK, командой `nyanctl answer`
        hand in what VK asks for, as status tells	передать то, чего ждёт VK (скажет status)
        has no column named	нет столбца с именем
        hear row 5 after this track	услышать строку 5 после этого трека
        help	справка
        hint: %1	подсказка: {%1}
        hint: `nyanctl doctor` says what is missing and how to get it	подсказка: `nyanctl doctor` скажет, чего не хватает и где это взять
        hint: `nyanctl downloads --follow` shows how far they are	подсказка: `nyanctl downloads --follow` показывает, как идут загрузки
        hint: `nyanctl login` signs you in to VK, step by step	подсказка: `nyanctl login` шаг за шагом проведёт через вход в VK
        hint: `nyanctl play 1` plays from row 1 on, `nyanctl download 1` keeps row 1 for offline	подсказка: `nyanctl play 1` играет со строки 1, `nyanctl download 1` сохраняет строку 1 для режима без сети
        hint: the media keys work, too; `nyanctl player` shows what plays and takes keys	подсказка: работают и мультимедийные клавиши; `nyanctl player` показывает, что играет, и слушается клавиш
        hold all of them	приостановить все
        hold the sound	поставить на паузу
        hold the sound here	остановить звук на этом месте
        how `queue` is used	как пользоваться `queue`
        how far they are	как далеко они продвинулись
        how long to wait for the daemon's answer	сколько ждать ответа службы
        how many at most (30)	сколько показать, не больше (30)
        id %1	id %1
        imported	импортировано
        imported %1 file	{%1|импортирован %1 файл|импортировано %1 файла|импортировано %1 файлов}
        imported %1 files	{%1|импортирован %1 файл|импортировано %1 файла|импортировано %1 файлов}
        importing %1 of %2	импорт: {%1#} из {%2#}
        in %1 minutes	через {%1|%1 минуту|%1 минуты|%1 минут}
        in an hour and a half	через полтора часа
        install %1	установите %1
        install gnome-keyring, or use KWallet or KeePassXC, %1	установите gnome-keyring, возьмите KWallet или KeePassXC {%1}
        install gstreamer1.0-plugins-base and gstreamer1.0-plugins-good	установите gstreamer1.0-plugins-base и gstreamer1.0-plugins-good
        install nyand	установите nyand
        install nyand again, then `systemctl --user daemon-reload`	установите nyand снова, затем `systemctl --user daemon-reload`
        install pipewire-pulse (or pulseaudio), and %1	установите pipewire-pulse (или pulseaudio), затем {%1}
        installed and %1, but this nyand was started by hand	установлена ({%1}), но этот nyand запущен вручную
        installed and enabled	установлена и включена
        installed, not enabled: nyand does not start with the session	установлена, но не включена: nyand не запускается вместе с сеансом
        is a text and no sound	это текст, а не звук
        is empty	пуст
        is its disk still there?	на месте ли её диск?
        is now the file of %1	теперь файл трека %1
        it answers	отвечает
        it answers and is unlocked; %1	отвечает и открыта; {%1}
        it cannot be used: %1 is missing	им не воспользоваться: не хватает %1
        it changed while it was read: try again	файл изменился во время чтения: попробуйте ещё раз
        it does not answer; %1	не отвечает; {%1}
        it failed without a reason	не удалось, а причина не названа
        it found no session bus: log in anew	он не нашёл сеансовой шины: войдите в сеанс заново
        it has 1 to %1	в ней есть места с 1 по %1
        it has no default keyring; %1	в ней нет связки по умолчанию; {%1}
        it has tables but no schema number	в файле есть таблицы, но нет номера схемы
        it is `login` or `logout`, and then listenbrainz or lastfm	нужно `login` или `logout`, а затем listenbrainz или lastfm
        it is a text and no sound	это текст, а не звук
        it is being downloaded	это уже качается
        it is cut off: %1 of %2 bytes are there	файл обрезан: есть %1 из {%2|%2 байта|%2 байт|%2 байт}
        it is damaged: its structure cannot be read	файл повреждён: его структура не читается
        it is empty	она пуста
        it is in the profile	это есть в профиле
        it is in the profile again, in its place	это снова в профиле, на своём месте
        it is in the queue	добавлено в очередь
        it is larger than 4 GiB	файл больше 4 ГиБ
        it is locked; %1	заперта; {%1}
        it is no ordinary file	это не обычный файл
        it is not in My Music: `nyanctl download %1` gets it	его нет в «Моей музыке»: `nyanctl download %1` скачает
        it is not in the profile	этого нет в профиле
        it is not open	файл не открыт
        it is not valid	описание неверно
        it is started when it is needed; %1	запустится, когда понадобится; {%1}
        it must be yours, on a disk that is not read-only	она должна быть вашей и на диске, куда можно писать
        it refused	причина не названа
        it takes the call and does not answer	принимает вызов и молчит
        it was cancelled	загрузка отменена
        it was not queued: VK gives no sound for it now, or it was cancelled	в очередь не попало: VK сейчас не отдаёт этот трек, или загрузку отменили
        it was written by a newer nyand (schema %1, this one knows %2)	файл записан более новым nyand (схема %1, а здесь известна %2)
        its copy did not become whole: is there room enough?	копия вышла не целой: хватает ли места?
        its file in My Music %1	его файл в «Моей музыке» {%1}
        its file is gone	его файл пропал
        its file is not in My Music any more	его файла больше нет в «Моей музыке»
        its files stay	файлы остаются
        its name is not in UTF-8: rename it, or import it from another folder	имя не в UTF-8: переименуйте или импортируйте из другой папки
        its program is not there: install nyand again	самой программы нет: установите nyand снова
        its schema has the number %1	номер её схемы: %1
        its tags cannot be read	теги не читаются
        its tags cannot be written	теги не записываются
        its tracks are not known yet, and are downloaded once they are: %1	его треки пока неизвестны; они скачаются, как только станут известны: {%1}
        its tracks, or change it; ID may be VK's address or a row	треки плейлиста или его изменение; ID — ещё и адрес в VK или строка
        keep it no more; its files stay	больше не хранить; файлы останутся
        keep tracks as files in My Music	сохранить треки файлами в «Моей музыке»
        kept	хранится
        keyring	связка ключей
        keys of another kind	ключи другого вида
        last problem	неполадки
        last: %1 – %2 (%3)	последнее: %1 – %2 (%3)
        leave	выйти
        leave; the music plays on	выйти; музыка играет дальше
        library disk	диск библиотеки
        like row 3	похожее на строку 3
        line %1: %2	строка {%1#}: {%2}
        line by line as they are sung, track after track	строка за строкой, как поют, трек за треком
        line by line, as they are sung	строка за строкой, как поют
        list something first, such as `nyanctl profile`	сначала покажите какой-нибудь список, например `nyanctl profile`
        lists, queue and player on one screen	списки, очередь и плеер на одном экране
        live; without a terminal one line per change	вживую; без терминала — по строке на изменение
        login lastfm: after you allowed it on the page	login lastfm: после разрешения на странице
        logind gave no inhibitor	logind не дал запрета на сон
        look at everything	проверить всё
        louder and quieter	громче и тише
        lyrics	тексты песен
        make it, or mount its disk	создайте её или подключите её диск
        make one in its own program (Passwords and Keys, KWallet), %1	создайте её в её программе («Пароли и ключи», KWallet) {%1}
        make one; its id is printed	создать; печатается его номер
        make the folder	создать папку
        measuring "%1" does not end	измерение «%1» не заканчивается
        measuring was ended	измерение остановлено
        missing among these cookies: %1; copy them from a browser where you are signed in to VK	среди этих куки не хватает: {%1}; скопируйте их из браузера, где вы вошли в VK
        more bytes came than the server announced	пришло больше байтов, чем обещал сервер
        mount it for writing, or choose another folder	подключите её для записи или выберите другую папку
        mount its disk, or name another folder in downloads.directory	подключите её диск или укажите другую папку в downloads.directory
        move	переместить
        move it down	передвинуть ниже
        move it up	передвинуть выше
        move it up and down in the queue	передвинуть в очереди вверх и вниз
        move needs two positions	move: нужны два места
        music is hidden	музыка скрыта
        network	сеть
        no %1: every setting has its default	файла %1 нет: все настройки по умолчанию
        no GStreamer element decodes this sound; the packages gstreamer1.0-plugins-bad and gstreamer1.0-libav may	нечем декодировать этот звук: в GStreamer нет подходящего элемента; могут помочь пакеты gstreamer1.0-plugins-bad и gstreamer1.0-libav
        no answer in time	ответа не дождались
        no answer was handed over	ответ не передан
        no answer within %1 s	нет ответа {%1|%1 секунду|%1 секунды|%1 секунд}
        no client profile is called “%1”; there are: %2	нет клиентского профиля «%1»; есть: %2
        no command	команда не указана
        no descriptor is left for the sound pipeline	не хватает дескрипторов для воспроизведения
        no downloads	загрузок нет
        no file lets the bus start nyand when `nyanctl` needs it	нет файла, по которому шина запускала бы nyand, когда он нужен `nyanctl`
        no free name for "%1" in %2	для «%1» нет свободного имени в %2
        no friends	друзей нет
        no groups	групп нет
        no keyring can be used: %1	ни одна связка ключей не годится: {%1}
        no login was begun here	здесь никто не начинал входить
        no login was begun: `nyanctl scrobble login lastfm` begins one	вход не начат: начните его командой `nyanctl scrobble login lastfm`
        no music	нет музыки
        no network	нет сети
        no network at all	совсем без сети
        no password was handed over	пароль не передан
        no pipe: %1	канал не создан: %1
        no reason	причина не названа
        no reason given	причина не указана
        no room	нет места
        no room to read the damaged one	нет места, чтобы прочитать повреждённый файл
        no secret was handed over	секрет не передан
        no session bus answers (%1)	сеансовая шина не отвечает ({%1})
        no session bus: DBUS_SESSION_BUS_ADDRESS is not set	переменная DBUS_SESSION_BUS_ADDRESS не задана
        no sound for the first track	первый трек без звука
        no sound output: playing silently	нет звукового выхода: играет без звука
        no sound server answers	ни один звуковой сервер не отвечает
        no such call: %1	нет такого вызова: %1
        no such column	нет такого столбца
        no such command: %1	нет такой команды: %1
        no such table	нет такой таблицы
        no track of the library matches “%1”	в библиотеке нет треков по запросу «%1»
        no tracks of the profile are known: `nyanctl sync` reads it	треки профиля пока неизвестны: `nyanctl sync` прочитает его
        no tracks of the profile are known: y reads it	о треках профиля пока ничего не известно: y прочитает его
        no verdict	проверка ничего не показала
        nobody can be asked here: add --yes to delete the files	спросить здесь некого: добавьте --yes, чтобы удалить файлы
        nobody is signed in: only My Music and files can be played	вход не выполнен: играют только «Моя музыка» и файлы
        nobody waits for it any more	этого больше никто не ждёт
        none now; the last %1 %2: %3	сейчас нет; последняя запись: {%1}, {%2}: {%3}
        none of them is in the playlist	ничего из этого нет в плейлисте
        none of them is in your profile	ничего из этого нет в вашем профиле
        none since the start	с запуска не было
        not a bus address	это не адрес шины
        not downloaded: %1	не скачано: %1
        not downloaded: %1 of %2: %3	не скачано {%1#} из {%2#}: {%3}
        not downloaded: %1: %2	не скачано: %1: {%2}
        not enabled	не включена
        not signed in	вы не вошли
        not signed in: `nyanctl login` explains how	вы не вошли: как войти, расскажет `nyanctl login`
        not signed in: `nyanctl login` says how to sign in	вы не вошли: как войти, расскажет `nyanctl login`
        not used: with account.store=file the login is in a file only you can read	не нужна: при account.store=file вход хранится в файле, который читаете только вы
        note	к сведению
        nothing can be played: %1 missing	играть нечем: не хватает %1
        nothing goes to %1 any more%2	%1 больше ничего не получает{%2}
        nothing is kept: `nyanctl keep profile` keeps everything you have saved	ничего не хранится: `nyanctl keep profile` будет хранить всё, что вы сохранили
        nothing is paused	на паузе ничего нет
        nothing is playing	ничего не играет
        nothing is scrobbled: `nyanctl scrobble login listenbrainz` or `… login lastfm` begins it	скробблинга нет: его включает `nyanctl scrobble login listenbrainz` или `… login lastfm`
        nothing matches	ничего не подходит
        nothing more of this track comes	продолжение этого трека не приходит
        nothing new to download	нового для загрузки нет
        nothing plays	ничего не играет
        nothing queued	очередь пуста
        nothing to cancel	отменять нечего
        nothing to pause	приостанавливать нечего
        nothing to try again	повторять нечего
        nothing was changed: %1 is kept	ничего не изменилось: %1 хранится
        nothing was done	ничего не сделано
        nothing was downloaded yet	пока ничего не скачано
        nothing was found	ничего не найдено
        nothing was heard yet	пока ничего не прослушано
        nothing was pasted	ничего не вставлено
        nothing was refused	отказов не было
        nothing was removed from the profile	из профиля ничего не убирали
        nothing was typed	ничего не введено
        nyand %1 and nyanctl %2 do not understand each other: `systemctl --user restart nyand` (%3)	nyand %1 и nyanctl %2 не понимают друг друга: `systemctl --user restart nyand` (%3)
        nyand %1 and nyanctl %2 do not understand each other: update nyanctl (%3)	nyand %1 и nyanctl %2 не понимают друг друга: обновите nyanctl (%3)
        nyand %1 runs as process %2	nyand %1 работает, процесс %2
        nyand %1 runs, but this nyanctl is %2: an older nyanctl stands first in PATH, or was not updated	работает nyand %1, а этот nyanctl — версии %2: в PATH первым стоит старый nyanctl, или его не обновили
        nyand %1 still runs, but nyanctl is %2: `systemctl --user restart nyand`	всё ещё работает nyand %1, а nyanctl — версии %2: `systemctl --user restart nyand`
        nyand and nyanctl are both %1, but of different builds: `systemctl --user restart nyand` (%2)	nyand и nyanctl оба версии %1, но из разных сборок: `systemctl --user restart nyand` (%2)
        nyand could not be started: `systemctl --user status nyand` says why	не удалось запустить nyand: почему — скажет `systemctl --user status nyand`
        nyand did not answer in time	nyand не ответил вовремя
        nyand did not answer in time; `--timeout SECONDS` waits longer	nyand не ответил вовремя; с `--timeout SECONDS` ждать будем дольше
        nyand does not know this kind of sound	nyand не знает такого вида звука
        nyand does not understand nyanctl %1: `systemctl --user restart nyand` (%2)	nyand не понимает nyanctl %1: `systemctl --user restart nyand` (%2)
        nyand is not running	nyand не запущен
        nyand is not running, and no program of that name is installed	nyand не запущен, и такой программы нет
        nyand is not running, and no program of that name is installed: install nyand	nyand не запущен, и такой программы нет: установите nyand
        nyand is not running: its unit failed (exit status %1)	nyand не запущен: служба завершилась с ошибкой (код %1)
        nyand is not running: start it with `%1 &`; `nyanctl doctor` tells more	nyand не запущен: запустите его командой `%1 &`; подробности — `nyanctl doctor`
        nyand is not running: start it, now and at every login, with `systemctl --user enable --now nyand`	nyand не запущен: запустите его сейчас и при каждом входе командой `systemctl --user enable --now nyand`
        nyand is not running; waiting for it	nyand не запущен; ждём его
        nyand is not running; waiting for it to come back	nyand не запущен; ждём, пока вернётся
        nyand keeps two of them (remixsid and p), as safe as your password. Signing out in that browser ends them.	nyand хранит две из них (remixsid и p) так же бережно, как пароль. Выход в том браузере их отменяет.
        nyand runs under %1	nyand работает под %1
        off, track or album	off, track или album
        offline is on or off	offline: нужно on или off
        offline mode	автономный режим
        offline mode is on	включён автономный режим
        offline mode is on, and signing in needs the network: `nyanctl offline off`, then `nyanctl login`	включён автономный режим, а для входа нужна сеть: `nyanctl offline off`, затем `nyanctl login`
        offline mode is on: `nyanctl offline off` lets them go on	включён автономный режим: `nyanctl offline off` даст им продолжиться
        offline mode is on: nothing is fetched until `nyanctl offline off`	включён автономный режим: до `nyanctl offline off` ничего не скачивается
        offline mode on or off	включить или выключить автономный режим
        ok	в порядке
        one track is restored at a time, and these are %1	за раз возвращают один трек, а здесь их %1
        only VK's tracks can be added to the VK profile	в профиль VK можно добавить только треки VK
        only VK's tracks can be downloaded, no files and addresses	скачать можно только треки VK, не файлы и не адреса
        only VK's tracks can be in a playlist	в плейлист можно добавить только треки VK
        only the queue has an order of yours	порядок можно менять только в очереди
        only what was downloaded can be copied	скопировать можно только скачанное
        open	открыть
        open the folder	открыть папку
        or set account.store to file	или задайте account.store=file
        org.nyantunes.Nyand and %1	org.nyantunes.Nyand и %1
        over VK's own page: open it, paste the address it ends at	через страницу VK: откройте её и вставьте адрес, на котором всё закончится
        paint the screen anew	перерисовать экран
        password	пароль
        pause in 30 (minutes), 1h30min or 90s, or at the track's end	пауза через 30 (минут), 1h30min или 90s или в конце трека
        pause in half an hour	пауза через полчаса
        pause or continue	pause или continue
        pause or go on	пауза или дальше
        pause the download or go on	приостановить загрузку или продолжить
        paused	на паузе
        pauses in %1	пауза через %1
        pauses in track	пауза в конце трека
        plain MP3	обычный MP3
        play	играть
        play in a shuffled order	играть вперемешку
        play the list from this row on	играть список с этой строки
        playing	играет
        playlists	плейлисты
        please choose first; what you pasted was not used	сначала выберите способ; вставленное не использовано
        please type 1, 2, 3 or 4	введите 1, 2, 3 или 4
        press / and type what to look for	нажмите / и введите, что искать
        print one JSON document	напечатать один документ JSON
        print the version	напечатать версию
        problem	неполадка
        problem: %1	неполадка: {%1}
        protect	закрыть от других
        put it after what plays	поставить следом за тем, что играет
        put it at the end of the queue	поставить в конец очереди
        queue has no verb “%1”	у queue нет действия «%1»
        queued for download	поставлено в очередь загрузок
        read	прочитать
        read the list anew	прочитать список заново
        read the profile anew	прочитать профиль заново
        read the settings again	прочитать настройки заново
        reading %1 of %2	прочитано {%1#} из {%2#}
        reading the list…	читаю список…
        reading the profile…	читаю профиль…
        recommendations	рекомендации
        remove	убрать
        remove needs a position	remove: какое место?
        removed	убрано
        removed from the profile; `nyanctl restore %1` undoes it for some minutes	убрано из профиля; `nyanctl restore %1` ещё несколько минут может вернуть
        removed from the profile; u undoes it for some minutes	убрано из профиля; u вернёт, пока не прошло несколько минут
        rename needs a playlist and a title	rename: нужны плейлист и название
        rename to	переименовать в
        repeat %1	повтор: {%1}
        repeat is off, track or queue	для repeat есть off, track и queue
        repeat off	без повтора
        repeat off, the queue, the track	без повтора, повтор очереди, трека
        repeat queue	повтор очереди
        repeat track	повтор трека
        replace	заменить
        restart it (`systemctl --user restart pipewire-pulse`, or `pulseaudio -k`)	перезапустите его (`systemctl --user restart pipewire-pulse` или `pulseaudio -k`)
        restart it, %1	перезапустите её {%1}
        restart it: %1	перезапустите его: %1
        resume, or play these tracks, files or addresses	продолжить или играть эти треки, файлы или адреса
        row 2 of `playlists`	строка 2 списка `playlists`
        row 3 of `nyanctl music`, printed last	строка 3 последнего `nyanctl music`
        row 3 of the listing printed last	строка 3 последнего показанного списка
        rows 3 and 4 of what `search` found	строки 3 и 4 того, что нашёл `search`
        rows 5 and 6 into the first playlist	строки 5 и 6 в первый плейлист
        rows are counted upwards: %1-%2, not %3-%4	строки считаются по возрастанию: %1-%2, а не %3-%4
        run `nyanctl playlists` first	сначала запустите `nyanctl playlists`
        run `nyand` in a terminal: it says what is wrong	запустите `nyand` в терминале: он скажет, что не так
        run this inside your desktop session, or both programs under `dbus-run-session`; over ssh set DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$(id -u)/bus	запустите это внутри своего сеанса или обе программы под `dbus-run-session`; по ssh задайте DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$(id -u)/bus
        running	качается
        s shuffle  r repeat  l like  d download  q quit	s вперемешку  r повтор  l в профиль  d скачать  q выход
        save	сохранить
        save the current track to the VK profile	сохранить в профиль VK то, что играет
        save tracks to the VK profile	сохранить треки в профиль VK
        save what plays	сохранить то, что играет
        say how loud it is	сказать, какая громкость
        say how to sign in; for daily use take --cookies	скажите, как войти; на каждый день лучше --cookies
        say what is set	сказать, что установлено
        scrobbling waits: %1	скробблинг ждёт: {%1}
        scrobbling: %1	скробблинг: {%1}
        search	поиск
        search all of VK	искать по всему VK
        search needs a text	search: что искать?
        searching “%1”…	ищу «{%1~}»…
        see at once what was changed at VK	сразу увидеть, что изменилось в VK
        see network; it is tried again by itself	см. «сеть»; попытка повторится сама
        see sound-server, or name another output in audio.sink	см. «звуковой сервер» или укажите другой выход в audio.sink
        session bus	сеансовая шина
        set aside	отложить
        set it	установить её
        settings	настройки
        shorten	укоротить
        show how it is used	показать, как этим пользоваться
        show it	показать её
        show long lists without a pager	показывать длинные списки без листания
        show or change what will play; positions start at 1	показать или изменить, что будет играть; места считаются с 1
        show or set the shuffled order	показать или переключить порядок вперемешку
        show or set the volume, 0 to 100	показать или задать громкость, от 0 до 100
        show or set what is repeated	показать или задать, что повторять
        show the whole list again	снова показать весь список
        shown as it was read last: %1	показано то, что было в прошлый раз: {%1}
        shown as it was read last: VK does not answer	показано то, что было в прошлый раз: VK не отвечает
        shuffle	вперемешку
        shuffle is on or off	shuffle: нужно on или off
        shuffle off	по порядку
        shuffle on	вперемешку
        shuffle on or off	вперемешку или по порядку
        sign in again before that; `nyanctl login --cookies` renews itself	войдите снова до этого; `nyanctl login --cookies` продлевается сам
        sign in again: `nyanctl login` lists the ways	войдите снова: `nyanctl login` перечислит способы
        sign in; reads the secret from standard input	войти; секрет читается из стандартного ввода
        signed in as %1, %2 tracks	вход выполнен: %1, {%2|%2 трек|%2 трека|%2 треков}
        signed out, but the login could not be removed everywhere: %1	вы вышли, но вход удалось стереть не отовсюду: {%1}
        skip this track	пропустить этот трек
        skipped	пропущено
        skipped %1 more	и ещё пропущено: {%1#}
        skipped %1: %2	пропущен %1: {%2}
        sleep %1	пауза через %1
        sleep track	пауза в конце трека
        some of them	некоторые из них
        some seconds ago	только что
        somebody else's	чужой профиль
        something else was chosen meanwhile	тем временем выбрали другое
        sound output	звуковой выход
        sound server	звуковой сервер
        space pause  n/p next, previous  ←/→ 10 seconds  0–9 place  +/- volume	пробел пауза  n/p вперёд, назад  ←/→ 10 секунд  0–9 место  +/- громкость
        start a sound server, or name an output in audio.sink	запустите звуковой сервер или укажите выход в audio.sink
        start it (`systemctl --user start pipewire-pulse`, or `pulseaudio --start`)	запустите его (`systemctl --user start pipewire-pulse` или `pulseaudio --start`)
        start it: %1	запустите: {%1}
        state disk	диск с очередью
        stay off the network: only My Music	не выходить в сеть: только «Моя музыка»
        stop downloads and leave nothing behind	остановить загрузки и ничего не оставить
        stopped	остановлено
        such as '{artist} - {title} {position}', or @waybar	например '{artist} - {title} {position}' или @waybar
        systemd unit	служба systemd
        take a folder's files into My Music; they stay where they are	взять файлы из папки в «Мою музыку»; они останутся на месте
        take it out of this list	убрать из этого списка
        take tracks off the VK profile; local files stay	убрать треки из профиля VK; файлы останутся
        tell ListenBrainz and Last.fm what you hear; alone: how it stands	отправлять прослушивания в ListenBrainz и Last.fm; без слов — состояние
        ten seconds back	на десять секунд назад
        that address answers another page than the one asked for: run `nyanctl login --url` again	этот адрес от другой страницы, не от той, что просили: запустите `nyanctl login --url` ещё раз
        that address is none of VK's (vk.com or vk.ru)	это не адрес VK (vk.com или vk.ru)
        that file has only the name of a file in it; paste what is meant	в этом файле только имя файла; вставьте само содержимое
        that is a playlist: `nyanctl playlist %1` lists its tracks	это плейлист: `nyanctl playlist %1` показывает его треки
        that is no address: it begins with none of file:, http: and https:	это не адрес: он начинается не с file:, http: или https:
        that is no code; `resend` asks for another one	это не код; `resend` попросит новый
        that is no success_token: it has neither spaces nor letters with marks	это не success_token: в нём не бывает пробелов и букв с надстрочными знаками
        that is not the address VK's page ends at: it holds access_token=… and user_id=…	страница VK заканчивается другим адресом: в нём есть access_token=… и user_id=…
        that is somebody's page: `nyanctl profile --owner %1` lists its tracks	это чья-то страница: `nyanctl profile --owner %1` показывает её треки
        that page of VK is no track's	эта страница VK — не страница трека
        that row is gone	этой строки уже нет
        the account changed meanwhile	тем временем сменился аккаунт
        the account changed while its playlists were read	аккаунт сменился, пока читались его плейлисты
        the account changed while its profile was read	аккаунт сменился, пока читался его профиль
        the address	адрес
        the address has an access_token that is none: copy it anew	в адресе испорчен access_token: скопируйте заново
        the address has no access_token: copy it whole	в адресе нет access_token: скопируйте его целиком
        the address has no host, or one that cannot be read	в адресе нет сервера, или его не прочитать
        the address has no user_id: copy it whole	в адресе нет user_id: скопируйте его целиком
        the address is too long, or has line breaks or the like in it	адрес слишком длинный, или в нём есть переводы строк и тому подобное
        the address of %1 is not known	адрес трека %1 неизвестен
        the answer could not be handed over	не удалось передать ответ
        the answer has another shape	ответ другого вида
        the answer is empty	ответ пуст
        the answer must be yes or no	нужно ответить yes или no
        the answer was handed in, but what waited for it is not over after a minute	ответ передан, но то, что его ждало, не закончилось и за минуту
        the audio output "%1" cannot be opened	не удаётся открыть звуковой выход «%1»
        the audio output does not answer	звуковой выход не отвечает
        the browser session belongs to another VK account now; log in again	сеанс браузера теперь принадлежит другому аккаунту VK; войдите снова
        the bus could not start nyand: %1	шина не смогла запустить nyand: {%1}
        the bytes of the sound cannot be read	не удаётся прочитать звук
        the client profile “%1” has no client-id: set it under %2	у клиентского профиля «%1» нет client-id: укажите его в {%2}
        the client profile “%1” has no client-id: set it under [profile.%2] in nyand.conf	у клиентского профиля «%1» нет client-id: укажите его в разделе [profile.%2] файла nyand.conf
        the client profile “%1” needs its client's secret, which nyand does not bring: set client-secret under %2 and run `nyanctl reload`; --profile marusia needs none	клиентскому профилю «%1» нужен секрет его программы, а у nyand его нет: укажите client-secret в {%2} и запустите `nyanctl reload`; для --profile marusia он не нужен
        the client the token was made for	клиент, для которого сделан токен
        the code it sent by SMS	код из SMS
        the code it sent by e-mail	код из письма
        the code it sent to another device of yours	код, отправленный на другое ваше устройство
        the code it sent to your phone	код, отправленный на ваш телефон
        the code of your authenticator app	код из приложения для двухфакторной защиты
        the code that came by SMS	код из SMS
        the confirmation was given up in the browser	вы отказались от подтверждения в браузере
        the confirmation was made for another VK account: log in again	подтверждение сделано для другого аккаунта VK: войдите снова
        the connection to the bus is closed	соединение с шиной закрыто
        the cover has too many pixels	в обложке слишком много точек
        the cover is damaged	обложка повреждена
        the cover is larger than 16 MiB	обложка больше 16 МиБ
        the cover is no JPEG or PNG picture	обложка — не картинка JPEG или PNG
        the cover is no picture	обложка — не картинка
        the disk has trouble with %1 (%2)	у диска неполадки с {%1} (%2)
        the disk has trouble: look into the system's log, and save what is on it	у диска неполадки: загляните в системный журнал и спасите, что на нём есть
        the download goes on by itself	загрузка продолжится сама
        the download was cancelled	загрузка отменена
        the export was stopped	копирование остановлено
        the file	файл
        the file cannot be read: %1	файл не читается: {%1}
        the file does not exist	такого файла нет
        the file is damaged or is no sound	файл повреждён или это вовсе не звук
        the file is no key file	файл не вида «ключ=значение»
        the file is on another machine	файл на другой машине
        the file's name is not in UTF-8	имя файла не в UTF-8
        the files of My Music are away as a whole: is the disk of %1 mounted? Nothing is forgotten, and nothing is downloaded again.	файлы «Моей музыки» пропали все разом: подключён ли диск с %1? Ничего не забыто, и ничего не качается заново.
        the folder and those in it	папка и всё, что в ней вложено
        the folders are on two file systems	папки на разных файловых системах
        the format has a { without a } at “%1”; a plain { is written {{	в формате есть { без } перед «%1»; обычная { пишется {{
        the format has a {%1} without a {/}	в формате не закрыт раздел «%1»: нет {/}
        the format has a {/} that ends nothing	{/} в формате ничего не закрывает
        the format has more than %1 sections within one another	в формате больше %1 разделов, вложенных друг в друга
        the format has no filter “%1”: did you mean %2?	в формате нет фильтра «%1»: может быть, %2?
        the format has no filter “%1”; there are: %2	в формате нет фильтра «%1»; есть: %2
        the format has no word {%1}: did you mean %2?	в формате нет слова «%1»: может быть, %2?
        the format has no word {%1}; there are: %2	в формате нет слова «%1»; есть: %2
        the id that `remove` has said	номер, который назвал `remove`
        the import was stopped	импорт остановлен
        the keyring (or the disk) has not answered yet; nobody is signed in until it does	связка ключей (или диск) пока не отвечает; до тех пор вход не выполнен
        the keyring does not answer; start it again, or set account.store to file	связка ключей не отвечает; перезапустите её или задайте account.store=file
        the keyring ended before it answered; start it again, or set account.store to file	связка ключей завершилась, не ответив; перезапустите её или задайте account.store=file
        the keyring has a question first: open it in its own program, or set account.store to file	связка ключей сначала хочет о чём-то спросить: откройте её программу или задайте account.store=file
        the keyring is locked; unlock it, or set account.store to file	связка ключей заперта; отоприте её или задайте account.store=file
        the keyring refuses: %1	связка ключей отказывает: {%1}
        the keys for %1 are gone: `nyanctl scrobble login %2`; listens are kept	ключи для %1 пропали: `nyanctl scrobble login %2`; прослушивания сохранены
        the last `nyanctl playlists` had 1 to %1	в последнем `nyanctl playlists` были строки с 1 по %1
        the last `nyanctl playlists` was empty	последний `nyanctl playlists` был пуст
        the last digits of the number that calls you	последние цифры номера, с которого вам позвонят
        the last five tracks that were heard	последние пять услышанных треков
        the last listing cannot be read any more; list again	последний список больше не читается; покажите его снова
        the last listing had 1 to %1	в последнем списке были строки с 1 по %1
        the last listing is more than a day old; list again	последнему списку больше суток; покажите его снова
        the last listing was empty	последний список был пуст
        the list is filtered: Esc shows all of it	показан не весь список: Esc покажет весь
        the listens cannot be written as JSON	прослушивания не записать в JSON
        the listing printed last, from its row 3	последний показанный список, со строки 3
        the lists, the queue and the player on one screen	списки, очередь и плеер на одном экране
        the live one-line player	живой плеер в одну строку
        the login in the keyring is unreadable; please log in again	вход в связке ключей не читается; войдите снова
        the login is in a file only you can read	вход хранится в файле, который читаете только вы
        the login is in the keyring	вход хранится в связке ключей
        the next and the previous tab	следующая и предыдущая вкладка
        the next and the previous track	следующий и предыдущий трек
        the next track	следующий трек
        the output cannot be written: %1	не удаётся записать вывод: {%1}
        the package or `make install` brings %1	%1 приносит пакет или `make install`
        the package or `make install` brings it; without systemd let the desktop's autostart run nyand	его приносит пакет или `make install`; без systemd добавьте nyand в автозапуск рабочего стола
        the page was open for too long; begin the login anew	страница была открыта слишком долго; начните вход заново
        the page's address could not be handed over	не удалось передать адрес страницы
        the password is empty	пароль пуст
        the player has no JSON; `nyanctl status --follow --json` has	у player нет JSON; он есть у `nyanctl status --follow --json`
        the player needs a terminal whose lines can be drawn over; `nyanctl status --follow` goes anywhere	для player нужен терминал, в котором можно перерисовать строку; `nyanctl status --follow` работает везде
        the player needs a terminal; `nyanctl status --follow` goes anywhere	для player нужен терминал; `nyanctl status --follow` работает везде
        the playlist is empty	плейлист пуст
        the profile	профиль
        the profile is kept: %1	профиль теперь хранится: {%1}
        the profile is kept: %1; %2 queued now	профиль теперь хранится: {%1}; сейчас в очереди: %2
        the queue has no position %1: %2	в очереди нет места %1: {%2}
        the queue is empty	очередь пуста
        the queue is not saved: %1	очередь не сохранена: {%1}
        the renewed login is in use but could not be stored: %1	обновлённый вход работает, но сохранить его не удалось: {%1}
        the rest was not %1: %2	остальное не {%1}: {%2}
        the rest was not imported: %1	остальное не импортировано: {%1}
        the rule was ended meanwhile	тем временем правило отменили
        the scrobbling keys cannot be written down	не удаётся записать ключи скробблинга
        the search for “%1” failed	поиск «{%1~}» не удался
        the search for “%1” failed; %2 found for “%3”	поиск «{%1~}» не удался; по запросу «{%3~}» {%2|найден %2 трек|найдено %2 трека|найдено %2 треков}
        the secret could not be read	не удалось прочитать секрет
        the secret could not be read from standard input	не удалось прочитать секрет из стандартного ввода
        the server	сервер
        the server could not prove who it is; its certificate is not trusted.	Подлинность сервера не подтверждена: сертификату нельзя доверять.
        the server has no bytes of this sound	у сервера нет ни байта этого звука
        the server has trouble (%1).	У сервера неполадки (%1).
        the session bus answers	сеансовая шина отвечает
        the session bus went away	сеансовая шина пропала
        the shared secret does not belong to the API key; `nyanctl scrobble login lastfm`	секрет не от этого ключа API; войдите снова: `nyanctl scrobble login lastfm`
        the sink "%1" cannot be used: %2	звуковой выход «%1» не годится: {%2}
        the sleep timer is off, track or time	для таймера сна есть off, track или время
        the sleep timer takes 1 s to 24 h	таймер сна — от 1 секунды до 24 часов
        the sound came without a byte	звук пришёл без единого байта
        the sound card itself (alsasink)	прямо звуковая карта (alsasink)
        the sound has %1 bytes, announced were %2	в звуке {%1|%1 байт|%1 байта|%1 байт}, а обещано %2
        the sound output is gone	звуковой выход пропал
        the sound pipeline could not be made	не удалось подготовить воспроизведение
        the sound pipeline failed: %1	сбой при воспроизведении: {%1}
        the sound server	звуковой сервер
        the sound server (pulsesink)	звуковой сервер (pulsesink)
        the sound server holds up every sound	звуковой сервер задерживает любой звук
        the sound server or device is gone; play again once it is back (%1)	звуковой сервер или устройство пропали; включите снова, когда они вернутся (%1)
        the status	статус
        the stored login was unreadable; it is kept as %1, please log in again	сохранённый вход не читается; он отложен как %1, войдите снова
        the stored scrobbling keys are unreadable: `nyanctl scrobble login` again	сохранённые ключи скробблинга не читаются: запустите снова `nyanctl scrobble login`
        the sync was stopped	синхронизация остановлена
        the system bus is gone	системная шина пропала
        the token is empty	токен пуст
        the track before, or this one's start	предыдущий трек или начало этого
        the track is shorter than that: %1 s	трек короче: {%1|%1 секунда|%1 секунды|%1 секунд}
        the track's length is not known yet, or the part is not 0 to 100 %	длина трека пока неизвестна, или доля не от 0 до 100 %
        the tracks of row 2 of `playlists`	треки строки 2 списка `playlists`
        the tracks of the VK profile	треки профиля VK
        the user name must be a phone number, an e-mail address or a login	имя пользователя — это номер телефона, почта или логин
        the volume must be a number	громкость должна быть числом
        the ways there are, and how each begins	какие есть способы и с чего каждый начинается
        the whole profile	весь профиль
        the whole profile, and wait for it	весь профиль, и дождаться
        the window is too small	окно слишком маленькое
        the word index of the library was damaged (%1) and was made anew	словарь поиска библиотеки был повреждён (%1) и создан заново
        the words of a track, or of the current one	текст песни: трека или того, что играет
        the words of what plays	слова того, что играет
        their ids are negative, which is no option	их номера отрицательны, но это не параметр
        then `nyanctl playlist 2` lists the second	потом `nyanctl playlist 2` покажет второй
        then: nyanctl scrobble login lastfm --finish	затем: nyanctl scrobble login lastfm --finish
        there are no cookies in this: a Cookie header, a cookies.txt or a browser extension's JSON is wanted	здесь нет куки: нужен заголовок Cookie, файл cookies.txt или JSON из расширения браузера
        there are no downloads	загрузок нет
        there are no lyrics for this track	у этого трека нет текста песни
        there are no playlists	плейлистов нет
        there are no playlists here	плейлистов здесь нет
        there are no sound files in this folder	в этой папке нет звуковых файлов
        there are no web sessions here	веб-сессий здесь нет
        there is no audio output	звукового выхода нет
        there is no command “%1”	нет команды «%1»
        there is no command “%1”: did you mean %2?	нет команды «%1»: может быть, %2?
        there is no current track to like	сейчас ничего не играет, лайкать нечего
        there is no current track: name one	сейчас ничего не играет: назовите трек
        there is no default keyring	нет связки ключей по умолчанию
        there is no file of it	файла этого трека нет
        there is no file “%1”	нет файла «%1»
        there is no folder %1	нет папки %1
        there is no format %1; there are: %2	нет формата %1; есть: %2
        there is no list called “%1”	нет списка «%1»
        there is no memory	не хватает памяти
        there is no output: everything plays in silence	выхода нет: всё играет без звука
        there is no room left in %1: make some, then try again	в %1 кончилось место: освободите его и попробуйте снова
        there is no row %1: %2	строки %1 нет: {%2}
        there is no row to do anything with	нет строки, с которой можно что-то сделать
        there is no seeking in what has no length, such as radio	перематывать можно только то, у чего есть длина: радио — нельзя
        there is no session bus (DBUS_SESSION_BUS_ADDRESS): %1	нет сеансовой шины (DBUS_SESSION_BUS_ADDRESS): {%1}
        there is no session bus, so no keyring	нет сеансовой шины, а значит, и связки ключей
        there is no sound in it	звука в нём нет
        there is no such file that can be read; paste what is in it	такой файл прочитать нельзя; вставьте его содержимое
        there is no such playlist	такого плейлиста нет
        there is no such track to start at	нет трека, с которого начать
        there is no such way to sign in	такого способа войти нет
        there is none, and account.store=keyring wants one	её нет, а account.store=keyring её требует
        there is none: the login is kept in a file only you can read	её нет: вход хранится в файле, который читаете только вы
        there is nothing before the track's start	до начала трека ничего нет
        there is nothing to play yet: sign in and run `nyanctl sync`	играть пока нечего: войдите и запустите `nyanctl sync`
        this action confirmed	подтвердить это действие
        this address has no access_token behind a #: it is not the one where VK's page ends, or not whole	в этом адресе нет access_token после #: это не тот адрес, на котором заканчивается страница VK, или он не целый
        this help	эта справка
        this is no ListenBrainz token: it is one word, from listenbrainz.org/settings	это не токен ListenBrainz: токен — одно слово со страницы listenbrainz.org/settings
        this is no address: copy the whole line of the browser's address field, from https:// on	это не адрес: скопируйте строку адреса браузера целиком, начиная с https://
        this is no name: it was not used	это не имя: вставленное не использовано
        this is not being downloaded	это сейчас не качается
        this is the address of the page itself: open it in a browser, and paste the one it ends at	это адрес самой страницы: откройте её в браузере и вставьте тот адрес, на котором она закончится
        this is the last track of the queue	это последний трек очереди
        this is too short for a token: copy it whole	для токена это слишком коротко: скопируйте его целиком
        this key stands before any [group]	этот ключ стоит раньше первого [раздела]
        this line is neither [group] nor key=value nor a # comment	эта строка — не [раздел], не ключ=значение и не # примечание
        this list is empty	список пуст
        this login cannot be renewed; log in again	этот вход не обновить; войдите снова
        this login ends in %1 hours: VK gave a token with an end (without the right “offline”)	этот вход закончится через {%1|%1 час|%1 часа|%1 часов}: VK дал токен со сроком (без права «offline»)
        this login ends in %1 minutes: VK gave a token with an end (without the right “offline”)	этот вход закончится через {%1|%1 минуту|%1 минуты|%1 минут}: VK дал токен со сроком (без права «offline»)
        this login has ended: log in again	этот вход закончился: войдите снова
        this machine's clock was ahead when it was heard	часы компьютера спешили, когда это звучало
        this one alone	только эту
        this playlist is somebody else's: it can be followed no more, but not changed	этот плейлист чужой: от него можно отписаться, но менять его нельзя
        this track is not in the playlist	этого трека нет в плейлисте
        this way to sign in does not exist here	так войти здесь нельзя
        this, or one command's usage	эта справка или справка о команде
        to that place	к этому месту
        to the first and the last row	к первой и последней строке
        to the middle	к середине
        today	сегодня
        token	токен
        too many secrets are handed over at once; try again in a few seconds	слишком много секретов передаётся одновременно; повторите через несколько секунд
        too small	тесно
        track %1 of %2	трек {%1#} из {%2#}
        try failed downloads again	попробовать неудавшиеся загрузки снова
        two files onto a stick	два файла на флешку
        two rows of the listing printed last	две строки последнего показанного списка
        type to filter the list, or to search VK	отобрать строки, а на вкладке поиска — искать в VK
        ui needs a terminal that can move its cursor, and TERM says it is %1	для ui нужен терминал, который умеет двигать курсор, а TERM называет его %1
        ui needs a terminal to draw on and keys to hear	для ui нужен терминал: и на входе, и на выходе
        ui needs ncurses; install the package libncursesw6 (ncurses-libs, ncurses)	для ui нужна библиотека ncurses; установите пакет libncursesw6 (ncurses-libs, ncurses)
        unavailable	недоступен
        unavailable now: %1	теперь недоступен: {%1~}
        undo a removal while VK allows it	вернуть убранное, пока VK позволяет
        undo the last removal from the profile	вернуть убранное из профиля последним
        unknown option %1: did you mean %2?	неизвестный параметр %1: может быть, %2?
        unknown option %1; a command's own options follow it	неизвестный параметр %1; параметры команды пишутся после неё
        unlock it in its own program, %1	отоприте её в её программе {%1}
        up and down	вверх и вниз
        url	страница VK
        usage: %1	использование: %1
        volume %1 %	громкость %1 %
        waiting	ждёт
        waiting until it is allowed (Ctrl-C: later, with `nyanctl scrobble login lastfm --finish`)	ждём разрешения (Ctrl-C — позже, командой `nyanctl scrobble login lastfm --finish`)
        warning	предупреждение
        was not looked at	файл не проверен
        was replaced by a file nyand did not make	заменён файлом, который nyand не создавал
        watch and steer in one line	смотреть и управлять в одной строке
        watch them	следить за ними
        what VK recommends, for you or like a track	что советует VK: вам или похожее на трек
        what `playlist ID` lists	то, что показывает `playlist ID`
        what `profile TEXT` lists	то, что показывает `profile TEXT`
        what a filter finds in the profile	то, что отбор находит в профиле
        what came is a text or a web page, no sound	вместо звука пришёл текст или веб-страница
        what has both words	где есть оба слова
        what is fourth comes first	четвёртый станет первым
        what is kept	что хранится
        what is missing or broken, and what to do about it	чего не хватает, что сломано и что с этим делать
        what is playing, and what is wrong	что играет и что не так
        what is running, waiting, failed and why	что качается, ждёт, не удалось и почему
        what it waits for hangs; the log may say more (`journalctl --user -u nyand`)	то, чего ждём, зависло; больше может сказать журнал (`journalctl --user -u nyand`)
        what matches in the library	то, что подходит в библиотеке
        what plays is not in this list	того, что играет, нет в этом списке
        what plays now	что играет сейчас
        what was really heard, newest first	что вы слушали на самом деле, сначала последнее
        what was sent and what waits	что отправлено и что ждёт
        where this track ends	в конце этого трека
        whose account it is	чей это аккаунт
        whose account, how many tracks, which kind of login	чей аккаунт, сколько треков, какой вход
        whose lists `profile --owner` can show	чьи списки может показать `profile --owner`
        with --follow: also while the clock runs	вместе с --follow: и пока идёт время
        with a browser's session, which nyand renews: best for daily use	сеансом браузера, который nyand продлевает сам: лучше всего на каждый день
        with a token of a VK client that has music	токеном клиента VK, у которого есть музыка
        with the session of a browser	с сеансом браузера
        within a minute	в течение минуты
        without a bus nobody can be asked	без шины спросить некого
        write	записать
        write into the folder	записать в папку
        yesterday	вчера
        you said no: it was not done	вы сказали «нет»: ничего не сделано
        you signed in or out since the last listing; list again	после последнего списка вы входили или выходили; покажите его снова
        your e-mail confirmed	подтвердить почту
        your friends, and whose music can be listed	ваши друзья: у кого можно слушать музыку
        your groups, and whose music can be listed	ваши группы: в каких можно слушать музыку
        your own and followed playlists	ваши плейлисты и те, на которые вы подписаны
        your password confirmed	подтвердить пароль
        your phone confirmed	подтвердить телефон
        your share of the disk that has %1 is used up: delete something, then try again	ваша доля диска с %1 исчерпана: удалите что-нибудь и попробуйте снова
        {title|max:30|pango} cuts and then escapes; json, tmux and polybar escape for these. {artist|or:nobody} says what stands where there is no artist, {left|seconds} makes seconds of a time, {?title}…{/} shows what is between only where there is a title, {!title}…{/} only where there is none.	{title|max:30|pango} обрезает, потом экранирует; json, tmux и polybar экранируют для них. {artist|or:nobody} говорит, что стоит там, где исполнителя нет, {left|seconds} делает из времени секунды, {?title}…{/} показывает то, что внутри, только если есть название, {!title}…{/} — только если его нет.
        “%1” is a folder: name its files, such as %2*.mp3	«%1» — это папка: назовите файлы в ней, например %2*.mp3
        “%1” is a folder: name its files, such as %2/*.mp3	«%1» — это папка: назовите файлы в ней, например %2/*.mp3
        “%1” is empty	«%1» пуст
        “%1” is neither a track id nor a row number	«%1» — не номер трека и не номер строки
        “%1” is neither listenbrainz nor lastfm	«%1» — это не listenbrainz и не lastfm
        “%1” is neither “profile” nor a playlist such as 123456_17	«%1» — это не «profile» и не плейлист вроде 123456_17
        “%1” is neither “profile” nor a playlist: OWNER_ID, its address at VK, or a row of `nyanctl playlists`	«%1» — это не «profile» и не плейлист: OWNER_ID, его адрес в VK или строка из `nyanctl playlists`
        “%1” is no playlist id such as 123456_17, nor VK's address	«%1» — не номер плейлиста вроде 123456_17 и не адрес в VK
        “%1” is no playlist: OWNER_ID, an address such as https://vk.com/music/playlist/…, or a row of `nyanctl playlists`	«%1» — не плейлист: нужен OWNER_ID, адрес вроде https://vk.com/music/playlist/… или строка из `nyanctl playlists`
        “%1” is no queue position; they start at 1	«%1» — не место в очереди; места считаются с 1
        “%1” is no time such as 90, 1:30, +10, -10 or 50%	«%1» — не время; бывает 90, 1:30, +10, -10 или 50%
        “%1” is no time to sleep in, such as 30 (minutes), 45min, 1h30min, 1:30:00 or 90s, up to a day	«%1» — не время для сна; бывает 30 (минут), 45min, 1h30min, 1:30:00 или 90s, не больше суток
        “%1” is no track id such as 123456_456239321	«%1» — не номер трека вроде 123456_456239321
        “%1” is no volume: 0 to 100, +N or -N	«%1» — не громкость: нужно от 0 до 100, +N или -N
        ↑ and ↓ scroll, any other key closes	↑ и ↓ листают, другая клавиша закроет
        """#
}
