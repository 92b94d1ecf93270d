"""What every API request must pass before its method runs (vk-api.md §7.2)."""

import hashlib

import validation
from messages import MESSAGES
from profiles import Profile

PLACEHOLDER = {
    "count": 1,
    "items": [
        {
            "id": 1,
            "owner_id": 100,
            "artist": "и в официальных приложениях ВКонтакте",
            "title": "Аудио доступно на vk.com",
            "duration": 25,
            "date": 1481906888,
            "url": "https://vk.com/mp3/audio_api_unavailable.mp3",
        }
    ],
}
SHADOWED = ("audio.get", "audio.search", "audio.getById")  # what a wrong User-Agent gets the placeholder for

TOKEN_STATES = {
    "expired": (1117, 0, "Access token has expired"),
    "invalid": (5, 0, "User authorization failed: invalid session."),
    "revoked": (5, 0, "User authorization failed: user revoke access for this token."),
    "ip": (5, 1130, "User authorization failed: access_token was given to another ip address."),
}


class Refusal(Exception):
    """An API error; `extra` are further members of the error object."""

    def __init__(self, code, message=None, subcode=0, **extra):
        super().__init__(code)
        self.code, self.subcode, self.extra = code, subcode, extra
        self.message = message or MESSAGES.get(code, "Error")


class Substitute(Exception):
    """A well-formed answer that is not the truth: the placeholder, or an empty list."""

    def __init__(self, response, outcome):
        super().__init__(outcome)
        self.response, self.outcome = response, outcome


def check_token(world, params):
    """The token's record; refuses unknown, expired, revoked and foreign ones."""
    text = params.get("access_token", "")
    if not text:
        raise Refusal(5, "User authorization failed: no access_token passed.")
    token = world.tokens.get(text)
    if token is None:
        raise Refusal(5)
    state = token.state
    if token.expires is not None and world.clock.now() >= token.expires:
        state = "expired"
    if state in TOKEN_STATES:
        code, subcode, message = TOKEN_STATES[state]
        raise Refusal(code, message, subcode)
    return token


def check_signature(token, method, params):
    """Tokens of scope `nohttps` want every call signed, parameters in the order sent (vk-api.md §1.2)."""
    if token.secret is None:
        return
    if "sig" not in params:
        raise Refusal(5, "User authorization failed: You should specify sig param for nohttps requests")
    sent = "&".join(f"{name}={value}" for name, value in params.items() if name != "sig")
    if hashlib.md5(f"/method/{method}?{sent}{token.secret}".encode()).hexdigest() != params["sig"]:
        raise Refusal(4)


def check_rate(world, token):
    """At most so many accepted calls in any one second."""
    limit = world.settings["rate-limit"]
    now = world.clock.now()
    times = [then for then in world.calls.get(token.text, ()) if now - then < 1.0]
    if limit and len(times) >= limit:
        raise Refusal(6)
    world.calls[token.text] = [*times, now]


def check_client(world, token, method, headers, params):
    """User-Agent, version and profile."""
    profile: Profile = token.profile
    if method in SHADOWED and not headers.get("User-Agent", "").startswith(profile.agent):
        raise Substitute(PLACEHOLDER, "placeholder")
    version = params.get("v", "")
    if not profile.accepts(version):
        if version and world.settings["version-answer"] == "empty":
            raise Substitute({"count": 0, "items": []}, "empty")
        detail = "v (version) is required" if not version else "version is not supported for this client"
        raise Refusal(8, f"{MESSAGES[8]}: {detail}")
    if method.startswith("audio.") and not profile.audio:
        raise Refusal(3)


def check_limits(world, token, method, params):
    """Limits set by command, and tokens that a person must look after first."""
    if token.state == "validation":
        raise Refusal(17, redirect_uri=validation.for_token(world, token))
    if token.state == "confirmation":
        raise Refusal(25)
    found = world.limits.refusal(method, params)
    if found is not None:
        raise Refusal(found[0], **found[1])


def admit(world, method, headers, params):
    """All checks in VK's order; returns the token's record."""
    token = check_token(world, params)
    check_signature(token, method, params)
    check_client(world, token, method, headers, params)
    check_rate(world, token)
    check_limits(world, token, method, params)
    if method == "captcha.force" and world.captcha.form == "off":
        world.captcha.form, world.captcha.method, world.captcha.after = "old", method, 0
    demand = world.captcha.demand(method, params, world.hosts["site"])
    if demand is not None:
        raise Refusal(14, **demand)
    return token
