"""Odd terminals, outputs, languages and arguments: nyanctl must end when it is asked to, with a documented status, and
never by a fault of its own, nor fill the memory.

    terminals.py [--programs DIR] [--quick] [NAME…]

Exit status 1 where a promise was broken."""

import argparse
import fcntl
import os
import pty
import random
import select
import signal
import struct
import subprocess
import sys
import termios
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "soak")]
from house import House  # noqa: E402

# Documented; a closed pipe, a signal that was sent (by number or by shell's custom).
FINE = {*range(8), 129, 130, 141, 143, -signal.SIGHUP, -signal.SIGINT, -signal.SIGTERM, -signal.SIGPIPE}
LIVE = [["ui"], ["player"], ["status", "--follow"], ["downloads", "--follow"]]
SHORT = [["status"], ["profile"], ["queue"], ["--json", "profile"], ["help"], ["doctor"]]
# MB. The largest screen there is takes 34 for each of the three that ncurses keeps, and for a moment those of before.
MOST_MEMORY = 250
GARBAGE = random.Random(7).randbytes(100_000)
ANSWERS = b"\x1b[?62;c\x1b[24;80R\x1b[999999999;999999999R\x1b]11;rgb:ff/ff/ff\x07\x1bP>|x\x1b\\\x1b[<0;1;1M\x1b[<99999999999;-1;1m\x1b[M"


