"""What must be true of nyand's files, whatever was done to it."""

import glob
import hashlib
import json
import os
import sqlite3
import stat

from house import Broken


def sound(path):
    """SHA-256 of a file's sound without its tags."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:3] == b"ID3":
        size = data[6] << 21 | data[7] << 14 | data[8] << 7 | data[9]
        data = data[10 + size :]
    if data[-128:-125] == b"TAG":
        data = data[:-128]
    return hashlib.sha256(data).hexdigest()


def files(house, expected, foreign=()):
    """Each file of My Music is the sound VK has (`expected`: id → SHA-256; of `foreign` ids nothing is known), and the index and
    the folder agree; returns id → path."""
    music = {row["id"]: row["path"] for row in json.loads(house.ctl("--json", "music")[1])}
    for id, path in music.items():
        if not os.path.exists(path):
            raise Broken(f"{id} is listed, and {path} is not there")
        if id not in foreign and id in expected and sound(path) != expected[id]:
            raise Broken(f"{id}: {path} is not what VK has")
    if len(set(music.values())) != len(music):
        raise Broken("two tracks have one file")
    house.until("nothing is left over", lambda: not rest(house, music), 10, lambda: rest(house, music))
    return music


def rest(house, music):
    """Files that are nobody's: in the music folder, hidden ones too, and rests of downloads."""
    there = {os.path.join(at, name) for at, _, names in os.walk(house.music) for name in names}
    copies = {os.path.join(at, name) for at, _, names in os.walk(house.room + "/data/nyand/copies") for name in names}
    return sorted((there - set(music.values())) | copies)


def databases(house):
    """Whole, and none was set aside. nyand does not run."""
    paths = glob.glob(house.room + "/*/nyand/*.db")
    if len(paths) < 2:
        raise Broken(f"databases: {paths}")
    for path in paths:
        with sqlite3.connect(path) as database:
            verdict = database.execute("PRAGMA integrity_check").fetchone()[0]
        if verdict != "ok":
            raise Broken(f"{path}: {verdict}")
    if broken := glob.glob(house.room + "/*/nyand/*broken*"):
        raise Broken(f"set aside: {broken}")


def secrets(house):
    """Nobody else may read them, and no core dump holds them."""
    data = house.room + "/data/nyand"
    if stat.S_IMODE(os.stat(data).st_mode) != 0o700:
        raise Broken(f"{data} has mode {stat.S_IMODE(os.stat(data).st_mode):o}")
    for path in glob.glob(data + "/credentials*"):
        if (mode := stat.S_IMODE(os.stat(path).st_mode)) != 0o600:
            raise Broken(f"{path} has mode {mode:o}")
    for at, _, names in os.walk(house.home):
        if cores := [name for name in names if name == "core" or name.startswith("core.")]:
            raise Broken(f"{at}: {cores}")


def forbids_dumps(pid):
    """No core of this process is ever written, whatever limits it was started with."""
    with open(f"/proc/{pid}/limits") as file:
        line = next(line for line in file if line.startswith("Max core file size"))
    if line.split()[4] != "0":
        raise Broken(f"a core may be written: {line.strip()}")
