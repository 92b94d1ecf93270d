"""Checks of playlists, lyrics, people, recommendations, broadcast, upload and execute."""

import json
import time
import urllib.parse

from selftest import check, equal


def ids(answer):
    """Full ids of a page."""
    return [f"{item['owner_id']}_{item['id']}" for item in answer["items"]]


def lists(s, **more):
    """id → playlist of audio.getPlaylists."""
    return {item["id"]: item for item in s.good("audio.getPlaylists", **more)["items"]}


@check("playlists: pages, filters, missing photo and key, followed ones and their originals")
def _(s):
    s.control("set", rate_limit=0)
    mine = lists(s)
    equal(list(mine), [90001, 90002, 90003, 90004, 90005, 90006, 90007, 90008, -21])
    equal(("photo" in mine[90001], "photo" in mine[90002], "access_key" in mine[90003]), (True, False, False))
    equal((mine[90007]["original"]["owner_id"], mine[90007]["is_following"], mine[90007]["count"]), (77, True, 3))
    equal([len(lists(s, filters=name)) for name in ("owned", "followed", "albums")], [7, 2, 1])
    page = s.good("audio.getPlaylists", count=2, offset=8)
    equal((page["count"], [item["id"] for item in page["items"]], "next_from" in page), (9, [-21], False))
    equal(s.good("audio.getPlaylists", count=2)["next_from"], "2")
    equal(s.code("audio.getPlaylists", owner_id=201), 201)
    assert "audios" not in s.good("audio.getPlaylistById", owner_id=s.user, playlist_id=90001)


@check("the tracks of playlists: own, foreign by key, albums, generated ones another time another")
def _(s):
    s.control("set", rate_limit=0)
    own = {"owner_id": s.user, "album_id": 90001}
    equal(ids(s.good("audio.get", **own)), [s.full(n) for n in range(1, 6)])
    equal(s.good("audio.get", owner_id=s.user, playlist_id=90005, count=500)["count"], 300)
    equal(ids(s.good("audio.get", owner_id=77, album_id=70002)), ["77_500002", "77_500001"])
    equal(s.code("audio.get", owner_id=77, album_id=70001), 15)
    key = lists(s)[90007]["original"]["access_key"]
    equal(s.good("audio.get", owner_id=77, album_id=70001, access_key=key)["count"], 3)
    equal(s.code("audio.get", owner_id=77, album_id=1), 104)
    album = lists(s)[90008]["original"]
    ask = {"owner_id": album["owner_id"], "album_id": album["playlist_id"], "access_key": album["access_key"]}
    assert s.good("audio.get", **ask)["count"] > 30
    daily = {"owner_id": s.user, "album_id": -21}
    assert ids(s.good("audio.get", **daily)) != ids(s.good("audio.get", **daily))
    equal(s.code("audio.followPlaylist", owner_id=s.user, playlist_id=-21), 15)
    whole = s.good("execute.getPlaylist", owner_id=s.user, id=90005, audio_count=50, need_playlist=1)
    equal((len(whole["audios"]), len(whole["playlist"]["audios"])), (50, 3))


@check("playlists are made, renamed, filled to the cap, emptied, followed and deleted")
def _(s):
    s.control("set", rate_limit=0, playlist_cap=4)
    made = s.good("audio.createPlaylist", owner_id=s.user, title="Новый", audio_ids=f"{s.full(1)},{s.full(2)}")
    ask = {"owner_id": s.user, "playlist_id": made["id"]}
    equal((made["count"], list(lists(s))[0], s.code("audio.createPlaylist", title=" ")), (2, made["id"], 100))
    equal(s.good("audio.editPlaylist", title="Другой", **ask), 1)
    answer = s.good("audio.addToPlaylist", audio_ids=f"{s.full(3)},{s.full(1)}", **ask)
    equal([item["audio_id"] for item in answer], [s.full(3), s.full(1)])
    equal(s.code("audio.addToPlaylist", audio_ids=f"{s.full(4)},{s.full(5)}", **ask), 300)
    equal(s.good("audio.removeFromPlaylist", audio_ids=s.full(2), **ask), 1)
    shown = next(item for item in s.get("/_playlists") if item["id"] == f"{s.user}_{made['id']}")
    equal((shown["title"], shown["tracks"]), ("Другой", [s.full(1), s.full(3)]))
    equal(s.good("audio.deletePlaylist", **ask), 1)
    equal(s.code("audio.deletePlaylist", **ask), 104)
    entry = s.good("audio.followPlaylist", owner_id=77, playlist_id=70002)
    equal(entry, s.good("audio.followPlaylist", owner_id=77, playlist_id=70002))
    equal(ids(s.good("audio.get", owner_id=s.user, album_id=entry["playlist_id"]))[0], "77_500002")
    equal(s.good("audio.deletePlaylist", owner_id=77, playlist_id=70002), 1)
    assert entry["playlist_id"] not in lists(s) and 70002 in lists(s, owner_id=77)
    equal(s.good("audio.deletePlaylist", owner_id=77, playlist_id=70001), 1)  # the seeded entry 90007 follows it
    equal(s.code("audio.deletePlaylist", owner_id=77, playlist_id=70001), 15)


