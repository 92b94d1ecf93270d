"""audio.search* and artists: finding albums, playlists, artists and words to search for (vk-api.md §2.2, §2.5)."""

import html

from gate import Refusal
from methods import bad, method, shown
from methods_playlists import object_of
from tracks import key_of


def _fits(words, text):
    """Whether every word stands in a text."""
    text = html.unescape(text).casefold()
    return all(word in text for word in words)


def _words(call, name="q"):
    """The words looked for; error 100 without any."""
    words = call.text(name).casefold().split()
    if not words:
        raise bad(f"{name} is empty")
    return words


def _page(call, items, make, count=50):
    """One page of what was found."""
    offset = call.number("offset", 0)
    return {"count": len(items), "items": [make(item) for item in items[offset : offset + call.number("count", count)]]}


def _albums(world):
    """Every licensed album of the catalogue, once."""
    found = {(t.album.owner, t.album.id): t.album for t in world.catalogue.values() if t.album}
    return [world.album(*place) for place in found]


@method("audio.searchAlbums")
def search_albums(world, call):
    """Licensed albums by title or artist."""
    words = _words(call)
    found = [album for album in _albums(world) if _fits(words, f"{album.title} {album.description}")]
    return _page(call, found, lambda item: object_of(world, call, item))


@method("audio.searchPlaylists")
def search_playlists(world, call):
    """Playlists of people and communities by title; own and generated ones are left out."""
    words, every = _words(call), world.playlists.all()
    others = [item for item in every if item.owner != call.user and not item.original and not item.generated]
    return _page(call, [p for p in others if _fits(words, p.title)], lambda item: object_of(world, call, item))


def _artists(world):
    """Id → name of the artists of licensed tracks."""
    return {key_of("artist", t.album.artist)[:12]: t.album.artist for t in world.catalogue.values() if t.album}


@method("audio.searchArtists")
def search_artists(world, call):
    """Artists by name. Their ids are texts."""
    words = _words(call)
    found = [(key, name) for key, name in _artists(world).items() if _fits(words, name)]
    return _page(call, found, lambda pair: {"id": pair[0], "domain": pair[0], "name": pair[1]})


def _artist(world, call):
    """(id, name) of the artist asked for."""
    key = call.text("artist_id")
    name = _artists(world).get(key)
    if name is None:
        raise Refusal(104, "Not found: artist")
    return key, name


@method("audio.getArtistById")
def get_artist(world, call):
    """One artist."""
    key, name = _artist(world, call)
    return {"id": key, "domain": key, "name": name, "photo": [], "is_album_cover": True}


@method("audio.getAudiosByArtist")
def get_audios_by_artist(world, call):
    """An artist's tracks."""
    _, name = _artist(world, call)
    found = [track for track in world.catalogue.values() if track.album and track.album.artist == name]
    return _page(call, found, lambda track: shown(world, call, track))


@method("audio.getAlbumsByArtist")
def get_albums_by_artist(world, call):
    """An artist's albums."""
    _, name = _artist(world, call)
    found = [album for album in _albums(world) if album.description == name]
    return _page(call, found, lambda item: object_of(world, call, item))


@method("audio.getSearchSuggestions")
def get_suggestions(world, call):
    """Names that begin like the query."""
    query = call.text("query").casefold()
    names = dict.fromkeys(html.unescape(track.artist) for track in world.catalogue.values())
    return {"suggestions": [name for name in names if name.casefold().startswith(query)][:10]}


@method("catalog.getAudio")
def catalog(world, call):
    """The showcase: one section with one block of recent tracks and one of a kind no client knows."""
    recent = list(world.catalogue.values())[:6]
    blocks = [
        {
            "id": "PUlYRhcOWFVq",
            "data_type": "music_audios",
            "layout": {"name": "list"},
            "audios_ids": [t.full for t in recent],
        },
        {"id": "PUlYRhcOWFVr", "data_type": "something_new", "layout": {"name": "unheard_of"}},
    ]
    section = {"id": "PUlYRhcOWFVp", "title": "Главная", "url": "https://vk.com/audio?section=all"}
    if call.flag("need_blocks") or call.text("url"):
        section["blocks"] = blocks
    audios = [shown(world, call, track) for track in recent]
    return {"catalog": {"default_section": section["id"], "sections": [section]}, "audios": audios, "playlists": []}
