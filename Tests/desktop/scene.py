#!/usr/bin/python3
"""What is played in front of a desktop: `scene.py SCENE STEP`, against the look-alike and the nyand of
scripts/desktop-player, which runs the steps `world` (before nyand reads the profile) and `queue`; what comes later
(`then`, …) is asked for by the drivers once they have looked.

  shown    six tracks with covers, the longest first
  titles   Cyrillic, emoji, <&> and markup, a very long title, no cover
  late     nothing in the queue; `then` plays a track of which neither length nor cover are known; both come later
  empty    nothing in the queue; `then` fills it
  notices  as `shown`; `downloads`, `more`: batches of downloads that end, `next`: another track
"""
import json
import os
import subprocess
import sys
import urllib.request

OWNER = "100500"
PLAIN = f"{OWNER}_456239003"  # has neither album nor cover
TITLES = {  # VK sends entities
    f"{OWNER}_456239014": ("Кошкин Дом", "Щёлк, «ёж»!"),
    f"{OWNER}_456239010": ("Ня 🐾", "Кот 🐈 🎶 ❄️ 👩‍🎤"),
    f"{OWNER}_456239004": ("Hedgehog &amp; Sons &lt;live&gt;", "&lt;b&gt;&amp;amp;&lt;/b&gt; &lt;&amp;&gt;"),
    f"{OWNER}_456239007": ("Paper Lanterns", "A Very Long Title That Goes On, " * 8 + "And Ends"),
    PLAIN: ("Неизвестный двор", "запись с телефона (2014)"),
}
LATE = f"{OWNER}_456239012"
LENGTHLESS = "demo-14"  # a recording without a header that tells its length


def ready():
    """The look-alike's ready line."""
    folder = os.environ.get("XDG_RUNTIME_DIR") or os.environ.get("TMPDIR", "/tmp")
    with open(os.environ.get("NYAN_READY") or os.path.join(folder, "nyand-desktop.json")) as file:
        return json.load(file)


def control(*commands):
    body = json.dumps(commands).encode()
    with urllib.request.urlopen(urllib.request.Request(ready()["control-url"], body)) as answer:
        return json.load(answer)


def nyanctl(*words):
    program = os.path.join(os.environ.get("NYAN_BIN", ""), "nyanctl")
    return subprocess.run([program, *words], check=True, capture_output=True, text=True).stdout


def longest(count=6):
    """Tracks that can be had and have a cover, the long ones first: a photograph takes its time."""
    bare = ("_456239003", "_456239008", "_456239013")
    tracks = [t for t in json.loads(nyanctl("--json", "profile")) if t["available"] and not t["id"].endswith(bare)]
    return [t["id"] for t in sorted(tracks, key=lambda t: -(t["duration"] or 0))[:count]]


def titles_world():
    control(*({"cmd": "track", "id": i, "artist": artist, "title": title} for i, (artist, title) in TITLES.items()))


def late_world():
    control(
        {"cmd": "track", "id": LATE, "media": LENGTHLESS, "hls": False, "duration": 0},
        {"cmd": "media-fault", "fault": "chunked", "track": LATE, "kind": "mp3"},
        {"cmd": "media-fault", "fault": "drip", "value": 26000, "track": LATE, "kind": "mp3"},
        {"cmd": "media-fault", "fault": "delay", "seconds": 12, "kind": "cover"},
    )


STEPS = {
    ("shown", "queue"): lambda: nyanctl("play", *longest()),
    ("titles", "world"): titles_world,
    ("titles", "queue"): lambda: nyanctl("play", *TITLES),
    ("late", "world"): late_world,
    ("late", "then"): lambda: nyanctl("play", LATE),
    ("empty", "then"): lambda: nyanctl("play", *longest(3)),
    ("notices", "world"): titles_world,
    ("notices", "queue"): lambda: nyanctl("play", *TITLES),
    ("notices", "downloads"): lambda: nyanctl("download", *longest(2), "--wait"),
    ("notices", "more"): lambda: nyanctl("download", *longest(5)[2:], "--wait"),
    ("notices", "next"): lambda: nyanctl("next"),
}


def main():
    scene, step = sys.argv[1:]
    if scene not in {name for name, _ in STEPS}:
        sys.exit(f"scene.py: no scene {scene!r}\n{__doc__}")
    act = STEPS.get((scene, step))
    if act:
        answer = act()
        if isinstance(answer, str) and answer:
            print(answer, end="")


main()
