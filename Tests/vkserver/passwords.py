"""The password grant itself: what is checked, in which order, and what is answered (vk-api.md §1.4)."""

import account
import validation

LOCKED = 3600.0  # seconds a lock after too many wrong passwords lasts
CODE_LENGTHS = (4, 5, 6, 8)


class Denied(Exception):
    """A refusal of the OAuth host."""

    def __init__(self, status, error, **more):
        super().__init__(error)
        self.status, self.body = status, {"error": error} | more


def grant(world, params):
    """The token, or Denied."""
    user = world.account
    client = params.get("client_id", "")
    if params.get("grant_type") != "password":
        raise Denied(400, "unsupported_grant_type", error_description="grant_type is not supported")
    known = client in account.CLIENTS and client != "6287487"
    secret_right = client in account.WITHOUT_SECRET or params.get("client_secret") == account.client_secret(client)
    if not known or not secret_right:
        raise Denied(401, "invalid_client", error_description="client_secret is incorrect")
    if not params.get("username") or not params.get("password"):
        raise Denied(400, "invalid_request", error_description="username and password are required")
    _scripted(user.grant)
    _locked(world)
    demand = user.captcha.demand("oauth.token", params, world.hosts["site"])
    if demand is not None:
        raise Denied(401, "need_captcha", **demand)
    if params["username"] != user.login or params["password"] != user.password:
        user.failures.append(world.clock.now())
        told = "Username or password is incorrect"
        raise Denied(401, "invalid_client", error_description=told, error_type="username_or_password_is_incorrect")
    _second_factor(world, params, client)
    user.failures.clear()
    return answer(world, client, "nohttps" in params.get("scope", "").replace(" ", ",").split(","))


def answer(world, client, signed=False):
    """The body of a success. Tokens of this grant do not end by themselves."""
    token = world.mint(account.profile_of(client))
    body = {"access_token": token.text, "expires_in": 0, "user_id": token.user}
    if world.account.grant.talkative:
        mark = account.invented("trusted", world.user, length=18)
        body |= {"trusted_hash": mark, "email": "nyan@nyan.test"}
    if signed:
        token.secret = account.invented("secret", token.text, length=18)
        body |= {"secret": token.secret, "https_required": "1"}
    return body


def _scripted(script):
    """What command `login` put in the way."""
    if script.fail is None:
        return
    kind, script.times = script.fail, script.times - 1
    if script.times <= 0:
        script.fail = None
    if kind == "flood":
        raise Denied(401, "9;Flood control", error_description="Flood control: too much captcha requests")
    if kind == "bruteforce":
        told = "Too many login attempts, try again in a few hours"
        raise Denied(401, "invalid_request", error_type="password_bruteforce_attempt", error_description=told)
    raise Denied(401, kind, error_description=f"scripted: {kind}")


def _locked(world):
    """Too many wrong passwords or codes lock the grant for an hour."""
    limit = int(world.settings["password-limit"])
    now = world.clock.now()
    world.account.failures = [then for then in world.account.failures if now - then < LOCKED]
    if limit and len(world.account.failures) >= limit:
        raise Denied(401, "9;Flood control", error_description="Flood control: too many wrong passwords")


def _second_factor(world, params, client):
    """need_validation, until the right code comes with the same request."""
    user = world.account
    if user.grant.second is None:
        return
    code = params.get("code", "")
    if code == user.grant.code:
        return
    if code and not (code.isdigit() and len(code) in CODE_LENGTHS):
        told = "Invalid code format"
        raise Denied(401, "invalid_request", error_type="otp_format_is_incorrect", error_description=told)
    if code:
        user.failures.append(world.clock.now())
        raise Denied(401, "invalid_request", error_type="wrong_otp", error_description="Wrong code")
    page = validation.page(world, lambda: answer(world, client))
    told = "please open redirect_uri in browser [5]. Also you can use 2fa_supported param"
    more = {"error_description": told, "redirect_uri": page}
    if params.get("2fa_supported") == "1":
        sid = f"2fa_{world.user}_{client}_{account.invented('2fa', world.next_serial(), length=18)}"
        user.sent[sid] = float("-inf")  # clients ask for the first code at once
        more |= {"validation_type": user.grant.second, "validation_sid": sid, "phone_mask": "+7 *** *** ** 89"}
        more |= {"validation_resend": user.grant.resend}
    raise Denied(401, "need_validation", **more)
