"""Small pieces of music made from nothing: arpeggio, lead, pad and bass, stereo.

Pieces are drawn at 22.05 kHz (nothing in them reaches 11 kHz; the encoder resamples), plain tones at 44.1 kHz.
They come out as signed 16-bit little-endian. Until then each voice is a lane of unsigned samples as bytes; lanes are
mixed by adding them as one huge integer, which CPython does at C speed. No carry can cross a sample because every lane
swings around its own bias by less than that bias, and the biases sum to 32768; flipping the top bit makes that zero.
"""

import array
import functools
import math
import operator
import random

RATE = 22050
TONE_RATE = 44100
LANES = 7  # 4 arpeggio lanes, lead, pad, bass
BIAS = 32768 // LANES
CEILING = 8230  # -12 dBFS for 16-bit samples: the loudest instant a piece aims at

SCALES = {
    "major": (0, 2, 4, 5, 7, 9, 11),
    "minor": (0, 2, 3, 5, 7, 8, 10),
    "dorian": (0, 2, 3, 5, 7, 9, 10),
    "mixolydian": (0, 2, 4, 5, 7, 9, 10),
}
PROGRESSIONS = ((0, 4, 5, 3), (0, 5, 3, 4), (5, 3, 0, 4), (0, 3, 1, 4), (0, 2, 3, 4), (0, 3, 5, 4))
PATTERNS = ((0, 1, 2, 3, 2, 1), (0, 2, 1, 3), (0, 1, 2, 3, 4, 3, 2, 1), (2, 1, 0, 1), (0, 2, 4, 2, 3, 1), (3, 2, 1, 0))
TIMBRES = {"pluck": (1.0, 0.45, 0.18, 0.08), "lead": (1.0, 0.18, 0.3), "pad": (1.0, 0.3), "bass": (1.0, 0.35, 0.1)}


def frequency(note):
    """Hertz of a MIDI note number (69 = 440 Hz)."""
    return 440.0 * 2 ** ((note - 69) / 12)


@functools.lru_cache(maxsize=256)
def _wave(note, timbre):
    """A block of whole periods of one note, floats in -1…1; long enough to be in tune when repeated."""
    hertz = frequency(note)
    periods = max(1, round(hertz / 12))
    length = round(periods * RATE / hertz)
    parts = TIMBRES[timbre]
    total = sum(parts)
    turn = 2 * math.pi * periods / length
    block = [sum(a * math.sin(turn * i * (k + 1)) for k, a in enumerate(parts)) / total for i in range(length)]
    return array.array("f", block)


@functools.lru_cache(maxsize=64)
def _envelope(length, attack, fall, release):
    """Soft attack (seconds), exponential fall per second, linear release at the end (seconds)."""
    rise, drop = max(1, int(attack * RATE)), max(1, int(release * RATE))
    decay = math.exp(-fall / RATE)
    level, values = 1.0, array.array("f", bytes(4 * length))
    for i in range(length):
        values[i] = level * min(1.0, i / rise, (length - i) / drop)
        level *= decay
    return values


