"""Checks of the login hosts: web session, password grant, authorize page, captcha and validation pages."""

import hashlib
import json
import time
import urllib.parse

from selftest import check, equal

SITE = {"Origin": "https://vk.ru", "Referer": "https://vk.ru/"}
WEB_TOKEN = {"version": "1", "app_id": "6287487", "access_token": ""}


def web_token(s, cookies=None, **headers):
    """(JSON, Set-Cookie lines) of a request for a web token."""
    known = SITE | {"User-Agent": s.ready["user-agent"], "Cookie": cookies or s.ready["cookies"]} | headers
    path = urllib.parse.urlsplit(s.ready["login-url"]).path + "/?act=web_token"
    _, found, answer = s.form(path, WEB_TOKEN, {name: value for name, value in known.items() if value})
    return answer, [value for name, value in found if name == "Set-Cookie"]


def grant(s, **more):
    """(status, JSON) of the password grant; None leaves a parameter out."""
    fields = {
        "grant_type": "password",
        "client_id": s.ready["client-id"],
        "client_secret": s.ready["client-secret"],
        "username": s.ready["login"],
        "password": s.ready["password"],
        "scope": "audio,offline",
        "2fa_supported": "1",
        "v": "5.131",
    }
    fields = {name: value for name, value in (fields | more).items() if value is not None}
    status, _, answer = s.form("/oauth/token", fields)
    return status, answer


def landing(s, address):
    """Fields of the fragment where a page of this server leads."""
    parts = urllib.parse.urlsplit(address)
    status, headers, _ = s.http("GET", f"{parts.path}?{parts.query}")
    equal(status, 302)
    where = urllib.parse.urlsplit(headers["Location"])
    assert where.path.endswith("/blank.html"), where
    return dict(urllib.parse.parse_qsl(where.fragment))


@check("cookies become a token of a quarter of an hour, by the server's clock")
def _(s):
    answer, lines = web_token(s)
    data = answer["data"]
    equal((answer["type"], data["user_id"], lines), ("okay", s.user, []))
    assert 890 < data["expires"] - time.time() <= 900, data["expires"]
    equal(s.good("audio.get", token=data["access_token"], count=1)["count"], 453)
    s.control("clock", advance=901)
    equal(s.code("users.get", token=data["access_token"]), 1117)
    assert 1790 < web_token(s)[0]["data"]["expires"] - time.time() <= 1801


@check("a refused web token says unauthorized and sends deletions of good cookies")
def _(s):
    half = s.ready["cookies"].split("; p=")[0]
    wrong = [{"cookies": half}, {"cookies": "remixsid=x; p=y"}, {"Origin": None}, {"User-Agent": "curl/8"}]
    for more in wrong:
        answer, lines = web_token(s, **more)
        equal(answer, {"type": "error", "error_info": "unauthorized"}, more)
        assert lines[0].startswith("remixsid=DELETED; expires=Thu, 01 Jan 1970"), lines
    outcomes = [entry["outcome"] for entry in s.get("/_log?kind=login")]
    equal(outcomes[0], "refused: cookie p is missing")
    equal(web_token(s)[0]["type"], "okay", "the session is still good")
    s.control("inject", method="login.web_token", code=1)
    equal(web_token(s)[0]["type"], "error")
    equal(web_token(s)[0]["type"], "okay")
    s.control("inject", method="login.web_token", http=503)
    path = urllib.parse.urlsplit(s.ready["login-url"]).path + "/?act=web_token"
    known = SITE | {"User-Agent": s.ready["user-agent"], "Cookie": s.ready["cookies"]}
    status, lines, body = s.form(path, WEB_TOKEN, known)
    equal((status, "Set-Cookie" in dict(lines), body[:9]), (503, False, "<!DOCTYPE"))
    s.control("token", all=True, state="expired")
    equal(s.code("users.get"), 1117)
    s.control("session", state="ended")
    equal(web_token(s)[0]["type"], "error")
    other = s.control("session", new=True)["cookies"]
    equal((web_token(s)[0]["type"], web_token(s, other)[0]["type"]), ("error", "okay"))


@check("a rotating session: the new cookie passes, the old one once more at most")
def _(s):
    s.control("set", rotate_session=True)
    first = s.ready["cookies"]
    answer, lines = web_token(s)
    equal((answer["type"], len(lines)), ("okay", 1))
    mark = first.rpartition("; p=")[2]
    second = f"{lines[0].split(';')[0]}; p={mark}"
    equal(web_token(s, second)[0]["type"], "okay")
    equal(web_token(s, first)[0]["type"], "error", "the new value was used")
    equal(web_token(s, second)[0]["type"], "okay", "the answer with the third may have been lost")
    equal(web_token(s, second)[0]["type"], "error")


