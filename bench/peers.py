"""nyand beside whole players of others, each under the same hand: start, memory, wakeups, calls, commands."""

import contextlib
import json
import pathlib
import shutil
import subprocess
import time

from clients import timed
from figures import group_of, memory, run_time, track
from house import NYAND, Missed, wait
from players import everybody, silent_output
from table import Row

STARTS, TURNS, TRIES, REST, CLIENTS = 9, 1000, 15, 10, 30
FAILED = (Missed, OSError, LookupError, ValueError, TypeError, subprocess.SubprocessError)


def why_not(missed):
    """What failed, in a few words for a cell that stays empty."""
    if isinstance(missed, subprocess.TimeoutExpired):
        return f"{pathlib.Path(missed.cmd[0]).name}: no answer within {missed.timeout:.0f} s"
    if isinstance(missed, subprocess.CalledProcessError):
        return f"{pathlib.Path(missed.cmd[0]).name} ended with {missed.returncode}"
    return str(missed).strip().split("\n")[0][:120] or type(missed).__name__


def tones(house):
    """Two files of 40 s, the same for everybody."""
    nyand = house.nyand()
    house.ctl("download", track(35), "--wait")
    path = next(row["path"] for row in json.loads(house.ctl("--json", "music")) if row["id"] == track(35))
    folder = house.home / "tones"
    folder.mkdir(exist_ok=True)
    files = [folder / "a.mp3", folder / "b.mp3"]
    for file in files:
        shutil.copy(path, file)
    nyand.stop()
    return files


def starts(everyone, failed):
    """exec → name owned and exec → answers, in turns; the first turn warms caches."""
    took = {peer.name: {"owned": [], "answered": []} for peer in everyone}
    for turn in range(STARTS + 1):
        for peer in (peer for peer in everyone if peer.name not in failed):
            try:
                player = peer.start()
                if turn:
                    took[peer.name]["owned"].append(player.owned)
                    took[peer.name]["answered"].append(player.answered)
                peer.stop()
            except FAILED as missed:
                failed[peer.name] = why_not(missed)
                peer.stop()
    return took


def switches(leader):
    """Voluntary context switches of every thread of a player's processes so far."""
    found = {}
    for entry in group_of(leader):
        with contextlib.suppress(OSError):
            for task in (entry / "task").iterdir():
                lines = (task / "status").read_text().splitlines()
                found[task.name] = sum(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt"))
    return found


def at_rest(leader):
    """(wakeups/s, ms of CPU a second, PSS MiB) over ten seconds."""
    before, ran = switches(leader), run_time(leader)
    time.sleep(REST)
    after = switches(leader)
    woken = sum(after[task] - before.get(task, 0) for task in after) / REST
    return max(0, woken), max(0, (run_time(leader) - ran) / 1e6 / REST), memory(leader)[1]


def one(house, peer, files, found):
    """Everything about one player that runs alone; what was taken before it failed stands in `found`."""
    leader = peer.start().pid
    time.sleep(2)
    found["idle"] = at_rest(leader)
    found["get, idle"] = [1000 * line[1] for line in house.probe("turns", TURNS, peer.bus)]
    peer.load(files)
    wait(f"{peer.name} plays", lambda: peer.status() == "Playing", 10)
    peer.repeat()
    time.sleep(2)
    found["playing"] = at_rest(leader)
    found["get, playing"] = [1000 * line[1] for line in house.probe("turns", TURNS, peer.bus)]
    if peer.client:
        words = [shutil.which(peer.client[0]), *peer.client[1:]]
        found["client"] = [timed(house, words)[0] for _ in range(CLIENTS)][CLIENTS // 10:]
    found["next"] = [line[1] for line in house.probe("signal", peer.bus, "Next", "Metadata", TRIES)]
    found["toggle"] = [line[1] for line in house.probe("signal", peer.bus, "PlayPause", "PlaybackStatus", TRIES)]
    if peer.status() != "Paused":
        house.call(peer.bus, "Pause")
    # nyand gives its output back after ten seconds of pause, which takes a few wakeups once.
    time.sleep(13)
    found["paused"] = at_rest(leader)


def peers(house):
    """All figures, nyand against each."""
    with silent_output(house):
        files = tones(house)
        everyone, failed = everybody(house, files[0].parent)
        names = [*(peer.name for peer in everyone), *failed]
        took = starts(everyone, failed)
        for peer in (peer for peer in everyone if peer.name not in failed):
            try:
                one(house, peer, files, took[peer.name])
            except FAILED as missed:
                failed[peer.name] = why_not(missed)
            finally:
                peer.stop()
    return [*rows(took, names[1:], failed)]


def rows(took, names, failed):
    """The table: a figure, nyand's, then each other's."""
    figures = [
        ("exec → bus name owned", "ms", lambda of: of["owned"]),
        ("exec → answers on the bus", "ms", lambda of: of["answered"]),
        ("idle memory, PSS", "MiB", lambda of: [of["idle"][2]]),
        ("playing memory, PSS", "MiB", lambda of: [of["playing"][2]]),
        ("paused memory, PSS", "MiB", lambda of: [of["paused"][2]]),
        ("idle wakeups", "/s", lambda of: [of["idle"][0]]),
        ("playing wakeups", "/s", lambda of: [of["playing"][0]]),
        ("paused wakeups", "/s", lambda of: [of["paused"][0]]),
        ("idle, CPU", "ms/s", lambda of: [of["idle"][1]]),
        ("playing, CPU", "ms/s", lambda of: [of["playing"][1]]),
        ("paused, CPU", "ms/s", lambda of: [of["paused"][1]]),
        ("Get PlaybackStatus, idle", "µs", lambda of: of["get, idle"]),
        ("Get PlaybackStatus, playing", "µs", lambda of: of["get, playing"]),
        ("its own client asks for the status", "ms", lambda of: of["client"]),
        ("PlayPause → PropertiesChanged", "ms", lambda of: of["toggle"]),
        ("Next → PropertiesChanged", "ms", lambda of: of["next"]),
    ]
    # No goal where it is not ours to meet: mpc speaks to mpd's own socket, and cmus has no network, no store, no GStreamer.
    free = {("its own client asks for the status", name) for name in names}
    free |= {(what, "cmus") for what, *_ in figures}
    for what, unit, of in figures:
        # A call is two hops of the bus for everybody: what differs is noise up to a point.
        goal = None if what in ("playing wakeups", "playing, CPU") else 1.2 if what.startswith("Get") else 1
        goal = None if what in ("idle, CPU", "paused, CPU") else goal
        for name in names:
            yield Row(what, unit, figure(of, took.get("nyand")), name, figure(of, took.get(name)),
                      goal=None if (what, name) in free else goal, note=failed.get(name, failed.get("nyand", "")))


def figure(of, found):
    """What was taken, or nothing."""
    try:
        return of(found)
    except (LookupError, TypeError):
        return []
