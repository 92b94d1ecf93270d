"""Scripted misbehaviour of the API and login hosts: answers put in the way, things that happen after a request."""

from dataclasses import dataclass, field, fields


HOSTED = ("login.", "oauth.")  # requests of the login hosts; they are meant only when named


class BadCommand(ValueError):
    """A control command that makes no sense; the text says why."""


def from_command(kind, command, ignore=("cmd",)):
    """Builds a dataclass from a command's members (`-` for `_`), refusing unknown ones."""
    known = {item.name.replace("_", "-"): item.name for item in fields(kind)}
    values = {}
    for name, value in command.items():
        if name in ignore:
            continue
        if name not in known:
            raise BadCommand(f"unknown member {name!r}; known: {', '.join(sorted(known))}")
        values[known[name]] = value
    return kind(**values)


@dataclass
class Injection:
    """The next `times` calls of `method` (None: any), after `skip` calls let through, are answered like this."""

    method: str | None = None
    times: int = 1
    skip: int = 0
    code: int | None = None  # API error
    subcode: int = 0
    message: str | None = None
    extra: dict = field(default_factory=dict)  # further members of the error object
    http: int | None = None  # status; the body is `body`, by default a page
    headers: dict = field(default_factory=dict)
    body: str | None = None  # html, empty, truncated, garbage, latin1, placeholder, no-items, or the text itself
    delay: float = 0.0  # seconds before the answer
    reset: str | None = None  # before, headers, body: where the connection is torn down
    drip: float = 0.0  # bytes/s of the answer
    act: bool = False  # do what was asked all the same, before spoiling the answer

    @property
    def idle(self):
        """Whether nothing is done of what was asked."""
        scripted = self.code or self.http or self.reset or self.body is not None
        acts = self.act or self.body == "truncated" or self.reset in ("headers", "body")
        return bool(scripted) and not acts


class Injections:
    """The queue of scripted answers; the first that fits is used."""

    def __init__(self):
        self.queue = []

    def add(self, injection):
        """Appends to the queue."""
        self.queue.append(injection)

    def take(self, method):
        """The answer for this call, if one is scripted."""
        for item in self.queue:
            if item.method != method and (item.method is not None or method.startswith(HOSTED)):
                continue
            if item.skip > 0:
                item.skip -= 1
                continue
            item.times -= 1
            if item.times <= 0:
                self.queue.remove(item)
            return item
        return None


@dataclass
class Trigger:
    """After the `times`-th request of this kind from now on has been answered, the commands in `do` are run.

    `kind` is an API method name or a media kind (`mp3`, `playlist`, `segment`, `key`, `cover`).
    """

    kind: str
    times: int = 1
    do: list = field(default_factory=list)
    track: str | None = None  # only requests for this track count


class Triggers:
    """Waiting triggers."""

    def __init__(self):
        self.waiting = []

    def due(self, kind, track=None):
        """Counts one answered request and returns the commands that are now due."""
        commands = []
        for item in list(self.waiting):
            if item.kind != kind or item.track not in (None, track):
                continue
            item.times -= 1
            if item.times <= 0:
                self.waiting.remove(item)
                commands += item.do
        return commands
