#!/usr/bin/python3
"""Hostile titles, trees and tags: what nyand makes files of, and what it finds among files.

usage: names.py [--programs DIR] [--only WORD]
"""

import hashlib
import json
import os
import shutil
import socket
import struct
import sys
import time
import unicodedata

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from media import FRAME, id3  # noqa: E402
from stand import Stand, arguments  # noqa: E402

MB = 1 << 20
SOUND = FRAME * 400
TITLES = [
    "../../../../tmp/nyan-evil", "/etc/nyan-evil", "..", ".", "...", "/", "//", "\\", "a\\..\\b", "a/b",
    "a\0b", "a\nb", "a\rb", "\x1b[2J", "\x7f", "x" * 10_000, "ж" * 10_000, "\u0301" * 10_000, "a" + "\u0301" * 10_000,
    "\u202e\u2066abc\u2069", "\u200f\u05d0\u05d1", "👨‍👩‍👧‍👦" * 60, "🏴󠁧󠁢󠁥󠁮󠁧󠁿" * 40, "\u200b\u200c\u200d\ufeff", "\u2028\u2029",
    "CON", "nul.mp3", "AUX ", "com1.tar.gz", "LPT9", "-rf", "--help", "~root", "~", "$(touch /tmp/nyan-evil)", "`id`", "%s%n%x",
    "Name", "name", "NAME", unicodedata.normalize("NFC", "Ёлка й"), unicodedata.normalize("NFD", "Ёлка й"),
    "y" * 300 + "1", "y" * 300 + "2", "y" * 300 + "3", " ", "", "trailing.", "trailing ", "a:b|c?d*e<f>g\"h", "\ufffe\uffff",
    "{artist}", "{id}{title}", "x.mp3", ".hidden", ".nyand-1_1-x.part",
]  # fmt: skip
TEMPLATES = ["../{title}", "{title}" * 60, "x" * 300 + "{id}", "-{title}", "~{title}", "CON{id}", ".{title}", "{nothing}", "{title", "\u202e{title}"]


