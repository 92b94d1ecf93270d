"""Scenario `demo`: a small pleasant account for `make demo`. All names are invented."""

import demo_extras
from covers import PALETTES
from media import Recipe
from seed import Scenario, Seed
from tracks import Album, Track

USER = 100500
FIRST_ID = 456239001  # the oldest track of the library
LABEL = -2001550144

_LENGTHS = (48, 62, 41, 55, 73, 44, 58, 66, 52, 47, 70, 43, 60)  # seconds
RECIPES = tuple(
    Recipe(
        f"demo-{number:02}",
        seconds,
        seed=100 + number,
        options=("-V", "3") if number == 5 else ("-b", ("128", "160", "192")[number % 3]),
        tags=number == 7,
    )
    for number, seconds in enumerate(_LENGTHS, 1)
) + (Recipe("demo-14", 64, seed=114, options=("-b", "128"), header=False),)  # no row has it; nothing tells its length

_ALBUMS = {
    "mint": Album(4550101, "Мятный рассвет", "Кошкин Дом", "dawn"),
    "tide": Album(4550102, "Low Tide", "Paper Lanterns", "lagoon"),
    "attic": Album(4550103, "Чердак №9", "Девятый Чердак", "violet"),
    "stove": Album(4550104, "Тёплая печь", "Самовар Бит", "ember"),
    "field": Album(4550105, "Field Notes", "Hedgehog & Sons", "meadow", sizes=(34, 68, 135, 270, 300, 600)),
    "rail": Album(4550106, "Ночной вагон", "Стук Колёс", "steel"),
    "north": Album(4550107, "Северный кот", "Ня", "polar"),
    "rose": Album(4550108, "Rose Quartz EP", "Мурлыка", "rose"),
}

# artist, title, media number (0: not available), HLS?, album; oldest first
_LIBRARY = (
    ("Стук Колёс", "Последняя станция", 1, False, "rail"),
    ("Мурлыка", "Rose Quartz", 2, True, "rose"),
    ("Неизвестный двор", "запись с телефона (2014)", 3, False, None),
    ("Hedgehog &amp; Sons", "Needles &lt;&amp;&gt; Pins", 4, False, "field"),
    ("Самовар Бит", "Чай в три часа", 5, False, "stove"),
    ("Девятый Чердак", "Пыль и свет", 6, True, "attic"),
    ("Paper Lanterns", "Low Tide", 7, False, "tide"),
    ("Радио «Туман»", "Эта песня недоступна", 0, False, None),
    ("Кошкин Дом", "Клубок", 8, True, "mint"),
    ("Ня", "Северный кот 🐈", 9, True, "north"),
    ("Самовар Бит", "Самовар &quot;Туляк&quot;", 10, False, "stove"),
    ("Paper Lanterns", "Harbour Lights", 11, True, "tide"),
    ("соседи сверху", "репетиция", 12, False, None),
    ("Кошкин Дом", "Мятный рассвет", 13, False, "mint"),
)

# artist, title, album
_OTHERS = (
    ("Кошкин Дом", "Лапы на клавишах", "mint"),
    ("Кошкин Дом", "Солнечное пятно", "mint"),
    ("Кошкин Дом", "Мятный рассвет (живьём)", None),
    ("Paper Lanterns", "Salt", "tide"),
    ("Paper Lanterns", "Boats at Noon", "tide"),
    ("Paper Lanterns", "Gulls", "tide"),
    ("Девятый Чердак", "Лестница", "attic"),
    ("Девятый Чердак", "Слуховое окно", "attic"),
    ("Девятый Чердак", "Коробка с письмами", "attic"),
    ("Самовар Бит", "Баранки", "stove"),
    ("Самовар Бит", "Зима не близко", "stove"),
    ("Hedgehog &amp; Sons", "Autumn Leaves a Note", "field"),
    ("Hedgehog &amp; Sons", "Under the Hedge", "field"),
    ("Стук Колёс", "Ночной вагон", "rail"),
    ("Стук Колёс", "Верхняя полка", "rail"),
    ("Стук Колёс", "Чай с лимоном", "rail"),
    ("Ня", "Хвост трубой", "north"),
    ("Ня", "Кот в снегу", "north"),
    ("Ня", "Nyan at Dawn", "north"),
    ("Мурлыка", "Rose Petals", "rose"),
    ("Мурлыка", "Кварц", "rose"),
    ("Мурлыка", "Тише", "rose"),
    ("Тихий Омут", "Рябь", None),
    ("Тихий Омут", "На дне", None),
    ("Lamp & Moth", "Circling", None),
    ("Lamp & Moth", "Sixty Watts", None),
    ("Оркестр Лифтёров", "Между этажами", None),
    ("Оркестр Лифтёров", "Вниз", None),
    ("Café Brume", "Les chats de minuit", None),
    ("夜の猫", "屋根の上", None),
    ("Fjordlys", "Blå time", None),
    ("Nyan Tunes", "Welcome 🐾", "north"),
)


_WORDS = {"Северный кот 🐈": demo_extras.NORTHERN_CAT, "Low Tide": demo_extras.LOW_TIDE}


def seed():
    """The demo account: 14 rows, one of them not available, and some thirty tracks to be found."""
    rows = []
    for number, (artist, title, media, hls, album) in enumerate(_LIBRARY):
        rows.append(
            Track(
                id=FIRST_ID + number,
                owner=USER,
                artist=artist,
                title=title,
                media=f"demo-{media:02}" if media else None,
                hls=hls,
                duration=None if media else 201,
                date=1748000000 + number * 259200,
                album=_ALBUMS.get(album),
                link="signed" if media else "empty",
                restricted=0 if media else 1,
                genre=17 if album else None,
                lyrics=_WORDS.get(title, ()),
            )
        )
    others = [
        Track(
            id=92550001 + number,
            owner=LABEL if album else 371000 + number,
            artist=artist,
            title=title,
            media=f"demo-{number * 5 % len(_LENGTHS) + 1:02}",
            hls=number % 3 == 0,
            album=_ALBUMS.get(album),
        )
        for number, (artist, title, album) in enumerate(_OTHERS)
    ]
    person = {
        "id": USER,
        "first_name": "Ня",
        "last_name": "Демо",
        "screen_name": "nya_demo",
        "picture": "polar",
        "is_closed": False,
        "can_access_closed": True,
    }
    rows.reverse()
    lists = demo_extras.libraries(others)
    return Seed(
        USER,
        {USER: person} | demo_extras.people(),
        {USER: rows} | lists,
        others,
        next_id=456240001,
        login="demo@nyan.test",
        password="мяу-мяу",
        friends=demo_extras.FRIENDS,
        groups=demo_extras.groups(),
        member_of=(demo_extras.GROUP,),
        playlists=demo_extras.playlists(USER, rows, others, lists),
    )


SCENARIO = Scenario("demo", RECIPES, tuple(PALETTES), seed)
