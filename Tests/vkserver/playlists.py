"""Playlists as the service knows them, and the JSON it gives out (vk-api.md §2.3)."""

from dataclasses import dataclass, field

from tracks import key_of

SIZES = (34, 68, 135, 270, 300, 600, 1200)


@dataclass
class Playlist:
    """One playlist. Negative ids are generated ones, whose rows change whenever they are opened."""

    id: int
    owner: int
    title: str
    rows: list = field(default_factory=list)
    description: str = ""
    cover: str | None = None  # palette; None is without `photo`
    keyed: bool = True  # False: no `access_key` is given out, and none is needed
    original: tuple | None = None  # (owner, id) of what a followed one follows
    album: bool = False  # licensed
    year: int | None = None
    created: int = 1740000000
    updated: int = 1750000000

    @property
    def generated(self):
        """Whether VK makes it up."""
        return self.id < 0

    @property
    def place(self):
        """(owner, id)."""
        return self.owner, self.id

    @property
    def key(self):
        """What others need to read it, None when nothing is needed."""
        if not self.keyed:
            return None
        return key_of("album", self.id)[:10] if self.album else key_of("playlist", self.owner, self.id)


def photo(cover, base):
    """Cover addresses."""
    addresses = {f"photo_{size}": f"{base}/cdn/covers/{cover}-{size}.jpg" for size in SIZES}
    return addresses | {"width": 600, "height": 600}


def playlist_object(playlist, original, followed, base):
    """The object VK would send to the account. `followed`: the account's entry that follows this one, if any."""
    item = {
        "id": playlist.id,
        "owner_id": playlist.owner,
        "type": 1 if playlist.album or playlist.original else 0,
        "title": playlist.title,
        "description": playlist.description,
        "genres": [],
        "count": len(playlist.rows),
        "followers": 7 if playlist.album else 0,
        "plays": 1234 if playlist.album else 3,
        "create_time": playlist.created,
        "update_time": playlist.updated,
        "is_following": followed is not None or playlist.original is not None,
        "permissions": {"play": True, "share": True, "edit": not playlist.original, "follow": not playlist.generated},
        "subtitle_badge": False,
        "play_button": True,
        "album_type": "main_only" if playlist.album else "playlist",
    }
    if playlist.key:
        item["access_key"] = playlist.key
    if playlist.cover:
        item["photo"] = photo(playlist.cover, base)
    if playlist.year:
        item["year"] = playlist.year
    if original is not None:
        item["original"] = {"owner_id": original.owner, "playlist_id": original.id}
        if original.key:
            item["original"]["access_key"] = original.key
    if followed is not None:
        item["followed"] = {"owner_id": followed.owner, "playlist_id": followed.id}
    return item


class Playlists:
    """Every playlist of the service, by place and in the order of their owners' lists (newest first)."""

    def __init__(self, seeded):
        self.lists = {}  # owner → playlists
        self.next_id = 91001
        for playlist in seeded:
            self.lists.setdefault(playlist.owner, []).append(playlist)

    def of(self, owner):
        """An owner's list."""
        return self.lists.get(owner, [])

    def all(self):
        """Every one."""
        return [item for owned in self.lists.values() for item in owned]

    def find(self, owner, number):
        """One by place, or None."""
        return next((item for item in self.of(owner) if item.id == number), None)

    def following(self, user, place):
        """The account's entry that follows the playlist at a place, or None."""
        return next((item for item in self.of(user) if item.original == place), None)

    def create(self, owner, title, **more):
        """A new one at the head of its owner's list."""
        made = Playlist(self.next_id, owner, title, **more)
        self.next_id += 1
        self.lists.setdefault(owner, []).insert(0, made)
        return made

    def remove(self, playlist):
        """Takes one off its owner's list."""
        self.lists[playlist.owner].remove(playlist)
