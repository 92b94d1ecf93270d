#!/usr/bin/python3
"""Looks for secrets where they must not be while nyand is used: command lines and environments of every process, the
bus, what the programs print and log, and every file but the credentials.

Signs in at the look-alike by token and by cookies, syncs, plays, downloads, fails; all the while samples /proc. The
secrets are the token, the cookies, the tokens made of them and the signed parts of media addresses, as they are,
percent-encoded and in base64. Prints what it found; exit 0 = nothing, 1 = something. `--programs` takes the programs'
folder (.build/debug).
"""

import argparse
import base64
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.append(str(ROOT / "Tests/soak"))
import lookalike  # noqa: E402
# The part of the look-alike's media addresses that opens them: whoever has it has the sound.
SIGNED = re.compile(rb"[0-9a-f]{40}-[0-9a-f]{8}(?![0-9a-f])")


def forms(secret):
    """A secret as itself and as others would write it."""
    found = {secret, urllib.parse.quote(secret, safe=""), urllib.parse.quote_plus(secret)}
    raw = secret.encode()
    # Base64 depends on where in the text the secret begins: the middle of each alignment is certain.
    for shift in range(3):
        text = base64.b64encode(b"\0" * shift + raw).decode()
        found.add(text[(4 if shift else 0) : -4])
    return {form.encode() for form in found if len(form) >= 8}


class Watch:
    """What was looked through, and what was found in it."""

    def __init__(self):
        self.secrets, self.found, self.samples = {}, [], 0
        self.ours = set()
        self.running = True

    def learn(self, name, secret):
        """Adds a secret that must not be seen."""
        if secret:
            self.secrets[name] = forms(secret)

    def look(self, where, data):
        """Looks for every secret in these bytes, and for anything of a signed address' form."""
        if SIGNED.search(data) and ("signed address", where) not in self.found:
            self.found.append(("signed address", where))
        for name, variants in self.secrets.items():
            if any(variant in data for variant in variants) and (name, where) not in self.found:
                self.found.append((name, where))

    def sample(self, root):
        """Command lines and environments of a process and all that came from it, until told to stop."""
        while self.running:
            children = {}
            for folder in pathlib.Path("/proc").glob("[0-9]*"):
                try:
                    parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
                except (OSError, IndexError, ValueError):
                    continue
                children.setdefault(parent, []).append(int(folder.name))
            todo = list(children.get(root, []))
            while todo:
                pid = todo.pop()
                todo += children.get(pid, [])
                for kind in ("cmdline", "environ"):
                    try:
                        data = pathlib.Path(f"/proc/{pid}/{kind}").read_bytes()
                    except OSError:
                        continue
                    self.look(f"/proc/…/{kind} of {data[:60]!r}" if kind == "cmdline" else f"environ of {pid}", data)
                    self.samples += 1
            time.sleep(0.005)


