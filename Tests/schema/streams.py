#!/usr/bin/python3
"""What nyanctl does with an output that is closed, full or not there. Usage: streams.py NYANCTL, in a house that is
signed in. Prints what is wrong, a line each; exit 0 = nothing, 1 = something.

The reader of a pipe is gone: 141, or 0 where there was nothing to write; nothing on standard error. Standard output
closed: as into /dev/null. A full disk (/dev/full): 1 and one line, with --json an error document. Standard error closed:
the status stays. For commands that follow: they end when their reader goes.
"""

import json
import os
import subprocess
import sys

LINES = [
    "status", "profile", "music", "search x", "queue", "playlists", "friends", "groups", "whoami", "recommendations",
    "lyrics 123456_456239999", "volume", "shuffle", "repeat", "sleep", "doctor", "help", "help play", "--version",
    "status --format {state}",
]
# With --json too, one of each kind.
AS_JSON = {"status", "profile", "help", "doctor"}
FOLLOWING = ["status --follow", "downloads --follow", "lyrics --follow"]


def run(words, **streams):
    close = streams.pop("close", None)

    def before():
        # What closes a descriptor is to close the program's, not ours.
        if close is not None:
            os.close(close)

    return subprocess.run(
        words, stdin=subprocess.DEVNULL, timeout=20, preexec_fn=before if close is not None else None, **streams)


def gone():
    """A pipe nobody reads any more."""
    reading, writing = os.pipe()
    os.close(reading)
    return writing


def look(nyanctl, line, as_json):
    words = [nyanctl] + (["--json"] if as_json else []) + line.split()
    if line.startswith("status --format") and as_json:
        return
    name = " ".join(words[1:])
    usual = run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    prints = bool(usual.stdout)
    pipe = gone()
    broken = run(words, stdout=pipe, stderr=subprocess.PIPE)
    os.close(pipe)
    if broken.returncode not in ((-13, 141) if prints else (usual.returncode,)):
        yield f"{name} | nobody: {broken.returncode}"
    # What is no data may have been said before.
    if broken.stderr and prints and broken.stderr not in usual.stderr:
        yield f"{name} | nobody: said {broken.stderr}"
    closed = run(words, stdout=None, stderr=subprocess.PIPE, close=1)
    if closed.returncode != usual.returncode:
        yield f"{name} >&-: {closed.returncode}: {closed.stderr}"
    silent = run(words, stdout=subprocess.PIPE, stderr=None, close=2)
    if silent.returncode != usual.returncode or bool(silent.stdout) != prints:
        yield f"{name} 2>&-: {silent.returncode}: {len(silent.stdout)} bytes"
    with open("/dev/full", "wb") as full:
        failed = run(words, stdout=full, stderr=subprocess.PIPE)
    if not prints:
        return
    if failed.returncode != 1:
        yield f"{name} >/dev/full: {failed.returncode}"
    said = failed.stderr.decode().splitlines()
    if not said or "cannot be written" not in said[-1]:
        yield f"{name} >/dev/full: said {said}"
    elif as_json:
        document = json.loads(said[-1])
        if document["code"] != "disk-full":
            yield f"{name} >/dev/full: {document}"


def follow(nyanctl, line):
    """Ends when its reader goes, although nothing changes."""
    reading, writing = os.pipe()
    program = subprocess.Popen(
        [nyanctl, "--json"] + line.split(), stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.PIPE)
    os.close(writing)
    if not line.startswith("lyrics"):
        os.read(reading, 1)
    os.close(reading)
    try:
        _, said = program.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        program.kill()
        yield f"{line} goes on without its reader"
        return
    if program.returncode not in (-13, 141) or said:
        yield f"{line} | nobody: {program.returncode}: {said}"


def main():
    nyanctl = sys.argv[1]
    wrong = [text for line in LINES for as_json in (False, True) if not as_json or line in AS_JSON
             for text in look(nyanctl, line, as_json)]
    wrong += [text for line in FOLLOWING for text in follow(nyanctl, line)]
    for text in wrong:
        print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
