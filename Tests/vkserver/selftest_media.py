"""Checks of files, playlists and their faults, by curl, ffmpeg, openssl and GStreamer."""

import re
import shutil
import subprocess
import time
import urllib.parse

import hls
import media
import mp3
import scenario_demo
import scenario_test
from selftest import Skip, check, digest, equal

MP3, HLS, LONG, LONG_HLS = 1, 2, 35, 36  # positions in scenario `test`


def fault(s, name, position=LONG, **more):
    """Sets a fault and returns a fresh address."""
    s.control("media-fault", fault=name, track=s.full(position), **more)
    return s.url(s.full(position))


def path_of(url):
    """Path and query."""
    parts = urllib.parse.urlsplit(url)
    return f"{parts.path}?{parts.query}"


@check("curl fetches every kind of MP3 whole: tag-free bytes, frames and hash as stated")
def _(s):
    for position in (MP3, LONG, 37, 38, 39, 40, 41, 42):
        s.control("clock", advance=1)
        full = s.full(position)
        code, _, body = s.curl(s.url(full))
        want = s.expected(full)
        equal(code, 0)
        stream = mp3.walk(body)
        equal((digest(mp3.untagged(body)), len(stream.body)), (want["sha256"], want["bytes"]), full)
        equal(len(stream.frames), want["frames"])
    tagged = s.expected(s.full(39))
    assert tagged["file-bytes"] > tagged["bytes"]


@check("curl fetches by ranges and resumes: bytes equal")
def _(s):
    url = s.url(s.full(LONG))
    whole = s.curl(url)[2]
    equal(s.curl("-r", "1000-1999", url)[2], whole[1000:2000])
    equal(s.curl("-r", "-500", url)[2], whole[-500:])
    s.curl("-r", "0-99999", url)
    code, _, body = s.curl("-C", "-", url)
    equal((code, body == whole), (0, True))
    status, headers, _ = s.http("GET", path_of(url), None, {"Range": "bytes=99999999-"})
    equal((status, headers["Content-Range"]), (416, f"bytes */{len(whole)}"))
    status, headers, body = s.http("HEAD", path_of(url))
    equal((status, headers["Content-Length"], headers["Accept-Ranges"], body), (200, str(len(whole)), "bytes", b""))
    tag = headers["ETag"]
    equal(s.http("GET", path_of(url), None, {"Range": "bytes=5-", "If-Range": tag})[0], 206)
    equal(s.http("GET", path_of(url), None, {"Range": "bytes=5-", "If-Range": '"other"'})[0], 200)


@check("ffmpeg reads the encrypted playlist in every shape: stream bytes equal")
def _(s):
    shapes = [{}, {"sequence": 0}, {"sequence": 57}, {"crlf": True, "key": "relative"}, {"iv": True}]
    shapes += [{"encrypted": "all", "key": "absolute-bare"}, {"hashed": True}, {"encrypted": "none"}]
    shapes += [{"need-query": True}, {"master": True}]
    for position, shape in [*((HLS, shape) for shape in shapes), (43, {}), (44, {}), (LONG_HLS, {})]:
        s.control("clock", advance=1)
        s.control("hls", **shape)
        want = s.expected(s.full(position))
        code, body = s.ffmpeg(s.url(s.full(position)))
        equal((code, digest(body)), (0, want["sha256"]), f"{position} {shape}")
        equal((len(body), len(mp3.walk(body).frames)), (want["bytes"], want["frames"]))


