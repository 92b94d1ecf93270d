#!/usr/bin/python3
"""Proves the look-alike honest by other programs: curl, ffmpeg, openssl, GStreamer. Prints `N passed, N failed`."""

import hashlib
import http.client
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.parse

import vkserver

HERE = pathlib.Path(__file__).parent
CHECKS = []


class Skip(Exception):
    """This check needs something that is not installed."""


def check(sentence, scenario="test"):
    """Registers a function `(session)` that raises when the sentence is not true."""

    def register(function):
        CHECKS.append((scenario, sentence, function))
        return function

    return register


def equal(found, wanted, what=""):
    """Raises unless both are the same."""
    if found != wanted:
        raise AssertionError(f"{what}: found {str(found)[:300]!r}, wanted {str(wanted)[:300]!r}")


class Session:
    """One running server and ways to talk to it."""

    def __init__(self, scenario, media, work):
        self.work = pathlib.Path(work)
        command = ["/usr/bin/python3", str(HERE / "vkserver.py"), "--scenario", scenario, "--media", media]
        self.errors = open(self.work / f"errors-{id(self)}", "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [*command, "--die-with-parent"],
            stdout=subprocess.PIPE,
            stderr=self.errors,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        self.ready = json.loads(self.process.stdout.readline())
        self.base, self.port, self.user = self.ready["url"], self.ready["port"], self.ready["user"]

    def end(self):
        """Asks the server to stop; returns its exit status and what it wrote to stderr."""
        self.process.terminate()
        status = self.process.wait(3)
        self.process.stdout.close()
        with self.errors:
            self.errors.seek(0)
            return status, self.errors.read()

    def http(self, verb, path, body=None, headers=None):
        """(status, headers, bytes) of one request."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            link.request(verb, path, body, headers or {})
            answer = link.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            link.close()

    def raw(self, method, profile="web", verb="POST", agent=None, token=None, v=None, **params):
        """(status, headers, bytes) of one API call of a profile; any part can be set wrong."""
        known = self.ready["tokens"][profile]
        form = {"access_token": known["token"] if token is None else token, "v": known["version"] if v is None else v}
        form = {key: value for key, value in (form | params).items() if value != ""}
        text = urllib.parse.urlencode(form)
        headers = {"User-Agent": known["user-agent"] if agent is None else agent}
        if verb == "GET":
            return self.http("GET", f"/method/{method}?{text}", None, headers)
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return self.http(verb, f"/method/{method}", text, headers)

    def call(self, method, **more):
        """The JSON of one API call."""
        return json.loads(self.raw(method, **more)[2])

    def good(self, method, **more):
        """The response of a call that must succeed."""
        answer = self.call(method, **more)
        if "response" not in answer:
            raise AssertionError(f"{method}: {answer['error']['error_code']} {answer['error']['error_msg']}")
        return answer["response"]

    def code(self, method, **more):
        """The error code of a call that must fail."""
        return self.call(method, **more)["error"]["error_code"]

    def form(self, path, fields, headers=None):
        """(status, header pairs, JSON or text) of a form sent to a path."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            headers = {"Content-Type": "application/x-www-form-urlencoded"} | (headers or {})
            link.request("POST", path, urllib.parse.urlencode(fields), headers)
            answer = link.getresponse()
            body = answer.read().decode()
            return answer.status, answer.getheaders(), json.loads(body) if body[:1] == "{" else body
        finally:
            link.close()

    def control(self, cmd, **members):
        """Runs one command (members with `_` for `-`)."""
        command = {"cmd": cmd} | {name.replace("_", "-"): value for name, value in members.items()}
        status, _, body = self.http("POST", "/_control", json.dumps(command))
        equal(status, 200, body.decode())
        return json.loads(body)

    def get(self, path):
        """The JSON of a control page."""
        return json.loads(self.http("GET", path)[2])

    def full(self, position):
        """Full id of the row at this position of scenario `test`."""
        return f"{self.user}_{456240000 - position}"

    def url(self, full):
        """A fresh address of an own track."""
        return self.good("audio.getById", audios=full)[0]["url"]

    def expected(self, full):
        """What a download must hold."""
        return self.get(f"/_expected/{full}")

    def curl(self, *arguments):
        """(exit status, stdout bytes, written file bytes) of a curl run that writes to a file."""
        path = self.work / "curl.out"
        if "-C" not in arguments:
            path.unlink(missing_ok=True)
        done = subprocess.run(["curl", "-s", "-m", "10", "-o", str(path), *arguments], capture_output=True, check=False)
        return done.returncode, done.stdout, path.read_bytes() if path.exists() else b""

    def ffmpeg(self, url):
        """(exit status, elementary stream) of ffmpeg copying an address without decoding."""
        path = self.work / "ffmpeg.mp3"
        path.unlink(missing_ok=True)
        command = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-http_persistent", "0", "-i", url, "-c", "copy"]
        command += ["-write_xing", "0", "-id3v2_version", "0", "-f", "mp3", str(path)]
        done = subprocess.run(command, capture_output=True, check=False, timeout=20)
        return done.returncode, path.read_bytes() if path.exists() else b""


def digest(body):
    """SHA-256 in hex."""
    return hashlib.sha256(body).hexdigest()


def main():
    """Runs every check on its scenario; exit status 1 when one failed."""
    sys.modules["selftest"] = sys.modules["__main__"]  # the check files register here
    __import__("selftest_api")
    __import__("selftest_login")
    __import__("selftest_methods")
    __import__("selftest_limits")
    __import__("selftest_faults")
    __import__("selftest_media")
    __import__("selftest_hls")
    begun, passed, failed = time.monotonic(), 0, 0
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    with tempfile.TemporaryDirectory() as work:
        media = os.environ.get("NYAND_LOOKALIKE_MEDIA") or vkserver.default_media()
        for scenario in ("test", "demo"):
            chosen = [(text, run) for name, text, run in CHECKS if name == scenario and wanted in text]
            if not chosen:
                continue
            session = Session(scenario, media, work)
            for text, run in chosen:
                session.control("reset")
                try:
                    run(session)
                    passed += 1
                except Skip as reason:
                    print(f"skipped: {text} ({reason})")
                except Exception:
                    failed += 1
                    print(f"FAILED: {text}\n{traceback.format_exc(limit=-2)}")
            end = session.end()
            passed, failed = (passed + 1, failed) if end == (0, "") else (passed, failed + 1)
            if end != (0, ""):
                print(f"FAILED: the {scenario} server ends quietly with 0: {end[0]} {end[1][-2000:]}")
    print(f"{passed} passed, {failed} failed ({time.monotonic() - begun:.1f} s)")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
