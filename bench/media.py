"""What the download figures fetch: MP3s of exactly 8,000,000 bytes and one long HLS sound, made once and kept."""

import hashlib
import shutil
import subprocess

from house import ROOT, Missed

FOLDER = ROOT / ".build" / "bench" / "media"
FILES, SIZE = 50, 8_000_000
SEGMENTS, SEGMENT_SECONDS = 60, 10
KEY = bytes.fromhex("6e79616e2062656e6368206b65792031")
#: Noise from one seed: frames of 320 kbit/s that have something to say, the same on every machine.
NOISE = "anoisesrc=color=pink:seed=5:sample_rate=44100:duration={}"


def need(*programs):
    """Says which program is missing."""
    if missing := [name for name in programs if not shutil.which(name)]:
        raise Missed(f"not installed: {', '.join(missing)}")


def run(*words, **more):
    """Runs a program that must succeed."""
    return subprocess.run([str(word) for word in words], check=True, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=180, **more).stdout


def encoded(seconds, rate, target):
    """An MP3 without any tag."""
    run("ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", NOISE.format(seconds), "-ac", "2", "-c:a", "libmp3lame", "-b:a",
        f"{rate}k", "-write_xing", "0", "-id3v2_version", "0", "-f", "mp3", target)


def padding(size):
    """An ID3v2.4 tag of exactly `size` bytes that says nothing."""
    body = size - 10
    head = bytes(body >> shift & 0x7F for shift in (21, 14, 7, 0))
    return b"ID3\4\0\0" + head + bytes(body)


def numbered(sound, number):
    """The same sound with a number in the middle of every hundredth frame: other bytes, frames as valid as before."""
    changed = bytearray(sound)
    mark = hashlib.sha256(str(number).encode()).digest()
    at, frame = 0, 0
    while at + 1044 < len(changed):
        length = 1044 + (changed[at + 2] >> 1 & 1)
        if frame % 100 == 50:
            changed[at + 200:at + 200 + len(mark)] = mark
        at, frame = at + length, frame + 1
    return bytes(changed)


def mp3s():
    """The folder with 01.mp3 and so on, and {name: (SHA-256 of the file, SHA-256 of the sound without the tag)}."""
    need("ffmpeg")
    folder = FOLDER / "mp3"
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"{number:02}.mp3" for number in range(1, FILES + 1)]
    if any(not (folder / name).exists() for name in names):
        plain = FOLDER / "plain.mp3"
        encoded(199, 320, plain)
        sound = plain.read_bytes()
        for number, name in enumerate(names):
            (folder / f".{name}").write_bytes(padding(SIZE - len(sound)) + numbered(sound, number))
            (folder / f".{name}").rename(folder / name)
        plain.unlink()
    sums = {}
    for name in names:
        whole = (folder / name).read_bytes()
        sums[name] = (hashlib.sha256(whole).hexdigest(), hashlib.sha256(whole[tag_length(whole):]).hexdigest())
    return folder, sums


def small(seconds, kinds, count):
    """A folder of that many small MP3s, 0001.mp3 and so on; a few sounds in turn, as names of the same files."""
    need("ffmpeg")
    folder = FOLDER / "small"
    if not (folder / f"{count:04}.mp3").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        plain = FOLDER / "short.mp3"
        encoded(seconds, 320, plain)
        for number in range(1, count + 1):
            place, first = folder / f"{number:04}.mp3", folder / f"{(number - 1) % kinds + 1:04}.mp3"
            place.write_bytes(numbered(plain.read_bytes(), number)) if number <= kinds else place.hardlink_to(first)
        plain.unlink()
    return folder


def tag_length(head):
    """Bytes of the ID3v2 tag in front of a sound."""
    if head[:3] != b"ID3":
        return 0
    return 10 + sum(byte << shift for byte, shift in zip(head[6:10], (21, 14, 7, 0)))


def sound_sum(path):
    """SHA-256 of a file without its ID3v2 tag."""
    whole = path.read_bytes()
    return hashlib.sha256(memoryview(whole)[tag_length(whole):]).hexdigest()


def file_sum(path):
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def hls():
    """(folder with index.m3u8, SHA-256 of the frames, bytes of all files): one segment in three encrypted, the key tag
    before the sequence number, as vk-api.md §4.3 has it."""
    need("ffmpeg", "openssl")
    folder = FOLDER / "hls"
    frames = FOLDER / "hls.mp3"
    if not (folder / "index.m3u8").exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        encoded(SEGMENTS * SEGMENT_SECONDS, 192, frames)
        run("ffmpeg", "-v", "error", "-i", frames, "-c", "copy", "-f", "segment", "-segment_time", SEGMENT_SECONDS,
            "-segment_format", "mpegts", "-segment_start_number", "1", "-segment_list", folder / "list.csv",
            folder / "seg-%d-a1.ts")
        rows = [line.split(",") for line in (folder / "list.csv").read_text().split()]
        (folder / "list.csv").unlink()
        (folder / "key.pub").write_bytes(KEY)
        lines = ["#EXTM3U", f"#EXT-X-TARGETDURATION:{SEGMENT_SECONDS + 1}", "#EXT-X-PLAYLIST-TYPE:VOD"]
        for number, (name, begin, end) in enumerate(rows, 1):
            if number % 3 == 1:
                lines.append('#EXT-X-KEY:METHOD=AES-128,URI="key.pub?siren=1"')
                seal(folder / name, number)
            elif number % 3 == 2:
                lines.append("#EXT-X-KEY:METHOD=NONE")
            if number == 1:
                lines += ["#EXT-X-VERSION:3", "#EXT-X-MEDIA-SEQUENCE:1"]
            lines += [f"#EXTINF:{float(end) - float(begin):.3f},", f"{name}?siren=1"]
        (folder / "index.m3u8").write_text("\n".join([*lines, "#EXT-X-ENDLIST", ""]))
    return folder, file_sum(frames), sum(file.stat().st_size for file in folder.iterdir())


def seal(path, number):
    """AES-128-CBC with the sequence number as IV."""
    sealed = run("openssl", "enc", "-aes-128-cbc", "-K", KEY.hex(), "-iv", f"{number:032x}", "-in", path)
    path.write_bytes(sealed)
