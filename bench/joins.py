"""How many samples a join of two tracks is off."""

import sys
import time

import tone
from figures import FLOOR, track
from house import NYAND, Missed, wait
from table import Row

HALF = 132300  # samples of each half of the endless tone (scenario `test`, positions 33 and 34)


def join(house, first, second):
    """Samples too many (or too few) where `second` follows `first`."""
    house.call(NYAND, "Stop")
    house.ctl("queue", "clear")
    house.ctl("play", first, second)
    wait("the pair begins", lambda: house.pcm.exists() and house.pcm.stat().st_size > 0, 10)
    wait("the pair ends", lambda: house.state() == "stopped", 20, pause=0.2)
    try:
        return tone.extra_at_join(tone.left_channel(house.pcm), HALF)
    except ValueError as wrong:
        raise Missed(f"join: {wrong}") from wrong


def left_by_playbin(house, one):
    """Samples by which plain playbin3 plays the first half too long: what GStreamer leaves when nobody helps it."""
    house.call(NYAND, "Stop")
    house.call(FLOOR, "OpenUri", f"string:{house.address(one)}")
    house.pcm.write_bytes(b"")
    house.call(FLOOR, "Play")
    size = wait("the floor plays", lambda: house.pcm.stat().st_size)
    while size != (size := house.pcm.stat().st_size) or size < 4 * HALF // 2:
        time.sleep(0.5)
    house.call(FLOOR, "Stop")
    return size // 4 - HALF


def left_in_frames(house, one):
    """Samples by which the frames of the first half are longer than its tone: delay in front and padding behind."""
    return house.page(f"/_expected/{one}")["frames"] * 1152 - HALF


def joins(house):
    """The two halves of one endless tone: MP3s, whose LAME header tells what to trim, and HLS, which has lost it."""
    pairs = (
        ("MP3 with LAME header", (track(33), track(34)), 0.5, "playbin3, first half alone", left_by_playbin),
        ("HLS, no header", (track(101), track(102)), 50, "its frames, untrimmed", left_in_frames),
    )
    for what, pair, limit, peer, left in pairs:
        try:
            extra = [abs(join(house, *pair))]
        except Missed as missed:
            print(f"bench: {missed}", file=sys.stderr)
            extra = []
        yield Row(f"samples off at a join, {what}", "", extra, peer, [left(house, pair[0])], limit=limit)