@check("the password grant: token, wrong password, wrong client, lock after five")
def _(s):
    status, answer = grant(s)
    equal((status, answer["expires_in"], answer["user_id"]), (200, 0, s.user))
    equal(s.good("audio.get", profile="android", token=answer["access_token"], count=1)["count"], 453)
    status, answer = grant(s, password="x")
    equal((status, answer["error"], answer["error_type"]), (401, "invalid_client", "username_or_password_is_incorrect"))
    equal(grant(s, client_secret="x")[1]["error"], "invalid_client")
    status, answer = grant(s, client_id="6463690", client_secret=None)
    equal(s.good("users.get", profile="marusia", token=answer["access_token"])[0]["id"], s.user)
    for _ in range(5):
        grant(s, password="x")
    equal(grant(s)[1]["error"], "9;Flood control")
    s.control("clock", advance=3601)
    equal(grant(s)[0], 200)
    for fail, error in (("flood", "9;Flood control"), ("bruteforce", "invalid_request"), ("invalid_grant",) * 2):
        s.control("login", fail=fail)
        equal(grant(s)[1]["error"], error)
    equal(grant(s)[0], 200)


@check("a token of scope nohttps wants signed calls, parameters in the order sent")
def _(s):
    token = grant(s, scope="audio,nohttps")[1]
    ask = {"profile": "android", "token": token["access_token"], "count": 1}
    equal(
        s.call("audio.get", **ask)["error"]["error_msg"][-42:],
        "You should specify sig param for nohttps requests"[-42:],
    )
    text = f"/method/audio.get?access_token={token['access_token']}&v=5.131&count=1{token['secret']}"
    equal(s.good("audio.get", sig=hashlib.md5(text.encode()).hexdigest(), **ask)["count"], 453)
    equal(s.code("audio.get", sig="x", **ask), 4)


@check("the second factor: code with the same request, resending with its delay, or the page")
def _(s):
    s.control("login", second="2fa_sms", code="246810")
    status, answer = grant(s)
    equal((status, answer["error"], answer["validation_type"]), (401, "need_validation", "2fa_sms"))
    ask = {"profile": "android", "token": "", "sid": answer["validation_sid"]}
    equal(s.good("auth.validatePhone", **ask)["sid"], answer["validation_sid"])
    equal(s.code("auth.validatePhone", **ask), 1112)
    s.control("clock", advance=61)
    equal(s.good("auth.validatePhone", **ask)["delay"], 60)
    equal(s.code("auth.validatePhone", profile="android", token="", sid="x"), 1113)
    equal(grant(s, code="000000")[1]["error_type"], "wrong_otp")
    equal(grant(s, code="abc")[1]["error_type"], "otp_format_is_incorrect")
    equal(grant(s, code="246810")[0], 200)
    s.control("login", second="2fa_app")
    _, answer = grant(s)
    equal(s.good("auth.validatePhone", **ask | {"sid": answer["validation_sid"]})["type"], "general")
    token = landing(s, answer["redirect_uri"])["access_token"]
    equal(s.good("audio.getCount", profile="android", token=token, owner_id=s.user), 453)


@check("the grant's captcha: old form, new form with its page, each answer once, nothing else changed")
def _(s):
    s.control("login-captcha", form="old")
    _, first = grant(s)
    equal((first["error"], "redirect_uri" in first), ("need_captcha", False))
    picture = urllib.parse.urlsplit(first["captcha_img"])
    assert b"nyan" in s.http("GET", f"{picture.path}?{picture.query}")[2]
    _, second = grant(s, captcha_sid=first["captcha_sid"], captcha_key="wrong")
    assert second["captcha_sid"] != first["captcha_sid"]
    equal(grant(s, captcha_sid=first["captcha_sid"], captcha_key="nyan")[1]["error"], "need_captcha")
    _, third = grant(s, captcha_sid=second["captcha_sid"], captcha_key="nyan", scope="all")
    equal(third["error"], "need_captcha", "another scope is another request")
    equal(grant(s, captcha_sid=third["captcha_sid"], captcha_key="nyan", scope="all")[0], 200)
    s.control("login-captcha", form="new")
    page = urllib.parse.urlsplit(grant(s)[1]["redirect_uri"])
    equal(s.http("GET", f"{page.path}?{page.query}")[0], 200)
    passed = s.form(f"{page.path}?{page.query}", {})[2]["response"]["success_token"]
    equal(grant(s, success_token=passed)[0], 200)


