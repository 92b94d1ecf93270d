"""audio.*Playlist*: listing, reading and changing playlists (vk-api.md §2.3)."""

import random

from gate import Refusal
from methods import bad, full_ids, method, shown
from playlists import playlist_object

GENERATED_ROWS = 10
PREVIEW = 3  # rows of `playlist.audios` in execute.getPlaylist


def found(world, call, owner, number):
    """A playlist the caller may read: his own, one without a key, or one whose right key came along."""
    if owner in world.refusals:
        raise Refusal(world.refusals[owner])
    playlist = world.playlists.find(owner, number) or world.album(owner, number)
    if playlist is None:
        raise Refusal(104, "Not found: playlist")
    if owner != call.user and playlist.key and call.text("access_key") != playlist.key:
        raise Refusal(15, "Access denied: access_key is missing or wrong")
    return playlist


def _own(world, call):
    """The caller's own playlist that is to be changed."""
    owner, number = call.number("owner_id"), call.number("playlist_id")
    playlist = world.playlists.find(owner, number)
    if playlist is None:
        raise Refusal(104, "Not found: playlist")
    if owner != call.user or playlist.generated:
        raise Refusal(15, "Access denied: not your playlist")
    return playlist


def rows_of(world, playlist):
    """The rows as they are now. Opening a generated one makes them anew."""
    if playlist.generated:
        pool = [track for track in world.catalogue.values() if not track.blocked]
        playlist.rows = random.Random(world.next_serial()).sample(pool, min(GENERATED_ROWS, len(pool)))
        playlist.updated = int(world.clock.wall())
    if playlist.original:
        source = world.playlists.find(*playlist.original) or world.album(*playlist.original)
        playlist.rows = [] if source is None else source.rows
    return playlist.rows


def object_of(world, call, playlist):
    """The JSON of a playlist."""
    original = None
    if playlist.original:
        original = world.playlists.find(*playlist.original) or world.album(*playlist.original)
        rows_of(world, playlist)
    followed = world.playlists.following(call.user, playlist.place)
    return playlist_object(playlist, original, followed, world.hosts["cdn"])


def people_of(world, owners):
    """`profiles` and `groups` of extended answers."""
    people = [world.person(owner) for owner in dict.fromkeys(owners) if owner in world.people]
    groups = [world.group(-owner) for owner in dict.fromkeys(owners) if -owner in world.groups]
    return {"profiles": people, "groups": groups}


@method("audio.getPlaylists")
def get_playlists(world, call):
    """A page of somebody's playlists; `filters` all, owned, followed, albums."""
    owner = call.number("owner_id", call.user)
    if owner in world.refusals:
        raise Refusal(world.refusals[owner])
    count, offset = call.number("count", 50), call.number("offset", 0)
    if count < 0 or offset < 0:
        raise bad("count and offset should be positive")
    wanted = [part.strip() for part in call.text("filters", "all").split(",")]

    def fits(item):
        followed = item.original is not None
        album = followed and item.album
        kinds = {"all": True, "owned": not followed, "followed": followed, "albums": album}
        return any(kinds.get(name, False) for name in wanted)

    items = [item for item in world.playlists.of(owner) if fits(item)]
    end = offset + min(count, int(world.settings["playlists-page-cap"]))
    page = items[offset:end]
    answer = {"count": len(items), "items": [object_of(world, call, item) for item in page]}
    if end < len(items):
        answer["next_from"] = str(end)
    return answer | (people_of(world, [item.owner for item in page]) if call.flag("extended") else {})


@method("audio.getPlaylistById")
def get_playlist_by_id(world, call):
    """One playlist without its tracks."""
    return object_of(world, call, found(world, call, call.number("owner_id"), call.number("playlist_id")))


