"""The running look-alike as the peers see it, and the way their requests take to it."""

import json
import pathlib
import subprocess
import urllib.parse
import urllib.request

SERVER = pathlib.Path(__file__).resolve().parent.parent / "vkserver" / "vkserver.py"


class Disagreement(AssertionError):
    """A peer and the look-alike say different things."""


def agree(found, wanted, what):
    """Raises unless both are the same."""
    if found != wanted:
        raise Disagreement(f"{what}: the peer says {str(found)[:400]!r}, the look-alike {str(wanted)[:400]!r}")


class Service:
    """One look-alike process with its control pages."""

    def __init__(self, scenario):
        command = ["/usr/bin/python3", str(SERVER), "--scenario", scenario, "--die-with-parent"]
        self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        self.ready = json.loads(self.process.stdout.readline())
        self.user = self.ready["user"]

    def end(self):
        """Stops it."""
        self.process.terminate()
        self.process.wait(5)
        self.process.stdout.close()

    def page(self, path, command=None):
        """The JSON of a page; `command` is sent by POST."""
        body = None if command is None else json.dumps(command).encode()
        with urllib.request.urlopen(self.ready["url"] + path, body, timeout=20) as answer:
            return json.load(answer)

    def control(self, cmd, **members):
        """Runs one command (members with `_` for `-`)."""
        return self.page("/_control", {"cmd": cmd} | {name.replace("_", "-"): value for name, value in members.items()})

    def library(self, owner=""):
        """Full ids in order."""
        return [row["id"] for row in self.page(f"/_library/{owner}" if owner else "/_library")]

    def playlists(self):
        """Own playlists by full id."""
        return {row["id"]: row for row in self.page("/_playlists")}

    def press(self, address):
        """Opens a captcha page and presses its button; the success_token."""
        with urllib.request.urlopen(address, b"", timeout=20) as answer:
            return json.load(answer)["response"]["success_token"]

    def address(self, url):
        """Where a request for one of VK's hosts goes; anything else must not leave this machine."""
        parts = urllib.parse.urlsplit(url)
        query = f"?{parts.query}" if parts.query else ""
        if parts.hostname == "127.0.0.1":
            return url
        if parts.hostname in ("api.vk.com", "api.vk.ru") and parts.path.startswith("/method/"):
            return self.ready["api-url"] + parts.path.removeprefix("/method") + query
        if parts.hostname in ("oauth.vk.com", "oauth.vk.ru"):
            return self.ready["oauth-url"] + parts.path + query
        raise Disagreement(f"a peer asked for {parts.hostname}{parts.path}")
