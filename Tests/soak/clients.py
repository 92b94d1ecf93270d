"""People who use nyand at once, each with its own wishes, who remember what they were answered. A command that a death cut
off holds or does not; one that was answered holds."""

import json
import os
import random
import subprocess
import threading
import time

import proof
from house import Broken


MIDDLE = ["seek", "50%"]


class Client(threading.Thread):
    """Makes wishes until `over`. `fine`: statuses an answer may have beside 0."""

    fine = ()

    def __init__(self, house, seed):
        super().__init__(daemon=True)
        self.house, self.random = house, random.Random(f"{seed}.{type(self).__name__}")
        self.trouble, self.taken, self.answered, self.cut_off = None, [], 0, 0

    def again(self, over):
        """Begins another round of wishes."""
        threading.Thread.__init__(self, daemon=True)
        self.over = over
        self.start()

    def run(self):
        try:
            while not self.over.is_set() and not self.trouble:
                self.wish()
        except (Broken, OSError, subprocess.SubprocessError, ValueError, KeyError) as error:
            if not self.over.is_set():
                self.trouble = error

    def tell(self, *words, input=None):
        """Output, or None where a death came between or it was answered with one of `fine`."""
        status, output, errors = self.house.ctl(*words, input=input, limit=60)
        self.taken.append(f"{type(self).__name__}: {' '.join(words)[:100]} → {status}")
        if status == 0:
            self.answered += 1
            return output
        if self.over.is_set():
            self.cut_off += 1
        elif status not in self.fine:
            raise Broken(f"nyanctl {' '.join(words)[:200]} ended with {status}: {errors}")
        return None

    def check(self):
        """After a death, once nyand is there again."""

    def settle(self):
        """In the end, once nothing dies any more."""


class Listener(Client):
    """Plays, and changes the queue, the volume and the modes."""

    # 5: the queue ends here. 2: the track is shorter. 1: nothing to seek in.
    fine = (1, 2, 5)

    def __init__(self, house, seed, tracks):
        super().__init__(house, seed)
        self.tracks = tracks
        self.state = dict(queue=[], volume=100, shuffle=False, repeat="off")
        self.may_be = [self.state]
        # When the middle of a track was gone to, while nothing else was wished for.
        self.sought, self.places = None, 0

    def wish(self):
        state, words = self.choice()
        self.may_be, self.sought = [self.state, state], None
        start = time.monotonic()
        if self.tell(*words) is not None:
            self.state, self.may_be = state, [state]
            self.sought = start if words == MIDDLE else None
        elif not self.over.is_set():
            self.may_be = [self.state]
        self.over.wait(self.random.choice([0, 0, 0.05, 0.3]))

    def choice(self):
        """What is so afterwards, and the command."""
        state, dice = dict(self.state, queue=list(self.state["queue"])), self.random
        queue, kind = state["queue"], dice.randrange(9)
        if len(queue) < 2 or kind == 0 and len(queue) > 25:
            state["queue"] = dice.choices(self.tracks, k=dice.randint(2, 9))
            return state, ["play", *state["queue"]]
        if kind == 1:
            queue.append(dice.choice(self.tracks))
            return state, ["queue", "add", queue[-1]]
        if kind == 2:
            place = dice.randrange(len(queue))
            del queue[place]
            return state, ["queue", "remove", str(place + 1)]
        if kind == 3:
            start, end = dice.randrange(len(queue)), dice.randrange(len(queue))
            queue.insert(end, queue.pop(start))
            return state, ["queue", "move", str(start + 1), str(end + 1)]
        if kind == 4:
            state["volume"] = dice.randint(0, 100)
            return state, ["volume", str(state["volume"])]
        if kind == 5:
            state["shuffle"] = dice.random() < 0.5
            return state, ["shuffle", "on" if state["shuffle"] else "off"]
        if kind == 6:
            state["repeat"] = dice.choice(["off", "track", "queue"])
            return state, ["repeat", state["repeat"]]
        return state, dice.choice([["play"], ["play"], ["next"], ["prev"], ["seek", "90%"], MIDDLE, MIDDLE])

    def check(self):
        status = self.house.status()
        if status["state"] not in ("paused", "stopped"):
            raise Broken(f"after its death it is {status['state']} by itself")
        queue = [row["id"] for row in json.loads(self.house.ctl("--json", "queue")[1])]
        found = dict(
            queue=queue, volume=round(status["volume"] * 100), shuffle=status["shuffle"], repeat=status["repeat"]
        )
        if found not in self.may_be:
            raise Broken(f"after its death it has {found}, answered for was {self.may_be}")
        self.state, self.may_be = found, [found]
        if self.sought and (status["duration"] or 0) > 30:
            self.places += 1
            since = status["position"] - status["duration"] / 2
            if not -0.6 < since < time.monotonic() - self.sought + 1:
                raise Broken(f"the middle was gone to and answered; after its death it is {since:+.1f} s beside it")
        self.sought = None


