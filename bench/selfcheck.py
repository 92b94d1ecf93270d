"""Checks tone.py against joins made on purpose. Run by hand; bench/run does it first too."""

import array
import math

import tone

HALF = 3 * tone.RATE


def check():
    """Raises when a join of known length is not found."""
    wave = [int(8230 * math.sin(2 * math.pi * tone.HERTZ * i / tone.RATE)) for i in range(2 * HALF)]
    for lead, inserted, trail in ((0, 0, 0), (0, 1713, 0), (1105, 1713, 900), (529, 37, 47), (0, -544, 0), (3, 1, 5)):
        before, after = wave[:HALF], wave[HALF:]
        joined = before + [0] * inserted + after if inserted >= 0 else before[:inserted] + after
        found = tone.extra_at_join(array.array("h", [0] * lead + joined + [0] * trail), HALF)
        if abs(found - inserted) > 0.5:
            raise AssertionError(f"{inserted} samples inserted, {found:.1f} found")


if __name__ == "__main__":
    check()
