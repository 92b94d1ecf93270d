"""The login host: the site's cookies become a short-lived web token (vk-api.md §1.7)."""

import json

from aiohttp import web

from account import invented
from answers import Answers
from hosts import logged, moved, read_params
from profiles import PROFILES

NAME = "login.web_token"  # what injections and triggers call it
APP = "6287487"
ORIGINS = ("https://vk.ru", "https://vk.com", "https://m.vk.ru", "https://m.vk.com", "http://127.0.0.1")
PAST = "Thu, 01 Jan 1970 00:00:01 GMT"
NEXT_YEAR = "Sat, 01 Jan 2033 00:00:00 GMT"


class Login:
    """`POST /login/?act=web_token`."""

    def __init__(self, world, run_commands):
        self.world, self.run_commands, self.answers = world, run_commands, Answers(world)

    async def handle(self, request):
        """One request from arrival to answer."""
        params = await read_params(request)
        with logged(self.world, request, "login", NAME, params) as entry:
            elsewhere = moved(self.world, request, "login", entry)
            if elsewhere is not None:
                return elsewhere
            injection = self.world.injections.take(NAME)
            wrong = self._wrong(request, params)
            if injection is not None and injection.code and not wrong:
                wrong = injection.message or "unauthorized"
            if not wrong and injection is not None and injection.idle:
                answer, cookies = {}, []  # another answer takes its place
            elif wrong:
                entry["outcome"] = f"refused: {wrong}"
                answer, cookies = self._refusal(injection), self._deletions()
            else:
                entry["outcome"] = "ok"
                answer, cookies = self._token()
            headers = {"Set-Cookie": cookies} if cookies else {}
            sent = await self.answers.send(request, json.dumps(answer), entry, injection, headers=headers)
        self.run_commands(self.world.triggers.due(NAME))
        return sent

    def _wrong(self, request, params):
        """What keeps this request from getting a token, else None."""
        if request.method != "POST" or params.get("act") != "web_token":
            return "not POST act=web_token"
        if not request.headers.get("User-Agent", "").startswith(PROFILES["web"].agent):
            return "User-Agent is no browser"
        if not request.headers.get("Origin", "").startswith(ORIGINS):
            return "Origin is not the site"
        if params.get("version") != "1" or params.get("app_id") != APP:
            return "version or app_id is wrong"
        return self.world.account.site.admits(request.cookies)

    def _refusal(self, injection):
        """The body of a refusal."""
        info = injection.message if injection is not None and injection.message else "unauthorized"
        return {"type": "error", "error_info": info} | (injection.extra if injection is not None else {})

    def _token(self):
        """(body, Set-Cookie lines) of a success."""
        world, site = self.world, self.world.account.site
        lifetime = float(world.settings["web-token-lifetime"])
        token = world.mint(PROFILES["web"], lifetime)
        left = world.settings["expires-form"] == "left"
        data = {
            "access_token": token.text,
            "expires": int(lifetime) if left else int(world.clock.wall() + lifetime),
            "user_id": world.user,
            "logout_hash": invented("logout", world.user, len(world.tokens), length=18),
        }
        cookies = []
        if world.settings["rotate-session"]:
            site.rotate()
            cookies = [self._line("remixsid", site.value(), NEXT_YEAR)]
        return {"type": "okay", "data": data}, cookies

    def _deletions(self):
        """Set-Cookie lines that would destroy the session in a client that obeys."""
        if not self.world.settings["deletion-cookies"]:
            return []
        return [self._line(name, "DELETED", PAST) for name in ("remixsid", "p", "remixnsid")]

    def _line(self, name, value, expires):
        """One Set-Cookie line."""
        domain = self.world.settings["cookie-domain"]
        words = [f"{name}={value}", f"expires={expires}", "path=/", *([f"domain={domain}"] if domain else [])]
        return "; ".join([*words, "secure", "HttpOnly", "SameSite=None"])

    def routes(self):
        """Where it is; `/` too, for clients that know a host but no path."""
        return [web.route("*", path, self.handle) for path in ("/login", "/login/", "/")]
