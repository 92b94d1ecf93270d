"""HLS as VK serves it: the playlist's layout, the key, the encrypted third of the segments (vk-api.md §4.3)."""

import functools
import hashlib
import subprocess


WHOLE = "all-a1.ts"  # the one file of a playlist with ranges


def key_of(media):
    """The sixteen bytes every list of this recording is encrypted with."""
    return hashlib.md5(f"key of {media}".encode()).digest()


def explicit_iv(number):
    """The IV written out for a segment when the list has IV attributes."""
    return hashlib.md5(f"iv {number}".encode()).digest()


def initial_vector(shape, number):
    """The IV of segment `number` (1 is the first): its media sequence number, unless written out."""
    if shape.iv:
        return explicit_iv(number)
    return (shape.sequence + number - 1).to_bytes(16, "big")


@functools.lru_cache(maxsize=400)
def encrypt(body, key, vector, padded=True):
    """AES-128-CBC with PKCS#7 padding by the openssl program; a few milliseconds, kept for the next request."""
    command = ["openssl", "enc", "-aes-128-cbc", "-K", key.hex(), "-iv", vector.hex()]
    if not padded:
        # The last byte of the last block says how much padding there is; 0x77 can never be right.
        command.append("-nopad")
        body = body + b"\x77" * (16 - len(body) % 16)
    return subprocess.run(command, input=body, capture_output=True, check=True).stdout


def segment_name(shape, media, number):
    """The file name of a segment."""
    if shape.hashed:
        return hashlib.md5(f"{media} {number}".encode()).hexdigest() + f"-{number}.ts"
    return f"seg-{number}-a1.ts"


def whole(recording, shape):
    """All segments one after another, for playlists with ranges."""
    return b"".join(segment(recording, shape, number + 1) for number in range(len(recording.segments)))


def number_of(name):
    """The segment number in a file name, or None."""
    stem = name.removesuffix(".ts")
    digits = stem[4:-3] if stem.startswith("seg-") and stem.endswith("-a1") else stem.rpartition("-")[2]
    return int(digits) if name.endswith(".ts") and digits.isdigit() else None


def _key_tag(shape, number, base):
    """The EXT-X-KEY line of an encrypted segment."""
    query = "" if shape.key.endswith("-bare") else "?siren=1"
    place = "key.pub" if shape.key.startswith("relative") else f"{base}/key.pub"
    vector = f",IV=0x{explicit_iv(number).hex()}" if shape.iv else ""
    return f'#EXT-X-KEY:METHOD=AES-128,URI="{place}{query}"{vector}'


def playlist(recording, shape, base, other):
    """The media playlist. `base` is the folder's address, `other` the same folder on the second host."""
    segments = recording.segments
    longest = max(int(seconds) + 1 for seconds, _ in segments)
    lines = ["#EXTM3U", f"#EXT-X-TARGETDURATION:{longest}", "#EXT-X-ALLOW-CACHE:YES", "#EXT-X-PLAYLIST-TYPE:VOD"]
    head = ["#EXT-X-VERSION:3", f"#EXT-X-MEDIA-SEQUENCE:{shape.sequence}"]
    if shape.map:
        head.append('#EXT-X-MAP:URI="init.bin?siren=1"')
    before, offset = None, 0
    for number, (seconds, _) in enumerate(segments, 1):
        encrypted = shape.encrypts(number)
        if encrypted and (before is not True or shape.iv):
            lines.append(_key_tag(shape, number, base))
        elif not encrypted and before:
            lines.append("#EXT-X-KEY:METHOD=NONE")
        before = encrypted
        lines += head
        head = []
        size = len(segment(recording, shape, number)) if shape.ranged else 0
        offset += size
        if number in shape.missing:
            continue
        name = segment_name(shape, recording.recipe.name, number)
        place = f"{other}/{name}?extra=0f1e2d3c4b5a" if shape.hashed else f"{name}?siren=1"
        lines.append(f"#EXTINF:{seconds + shape.drift:.3f},")
        if shape.ranged:
            # Where a range begins is told for the first only; the others follow, unless one was left out.
            begin = f"@{offset - size}" if number == 1 or shape.missing else ""
            lines.append(f"#EXT-X-BYTERANGE:{size}{begin}")
            place = f"{WHOLE}?siren=1"
        lines.append(place)
    if shape.endlist:
        lines.append("#EXT-X-ENDLIST")
    return "".join(line + ("\r\n" if shape.crlf else "\n") for line in lines)


def master(shape, base):
    """A master playlist whose best entry leads to the media playlist; the poorer one leads nowhere."""
    best = "index.m3u8?siren=1" if shape.recursive else "media.m3u8?siren=1"
    codecs = 'CODECS="mp4a.40.34"'
    lines = ["#EXTM3U", f"#EXT-X-STREAM-INF:BANDWIDTH=64000,{codecs}", f"{base}/poor.m3u8?siren=1"]
    lines += [f"#EXT-X-STREAM-INF:BANDWIDTH=192000,{codecs}", best]
    return "".join(line + ("\r\n" if shape.crlf else "\n") for line in lines)


def segment(recording, shape, number, bad_padding=False):
    """The bytes of one segment as sent."""
    body = recording.segments[number - 1][1]
    if not shape.encrypts(number):
        return body
    vector = initial_vector(shape, number)
    return encrypt(body, key_of(recording.recipe.name), vector, padded=not bad_padding)