class OnTerminal:
    """A program on a terminal of its own, whose output is thrown away."""

    def __init__(self, words, environment, size=(24, 80)):
        self.words = words
        self.pid, self.leader = pty.fork()
        if self.pid == 0:
            # The size before the program, so that it begins with it.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
            os.execve(words[0], words, environment)
        os.set_blocking(self.leader, False)
        self.status, self.heard = None, 0

    def resize(self, rows, columns):
        fcntl.ioctl(self.leader, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def read(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and self.alive():
            if select.select([self.leader], [], [], min(left, 0.05))[0]:
                try:
                    self.heard += len(os.read(self.leader, 1 << 16))
                except OSError:
                    time.sleep(0.01)

    def type(self, data, seconds=20):
        """Types all of it, reading meanwhile; a program need not take it."""
        end = time.monotonic() + seconds
        while data and time.monotonic() < end and self.alive():
            try:
                data = data[os.write(self.leader, data[:4096]) :]
            except BlockingIOError:
                pass
            except OSError:
                return
            self.read(0.002)

    def alive(self):
        if self.status is None:
            ended, status = os.waitpid(self.pid, os.WNOHANG)
            if ended:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is None

    def memory(self):
        try:
            with open(f"/proc/{self.pid}/status") as file:
                return max((int(line.split()[1]) for line in file if line.startswith("VmHWM")), default=0) // 1024
        except OSError:
            return 0

    def end(self, how):
        """Asks it to end; what is wrong with how it did, or nothing."""
        memory = self.memory() if self.alive() else 0
        if self.alive() and how == "quit":
            self.type(b"\x1b\x1bq\x03", 2)
        elif self.alive() and how == "hangup":
            os.close(self.leader)
            self.leader = os.open("/dev/null", os.O_RDWR)
        elif self.alive():
            os.kill(self.pid, signal.SIGTERM)
        end = time.monotonic() + 10
        while self.alive() and time.monotonic() < end:
            self.read(0.02)
        if self.alive():
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            os.close(self.leader)
            return f"does not end by {how}"
        os.close(self.leader)
        if self.status not in FINE:
            return f"ended with {self.status}"
        return f"took {memory} MB" if memory > MOST_MEMORY else ""


class Cases:
    def __init__(self, house, nyanctl, quick):
        self.house, self.nyanctl, self.quick = house, nyanctl, quick
        self.environment = {**house.environment, "TERM": "xterm-256color"}
        self.faults, self.count = [], 0

    def note(self, what, fault):
        self.count += 1
        if fault:
            self.faults.append(f"{what}: {fault}")

    def on_terminal(self, what, environment=None, size=(24, 80), act=None, commands=None, how="quit"):
        for command in commands or LIVE[: 2 if self.quick else None] + SHORT[: 2 if self.quick else None]:
            program = OnTerminal([self.nyanctl, *command], environment or self.environment, size)
            program.read(0.25)
            if act:
                act(program)
            # A follower has no key but the interrupt, which `quit` holds.
            self.note(f"{what}: {' '.join(command)}", program.end(how if command in LIVE else "wait"))

    def plain(self, what, command, environment=None, **more):
        more = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
        try:
            done = subprocess.run([self.nyanctl, *command], env=environment or self.environment, timeout=20, **more)
            fault = "" if done.returncode in FINE else f"ended with {done.returncode}: {str(done.stderr)[-200:]}"
        except subprocess.TimeoutExpired:
            fault = "does not end"
        self.note(f"{what}: {str(command)[:60]}", fault)

    # The cases.

    def names(self):
        """no name, a wrong one, a very long one"""
        without = {key: value for key, value in self.environment.items() if key != "TERM"}
        self.on_terminal("TERM unset", without)
        for name in ["dumb", "nothing-like-this", ""] + ([] if self.quick else ["x" * 100_000, "../../etc/passwd", "\x1b[2J"]):
            self.on_terminal(f"TERM {name[:20]!r}", {**self.environment, "TERM": name})
        self.on_terminal("no terminfo", {**self.environment, "TERMINFO": "/nowhere", "TERMINFO_DIRS": "/nowhere"}, commands=[["ui"]])

    def sizes(self):
        """no size, one cell, the largest, a storm of sizes"""
        for size in [(0, 0), (1, 1)] + ([] if self.quick else [(1, 500), (500, 1), (2, 2), (65535, 80), (24, 65535)]) + [(65535, 65535)]:
            self.on_terminal(f"size {size}", size=size)

        def storm(program):
            chance = random.Random(1)
            for _ in range(60 if self.quick else 500):
                program.resize(chance.choice([0, 1, 2, 24, 300, 65535]), chance.choice([0, 1, 3, 80, 500, 65535]))
                program.read(0.005)
            program.resize(24, 80)

        self.on_terminal("storm of sizes", act=storm, commands=LIVE[:2])

    def input(self):
        """garbage, answers to questions nobody asked, a paste of megabytes, bytes that are no UTF-8"""
        # Keys that quit or change something are taken out: what is tested is the reading.
        for what, data in {"garbage": bytes(b for b in GARBAGE[:2000] if b > 127 or b == 27), "answers": ANSWERS * 20}.items():
            self.on_terminal(what, act=lambda program: program.type(data, 5), commands=LIVE[:2])
        size = (1 << 18) if self.quick else (10 << 20)
        paste = b"\x1b[200~" + "вставка ".encode() * (size // 15) + b"\x1b[201~"
        self.on_terminal("paste", act=lambda program: program.type(b"/" + paste, 60), commands=[["ui"]])
        self.on_terminal("paste", act=lambda program: program.type(paste + b"\n", 30), commands=[["login", "--token"]], how="hangup")

    def ends(self):
        """a terminal that hangs up, does not read, or is told to end"""
        for how in ("hangup", "term"):
            self.on_terminal(how, commands=LIVE[:2] if self.quick else LIVE, how=how)

    def outputs(self):
        """an output that is full, closed, does not block, or has no room"""
        for command in SHORT[: 4 if self.quick else None]:
            with open("/dev/full", "wb") as full:
                self.plain("/dev/full", command, stdout=full)
                self.plain("/dev/full for errors", command, stderr=full, stdout=full)
            read, write = os.pipe()
            os.close(read)
            self.plain("closed pipe", command, stdout=write)
            os.close(write)
            self.plain("no descriptors", command, stdin=None, stdout=None, stderr=None, preexec_fn=lambda: os.closerange(0, 3))
            self.trickle(command)

    def trickle(self, command):
        """A full pipe that does not block, read slowly."""
        read, write = os.pipe()
        fcntl.fcntl(write, 1031, 4096)  # F_SETPIPE_SZ
        os.set_blocking(write, False)
        os.write(write, b"x" * 4096)
        program = subprocess.Popen([self.nyanctl, *command], env=self.environment, stdout=write, stderr=subprocess.DEVNULL)
        os.close(write)
        time.sleep(0.15)
        data = b""
        while part := os.read(read, 1 << 16):
            data += part
        os.close(read)
        status = program.wait(20)
        fault = "" if status in FINE else f"ended with {status}"
        if command[-1] == "profile" and data.count(b"\n") < 1:
            fault = f"{len(data) - 4096} bytes came"
        self.note(f"non-blocking: {command}", fault)

    def surroundings(self):
        """languages, numbers and paths that mean nothing"""
        for name, values in {
            "LANG": ["C", "xx_XX.NOPE", "\udcff", "ru_RU.KOI8-R"], "LC_ALL": ["POSIX", "x" * 50_000],
            "COLUMNS": ["0", "-1", "99999999999999999999", "x"], "LINES": ["0", "-5", "1e9"],
            "XDG_CACHE_HOME": ["/dev/null", "relative", "/" + "x" * 5000], "XDG_STATE_HOME": ["/dev/null"], "HOME": ["", "/dev/null"],
            "NYANCTL_TIMEOUT": ["x", "-1"], "NO_COLOR": ["\udcff"], "TZ": [":/dev/null", "x" * 9000], "EDITOR": ["\udcff"],
        }.items():  # fmt: skip
            for value in values[: 2 if self.quick else None]:
                self.plain(f"{name}={value[:20]!r}", ["profile"], {**self.environment, name: value})
                if not self.quick:
                    self.on_terminal(f"{name}={value[:20]!r}", {**self.environment, name: value}, commands=[["ui"], ["profile"]])
        self.plain("no bus", ["status"], {**self.environment, "DBUS_SESSION_BUS_ADDRESS": "unix:path=" + "x" * 5000})
        self.plain("odd bus", ["status"], {**self.environment, "DBUS_SESSION_BUS_ADDRESS": ";;=,\udcff%zz"})

    def arguments(self):
        """arguments that are no UTF-8, empty, long, or options of nothing"""
        for words in (
            [""], ["", ""], [b"\xff\xfe"], ["search", b"\xff\xfe\x80"], ["search", ""], ["search", "x" * 120_000], ["music", b"\xd0"],
            ["play", "99999999999999999999"], ["seek", "9" * 400], ["seek", "+" * 1000], ["volume", "1e999"], ["--timeout", "nan", "status"],
            ["--timeout", "-1", "status"], ["--timeout", "1e400", "status"], ["--"], ["-" * 5000], ["--json" + "x" * 5000],
            ["status", "--format", "{" * 10_000], ["status", "--format", "{title" + "|upper" * 5000 + "}"], ["queue", "move", "0", "0"],
            ["sleep", "99999999999999999h"], ["download", *["1_1"] * 20_000], ["\x1b[2J"], ["play", "\u202e" * 1000], ["export", "1_1", ""],
        ):  # fmt: skip
            self.plain("arguments", words)


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--programs", default=os.path.join(os.path.dirname(os.path.dirname(HERE)), ".build/release"))
    words.add_argument("--quick", action="store_true")
    words.add_argument("names", nargs="*")
    words = words.parse_args()
    house, broken = House(words.programs), 0
    try:
        house.start()
        house.sign_in()
        cases = Cases(house, os.path.abspath(words.programs + "/nyanctl"), words.quick)
        for name in ("names", "sizes", "input", "ends", "outputs", "surroundings", "arguments"):
            if words.names and name not in words.names:
                continue
            began, cases.count, cases.faults = time.monotonic(), 0, []
            getattr(cases, name)()
            print(f"{'BROKEN' if cases.faults else 'held'}: {name} ({time.monotonic() - began:.1f} s) {cases.count} runs", flush=True)
            for fault in cases.faults:
                print(f"  {fault}", flush=True)
            broken += len(cases.faults)
        if house.daemon.poll() is not None or house.ctl("status")[0]:
            print("BROKEN: nyand is gone")
            broken += 1
    finally:
        house.close()
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
