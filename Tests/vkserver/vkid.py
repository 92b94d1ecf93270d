"""VK ID: OAuth 2.1 with PKCE (vk-api.md §1.6). Its tokens are those of somebody's own application: no music."""

import base64
import hashlib
import re
import urllib.parse
from dataclasses import dataclass

from aiohttp import web

from account import invented
from hosts import logged, read_params
from profiles import PROFILES

LIFETIME = 3600  # seconds of an access token
VERIFIER = re.compile(r"[A-Za-z0-9_-]{43,128}")


@dataclass
class Grant:
    """A code that was given out, or a family of refresh tokens that came of it."""

    client: str
    redirect: str
    challenge: str
    device: str
    scope: str
    refresh: str | None = None  # the one refresh token of the family that is good
    revoked: bool = False


def challenge_of(verifier):
    """The s256 challenge of a code verifier."""
    return base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")


class Wrong(Exception):
    """A refusal."""

    def __init__(self, error, told):
        super().__init__(error)
        self.error, self.told = error, told


class VKID:
    """`/id/authorize`, `/id/oauth2/auth`, `…/revoke`, `…/logout`, `…/user_info`, `…/public_info`."""

    def __init__(self, world):
        self.world = world

    async def authorize(self, request):
        """A person who agrees at once, or refuses (setting `authorize`)."""
        params = await read_params(request)
        with logged(self.world, request, "id", "id.authorize", params) as entry:
            back, state = params.get("redirect_uri", ""), params.get("state", "")
            entry["status"], entry["outcome"] = 302, "ok"
            wrong = params.get("code_challenge_method") != "s256" or not params.get("code_challenge")
            if not back or params.get("response_type") != "code" or wrong:
                entry["status"], entry["outcome"] = 400, "invalid_request"
                return web.json_response({"error": "invalid_request", "state": state}, status=400)
            if self.world.settings["authorize"] == "deny":
                return self._back(back, {"error": "access_denied", "error_description": "denied", "state": state})
            serial = self.world.next_serial()
            code, device = f"vk2.a.{invented('code', serial, length=48)}", invented("device", serial, length=32)
            scope = params.get("scope", "vkid.personal_info")
            grant = Grant(params.get("client_id", ""), back, params["code_challenge"], device, scope)
            self.world.account.codes[code] = grant
            fields = {"code": code, "state": state, "device_id": device, "type": "code_v2", "expires_in": 600}
            return self._back(back, fields)

    @staticmethod
    def _back(address, fields):
        """302 to the application."""
        return web.Response(status=302, headers={"Location": f"{address}?{urllib.parse.urlencode(fields)}"})

    async def auth(self, request):
        """Code or refresh token for a new pair."""
        params = await read_params(request)
        return self._answer(request, params, "id.auth", lambda: self._pair(params))

    def _answer(self, request, params, name, make):
        """The common way of the JSON pages."""
        with logged(self.world, request, "id", name, params) as entry:
            try:
                body, entry["outcome"] = make(), "ok"
            except Wrong as wrong:
                body = {"error": wrong.error, "error_description": wrong.told, "state": params.get("state", "")}
                entry["outcome"] = wrong.error
            entry["status"] = 200
            return web.json_response(body)

    def _pair(self, params):
        """A new access token and a new refresh token."""
        kind = params.get("grant_type")
        if kind not in ("authorization_code", "refresh_token"):
            raise Wrong("invalid_request", "grant_type is missing or invalid")
        grant = self._by_code(params) if kind == "authorization_code" else self._by_refresh(params)
        if params.get("client_id") != grant.client:
            raise Wrong("invalid_client", "client_id is missing or invalid")
        if params.get("device_id") != grant.device:
            raise Wrong("invalid_request", "device_id is missing or invalid")
        token = self.world.mint(PROFILES["app"], LIFETIME)
        grant.refresh = f"vk2.a.{invented('refresh', self.world.next_serial(), length=64)}"
        self.world.account.refreshes[grant.refresh] = grant
        body = {
            "access_token": token.text,
            "refresh_token": grant.refresh,
            "token_type": "Bearer",
            "expires_in": LIFETIME,
            "user_id": token.user,
            "state": params.get("state", ""),
            "scope": grant.scope,
        }
        return body | ({"id_token": invented("id", token.text, length=64)} if kind == "authorization_code" else {})

    def _by_code(self, params):
        """The grant of a code, which is spent now, right or wrong."""
        grant = self.world.account.codes.pop(params.get("code", ""), None)
        if grant is None or params.get("redirect_uri") != grant.redirect:
            raise Wrong("invalid_request", "code or redirect_uri is invalid")
        verifier = params.get("code_verifier", "")
        if not VERIFIER.fullmatch(verifier) or challenge_of(verifier) != grant.challenge:
            raise Wrong("invalid_request", "code_verifier is invalid")
        return grant

    def _by_refresh(self, params):
        """The grant of a refresh token. A spent one ends the whole family."""
        grant = self.world.account.refreshes.get(params.get("refresh_token", ""))
        if grant is None or grant.revoked or grant.refresh != params["refresh_token"]:
            if grant is not None:
                grant.revoked = True
            raise Wrong("invalid_token", "refresh_token is missing or invalid")
        return grant

    async def end(self, request):
        """`/oauth2/revoke` and `/oauth2/logout`: the access token is no more."""
        params = await read_params(request)

        def make():
            self._token(params).state = "invalid"
            return {"response": 1}

        return self._answer(request, params, "id.end", make)

    async def user_info(self, request):
        """`/oauth2/user_info` and `/oauth2/public_info`: who signed in."""
        params = await read_params(request)

        def make():
            person = self.world.person(self._token(params).user)
            return {"user": {"user_id": str(person["id"])} | {n: person[n] for n in ("first_name", "last_name")}}

        return self._answer(request, params, "id.user_info", make)

    def _token(self, params):
        """The good token that came along."""
        token = self.world.tokens.get(params.get("access_token", ""))
        ended = token is not None and token.expires is not None and token.expires <= self.world.clock.now()
        if token is None or token.state != "ok" or ended:
            raise Wrong("invalid_token", "access_token is missing or invalid")
        return token

    def routes(self):
        """Where it is."""
        pages = {"auth": self.auth, "revoke": self.end, "logout": self.end}
        pages |= {"user_info": self.user_info, "public_info": self.user_info}
        return [web.get("/id/authorize", self.authorize)] + [
            web.post(f"/id/oauth2/{name}", page) for name, page in pages.items()
        ]
