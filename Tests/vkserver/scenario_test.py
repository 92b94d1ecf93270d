"""Scenario `test`: 450 tracks over short media; the odd ones stand near the head (README.md lists their ids)."""

from media import Recipe
from crowds import Crowd
from oddities import odd_rows
from playlists import Playlist
from seed import Scenario, Seed
from tracks import Album, Track

USER = 123456
FRIEND, GROUP = 77, -88  # readable lists of others
ARCHIVE = 100000  # somebody with as many rows
LABEL = -2001550144
VISIBLE = 450
TOP_ID = 456240000  # the row at position p (1 is the head) has id TOP_ID - p
BLOCKED_BEFORE = (101, 201, 301)  # a blocked row stands before these positions; ids TOP_ID + 1 …

CUT = 132300  # samples: where the gapless pair is cut

RECIPES = (
    Recipe("cbr", 4.0, seed=1, options=("-b", "128")),
    Recipe("vbr", 5.0, seed=2, options=("-V", "4")),
    Recipe("plain", 3.0, seed=3, options=("-b", "128"), header=False),
    Recipe("tagged", 3.0, seed=4, options=("-b", "160"), tags=True),
    Recipe("mono", 2.0, seed=5, options=("-b", "64"), channels=1),
    Recipe("low", 2.0, seed=6, options=("-b", "64"), rate=22050),
    Recipe("second", 1.0, seed=7, options=("-b", "128")),
    Recipe("gap-a", CUT / 44100, start=0, options=("-b", "128")),
    Recipe("gap-b", CUT / 44100, start=CUT, options=("-b", "128")),
    Recipe("hls", 6.0, seed=8, options=("-b", "128"), segments=(0.5, 0.8, 1.0)),
    Recipe("hls-vbr", 6.0, seed=9, options=("-V", "3"), segments=(0.5, 0.8, 1.2)),
    Recipe("hls-one", 1.5, seed=10, options=("-b", "128"), segments=(2.0,)),
    Recipe("long", 40.0, seed=11, options=("-b", "192")),
    Recipe("long-hls", 40.0, seed=12, options=("-b", "192"), segments=(2.0, 4.0)),
    # No row has it: `track` gives it to one.
    Recipe("aac", 6.0, seed=13, options=("-b:a", "128k"), segments=(0.5, 0.8, 1.0), codec="aac"),
)
ORDINARY = ("cbr", "vbr", "hls", "plain", "tagged", "hls-vbr")  # media of the rows without peculiarity
PICTURES = ("dawn", "lagoon", "ember")
ALBUMS = (
    Album(4550144, "Альбом", "Исполнитель", "dawn"),
    Album(4550145, "Second Album", "Someone", "lagoon", sizes=(34, 68, 135, 270, 300)),
)


def _row(position):
    """An ordinary row: `Исполнитель NN` – `Песня NNN`."""
    media = ORDINARY[position % len(ORDINARY)]
    return Track(
        id=TOP_ID - position,
        owner=USER,
        artist=f"Исполнитель {position % 40:02}",
        title=f"Песня {position:03}",
        media=media,
        hls=media.startswith("hls"),
        date=1750000000 - position * 3600,
        album=ALBUMS[position % 2] if position % 5 < 2 else None,
    )


def _library():
    """All 450 visible rows and three blocked ones, newest first."""
    odd = odd_rows(USER, TOP_ID, ALBUMS)
    rows = []
    for position in range(1, VISIBLE + 1):
        if position in BLOCKED_BEFORE:
            number = TOP_ID + 1 + BLOCKED_BEFORE.index(position)
            rows.append(Track(number, USER, "Blocked", f"Blocked {position}", media="cbr", blocked=True))
        rows.append(odd.get(position) or _row(position))
    return rows


