#!/usr/bin/python3
"""Media servers that mean harm: sounds, playlists, keys and covers, each downloaded, played and shown.

usage: media.py [--programs DIR] [--only WORD]
"""

import json
import os
import struct
import sys
import time
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from front import answer, head  # noqa: E402
from stand import Stand, arguments  # noqa: E402
from vk import bomb, stream  # noqa: E402

MB = 1 << 20
ID = "123456_456239998"
# Not in the library, which would know an older cover; another one for each.
STRANGER = "-2001550144_925500{:02}"
FRAME = b"\xff\xfb\x90\x64" + b"\0" * 413
SOUND = FRAME * 2000


def listing(lines, ended=True):
    """A playlist of these lines."""
    text = "#EXTM3U\n#EXT-X-TARGETDURATION:10\n" + "\n".join(lines) + ("\n#EXT-X-ENDLIST\n" if ended else "\n")
    return answer(text, Content_Type="application/vnd.apple.mpegurl")


def segments(count, address="seg.ts", before=()):
    """So many segments."""
    return listing([*before, *[f"#EXTINF:10,\n{address}"] * count])


def id3(length, frames=b""):
    """An ID3 tag that says it is so long."""
    size = bytes((length >> shift) & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3\x04\x00\x00" + size + frames


def xing(frames, size):
    """A frame with a Xing header that says so."""
    return FRAME[:36] + b"Xing" + struct.pack(">III", 3, frames, size) + FRAME[48:]


def png(width, height):
    """A picture of zeros that unpacks to all its pixels."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    packer = zlib.compressobj(9)
    data = b"".join(packer.compress(b"\0" * MB) for _ in range(300)) + packer.flush()
    shape = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", shape) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def sounds(front):
    """What a direct address may answer, by name: a plan for everything below /media."""
    gzip, block = bomb("gzip")
    huge = str((1 << 63) - 1)

    def ranged(total, **more):
        def plan(request):
            first = int(request.headers.get("range", "bytes=0-")[6:].split("-")[0])
            last = min(first + len(SOUND), total) - 1
            place = f"bytes {first}-{last}/{total}"
            return answer(
                SOUND[: max(0, last - first + 1)], "206 X", Content_Range=place, ETag='"a"', Accept_Ranges="bytes", **more
            )

        return plan

    def elsewhere(request):
        turn = sum(other.path.startswith("/media") for other in front.seen)
        if turn % 2:
            return head("302 X", 0, Location=f"http://localhost:{front.port}/media/{turn}?{request.headers.get('range')}")
        return ranged(10 * MB)(request)

    def same(planned):
        return lambda request: planned

    return {
        "0 bytes": same(answer(b"")),
        "1 byte": same(answer(b"\xff")),
        "rubbish": same(answer(os.urandom(2 * MB))),
        "10 GB in words": same(stream(front, head(length=10 << 30), SOUND, 10)),
        "no end": same(stream(front, head(), SOUND, 20_000)),
        "no end in chunks": same(
            stream(front, head(Transfer_Encoding="chunked"), b"%x\r\n%s\r\n" % (len(SOUND), SOUND), 20_000)
        ),
        "a length of 2^63-1": same(stream(front, head(length=(1 << 63) - 1), SOUND, 20)),
        "a range of 2^63-1": ranged((1 << 63) - 1),
        "a range of 60 GB": ranged(60 << 30),
        "a range that lies": same(
            answer(SOUND, "206 X", Content_Range=f"bytes {huge}-{huge}/{huge}", ETag='"a"')
        ),
        "a range of nothing": same(answer(SOUND, "206 X", Content_Range="bytes -1--1/-1")),
        "416 with 2^63-1": same(answer(b"", "416 X", Content_Range=f"bytes */{huge}")),
        "a bomb": same(stream(front, head(Content_Encoding="gzip"), gzip + block, 160)),
        "each range elsewhere": elsewhere,
        "a tag of 256 MB": same(answer(id3(0x0FFFFFFF) + SOUND)),
        "a tag of 100 MB, there": same(stream(front, head(length=100 * MB + 10), id3(100 * MB), 1, b"\0" * (100 * MB))),
        "a picture frame of 256 MB": same(answer(id3(0x0FFFFFF0, b"APIC\x7f\x7f\x7f\x7f\0\0\0image/png\0") + SOUND)),
        "a million frames": same(answer(id3(11 * 1_000_000, b"TXXX\0\0\0\x01\0\0\0" * 1_000_000) + SOUND)),
        "a lying Xing header": same(answer(xing(0xFFFFFFFF, 0xFFFFFFFF) + SOUND)),
        "an ETag of 90 KB": same(answer(SOUND, ETag='"' + "e" * 90_000 + '"')),
        "names that lead out": same(
            answer(SOUND, Content_Disposition='attachment; filename="../../../../tmp/nyan-evil.mp3"')
        ),
        "a head without end": same(stream(front, b"HTTP/1.1 200 OK\r\n", b"X-More: yes\r\n" * 1000, 10_000)),
        "interim answers without end": same(stream(front, b"", b"HTTP/1.1 102 X\r\n\r\n" * 1000, 10_000)),
        "a million segments": same(segments(1_000_000)),
        "segments that are files": same(segments(3, "file:///etc/passwd")),
        "segments in the list": same(segments(3, "data:audio/mpeg;base64,AAAA")),
        "segments with a password": same(segments(3, f"http://user:secret@localhost:{front.port}/media/x")),
        "a list of lists": same(listing(["#EXT-X-STREAM-INF:BANDWIDTH=1", "/media/again.m3u8"])),
        "a list without end": same(stream(front, head(), b"#EXTM3U\n" + b"#EXTINF:10,\nx.ts\n" * 60_000, 4000)),
        "keys that are files": same(segments(3, before=['#EXT-X-KEY:METHOD=AES-128,URI="file:///etc/passwd"'])),
        "ranges beyond": same(segments(3, before=[f"#EXT-X-BYTERANGE:{huge}@1"])),
        "a length of a year": same(listing(["#EXTINF:1e308,\nseg.ts"])),
        "a sequence of 2^64": same(segments(3, before=["#EXT-X-MEDIA-SEQUENCE:18446744073709551615"])),
    }


def parts(front):
    """What segments and keys may answer; the list itself is in order."""
    key = '#EXT-X-KEY:METHOD=AES-128,URI="/media/key",IV=0xffffffffffffffffffffffffffffffff'

    def plan(part, count=20, before=()):
        whole = segments(count, "/media/seg.ts", before)
        return lambda request: whole if request.name.endswith(".m3u8") else part(request)

    def keyed(planned):
        return plan(lambda request: planned if request.name == "key" else answer(os.urandom(188 * 100)), 8, [key])

    packets = b"".join(b"G" + os.urandom(187) for _ in range(5000))
    return {
        "segments of rubbish": plan(lambda request: answer(os.urandom(188 * 1000))),
        "packets of rubbish": plan(lambda request: answer(packets)),
        "segments of 1 GB": plan(lambda request: stream(front, head(length=1 << 30), b"G" * MB, 40)),
        "segments without end": plan(lambda request: stream(front, head(), b"G" * MB, 4000)),
        "segments of 16 MB, all at once": plan(lambda request: answer(b"G" * (16 * MB - 64)), 400),
        "segments that are lists": plan(lambda request: segments(5)),
        "a key of 1 GB": keyed(stream(front, head(length=1 << 30), b"k" * MB, 200)),
        "a key of 0 bytes": keyed(answer(b"")),
        "a wrong key": keyed(answer(b"k" * 16)),
    }


def covers(front):
    """What the address of a cover may answer."""
    return {
        "5 GB": stream(front, head(length=5 << 30), b"\xff\xd8" * MB, 100),
        "no end": stream(front, head(), b"\xff\xd8\xff\xe0" + b"\0" * MB, 4000),
        "a PNG of 65535 by 65535": answer(png(65535, 65535), Content_Type="image/png"),
        "a PNG of 2^31": answer(png((1 << 31) - 1, 1), Content_Type="image/png"),
        "SVG": answer('<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>'),
        "HTML": answer("<!doctype html><script>alert(1)</script>", Content_Type="image/jpeg"),
        "to a file": head("302 X", 0, Location="file:///etc/passwd"),
    }


def size(folder):
    """Bytes that files really take."""
    found = 0
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                found += os.lstat(os.path.join(place, name)).st_blocks * 512
            except OSError:
                pass
    return found


class Listener:
    """Downloads, plays and looks at what is there."""

    def __init__(self, stand):
        self.stand, self.front = stand, stand.front

    def swap(self, **members):
        """Puts members into every track that VK describes by its id."""

        def spoil(request, body):
            if request.name != "audio.getById":
                return body
            document = json.loads(body)
            for item in document["response"]:
                item.update(members)
            return json.dumps(document).encode()

        self.front.spoil = spoil

    def both(self, plan, name, seconds=6):
        """A download and a listener; the disk holds 1.3 GB at most while they are at it."""

        def run():
            house = self.stand.house
            ending = ".m3u8" if "list" in name or "segment" in name or "key" in name else ".mp3"
            self.swap(url=f"{self.front.url}/media/x{ending}?secret=siren=1")
            self.front.plan = lambda request: plan(request) if request.path.startswith("/media") else None
            heard = "".join(house.ctl("download", ID)[1:])
            most, end = 0, time.monotonic() + seconds
            while time.monotonic() < end:
                most = max(most, size(house.home))
                rows = json.loads(house.ctl("--json", "downloads")[1])
                if any(row["id"] == ID and row["state"] in ("failed", "done") for row in rows):
                    break
                time.sleep(0.1)
            heard += house.ctl("downloads")[1]
            house.ctl("cancel", ID)
            heard += "".join(house.ctl("play", ID)[1:])
            end = time.monotonic() + seconds
            while time.monotonic() < end and house.status()["state"] in ("buffering", "playing"):
                most = max(most, size(house.home))
                time.sleep(0.1)
            heard += house.ctl("status")[1]
            for words in (["stop"], ["queue", "clear"], ["delete", ID]):
                house.ctl(*words)
            if most > 1_300 * MB:
                raise RuntimeError(f"{most // MB} MB on disk")
            if os.path.exists("/tmp/nyan-evil.mp3"):
                raise RuntimeError("a file where the server wanted it")
            if "root:" in heard or "secret" in heard:
                raise RuntimeError(f"told too much: {heard}")
            left = [name for name in os.listdir(house.music) if name.startswith(".")] if os.path.exists(house.music) else []
            if left:
                raise RuntimeError(f"left behind: {left}")
            return heard

        return run

    def cover(self, planned, number):
        """A track whose cover is this is played."""

        def run():
            house = self.stand.house
            self.swap(album={"title": "x", "thumb": {"photo_600": f"{self.front.url}/cover/{number}"}})
            self.front.plan = lambda request: planned if request.path.startswith("/cover") else None
            heard = "".join(house.ctl("play", STRANGER.format(2 * number % 70 + 1))[1:])
            end = time.monotonic() + 20
            while not any("/cover" in request.path for request in self.front.seen):
                if time.monotonic() > end:
                    raise RuntimeError("nobody asked for the cover")
                time.sleep(0.1)
            time.sleep(1.5)
            status = house.status()
            house.ctl("stop")
            house.ctl("queue", "clear")
            if status["track"] and status["track"]["cover"] and str(number) in status["track"]["cover"]:
                raise RuntimeError("took it for a cover")
            return heard

        return run


def main():
    """Everything in turn."""
    options = arguments(__doc__)
    stand = Stand(options.programs)
    listener = Listener(stand)

    def attack(name, do, **bounds):
        if options.only in name:
            stand.attack(name, do, **bounds)

    for name, plan in {**sounds(stand.front), **parts(stand.front)}.items():
        attack(f"sound: {name}", listener.both(plan, name))
    for number, (name, planned) in enumerate(covers(stand.front).items()):
        attack(f"cover: {name}", listener.cover(planned, 770 + number))
    sys.exit(stand.end())


if __name__ == "__main__":
    main()