@check("lyrics: timed, plain, by old and new id, none")
def _(s):
    s.control("set", rate_limit=0)
    timed = s.good("audio.getLyrics", audio_id=s.full(1))["lyrics"]
    equal(timed["timestamps"][0], {"begin": 200, "end": 1000, "line": "Раз — и сидит на крыше"})
    equal(s.good("audio.getLyrics", audio_id=s.full(2))["lyrics"]["text"][1], "")
    row = s.good("audio.get", profile="android", count=1)["items"][0]
    equal(s.good("audio.getLyrics", profile="android", lyrics_id=row["lyrics_id"])["text"][:3], "Раз")
    assert s.good("audio.get", count=1)["items"][0]["has_lyrics"] is True
    equal((s.code("audio.getLyrics", audio_id=s.full(3)), s.code("audio.getLyrics")), (104, 100))


@check("friends, groups, short addresses")
def _(s):
    s.control("set", rate_limit=0)
    equal(s.good("friends.get"), {"count": 6, "items": [77, 100000, 201, 30, 18, 19]})
    people = s.good("friends.get", fields="photo_200")["items"]
    equal([p.get("deactivated") for p in people], [None, None, None, None, "deleted", "banned"])
    equal(
        (s.good("groups.get")["items"], s.good("groups.get", extended=1)["items"][0]["name"]),
        ([88, 15], "Открытая группа"),
    )
    equal(s.good("groups.getById", group_ids="open_group")["groups"][0]["id"], 88)
    equal(s.good("groups.getById", profile="android", group_ids="club88,15")[1]["id"], 15)
    equal(s.code("groups.getById", group_ids="nobody"), 100)
    equal(s.good("utils.resolveScreenName", screen_name="archive"), {"type": "user", "object_id": 100000})
    equal(s.good("utils.resolveScreenName", screen_name="open_group")["type"], "group")
    equal((s.good("utils.resolveScreenName", screen_name="nobody"), s.good("users.get", user_ids="nobody")), ([], []))
    equal([p["id"] for p in s.good("users.get", user_ids="open_friend,id201")], [77, 201])


@check("recommendations, the chart and mixes")
def _(s):
    s.control("set", rate_limit=0)
    ask = {"target_audio": s.full(1), "count": 10}
    first = s.good("audio.getRecommendations", **ask)
    equal((len(first["items"]), ids(first)), (10, ids(s.good("audio.getRecommendations", **ask))))
    assert ids(s.good("audio.getRecommendations", shuffle=1)) != ids(s.good("audio.getRecommendations", shuffle=1))
    s.control("set", recommendations_shape="audios")
    equal(len(s.good("audio.getRecommendations", count=3)["audios"]), 3)
    equal(
        (len(s.good("audio.getPopular", count=10)), len(s.good("audio.getStreamMixAudios", mix_id="common"))), (9, 10)
    )


@check("albums, playlists and artists are found; the showcase holds a block nobody knows")
def _(s):
    s.control("set", rate_limit=0)
    album = s.good("audio.searchAlbums", q="альбом")["items"][0]
    place = {"owner_id": album["owner_id"], "album_id": album["id"], "access_key": album["access_key"]}
    equal(s.good("audio.get", count=1, **place)["count"], album["count"])
    equal([item["id"] for item in s.good("audio.searchPlaylists", q="группы")["items"]], [80001])
    artist = s.good("audio.searchArtists", q="исполнитель")["items"][0]["id"]
    equal(s.good("audio.getArtistById", artist_id=artist)["name"], "Исполнитель")
    equal(s.good("audio.getAudiosByArtist", artist_id=artist)["count"], 30)
    equal(s.good("audio.getAlbumsByArtist", artist_id=artist)["items"][0]["id"], album["id"])
    equal(s.code("audio.getArtistById", artist_id="x"), 104)
    equal(len(s.good("audio.getSearchSuggestions", query="found")["suggestions"]), 6)
    blocks = s.good("catalog.getAudio", need_blocks=1)["catalog"]["sections"][0]["blocks"]
    equal([block["data_type"] for block in blocks], ["music_audios", "something_new"])


@check("reorder, edit, broadcast")
def _(s):
    s.control("set", rate_limit=0)
    number = {n: 456240000 - n for n in range(1, 80)}
    equal(s.good("audio.reorder", audio_id=number[5], before=number[2]), 1)
    equal(s.good("audio.reorder", audio_id=number[1], after=number[4]), 1)
    wanted = [s.full(n) for n in (5, 2, 3, 4, 1, 6)]
    equal(ids(s.good("audio.get", count=6)), wanted)
    equal(
        (s.code("audio.reorder", audio_id=number[1]), s.code("audio.reorder", audio_id=1, after=number[4])), (100, 15)
    )
    lyrics = s.good("audio.edit", audio_id=number[4], title="Другое", text="раз\nдва", owner_id=s.user)
    equal(s.good("audio.getLyrics", lyrics_id=lyrics)["text"], "раз\nдва")
    equal(s.code("audio.edit", audio_id=number[1], title="x", owner_id=s.user), 15)
    equal(s.good("audio.setBroadcast", audio=s.full(3)), [s.user])
    equal(s.get("/_broadcast"), {"audio": s.full(3), "targets": [s.user], "calls": 1})
    s.good("audio.setBroadcast")
    equal(s.get("/_broadcast")["audio"], None)
    s.control("set", broadcast=False)
    equal(s.code("audio.setBroadcast", audio=s.full(3)), 221)


