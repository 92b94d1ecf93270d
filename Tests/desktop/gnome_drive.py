#!/usr/bin/python3
"""Drives a running GNOME Shell (started with --unsafe-mode) over D-Bus for gnome-shot.sh."""
import argparse
import json
import os
import sys
import time

from gi.repository import GLib

import session
from session import artists, beside, call, cover_file, each_notice, each_track, scene_step, until

parser = argparse.ArgumentParser()
parser.add_argument("--wait-shell", action="store_true")
parser.add_argument("--out")
parser.add_argument("--work", required=True)
parser.add_argument("--scene", default="shown")
parser.add_argument("--name")
parser.add_argument("--require-app", action="store_true")
parser.add_argument("--need-art", action="store_true")
parser.add_argument("--no-keys", action="store_true")
parser.add_argument("--lock", action="store_true")
a = parser.parse_args()

tally = session.Tally(a.work)
check = tally.check
PLAYING, PAUSED = "media-playback-pause-symbolic", "media-playback-start-symbolic"


def js(code):
    """Runs a piece of JavaScript inside the Shell."""
    good, out = call("org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell", "Eval", GLib.Variant("(s)", (code,)))
    if not good:
        raise RuntimeError("Eval: " + out)
    return json.loads(out) if out else None


if a.wait_shell:
    sys.exit(0 if until(lambda: js("Main.layoutManager._startingUp === false"), 120) else 2)

player = session.Player(a.name)
if not check(player.name, "the player owns an org.mpris.MediaPlayer2.* name", player.name):
    sys.exit(tally.total())

WIDGET = """(() => {
  const s = Main.panel.statusArea.dateMenu._messageList._mediaSection;
  const ms = s._messages.map(m => {
    const [x, y] = m.get_transformed_position(), [w, h] = m.get_transformed_size();
    const at = b => { const [bx, by] = b.get_transformed_position(), [bw, bh] = b.get_transformed_size();
                      return [bx + bw / 2, by + bh / 2]; };
    const btn = b => ({at: at(b), reactive: b.reactive, icon: b.child.icon_name});
    return {bus: m._player._busName, title: m.titleLabel.text,
      body: m.bodyLabel.text !== undefined ? m.bodyLabel.text : m._bodyText,
      mapped: m.mapped, box: [x, y, w, h],
      art: m._icon.gicon && m._icon.gicon.file ? m._icon.gicon.file.get_uri() : null,
      artShown: !m._icon.has_style_class_name('fallback'),
      icon: m._icon.icon_name,
      prev: btn(m._prevButton), play: btn(m._playPauseButton), next: btn(m._nextButton),
      app: (() => { const d = m._player._mprisProxy.DesktopEntry;
        const app = d ? imports.gi.Shell.AppSystem.get_default().lookup_app(d + '.desktop') : null;
        return {desktopEntry: d, app: app ? app.get_name() : null}; })()};
  });
  return ms.filter(m => m.bus === '%s')[0] || null;
})()""" % player.name


def widget():
    return js(WIDGET)


def shot(path):
    if os.path.exists(path):
        os.unlink(path)
    good, _ = call("org.gnome.Shell.Screenshot", "/org/gnome/Shell/Screenshot", "org.gnome.Shell.Screenshot",
                   "Screenshot", GLib.Variant("(bbs)", (True, False, path)), 30000)
    return good and os.path.exists(path)


def photograph(path):
    """A picture after everything has faded in."""
    time.sleep(0.7)
    return check(shot(path), "screenshot", os.path.basename(path))


def open_menu():
    js("Main.overview.hide(); 0")
    until(lambda: js("!Main.overview.visible"))
    # The Shell's own word about who is logged in is no part of the picture.
    js("Main.messageTray.getSources().forEach(s => s.destroy()); 0")
    js("Main.panel.statusArea.dateMenu.menu.open(0); 0")
    check(until(lambda: js("Main.panel.statusArea.dateMenu.menu.isOpen")), "the date menu opens")


def shown_widget():
    """The player's widget once it is on the screen with its buttons in place."""
    def laid_out():
        w = widget()
        # Not laid out yet: no numbers, or none that matter.
        box, at = (w or {}).get("box", [None]), (w or {}).get("play", {"at": [None]})["at"]
        return w if w and w["mapped"] and None not in box + at and box[2] > 100 and box[3] > 20 else None
    return until(laid_out)


