"""Checks of files and their faults, by curl, ffmpeg and GStreamer."""

import re
import shutil
import subprocess
import time
import urllib.parse

import media
import mp3
import scenario_demo
import scenario_test
from selftest import Skip, check, digest, equal

MP3, LONG, LONG_HLS = 1, 35, 36  # positions in scenario `test`


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


@check("covers are JPEGs of the size asked for")
def _(s):
    thumb = s.good("audio.get", count=1)["items"][0]["album"]["thumb"]
    for name, size in (("photo_600", 600), ("photo_300", 300), ("photo_68", 68)):
        body = s.curl(thumb[name])[2]
        at = body.index(b"\xff\xc0")
        equal((body[:2], int.from_bytes(body[at + 5 : at + 7], "big")), (b"\xff\xd8", size))


@check("GStreamer plays an address to its end")
def _(s):
    if not shutil.which("gst-launch-1.0") or lacks("souphttpsrc") or lacks("mpegaudioparse"):
        raise Skip("no souphttpsrc")
    url = s.url(s.full(MP3))
    command = ["gst-launch-1.0", "-q", "souphttpsrc", f"location={url}", "!", "decodebin", "!", "fakesink"]
    equal(subprocess.run(command, capture_output=True, timeout=20, check=False).returncode, 0)


@check("GStreamer trims the gapless halves to the sample by their LAME header, and not what has none")
def _(s):
    if not shutil.which("gst-launch-1.0") or lacks("souphttpsrc") or lacks("mpegaudioparse"):
        raise Skip("no souphttpsrc")
    path = s.work / "samples.pcm"
    plain = 38
    for position in (33, 34, plain):
        s.control("clock", advance=1)
        full = s.full(position)
        command = ["gst-launch-1.0", "-q", "souphttpsrc", f"location={s.url(full)}", "!", "decodebin", "!"]
        command += ["audioconvert", "!", "audio/x-raw,format=S16LE,channels=2", "!", "filesink", f"location={path}"]
        equal(subprocess.run(command, capture_output=True, timeout=20, check=False).returncode, 0)
        whole = s.expected(full)["frames"] * 1152
        equal(path.stat().st_size // 4, whole if position == plain else scenario_test.CUT, full)


def lacks(element):
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
