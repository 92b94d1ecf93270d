"""Checks of HLS: layout, encryption, shapes and faults, by ffmpeg, openssl and GStreamer."""

import re
import shutil
import subprocess

import adts
import hls
import mp3
from selftest import Skip, check, digest, equal
from selftest_media import LONG_HLS, fault, lacks, path_of

HLS = 2  # position in scenario `test`


@check("ffmpeg reads the encrypted playlist in every shape: stream bytes equal")
def _(s):
    shapes = [{}, {"sequence": 0}, {"sequence": 57}, {"crlf": True, "key": "relative"}, {"iv": True}]
    shapes += [{"encrypted": "all", "key": "absolute-bare"}, {"hashed": True}, {"encrypted": "none"}]
    shapes += [{"need-query": True}, {"master": True}, {"ranged": True}, {"ranged": True, "encrypted": "all"}]
    for position, shape in [*((HLS, shape) for shape in shapes), (43, {}), (44, {}), (LONG_HLS, {})]:
        s.control("clock", advance=1)
        s.control("hls", **shape)
        want = s.expected(s.full(position))
        code, body = s.ffmpeg(s.url(s.full(position)))
        equal((code, digest(body)), (0, want["sha256"]), f"{position} {shape}")
        equal((len(body), len(mp3.walk(body).frames)), (want["bytes"], want["frames"]))


@check("AAC: ffmpeg copies out the stated stream; a sample's list is half as long")
def _(s):
    full = s.full(HLS)
    s.control("track", id=full, media="aac", hls=True)
    want = s.expected(full)
    command = ["ffmpeg", "-v", "error", "-nostdin", "-http_persistent", "0", "-i", s.url(full), "-c", "copy"]
    done = subprocess.run([*command, "-f", "adts", "-"], capture_output=True, check=False, timeout=20)
    equal((done.returncode, digest(done.stdout)), (0, want["sha256"]))
    equal(len(adts.walk(done.stdout).frames), want["frames"])
    s.control("track", id=full, link="sample")
    names = re.findall(r"seg-\d+", s.curl(s.url(full))[2].decode())
    equal(len(names), want["segments"] // 2)


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


@check("GStreamer plays the playlist")
def _(s):
    if not shutil.which("gst-launch-1.0") or lacks("hlsdemux") or lacks("tsdemux"):
        raise Skip("plugins-bad with hlsdemux and tsdemux is not installed")
    command = ["gst-launch-1.0", "-q", "souphttpsrc", f"location={s.url(s.full(HLS))}"]
    command += ["!", "hlsdemux", "!", "tsdemux", "!", "fakesink"]
    equal(subprocess.run(command, capture_output=True, timeout=20, check=False).returncode, 0)
