"""Finds out how many samples are too many or too few where two halves of one endless tone were joined."""

import array
import math

RATE, HERTZ = 44100, 440
PERIOD = RATE / HERTZ  # samples


def left_channel(path):
    """The left samples of a 16-bit stereo file."""
    samples = array.array("h")
    with open(path, "rb") as file:
        body = file.read()
    samples.frombytes(body[: len(body) // 4 * 4])
    return samples[0::2]


def _phase(samples, start):
    """Amplitude, and the place within a period (samples) where the tone passes zero upwards, over one second from
    `start`: 440 whole periods, so that sine and cosine are orthogonal."""
    turn = 2 * math.pi / PERIOD
    sine = sum(samples[start + i] * math.sin(turn * (start + i)) for i in range(RATE))
    cosine = sum(samples[start + i] * math.cos(turn * (start + i)) for i in range(RATE))
    return 2 * math.hypot(sine, cosine) / RATE, (-math.atan2(cosine, sine) / turn) % PERIOD


def extra_at_join(samples, half):
    """Samples inserted (negative: missing) between two halves of `half` samples each, to a tenth of a sample.

    Where a half begins and ends is seen from its outer edge to within a quarter period; the phase then tells it
    exactly. What is wrong at the outer edges (encoder delay in front, padding at the end) is not counted.
    """
    if len(samples) < 2 * half - RATE // 2:
        raise ValueError(f"only {len(samples)} of {2 * half} samples came out in one piece")
    loud, zero_before = _phase(samples, RATE)
    _, zero_after = _phase(samples, len(samples) - 2 * RATE)
    first = next(i for i, value in enumerate(samples) if abs(value) > 0.4 * loud)
    last = next(i for i in range(len(samples) - 1, 0, -1) if abs(samples[i]) > 0.4 * loud)
    start_before = _nearest(first, zero_before)
    # The second half would have begun at `half` of a tone that began with it at `start_after`.
    start_after = _nearest(last + 1 - 2 * half, zero_after)
    return start_after - start_before


def _nearest(place, zero):
    """The upward zero crossing nearest to a place."""
    return zero + PERIOD * round((place - zero) / PERIOD)
