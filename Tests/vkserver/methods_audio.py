"""audio.*: reading, finding and changing the library (vk-api.md §2.2, §2.6)."""

import html

from gate import Refusal
from methods import bad, full_ids, method, shown
from methods_playlists import found, rows_of

PAGE = 100  # default `count` of audio.get
FOUND = 30  # default `count` of audio.search


def _library(world, owner):
    """An owner's list; refuses hidden and gone owners, unknown ones have none."""
    if owner in world.refusals:
        raise Refusal(world.refusals[owner])
    return world.libraries.get(owner)


@method("audio.get")
def get(world, call):
    """A page of a list, newest first. Blocked rows count, and take up their places, but are not given out."""
    owner = call.number("owner_id", call.user)
    number, raw = call.number("album_id", 0) or call.number("playlist_id", 0), {}
    if number:
        rows = rows_of(world, found(world, call, owner, number))
    else:
        library = _library(world, owner)
        if library is None:
            return {"count": 0, "items": []}
        rows, raw = library.rows, library.raw
    if call.text("audio_ids"):
        wanted = {full for full, _ in full_ids(call.text("audio_ids"))}
        rows = [track for track in rows if track.full in wanted]
    count, offset = call.number("count", PAGE), call.number("offset", 0)
    if count < 0 or offset < 0:
        raise bad("count and offset should be positive")
    end = offset + min(count, world.settings["page-cap"])
    items = [shown(world, call, track) for track in rows[offset:end] if not track.blocked]
    for place, item in sorted(raw.items()):
        if offset <= place < end:
            items.insert(min(place - offset, len(items)), item)
    return {"count": len(rows), "items": items}


@method("audio.getCount")
def get_count(world, call):
    """The size of a list as VK counts it; 0 for a hidden one."""
    library = world.libraries.get(call.number("owner_id"))
    return len(library.rows) if library and call.number("owner_id") not in world.refusals else 0


@method("audio.getById")
def get_by_id(world, call):
    """Tracks by full id with fresh addresses. Unknown ones are missing; a foreign one without its key has no url."""
    wanted = full_ids(call.text("audios"))
    if len(wanted) > 100:
        raise bad("audios has too many elements")
    items = []
    for full, key in wanted:
        track = world.track(full)
        if track is None or track.blocked:
            continue
        open_to = track.owner == call.user or key == track.key
        items.append(shown(world, call, track, "id" if open_to else "locked"))
    return {"items": items} if world.settings["by-id-shape"] == "items" else items


def _words(track, artist_only):
    """What a search looks through."""
    text = track.artist if artist_only else f"{track.artist} {track.title} {track.subtitle or ''}"
    return html.unescape(text).casefold()


@method("audio.search")
def search(world, call):
    """All tracks holding every word; own ones first or, with search_own, only."""
    words = call.text("q").casefold().split()
    if not words:
        raise bad("q is empty")
    own = world.libraries[call.user].rows
    rest = [] if call.flag("search_own") else list(world.catalogue.values())
    pool = [track for track in [*own, *rest] if not track.blocked]
    artist_only = call.flag("performer_only")
    fitting = [track for track in pool if all(word in _words(track, artist_only) for word in words)]
    offset = call.number("offset", 0)
    end = offset + min(call.number("count", FOUND), 300, world.settings["search-cap"])
    return {"count": len(fitting), "items": [shown(world, call, track) for track in fitting[offset:end]]}


@method("audio.add")
def add(world, call):
    """Puts a copy with a new identity first. Adding twice makes two copies."""
    owner, number = call.number("owner_id"), call.number("audio_id")
    track = world.track(f"{owner}_{number}")
    if track is None:
        raise Refusal(104)
    if track.owner != call.user and call.text("access_key") not in ("", track.key):
        raise Refusal(15, "Access denied: wrong access_key")
    copy = track.copy(call.user, world.next_id, int(world.clock.wall()))
    world.next_id += 1
    world.libraries[call.user].rows.insert(0, copy)
    shape = world.settings["add-shape"]
    if shape == "int" or (shape == "auto" and not call.modern):
        return copy.id
    item = {"audio_raw_id": track.full, "new_audio_id": copy.id, "new_owner_id": copy.owner}
    return {"errors": [], "errors_count": 0, "items": [item], "items_count": 1}


@method("audio.delete")
def delete(world, call):
    """Takes an own copy off the list."""
    owner, number = call.number("owner_id"), call.number("audio_id")
    library = world.libraries[call.user]
    full = f"{owner}_{number}"
    place = library.find(full) if owner == call.user else None
    if place is None:
        raise Refusal(15, "Access denied: no such audio in your list")
    library.deleted[full] = (library.rows.pop(place), place, world.clock.now())
    shape = world.settings["delete-shape"]
    return 1 if shape == "int" or (shape == "auto" and not call.modern) else {"audio_ids": [full]}


@method("audio.restore")
def restore(world, call):
    """Brings a deleted copy back to its place, while the service still remembers it."""
    owner, number = call.number("owner_id", call.user), call.number("audio_id")
    library = world.libraries[call.user]
    full = f"{owner}_{number}"
    track, place, when = library.deleted.pop(full, (None, 0, 0.0))
    if track is None or world.clock.now() - when > world.settings["restore-time"]:
        raise Refusal(202)
    library.rows.insert(min(place, len(library.rows)), track)
    return shown(world, call, track)
