"""Play → first sample of whole players: a file, a stream over HTTP, an HLS stream. Each writes plain samples to a file."""

import pathlib
import time

from figures import track
from house import NYAND, Missed
from peers import FAILED, tones, why_not
from players import everybody
from table import Row

PLAYS = 5
#: Rows of the test scenario nobody else plays: an MP3 at the first, an HLS stream at the second, then every sixth.
STREAMS = {"an MP3 over HTTP": 156, "an HLS stream": 158}


def first(house):
    """`Play`, or what stands for it, sent → first bytes in the file."""
    samples = house.home / "samples.fifo-or-file"
    files = tones(house)
    everyone, failed = everybody(house, files[0].parent, samples)
    kinds = {"a local file": [files[0].as_uri()] * (PLAYS + 1)}
    for what, row in STREAMS.items():
        kinds[what] = [track(row + 6 * turn) for turn in range(PLAYS + 1)]
    names = [peer.name for peer in everyone]
    took, why = {}, {}
    for peer in everyone:
        if not peer.plain:
            failed[peer.name] = f"{peer.name} has no output that shows its samples"
            continue
        target = house.pcm if peer.bus == NYAND or "mopidy" in peer.name else samples
        try:
            peer.start()
            for what, ids in kinds.items():
                try:
                    took[peer.name, what] = tries(house, peer, what, ids, target)[1:]
                except FAILED as missed:
                    why[peer.name, what] = why_not(missed)
        except FAILED as missed:
            failed[peer.name] = why_not(missed)
        finally:
            peer.stop()
            samples.unlink(missing_ok=True)
    for what in kinds:
        for name in [*names[1:], *(name for name in failed if name not in names)]:
            note = failed.get(name) or why.get((name, what), "")
            yield Row(f"play → first sample, {what}", "ms", took.get(("nyand", what), []), name,
                      took.get((name, what), []), goal=1, note=note)


def tries(house, peer, what, ids, target):
    """Milliseconds of each try; a stream is never met twice. nyand knows the track, the others its signed address."""
    found = []
    for one in ids:
        house.call(peer.bus, "Stop")
        is_file = one.startswith("file:")
        known = one if is_file else one if peer.bus == NYAND else house.address(one)
        if is_file and peer.bus == NYAND:
            known = str(pathlib.Path(one.removeprefix("file://")))
        address = peer.line_up(known)
        time.sleep(0.2)
        more = [address] if address else []
        try:
            found.append(house.probe("play", peer.bus, target, 5, *more)[0][1])
        except Missed as missed:
            raise Missed(f"{peer.name}, {what}: {str(missed).removeprefix('probe: ')}") from missed
        # mopidy 3.4 never answers again when it is stopped at once after a stream began.
        time.sleep(0.15 if is_file else 1.2)
        # mpv's samples come as fast as it decodes, and so does its end.
        if not is_file and not peer.hurries and peer.status() != "Playing":
            raise Missed(f"{peer.name} does not go on playing {what}")
    house.call(peer.bus, "Stop")
    return found
