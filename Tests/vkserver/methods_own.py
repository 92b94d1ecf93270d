"""audio.*: what an owner does with his own list, and the broadcast (vk-api.md §2.6)."""

import dataclasses
import hashlib

from gate import Refusal
from methods import bad, full_ids, method, shown
from methods_finding import LYRICS
from tracks import Track

TARGETS = 20  # recipients of a broadcast


def _own(world, call):
    """(library, place) of the caller's row a request means."""
    owner, number = call.number("owner_id", call.user), call.number("audio_id")
    library = world.libraries[call.user]
    place = library.find(f"{owner}_{number}") if owner == call.user else None
    if place is None:
        raise Refusal(15, "Access denied: no such audio in your list")
    return library, place


@method("audio.reorder")
def reorder(world, call):
    """Moves a row before or after another one, both by number."""
    library, place = _own(world, call)
    before, after = call.number("before", 0), call.number("after", 0)
    if bool(before) == bool(after):
        raise bad("one of before and after is required")
    if library.find(f"{call.user}_{before or after}") is None:
        raise bad("before or after is not in the list")
    track = library.rows.pop(place)
    beside = library.find(f"{call.user}_{before or after}")
    if beside is None:  # before or after itself
        library.rows.insert(place, track)
    else:
        library.rows.insert(beside if before else beside + 1, track)
    return 1


@method("audio.edit")
def edit(world, call):
    """Other words for an own upload; answers with the id of its lyrics, or 0."""
    library, place = _own(world, call)
    track = library.rows[place]
    if track.album is not None:
        raise Refusal(15, "Access denied: only own uploads can be edited")
    changes = {name: call.text(name) for name in ("artist", "title") if name in call.params}
    if "text" in call.params:
        changes["lyrics"] = tuple(call.text("text").splitlines())
    if "genre_id" in call.params:
        changes["genre"] = call.number("genre_id")
    library.rows[place] = track = dataclasses.replace(track, **changes)
    return LYRICS + track.id if track.lyrics else 0


@method("audio.setBroadcast")
def set_broadcast(world, call):
    """Shows a track in the status of the account and of `target_ids`; without `audio` shows none."""
    if not world.settings["broadcast"]:
        raise Refusal(221)
    targets = [int(part) for part in call.text("target_ids", str(call.user)).split(",")]
    if len(targets) > TARGETS:
        raise Refusal(220)
    track = None
    if call.text("audio"):
        track = world.track(full_ids(call.text("audio"))[0][0])
        if track is None:
            raise bad("audio is invalid")
    world.broadcast = {
        "audio": track.full if track else None,
        "targets": targets,
        "calls": world.broadcast["calls"] + 1,
    }
    return targets


@method("audio.getUploadServer")
def get_upload_server(world, call):
    """Where a file is to be sent."""
    mark = hashlib.sha256(f"upload/{world.next_serial()}".encode()).hexdigest()
    world.uploads[mark] = None
    return {"upload_url": f"{world.hosts['site']}/upload?token={mark}"}


@method("audio.save")
def save(world, call):
    """Makes a row of an uploaded file, at the head of the list. What sounds is a recording of the server's own."""
    mark = call.text("audio")
    if mark not in world.uploads or world.uploads[mark] is None:
        raise Refusal(123)
    name, body = world.uploads[mark]
    if call.text("hash") != body:
        raise Refusal(121)
    del world.uploads[mark]
    artist, _, title = name.rpartition(" - ")
    track = Track(
        id=world.next_id,
        owner=call.user,
        artist=call.text("artist", artist or "Неизвестен"),
        title=call.text("title", title),
        media=next(iter(world.shelf.recipes)),
        date=int(world.clock.wall()),
    )
    world.next_id += 1
    world.libraries[call.user].rows.insert(0, track)
    return shown(world, call, track)
