"""What the server was asked: a list tests can read, without tokens and without the signed part of addresses."""

import hashlib
import re
import time

SECRET = (
    "access_token",
    "refresh_token",
    "client_secret",
    "username",
    "password",
    "secret",
    "captcha_key",
    "success_token",
    "hash",
)
LOGIN_SECRET = (*SECRET, "code", "code_verifier")  # `code` of execute is none
HEADERS = ("authorization", "cookie")


def redacted(params, secret=SECRET):
    """Parameters without secrets."""
    return {key: "(hidden)" if key in secret else value for key, value in params.items()}


def sent(request, params):
    """Which secrets came along, by name only; `token` is a mark that tells one token from another."""
    token = params.get("access_token")
    return {
        "token": hashlib.sha256(token.encode()).hexdigest()[:8] if token else None,
        "cookies": sorted(request.cookies),
        "secrets": sorted(name for name in params if name in LOGIN_SECRET),
        "authorization": "Authorization" in request.headers,
    }


def _address(path):
    """A path whose signed part is cut to eight characters, still telling one address from another."""
    return re.sub(r"(/s/v1/acm?p?/)([^/.]{8})[^/.]*", r"\1\2…", path)


class Journal:
    """Entries in order of arrival, counters, and how many requests ran side by side."""

    def __init__(self):
        self.entries = []
        self.running = {}  # kind → requests now being answered
        self.most = {}  # kind → greatest number at once
        self.requests = {}  # kind → count
        self.sent = {}  # track → media bytes sent
        self.gets = 0  # API calls that came by GET

    def open(self, request, kind, params):
        """Notes the arrival of a request and returns its entry, to be filled and closed by whoever answers."""
        running = self.running[kind] = self.running.get(kind, 0) + 1
        self.most[kind] = max(self.most.get(kind, 0), running)
        self.requests[kind] = self.requests.get(kind, 0) + 1
        headers = {name.lower(): value for name, value in request.headers.items()}
        for name in HEADERS:
            if name in headers:
                headers[name] = "(hidden)"
        entry = {
            "n": len(self.entries) + 1,
            "time": time.monotonic(),
            "kind": kind,
            "http": request.method,
            "path": _address(request.path),
            "host": request.headers.get("Host", ""),
            "port": request.transport.get_extra_info("sockname")[1] if request.transport else 0,
            "sent": sent(request, params),
            "params": redacted(params, LOGIN_SECRET if kind in ("oauth", "id") else SECRET),
            "headers": headers,
            "concurrent": running,
            "status": None,
            "outcome": None,
            "bytes": 0,
            "ended": None,
        }
        self.entries.append(entry)
        return entry

    def close(self, entry):
        """Notes that the answer is out, or was given up."""
        entry["ended"] = time.monotonic()
        self.running[entry["kind"]] -= 1

    def count(self, entry, track, amount):
        """Adds bytes that went out for a track."""
        entry["bytes"] += amount
        if track:
            self.sent[track] = self.sent.get(track, 0) + amount

    def stats(self):
        """Everything countable."""
        return {
            "requests": self.requests,
            "most-at-once": self.most,
            "sent": self.sent,
            "get-calls": self.gets,
            "running": {kind: count for kind, count in self.running.items() if count},
        }
