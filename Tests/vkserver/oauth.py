"""The OAuth host: password grant, authorize page, validation page, blank.html (vk-api.md §1.4, §1.5)."""

import json
import urllib.parse

from aiohttp import web

import passwords
from account import profile_of
from answers import Answers
from hosts import logged, moved, read_params

TOKEN, AUTHORIZE = "oauth.token", "oauth.authorize"  # what injections and triggers call them
BLANK = """<!DOCTYPE html><html><head><title>OAuth Blank</title></head><body>
Please do not copy data from the address bar to other sites.</body></html>"""


class OAuth:
    """`/oauth/token`, `/oauth/authorize`, `/oauth/validate`, `/oauth/blank.html`."""

    def __init__(self, world, run_commands):
        self.world, self.run_commands, self.answers = world, run_commands, Answers(world)

    async def token(self, request):
        """The password grant. Errors are a text in `error`, with status 401 or 400."""
        params = await read_params(request)
        with logged(self.world, request, "oauth", TOKEN, params) as entry:
            elsewhere = moved(self.world, request, "oauth", entry)
            if elsewhere is not None:
                return elsewhere
            injection = self.world.injections.take(TOKEN)
            try:
                if injection is not None and injection.code:
                    raise passwords.Denied(injection.code, injection.message or "invalid_grant", **injection.extra)
                entry["outcome"] = "ok"
                idle = injection is not None and injection.idle
                status, answer = 200, {} if idle else passwords.grant(self.world, params)
            except passwords.Denied as denied:
                status, answer = denied.status, denied.body
                entry["outcome"] = denied.body.get("error_type") or denied.body["error"]
            sent = await self.answers.send(request, json.dumps(answer), entry, injection, status)
        self.run_commands(self.world.triggers.due(TOKEN))
        return sent

    async def authorize(self, request):
        """Implicit OAuth: a person who agrees at once (or refuses: setting `authorize`)."""
        params = await read_params(request)
        with logged(self.world, request, "oauth", AUTHORIZE, params) as entry:
            blank = params.get("redirect_uri") or f"{self.world.hosts['site']}/oauth/blank.html"
            if not params.get("client_id", "").isdigit():
                return self._plain(entry, {"error": "invalid_client", "error_description": "client_id is incorrect"})
            if not urllib.parse.urlsplit(blank).path.endswith("/blank.html"):
                told = "redirect_uri is incorrect, check application redirect uri in the settings page"
                return self._plain(entry, {"error": "invalid_request", "error_description": told})
            if self.world.settings["authorize"] == "deny":
                told = "User denied your request"
                fields = {"error": "access_denied", "error_reason": "user_denied", "error_description": told}
            else:
                endless = "offline" in params.get("scope", "").replace(" ", ",").split(",")
                lifetime = None if endless else 86400
                token = self.world.mint(profile_of(params["client_id"]), lifetime)
                fields = {"access_token": token.text, "expires_in": lifetime or 0, "user_id": token.user}
            if "state" in params:
                fields["state"] = params["state"]
            entry["outcome"], entry["status"] = "ok", 302
            self.run_commands(self.world.triggers.due(AUTHORIZE))
            return self._to(blank, fields)

    def _plain(self, entry, body):
        """A refusal on the page itself."""
        entry["outcome"], entry["status"] = body["error"], 401
        return web.json_response(body, status=401)

    def _to(self, page, fields):
        """302 to a page with a fragment."""
        return web.Response(status=302, headers={"Location": f"{page}#{urllib.parse.urlencode(fields)}"})

    async def validate(self, request):
        """The page of `redirect_uri` (errors 17 and need_validation): who opens it passes, or as `validation` says."""
        params = await read_params(request)
        with logged(self.world, request, "oauth", "oauth.validate", params) as entry:
            meant = self.world.account.validations.pop(params.get("hash", ""), None)
            if meant is None:
                raise web.HTTPNotFound()
            entry["outcome"], entry["status"] = self.world.settings["validation"], 302
            page = f"{self.world.hosts['site']}/oauth/blank.html"
            if self.world.settings["validation"] != "success":
                return self._to(page, {self.world.settings["validation"]: 1})
            return self._to(page, meant())

    async def blank(self, request):
        """`/blank.html`: nothing to see; what matters stands in the address."""
        return web.Response(text=BLANK, content_type="text/html")

    def routes(self):
        """Where all is, with `/oauth` in front or (for clients that know a host but no path) without."""
        found = []
        for base in ("/oauth", ""):
            found += [web.route("*", f"{base}/token", self.token), web.get(f"{base}/authorize", self.authorize)]
            found += [web.get(f"{base}/validate", self.validate), web.get(f"{base}/blank.html", self.blank)]
        return found