@check("the authorize page leads to blank.html with token and state, or with a refusal")
def _(s):
    ask = f"{s.ready['oauth-url']}/authorize?client_id=2274003&response_type=token&state=a%20b&scope=audio,offline"
    fields = landing(s, ask)
    equal((fields["expires_in"], fields["user_id"], fields["state"]), ("0", str(s.user), "a b"))
    equal(s.good("users.get", profile="android", token=fields["access_token"])[0]["id"], s.user)
    equal(landing(s, ask.replace(",offline", ""))["expires_in"], "86400")
    fields = landing(s, ask.replace("2274003", "1"))
    equal(s.code("audio.get", profile="app", token=fields["access_token"]), 3)
    s.control("set", authorize="deny")
    equal(landing(s, ask)["error"], "access_denied")


@check("VK ID: a code once and with its verifier, refresh tokens once, a spent one ends the family")
def _(s):
    verifier = "verifier_verifier_verifier_verifier_verifier_0"
    ask = {"response_type": "code", "client_id": "51", "redirect_uri": "http://127.0.0.1/back", "state": "st"}
    ask |= {"code_challenge": "6VTV9kkmI0WqeZeD0Pc1KXeV-VQaOpagW_jUoeJ98Qs", "code_challenge_method": "s256"}

    def code():
        back = s.http("GET", f"/id/authorize?{urllib.parse.urlencode(ask)}")[1]["Location"]
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(back).query))

    def pair(**fields):
        return s.form("/id/oauth2/auth", {"client_id": "51", "state": "st"} | fields)[2]

    given = code()
    form = {"grant_type": "authorization_code", "redirect_uri": ask["redirect_uri"], "device_id": given["device_id"]}
    equal((given["state"], given["type"]), ("st", "code_v2"))
    equal(pair(code=given["code"], code_verifier=verifier[:-1] + "1", **form)["error"], "invalid_request")
    equal(pair(code=given["code"], code_verifier=verifier, **form)["error"], "invalid_request", "the code is spent")
    given = code()
    form["device_id"] = given["device_id"]
    first = pair(code=given["code"], code_verifier=verifier, **form)
    equal((first["expires_in"], "id_token" in first), (3600, True))
    equal(s.code("audio.get", profile="app", token=first["access_token"]), 3)
    again = {"grant_type": "refresh_token", "device_id": given["device_id"]}
    second = pair(refresh_token=first["refresh_token"], **again)
    equal(("id_token" in second, second["user_id"]), (False, s.user))
    equal(pair(refresh_token=first["refresh_token"], **again)["error"], "invalid_token")
    equal(pair(refresh_token=second["refresh_token"], **again)["error"], "invalid_token", "the family is revoked")
    who = {"access_token": second["access_token"], "client_id": "51"}
    equal(s.form("/id/oauth2/user_info", who)[2]["user"]["first_name"], "Тест")
    equal(s.form("/id/oauth2/logout", who)[2], {"response": 1})
    equal(s.form("/id/oauth2/user_info", who)[2]["error"], "invalid_token")


@check("error 17 leads to a page whose end is a new token; the old one is spent")
def _(s):
    s.control("inject", method="audio.get", code=17)
    page = s.call("audio.get")["error"]["redirect_uri"]
    fields = landing(s, page)
    equal((fields["success"], fields["user_id"]), ("1", str(s.user)))
    equal(s.good("audio.get", token=fields["access_token"], count=1)["count"], 453)
    equal(s.code("audio.get"), 5)


@check("moving to another address spoils the tokens made before, not those made after")
def _(s):
    old = web_token(s)[0]["data"]["access_token"]
    song = s.url(s.full(1))
    s.control("move", links=True)
    equal(s.http("GET", urllib.parse.urlsplit(song).path)[0], 403)
    for token in (old, s.ready["token"]):
        equal(s.call("users.get", token=token)["error"]["error_subcode"], 1130)
    equal(s.good("users.get", token=web_token(s)[0]["data"]["access_token"])[0]["id"], s.user)


@check("a host that has moved: the log shows what followed the redirect, and hides every secret")
def _(s):
    s.control("set", redirect_api=307, redirect_login=302)
    status, headers, _ = s.raw("users.get")
    equal((status, headers["Location"]), (307, f"http://127.0.0.1:{s.ready['port2']}/method/users.get"))
    s.http("GET", "/login/?act=web_token", None, {"Cookie": s.ready["cookies"]})
    api, login = s.get("/_log")[-2:]
    equal((api["port"], api["outcome"], bool(api["sent"]["token"])), (s.port, "moved", True))
    equal((login["outcome"], login["sent"]["cookies"][:1]), ("moved", ["p"]))
    grant(s)
    text = json.dumps(s.get("/_log"), ensure_ascii=False)
    for name in ("token", "password", "login", "client-secret"):
        assert s.ready[name] not in text, name
    for cookie in s.ready["cookies"].split("; "):
        value = cookie.split("=")[1]
        assert len(value) < 10 or value not in text
