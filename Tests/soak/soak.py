#!/usr/bin/python3
"""A random walk through nyand with the world failing around it; promises are checked after each step.

The network, the disk's room, the sound server, the bus, the keyring and nyand's own life are taken away and given back
(away.py); at the end all is given back, and the last state must be as if nothing had been. The same seed walks the same
steps. Ends with 0 and one line, or with 1, the step that broke a promise, and how to walk
there again. usage: soak.py [--seconds 60 | --steps N] [--seed N] [--programs DIR] [--no-pulse] [--without FAULT]
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
import proof  # noqa: E402
from away import Away  # noqa: E402
from errand import Errand  # noqa: E402
from figures import KEPT, Figures  # noqa: E402
from house import Broken, House, TESTS  # noqa: E402
from sanitised import PATIENCE  # noqa: E402

STATES = {"playing", "paused", "stopped", "buffering"}
MEDIA_FAULTS = [
    dict(fault="status", value=404),
    dict(fault="status", value=503, times=2),
    dict(fault="html"),
    dict(fault="error-page"),
    dict(fault="empty"),
    dict(fault="unreachable"),
    dict(fault="flip", at=list(range(9000))),
    dict(fault="truncate", at=30000, times=3),
    dict(fault="stall", at=40000, seconds=5, times=1),
    dict(fault="drip", value=9000),
    dict(fault="reset", at=20000, times=2),
    dict(fault="expire", times=1),
    dict(fault="ignore-range"),
    dict(fault="delay", seconds=2),
    dict(fault="etag-change"),
]


FAULTS = ["media", "media", "freeze_net", "net_vk", "net_media", "disk", "sound_stop", "sound_kill", "bus_stop", "bus_kill"] + [
    "keyring",
    "kill",
]
WISHES = {
    "play": 6,
    "pause": 4,
    "toggle": 3,
    "next": 8,
    "prev": 4,
    "stop": 1,
    "seek": 8,
    "volume": 4,
    "modes": 3,
    "play_tracks": 3,
    "add": 4,
    "remove": 3,
    "move": 2,
    "seek_end": 3,
    "download": 2,
    "errand": 2,
}
# Steps of one life, so that its growth can be seen, take turns with as many that may end it.
LIFE = 100


class Walk(Away):
    def __init__(self, house, options, pulse):
        self.house, self.seed, self.pulse = house, options.seed, pulse
        self.random = random.Random(self.seed)
        self.answer, self.without = options.answer * PATIENCE, set(options.without)
        if not house.has_disk:
            self.without.add("disk")
        self.queue, self.volume, self.shuffle, self.repeat = [], 100, False, "off"
        # States that a death may leave: the last that was answered for, and what was answered with a failure since.
        self.past = [self.state()]
        self.good = [f"123456_{456240000 - place}" for place in (1, 2, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44)]
        self.tracks = self.good + [f"123456_{456240000 - place}" for place in (14, 15, 16, 17, 18, 19, 20)]
        self.wished, self.unsure = set(), set()
        self.taken = []
        self.ends = {}
        self.errands = []
        self.counts = {}
        self.deaths = 0
        self.keyring_is = "open"
        self.slowest = 0.0

    # Steps. Each is chosen by the seed and its number alone, so that it can be walked again.

    def step(self, number):
        self.random = random.Random(f"{self.seed}.{number}")
        for end in [end for end, step in self.ends.items() if step <= number]:
            if self.ends.pop(end, None) is not None:
                self.taken.append(f"{number} {end} is back")
                getattr(self, "end_" + end)()
        if self.random.random() < 0.2:
            name = self.random.choice(FAULTS)
            is_death = name in ("kill", "bus_kill") and number // LIFE % 2
            if is_death or name.startswith("sound") and not self.pulse or name in self.without:
                name = "media"
            self.counts[name] = self.counts.get(name, 0) + 1
        else:
            name = self.random.choices(list(WISHES), list(WISHES.values()))[0]
        pause = self.random.choice([0, 0, 0.02, 0.1, 0.4, 1.2])
        self.taken.append(f"{number} {name}")
        getattr(self, "do_" + name)(number)
        self.check()
        time.sleep(pause)
        self.check_answer()
        self.errands = [errand for errand in self.errands if not errand.is_over()]

    def state(self):
        """What is answered for, besides the position."""
        return dict(queue=list(self.queue), volume=self.volume, shuffle=self.shuffle, repeat=self.repeat)

    def adopt(self, state):
        self.queue, self.volume = list(state["queue"]), state["volume"]
        self.shuffle, self.repeat = state["shuffle"], state["repeat"]
        self.past = [self.state()]

    def tell(self, *words, may_fail=False, changes=True):
        """`changes`: it is answered once what is so then, as the model has it, is on disk."""
        self.taken[-1] += " " + " ".join(words)
        status, _, errors = self.house.ctl(*words)
        if status == 1 and "disk" in self.ends and "room" in errors:
            # It is so, but not on disk; said as such.
            self.taken[-1] += " (not saved)"
            self.past.append(self.state())
            return False
        # 5: there is no such place, as at the end of the queue. 2: the track is shorter than that. 1: nothing to seek in.
        if status and not (may_fail and status in (1, 2, 5)):
            raise Broken(f"nyanctl {' '.join(words)} ended with {status}: {errors}")
        if status == 0 and changes:
            self.past = [self.state()]
        return status == 0

    def do_play(self, _):
        # An empty queue would be filled with the whole profile.
        if self.queue:
            self.tell("play", changes=False)

    def do_pause(self, _):
        self.tell("pause", changes=False)

    def do_next(self, _):
        self.tell("next", may_fail=True)

    def do_prev(self, _):
        self.tell("prev", may_fail=True)

    def do_stop(self, _):
        self.tell("stop")

    def do_toggle(self, _):
        self.queue and self.tell("toggle", changes=False)

    def do_seek(self, _):
        place = self.random.choice(["0", "1", "+3", "-2", "0:20", "50%", "10%", "90%", "+1000"])
        self.tell("seek", place, may_fail=True)

    def do_seek_end(self, _):
        self.tell("seek", "99%", may_fail=True)

    def do_volume(self, _):
        self.volume = self.random.randint(0, 100)
        self.tell("volume", str(self.volume))

    def do_modes(self, _):
        if self.random.random() < 0.5:
            self.shuffle = self.random.random() < 0.5
            self.tell("shuffle", "on" if self.shuffle else "off")
        else:
            self.repeat = self.random.choice(["off", "track", "queue"])
            self.tell("repeat", self.repeat)

    def do_play_tracks(self, _):
        self.queue = [self.random.choice(self.tracks) for _ in range(self.random.randint(2, 12))]
        self.tell("play", *self.queue)

    def do_add(self, _):
        id = self.random.choice(self.tracks)
        self.queue.append(id)
        self.tell("queue", "add", id)

    def do_remove(self, _):
        if len(self.queue) > 1:
            place = self.random.randrange(len(self.queue))
            del self.queue[place]
            self.tell("queue", "remove", str(place + 1))

    def do_move(self, _):
        if len(self.queue) > 1:
            start, end = self.random.randrange(len(self.queue)), self.random.randrange(len(self.queue))
            self.queue.insert(end, self.queue.pop(start))
            self.tell("queue", "move", str(start + 1), str(end + 1))

    def do_download(self, _):
        some = [self.random.choice(self.good) for _ in range(self.random.randint(1, 3))]
        if self.tell("download", *some, changes=False):
            self.wished |= set(some)
        else:
            # Refused by a full disk: it may come all the same.
            self.unsure |= set(some)

    def do_errand(self, _):
        words = self.random.choice([["sync"], ["search", "song"], ["friends"], ["whoami"], ["lyrics", self.good[0]]])
        token = None
        if self.random.random() < 0.3:
            words, token = ["login", "--token"], self.house.ready["token"]
        self.taken[-1] += " " + " ".join(words)
        if len(self.errands) < 6:
            self.errands.append(Errand(self.house, *words, input=token))

    # Faults, each ended some steps later.

    def do_media(self, number):
        if "freeze_net" in self.ends:
            return
        fault = self.random.choice(MEDIA_FAULTS)
        self.taken[-1] += f" {fault['fault']}"
        self.house.control(*[{"cmd": "media-fault", "kind": kind, **fault} for kind in ("mp3", "segment")])
        self.ends["media"] = number + self.random.randint(2, 12)

    def end_media(self):
        if self.ends.pop("freeze_net", None):
            self.end_freeze_net()
        self.house.control(dict(cmd="media-clear"), dict(cmd="clear"))

    def do_freeze_net(self, number):
        self.house.server.send_signal(signal.SIGSTOP)
        self.ends.setdefault("freeze_net", number + self.random.randint(1, 6))

    def end_freeze_net(self):
        self.house.server.send_signal(signal.SIGCONT)

    # Promises.

    def check_answer(self):
        taken = self.house.answer_time()
        self.slowest = max(self.slowest, taken)
        if taken > self.answer:
            raise Broken(f"a question took {taken * 1000:.0f} ms")

    def check(self):
        house = self.house
        if house.daemon.poll() is not None:
            raise Broken(f"nyand ended with {house.daemon.returncode}")
        self.check_answer()
        status = house.status()
        if len(self.past) > 1:
            # What could not be saved holds or not; from here on it is as it is.
            found = self.found(status)
            if found not in self.past:
                raise Broken(f"it has {found}, said was one of {self.past}")
            past = self.past
            self.adopt(found)
            self.past = past
        if status["state"] not in STATES:
            raise Broken(f"state {status['state']}")
        if not 0 <= status["position"] <= (status["duration"] or 1e9) + 0.01:
            raise Broken(f"position {status['position']} of {status['duration']}")
        if abs(status["volume"] * 100 - self.volume) > 0.6:
            raise Broken(f"volume {status['volume']}, set was {self.volume}")
        if (status["shuffle"], status["repeat"]) != (self.shuffle, self.repeat):
            raise Broken(
                f"shuffle {status['shuffle']}, repeat {status['repeat']}; set was {self.shuffle}, {self.repeat}"
            )
        found = self.queued()
        if found != self.queue:
            raise Broken(f"the queue is {found}, should be {self.queue}")
        if self.pulse and not {"sound_stop", "sound_kill"} & set(self.ends):
            self.check_loudness()

    def queued(self):
        code, output, errors = self.house.ctl("--json", "queue")
        if code:
            raise Broken(f"queue ended with {code}: {errors}")
        return re.findall(r'"id"\s*:\s*"([^"]+)"', output)

    def found(self, status):
        """As `state`, of the daemon."""
        volume = round(status["volume"] * 100)
        return dict(queue=self.queued(), volume=volume, shuffle=status["shuffle"], repeat=status["repeat"])

    def check_loudness(self):
        """What the sound server has, whatever we report. A stream without a volume plays at 100 %."""
        done = subprocess.run(
            ["pactl", "list", "sink-inputs"], env=self.house.environment, capture_output=True, text=True, timeout=10
        )
        for part in done.stdout.split("Sink Input #")[1:]:
            corked = "Corked: yes" in part
            percent = [int(number) for number in re.findall(r"(\d+)%", part.split("Volume:", 1)[1].split("\n")[0])]
            linear = max(percent) / 100
            if not corked and linear**3 * 100 > self.volume + 1.5:
                raise Broken(f"the stream is at {max(percent)} %, which is louder than {self.volume}")

    def calm(self):
        """Ends all faults."""
        for end in sorted(self.ends):
            self.ends.pop(end, None)
            getattr(self, "end_" + end)()
        self.house.control(dict(cmd="media-clear"), dict(cmd="clear"))

    def settle(self):
        """Silence, so that figures can be compared."""
        self.calm()
        self.house.until("nothing is asked any more", self.is_quiet, Errand.LATEST)
        self.queue = [self.good[4]]
        self.taken.append("settles")
        self.tell("play", self.good[4])
        self.house.until("it plays", lambda: self.house.status()["state"] == "playing", 40)
        self.tell("stop", changes=False)
        time.sleep(6)  # spare threads end after five seconds
        self.held = self.house.descriptors()
        return self.house.figures()

    def is_quiet(self):
        self.errands = [errand for errand in self.errands if not errand.is_over()]
        rows = json.loads(self.house.ctl("--json", "downloads")[1])
        return not self.errands and all(row["state"] in ("done", "failed") for row in rows)

    def prove(self):
        """The last state: everything is given back, and all is as if nothing had been."""
        house = self.house
        house.until("it is signed in", lambda: house.status()["signedIn"], 60, lambda: house.status())
        self.tell("play", self.good[4])
        house.until("a good track plays", lambda: house.status()["state"] == "playing")
        house.until("its clock runs", lambda: house.status()["position"] > 1)
        house.until("nothing is wrong", lambda: house.status()["problem"] is None, 60, lambda: house.status()["problem"])
        if house.ctl("sync", limit=90)[0]:
            raise Broken("sync fails")
        self.prove_files()
        house.daemon.send_signal(signal.SIGTERM)
        if (status := house.daemon.wait(20)) != 0:
            raise Broken(f"asked to end it ended with {status}")
        proof.databases(house)
        proof.secrets(house)

    def prove_files(self):
        house = self.house

        def is_done():
            rows = json.loads(house.ctl("--json", "downloads")[1])
            if any(row["state"] == "failed" for row in rows):
                house.ctl("retry", "--all")
            return all(row["state"] == "done" for row in rows)

        house.until("all that was wished for is there", is_done, 90, lambda: house.ctl("--json", "downloads")[1][-600:])
        music = proof.files(house, {id: house.page(f"/_expected/{id}")["sha256"] for id in self.good})
        self.files = len(music)
        if not self.wished <= set(music) <= self.wished | self.unsure:
            raise Broken(f"My Music has {sorted(music)}, wished for was {sorted(self.wished)}, or {sorted(self.unsure)} too")


def judge(walker, before, after, number):
    """What one life of so many steps left behind. Up to twelve connections stay open for the next request."""
    grown = [new - old for new, old in zip(after, before[0])]
    if grown[0] > max(8_000, 40 * LIFE) or grown[1] > 12 or grown[2] > 4:
        raise Broken(
            f"memory, descriptors, threads went from {before[0]} to {after} by step {number}\n  {before[1]}\n  {walker.held}"
        )
    return grown


def walk(house, options, pulse):
    walker = Walk(house, options, pulse)
    start = time.monotonic()

    def is_over():
        return number >= options.steps if options.steps else time.monotonic() - start > options.seconds

    number, before, grown = 0, None, [0, 0, 0]
    figures = Figures(house, lambda: number)
    try:
        house.control(dict(cmd="set", **{"rate-limit": 0}))
        house.start()
        house.sign_in()
        walker.taken.append("0 start")
        walker.do_play_tracks(0)
        while not is_over():
            number += 1
            if number % LIFE == 0:
                after = walker.settle()
                if before:
                    grown = [max(pair) for pair in zip(grown, judge(walker, before, after, number))]
                before = (after, walker.held) if number // LIFE % 2 else None
            walker.step(number)
        after = walker.settle()
        if before and number % LIFE > 1:
            grown = [max(pair) for pair in zip(grown, judge(walker, before, after, number))]
        walker.taken.append(f"{number} end")
        walker.prove()
        faults = ", ".join(f"{name} {count}" for name, count in sorted(walker.counts.items()))
        print(
            f"soak: seed {options.seed}, {number} steps in {time.monotonic() - start:.0f} s, {walker.deaths} deaths, "
            f"{walker.files} files right, slowest answer {walker.slowest * 1000:.0f} ms, {after[0]} kB "
            f"({grown[0]:+} at most), {after[1]} descriptors ({grown[1]:+}), {after[2]} threads ({grown[2]:+}); {faults}"
        )
        return 0
    except (Broken, OSError, subprocess.SubprocessError) as error:
        print(f"soak: step {number} broke a promise: {error}\n  " + "\n  ".join(walker.taken[-25:]))
        try:
            print(f"  away: {walker.ends}\n  status: {house.status()}")
        except Exception as second:  # whatever is wrong, the first trouble is the one to tell
            print(f"  status: {second}")
        print("  " + "\n  ".join(house.said().splitlines()[-options.log :]))
        print(f"again: Tests/soak/soak.py --seed {options.seed} --steps {max(number, 1)}")
        return 1
    finally:
        figures.keep(options.keep, "soak-walk", "nyand through a random walk", "steps")
        for errand in walker.errands:
            errand.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--programs", default=os.path.join(os.path.dirname(TESTS), ".build/release"))
    parser.add_argument("--without", action="append", default=[], help="a fault to leave out")
    # A sound server that does not answer holds nyand for 250 ms once (`Errand` in NyanAudio), and the question comes after it.
    parser.add_argument("--answer", type=float, default=0.4, help="seconds that a question may take")
    parser.add_argument("--log", type=int, default=15, help="lines of nyand's log to show after a broken promise")
    parser.add_argument("--keep", default=KEPT, help="folder for figures and picture")
    parser.add_argument("--no-pulse", action="store_true")
    options = parser.parse_args()
    options.programs = os.path.abspath(options.programs)
    pulse = not options.no_pulse
    sound = "pulse" if pulse else "fakesink sync=true"
    house = House(options.programs, sound=sound, line=True, disk="300m", keyring=True)
    try:
        return walk(house, options, pulse)
    finally:
        house.close()


if __name__ == "__main__":
    sys.exit(main())