@check("the playlist has VK's layout and openssl opens its segments with the sequence number as IV")
def _(s):
    text = s.curl(s.url(s.full(HLS)))[2].decode()
    lines = text.splitlines()
    order = [lines.index(next(l for l in lines if l.startswith(tag))) for tag in ("#EXT-X-KEY", "#EXT-X-VERSION")]
    equal((lines[0], lines[3], lines[-1]), ("#EXTM3U", "#EXT-X-PLAYLIST-TYPE:VOD", "#EXT-X-ENDLIST"))
    assert order[0] < order[1]
    assert "#EXT-X-MEDIA-SEQUENCE:1" in lines
    total = sum(float(value) for value in re.findall(r"#EXTINF:([\d.]+)", text))
    assert abs(total - s.expected(s.full(HLS))["duration"]) < 0.05, total
    names = [line for line in lines if not line.startswith("#")]
    keyed = [i for i, name in enumerate(names) if _key_before(lines, name)]
    equal(keyed, list(range(0, len(names), 3)))
    folder = path_of(s.url(s.full(HLS))).rpartition("/")[0]
    key = s.http("GET", folder + "/key.pub?siren=1")[2]
    equal(len(key), 16)
    for number in (1, 4):
        body = s.http("GET", f"{folder}/{names[number - 1]}")[2]
        plain = _openssl(body, key, number.to_bytes(16, "big"))
        clear = s.http("GET", f"{folder}/{names[1]}")[2]
        equal((plain[:3], plain[4:188]), (clear[:3], clear[4:188]), "a wrong IV spoils the first packet, the PAT")
        equal(len(plain) % 188, 0)


@check("every segment begins with PAT and PMT, counters run on without a gap, and no Xing frame is in the stream")
def _(s):
    s.control("hls", encrypted="none")
    counters = {}
    full = s.full(LONG_HLS)
    folder = path_of(s.url(full)).rpartition("/")[0]
    for number in range(1, s.expected(full)["segments"] + 1):
        body = s.http("GET", f"{folder}/seg-{number}-a1.ts")[2]
        packets = [body[at : at + 188] for at in range(0, len(body), 188)]
        pids = [(packet[1] & 0x1F) << 8 | packet[2] for packet in packets]
        equal((pids[:2], set(pids[2:])), ([0, 0x1000], {0x100}))
        for pid, packet in zip(pids, packets):
            equal((packet[0], len(packet)), (0x47, 188))
            equal(packet[3] & 15, counters.get(pid, -1) + 1 & 15, f"pid {pid:x}")
            counters[pid] = packet[3] & 15
    equal(mp3.walk(s.ffmpeg(s.url(full))[1]).info, False)


def _key_before(lines, name):
    """Whether the last key tag above a segment is AES."""
    tags = [line for line in lines[: lines.index(name)] if line.startswith("#EXT-X-KEY")]
    return "AES-128" in tags[-1]


def _openssl(body, key, vector):
    """Decrypts with the openssl program; fails on bad padding."""
    command = ["openssl", "enc", "-d", "-aes-128-cbc", "-K", key.hex(), "-iv", vector.hex()]
    return subprocess.run(command, input=body, capture_output=True, check=True).stdout


@check("the cipher agrees with the written test vectors")
def _(s):
    key, text = bytes(range(16)), b"nyand AES-128-CBC vector, seq 5"
    want = "946f77a2a509012acde73479cd737c6fd556f804d14c0cf0bafd31044e392d02"
    equal(hls.encrypt(text, key, (5).to_bytes(16, "big")).hex(), want)


@check("addresses die by age, by command, and answer as set; list addresses can be born dead")
def _(s):
    url = path_of(s.url(s.full(MP3)))
    equal(s.http("GET", url)[0], 200)
    s.control("clock", advance=3601)
    for status in (403, 404, 410, 302):
        s.control("set", expired_answer=status)
        equal(s.http("GET", url)[0], status)
    equal(s.curl("-L", s.base + url)[2][:9], b"<!DOCTYPE")
    fresh = path_of(s.url(s.full(MP3)))
    equal(s.http("GET", fresh)[0], 200)
    s.control("expire-links")
    equal(s.http("GET", fresh)[0], 302)
    s.control("set", list_links="expired", expired_answer=403)
    listed = s.good("audio.get", count=1)["items"][0]["url"]
    equal((s.http("GET", path_of(listed))[0], s.http("GET", path_of(s.url(s.full(MP3))))[0]), (403, 200))