class Importer(Client):
    """Takes folders with new files into My Music."""

    def __init__(self, house, seed, good):
        super().__init__(house, seed)
        self.good, self.folders, self.there = good, [], set()

    def wish(self):
        if self.over.wait(self.random.uniform(0, 0.4)):
            return
        number = len(self.folders)
        folder = f"{self.house.home}/theirs/{number}"
        os.makedirs(folder)
        titles = {f"Import {number} {part}" for part in range(self.random.randint(1, 3))}
        for title in titles:
            path = f"{folder}/{title}.mp3"
            noise = self.random.randbytes(22_050)
            words = ["lame", "--quiet", "-r", "-m", "m", "-s", "44.1", "-b", "64", "--scale", "0.05"]
            words += ["--tt", title, "--ta", "Importer", "-", path]
            subprocess.run(words, input=noise, check=True, stderr=subprocess.DEVNULL)
            self.good.add(proof.sound(path))
        self.folders.append(folder)
        said = self.tell("--json", "import", folder)
        if said is not None:
            if json.loads(said)["imported"] != len(titles):
                raise Broken(f"import of {len(titles)} files: {said}")
            self.there |= titles

    def titles(self):
        rows = json.loads(self.house.ctl("--json", "music")[1])
        return [row["title"] for row in rows if row["artist"] == "Importer"]

    def check(self):
        if lacking := self.there - set(self.titles()):
            raise Broken(f"imported, and not there: {sorted(lacking)}")

    def settle(self):
        for folder in self.folders:
            self.tell("import", folder)
        found, all_of_them = self.titles(), [name[:-4] for folder in self.folders for name in os.listdir(folder)]
        self.titles_there = found
        if sorted(found) != sorted(all_of_them):
            raise Broken(f"imported are {len(found)} of {len(all_of_them)}: {sorted(set(all_of_them) ^ set(found))}")


class Editor(Client):
    """Makes playlists at VK and fills them."""

    def __init__(self, house, seed, tracks):
        super().__init__(house, seed)
        self.tracks, self.number = tracks, 0
        # Title → tracks that were answered for, and those that may be there.
        self.made, self.begun = {}, set()

    def wish(self):
        if self.over.wait(self.random.uniform(0, 0.3)):
            return
        self.number += 1
        title = f"List {self.number}"
        self.begun.add(title)
        said = self.tell("--json", "playlist", "create", title)
        if said is None:
            return
        self.made[title] = set()
        # VK's newest stands first.
        id = next(row["id"] for row in self.house.page("/_playlists") if row["title"] == title)
        some = self.random.sample(self.tracks, 2)
        if self.tell("playlist", "add", id, *some) is not None:
            self.made[title] = set(some)
        if len(self.made) > 20:
            gone = next(iter(self.made))
            id = next(row["id"] for row in self.house.page("/_playlists") if row["title"] == gone)
            del self.made[gone]
            self.tell("playlist", "delete", id)

    def check(self):
        rows = self.house.page("/_playlists")
        titles = [row["title"] for row in rows if row["title"] in self.begun]
        if len(titles) != len(set(titles)):
            raise Broken(f"made twice: {sorted(titles)}")
        for title, tracks in self.made.items():
            # VK gives a copy of a foreign track another id; these are the account's own.
            row = next((row for row in rows if row["title"] == title), None)
            if row is None or not tracks <= set(row["tracks"]) or len(row["tracks"]) != len(set(row["tracks"])):
                raise Broken(f"{title} should have {sorted(tracks)}: {row}")


class Visitor(Client):
    """Signs in anew, reads the profile anew, changes the settings, looks things up."""

    # 1, 4, 6: two logins at once, or a sync across a login.
    fine = (1, 4, 6)

    def wish(self):
        kind = self.random.randrange(6)
        if kind == 0:
            self.tell("login", "--token", input=self.house.ready["token"])
        elif kind == 1:
            self.tell("login", "--cookies", input=self.house.ready["cookies"])
        elif kind == 2:
            self.house.write_settings(f"parallel={self.random.randint(2, 4)}")
            self.tell("reload")
        elif kind == 3:
            self.tell("sync")
        else:
            self.tell(*self.random.choice([["search", "song"], ["--json", "profile"], ["history"], ["doctor"]]))
        self.over.wait(self.random.choice([0, 0.1, 0.3]))

    def check(self):
        house = self.house
        house.until("it is signed in", lambda: house.status()["signedIn"], 20, house.status)
        proof.secrets(house)
        proof.forbids_dumps(house.daemon.pid)
