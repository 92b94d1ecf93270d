"""Checks of the API: strictness, paging, shapes, changes."""

import json
import time
import unicodedata

from selftest import check, equal

PLACEHOLDER = {
    "response": {
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
}


def page(session, offset, count=200):
    """Full ids of one page, with the rate window opened first."""
    session.control("clock", advance=1)
    answer = session.good("audio.get", count=count, offset=offset)
    return [f"{item['owner_id']}_{item['id']}" for item in answer["items"]], answer["count"]


@check("a wrong User-Agent gets exactly the placeholder for get, search and getById")
def _(s):
    for method, more in (("audio.get", {}), ("audio.search", {"q": "x"}), ("audio.getById", {"audios": s.full(1)})):
        equal(s.call(method, agent="curl/8", **more), PLACEHOLDER, method)
    equal(s.good("users.get", agent="curl/8")[0]["id"], s.user)
    equal(s.call("audio.get", profile="android", agent="Mozilla/5.0 (X11)"), PLACEHOLDER, "android with a browser")


@check("tokens: none, unknown, expired, revoked, other address")
def _(s):
    equal(s.code("audio.get", token="vk1.a.unknown"), 5)
    equal(s.call("audio.get", token="")["error"]["error_msg"], "User authorization failed: no access_token passed.")
    for state, code, subcode in (("expired", 1117, 0), ("revoked", 5, 0), ("invalid", 5, 0), ("ip", 5, 1130)):
        s.control("token", state=state)
        error = s.call("users.get")["error"]
        equal((error["error_code"], error["error_subcode"]), (code, subcode), state)
    other = s.control("token", new=True, profile="web")["token"]
    equal(s.good("users.get", token=other)[0]["id"], s.user)
    s.control("token", token=other, lifetime=60)
    s.control("clock", advance=61)
    equal(s.code("users.get", token=other), 1117)


@check("v must be there and fit the profile")
def _(s):
    equal(s.code("users.get", v=""), 8)
    equal([s.code("audio.get", v=v) for v in ("5.28", "4.9", "x", "8.154")], [8, 8, 8, 8])
    equal(s.good("audio.get", profile="android", v="8.154", count=1)["count"], 453)
    s.control("set", version_answer="empty")
    equal(s.good("audio.get", v="5.28"), {"count": 0, "items": []})


@check("a dead profile still knows users.get but no audio method")
def _(s):
    equal(s.code("audio.get", profile="kate"), 3)
    equal(s.code("audio.add", profile="kate", audio_id=1, owner_id=1), 3)
    equal(s.good("users.get", profile="kate")[0]["first_name"], "Тест")


@check("more than three calls in a second are error 6, per token")
def _(s):
    for _ in range(3):
        s.good("users.get")
    equal(s.code("users.get"), 6)
    s.good("users.get", profile="android")
    s.control("clock", advance=1)
    s.good("users.get")


@check("GET is refused and counted, unless allowed")
def _(s):
    equal(s.code("users.get", verb="GET"), 9999)
    s.control("set", get="allow")
    equal(s.good("users.get", verb="GET")[0]["id"], s.user)
    equal(s.get("/_stats")["get-calls"], 2)


@check("the log shows method, headers and time, but no token")
def _(s):
    s.good("audio.get", count=1)
    text = s.http("GET", "/_log")[2].decode()
    entry = json.loads(text)[-1]
    equal((entry["method"], entry["params"]["count"], entry["outcome"]), ("audio.get", "1", "ok"))
    assert entry["headers"]["user-agent"].startswith("Mozilla") and entry["time"] <= time.monotonic()
    assert s.ready["token"] not in text and s.ready["token"][:20] not in text


@check("paging: 200 at most, 453 counted, 450 given, newest first, each once")
def _(s):
    seen, offset, sizes = [], 0, []
    while True:
        ids, count = page(s, offset, 6000)
        sizes.append(len(ids))
        seen += [full for full in ids if full not in seen]
        offset += len(ids) or 200
        if offset >= count:
            break
    equal((count, len(seen), sizes[0]), (453, 450, 199))
    equal(seen, [s.full(position) for position in range(1, 451)])
    equal(seen, [row["id"] for row in s.get("/_library")])
    equal(s.good("audio.getCount", owner_id=s.user), 453)


@check("hidden, gone and foreign lists")
def _(s):
    for owner, code in ((201, 201), (30, 30), (18, 18), (-15, 15)):
        s.control("clock", advance=1)
        equal(s.code("audio.get", owner_id=owner), code)
    equal(s.good("audio.get", owner_id=-88)["count"], 5)
    equal(s.good("audio.getCount", owner_id=201), 0)


@check("getById: fresh urls, keys for foreign tracks, missing ids, bad ids")
def _(s):
    assert s.url(s.full(1)) != s.url(s.full(1))
    s.control("clock", advance=1)
    found = s.good("audio.search", q="found song 01")["items"][0]
    full = f"{found['owner_id']}_{found['id']}"
    equal(s.good("audio.getById", audios=full)[0]["url"], "")
    assert s.good("audio.getById", audios=f"{full}_{found['access_key']}")[0]["url"].startswith("http")
    s.control("clock", advance=1)
    equal([t["id"] for t in s.good("audio.getById", audios=f"1_1,{s.full(2)}")], [456239998])
    equal(s.code("audio.getById", audios=f"{s.full(1)},x_y"), 100)
    s.control("set", by_id_shape="items")
    equal(len(s.good("audio.getById", audios=s.full(1))["items"]), 1)


@check("search: words, pages, artist only, own only")
def _(s):
    answer = s.good("audio.search", q="found song", count=25, offset=50)
    equal((answer["count"], len(answer["items"])), (60, 10))
    equal(s.good("audio.search", q="song", performer_only=1)["count"], 0)
    equal(s.good("audio.search", q="found", search_own=1)["count"], 0)
    s.control("clock", advance=1)
    equal(s.good("audio.search", q="ПЕСНЯ 100")["count"], 1)
    equal(s.code("audio.search", q=""), 100)


@check("add makes a copy with a new id at the head; adding twice makes two")
def _(s):
    found = s.good("audio.search", q="found song 02")["items"][0]
    ask = {"owner_id": found["owner_id"], "audio_id": found["id"], "access_key": found["access_key"]}
    new = s.good("audio.add", **ask)["items"][0]
    number = s.good("audio.add", profile="android", **ask)
    equal((new["new_audio_id"], new["new_owner_id"], number), (456250001, s.user, 456250002))
    equal(page(s, 0, 3)[0], [f"{s.user}_456250002", f"{s.user}_456250001", s.full(1)])
    same = s.expected(f"{s.user}_456250001")["sha256"]
    equal(same, s.expected(f"{found['owner_id']}_{found['id']}")["sha256"])


@check("delete and restore: the place is kept, for twenty minutes")
def _(s):
    ask = {"owner_id": s.user, "audio_id": 456239995}
    equal(s.good("audio.delete", **ask), {"audio_ids": [s.full(5)]})
    equal(s.code("audio.delete", **ask), 15)
    equal(s.good("audio.restore", **ask)["id"], 456239995)
    equal(page(s, 0, 6)[0][4], s.full(5))
    equal(s.good("audio.delete", profile="android", **ask), 1)
    s.control("clock", advance=1201)
    equal(s.code("audio.restore", **ask), 202)


@check("the odd rows are as documented")
def _(s):
    items = s.good("audio.get", count=60)["items"]
    by = {position: items[position - 1] for position in range(1, 49)}
    equal(by[3]["artist"], "Simon &amp; Гарфункель")
    equal((len(by[7]["title"]), by[8]["artist"], by[14]["duration"]), (500, "", 0))
    equal((by[16]["url"], by[16]["content_restricted"], "url" in by[17]), ("", 1, False))
    equal((by[18]["url"], by[19]["url"]), ("", "https://vk.com/mp3/audio_api_unavailable.mp3"))
    assert s.url(s.full(18)).endswith(".mp3?siren=1") and "/sample/" in by[20]["url"]
    equal((by[21]["album"], by[22]["id"], by[23]["is_explicit"], by[24]["album"]), (None, str(456240000 - 22), 1, []))
    equal((by[25]["title"], by[25]["id"] != by[26]["id"]), (by[26]["title"], True))
    assert "photo_600" not in by[27]["album"]["thumb"] and "thumb" not in by[28]["album"]
    assert "access_key" not in by[32] and not unicodedata.is_normalized("NFC", by[13]["title"])


@check("the list can change while it is paged, be emptied, shuffled, damaged, and grow to 10,000")
def _(s):
    s.control("after", kind="audio.get", times=1, do=[{"cmd": "library-add", "title": "Late arrival"}])
    first, _ = page(s, 0, 100)
    second, count = page(s, 100)
    equal((count, second[0]), (454, first[-1]), "a shifted page repeats a row")
    s.control("library-delete", ids=[s.full(1)])
    s.control("library-reorder", id=s.full(9), to=0)
    equal(page(s, 0, 2)[0], [s.full(9), f"{s.user}_456250001"])
    s.control("library-raw", at=1, item={"artist": None})
    equal(s.good("audio.get", count=2)["items"][1], {"artist": None})
    s.control("library-fill", count=10000)
    equal(page(s, 9900)[1], 10000)
    s.control("library-empty")
    equal(page(s, 0)[1], 0)


@check("unknown methods, unknown commands and misspelt members are refused")
def _(s):
    equal(s.code("audio.nothing"), 3)
    for body in ('{"cmd":"nothing"}', '{"cmd":"inject","methd":"x"}', '{"cmd":"media-fault","fault":"x"}', "{"):
        equal(s.http("POST", "/_control", body)[0], 400, body)


@check("the demo account: 14 rows, at least four HLS, one not available, thirty more to find", scenario="demo")
def _(s):
    items = s.good("audio.get", count=200)["items"]
    hls = [item for item in items if "index.m3u8" in item["url"]]
    gone = [item for item in items if not item["url"]]
    equal((len(items), len(hls) >= 4, [item["content_restricted"] for item in gone]), (14, True, [1]))
    assert sum(item["duration"] for item in items) > 600
    equal(len({s.expected(f"{i['owner_id']}_{i['id']}")["sha256"] for i in items if i["url"]}), 13)
    equal(s.good("users.get")[0]["last_name"], "Демо")
    equal(s.good("audio.search", q="кошкин дом")["count"], 5)
