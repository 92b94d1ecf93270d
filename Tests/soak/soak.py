#!/usr/bin/python3
"""A random walk through nyand with the world failing around it; promises are checked after each step.

The same seed walks the same steps. Ends with 0 and one line, or with 1, the step that broke a promise, and how to walk
there again. usage: soak.py [--seconds 60 | --steps N] [--seed N] [--programs DIR] [--no-pulse]
"""

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
from house import Broken, House, TESTS  # noqa: E402

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


class Walk:
    def __init__(self, house, seed, pulse, answer):
        self.house, self.random, self.pulse = house, random.Random(seed), pulse
        self.answer = answer
        self.queue, self.volume, self.shuffle, self.repeat = [], 100, False, "off"
        self.good = [f"123456_{456240000 - place}" for place in (1, 2, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44)]
        self.tracks = self.good + [f"123456_{456240000 - place}" for place in (14, 15, 16, 17, 18, 19, 20)]
        self.taken = []
        self.ends = {}
        self.without = []
        self.kills = 0
        self.slowest = 0.0

    # Steps. Each is chosen by the seed alone, so that it can be walked again.

    def step(self, number, may_kill):
        for end in [end for end, step in self.ends.items() if step <= number]:
            if self.ends.pop(end, None) is not None:
                getattr(self, "end_" + end)()
        draw = self.random.random()
        if draw < 0.08:
            name = self.random.choice(["media", "media", "freeze_net", "sound_stop", "sound_kill", "kill"])
            if name == "kill" and not may_kill or name.startswith("sound") and not self.pulse or name in self.without:
                name = "media"
        else:
            name = self.random.choices(
                [
                    "play",
                    "pause",
                    "toggle",
                    "next",
                    "prev",
                    "stop",
                    "seek",
                    "volume",
                    "modes",
                    "play_tracks",
                    "add",
                    "remove",
                    "move",
                    "seek_end",
                ],
                [6, 4, 3, 8, 4, 1, 8, 4, 3, 3, 4, 3, 2, 3],
            )[0]
        pause = self.random.choice([0, 0, 0.02, 0.1, 0.4, 1.2])
        self.taken.append(f"{number} {name}")
        getattr(self, "do_" + name)(number)
        self.check()
        time.sleep(pause)
        self.check_answer()

    def tell(self, *words, may_fail=False):
        self.taken[-1] += " " + " ".join(words)
        status, _, errors = self.house.ctl(*words)
        # 5: there is no such place, as at the end of the queue. 2: the track is shorter than that. 1: nothing to seek in.
        if status and not (may_fail and status in (1, 2, 5)):
            raise Broken(f"nyanctl {' '.join(words)} ended with {status}: {errors}")

    def do_play(self, _):
        # An empty queue would be filled with the whole profile.
        if self.queue:
            self.tell("play")

    def do_pause(self, _):
        self.tell("pause")

    def do_next(self, _):
        self.tell("next", may_fail=True)

    def do_prev(self, _):
        self.tell("prev", may_fail=True)

    def do_stop(self, _):
        self.tell("stop")

    def do_toggle(self, _):
        self.queue and self.tell("toggle")

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

    def do_sound_stop(self, number):
        if "sound_kill" not in self.ends:
            self.house.pulse.send_signal(signal.SIGSTOP)
            self.ends.setdefault("sound_stop", number + self.random.randint(1, 4))

    def end_sound_stop(self):
        self.house.pulse.send_signal(signal.SIGCONT)

    def do_sound_kill(self, number):
        if "sound_stop" not in self.ends and "sound_kill" not in self.ends:
            self.house.pulse.kill()
            self.house.pulse.wait()
            self.ends["sound_kill"] = number + self.random.randint(1, 5)

    def end_sound_kill(self):
        self.house.start_pulse()

    def do_kill(self, _):
        before = self.house.status()
        self.kills += 1
        self.house.daemon.kill()
        self.house.daemon.wait()
        self.house.start()
        after = self.house.status()
        if after["state"] not in ("paused", "stopped"):
            raise Broken(f"after kill -9 it is {after['state']} by itself")
        if before["state"] == "paused" and abs(before["position"] - after["position"]) > 0.5:
            raise Broken(f"after kill -9 the position is {after['position']}, it was {before['position']}")

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
        code, output, errors = house.ctl("--json", "queue")
        found = re.findall(r'"id"\s*:\s*"([^"]+)"', output)
        if code or found != self.queue:
            raise Broken(f"the queue is {found}, should be {self.queue} {errors}")
        if self.pulse and not {"sound_stop", "sound_kill"} & set(self.ends):
            self.check_loudness()

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
        self.queue = [self.good[4]]
        self.house.ctl("play", self.good[4])
        self.house.until("it plays", lambda: self.house.status()["state"] == "playing", 40)
        self.house.ctl("stop")
        time.sleep(6)  # spare threads end after five seconds
        self.held = self.house.descriptors()
        return self.house.figures()


def walk(house, options, pulse):
    walker = Walk(house, options.seed, pulse, options.answer)
    walker.without = options.without
    start = time.monotonic()

    def part():
        return number / options.steps if options.steps else (time.monotonic() - start) / options.seconds

    number, before = 0, None
    try:
        house.start()
        house.sign_in()
        walker.taken.append("0 start")
        walker.do_play_tracks(0)
        while part() < 1:
            number += 1
            # The last two thirds are one life of the daemon, so that its growth can be seen.
            if before is None and part() > 0.34:
                before = walker.settle()
                held = walker.held
            walker.step(number, may_kill=before is None)
        after = walker.settle()
        before = before or after
        walker.taken.append(f"{number} end")
        grown = [new - old for new, old in zip(after, before)]
        # Up to twelve connections stay open for the next request.
        if grown[0] > max(8_000, 2 * number) or grown[1] > 12 or grown[2] > 4:
            raise Broken(f"memory, descriptors, threads went from {before} to {after}\n  {held}\n  {walker.held}")
        house.ctl("play", walker.good[4])
        house.until("a good track plays", lambda: house.status()["state"] == "playing")
        house.until("its clock runs", lambda: house.status()["position"] > 1)
        print(
            f"soak: seed {options.seed}, {number} steps, {walker.kills} kills, slowest answer "
            f"{walker.slowest * 1000:.0f} ms, {after[0]} kB ({grown[0]:+}), {after[1]} descriptors ({grown[1]:+}), "
            f"{after[2]} threads ({grown[2]:+})"
        )
        return 0
    except (Broken, OSError, subprocess.TimeoutExpired) as error:
        print(f"soak: step {number} broke a promise: {error}\n  " + "\n  ".join(walker.taken[-15:]))
        try:
            print(f"  status: {house.status()}")
        except Exception as second:  # whatever is wrong, the first trouble is the one to tell
            print(f"  status: {second}")
        print("  " + "\n  ".join(house.said().splitlines()[-12:]))
        print(f"again: Tests/soak/soak.py --seed {options.seed} --steps {max(number, 1)}")
        return 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--steps", type=int)
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--programs", default=os.path.join(os.path.dirname(TESTS), ".build/release"))
    parser.add_argument("--without", action="append", default=[], help="a fault to leave out")
    parser.add_argument("--answer", type=float, default=0.25, help="seconds that a question may take")
    parser.add_argument("--no-pulse", action="store_true")
    options = parser.parse_args()
    options.programs = os.path.abspath(options.programs)
    pulse = not options.no_pulse
    house = House(options.programs, sound="pulse" if pulse else "fakesink sync=true")
    try:
        return walk(house, options, pulse)
    finally:
        house.close()


if __name__ == "__main__":
    sys.exit(main())
