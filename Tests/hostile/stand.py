"""What the programs of this folder share: a house with a hostile server in front of it, and what must hold in it."""

import argparse
import os
import re
import resource
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "soak")]
from front import Front  # noqa: E402
from house import Broken, House, TESTS  # noqa: E402

SECRETS = ("/s/v1/", "siren=", "access_token", "remixsid")


class Stand:
    """A daemon that has signed in through the hostile front, and the checks after each attack."""

    def __init__(self, programs, rows=450):
        self.house = House(programs)
        self.front = self.front_before(self.house.ready["url"])
        self.rows, self.peak, self.problems = rows, 0, []
        # Unoptimised code reads JSON ten times slower.
        self.slowness = 1 if "release" in programs or programs.startswith("/usr") else 6
        own = self.house.ready["url"]
        self.house.ready = {
            name: value.replace(own, self.front.url) if isinstance(value, str) and name != "control-url" else value
            for name, value in self.house.ready.items()
        }
        self.house.api = self.house.ready["api-url"]
        self.house.write_settings(self.settings())
        self.house.start("debug")
        self.house.sign_in()
        if not self.front.seen:
            raise Broken("nyand does not ask the hostile server: nothing would be attacked")
        self.idle = self.memory()
        threading.Thread(target=self._watch, daemon=True).start()

    def front_before(self, url):
        """The hostile server."""
        return Front(url)

    def settings(self):
        """Further lines of the settings."""
        return ""

    def memory(self):
        """Resident kilobytes of the daemon."""
        with open(f"/proc/{self.house.daemon.pid}/status") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))

    def _watch(self):
        while True:
            time.sleep(0.02)
            try:
                self.peak = max(self.peak, self.memory())
            except (OSError, StopIteration):
                pass

    def attack(self, name, do, most_memory=160_000, most_seconds=90, most_wait=2.0, through_front=True):
        """Runs `do` and looks at what must hold: alive, answering, small, silent about secrets, library whole. `through_front`:
        what the front answers is the attack, so that one which meets nobody proves nothing."""
        self.peak, begun, slowest = 0, time.monotonic(), [0.0]
        over = threading.Event()

        def ask():
            while not over.wait(0.1):
                try:
                    slowest[0] = max(slowest[0], self.house.answer_time())
                except Exception:  # noqa: BLE001 - no answer at all; the last look says whether it is alive
                    slowest[0] = max(slowest[0], 99)
                    return

        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        wrong = []
        try:
            said = do()
        except Exception as error:  # noqa: BLE001 - one attack must not hide the next
            said = ""
            wrong.append(f"{type(error).__name__}: {error}")
        over.set()
        asking.join(20)
        self.house.line = None
        took = time.monotonic() - begun
        if through_front and not self.front.met:
            wrong.append("nobody met it")
        self.front.calm()
        if self.house.daemon.poll() is not None:
            wrong.append(f"nyand died with {self.house.daemon.returncode}: {self.house.said()[-600:]}")
            self.house.start("debug")
        if took > most_seconds:
            wrong.append(f"took {took:.0f} s")
        if slowest[0] > most_wait * self.slowness:
            wrong.append(f"held others up for {slowest[0]:.1f} s")
        grown = self.peak - self.idle
        if grown > most_memory:
            wrong.append(f"grew by {grown // 1024} MB")
        heard = self.house.said()
        for secret in [self.house.ready["token"], *SECRETS]:
            if secret in heard or secret in (said or ""):
                wrong.append(f"told {secret[:12]}")
        if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", said or ""):
            wrong.append(f"printed a control character: {said!r:.200}")
        code, rows, errors = self.house.ctl("--timeout", "30", "--json", "profile")
        if code or rows.count('"id"') < self.rows:
            wrong.append(f"the library has {rows.count(chr(34) + 'id' + chr(34))} rows; {errors}")
        print(
            f"{'✘' if wrong else '✔'} {name}: {took:.1f} s, +{max(grown, 0) // 1024} MB, "
            f"others waited {slowest[0]:.2f} s" + "".join(f"\n    {line}" for line in wrong),
            flush=True,
        )
        self.problems += [f"{name}: {line}" for line in wrong]

    def end(self):
        """The exit status."""
        self.house.close()
        print(f"{len(self.problems)} broken" if self.problems else "all held", flush=True)
        return 1 if self.problems else 0


def arguments(about):
    """`--programs DIR`, `--only WORD`, `--seed N` and `--calls N`."""
    parser = argparse.ArgumentParser(description=about)
    debug = os.path.join(os.path.dirname(TESTS), ".build/debug")
    release = os.path.join(os.path.dirname(TESTS), ".build/release")
    parser.add_argument("--programs", default=release if os.path.exists(release + "/nyand") else debug)
    parser.add_argument("--only", default="")
    parser.add_argument("--quick", action="store_true", help="the short form, for a debug build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--calls", type=int, default=120)
    resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
    return parser.parse_args()
