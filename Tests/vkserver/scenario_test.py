"""Scenario `test`: 450 tracks over short media; the odd ones stand near the head (README.md lists their ids)."""

from media import Recipe
from oddities import odd_rows
from seed import Scenario, Seed
from tracks import Album, Track

USER = 123456
FRIEND, GROUP = 77, -88  # readable lists of others
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


def seed():
    """The test account."""
    people = {
        USER: _person(USER, "Тест", "Тестов", screen_name="nya_test", picture="dawn"),
        FRIEND: _person(FRIEND, "Друг", "Открытый"),
        201: _person(201, "Закрытый", "Плейлист"),
        30: _person(30, "Закрытый", "Профиль", is_closed=True, can_access_closed=False),
        18: _person(18, "DELETED", "", deactivated="deleted"),
    }
    libraries = {USER: _library(), FRIEND: _list_of(FRIEND), GROUP: _list_of(GROUP)}
    return Seed(
        USER,
        people,
        libraries,
        _others(),
        next_id=456250001,
        login="+79990000000",
        password="п@роль & 100% + nyan",
        refusals={201: 201, 30: 30, 18: 18, -15: 15, 15: 15},
    )


SCENARIO = Scenario("test", RECIPES, PICTURES, seed)