def agrees(w, where=""):
    """Does the widget say what Metadata say? Waits for what is on its way."""
    def same():
        w, metadata = widget(), player.metadata
        return w and w["title"] == metadata.get("xesam:title") and w["body"] == artists(metadata) and (
            w["art"] == metadata.get("mpris:artUrl")) and w["artShown"] == ("mpris:artUrl" in metadata)
    until(same)
    w, metadata = widget(), player.metadata
    check(w["title"] == metadata.get("xesam:title"), where + "the title is the player's", w["title"][:100])
    check(w["body"] == artists(metadata), where + "the line below names the artists", w["body"])
    art = metadata.get("mpris:artUrl")
    what = "the cover is the player's" if art else "without a cover the icon for music"
    check(w["art"] == art and w["artShown"] == bool(art), where + what, w["art"] and os.path.basename(w["art"]))
    return metadata


def cover_pictured(path, metadata, where=""):
    tally.picture_later(where + "the cover's pixels are in the picture", path, cover_file(metadata))


def shown():
    player.plays()
    if a.need_art:
        until(lambda: cover_file(player.metadata))
    print("player:", player)
    open_menu()
    w = shown_widget()
    if not check(w, "the media section has a message for the player", w and [round(v) for v in w["box"]]):
        return shot(a.out)
    metadata = agrees(w)
    w = widget()
    check(w["play"]["icon"] == (PLAYING if player.status == "Playing" else PAUSED), "the icon follows PlaybackStatus",
          f"{player.status} {w['play']['icon']}")
    check(w["next"]["reactive"] == bool(player.get("CanGoNext")), "the next button follows CanGoNext")
    check(w["prev"]["reactive"] == bool(player.get("CanGoPrevious")), "the previous button follows CanGoPrevious")
    if a.require_app:
        check(w["app"]["app"], "DesktopEntry names an installed application", w["app"])
    photograph(a.out)
    if a.need_art:
        cover_pictured(a.out, metadata)
    if not a.no_keys:
        buttons_and_keys(w)


def titles():
    """The queue is walked through; another client presses Next each time."""
    player.plays()
    open_menu()
    shown_widget()
    for number, where in each_track(player, check):
        metadata = agrees(widget(), where)
        path = a.out if number == 1 else beside(a.out, str(number))
        photograph(path)
        if cover_file(metadata):
            cover_pictured(path, metadata, where)


def set_scene():
    """Until scripts/desktop-player has signed in and filled the queue as far as the scene wants it."""
    check(until(lambda: os.path.exists(os.path.join(os.environ["XDG_RUNTIME_DIR"], "nyand-desktop.json.set")), 120),
          "the scene is set")


def no_widget():
    open_menu()
    w = widget()
    check(not w or not w["mapped"], "nothing in the queue: no widget", w and w["title"])


def empty():
    set_scene()
    no_widget()
    photograph(a.out)
    scene_step("empty", "then")
    check(shown_widget(), "the queue is filled: the widget is there")
    until(lambda: cover_file(player.metadata))
    metadata = agrees(widget())
    check(until(lambda: widget()["play"]["icon"] == PLAYING), "it offers to pause")
    photograph(beside(a.out, "filled"))
    cover_pictured(beside(a.out, "filled"), metadata)


def late():
    set_scene()
    no_widget()
    scene_step("late", "then")
    check(shown_widget(), "a track of unknown length without its cover: the widget is there")
    agrees(widget())
    metadata = player.metadata
    check("mpris:artUrl" not in metadata, "the cover is not there yet")
    check("mpris:length" not in metadata, "the length is not known yet", metadata.get("mpris:length"))
    photograph(a.out)
    check(until(lambda: cover_file(player.metadata), 60), "the cover comes")
    check(player.metadata["mpris:trackid"] == metadata["mpris:trackid"], "and it is the same track still")
    metadata = agrees(widget())
    photograph(beside(a.out, "cover"))
    cover_pictured(beside(a.out, "cover"), metadata)


