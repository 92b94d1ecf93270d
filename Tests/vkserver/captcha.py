"""Captchas: the demand (error 14, need_captcha), what passes it, and the pages a person opens (vk-api.md §3.5)."""

import hashlib
import itertools
from dataclasses import dataclass, field

from aiohttp import web

ANSWER_PARAMS = (
    "captcha_sid",
    "captcha_key",
    "captcha_ts",
    "captcha_attempt",
    "success_token",
    "remixstlid",
    "access_token",
)


_NUMBERS = itertools.count(100000000001)  # every sid of a run is another one


def fingerprint(method, params):
    """What must be the same when a request is repeated with an answer."""
    sent = {key: value for key, value in params.items() if key not in ANSWER_PARAMS}
    return hashlib.sha1(repr((method, sorted(sent.items()))).encode()).hexdigest()


@dataclass
class Captcha:
    """Captcha demands: after `after` further calls (of `method`), every `every` calls once more.

    A demand is met by repeating the same request, all else unchanged, with the right answer: in the old form
    `captcha_sid` and `captcha_key`, in the new form the `success_token` its page gave out, or `answer` itself.
    """

    form: str = "off"  # off, old (picture), new (redirect_uri and success_token)
    method: str | None = None
    after: int = 0
    every: int = 0  # 0: only once
    answer: str = "nyan"  # captcha_key, or success_token, that passes
    open: dict = field(default_factory=dict)  # sid → fingerprint it was asked for
    earned: dict = field(default_factory=dict)  # success_token → sid

    def demand(self, method, params, site=""):
        """Extra members of the error when this call needs an answer first, else None. `site`: where the pages are."""
        if self.form == "off" or self.method not in (None, method):
            return None
        print_of = fingerprint(method, params)
        if self._passes(print_of, params):
            if not self.every:
                self.form = "off"
            self.after = self.every
            return None
        if self.after > 0 and "captcha_sid" not in params and "success_token" not in params:
            self.after -= 1
            return None
        return self._ask(print_of, site)

    def _passes(self, print_of, params):
        """Whether the request carries the answer to a demand made for just it. Either way the sid is spent."""
        if self.form == "new":
            token = params.get("success_token", "")
            if token == self.answer:
                sid = next((key for key, value in self.open.items() if value == print_of), "")
            else:
                sid = self.earned.pop(token, "")
            return self.open.pop(sid, None) == print_of
        asked = self.open.pop(params.get("captcha_sid", ""), None)
        return asked == print_of and params.get("captcha_key") == self.answer

    def _ask(self, print_of, site):
        """A new demand with a new sid."""
        number = str(next(_NUMBERS))
        self.open[number] = print_of
        extra = {
            "captcha_sid": number,
            "captcha_img": f"{site}/captcha.php?sid={number}&s=1",
            "captcha_ts": 1790000000.5,
            "captcha_attempt": 1,
        }
        if self.form == "new":
            page = f"{site}/id/not_robot_captcha?domain=vk.com&session_token={number}&variant=popup&blank=1"
            extra |= {"redirect_uri": page, "remixstlid": "9000000000000000000"}
        return extra

    def earn(self, session):
        """The success_token of a passed page; None when the page belongs to no open demand."""
        if session not in self.open:
            return None
        token = "st." + hashlib.sha256(f"earned/{session}".encode()).hexdigest()
        self.earned[token] = session
        return token


PAGE = """<!DOCTYPE html><html><head><meta charset="utf-8"><title>I'm not a robot</title></head><body>
<h1>Confirm that you are not a robot</h1><form method="post"><button>I am not a robot</button></form>
</body></html>"""
PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" width="130" height="50"><rect width="130" height="50" fill="#dde"/>
<text x="12" y="35" font-size="28" font-family="monospace" transform="rotate(-4 65 25)">{}</text></svg>"""


class Pages:
    """The captcha pages of API and password grant."""

    def __init__(self, world):
        self.world = world

    def _all(self):
        return (self.world.captcha, self.world.account.captcha)

    async def picture(self, request):
        """`/captcha.php`: the picture of the old form, readable by people."""
        sid = request.query.get("sid", "")
        found = next((item for item in self._all() if sid in item.open), None)
        if found is None:
            raise web.HTTPNotFound()
        return web.Response(text=PICTURE.format(found.answer), content_type="image/svg+xml")

    async def page(self, request):
        """`GET /id/not_robot_captcha`: the page a person opens."""
        return web.Response(text=PAGE, content_type="text/html")

    async def passed(self, request):
        """`POST` to the same address: the page's last call, which gives out the success_token."""
        session = request.query.get("session_token", "")
        token = next((token for item in self._all() if (token := item.earn(session))), None)
        if token is None:
            return web.json_response({"response": {"status": "ERROR"}})
        return web.json_response({"response": {"status": "OK", "success_token": token}})

    def routes(self):
        """Where they are."""
        return [
            web.get("/captcha.php", self.picture),
            web.get("/id/not_robot_captcha", self.page),
            web.post("/id/not_robot_captcha", self.passed),
        ]
