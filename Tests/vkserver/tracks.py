"""Tracks and albums as the service knows them, and the JSON it gives out (vk-api.md §2.1)."""

import hashlib
from dataclasses import dataclass, field, replace


def key_of(*parts):
    """A stable access key of eighteen hex digits."""
    return hashlib.sha1("/".join(map(str, parts)).encode()).hexdigest()[:18]


@dataclass(frozen=True)
class Album:
    """A licensed album; `cover` names a palette, None is an album without a picture."""

    id: int
    title: str
    artist: str
    cover: str | None = None
    sizes: tuple = (34, 68, 135, 270, 300, 600, 1200)
    bare: bool = False  # thumb present, but without any size

    @property
    def owner(self):
        """Labels own their albums."""
        return -2000000000 - self.id % 1000000


@dataclass(frozen=True)
class Track:
    """One row of a library or of the catalogue.

    `link` says what its `url` is: `signed`, `empty`, `absent`, `placeholder`, `sample`, or `late` (empty in lists,
    real through audio.getById). `patch` replaces members of the finished object, `drop` removes them.
    """

    id: int
    owner: int
    artist: str
    title: str
    media: str | None = None
    hls: bool = False
    duration: int | None = None  # None: the recording's true length
    date: int = 1750000000
    album: Album | None = None
    link: str = "signed"
    restricted: int = 0
    blocked: bool = False  # counted, but dropped from pages
    explicit: bool = False
    subtitle: str | None = None
    genre: int | None = None
    lyrics: tuple = ()  # lines, or (begin ms, end ms, line)
    patch: dict = field(default_factory=dict, hash=False)
    drop: tuple = ()

    @property
    def full(self):
        """`owner_id`."""
        return f"{self.owner}_{self.id}"

    @property
    def key(self):
        """The access key others need to read it by id."""
        return key_of("track", self.owner, self.id)

    def copy(self, owner, number, date):
        """The copy audio.add makes: a new identity, the same recording."""
        return replace(self, owner=owner, id=number, date=date)


def _thumb(album, base):
    """Cover addresses of an album."""
    thumb = {"width": 600, "height": 600, "id": f"{album.owner}_{album.id}"}
    if not album.bare:
        thumb |= {f"photo_{size}": f"{base}/cdn/covers/{album.cover}-{size}.jpg" for size in album.sizes}
    return thumb


def audio_object(track, url, seconds, base, serial, modern=True):
    """The object VK would send. `url` None leaves the member out; `serial` makes the track code differ each time."""
    full = track.full
    item = {
        "artist": track.artist,
        "id": track.id,
        "owner_id": track.owner,
        "title": track.title,
        "duration": seconds if track.duration is None else track.duration,
        "access_key": track.key,
        "ads": {"content_id": full, "duration": str(seconds), "account_age_type": "3", "puid22": 11},
        "is_explicit": track.explicit,
        "is_focus_track": False,
        "is_licensed": track.album is not None,
        "track_code": key_of("code", full, serial),
        "date": track.date,
        "url": url,
        "short_videos_allowed": False,
        "stories_allowed": False,
    }
    if url is None:
        del item["url"]
    if track.restricted:
        item["content_restricted"] = track.restricted
    if track.subtitle:
        item["subtitle"] = track.subtitle
    if track.lyrics:
        item |= {"has_lyrics": True} if modern else {"lyrics_id": 7000000 + track.id}
    if track.genre:
        item["genre_id"] = track.genre
    if track.album:
        album = track.album
        item["album"] = {
            "id": album.id,
            "title": album.title,
            "owner_id": album.owner,
            "access_key": key_of("album", album.id)[:10],
        }
        if album.cover:
            item["album"]["thumb"] = _thumb(album, base)
        name = key_of("artist", album.artist)[:12]
        item["main_artists"] = [{"name": album.artist, "domain": name, "id": name}]
    item |= track.patch
    for name in track.drop:
        item.pop(name, None)
    return item
