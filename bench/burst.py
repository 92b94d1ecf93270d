"""Commands faster than anybody presses: 200 a second without waiting for answers, nyand beside whole players."""

import time

from figures import memory
from house import wait
from peers import FAILED, tones, why_not
from players import everybody, silent_output
from table import Row

COUNT, RATE = 2000, 200


def burst(house):
    """Whether every command is answered, how soon, and whether the player still does what it is told."""
    found = {}
    with silent_output(house):
        files = tones(house)
        everyone, failed = everybody(house, files[0].parent)
        names = [peer.name for peer in everyone]
        for peer in everyone:
            try:
                found[peer.name] = one(house, peer, files)
            except FAILED as missed:
                failed[peer.name] = why_not(missed)
            finally:
                peer.stop()
    ours = found.get("nyand", {})
    figures = (("commands of 2,000 without an answer".replace("2,000", f"{COUNT:,}"), "", "silent", None, 0),
               ("commands refused", "", "refused", None, None), ("answer, median", "ms", "median", None, None),
               ("answer, p99", "ms", "p99", 1, None), ("memory it grew by, PSS", "MiB", "grown", None, 8),
               ("commands afterwards without effect", "", "wrong", None, 0))
    for what, unit, key, goal, limit in figures:
        for name in [*names[1:], *(name for name in failed if name not in names)]:
            theirs = found.get(name, {})
            yield Row(what, unit, ours.get(key, []), name, theirs.get(key, []), goal=goal, limit=limit,
                      note=failed.get(name, failed.get("nyand", "")))


def one(house, peer, files):
    """The burst and what comes after it."""
    leader = peer.start().pid
    peer.load(files)
    wait(f"{peer.name} plays", lambda: peer.status() == "Playing", 10)
    peer.repeat()
    time.sleep(1)
    before = memory(leader)[1]
    line = house.probe("burst", peer.bus, COUNT, RATE)[0]
    good, refused, silent = (round(value * 1e6) for value in line[:3])
    wrong = afterwards(house, peer)
    return {"silent": [silent], "refused": [refused], "median": line[3:4] if good else [], "p99": line[4:5] if good else [],
            "wrong": [wrong], "grown": [max(0, memory(leader)[1] - before)]}


def afterwards(house, peer):
    """How many of four simple wishes are not fulfilled within three seconds each: pause, play, time goes on, pause."""
    time.sleep(1)
    wrong = 0
    for is_so in (lambda: told(house, peer, "Pause", "Paused"), lambda: told(house, peer, "Play", "Playing"),
                  lambda: moves(peer), lambda: told(house, peer, "Pause", "Paused")):
        try:
            is_so()
        except FAILED:
            wrong += 1
    return wrong


def told(house, peer, member, status):
    """A command and the status that has to follow; from stopped, Pause means nothing, so Play comes first."""
    if peer.status() == "Stopped":
        house.call(peer.bus, "Play")
        wait("it plays", lambda: peer.status() == "Playing", 3)
    house.call(peer.bus, member)
    wait(status, lambda: peer.status() == status, 3)


def moves(peer):
    """The position grows."""
    before = peer.position()
    wait("its time goes on", lambda: peer.position() > before, 3)