def sha(path):
    """What is in a file."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


class Files:
    """Somebody's files beside My Music, none of which may change."""

    def __init__(self, stand):
        self.stand, self.house = stand, stand.house
        self.theirs = self.house.home + "/theirs"
        os.makedirs(self.theirs + "/deep")
        for number, name in enumerate(("a.mp3", "deep/b.mp3", "secret.txt")):
            with open(f"{self.theirs}/{name}", "wb") as file:
                file.write(id3(0) + SOUND + bytes([number]) * 417)
        self.before = self.state()

    def state(self):
        """Everything of theirs."""
        return {
            os.path.join(place, name): sha(os.path.join(place, name))
            for place, _, names in os.walk(self.theirs)
            for name in names
        }

    def check(self):
        """Nothing of theirs has changed; nothing is where a name wanted it."""
        if self.state() != self.before:
            raise RuntimeError("a file of somebody else's has changed")
        for path in ("/tmp/nyan-evil", "/tmp/nyan-evil.mp3", "/etc/nyan-evil", "/etc/nyan-evil.mp3"):
            if os.path.exists(path):
                raise RuntimeError(f"{path} is there")

    def music(self):
        """Names in My Music, which is flat."""
        names = os.listdir(self.house.music) if os.path.isdir(self.house.music) else []
        for name in names:
            raw = os.fsencode(name)
            raw.decode("utf-8")
            if len(raw) > 255 or name.startswith((".", "-", "~", " ")) and not name.startswith("~"):
                raise RuntimeError(f"a bad name: {name!r}")
            if not os.path.isfile(f"{self.house.music}/{name}"):
                raise RuntimeError(f"no file: {name!r}")
            if any(ord(sign) < 32 or sign in '\\/:*?"<>|\x7f\u202e' for sign in name):
                raise RuntimeError(f"a sign that no name has: {name!r}")
        folded = {unicodedata.normalize("NFC", name.casefold()) for name in names}
        if len(folded) < len(names):
            raise RuntimeError("names that are one elsewhere")
        return names

    def wait(self, what, is_so, seconds=60):
        end = time.monotonic() + seconds
        while not is_so():
            if time.monotonic() > end:
                raise RuntimeError(f"{what}: not within {seconds} s")
            time.sleep(0.2)

    def titles(self):
        """Every title downloaded, exported, and deleted again."""
        house = self.house
        ids = []
        for title in TITLES:
            made = house.control(dict(cmd="library-add", title=title, artist=title, media="second"))
            ids += made["ids"]
        heard = "".join(house.ctl("sync", limit=90)[1:])
        heard += "".join(house.ctl("download", *ids, "--wait", limit=200)[1:])
        names = self.music()
        if len(names) != len(TITLES):
            raise RuntimeError(f"{len(names)} files of {len(TITLES)} titles")
        out = house.home + "/out"
        os.mkdir(out)
        os.symlink(self.theirs + "/secret.txt", f"{out}/{sorted(names)[0]}")
        os.mkfifo(f"{out}/{sorted(names)[1]}")
        heard += "".join(house.ctl("export", *ids, out, limit=90)[1:])
        if len(os.listdir(out)) < len(names) or len(house.ctl("--json", "music")[1]) == 0:
            raise RuntimeError(f"only {len(os.listdir(out))} came out")
        self.check()
        heard += house.ctl("music")[1] + "".join(house.ctl("delete", *ids, limit=90)[1:])
        if self.music():
            raise RuntimeError(f"left: {self.music()}")
        return heard

    def templates(self):
        """Settings that make names of it."""
        house, heard = self.house, ""
        for number, template in enumerate(TEMPLATES):
            house.write_settings(f"file-name={template}\n")
            house.ctl("reload")
            track = f"123456_{456239999 - 33 - number % 2}"
            heard += "".join(house.ctl("download", track, "--wait", limit=60)[1:])
            if len(self.music()) != 1:
                raise RuntimeError(f"{template}: {os.listdir(house.music)}")
            house.ctl("delete", track)
        house.write_settings()
        house.ctl("reload")
        self.check()
        return heard

    def traps(self, folder):
        """A folder full of what is no sound file, or not inside."""
        os.makedirs(folder, exist_ok=True)
        os.symlink(self.theirs, folder + "/out")
        os.symlink(self.theirs + "/a.mp3", folder + "/link.mp3")
        os.symlink(".", folder + "/loop")
        os.symlink("self.mp3", folder + "/self.mp3")
        os.symlink("/dev/zero", folder + "/zero.mp3")
        os.symlink("/proc/self/mem", folder + "/mem.flac")
        os.mkfifo(folder + "/pipe.mp3")
        os.mkfifo(folder + "/cover.jpg")
        os.mkdir(folder + "/folder.mp3")
        os.link(self.theirs + "/deep/b.mp3", folder + "/hard.mp3")
        unix = socket.socket(socket.AF_UNIX)
        unix.bind(folder + "/socket.mp3")
        with open(folder + "/sparse.mp3", "wb") as file:
            file.write(SOUND)
            file.truncate(10 << 30)
        with open(os.fsencode(folder) + b"/\xff\xfe\x01 \xc0.mp3", "wb") as file:
            file.write(SOUND)
        if os.geteuid() == 0:
            os.mknod(folder + "/device.mp3", 0o666 | 0o020000, os.makedev(1, 5))
        with open(folder + "/closed.mp3", "wb") as file:
            file.write(SOUND)
        os.chmod(folder + "/closed.mp3", 0)

    def tree(self):
        """My Music is such a folder: seen at start, looked at, deleted from."""
        try:
            return self._tree()
        finally:
            music = self.house.music
            for name in os.listdir(os.fsencode(music)):
                place = os.path.join(os.fsencode(music), name)
                shutil.rmtree(place) if os.path.isdir(place) and not os.path.islink(place) else os.unlink(place)
            self.check()

    def _tree(self):
        house = self.house
        good = "123456_456239966"
        house.ctl("download", good, "--wait", limit=60)
        path = json.loads(house.ctl("--json", "music")[1])[0]["path"]
        self.traps(house.music)
        house.daemon.kill()
        house.daemon.wait()
        house.start("debug")
        heard = "".join(house.ctl("music")[1:])
        # Its place is taken by a link that leads out.
        os.unlink(path)
        os.symlink(self.theirs + "/a.mp3", path)
        heard += "".join(house.ctl("delete", good)[1:])
        heard += "".join(house.ctl("download", good, "--wait", limit=60)[1:])
        self.check()
        return heard

    def imports(self):
        """Such a folder is taken in, and each of its files played."""
        house, folder = self.house, self.house.home + "/import"
        self.traps(folder)
        heard = "".join(house.ctl("import", folder, limit=90)[1:])
        for name in sorted(os.listdir(folder)):
            if name.isprintable():
                heard += "".join(house.ctl("play", f"{folder}/{name}", limit=40)[1:])
                time.sleep(0.3)
        house.ctl("stop")
        house.ctl("queue", "clear")
        self.check()
        return heard

    def tags(self):
        """Tags that are too long, lie, or hold what no tag holds."""
        house, folder = self.house, self.house.home + "/tags"
        os.mkdir(folder)

        def frame(name, data):
            size = bytes((len(data) >> shift) & 0x7F for shift in (21, 14, 7, 0))
            return name + size + b"\0\0" + data

        def tagged(*frames):
            whole = b"".join(frames)
            return id3(len(whole), whole) + SOUND

        picture = b"\0image/png\0\x03\0"
        huge = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 65535, 65535) + b"\x08\x06\0\0\0" + b"\0" * 99
        files = {
            "long": tagged(frame(b"TIT2", b"\x03" + b"x" * (100 * MB))),
            "nul": tagged(frame(b"TIT2", b"\x03a\0b\0\0c"), frame(b"TPE1", b"\x03\x1b[2J\n../..")),
            "many": tagged(*[frame(b"TXXX", b"\x03k\0v")] * 1_000_000),
            "pictures": tagged(*[frame(b"APIC", picture + os.urandom(9 * MB))] * 10),
            "bomb": tagged(frame(b"TIT2", b"\x03bomb"), frame(b"APIC", picture + huge)),
            "lie": id3(0x0FFFFFFF) + SOUND,
            "lie within": id3(len(SOUND) // 2, b"TIT2\x7f\x7f\x7f\x7f\0\0") + SOUND,
            "nested": id3(400) * 5000 + SOUND,
            "utf16": tagged(frame(b"TIT2", b"\x01\xff\xfe\x00\xd8\x00\xd8\x00")),
            "id": tagged(frame(b"TXXX", b"\x03NYAND_TRACK_ID\x00123456_456239999")),
            "bad id": tagged(frame(b"TXXX", b"\x03NYAND_TRACK_ID\x00../../../etc/passwd")),
        }
        for number, (name, data) in enumerate(files.items()):
            with open(f"{folder}/{name}.mp3", "wb") as file:
                file.write(data + bytes([number]) * 417)
        for name, head in {
            "a.flac": b"fLaC\x04\xff\xff\xff" + struct.pack("<I", 0xFFFFFFFF),
            "b.m4a": struct.pack(">I", 1) + b"ftypM4A " + struct.pack(">Q", 1 << 62),
            "c.ogg": b"OggS\0\x02" + b"\xff" * 20 + b"\xff" * 256,
            "d.wav": b"RIFF\xff\xff\xff\xffWAVEfmt \xff\xff\xff\xff",
            "e.m4a": (struct.pack(">I", 16) + b"moov") * 50_000,
        }.items():
            with open(f"{folder}/{name}", "wb") as file:
                file.write(head + SOUND)
        heard = "".join(house.ctl("import", folder, limit=120)[1:])
        rows = json.loads(house.ctl("--json", "music")[1])
        for row in rows:
            heard += "".join(house.ctl("play", row["id"], limit=40)[1:])
            time.sleep(0.3)
        house.ctl("stop")
        self.music()
        for row in rows:
            house.ctl("delete", row["id"])
        if self.music():
            raise RuntimeError(f"left: {self.music()}")
        self.check()
        return heard


def main():
    """Everything in turn."""
    options = arguments(__doc__)
    stand = Stand(options.programs)
    files = Files(stand)
    for name, do in (
        ("titles", files.titles),
        ("templates", files.templates),
        ("a tree of traps in My Music", files.tree),
        ("a tree of traps taken in", files.imports),
        ("tags", files.tags),
    ):
        if options.only in name:
            stand.attack(name, do, most_seconds=300, through_front=False)
    sys.exit(stand.end())


if __name__ == "__main__":
    main()