@check("faults of status, page, body and headers")
def _(s):
    whole = s.curl(s.url(s.full(LONG)))[2]

    def answer(name, headers=None, **more):
        s.control("media-clear")
        s.control("clock", advance=1)
        return s.http("GET", path_of(fault(s, name, **more)), None, headers or {})

    equal([answer("status", value=v)[0] for v in (403, 404, 410)], [403, 404, 410])
    status, headers, _ = answer("status", value=429, retry_after=3)
    equal((status, headers["Retry-After"]), (429, "3"))
    equal(answer("error-page")[1]["Location"], s.base + "/err404.php")
    equal((answer("html")[0], answer("html")[2][:9], answer("empty")[2]), (200, b"<!DOCTYPE", b""))
    equal(answer("ignore-range", {"Range": "bytes=9-"})[::2], (200, whole))
    lying = answer("wrong-content-range", {"Range": "bytes=100-199"}, value=7)[1]["Content-Range"]
    equal(lying, f"bytes 107-206/{len(whole) + 7}")
    assert answer("etag-change")[1]["ETag"] != answer("etag-change")[1]["ETag"]
    status, headers, body = answer("chunked")
    equal(("Content-Length" in headers, body == whole), (False, True))
    flipped = answer("flip", at=[5000, 7])[2]
    equal([i for i in range(10000) if flipped[i] != whole[i]], [7, 5000])
    equal(answer("content-type", value="text/plain")[1]["Content-Type"], "text/plain")
    equal(len(answer("shorten", at=1000)[2]), 1000)
    equal(digest(answer("other-body", value="cbr")[2]), s.expected(s.full(MP3))["sha256"])
    equal(s.get("/_stats")["requests"]["mp3"] > 10, True)


@check("500 twice, then good; a fault for one track leaves others alone")
def _(s):
    url = path_of(fault(s, "status", value=500, times=2))
    equal([s.http("GET", url)[0] for _ in range(3)], [500, 500, 200])
    fault(s, "status", value=500)
    equal(s.http("GET", path_of(s.url(s.full(MP3))))[0], 200)


@check("cut, stalled, torn and lying transfers; resuming after the cut gives the right bytes")
def _(s):
    whole = s.curl(s.url(s.full(LONG)))[2]
    code, _, body = s.curl(fault(s, "truncate", at=100000, times=1))
    equal((code, body), (18, whole[:100000]))
    code, _, body = s.curl("-C", "-", s.url(s.full(LONG)))
    equal((code, body == whole), (0, True))
    s.control("clock", advance=1)
    code, _, body = s.curl("-m", "0.5", fault(s, "stall", at=50000, times=1))
    equal((code, len(body)), (28, 50000))
    code, _, body = s.curl(fault(s, "reset", at=30000, times=1))
    equal((code in (18, 56), body), (True, whole[:30000]))
    equal(s.curl(fault(s, "reset", at=-1, times=1))[0] in (52, 56), True)
    s.control("clock", advance=1)
    equal(s.curl(fault(s, "wrong-length", value=500, times=1))[0], 18)


@check("drip and bandwidth hold the speed; the second host is reached by redirect")
def _(s):
    url = s.url(s.full(MP3))
    size = len(s.curl(url)[2])
    s.control("set", bandwidth=size * 2)
    begun = time.monotonic()
    equal(len(s.curl(url)[2]), size)
    assert 0.4 < time.monotonic() - begun < 1.5, time.monotonic() - begun
    s.control("set", bandwidth=0, redirect=True)
    code, out, body = s.curl("-L", "-w", "%{url_effective}", url)
    equal((code, len(body), f":{s.ready['port2']}/" in out.decode()), (0, size, True))
    s.control("set", redirect=False)
    equal(s.curl("-m", "0.4", fault(s, "drip", MP3, value=1000))[0], 28)


