#!/usr/bin/python3
"""Drives and reads KDE Plasma's media controller for kde-shot.sh (AT-SPI to read, xdotool to press)."""
import argparse
import os
import subprocess
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib

import session
from session import PATH, PLAYER, artists, beside, call, cover_file, each_notice, each_track, scene_step, until

parser = argparse.ArgumentParser()
parser.add_argument("--stage")
parser.add_argument("--scene", default="shown")
parser.add_argument("--out")
parser.add_argument("--work", required=True)
parser.add_argument("--name")
parser.add_argument("--need-art", action="store_true")
parser.add_argument("--no-keys", action="store_true")
parser.add_argument("--last", action="store_true")
a = parser.parse_args()

tally = session.Tally(a.work)
check = tally.check

if a.stage == "sum":
    sys.exit(tally.total())


def accessible():
    """Before any Qt program starts: they look once."""
    wanted = GLib.Variant("(ssv)", ("org.a11y.Status", "IsEnabled", GLib.Variant("b", True)))
    call("org.a11y.Bus", "/org/a11y/bus", session.PROPERTIES, "Set", wanted)
    return call("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")[0]


if a.stage == "a11y":
    sys.exit(0 if until(accessible, 60) else 2)

player = session.Player(a.name)

if a.stage == "player":
    check(player.name, "the player owns an org.mpris.MediaPlayer2.* name", player.name)
    if not player.name:
        sys.exit(1)
    if a.scene in ("empty", "late", "notices"):
        ready = os.path.join(os.environ["XDG_RUNTIME_DIR"], "nyand-desktop.json.set")
        check(until(lambda: os.path.exists(ready), 120), "the scene is set")
    else:
        player.plays()
        if a.need_art:
            until(lambda: cover_file(player.metadata))
    print("player:", player)
    sys.exit(0)

Atspi.init()
APP = {"applet": "plasmawindowed", "lock": "kscreenlocker_greet"}.get(a.stage, "plasmashell")


def walk(app_name=None):
    """Every accessible now shown: list of (role, name, (x, y, w, h))."""
    out = []

    def visit(node, depth):
        if node is None or depth > 40:
            return
        try:
            node.clear_cache()
            role = node.get_role_name()
            if role != "application" and not node.get_state_set().contains(Atspi.StateType.SHOWING):
                return
            box = node.get_extents(Atspi.CoordType.SCREEN)
            # Words of several lines are a text, not a name.
            name = node.get_name() or (Atspi.Text.get_text(node, 0, -1).strip() if role == "text" else "")
            out.append((role, name, (box.x, box.y, box.width, box.height)))
            for number in range(node.get_child_count()):
                visit(node.get_child_at_index(number), depth + 1)
        except GLib.Error:
            pass

    desktop = Atspi.get_desktop(0)
    desktop.clear_cache()
    for number in range(desktop.get_child_count()):
        child = desktop.get_child_at_index(number)
        try:
            if child is not None and (app_name is None or (child.get_name() or "").startswith(app_name)):
                visit(child, 0)
        except GLib.Error:
            pass
    return out


def labels():
    return [name for _, name, box in walk(APP) if name and box[2] > 0]


def find(role, *names):
    """Name and place of the first that is shown."""
    for r, name, box in walk(APP):
        if role in (None, r) and (not names or name in names) and box[2] > 0:
            return name, box
    return None