@method("execute.getPlaylist")
def execute_get_playlist(world, call):
    """A playlist and its tracks in one answer; `playlist.audios` is a preview only."""
    playlist = found(world, call, call.number("owner_id"), call.number("id"))
    offset, count = call.number("audio_offset", 0), call.number("audio_count", 100)
    rows = [track for track in rows_of(world, playlist) if not track.blocked]
    audios = [shown(world, call, track) for track in rows[offset : offset + min(count, world.settings["page-cap"])]]
    answer = {"audios": audios}
    if call.flag("need_playlist"):
        answer["playlist"] = object_of(world, call, playlist) | {"audios": audios[:PREVIEW]}
    return answer | (people_of(world, [playlist.owner]) if call.flag("need_owner") else {})


def _tracks(world, call):
    """The tracks of `audio_ids`; unknown ones are left out."""
    text = call.text("audio_ids")
    asked = [world.track(full) for full, _ in full_ids(text)] if text else []
    return [track for track in asked if track is not None]


def _check_room(world, amount):
    """Error 300 above the cap."""
    if amount > int(world.settings["playlist-cap"]):
        raise Refusal(300)


@method("audio.createPlaylist")
def create_playlist(world, call):
    """A new playlist at the head of the list."""
    if call.number("owner_id", call.user) != call.user:
        raise Refusal(15, "Access denied: not your playlists")
    title = call.text("title").strip()
    if not title:
        raise bad("title is empty")
    tracks = _tracks(world, call)
    _check_room(world, len(tracks))
    now = int(world.clock.wall())
    description = call.text("description")
    made = world.playlists.create(call.user, title, rows=tracks, description=description, created=now, updated=now)
    return object_of(world, call, made)


@method("audio.editPlaylist")
def edit_playlist(world, call):
    """Another title or description."""
    playlist = _own(world, call)
    if playlist.original:
        raise Refusal(15, "Access denied: not your playlist")
    if "title" in call.params:
        if not call.text("title").strip():
            raise bad("title is empty")
        playlist.title = call.text("title").strip()
    playlist.description = call.text("description", playlist.description)
    playlist.updated = int(world.clock.wall())
    return 1


@method("audio.addToPlaylist")
def add_to_playlist(world, call):
    """Puts tracks into an own playlist; what is there already stays where it is."""
    playlist = _own(world, call)
    if playlist.original:
        raise Refusal(15, "Access denied: not your playlist")
    if not call.text("audio_ids"):
        raise bad("audio_ids is empty")
    there = {track.full for track in playlist.rows}
    tracks = _tracks(world, call)
    fresh = [track for track in tracks if track.full not in there]
    _check_room(world, len(playlist.rows) + len(fresh))
    at = 0 if world.settings["playlist-add-at"] == "head" else len(playlist.rows)
    playlist.rows[at:at] = fresh
    playlist.updated = int(world.clock.wall())
    return [{"audio_id": track.full, "track_code": f"code{world.next_serial()}"} for track in tracks]


@method("audio.removeFromPlaylist")
def remove_from_playlist(world, call):
    """Takes tracks out of an own playlist."""
    playlist = _own(world, call)
    gone = {full for full, _ in full_ids(call.text("audio_ids"))}
    playlist.rows = [track for track in playlist.rows if track.full not in gone]
    playlist.updated = int(world.clock.wall())
    return 1


@method("audio.deletePlaylist")
def delete_playlist(world, call):
    """Deletes an own playlist, or ends following one: named by the own entry or by the original."""
    owner, number = call.number("owner_id"), call.number("playlist_id")
    entry = world.playlists.following(call.user, (owner, number))
    if entry is None:
        entry = _own(world, call)
    world.playlists.remove(entry)
    return 1


@method("audio.followPlaylist")
def follow_playlist(world, call):
    """An own entry that follows somebody's playlist; following twice makes one."""
    original = found(world, call, call.number("owner_id"), call.number("playlist_id"))
    if original.generated or original.owner == call.user:
        raise Refusal(15, "Access denied: this playlist cannot be followed")
    entry = world.playlists.following(call.user, original.place)
    if entry is None:
        more = {"cover": original.cover, "description": original.description, "album": original.album}
        entry = world.playlists.create(call.user, original.title, original=original.place, rows=original.rows, **more)
    return {"owner_id": entry.owner, "playlist_id": entry.id}
