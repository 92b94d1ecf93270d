"""A command that may take as long as a network does: it runs beside the walk and is looked after."""

import subprocess
import time

from house import Broken


class Errand:
    # Everything in nyand that waits for a network has a limit well below this.
    LATEST = 150

    def __init__(self, house, *words, input=None):
        self.words, self.start, self.is_excused = words, time.monotonic(), False
        self.program = subprocess.Popen(
            [house.programs + "/nyanctl", *words],
            env=house.environment,
            stdin=subprocess.PIPE if input else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        if input:
            self.program.stdin.write(input)
            self.program.stdin.close()
            self.program.stdin = None

    def is_over(self, may_be=(0, 1, 4, 6)):
        """Whether it is done. It may fail as the network does; it may not hang, nor be left without an answer."""
        status = self.program.poll()
        if status is None:
            if time.monotonic() - self.start > self.LATEST:
                self.end()
                raise Broken(f"nyanctl {' '.join(self.words)} still runs after {self.LATEST} s")
            return False
        # What it says is short: it fits into the pipe.
        said = self.program.stdout.read()
        self.program.stdout.close()
        if status not in may_be and not (self.is_excused and status in (3, 7)):
            raise Broken(f"nyanctl {' '.join(self.words)} ended with {status}: {said[:300]}")
        return True

    def end(self):
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait()
