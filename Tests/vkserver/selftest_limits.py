"""Checks of standing refusals, of the API's captcha, and of lists that change while they are read."""

import urllib.parse

from selftest import check, equal


@check("the captcha of a method: unchanged parameters, each sid once, a new sid after a wrong key")
def _(s):
    s.control("set", rate_limit=0)
    s.control("captcha", form="old", method="audio.add", after=1)
    ask = {"owner_id": s.user, "audio_id": 456239999}
    s.good("audio.add", **ask)
    error = s.call("audio.add", **ask)["error"]
    first = error["captcha_sid"]
    equal((error["error_code"], s.good("audio.getCount", owner_id=s.user)), (14, 454))
    second = s.call("audio.add", captcha_sid=first, captcha_key="x", **ask)["error"]["captcha_sid"]
    assert second != first
    equal(s.code("audio.add", captcha_sid=first, captcha_key="nyan", **ask), 14, "a spent sid")
    changed = ask | {"audio_id": 456239998}
    equal(s.code("audio.add", captcha_sid=second, captcha_key="nyan", **changed), 14, "another request")
    last = s.call("audio.add", **ask)["error"]["captcha_sid"]
    s.good("audio.add", captcha_sid=last, captcha_key="nyan", **ask)
    s.good("audio.add", **ask)
    equal(s.good("audio.getCount", owner_id=s.user), 456)


@check("the new captcha: its page gives the success_token, which passes once")
def _(s):
    s.control("set", rate_limit=0)
    s.control("captcha", form="new", every=1)
    error = s.call("audio.get", count=1)["error"]
    page = urllib.parse.urlsplit(error["redirect_uri"])
    assert "remixstlid" in error and page.path.endswith("/not_robot_captcha")
    equal(s.code("audio.get", count=1, captcha_sid=error["captcha_sid"], captcha_key="nyan"), 14, "no key in this form")
    page = urllib.parse.urlsplit(s.call("audio.get", count=1)["error"]["redirect_uri"])
    token = s.form(f"{page.path}?{page.query}", {})[2]["response"]["success_token"]
    s.good("audio.get", count=1, success_token=token)
    equal(s.code("audio.get", count=1, success_token=token), 14)
    equal(s.form(f"{page.path}?{page.query}", {})[2]["response"]["status"], "ERROR")


@check("captcha.force asks for a captcha; scripted errors speak VK's words")
def _(s):
    s.control("set", rate_limit=0)
    sid = s.call("captcha.force")["error"]["captcha_sid"]
    equal(s.good("captcha.force", captcha_sid=sid, captcha_key="nyan"), 1)
    for code, words in (
        (34, "Client version deprecated"),
        (601, "Permission denied. You have req"),
        (3609, "Token ext"),
    ):
        s.control("inject", code=code)
        error = s.call("users.get")["error"]
        equal((error["error_code"], error["error_msg"][: len(words)]), (code, words))
    assert error["extend_hash"]


@check("confirmation (24) passes with confirm=1; 25 and 17 by the state of the token")
def _(s):
    s.control("set", rate_limit=0)
    s.control("limit", code=24, method="audio.delete", times=1, text="Точно?")
    ask = {"owner_id": s.user, "audio_id": 456239990}
    equal(s.call("audio.delete", **ask)["error"]["confirmation_text"], "Точно?")
    s.good("audio.delete", confirm=1, **ask)
    s.good("audio.delete", owner_id=s.user, audio_id=456239989)
    s.control("token", state="confirmation")
    equal(s.code("users.get"), 25)
    s.control("token", state="validation")
    error = s.call("users.get")["error"]
    page = urllib.parse.urlsplit(error["redirect_uri"])
    end = s.http("GET", f"{page.path}?{page.query}")[1]["Location"]
    assert "/blank.html#success=1&access_token=vk1.a." in end, end
    token = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(end).fragment))["access_token"]
    equal((s.good("users.get", token=token)[0]["id"], s.code("users.get")), (s.user, 5))
    s.control("set", validation="fail")
    s.control("token", token=token, state="validation")
    page = urllib.parse.urlsplit(s.call("users.get", token=token)["error"]["redirect_uri"])
    assert s.http("GET", f"{page.path}?{page.query}")[1]["Location"].endswith("/blank.html#fail=1")


@check("29 blocks one method for its hour, 9 one action that comes too often")
def _(s):
    s.control("set", rate_limit=0)
    s.control("limit", code=29, method="audio.search")
    equal(s.code("audio.search", q="found"), 29)
    s.good("audio.get", count=1)
    s.control("clock", advance=3599)
    equal(s.code("audio.search", q="found"), 29)
    s.control("clock", advance=2)
    s.good("audio.search", q="found")
    s.control("limit", code=9, method="audio.add", allowed=2, seconds=60)
    ask = {"owner_id": s.user, "audio_id": 456239999}
    for profile in ("web", "android"):
        s.good("audio.add", profile=profile, **ask)
    equal(s.code("audio.add", **ask), 9)
    s.control("clock", advance=50)
    equal(s.code("audio.add", **ask), 9)
    s.control("clock", advance=61)
    s.good("audio.add", **ask)
    s.control("limit", code=9, allowed=1, same=True)
    s.good("audio.get", count=1)
    s.good("audio.get", count=2)
    equal(s.code("audio.get", count=2), 9)


@check("lists change between pages by script: additions, deletions, another order, nothing left")
def _(s):
    s.control("set", rate_limit=0)
    s.control("after", kind="audio.get", do=[{"cmd": "library-add", "title": "Meanwhile"}])
    first = s.good("audio.get", count=100)
    second = s.good("audio.get", count=100, offset=100)
    equal((second["count"], second["items"][0]["id"]), (454, first["items"][-1]["id"]))
    s.control("after", kind="audio.get", do=[{"cmd": "library-delete", "ids": [s.full(1)]}])
    s.control("after", kind="audio.get", times=2, do=[{"cmd": "library-reorder", "shuffle": 1}])
    s.control("after", kind="audio.get", times=3, do=[{"cmd": "library-empty"}])
    counts = [s.good("audio.get", count=1)["count"] for _ in range(4)]
    equal(counts, [454, 453, 453, 0])
    s.control("library-fill", count=10)
    s.control("inject", body="no-items")
    equal([s.good("audio.get")["count"] for _ in range(2)], [0, 10])
