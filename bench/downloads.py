"""The figures of downloading: files and HLS, beside those who do it well, from the same host in the same run."""

import os
import shutil
import signal
import subprocess
import time

import fetching
import hosts
import media
from fetching import Keeper
from house import Missed
from table import Row

PEERS = ("aria2c", "curl")
ROUNDS, PACE, SECONDS = 3, 4_000_000, 199
#: How the tools are called in the table.
NAMES = {"aria2c": "aria2c", "curl": "curl --parallel", "ffmpeg": "ffmpeg -c copy", "yt-dlp": "yt-dlp -N 4"}
RESUMED, KILLED_AFTER = 8, 1.5


class Peers:
    """Who takes part. One that is missing or fails is left out from then on, and its cells say why."""

    def __init__(self, names):
        self.failed = {name: f"not installed: {name}" for name in names if not shutil.which(name)}
        self.names = names

    def each(self, task):
        """Calls it with every name that still takes part: {name: what it returned}."""
        found = {}
        for name in self.names:
            if name not in self.failed:
                try:
                    found[name] = task(name)
                except (Missed, OSError, subprocess.SubprocessError) as missed:
                    self.failed[name] = str(missed)[:120]
        return found

    def row(self, name, what, unit, ours, theirs, **bounds):
        """A row beside one of them."""
        return Row(what, unit, ours, NAMES[name], theirs, note=self.failed.get(name, ""), **bounds)


def cost_rows(what, costs, wall_goal, others):
    """Wall, processor time and memory of nyand against each peer."""
    ours = costs["nyand"]
    for figure, unit, member, goal in (("wall", "s", "wall", wall_goal), ("processor time", "s", "cpu", 1),
                                       ("peak resident", "MiB", "peak", 1), ("of it for this", "MiB", "more", 1)):
        for name in others.names:
            yield others.row(name, f"{what}, {figure}", unit, [getattr(cost, member) for cost in ours],
                             [getattr(cost, member) for cost in costs[name]], goal=goal)


# --- files

def downloads(house):
    """50 files of 8 MB, five at once: at full speed and at 4 MB/s a connection; then a kill in the middle."""
    others = Peers(PEERS)
    folder, sums = media.mp3s()
    keeper = Keeper(house)
    try:
        host = hosts.nginx(house, folder)
        yield from many(house, keeper, others, host, sums, "50 × 8 MB at full speed", ROUNDS)
        yield Row("downloads, resident 2 s after", "MiB", [keeper.resident()], "", [])
        host.stop()
        host = hosts.paced(house, folder, rate=PACE)
        yield from many(house, keeper, others, host, sums, "50 × 8 MB, 4 MB/s each", 1)
        host.stop()
        yield from resumed(house, keeper, others, folder, sums)
    finally:
        keeper.close()


def many(house, keeper, others, host, sums, what, rounds):
    """All files by each tool in turn."""
    urls = [f"{host.url}/{name}" for name in sums]
    ids = keeper.know(urls, SECONDS)
    costs, sent = {name: [] for name in ("nyand", *PEERS)}, {}
    for _ in range(rounds):
        host.since()
        costs["nyand"].append(keeper.fetch(ids))
        sent["nyand"] = host.since()[0]
        check_kept(keeper, ids, [sums[name][1] for name in sums])
        house.ctl("delete", *ids)

        def fetch(name):
            host.since()
            target = house.home / f"by-{name}"
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir()
            cost = fetching.peer(house, fetching.words_of(name, urls, target), target)
            sent[name] = host.since()[0]
            for file, (whole, _) in sums.items():
                if media.file_sum(target / file) != whole:
                    raise Missed(f"{name}: {file} is not what the server has")
            shutil.rmtree(target)
            costs[name].append(cost)

        others.each(fetch)
    yield from cost_rows(what, costs, 1.05, others)
    for name in PEERS:
        yield others.row(name, f"{what}, sent", "MB", [sent["nyand"] / 1e6],
                         [sent[name] / 1e6] if name in sent else [], goal=1)


def check_kept(keeper, ids, wanted):
    """Every kept file has the sound its server states."""
    files = keeper.files(ids)
    for one, expected in zip(ids, wanted):
        if media.sound_sum(files[one]) != expected:
            raise Missed(f"nyand: the sound of {files[one].name} is not what the server has")


# --- kill -9

