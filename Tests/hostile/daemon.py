"""A program that has nyand's name and means no good: nyanctl must end by itself, with a documented status, and print
nothing that moves a terminal.

    daemon.py [--programs DIR] [--quick]

Every command meets every way of answering. Exit status 1 where a promise was broken."""

import argparse
import fcntl
import os
import pty
import select
import struct
import subprocess
import sys
import termios
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE]
from wire import CALL, Gone, Peer, types  # noqa: E402

NAMES = ("org.nyantunes.Nyand", "org.mpris.MediaPlayer2.nyand")
EVIL = "\x1b]0;own\x07\x1b[2J\x9b31m\u202e\u2066\x7f\r\n\t\x08‮%s\U000e0001" * 3
COMMANDS = [
    ["status"], ["--json", "status"], ["status", "--format", "{title} {artist}"], ["profile"], ["music"], ["queue"],
    ["--json", "queue"], ["search", "x"], ["downloads"], ["--json", "downloads"], ["playlists"], ["playlist", "1_1"],
    ["friends"], ["groups"], ["lyrics", "1_1"], ["history"], ["doctor"], ["whoami"], ["sync"], ["play"], ["pause"],
    ["volume", "50"], ["seek", "10"], ["download", "1_1"], ["add", "1_1"], ["remove", "1_1"], ["keep"], ["offline", "on"],
    ["sleep", "track"], ["recommendations"], ["scrobble"], ["login", "--token"], ["reload"], ["import", "/tmp"],
]  # fmt: skip
QUICK = [0, 1, 8, 14, 17]


def value(kind, how):
    """A value of a type: empty, evil or long."""
    letter = kind[0]
    if letter == "a":
        if kind[1] == "y":
            return os.urandom(400) if how == "evil" else b""
        count = {"empty": 0, "evil": 3, "long": 20_000}[how]
        if kind[1] == "{":
            return {f"{EVIL}{n}": value(kind[3:-1], how) for n in range(min(count, 50))} if kind[2] == "s" else {}
        return [value(kind[1:], how) for _ in range(count if len(kind) > 2 or kind[1] in "sx" else 1)]
    if letter == "(":
        return [value(one, how) for one in types(kind[1:-1])]
    if letter == "v":
        return ("s", EVIL)
    if letter in "sg" and how == "long":
        return "ab " * 30 if letter == "s" else ""
    return {"s": EVIL if how == "evil" else "", "o": "/", "g": "", "d": float("nan"), "b": 1, "h": 0}.get(
        letter, {"x": -(2**63), "i": -(2**31), "n": -1}.get(letter, 0) if how == "evil" else 0
    )