@check("upload: server, file, save")
def _(s):
    s.control("set", rate_limit=0)
    place = urllib.parse.urlsplit(s.good("audio.getUploadServer")["upload_url"])
    file = s.work / "Ня - Своя.mp3"
    file.write_bytes(b"ID3" + bytes(2000))
    _, _, body = s.curl("-F", f"file=@{file}", f"{s.base}{place.path}?{place.query}")
    sent = json.loads(body)
    equal(s.code("audio.save", **sent | {"hash": "x"}), 121)
    saved = s.good("audio.save", **sent)
    equal((saved["artist"], saved["title"], saved["owner_id"]), ("Ня", "Своя", s.user))
    equal(s.code("audio.save", **sent), 123)
    equal(s.get("/_library")[0]["title"], "Своя")


@check("execute: lists of calls, variables, errors beside, 25 at most, one request for the rate")
def _(s):
    calls = f'API.users.get({{"user_ids": {s.user}}}), API.audio.get({{count: 2}}), API.audio.getById({{audios: "x"}})'
    code = f"return [{calls}];"
    answer = s.call("execute", code=code)
    equal(
        (answer["response"][0][0]["id"], len(answer["response"][1]["items"]), answer["response"][2]), (s.user, 2, False)
    )
    equal([(e["method"], e["error_code"]) for e in answer["execute_errors"]], [("audio.getById", 100)])
    s.control("set", rate_limit=0)
    code = (
        'var a = API.audio.get({count: 3}); return {"ids": a.items@.id, "n": a.count - 3, "t": "n=" + a.items.length};'
    )
    equal(s.good("execute", code=code), {"ids": [456239999, 456239998, 456239997], "n": 450, "t": "n=3"})
    code = "var n = 0, s = []; while (n < 3) { if (n != 1) { s.push(n * 2); } else s = s + [9]; n = n + 1; } return s;"
    equal(s.good("execute", code=code), [0, 9, 4])
    equal(s.code("execute", code="while (true) {}"), 13)
    many = ",".join(["API.audio.getCount({owner_id: 77})"] * 25)
    equal(s.good("execute", code=f"return [{many}];"), [5] * 25)
    equal(s.code("execute", code=f"return [{many}, API.users.get()];"), 13)
    equal(
        (s.code("execute", code="return [;"), s.code("execute", code=""), s.code("execute", code="return x;")),
        (12, 12, 13),
    )
    equal(s.call("execute", profile="kate", code="return API.audio.get();")["execute_errors"][0]["error_code"], 3)
    equal(s.good("execute", agent="curl", code="return API.audio.get();")["items"][0]["owner_id"], 100)
    s.control("set", execute_cap=1000)
    equal(s.code("execute", code="return API.audio.get();"), 13)


@check("long lists: 10,000 own rows and 100,000 of somebody else, at once")
def _(s):
    s.control("set", rate_limit=0)
    begun = time.monotonic()
    s.control("library-fill", count=10000)
    page = s.good("audio.get", count=200, offset=9800)
    equal((page["count"], len(page["items"])), (10000, 200))
    equal(len({item["title"] for item in page["items"]}), 200)
    s.good("audio.getById", audios=",".join(ids(page)[:100]))
    page = s.good("audio.get", owner_id=100000, count=200, offset=99900)
    equal((page["count"], len(page["items"])), (100000, 100))
    equal(len(s.good("audio.getById", audios=",".join(ids(page)))), 100)
    assert time.monotonic() - begun < 3, time.monotonic() - begun


@check("the demo account has playlists, words, friends and a community", scenario="demo")
def _(s):
    s.control("set", rate_limit=0)
    mine = lists(s)
    equal([mine[90001]["title"], mine[90005]["original"]["owner_id"] < 0], ["Утро с котом ☕", True])
    for number, playlist in mine.items():
        page = s.good("audio.get", owner_id=s.user, album_id=number)
        assert page["count"] >= 1 and (number < 0 or playlist["count"] == page["count"]), playlist["title"]
    friends = s.good("friends.get", fields="photo_200")["items"]
    equal([s.good("audio.get", owner_id=friend["id"])["count"] for friend in friends], [10, 8])
    group = s.good("groups.get", extended=1)["items"][0]["id"]
    equal(s.good("audio.get", owner_id=-group)["count"], 16)
    rows = [item for item in s.good("audio.get")["items"] if item.get("has_lyrics")]
    equal(
        [sorted(s.good("audio.getLyrics", audio_id=f"{s.user}_{row['id']}")["lyrics"])[1] for row in rows],
        ["timestamps", "text"],
    )