def _others():
    """What search finds beyond the own list: 60 tracks, numbered, of a label and of users."""
    tracks = []
    for number in range(1, 61):
        media = ORDINARY[number % len(ORDINARY)]
        tracks.append(
            Track(
                id=92550000 + number,
                owner=LABEL if number % 2 else 371000 + number,
                artist=f"Found Artist {number % 6}",
                title=f"Found Song {number:02}",
                media=media,
                hls=media.startswith("hls"),
                album=ALBUMS[0] if number % 2 else None,
            )
        )
    return tracks


def _list_of(owner):
    """A short list of somebody else."""
    return [Track(500000 + n, owner, f"Owner {owner}", f"Theirs {n}", media="cbr") for n in range(5, 0, -1)]


def _person(number, first, last, **more):
    """A users.get object."""
    return {"id": number, "first_name": first, "last_name": last, "is_closed": False, "can_access_closed": True} | more


def _group(number, name, screen_name, **more):
    """A groups.getById object."""
    return {"id": number, "name": name, "screen_name": screen_name, "is_closed": 0, "type": "group"} | more


def _playlists(library, others):
    """Playlists of the account, of the friend and of the group (README.md lists them)."""
    theirs = _list_of(FRIEND)
    return (
        Playlist(90001, USER, "Утро", library[:5], "С кофе &amp; кошкой", "dawn"),
        Playlist(90002, USER, "Без обложки", library[60:63]),
        Playlist(90003, USER, "Без ключа", library[40:42], cover="lagoon", keyed=False),
        Playlist(90004, USER, "Пустой 🕳", []),
        Playlist(90005, USER, "Длинный", [track for track in library if not track.blocked][50:350], cover="ember"),
        Playlist(90006, USER, "Смесь", [library[1], others[0], others[1], theirs[0]], cover="dawn"),
        Playlist(90007, USER, "У друга", theirs[:3], original=(FRIEND, 70001)),
        Playlist(90008, USER, "Альбом", [], cover="dawn", original=(ALBUMS[0].owner, ALBUMS[0].id), album=True),
        Playlist(-21, USER, "Плейлист дня", [], "Собран для вас", "lagoon"),
        Playlist(70001, FRIEND, "У друга", theirs[:3], cover="ember"),
        Playlist(70002, FRIEND, "Открыто всем", theirs[3:], keyed=False),
        Playlist(80001, GROUP, "Группы", _list_of(GROUP)[:2], cover="lagoon"),
    )


def seed():
    """The test account."""
    library, others = _library(), _others()
    people = {
        USER: _person(USER, "Тест", "Тестов", screen_name="nya_test", picture="dawn"),
        FRIEND: _person(FRIEND, "Друг", "Открытый", screen_name="open_friend", picture="ember"),
        201: _person(201, "Закрытый", "Плейлист"),
        30: _person(30, "Закрытый", "Профиль", is_closed=True, can_access_closed=False),
        18: _person(18, "DELETED", "", deactivated="deleted"),
        19: _person(19, "Забанен", "Навсегда", deactivated="banned"),
        ARCHIVE: _person(ARCHIVE, "Большой", "Архив", screen_name="archive"),
    }
    libraries = {USER: library, FRIEND: _list_of(FRIEND), GROUP: _list_of(GROUP)}
    libraries[ARCHIVE] = Crowd(ARCHIVE, 100000, "cbr")
    return Seed(
        USER,
        people,
        libraries,
        others,
        next_id=456250001,
        login="+79990000000",
        password="п@роль & 100% + nyan",
        friends=(FRIEND, ARCHIVE, 201, 30, 18, 19),
        groups={88: _group(88, "Открытая группа", "open_group"), 15: _group(15, "Без музыки", "no_music", is_closed=1)},
        member_of=(88, 15),
        playlists=_playlists(library, others),
        refusals={19: 18, 201: 201, 30: 30, 18: 18, -15: 15, 15: 15},
    )


SCENARIO = Scenario("test", RECIPES, PICTURES, seed)
