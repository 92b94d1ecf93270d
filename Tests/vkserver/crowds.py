"""Very long lists: rows with names as people have them, made when they are looked at."""

from collections.abc import Sequence

from tracks import Track

_ARTISTS = (
    "Полуночный экспресс",
    "The Velvet Kites",
    "Ёлки",
    "Снежная Королева 👑",
    "MC Пельмень",
    "Café Brume",
    "Группа «Подъезд»",
    "DJ Синица",
    "Sigrún & Co",
    "Кот Учёный 🐱",
    "夜の猫",
    "Simon &amp; Гарфункель",
)
_FIRST = ("Тихий", "Белый", "Last", "Забытый", "Summer", "Ночной", "Дальний", "Silver", "Медленный", "Ещё один")
_SECOND = ("дождь", "вокзал", "Signal", "снег 🌨", "рассвет", "танец", "Motel", "голос", "двор", "Ёж")
_TAIL = ("", " (Remix)", " (live 2019)", " 🔥🔥", " feat. Ня", " — часть 2", " [Official Audio]", "")


def words(number):
    """(artist, title) of row `number`; neighbours differ, and every title is another one."""
    artist = _ARTISTS[number * 7 % len(_ARTISTS)]
    first, second = _FIRST[number % 10], _SECOND[number // 10 % 10]
    return artist, f"{first} {second}{_TAIL[number * 3 % len(_TAIL)]} №{number}"


def ordinary(number, owner, identity, media):
    """Row `number` of a long list."""
    artist, title = words(number)
    return Track(identity, owner, artist, title, media=media, date=1700000000 - number * 600)


class Crowd(Sequence):
    """A list of `count` rows that exist only while somebody looks. Row 0 has the greatest id."""

    TOP = 457000000

    def __init__(self, owner, count, media):
        self.owner, self.count, self.media = owner, count, media

    def __len__(self):
        return self.count

    def __getitem__(self, place):
        if isinstance(place, slice):
            return [self[index] for index in range(*place.indices(self.count))]
        place = range(self.count)[place]
        return ordinary(place, self.owner, self.TOP - place, self.media)

    def find(self, number):
        """Place of an id, or None."""
        place = self.TOP - number
        return place if 0 <= place < self.count else None
