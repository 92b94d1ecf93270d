"""Scripted misbehaviour of the API: answers put in the way, things that happen after a request, captchas."""

import hashlib
from dataclasses import dataclass, field, fields


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
    body: str | None = None  # html, empty, truncated, garbage, latin1, placeholder, or the text itself
    delay: float = 0.0  # seconds before the answer
    reset: str | None = None  # before, headers, body: where the connection is torn down
    drip: float = 0.0  # bytes/s of the answer
    act: bool = False  # do what was asked all the same, before spoiling the answer


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
            if item.method not in (None, method):
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


@dataclass
class Captcha:
    """Captcha demands: after `after` further calls (of `method`), every `every` calls once more.

    A demand is met by repeating the same request, all parameters unchanged, with the right answer.
    """

    form: str = "off"  # off, old (picture), new (redirect_uri and success_token)
    method: str | None = None
    after: int = 0
    every: int = 0  # 0: only once
    answer: str = "nyan"  # captcha_key, or success_token, that passes
    open: dict = field(default_factory=dict)  # sid → parameters it was asked for
    spent: set = field(default_factory=set)

    def demand(self, method, params):
        """Extra members of error 14 when this call needs an answer first, else None."""
        if self.form == "off" or self.method not in (None, method):
            return None
        sent = {k: v for k, v in params.items() if k not in ANSWER_PARAMS}
        print_of = hashlib.sha1(repr((method, sorted(sent.items()))).encode()).hexdigest()
        if self._passes(print_of, params):
            if not self.every:
                self.form = "off"
            self.after = self.every
            return None
        if self.after > 0 and "captcha_sid" not in params:
            self.after -= 1
            return None
        return self._ask(print_of)

    def _passes(self, print_of, params):
        """Whether the request carries the answer to a demand made for just this request."""
        if self.form == "new" and params.get("success_token") == self.answer:
            sid = next((key for key, value in self.open.items() if value == print_of), "")
            return self.open.pop(sid, None) is not None
        asked = self.open.pop(params.get("captcha_sid", ""), None)
        return asked == print_of and params.get("captcha_key") == self.answer

    def _ask(self, print_of):
        """A new demand with a new sid."""
        number = str(100000000000 + len(self.open) + len(self.spent))
        self.spent.add(number)
        self.open[number] = print_of
        extra = {
            "captcha_sid": number,
            "captcha_img": f"https://api.vk.ru/captcha.php?sid={number}&s=1",
            "captcha_ts": 1790000000.5,
            "captcha_attempt": 1,
        }
        if self.form == "new":
            page = "https://id.vk.com/not_robot_captcha?domain=vk.com&session_token=session&variant=popup&blank=1"
            extra |= {"redirect_uri": page, "remixstlid": "9000000000000000000"}
        return extra


ANSWER_PARAMS = ("captcha_sid", "captcha_key", "captcha_ts", "captcha_attempt", "success_token", "access_token")