@check("HLS faults: key, segment, padding, end of list, an address dying on the way")
def _(s):
    def folder(name, **more):
        s.control("clear")
        s.control("clock", advance=1)
        return path_of(fault(s, name, HLS, **more)).rpartition("/")[0]

    def body(place, name):
        return s.http("GET", f"{place}/{name}?siren=1")[2]

    equal(len(body(folder("size", kind="key", value=17), "key.pub")), 17)
    equal(body(folder("html", kind="key"), "key.pub")[:9], b"<!DOCTYPE")
    place = folder("status", kind="segment", segment=2, value=404)
    equal([s.http("GET", f"{place}/seg-{n}-a1.ts")[0] for n in (1, 2, 3)], [200, 404, 200])
    equal(len(body(folder("shorten", kind="segment", at=999), "seg-1-a1.ts")), 999)
    place = folder("bad-padding", kind="segment", segment=4)
    broken = body(place, "seg-4-a1.ts")
    equal(len(broken) % 16, 0)
    try:
        _openssl(broken, body(place, "key.pub"), (4).to_bytes(16, "big"))
        raise AssertionError("the padding is right")
    except subprocess.CalledProcessError:
        pass
    place = folder("expire", kind="segment", segment=3, times=1)
    equal([s.http("GET", f"{place}/seg-{n}-a1.ts")[0] for n in (1, 2, 3, 4, 1)], [200, 200, 403, 403, 403])
    place = path_of(s.url(s.full(HLS))).rpartition("/")[0]
    equal(s.http("GET", place + "/seg-3-a1.ts")[0], 200)
    s.control("hls", track=s.full(HLS), endlist=False, missing=[2], need_query=True)
    text = body(place, "index.m3u8").decode()
    equal(("ENDLIST" in text, "seg-2-" in text, s.http("GET", place + "/key.pub")[0]), (False, False, 403))


@check("ffmpeg notices a wrong key and a lost segment")
def _(s):
    want = s.expected(s.full(HLS))["sha256"]
    for name, more in (("wrong-key", {"kind": "key"}), ("status", {"kind": "segment", "segment": 2, "value": 404})):
        s.control("clear")
        assert digest(s.ffmpeg(fault(s, name, HLS, **more))[1]) != want, name


@check("covers are JPEGs of the size asked for")
def _(s):
    thumb = s.good("audio.get", count=1)["items"][0]["album"]["thumb"]
    for name, size in (("photo_600", 600), ("photo_300", 300), ("photo_68", 68)):
        body = s.curl(thumb[name])[2]
        at = body.index(b"\xff\xc0")
        equal((body[:2], int.from_bytes(body[at + 5 : at + 7], "big")), (b"\xff\xd8", size))


@check("GStreamer plays an address to its end")
def _(s):
    if not shutil.which("gst-launch-1.0") or _lacks("souphttpsrc") or _lacks("mpegaudioparse"):
        raise Skip("no souphttpsrc")
    url = s.url(s.full(MP3))
    command = ["gst-launch-1.0", "-q", "souphttpsrc", f"location={url}", "!", "decodebin", "!", "fakesink"]
    equal(subprocess.run(command, capture_output=True, timeout=20, check=False).returncode, 0)


@check("GStreamer plays the playlist")
def _(s):
    if not shutil.which("gst-launch-1.0") or _lacks("hlsdemux") or _lacks("tsdemux"):
        raise Skip("plugins-bad with hlsdemux and tsdemux is not installed")
    command = ["gst-launch-1.0", "-q", "souphttpsrc", f"location={s.url(s.full(HLS))}"]
    command += ["!", "hlsdemux", "!", "tsdemux", "!", "fakesink"]
    equal(subprocess.run(command, capture_output=True, timeout=20, check=False).returncode, 0)


def _lacks(element):
    """Whether GStreamer does not know an element."""
    return subprocess.run(["gst-inspect-1.0", "--exists", element], check=False).returncode != 0


@check("media come out the same when made again")
def _(s):
    recipe = next(recipe for recipe in scenario_test.RECIPES if recipe.name == "cbr")
    for name in ("again", "once more"):
        shelf = media.Shelf(s.work / name, (recipe,), ())
        shelf.fill()
        equal(digest(mp3.untagged(shelf.recording("cbr").body)), s.expected(s.full(MP3))["sha256"])


@check("the demo's pieces are 40 to 75 s long, peak at or under -12 dBFS, and none is silent", scenario="demo")
def _(s):
    for number in (1, 5, 9):
        full = f"{s.user}_{scenario_demo.FIRST_ID + number}"
        want = s.expected(full)
        assert 40 <= want["duration"] <= 75, want
        code, body = s.ffmpeg(s.url(full))
        equal(code, 0)
        path = s.work / "loud.mp3"
        path.write_bytes(body)
        command = ["ffmpeg", "-nostdin", "-i", str(path), "-af", "volumedetect", "-f", "null", "-"]
        text = subprocess.run(command, capture_output=True, check=True).stderr.decode()
        peak = float(re.search(r"max_volume: (-?[\d.]+) dB", text)[1])
        assert -16 < peak <= -11.5, peak
