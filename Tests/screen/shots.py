#!/usr/bin/python3
"""Pictures of nyanctl for the documentation, taken from a real terminal.

    Tests/screen/shots.py [--programs .build/release] [--out docs/images] [--look]

Starts a private bus, the look-alike's demo account, nyand and a tmux of its own, drives `nyanctl ui`, `nyanctl player` and a
listing by keys, and draws what tmux shows (its text, colours and weights) into PNG files. Needs python3-rich and
python3-pil, the fonts DejaVu Sans Mono and Noto Color Emoji (`scripts/install-deps desktop`).
"""
import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import picture

ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 30  # seconds
COLUMNS, ROWS = 80, 24


def until(what, found):
    """Asks again and again until the answer is true."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        answer = found()
        if answer:
            return answer
        time.sleep(0.05)
    raise SystemExit(f"shots: not within {PATIENCE} s: {what}")


class World:
    """A bus, the look-alike, nyand, and a home; all ended by `end`."""

    def __init__(self, programs):
        self.programs = programs
        self.home = tempfile.mkdtemp(prefix="nyan-shots-")
        self.children = []
        self.env = {
            "HOME": self.home, "PATH": f"{programs}:/usr/bin:/bin", "LANG": "C.UTF-8", "PS1": "$ ", "NYANCTL_HINTS": "off",
            "XDG_CONFIG_HOME": f"{self.home}/config", "XDG_DATA_HOME": f"{self.home}/data",
            "XDG_STATE_HOME": f"{self.home}/state", "XDG_CACHE_HOME": f"{self.home}/cache",
            "TMUX_TMPDIR": self.home, "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent",
        }

    def start(self):
        bus = self.child(["/usr/bin/dbus-daemon", "--session", "--nofork", "--print-address"], subprocess.PIPE)
        self.env["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
        media = ROOT / ".demo" / "media"
        media.mkdir(parents=True, exist_ok=True)
        server = self.child(
            ["/usr/bin/python3", str(ROOT / "Tests/vkserver/vkserver.py"), "--port", "0", "--scenario", "demo",
             "--media", str(media), "--die-with-parent"], subprocess.PIPE)
        self.ready = json.loads(server.stdout.readline())
        config = pathlib.Path(self.env["XDG_CONFIG_HOME"], "nyand")
        config.mkdir(parents=True)
        (config / "nyand.conf").write_text(
            f"[vk]\napi-url={self.ready['api-url']}\nmin-interval-ms=400\n[account]\nstore=file\n"
            f"[audio]\nsink=fakesink sync=true\n[downloads]\ndirectory={self.home}/Music\nparallel=3\n")
        self.child([f"{self.programs}/nyand"])
        until("nyand answers", lambda: self.ctl("status").returncode == 0)
        self.ctl("login", "--token", input=self.ready["token"], check=True)
        self.ctl("sync", check=True)

    def child(self, words, stdout=subprocess.DEVNULL):
        child = subprocess.Popen(words, env=self.env, stdout=stdout, stderr=subprocess.DEVNULL)
        self.children.append(child)
        return child

    def ctl(self, *words, input=None, check=False):
        return subprocess.run(
            [f"{self.programs}/nyanctl", *words], env=self.env, input=input, text=True, capture_output=True, check=check)

    def downloads(self):
        return json.loads(self.ctl("--json", "downloads", check=True).stdout)

    def control(self, **command):
        """A command to the look-alike."""
        subprocess.run(
            ["/usr/bin/curl", "-sS", "-d", json.dumps(command), self.ready["url"] + "/_control"], check=True,
            stdout=subprocess.DEVNULL)

    def end(self):
        for child in reversed(self.children):
            child.terminate()
        for child in self.children:
            child.wait()
        shutil.rmtree(self.home, ignore_errors=True)


class Terminal:
    """A tmux server with one pane."""

    def __init__(self, world, columns, rows):
        self.env = world.env
        self.tmux("new-session", "-d", "-s", "it", "-x", str(columns), "-y", str(rows),
                  "/bin/bash", "--norc", "--noprofile", "-i")
        self.rests()

    def tmux(self, *words):
        return subprocess.run(
            ["/usr/bin/tmux", "-L", "shots", "-f", "/dev/null", *words], env=self.env, text=True, check=True,
            stdout=subprocess.PIPE).stdout

    def press(self, *keys):
        self.tmux("send-keys", "-t", "it", *keys)

    def type(self, text):
        self.tmux("send-keys", "-t", "it", "-l", "--", text)

    def run(self, command):
        self.type(command)
        self.press("Enter")

    def screen(self, *styled):
        return self.tmux("capture-pane", "-p", "-t", "it", *styled)

    def sees(self, text, count=1):
        until(f"the screen shows {text!r}:\n{self.screen()}", lambda: self.screen().count(text) >= count)

    def rests(self):
        """Waits for the shell's prompt: what is typed sooner would be the program's."""
        until(f"the prompt:\n{self.screen()}", lambda: self.screen().rstrip().endswith("$"))

    def settled(self):
        """The screen with its styles, once two looks in a row agree; what moves by the second is caught between."""
        def same():
            first = self.screen("-e", "-N")
            time.sleep(0.15)
            return first if first == self.screen("-e", "-N") else None
        return until("the screen rests", same)

    def end(self):
        self.tmux("kill-server")


def profile(world, terminal):
    """The profile with downloads running; the pace makes them stand at different places."""
    world.control(cmd="set", bandwidth=60000)
    terminal.run("clear; nyanctl ui")
    terminal.sees("14 tracks")
    terminal.press("Down", "Down", "Enter")
    terminal.sees("0:02")
    for _ in range(3):
        terminal.press("Down", "d")
    terminal.press("Down", "Down", "Down", "d")
    until("a download is on its way", lambda: any(
        20 <= row.get("received", 0) * 100 / (row.get("total") or 1e9) <= 90 for row in world.downloads()))
    terminal.press("Up")
    terminal.sees("%", 2)


def search(world, terminal):
    world.control(cmd="set", bandwidth=0)
    until("the downloads are done", lambda: all(row["state"] == "done" for row in world.downloads()))
    terminal.press("3", "/")
    terminal.type("ня")
    terminal.press("Enter")
    terminal.sees("found for")
    terminal.press("Down", "Down", "Down")


def queue(world, terminal):
    terminal.press("i")
    terminal.press("5")
    terminal.sees("[5 Queue]")
    terminal.press("f")


def keys(world, terminal):
    terminal.press("?")
    terminal.sees("up and down")


def player(world, terminal):
    terminal.press("Escape")
    time.sleep(0.3)
    terminal.press("q")
    terminal.rests()
    terminal.run("clear; nyanctl player")
    terminal.sees("space pause")
    terminal.sees("━")


def listing(world, terminal):
    terminal.press("q")
    terminal.rests()
    terminal.run("clear; nyanctl profile; nyanctl status")
    terminal.rests()


# In the order they are taken, each from where the one before ends: what draws it, and the window's title.
SHOTS = {
    "ui-profile": (profile, "nyanctl ui"), "ui-search": (search, "nyanctl ui"), "ui-queue": (queue, "nyanctl ui"),
    "ui-help": (keys, "nyanctl ui"), "player": (player, "nyanctl player"), "listing": (listing, "nyanctl profile"),
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "docs/images")
    parser.add_argument("--look", action="store_true", help="start everything, say how to look, and wait")
    arguments = parser.parse_args()
    # Ended from outside, it takes down what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    world = World(arguments.programs.resolve())
    try:
        world.start()
        terminal = Terminal(world, COLUMNS, ROWS)
        try:
            if arguments.look:
                print(f"TMUX_TMPDIR={world.home} tmux -L shots attach", flush=True)
                while True:
                    time.sleep(1)
            for name, (act, title) in SHOTS.items():
                act(world, terminal)
                screen = terminal.settled()
                # A line or a listing needs no empty window below it.
                rows = ROWS if name.startswith("ui-") else terminal.screen().rstrip().count("\n") + 1
                picture.draw(screen, COLUMNS, rows, arguments.out / f"{name}.png", title)
                print(arguments.out / f"{name}.png")
        finally:
            terminal.end()
    finally:
        world.end()


if __name__ == "__main__":
    main()