class House:
    """A bus, the look-alike, and the real programs in a home of their own."""

    def __init__(self, programs, watch):
        self.programs, self.watch = pathlib.Path(programs).resolve(), watch
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="nyan-secrets-"))
        self.children, self.printed = [], self.home / "printed"
        self.printed.mkdir()
        self.environment = {
            "HOME": str(self.home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8",
            "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent",
            **{f"XDG_{kind.upper()}_HOME": str(self.home / kind) for kind in ("config", "data", "state", "cache")},
        }
        if "GST_REGISTRY" in os.environ:
            self.environment["GST_REGISTRY"] = os.environ["GST_REGISTRY"]

    def start(self, name, words, **more):
        """Starts a program; what it prints goes into files that are looked through."""
        with open(self.printed / f"{name}.err", "ab") as errors:
            child = subprocess.Popen(
                words, env=self.environment, stdout=more.pop("stdout", subprocess.PIPE), stderr=errors, **more)
        self.children.append(child)
        return child

    def open(self):
        """Bus, monitor, look-alike, daemon."""
        config = self.home / "bus.conf"
        config.write_text(
            "<!DOCTYPE busconfig PUBLIC '-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN' "
            "'http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd'><busconfig><type>session</type>"
            f"<listen>unix:dir={self.home}</listen><policy context='default'><allow send_destination='*' "
            "eavesdrop='true'/><allow eavesdrop='true'/><allow own='*'/></policy></busconfig>")
        bus = self.start("bus", ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address=1"])
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().decode().strip()
        with open(self.printed / "bus.pcap", "wb") as seen:
            self.start("monitor", ["dbus-monitor", "--pcap"], stdout=seen)
        # Outside of the house: it knows every secret.
        self.server = subprocess.Popen(lookalike.words(), env=lookalike.environment(), stdout=subprocess.PIPE)
        self.ready = lookalike.ready(self.server)
        settings = self.home / "config/nyand"
        settings.mkdir(parents=True)
        (settings / "nyand.conf").write_text(
            f"[vk]\napi-url={self.ready['api-url']}\noauth-url={self.ready['oauth-url']}\n"
            f"login-url={self.ready['login-url']}\nsync-interval=off\nmin-interval-ms=20\n[account]\nstore=file\n"
            f"[audio]\nsink=fakesink sync=true\n[downloads]\ndirectory={self.home}/Music\n")
        self.control({"cmd": "set", "rate-limit": 0, "rotate-session": True})
        self.daemon = self.start("nyand", [str(self.programs / "nyand"), "--log-level", "debug"])
        end = time.monotonic() + 20
        while self.ctl("status")[0] == 3:
            assert time.monotonic() < end, "nyand did not start"
        limits = pathlib.Path(f"/proc/{self.daemon.pid}/limits").read_text().splitlines()
        self.core = next(line for line in limits if line.startswith("Max core file size")).split()[4:6]

    def control(self, *commands):
        """Commands of the look-alike."""
        request = urllib.request.Request(self.ready["url"] + "/_control", json.dumps(commands).encode())
        return json.load(urllib.request.urlopen(request))

    def ctl(self, *words, secret=None):
        """Runs nyanctl; what it prints is kept to be looked through."""
        ended = subprocess.run(
            [str(self.programs / "nyanctl"), *words], env=self.environment, input=(secret or "").encode(),
            capture_output=True, timeout=60, check=False)
        with open(self.printed / "nyanctl.out", "ab") as output:
            output.write(ended.stdout + ended.stderr)
        return ended.returncode, ended.stdout.decode()

    def close(self):
        """Ends everything that was started, by id."""
        for child in [*reversed(self.children), self.server]:
            child.send_signal(signal.SIGTERM)
            try:
                child.wait(5)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()


def learn(watch, house):
    """The secrets there are by now: what is stored, and the signed parts of addresses."""
    cookies = dict(part.strip().split("=", 1) for part in house.ready["cookies"].split(";"))
    watch.learn("token", house.ready["token"])
    watch.learn("cookie remixsid", cookies["remixsid"])
    watch.learn("cookie p", cookies["p"])
    stored = house.home / "data/nyand/credentials"
    if stored.exists():
        held = json.loads(stored.read_text())
        watch.learn(f"web token {len(watch.secrets)}", held["token"])
        watch.learn(f"cookie {len(watch.secrets)}", held.get("remixsid") or "")


def use(house, watch):
    """What a person does in a day, failures among it."""
    assert house.ctl("login", "--token", secret="vk1.a.canaryWrong0123456789")[0] == 4
    watch.learn("wrong token", "vk1.a.canaryWrong0123456789")
    assert house.ctl("login", "--token", secret=house.ready["token"])[0] == 0
    assert house.ctl("logout")[0] == 0
    assert house.ctl("login", "--cookies", secret="remixsid=canaryWrongSession0; p=canaryWrongPart0")[0] == 4
    watch.learn("wrong cookie", "canaryWrongSession0")
    assert house.ctl("login", "--cookies", secret=house.ready["cookies"])[0] == 0
    learn(watch, house)
    assert house.ctl("--json", "sync")[0] == 0
    for words in (["play", "123456_456239998"], ["status"], ["--json", "status"], ["whoami"], ["download",
                  "123456_456239999", "123456_456239998", "--wait"], ["search", "Found"], ["downloads"]):
        house.ctl(*words)
    house.control({"cmd": "move"})
    assert house.ctl("sync")[0] == 0
    learn(watch, house)
    house.control({"cmd": "session", "state": "ended"}, {"cmd": "move"})
    house.ctl("sync")
    house.ctl("status")
    house.control(
        {"cmd": "session", "state": "ok"}, {"cmd": "media-fault", "fault": "status", "value": 403},
        {"cmd": "media-fault", "fault": "unreachable"})
    house.ctl("play", "123456_456239996")
    house.ctl("download", "123456_456239995")
    time.sleep(1.5)
    house.ctl("--json", "downloads")
    house.ctl("--json", "profile")
    house.ctl("stop")


def main():
    """Uses the house, looks everywhere, tells."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", default=str(ROOT / ".build/debug"))
    options = parser.parse_args()
    watch = Watch()
    house = House(options.programs, watch)
    try:
        house.open()
        learn(watch, house)
        threading.Thread(target=watch.sample, args=(os.getpid(),), daemon=True).start()
        use(house, watch)
    finally:
        watch.running = False
        house.close()
    blind = [what for what, mark in (("bus", "bus.pcap"), ("log", "nyand.err"), ("client", "nyanctl.out"))
             if len((house.printed / mark).read_bytes()) < 300]
    if house.core != ["0", "0"]:
        watch.found.append(("memory", f"a core dump may be as large as {house.core[0]}"))
    files = 0
    for path in house.home.rglob("*"):
        if path.is_file() and path != house.home / "data/nyand/credentials":
            watch.look(str(path.relative_to(house.home)), path.read_bytes())
            files += 1
    shutil.rmtree(house.home, ignore_errors=True)
    for name, where in watch.found:
        print(f"secrets: {name} stands in {where}")
    print(f"secrets: {len(watch.secrets)} secrets, {watch.samples} samples of processes, {files} files: "
          f"{'LEAKS' if watch.found else 'none leaked'}")
    if blind:
        print(f"secrets: nothing was seen of: {', '.join(blind)}")
    return 1 if watch.found or blind or watch.samples < 100 or len(watch.secrets) < 8 else 0


if __name__ == "__main__":
    sys.exit(main())
