"""Walks the frames of an MP3 and tells the elementary stream from its tags."""

import hashlib
from dataclasses import dataclass

_BITRATES = {  # Layer III, kbit/s, by MPEG generation
    1: (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
    2: (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
}
_RATES = {3: (44100, 48000, 32000), 2: (22050, 24000, 16000), 0: (11025, 12000, 8000)}


class Damaged(ValueError):
    """The bytes are not one unbroken row of Layer III frames."""


@dataclass(frozen=True)
class Stream:
    """A tag-free MP3: `frames` are slices of it, `info` says that the first is a Xing/Info (LAME) header frame."""

    body: bytes
    frames: tuple
    samples: int  # per frame: 1152, or 576 below 32 kHz
    rate: int  # Hz
    info: bool

    @property
    def music(self):
        """The frames that sound."""
        return self.frames[1:] if self.info else self.frames

    @property
    def seconds(self):
        """Playing time of the sounding frames, encoder delay included."""
        return len(self.music) * self.samples / self.rate


def untagged(body):
    """The bytes without a leading ID3v2 and a trailing ID3v1 tag."""
    if body[:3] == b"ID3":
        size = body[6] << 21 | body[7] << 14 | body[8] << 7 | body[9]
        body = body[10 + size + (10 if body[5] & 0x10 else 0) :]
    return body[:-128] if body[-128:-125] == b"TAG" else body


def _frame(body, at):
    """(length in bytes, samples, rate) of the frame at this offset."""
    if len(body) < at + 4:
        raise Damaged(f"{len(body) - at} bytes left over at {at}")
    head = int.from_bytes(body[at : at + 4], "big")
    version, layer = head >> 19 & 3, head >> 17 & 3
    bits, speed = head >> 12 & 15, head >> 10 & 3
    if head >> 21 != 0x7FF or layer != 1 or version == 1 or bits in (0, 15) or speed == 3:
        raise Damaged(f"no frame at {at}")
    rate, samples = _RATES[version][speed], 1152 if version == 3 else 576
    length = samples // 8 * _BITRATES[1 if version == 3 else 2][bits] * 1000 // rate + (head >> 9 & 1)
    return length, samples, rate


def walk(data):
    """The stream of a whole file; raises `Damaged` when a frame is missing, cut or broken."""
    body = untagged(data)
    at, frames, samples, rate = 0, [], 0, 0
    while at < len(body):
        length, samples, rate = _frame(body, at)
        if at + length > len(body):
            raise Damaged(f"last frame cut at {at}")
        frames.append(body[at : at + length])
        at += length
    if not frames:
        raise Damaged("no frame at all")
    info = any(mark in frames[0][4:64] for mark in (b"Xing", b"Info"))
    return Stream(body, tuple(frames), samples, rate, info)


def expected(body):
    """What a finished download must hold: hash, bytes, frames (the Info frame counts) and seconds of sound."""
    stream = walk(body)
    return {
        "sha256": hashlib.sha256(stream.body).hexdigest(),
        "bytes": len(stream.body),
        "frames": len(stream.frames),
        "duration": round(stream.seconds, 3),
    }
