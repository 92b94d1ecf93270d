"""What the demo account has besides tracks: playlists, words to sing, friends and a community. All invented."""

from playlists import Playlist
from tracks import Track

FRIENDS = (100501, 100502)
GROUP = 200600

# Begin and end in milliseconds, and the line.
NORTHERN_CAT = (
    (0, 3900, "Северный кот идёт по крыше,"),
    (4000, 7900, "снег под лапами скрипит."),
    (8000, 11900, "Город спит, и только слышно,"),
    (12000, 15900, "как фонарь ему гудит."),
    (16000, 17900, "Ня! — сказал он тихо,"),
    (18000, 19900, "ня! — сказал ещё."),
    (20000, 23900, "И полярное сиянье"),
    (24000, 27900, "село на плечо 🐈"),
    (28000, 31900, "Северный кот идёт по небу,"),
    (32000, 35900, "звёзды трогает хвостом."),
    (36000, 39900, "Кто тут был и кто тут не был —"),
    (40000, 45000, "спросим мы его потом."),
)
LOW_TIDE = (
    "The tide went out and took the day,",
    "it left a shoe, a shell, a key.",
    "",
    "I kept the key, I let the grey",
    "wash everything but you &amp; me.",
)


def _person(number, first, last, screen_name, picture):
    """A users.get object."""
    return {
        "id": number,
        "first_name": first,
        "last_name": last,
        "screen_name": screen_name,
        "picture": picture,
        "is_closed": False,
        "can_access_closed": True,
    }


def people():
    """Two friends."""
    barsik = _person(FRIENDS[0], "Барсик", "Полосатов", "barsik", "ember")
    murka = _person(FRIENDS[1], "Мурка", "Тихая", "murka", "rose")
    return {person["id"]: person for person in (barsik, murka)}


def groups():
    """A community."""
    return {
        GROUP: {
            "id": GROUP,
            "name": "Клуб любителей кошачьей музыки",
            "screen_name": "cat_music",
            "is_closed": 0,
            "type": "group",
            "picture": "violet",
        }
    }


def libraries(others):
    """Lists of the friends and of the community, made of tracks that can be found as well."""

    def copies(owner, chosen):
        tracks = enumerate(chosen)
        return [other.copy(owner, 456239100 + place, 1751000000 - place * 86400) for place, other in tracks]

    return {
        FRIENDS[0]: copies(FRIENDS[0], others[8:18]),
        FRIENDS[1]: copies(FRIENDS[1], others[19:24] + others[:3]),
        -GROUP: copies(-GROUP, others[14:30]),
    }


def playlists(user, rows: list[Track], others: list[Track], lists):
    """Playlists of the account, of a friend and of the community; `rows` newest first."""
    by = {track.title: track for track in [*rows, *others]}

    def pick(*titles):
        return [by[title] for title in titles]

    morning = pick("Мятный рассвет", "Чай в три часа", "Солнечное пятно", "Harbour Lights")
    night = pick("Северный кот 🐈", "Low Tide", "Пыль и свет", "Gulls", "Les chats de minuit", "Blå time")
    train = pick("Последняя станция", "Ночной вагон", "Верхняя полка", "Чай с лимоном")
    album = by["Low Tide"].album
    return (
        Playlist(90001, user, "Утро с котом ☕", morning, "Медленно открыть глаза и не вставать", "dawn"),
        Playlist(90002, user, "Ночь на крыше", night, "Тихое, для двух ушей и хвоста", "violet"),
        Playlist(90003, user, "В поезде", train, cover="steel"),
        Playlist(90004, user, "Без названия толком", pick("репетиция")),
        Playlist(90005, user, "Low Tide", [], "Paper Lanterns", "lagoon", original=(album.owner, album.id), album=True),
        Playlist(90006, user, "Мурлыкалки", [], cover="rose", original=(FRIENDS[1], 70001)),
        Playlist(-21, user, "Плейлист дня", [], "Собран для вас, каждый раз другой", "polar"),
        Playlist(70001, FRIENDS[1], "Мурлыкалки", lists[FRIENDS[1]][:5], "Под плед", "rose"),
        Playlist(80001, -GROUP, "Лучшее за год", lists[-GROUP][:8], "Выбор клуба", "violet"),
    )
