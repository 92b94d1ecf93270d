#!/usr/bin/python3
"""Runs every command of docs/recipes.md against the nyand of this session's bus, and judges what it prints.

The session has nyand with tracks in its queue, and nyanctl in PATH. A block of the document is a recipe when a comment
`<!-- recipe: KIND -->` stands above it; ends with 1 and a sentence per recipe that does not do what the document says."""

import json
import os
import pathlib
import re
import select
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import xml.etree.ElementTree

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs/recipes.md"
BLOCK = re.compile(r"<!-- recipe: ([\w-]+) ?(\S*) -->\n```\w*\n(.*?)```", re.S)


class Wrong(Exception):
    """A recipe that does not do what the document says."""


def lines_of(command, wanted, seconds=20, by_pipe=True, enough=None):
    """Starts a follower, asks for a change, and returns its first lines: at least `wanted`, and until they are `enough`
    where that is asked. Ends it by closing its pipe; where a shell stands between (`by_pipe` false) by a signal."""
    enough = enough or (lambda found: len(found) >= wanted)
    child = subprocess.Popen(["/bin/sh", "-c", command], stdout=subprocess.PIPE, start_new_session=True)
    found, rest, end = [], b"", time.monotonic() + seconds
    poked = False
    while not enough(found) and time.monotonic() < end:
        if select.select([child.stdout], [], [], 0.1)[0]:
            part = os.read(child.stdout.fileno(), 65536)
            if not part:
                break
            *whole, rest = (rest + part).split(b"\n")
            found += [line.decode() for line in whole]
        if found and not poked:
            poked = True
            run("nyanctl next")
    child.stdout.close()
    if not by_pipe:
        os.killpg(child.pid, signal.SIGTERM)
    try:
        child.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        raise Wrong(f"{command}: is still there twenty seconds after its pipe was closed") from None
    if len(found) < wanted:
        raise Wrong(f"{command}: printed {found}, not {wanted} lines")
    return found


def run(command):
    """Runs a command that ends; it must succeed."""
    done = subprocess.run(["/bin/sh", "-c", command], capture_output=True, text=True, timeout=40)
    if done.returncode:
        raise Wrong(f"{command}: ended with {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def pango(text):
    """Markup must be well formed; returns its plain text."""
    try:
        return "".join(xml.etree.ElementTree.fromstring(f"<markup>{text}</markup>").itertext())
    except xml.etree.ElementTree.ParseError as error:
        raise Wrong(f"no Pango markup: {text}: {error}") from None


def bar_json(command):
    """A bar's JSON lines: text and tooltip are markup."""
    for line in lines_of(command, 2):
        try:
            value = json.loads(line)
        except ValueError:
            raise Wrong(f"{command}: no JSON: {line}") from None
        if not pango(value["text"]):
            raise Wrong(f"{command}: an empty text while a track is loaded")
        pango(value.get("tooltip", ""))


def waybar(text, _):
    """The module's JSON, its exec and its clicks."""
    module = json.loads("{" + text + "}")["custom/nyand"]
    bar_json(module["exec"])
    for key, command in module.items():
        if key.startswith("on-"):
            run(command)


def ini(text, _):
    """`exec` or `command` is followed, clicks are run."""
    for line in text.splitlines():
        key, _, value = (part.strip() for part in line.partition("="))
        if key in ("exec", "command"):
            for shown in lines_of(value, 2):
                if not shown.strip():
                    raise Wrong(f"{value}: an empty line while a track is loaded")
                if "i3blocks" in value:
                    pango(shown)
                elif "%{" in shown:
                    raise Wrong(f"{value}: a tag in a title: {shown}")
        elif value.startswith("nyanctl"):
            run(value)


def toml(text, _):
    """A block of i3status-rust."""
    bar_json(tomllib.loads(text)["block"][0]["command"])


def tmux(text, _):
    """What tmux would read in the follower's lines: no sign of its own that is not doubled, so that it shows text."""
    follower = re.search(r"#\((.*)\)", text)[1]
    for line in lines_of(follower, 2):
        if "#" in line.replace("##", ""):
            raise Wrong(f"{follower}: tmux would read {line!r} as more than text")
    run(re.search(r"run-shell '(.*)'", text)[1])


def file(text, name):
    """A script that keeps a file; it must have the track before long, and end with its pipe."""
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "XDG_RUNTIME_DIR": folder}
        child = subprocess.Popen(["/bin/sh", "-c", text], env=environment, start_new_session=True)
        path, end = pathlib.Path(folder) / name, time.monotonic() + 20
        try:
            title = json.loads(run("nyanctl --json status"))["track"]["title"] if name.endswith(".txt") else ""
            while not path.exists() or (title and title not in path.read_text()):
                if time.monotonic() > end:
                    has = repr(path.read_text()) if path.exists() else "nothing"
                    raise Wrong(f"{name} has {has}, not {title!r}")
                time.sleep(0.05)
        finally:
            os.killpg(child.pid, signal.SIGKILL)
            child.wait()


def hook(text, _):
    """One line per new track, written by `logger`, which is an echo here."""
    script = f"logger() {{ echo \"$3\"; }}\nnyanctl play\n{text}"
    for line in lines_of(script, 2, by_pipe=False):
        if not re.fullmatch(r"now playing -?\d+_\d+", line):
            raise Wrong(f"the hook wrote {line!r}")


def sleep(text, _):
    """The quoted commands of swayidle: no sleep and no wake-up starts what is paused."""
    run("nyanctl pause")
    for command in [word for word in shlex.split(text) if word.startswith("nyanctl")]:
        run(command)
        state = json.loads(run("nyanctl --json status"))["state"]
        if state != "paused":
            raise Wrong(f"{command}: what was paused is {state}")


def plain(text, _):
    """Commands that end."""
    for line in text.splitlines():
        run(line)


def keys(text, _):
    """Each key's command; `like` needs no account here, so that it is only looked at."""
    for command in re.findall(r"exec,? (nyanctl .*)", text):
        run("nyanctl help like" if command == "nyanctl like" else command)


def clock(text, _):
    """The position moves though nothing else does. How many lines a change of track takes is the machine's affair."""

    def runs(found):
        return len(found) >= 7 and len(set(found[-3:])) == 3

    run("nyanctl play")
    shown = lines_of(text, 7, enough=runs)
    if not runs(shown) or not all(re.fullmatch(r"\d+:\d\d/\d+:\d\d", line) for line in shown[-3:]):
        raise Wrong(f"the clock stands: {shown}")


def json_stream(text, _):
    """One document per line."""
    for line in lines_of(text, 2):
        if "state" not in json.loads(line):
            raise Wrong(f"no status: {line}")


KINDS = {"waybar": waybar, "json-lines": lambda text, _: bar_json(text), "ini": ini, "toml": toml, "tmux": tmux,
         "file": file, "hook": hook, "sleep": sleep, "plain": plain, "sway": keys, "hyprland": keys,
         "json-stream": json_stream, "clock": clock}


def main():
    """Runs them in the document's order."""
    recipes, wrong = BLOCK.findall(DOCUMENT.read_text()), 0
    for kind, name, text in recipes:
        try:
            KINDS[kind](text, name)
        except (Wrong, KeyError, ValueError, TypeError, OSError, subprocess.TimeoutExpired) as error:
            wrong += 1
            print(f"recipe {kind} {name}: {error!r}")
    print(f"{len(recipes)} recipes, {wrong} wrong")
    # A document that lost its marks would prove nothing.
    return 1 if wrong or len(recipes) < 15 else 0


if __name__ == "__main__":
    sys.exit(main())
