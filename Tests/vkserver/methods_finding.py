"""audio.*: recommendations, charts and lyrics (vk-api.md §2.2, §2.4)."""

import hashlib
import random

from gate import Refusal
from methods import bad, full_ids, method, shown

LYRICS = 7000000  # an old lyrics id is this and the track's number


def _pool(world):
    """Everything somebody could be recommended."""
    return [track for track in world.catalogue.values() if not track.blocked]


@method("audio.getRecommendations")
def get_recommendations(world, call):
    """Tracks that go with `target_audio`, the same every time, or with the account; `shuffle` mixes them anew."""
    target = call.text("target_audio")
    pool = _pool(world)
    if target:
        full = full_ids(target)[0][0]
        track = world.track(full)
        if track is None:
            raise Refusal(104)
        random.Random(full).shuffle(pool)
        pool.sort(key=lambda other: other.artist != track.artist)
        pool = [other for other in pool if other.full != full]
    else:
        random.Random(call.number("user_id", call.user)).shuffle(pool)
    if call.flag("shuffle"):
        random.Random(world.next_serial()).shuffle(pool)
    offset = call.number("offset", 0)
    page = pool[offset : offset + min(call.number("count", 100), 100)]
    name = "audios" if world.settings["recommendations-shape"] == "audios" else "items"
    return {"count": len(pool), name: [shown(world, call, track) for track in page]}


@method("audio.getPopular")
def get_popular(world, call):
    """The chart: a bare array, and one row less than asked."""
    pool = _pool(world)
    if call.flag("only_eng"):
        pool = [track for track in pool if track.artist.isascii()]
    if call.number("genre_id", 0):
        pool = [track for track in pool if track.genre == call.number("genre_id")]
    offset, count = call.number("offset", 0), min(call.number("count", 30), 1000)
    return [shown(world, call, track) for track in pool[offset : offset + count][: max(count - 1, 0)]]


@method("audio.getStreamMixAudios")
def get_stream_mix(world, call):
    """An endless mix: a bare array, another one each time."""
    if call.text("mix_id") not in ("common", "my_music"):
        raise bad("mix_id is invalid")
    pool = _pool(world) if call.text("mix_id") == "common" else list(world.libraries[call.user].rows)
    chosen = random.Random(world.next_serial()).sample(pool, min(call.number("count", 10), len(pool)))
    return [shown(world, call, track) for track in chosen if not track.blocked]


@method("audio.getLyrics")
def get_lyrics(world, call):
    """By `audio_id` (newer) or `lyrics_id` (older); a track without a text is error 104."""
    if call.text("audio_id"):
        track = world.track(full_ids(call.text("audio_id"))[0][0])
    else:
        number = call.number("lyrics_id") - LYRICS
        every = [*world.libraries[call.user].rows, *world.catalogue.values()]
        track = next((other for other in every if other.id == number), None)
    if track is None or not track.lyrics:
        raise Refusal(104, "Not found: lyrics")
    lines = [line if isinstance(line, str) else line[2] for line in track.lyrics]
    if not call.text("audio_id"):
        return {"lyrics_id": LYRICS + track.id, "text": "\n".join(lines)}
    lyrics = {"language": "ru"}
    if isinstance(track.lyrics[0], str):
        lyrics["text"] = lines
    else:
        lyrics["timestamps"] = [{"begin": begin, "end": end, "line": line} for begin, end, line in track.lyrics]
    mark = hashlib.md5("\n".join(lines).encode()).hexdigest()
    return {"md5": mark, "credits": "Автор: Ня", "lyrics": lyrics}
