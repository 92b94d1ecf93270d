"""The table of API methods, and how a method reads its parameters."""

import re

from gate import Refusal

METHODS = {}
_FULL_ID = re.compile(r"(-?\d+)_(\d+)(?:_([0-9A-Za-z]+))?$")


def method(name):
    """Registers a function `(world, call) → response` under an API name."""

    def register(function):
        METHODS[name] = function
        return function

    return register


OPEN = set()  # methods that ask for no token


def open_method(name):
    """As `method`, for one that is called without a token."""
    OPEN.add(name)
    return method(name)


class Call:
    """One admitted request: who asks, with which version and parameters."""

    def __init__(self, token, params, headers=None):
        self.token, self.params, self.headers = token, params, headers or {}
        self.beside = {}  # members of the answer beside `response`
        self.user = token.user if token else None
        version = params.get("v", "0.0") if token else "5.131"
        self.version = tuple(int(part) for part in version.split("."))  # the gate let only good ones in

    def text(self, name, default=""):
        """A text parameter."""
        return self.params.get(name, default)

    def number(self, name, default=None):
        """An integer parameter; error 100 when it is not one, or missing without a default."""
        raw = self.params.get(name, "")
        if raw == "":
            if default is None:
                raise bad(f"{name} is required")
            return default
        try:
            return int(raw)
        except ValueError:
            raise bad(f"{name} is not an integer") from None

    def flag(self, name):
        """A 0/1 parameter."""
        return self.params.get(name, "0") in ("1", "true")

    @property
    def modern(self):
        """Whether the version is one with the newer answer shapes (vk-api.md §2.6: 5.28x, 8.x)."""
        return self.version >= (5, 280)


def shown(world, call, track, where="list"):
    """The JSON of a track as this caller sees it."""
    return world.audio(track, where, call.modern)


def bad(detail):
    """Error 100 with its detail."""
    return Refusal(100, f"One of the parameters specified was missing or invalid: {detail}")


def full_ids(text):
    """Parses `owner_id[_key],…` into (full id, key or None); one malformed id fails them all."""
    found = []
    for part in text.split(","):
        match = _FULL_ID.match(part.strip())
        if not match:
            raise bad("audios is invalid")
        found.append((f"{match[1]}_{match[2]}", match[3]))
    return found
