"""The server's time. It runs by itself and can be moved forward by a control command."""

import time


class Clock:
    """Monotonic seconds plus whatever `advance` added."""

    def __init__(self):
        self.ahead = 0.0

    def now(self):
        """Seconds, never going back."""
        return time.monotonic() + self.ahead

    def wall(self):
        """Unix time, moved by the same amount."""
        return time.time() + self.ahead

    def advance(self, seconds):
        """Moves both forward."""
        self.ahead += seconds