def buttons_and_keys(w):
    js("""(() => { const C = imports.gi.Clutter; const seat = C.get_default_backend().get_default_seat();
      global._nyanKbd = seat.create_virtual_device(C.InputDeviceType.KEYBOARD_DEVICE);
      global._nyanPtr = seat.create_virtual_device(C.InputDeviceType.POINTER_DEVICE); return 0; })()""")

    def click(x, y):
        js("global._nyanPtr.notify_absolute_motion(imports.gi.GLib.get_monotonic_time(), %f, %f); 0" % (x, y))
        time.sleep(0.15)
        for state in (1, 0):
            js("global._nyanPtr.notify_button(imports.gi.GLib.get_monotonic_time(), 1, %d); 0" % state)
            time.sleep(0.1)

    def key(code):
        """An evdev key code, as a keyboard would send it."""
        for state in (1, 0):
            js("global._nyanKbd.notify_key(imports.gi.GLib.get_monotonic_time(), %d, %d); 0" % (code, state))
            time.sleep(0.08)

    before, want = player.status, player.opposite
    click(*w["play"]["at"])
    check(until(lambda: player.status == want), f"a click on the widget's button: {before} -> {want}", player.status)
    icon = PAUSED if want == "Paused" else PLAYING
    check(until(lambda: widget()["play"]["icon"] == icon), "the widget's icon follows")
    click(*w["play"]["at"])
    check(until(lambda: player.status == before), "a second click: back to " + before, player.status)
    if player.get("CanGoNext"):
        track = player.track
        click(*w["next"]["at"])
        check(player.has_moved_on(track), "a click on next changes the track", player.title)
        check(until(lambda: widget()["title"] == player.title), "the widget's title follows", widget()["title"])
        time.sleep(0.4)
        shot(beside(a.out, "next"))
    js("Main.panel.statusArea.dateMenu.menu.close(0); 0")

    # media keys, through mutter -> gsd-media-keys -> MPRIS
    play, forward, back, stop = 164, 163, 165, 166
    grabbed = until(lambda: js("Array.from(Main.shellDBusService._grabbedAccelerators.keys()).length") or None, 40)
    check(grabbed, "gsd-media-keys has grabbed its keys from the Shell", grabbed)
    time.sleep(1)

    def keys(where):
        before, want = player.status, player.opposite
        key(play)
        check(until(lambda: player.status == want), f"{where}XF86AudioPlay: {before} -> {want}", player.status)
        key(play)
        check(until(lambda: player.status == before), f"{where}XF86AudioPlay again: -> {before}", player.status)
        track = player.track
        key(forward)
        check(player.has_moved_on(track), where + "XF86AudioNext changes the track", player.title)
        later = player.track
        key(back)
        check(player.has_moved_on(later), where + "XF86AudioPrev goes back", player.title)

    keys("")
    if a.lock:
        js("Main.screenShield.lock(false); 0")
        locked = until(lambda: js("Main.screenShield.locked && Main.sessionMode.currentMode === 'unlock-dialog'"))
        check(locked, "the screen locks")
        time.sleep(1)
        keys("locked: ")
        shot(beside(a.out, "lock"))
        print("note GNOME 43's lock screen has no media widget (49 is the first with one); only the keys work there")
        js("Main.screenShield.deactivate(false); 0")
    key(stop)
    check(until(lambda: player.status == "Stopped"), "XF86AudioStop stops", player.status)


# What the Shell itself says (who is logged in) would stand in the way for as long as nobody moves.
BANNER = """(() => { const t = Main.messageTray;
  t.getSources().filter(s => s.title !== 'Nyan Tunes').forEach(s => s.destroy());
  const b = t._banner, n = t._notification;
  if (!b || !n || t._notificationState !== 2) return null;
  const sources = t.getSources().filter(s => s.title === 'Nyan Tunes');
  return {title: b.titleLabel.text, body: (b.bodyLabel || b._bodyLabel).clutter_text.text,
    all: sources.flatMap(s => s.notifications.map(n => n.title)),
    icon: n.gicon ? (n.gicon.file ? n.gicon.file.get_path() : n.gicon.names[0]) : null}; })()"""


def banner(title, body, picture, path, where):
    """Waits until the banner says so, looks at it, and takes a picture."""
    def said():
        b = js(BANNER)
        return b if b and (b["title"], b["body"], b["icon"]) == (title, body, picture or "nyand") else None
    b = until(said, 30)
    seen = b or js(BANNER) or {"all": []}
    if not check(b, f"{where}: the banner says so, letter for letter", f"{seen.get('title', '')[:60]} | {seen.get('body')}"):
        print("note wanted", (title, body, picture), "seen", seen)
    time.sleep(0.5)
    check(shot(path), where + ": screenshot", os.path.basename(path))
    alike = [t for t in seen["all"] if t.startswith("Downloads") == title.startswith("Downloads")]
    check(len(alike) == 1, where + ": it has replaced what was there before", alike)
    if picture:
        tally.picture_later(where + ": the cover's pixels are in the picture", path, picture)


def expire():
    """A banner stays while nobody moves; the next kind waits behind it."""
    js("Main.messageTray._expireNotification(); 0")


def notices():
    set_scene()
    player.plays()
    js("Main.overview.hide(); 0")
    until(lambda: js("!Main.overview.visible"))
    for title, body, picture, word in each_notice(player, before_downloads=expire):
        banner(title, body, picture, a.out if word == "downloads" else beside(a.out, word.removeprefix("track ")), word)


{"shown": shown, "titles": titles, "late": late, "empty": empty, "notices": notices}[a.scene]()
tally.look()
sys.exit(tally.total())