@functools.lru_cache(maxsize=512)
def _note(notes, timbre, length, amplitude, envelope, pan):
    """One note or chord as biased stereo bytes; `pan` 0 is left, 1 is right."""
    shape = _envelope(length, *envelope)
    waves = []
    for note in notes:
        block = _wave(note, timbre)
        waves.append((block * (length // len(block) + 1))[:length])
    mono = waves[0]
    for wave in waves[1:]:
        mono = map(operator.add, mono, wave)
    shaped = list(map(operator.mul, mono, shape))
    gain = amplitude / len(waves)
    sides = {share: _channel(shaped, gain * share) for share in (min(1.0, 2 - 2 * pan), min(1.0, 2 * pan))}
    stereo = array.array("H", bytes(4 * length))
    stereo[0::2] = sides[min(1.0, 2 - 2 * pan)]
    stereo[1::2] = sides[min(1.0, 2 * pan)]
    return stereo.tobytes()


def _channel(samples, gain):
    """One side of a note, biased."""
    return array.array("H", [BIAS + int(value * gain) for value in samples])


@functools.lru_cache(maxsize=64)
def _silence(length):
    """A rest of `length` frames."""
    return array.array("H", [BIAS]).tobytes() * (2 * length)


def _mix(lanes, frames):
    """Adds the lanes sample by sample and makes them signed; each is padded with silence or cut to `frames`."""
    total = 0
    for lane in lanes:
        data = b"".join(lane)[: 4 * frames]
        data += _silence(1) * (frames - len(data) // 4)
        total += int.from_bytes(data, "little")
    rest = (32768 - BIAS * len(lanes)).to_bytes(2, "little") * (2 * frames)
    signs = b"\x00\x80" * (2 * frames)
    return (total + int.from_bytes(rest, "little") ^ int.from_bytes(signs, "little")).to_bytes(4 * frames, "little")


class Piece:
    """One piece drawn from a seed: key, scale, chords, tempo and figure follow from it alone."""

    def __init__(self, seed, seconds):
        self.dice = random.Random(seed * 7919 + 17)
        self.scale = SCALES[self.dice.choice(sorted(SCALES))]
        self.root = 57 + self.dice.randrange(-5, 7)
        self.chords = self.dice.choice(PROGRESSIONS)
        self.figure = self.dice.choice(PATTERNS)
        self.steps = self.dice.choice((6, 8, 8))
        self.step = int(RATE * self.dice.choice((0.2, 0.22, 0.25, 0.27)))
        self.bar = self.step * self.steps
        self.frames = int(seconds * RATE)
        self.bars = max(1, self.frames // self.bar)

    def degree(self, number):
        """MIDI note of a scale degree counted from the root; may lie outside one octave."""
        octave, place = divmod(number, len(self.scale))
        return self.root + 12 * octave + self.scale[place]

    def arpeggio(self):
        """Four lanes taking turns, so that every note may ring for four steps."""
        lanes = [[_silence(self.step * lane)] if lane else [] for lane in range(4)]
        tones = (0, 2, 4, 7, 9)
        for index in range(self.bars * self.steps):
            bar, place = divmod(index, self.steps)
            chord = self.chords[bar % 4] if bar < self.bars - 1 else 0
            note = self.degree(chord + tones[self.figure[place % len(self.figure)]]) + 12
            loud = 2750 if place == 0 else 2050
            pan = 0.35 if place % 2 else 0.65
            lanes[index % 4].append(_note((note,), "pluck", 4 * self.step, loud, (0.006, 3.2, 0.05), pan))
        return lanes

    def lead(self):
        """A wandering tune over the middle of the piece, in pentatonic steps, with rests."""
        lane, place = [], 4
        for bar in range(self.bars):
            if bar < 2 or bar >= self.bars - 1 or self.dice.random() < 0.15:
                lane.append(_silence(self.bar))
                continue
            left = self.steps
            while left:
                beats = min(left, self.dice.choice((1, 2, 2, 3, 4)))
                left -= beats
                place = max(0, min(9, place + self.dice.choice((-2, -1, -1, 1, 1, 2))))
                note = self.degree((0, 1, 2, 4, 5)[place % 5] + 7 * (place // 5)) + 12
                lane.append(_note((note,), "lead", beats * self.step, 3250, (0.03, 1.4, 0.06), 0.5))
        return lane

    def pad(self):
        """Held chords, entering in the second bar."""
        lane = [_silence(self.bar)]
        for bar in range(1, self.bars):
            chord = self.chords[bar % 4] if bar < self.bars - 1 else 0
            notes = tuple(self.degree(chord + third) for third in (0, 2, 4))
            lane.append(_note(notes, "pad", self.bar, 3050, (0.25, 0.2, 0.3), 0.5))
        return lane

    def bass(self):
        """One low note a bar."""
        lane = []
        for bar in range(self.bars):
            chord = self.chords[bar % 4] if bar < self.bars - 1 else 0
            lane.append(_note((self.degree(chord) - 12,), "bass", self.bar, 2900, (0.02, 0.9, 0.15), 0.5))
        return lane

    def pcm(self):
        """The whole piece, stereo."""
        return _mix([*self.arpeggio(), self.lead(), self.pad(), self.bass()], self.frames)


def tone(hertz, start, frames):
    """A plain sine cut from an endless one at `start`, so that two cuts join without a step (gapless tests)."""
    turn = 2 * math.pi * hertz / TONE_RATE
    mono = array.array("h", [int(CEILING * math.sin(turn * (start + i))) for i in range(frames)])
    stereo = array.array("h", bytes(4 * frames))
    stereo[0::2] = mono
    stereo[1::2] = mono
    return stereo.tobytes()
