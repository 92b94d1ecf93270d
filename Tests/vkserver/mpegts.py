"""Wraps MP3 or AAC frames in MPEG transport stream segments, as VK's packager does (one audio PID)."""

PMT_PID, AUDIO_PID = 0x1000, 0x100
FRAMES_PER_PES = 8
MP3 = 0x03  # stream type
START = 126000  # 90 kHz ticks: the first time stamp, 1.4 s


def _crc(data):
    """CRC-32/MPEG-2 of a section."""
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ 0x04C11DB7 if value & 0x80000000 else value << 1) & 0xFFFFFFFF
    return value.to_bytes(4, "big")


def _section(table, number, content):
    """A PSI section with its length, version 0 and CRC."""
    size = 5 + len(content) + 4
    head = bytes([table, 0xB0 | size >> 8, size & 0xFF]) + number.to_bytes(2, "big") + b"\xc1\x00\x00"
    return head + content + _crc(head + content)


PAT = _section(0, 1, b"\x00\x01" + (0xE000 | PMT_PID).to_bytes(2, "big"))


def _pmt(kind):
    """The table that names the audio PID and its stream type."""
    pid = (0xE000 | AUDIO_PID).to_bytes(2, "big")
    return _section(2, 1, pid + b"\xf0\x00" + bytes([kind]) + pid + b"\xf0\x00")


def _stamp(ticks):
    """A 33-bit presentation time in the five bytes of a PES header."""
    high, middle, low = ticks >> 30 & 7, ticks >> 15 & 0x7FFF, ticks & 0x7FFF
    marked = (0x20 | high << 1 | 1).to_bytes(1, "big")
    return marked + (middle << 1 | 1).to_bytes(2, "big") + (low << 1 | 1).to_bytes(2, "big")


class Muxer:
    """Writes segments in order; continuity counters run on from one segment to the next."""

    def __init__(self, samples, rate, kind):
        self.samples, self.rate, self.pmt = samples, rate, _pmt(kind)
        self.counters = {0: 0, PMT_PID: 0, AUDIO_PID: 0}
        self.done = 0  # frames written so far

    def _packet(self, pid, start, adaptation, payload):
        """One packet of 188 bytes; returns it with the payload that did not fit. Short payloads are stuffed."""
        room = 184 - (1 + len(adaptation) if adaptation else 0)
        piece, rest = payload[:room], payload[room:]
        field = b""
        if adaptation or len(piece) < room:
            adaptation = adaptation or (b"" if len(piece) == 183 else b"\x00")
            size = 183 - len(piece)
            field = bytes([size]) + adaptation + b"\xff" * (size - len(adaptation))
        count = self.counters[pid]
        self.counters[pid] = count + 1 & 15
        head = bytes([0x47, (0x40 if start else 0) | pid >> 8, pid & 0xFF, (0x30 if field else 0x10) | count])
        return head + field + piece, rest

    def _table(self, pid, section):
        """A PAT or PMT packet, padded with 0xFF after the section as tables are."""
        return self._packet(pid, True, b"", (b"\x00" + section).ljust(184, b"\xff"))[0]

    def segment(self, frames):
        """One segment: PAT, PMT, then the frames, eight to a PES packet."""
        out = [self._table(0, PAT), self._table(PMT_PID, self.pmt)]
        for first in range(0, len(frames), FRAMES_PER_PES):
            group = frames[first : first + FRAMES_PER_PES]
            ticks = START + self.done * self.samples * 90000 // self.rate
            self.done += len(group)
            body = b"".join(group)
            rest = b"\x00\x00\x01\xc0" + (8 + len(body)).to_bytes(2, "big") + b"\x84\x80\x05" + _stamp(ticks) + body
            clock = (ticks - 63000) << 15 | 0x3F << 9  # the clock runs 0.7 s ahead of the sound
            adaptation, start = b"\x50" + clock.to_bytes(6, "big"), True
            while rest:
                packet, rest = self._packet(AUDIO_PID, start, adaptation, rest)
                out.append(packet)
                adaptation, start = b"", False
        return b"".join(out)


def cut(stream, lengths, kind=MP3):
    """Cuts a stream into segments of about `lengths` seconds (the last repeats); yields (seconds, bytes)."""
    muxer, frames, at, index = Muxer(stream.samples, stream.rate, kind), stream.music, 0, 0
    while at < len(frames):
        wanted = lengths[min(index, len(lengths) - 1)]
        count = max(1, round(wanted * stream.rate / stream.samples))
        part = frames[at : at + count]
        yield len(part) * stream.samples / stream.rate, muxer.segment(part)
        at, index = at + len(part), index + 1
