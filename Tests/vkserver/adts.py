"""Walks the frames of AAC in ADTS: the same face as `mp3`, for recordings that are AAC inside HLS."""

import hashlib
from dataclasses import dataclass

from mp3 import Damaged

_RATES = (96000, 88200, 64000, 48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000, 7350)
STREAM_TYPE = 0x0F  # in a PMT


@dataclass(frozen=True)
class Stream:
    """An AAC stream; see `mp3.Stream`. Nothing in it tells the encoder's delay."""

    body: bytes
    frames: tuple
    rate: int  # Hz
    samples: int = 1024  # per frame
    info: bool = False

    @property
    def music(self):
        """The frames that sound: all."""
        return self.frames

    @property
    def seconds(self):
        """Playing time, encoder delay included."""
        return len(self.frames) * self.samples / self.rate


def walk(body):
    """The stream of a whole file; raises `Damaged` when a frame is missing, cut or broken."""
    at, frames, rate = 0, [], 0
    while at < len(body):
        head = body[at : at + 7]
        if len(head) < 7 or head[0] != 0xFF or head[1] & 0xF6 != 0xF0:
            raise Damaged(f"no frame at {at}")
        length = (head[3] & 3) << 11 | head[4] << 3 | head[5] >> 5
        if length < 7 or at + length > len(body):
            raise Damaged(f"frame cut at {at}")
        rate = _RATES[head[2] >> 2 & 15]
        frames.append(body[at : at + length])
        at += length
    if not frames:
        raise Damaged("no frame at all")
    return Stream(body, tuple(frames), rate)


def expected(body):
    """As `mp3.expected`: a finished M4A file must hold these frames without their headers."""
    stream = walk(body)
    return {
        "sha256": hashlib.sha256(stream.body).hexdigest(),
        "bytes": len(stream.body),
        "frames": len(stream.frames),
        "duration": round(stream.seconds, 3),
    }