def xdo(*words):
    subprocess.run(["xdotool", *map(str, words)], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def click(box, across=0.5):
    xdo("mousemove", int(box[0] + box[2] * across), int(box[1] + box[3] / 2))
    time.sleep(0.15)
    xdo("click", 1)
    time.sleep(0.25)
    xdo("mousemove", 5, 5)


def photograph(path, where=""):
    if os.path.exists(path):
        os.unlink(path)
    subprocess.run(["import", "-window", "root", path], check=False)
    check(os.path.exists(path), where + "screenshot", os.path.basename(path))


def covered(path, where="", tolerance=20):
    """The picture has the player's cover, if there is one."""
    picture = cover_file(player.metadata)
    if picture:
        tally.picture_later(where + "the cover's pixels are in the picture", path, picture, tolerance)
    elif a.need_art:
        check(False, where + "there is a cover", player.metadata.get("mpris:artUrl"))


def seconds(text):
    """`-1:12` → 72."""
    total = 0
    for part in text.lstrip("-").split(":"):
        if not part.isdigit():
            return None
        total = total * 60 + int(part)
    return total


def clock():
    """Elapsed time and time left, as they are written."""
    return [n for r, n, _ in walk(APP) if r == "label" and ":" in n and seconds(n) is not None]


def clock_agrees(what):
    """The elapsed time is the player's, within what passes while it is read, and what two clocks may round."""
    def same():
        before, shown, after = player.seconds, clock(), player.seconds
        return shown and before - 1.6 <= seconds(shown[0]) <= after + 1.6
    good = until(same, 8)
    return check(good, what, f"{clock()[:1]} / {player.seconds:.1f} s")


def texts(where=""):
    good = until(lambda: player.title in (shown := labels()) and artists(player.metadata) in shown, 40)
    metadata, shown = player.metadata, labels()
    check(metadata["xesam:title"] in shown, where + "the title is shown", metadata["xesam:title"][:100])
    check(artists(metadata) in shown, where + "the artist is shown", artists(metadata))
    if not good:
        print("labels seen:", shown)
    return good


def window():
    """The applet in a window of its own."""
    if not until(lambda: find("frame"), 90):
        print("no applet window")
        sys.exit(2)
    time.sleep(0.7)
    subprocess.run(["wmctrl", "-r", "Media Player", "-e", "0,340,170,600,430"], check=False)
    time.sleep(0.8)


def shown():
    texts()
    metadata = player.metadata
    check(metadata["xesam:album"] in labels(), "the album is shown", metadata["xesam:album"])
    clock_agrees("elapsed time follows Position")
    times, length = clock(), metadata["mpris:length"] / 1e6
    together = len(times) >= 2 and seconds(times[0]) + seconds(times[1])
    check(together and abs(together - length) <= 1.5, "the time left belongs to mpris:length", f"{times} / {length}")
    check(find("slider"), "there is a position slider")
    name = "Pause" if player.status == "Playing" else "Play"
    check(find("push button", name), "the play/pause button follows PlaybackStatus", player.status)
    photograph(a.out)
    covered(a.out, tolerance=14)
    before = clock()
    check(until(lambda: clock()[:1] not in ([], before[:1])), "the elapsed time moves", f"{before[:1]} -> {clock()[:1]}")
    if not a.no_keys:
        buttons()
        modes()
        keys()


def press():
    """A click on the play/pause button; what it was called."""
    button = until(lambda: find("push button", "Pause", "Play"))
    click(button[1])
    return button[0]


def buttons():
    before, want = player.status, player.opposite
    name = press()
    check(until(lambda: player.status == want), f"a click on {name}: {before} -> {want}", player.status)
    check(until(lambda: find("push button", "Play" if want == "Paused" else "Pause")), "the button follows")
    press()
    check(until(lambda: player.status == before), "a second click: back to " + before, player.status)
    length = player.metadata["mpris:length"] / 1e6
    click(find("slider")[1])
    near = until(lambda: length * 0.42 - 2 < player.seconds < length * 0.58 + 8)
    check(near, "a click in the middle of the slider seeks there", f"{player.seconds:.1f} of {length:.1f} s")
    track = player.track
    click(find("push button", "Next Track")[1])
    check(player.has_moved_on(track), "a click on Next Track", player.title)
    check(until(lambda: player.title in labels()), "the applet's title follows", player.title)
    clock_agrees("after the track change the elapsed time starts over")
    photograph(beside(a.out, "next"))
    # The same while paused: the applet does not read Position again by itself then.
    player.do("Seek", GLib.Variant("(x)", (30000000,)))
    time.sleep(0.5)
    player.do("Pause")
    until(lambda: player.status == "Paused")
    time.sleep(0.8)
    track = player.track
    player.do("Next")
    player.has_moved_on(track)
    clock_agrees("Next by another client while paused: the elapsed time starts over")
    player.do("Previous")
    time.sleep(0.5)
    player.do("Play")
    until(lambda: player.status == "Playing")


def modes():
    for word, name in (("Shuffle", "Shuffle"), ("Repeat", "LoopStatus")):
        before = player.maybe(name)
        button = until(lambda: [x for x in walk(APP) if x[0] == "push button" and x[1].startswith(word) and x[2][2] > 0])
        if check(button and before is not None, f"a {word} button is shown"):
            click(button[0][2])
            changed = until(lambda: player.maybe(name) != before)
            check(changed, f"a click on {word} changes {name}", f"{before} -> {player.maybe(name)}")
    # Back, so that what follows meets a plain queue.
    player.set("Shuffle", GLib.Variant("b", False))
    player.set("LoopStatus", GLib.Variant("s", "None"))


def keys():
    before, want = player.status, player.opposite
    xdo("key", "XF86AudioPlay")
    check(until(lambda: player.status == want), f"XF86AudioPlay: {before} -> {want}", player.status)
    # Plasma chooses Play or Pause by the status it knows.
    until(lambda: find("push button", "Play" if want == "Paused" else "Pause"))
    xdo("key", "XF86AudioPlay")
    check(until(lambda: player.status == before), "XF86AudioPlay again: -> " + before, player.status)
    track = player.track
    xdo("key", "XF86AudioNext")
    check(player.has_moved_on(track), "XF86AudioNext changes the track", player.title)
    track = player.track
    xdo("key", "XF86AudioPrev")
    check(player.has_moved_on(track), "XF86AudioPrev goes back", player.title)
    if a.last:
        xdo("key", "XF86AudioStop")
        check(until(lambda: player.status == "Stopped"), "XF86AudioStop stops", player.status)


def titles():
    """The queue is walked through; another client presses Next each time."""
    for number, where in each_track(player, check):
        texts(where)
        time.sleep(1)
        path = a.out if number == 1 else beside(a.out, str(number))
        photograph(path, where)
        if cover_file(player.metadata):
            covered(path, where)
            last = cover_file(player.metadata)
        else:
            gone = where + "without a cover: the one before is gone"
            tally.picture_later(gone, path, last, shown=False, sizes=(180, 300))


def nothing():
    check(until(lambda: find(None, "No media playing")), "nothing in the queue: the applet says so", labels())
    check(not find("slider"), "and has no slider")


def empty():
    nothing()
    photograph(a.out)
    scene_step("empty", "then")
    until(lambda: cover_file(player.metadata))
    texts("the queue is filled: ")
    check(until(lambda: find("slider")), "there is a slider")
    check(until(lambda: find("push button", "Pause")), "it offers to pause")
    time.sleep(1)
    photograph(beside(a.out, "filled"))
    covered(beside(a.out, "filled"))


def late():
    nothing()
    scene_step("late", "then")
    texts("a track of unknown length without its cover: ")
    metadata = player.metadata
    check("mpris:length" not in metadata, "the length is not known yet", metadata.get("mpris:length"))
    check(not find("slider"), "there is no slider")
    time.sleep(1)
    photograph(a.out)
    check(until(lambda: cover_file(player.metadata), 60), "the cover comes")
    time.sleep(1)
    photograph(beside(a.out, "cover"))
    covered(beside(a.out, "cover"))
    length = until(lambda: player.metadata.get("mpris:length"), 120)
    check(length, "the length comes", length)
    check(player.metadata["mpris:trackid"] == metadata["mpris:trackid"], "and it is the same track still")
    check(until(lambda: find("slider")), "now there is a slider")
    clock_agrees("and the elapsed time is right")
    photograph(beside(a.out, "length"))


def lock():
    until(lambda: find("frame"), 60)
    subprocess.run(["wmctrl", "-r", "kscreenlocker_greet", "-b", "add,fullscreen"], check=False)

    def awake():
        # The locker fades its controls out when nobody moves.
        xdo("mousemove", 600, 300)
        xdo("mousemove", 640, 320)
        return find(None, player.title)
    until(awake, 60)
    texts("lock screen: ")
    xdo("mousemove", 680, 210)
    time.sleep(0.8)
    photograph(a.out, "lock screen: ")
    covered(a.out, "lock screen: ")

    def button():
        xdo("mousemove", 700, 200)
        xdo("mousemove", 640, 230)
        return find("push button", "Pause", "Play") or find("push button", "Play or Pause media")
    found = until(button)
    check(found, "lock screen: a play/pause button", found and found[0])
    if found and not a.no_keys:
        before, want = player.status, player.opposite
        click(found[1])
        check(until(lambda: player.status == want), f"lock screen: a click: {before} -> {want}", player.status)
        xdo("key", "XF86AudioPlay")


def shell():
    icon = until(lambda: find("push button", "Media Player"), 120)
    if not check(icon, "plasmashell: the controller's icon is in the tray"):
        print("seen:", walk(APP)[:60])
        return photograph(a.out)
    time.sleep(2)
    click(find("push button", "Media Player")[1])
    if not until(lambda: player.title in labels(), 15):
        click(find("push button", "Media Player")[1])
    texts("plasmashell: ")
    time.sleep(1)
    photograph(a.out, "plasmashell: ")
    covered(a.out, "plasmashell: ")


def popup(title, body, path, where, picture=None):
    """Waits until the one notice of its kind says so, and takes a picture."""
    seen = []

    def said():
        nodes = walk(APP)
        names = [name for role, name, _ in nodes if role == "notification"]
        if names:
            seen[:] = nodes
        alike = [n for n in names if n.startswith("Downloads") == title.startswith("Downloads")]
        return alike == [title] and body in [name for _, name, _ in nodes]
    good = until(said, 30)
    check(good, f"{where}: one notice says so, letter for letter", title[:60] + " | " + body)
    if not good:
        print("seen:", [x for x in seen if x[0] not in ("push button", "panel")])
    time.sleep(0.5)
    photograph(path, where + ": ")
    if picture:
        tally.picture_later(where + ": the cover's pixels are in the picture", path, picture)


def notices():
    check(until(lambda: find("push button", "Media Player"), 120), "plasmashell is there")
    player.plays()
    for title, body, picture, word in each_notice(player):
        popup(title, body, a.out if word == "downloads" else beside(a.out, word.removeprefix("track ")), word, picture)


if a.stage == "applet":
    window()
    {"shown": shown, "titles": titles, "late": late, "empty": empty}[a.scene]()
else:
    {"lock": lock, "shell": shell, "notices": notices}[a.stage]()
tally.look()