def resumed(house, keeper, others, folder, sums):
    """kill -9 in the middle of eight files, then again: bytes sent twice; and whole files when others lie there now."""
    names = list(sums)[:RESUMED]
    found = {}
    for is_changed in (False, True):
        now = names if not is_changed else list(sums)[RESUMED:2 * RESUMED]

        def of(tool, is_changed=is_changed, now=now):
            place = house.home / "served"
            shutil.rmtree(place, ignore_errors=True)
            place.mkdir()
            for name in names:
                shutil.copyfile(folder / name, place / name)
            host = hosts.paced(house, place, rate=PACE)

            def change():
                for name, other in zip(names, now) if is_changed else ():
                    shutil.copyfile(folder / other, place / ".new")
                    os.replace(place / ".new", place / name)

            try:
                urls = [f"{host.url}/{name}" for name in names]
                good = killed(house, keeper, tool, urls, change, [sums[name] for name in now])
                if not is_changed and good != len(names):
                    raise Missed(f"{tool}: {len(names) - good} files are wrong after kill -9")
                return len(names) - good if is_changed else host.since()[0] / 1e6 - RESUMED * media.SIZE / 1e6
            finally:
                host.stop()
                shutil.rmtree(place)

        found[is_changed] = {"nyand": of("nyand"), **others.each(of)}
    for is_changed, what, unit, bounds in ((False, "sent twice after kill -9, 8 × 8 MB", "MB", {"goal": 1}),
                                           (True, "wrong files, changed meanwhile", "", {"limit": 0})):
        ours = [found[is_changed]["nyand"]]
        for name in PEERS:
            theirs = [found[is_changed][name]] if name in found[is_changed] else []
            yield others.row(name, what, unit, ours, theirs, **bounds)


def killed(house, keeper, tool, urls, change, wanted):
    """Begins, is killed, begins again and ends.
    - returns: how many files are what the server has now."""
    if tool == "nyand":
        ids = keeper.know(urls, SECONDS)
        house.ctl("download", *ids)
        time.sleep(KILLED_AFTER)
        keeper.kill()
        change()
        keeper.restart()
        house.ctl("download", *ids, "--wait")
        files = keeper.files(ids)
        good = sum(media.sound_sum(files[one]) == expected[1] for one, expected in zip(ids, wanted))
        house.ctl("delete", *ids)
        return good
    target = house.home / f"by-{tool}"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    child = fetching.started(house, fetching.words_of(tool, urls, target), target)
    time.sleep(KILLED_AFTER)
    child.send_signal(signal.SIGKILL)
    child.wait()
    change()
    words = fetching.words_of(tool, urls, target, resuming=True)
    fetching.finished(fetching.started(house, words, target), time.monotonic(), may_fail=True)
    found = [target / url.rsplit("/", 1)[1] for url in urls]
    good = sum(file.exists() and media.file_sum(file) == expected[0] for file, expected in zip(found, wanted))
    shutil.rmtree(target)
    return good


# --- HLS

def hls(house):
    """Ten minutes in 60 segments, one in three encrypted: at full speed, and 40 ms away."""
    folder, frames, size = media.hls()
    others, youtube = Peers(("ffmpeg", "yt-dlp")), "yt-dlp"
    others.failed.pop("yt-dlp", None)  # its own one, from PyPI
    try:
        youtube = fetching.yt_dlp(house)
    except (Missed, OSError) as missed:
        others.failed["yt-dlp"] = str(missed)[:120]
    keeper = Keeper(house)
    try:
        for what, host in (("HLS of 10 min", hosts.nginx(house, folder)),
                           ("HLS, 40 ms away", hosts.paced(house, folder, delay=0.04))):
            yield from segments(house, keeper, others, host, frames, size, what, youtube)
            host.stop()
        yield Row("HLS, resident 2 s after", "MiB", [keeper.resident()], "", [])
    finally:
        keeper.close()


def segments(house, keeper, others, host, frames, size, what, youtube):
    """One long sound by each tool in turn."""
    url = f"{host.url}/index.m3u8?siren=1"
    ids = keeper.know([url], media.SEGMENTS * media.SEGMENT_SECONDS)
    words = {"ffmpeg": ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", url, "-c", "copy", "-write_xing", "0",
                        "-id3v2_version", "0", "out.mp3"],
             "yt-dlp": [youtube, "-q", "--no-config", "--no-cache-dir", "-N", "4", "--fixup", "never",
                        "-o", "out.mp3", url]}
    costs, asked = {name: [] for name in ("nyand", *words)}, {}

    def fetch(name):
        host.since()
        target = house.home / f"by-{name}"
        shutil.rmtree(target, ignore_errors=True)
        target.mkdir()
        cost = fetching.peer(house, words[name], target)
        asked[name] = host.since()
        check_frames(name, target / "out.mp3", frames)
        shutil.rmtree(target)
        costs[name].append(cost)

    for _ in range(ROUNDS):
        host.since()
        costs["nyand"].append(keeper.fetch(ids))
        asked["nyand"] = host.since()
        check_kept(keeper, ids, [frames])
        house.ctl("delete", *ids)
        others.each(fetch)
    yield from cost_rows(what, costs, 0.5, others)
    yield Row(f"{what}, sent", "MB", [asked["nyand"][0] / 1e6], "the files", [size / 1e6], goal=1)
    for name in words:
        yield others.row(name, f"{what}, connections", "", [asked["nyand"][2]], [asked[name][2]] if name in asked else [])


def check_frames(name, path, frames):
    """The frames a peer left, whatever it wrapped them in, are those of the sound."""
    bare = path.with_name("bare.mp3")
    media.run("ffmpeg", "-v", "error", "-i", path, "-c", "copy", "-write_xing", "0", "-id3v2_version", "0", bare)
    if media.file_sum(bare) != frames:
        raise Missed(f"{name}: the sound is not what the server has")