class Daemon(threading.Thread):
    """Answers calls to nyand's names in one of the ways."""

    WAYS = ("never", "empty", "wrong", "evil", "nothing", "many", "error", "odd-error", "long", "twice", "gone", "other")

    def __init__(self, address, outputs):
        super().__init__(daemon=True)
        self.peer = Peer(address, 3600)
        for name in NAMES:
            self.peer.driver("RequestName", "su", [name, 4])
        self.way, self.outputs = "never", outputs

    def run(self):
        while True:
            try:
                message = self.peer.next()
                if message.kind == CALL and message.sender:
                    self.answer(message.sender, message.serial, message.interface or "", message.member)
            except Gone:
                return
            except Exception as error:  # a way that cannot be said in this type
                print(f"daemon.py: {type(error).__name__}: {error}", file=sys.stderr)

    def answer(self, caller, serial, interface, member):
        reply, way = self.peer.reply, self.way
        kind = self.outputs.get((interface, member), "")
        if way == "empty" or way == "twice":
            for _ in range(2 if way == "twice" else 1):
                reply(caller, serial, kind, [value(one, "empty") for one in types(kind)])
        elif way in ("evil", "long"):
            reply(caller, serial, kind, [value(one, way) for one in types(kind)])
        elif way == "wrong":
            reply(caller, serial, "a{sv}" if kind != "a{sv}" else "as", [{EVIL: ("s", EVIL)} if kind != "a{sv}" else [EVIL]])
        elif way == "nothing":
            reply(caller, serial)
        elif way == "many":
            reply(caller, serial, "s" * 200, ["x" * 1000] * 200)
        elif way == "error":
            reply(caller, serial, "s", [EVIL * 200], error="org.nyantunes.Nyand1.Error.NotSignedIn")
        elif way == "odd-error":
            reply(caller, serial, "av", [[("s", EVIL)]], error="a" * 100 + ".b")
        elif way == "other":
            reply(caller, serial, "s", [EVIL], error="org.freedesktop.DBus.Error.UnknownMethod")
        elif way == "gone":
            for name in NAMES:
                self.peer.send("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "ReleaseName", "s", [name], flags=1)
                self.peer.send("org.freedesktop.DBus", "/", "org.freedesktop.DBus", "RequestName", "su", [name, 4], flags=1)


def outputs():
    """What each method answers, as the real nyand declares it."""
    import xml.etree.ElementTree as xml

    found = {}
    for interface in xml.fromstring(DECLARED["xml"]):
        for method in interface.iter("method"):
            kinds = [one.get("type") for one in method if one.get("direction") == "out"]
            found[interface.get("name"), method.get("name")] = "".join(kinds)
    found["org.freedesktop.DBus.Properties", "Get"] = "v"
    found["org.freedesktop.DBus.Properties", "GetAll"] = "a{sv}"
    return found


DECLARED = {}


def controls(text, whole):
    """Scalars that move a terminal, or turn a line; a line's end and a tab are fine in what is no terminal."""
    for scalar in text:
        code = ord(scalar)
        if code < 0x20 and scalar not in "\n" or 0x7F <= code < 0xA0 or 0x202A <= code <= 0x202E or 0x2066 <= code <= 0x2069:
            if not (scalar == "\t" and whole):
                return repr(scalar)
    return ""


def on_terminal(words, environment, limit):
    """Status and output of a program on a terminal of its own; its own colours are taken out by `NO_COLOR`."""
    child, leader = pty.fork()
    if child == 0:
        os.execve(words[0], words, environment)
    fcntl.ioctl(leader, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    data, end = b"", time.monotonic() + limit
    while time.monotonic() < end:
        if select.select([leader], [], [], 0.05)[0]:
            try:
                part = os.read(leader, 1 << 16)
            except OSError:
                break
            if not part:
                break
            data = (data + part)[-2_000_000:]
    ended, status = os.waitpid(child, os.WNOHANG)
    until = time.monotonic() + 5
    while not ended and time.monotonic() < until:
        time.sleep(0.02)
        ended, status = os.waitpid(child, os.WNOHANG)
    if not ended:
        os.kill(child, 9)
        os.waitpid(child, 0)
    os.close(leader)
    return os.waitstatus_to_exitcode(status) if ended else None, data.decode("utf-8", "replace")


def check(nyanctl, command, way, environment, terminal):
    words = [nyanctl, "--timeout", "1", *command]
    if terminal:
        status, output = on_terminal(words, environment, 15)
        # Its own: a line drawn over.
        bad = controls(output.replace("\r\n", "\n").replace("\r\x1b[K", ""), False)
        errors = ""
    else:
        try:
            done = subprocess.run(words, env=environment, capture_output=True, timeout=20, input=b"secret-token\n")
        except subprocess.TimeoutExpired:
            return "it does not end"
        status, output = done.returncode, done.stdout.decode("utf-8", "replace")
        errors = done.stderr.decode("utf-8", "replace")
        bad = ""
    if status is None:
        return "it does not end"
    if status not in range(8):
        return f"it ended with {status}: {errors[-300:]}"
    if bad:
        return f"it printed {bad}: {(errors or output)[:200]!r}"
    if "secret-token" in output + errors:
        return "it printed the secret"
    return ""


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--programs", default=os.path.join(os.path.dirname(os.path.dirname(HERE)), ".build/release"))
    words.add_argument("--quick", action="store_true")
    words = words.parse_args()
    sys.path.insert(0, os.path.join(os.path.dirname(HERE), "soak"))
    from house import House

    house = House(words.programs)
    broken, count = 0, 0
    try:
        house.start()
        with Peer(house.address) as peer:
            introspect = ("org.freedesktop.DBus.Introspectable", "Introspect")
            DECLARED["xml"] = peer.ask(NAMES[0], "/org/nyantunes/Nyand", *introspect).values()[0]
        house.daemon.terminate()
        house.daemon.wait()
        daemon = Daemon(house.address, outputs())
        daemon.start()
        environment = {**house.environment, "TERM": "xterm-256color", "NO_COLOR": "1"}
        nyanctl = os.path.abspath(words.programs + "/nyanctl")
        commands = [COMMANDS[place] for place in QUICK] if words.quick else COMMANDS
        for way in Daemon.WAYS:
            daemon.way = way
            for command in [["status"], ["profile"]] if way == "never" and words.quick else commands:
                for terminal in (False, True) if way in ("evil", "error") or not words.quick else (False,):
                    if terminal and command[0] == "login":
                        continue
                    fault = check(nyanctl, command, way, environment, terminal)
                    count += 1
                    if fault:
                        broken += 1
                        print(f"BROKEN: {way}: {' '.join(command)}{' (terminal)' if terminal else ''}: {fault}", flush=True)
    finally:
        house.close()
    print(f"{'BROKEN' if broken else 'held'}: {count} commands met a hostile daemon, {broken} broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
