"""The odd rows of scenario `test`: what real libraries hold and clients stumble over (vk-api.md §5, §7.3)."""

import unicodedata

from tracks import Album, Track

LONG = "Очень длинное название, которое не кончается " * 12
TIMED = ((200, 1000, "Раз — и сидит на крыше"), (1100, 2000, "два &amp; три — ещё выше"), (2100, 3600, "🐈"))
SONG = tuple((second * 1000, second * 1000 + 900, f"Секунда {second}") for second in range(1, 39))
PLAIN = ("Строка без времени,", "", "строка &quot;после&quot; пустой")
NULLS = {"album": None, "access_key": None, "subtitle": None, "main_artists": None, "genre_id": None, "ads": None}


def odd_rows(user, top, albums):
    """Position → row. The list is the documentation's order: README.md repeats it."""
    bare = Album(4550146, "Без размеров", "Кто-то", "ember", bare=True)
    coverless = Album(4550147, "Без обложки", "Кто-то", None)
    small = Album(4550148, "Small Cover", "Someone", "lagoon", sizes=(34, 135))
    rows = [
        ("Direct", "MP3 with LAME header", {"media": "cbr", "album": albums[0], "lyrics": TIMED}),
        ("Segments", "HLS", {"media": "hls", "hls": True, "album": albums[1], "lyrics": PLAIN}),
        ("Simon &amp; Гарфункель", "Rock &#39;n&#39; Roll &quot;Live&quot; &#9829;", {"media": "cbr"}),
        ("A &amp;amp; B", "Doubly &amp;lt;encoded&amp;gt;", {"media": "cbr"}),
        ("Кот 🐈", "Emoji 👩‍👩‍👧‍👦 🏳️‍🌈 ❤️", {"media": "cbr"}),
        ("فرقة", "\u202eRTL override\u202c שלום", {"media": "cbr"}),
        ("Long", LONG[:500], {"media": "cbr"}),
        ("", "No artist", {"media": "cbr"}),
        ("No title", "", {"media": "cbr"}),
        ("AC/DC", "Back / In \\ Black", {"media": "cbr"}),
        ("..", "../../etc/passwd", {"media": "cbr"}),
        (".hidden", ".leading dot", {"media": "cbr"}),
        ("NFD", unicodedata.normalize("NFD", "Ёлка й café"), {"media": "cbr"}),
        ("Zero", "Duration 0", {"media": "cbr", "duration": 0}),
        ("Wrong", "Duration far too long", {"media": "cbr", "duration": 600}),
        ("Gone", "Restricted, url empty", {"link": "empty", "restricted": 1, "duration": 180}),
        ("Gone", "url missing", {"link": "absent", "restricted": 6, "duration": 180}),
        ("Late", "url empty in lists, real by id", {"media": "cbr", "link": "late"}),
        ("Placeholder", "Placeholder url in a list", {"link": "placeholder", "duration": 25}),
        ("Sample", "Half a track", {"media": "cbr", "link": "sample", "duration": 180}),
        ("Nulls", "Null members", {"media": "cbr", "patch": NULLS}),
        ("Strings", "Numbers as strings", {"media": "cbr"}),
        ("Bools", "Bools as numbers", {"media": "cbr"}),
        ("Empty arrays", "[] for objects", {"media": "cbr", "patch": {"album": [], "ads": [], "thumb": []}}),
        ("Twin", "Same name twice", {"media": "cbr"}),
        ("Twin", "Same name twice", {"media": "cbr"}),
        ("Album", "Thumb without sizes", {"media": "cbr", "album": bare}),
        ("Album", "Without thumb", {"media": "cbr", "album": coverless}),
        ("Album", "Two small sizes only", {"media": "cbr", "album": small}),
        ("Control", "Tab\tnewline\nbell\x07 zero\u200bwidth", {"media": "cbr"}),
        ("  Spaces  ", "  around and at the end. ", {"media": "cbr"}),
        ("Few", "Only what is required", {"media": "cbr", "drop": _OPTIONAL}),
        ("Gapless", "Part one", {"media": "gap-a"}),
        ("Gapless", "Part two", {"media": "gap-b"}),
        ("Long file", "MP3, 40 s", {"media": "long", "lyrics": SONG}),
        ("Long file", "HLS, 40 s", {"media": "long-hls", "hls": True}),
        ("Formats", "VBR", {"media": "vbr"}),
        ("Formats", "No Xing header", {"media": "plain"}),
        ("Formats", "ID3v2 and ID3v1 inside", {"media": "tagged"}),
        ("Formats", "Mono", {"media": "mono"}),
        ("Formats", "22.05 kHz", {"media": "low"}),
        ("Formats", "One second", {"media": "second"}),
        ("Formats", "HLS VBR", {"media": "hls-vbr", "hls": True}),
        ("Formats", "HLS of one segment", {"media": "hls-one", "hls": True}),
        ("CON", 'NUL <>:"|?* name', {"media": "cbr"}),
        ("case", "collision", {"media": "cbr"}),
        ("CASE", "COLLISION", {"media": "cbr"}),
        ("Explicit", "Subtitle, explicit, genre", {"media": "cbr", "explicit": True, "subtitle": "Remix", "genre": 21}),
    ]
    found = {}
    for position, (artist, title, more) in enumerate(rows, 1):
        found[position] = Track(top - position, user, artist, title, date=1750000000 - position * 3600, **more)
    return found | _typed(found)


_OPTIONAL = ("access_key", "ads", "is_explicit", "is_focus_track", "is_licensed", "track_code", "date")


def _typed(found):
    """The rows whose members have other types than usual."""
    strings = next(item for item in found.items() if item[1].artist == "Strings")
    bools = next(item for item in found.items() if item[1].artist == "Bools")
    as_text = {"id": str(strings[1].id), "owner_id": str(strings[1].owner), "duration": "4", "date": "1749000000"}
    as_number = {"is_explicit": 1, "is_licensed": 0, "is_focus_track": 0, "content_restricted": False}
    return {
        strings[0]: _patched(strings[1], as_text),
        bools[0]: _patched(bools[1], as_number),
    }


def _patched(track, patch):
    """The row with members replaced."""
    return Track(track.id, track.owner, track.artist, track.title, media=track.media, date=track.date, patch=patch)
