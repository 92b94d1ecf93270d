"""What vk_api, a client for every method, makes of scenario `test`: changes, playlists, errors, batches."""

import requests
import vk_api
from requests.adapters import HTTPAdapter

from service import agree


class ToLookAlike(HTTPAdapter):
    """Leads requests for VK's hosts to the look-alike."""

    def __init__(self, service):
        super().__init__()
        self.service = service

    def send(self, request, **more):
        """One request, its address changed."""
        request.url = self.service.address(request.url)
        return super().send(request, **more)


def begin(service, **more):
    """A client that holds the token of profile `web`; its own pacing stays on."""
    session = requests.Session()
    session.mount("https://", ToLookAlike(service))
    session.headers["User-Agent"] = service.ready["user-agent"]
    known = service.ready
    return vk_api.VkApi(token=known["token"], api_version=known["version"], session=session, **more)


def ids(rows):
    """Full ids of rows."""
    return [f"{row['owner_id']}_{row['id']}" for row in rows]


def reads_everything(service):
    """all pages together are the library, at the peer's own pace and never too fast"""
    api = begin(service).get_api()
    agree(api.users.get()[0]["id"], service.user, "user")
    rows, offset, count = [], 0, 1
    while offset < count:
        page = api.audio.get(count=200, offset=offset)
        rows, offset, count = rows + page["items"], offset + (len(page["items"]) or 200), page["count"]
    agree(list(dict.fromkeys(ids(rows))), service.library(), "ids")
    agree(count, 453, "count, blocked rows too")
    outcomes = {entry["outcome"] for entry in service.page("/_log?kind=api")}
    agree(outcomes, {"ok"}, "outcomes")


def changes_the_library(service):
    """added, moved, removed and restored tracks stand where they should"""
    service.control("set", rate_limit=0)
    session = begin(service)
    session.RPS_DELAY = 0
    api, before = session.get_api(), service.library()
    found = api.audio.search(q="found song 07", count=1)["items"][0]
    answer = api.audio.add(owner_id=found["owner_id"], audio_id=found["id"], access_key=found["access_key"])
    new = answer["items"][0]["new_audio_id"]
    agree([f"{service.user}_{new}", *before], service.library(), "after add")
    agree(ids(api.audio.get(count=2)["items"]), service.library()[:2], "head")
    third = int(before[2].partition("_")[2])
    agree(api.audio.reorder(audio_id=new, after=third), 1, "reorder")
    agree([*before[:3], f"{service.user}_{new}", *before[3:]], service.library(), "after reorder")
    api.audio.delete(owner_id=service.user, audio_id=new)
    agree(before, service.library(), "after delete")
    agree(api.audio.restore(owner_id=service.user, audio_id=new)["id"], new, "restored")
    agree(service.library()[3], f"{service.user}_{new}", "after restore")


def keeps_playlists(service):
    """a playlist lives from its creation to its end"""
    service.control("set", rate_limit=0)
    session = begin(service)
    session.RPS_DELAY = 0
    api, rows = session.get_api(), service.library()
    made = api.audio.createPlaylist(owner_id=service.user, title="От соседа", audio_ids=",".join(rows[:2]))
    place = {"owner_id": service.user, "playlist_id": made["id"]}
    name = f"{service.user}_{made['id']}"
    api.audio.addToPlaylist(audio_ids=rows[5], **place)
    api.audio.removeFromPlaylist(audio_ids=rows[0], **place)
    api.audio.editPlaylist(title="Другое имя", **place)
    agree(service.playlists()[name]["tracks"], [rows[1], rows[5]], "tracks")
    agree(api.audio.getPlaylistById(**place)["title"], service.playlists()[name]["title"], "title")
    agree(ids(api.audio.get(owner_id=service.user, album_id=made["id"])["items"]), [rows[1], rows[5]], "read")
    listed = [f"{item['owner_id']}_{item['id']}" for item in api.audio.getPlaylists(owner_id=service.user)["items"]]
    agree(listed, list(service.playlists()), "playlists")
    api.audio.deletePlaylist(**place)
    agree(name in service.playlists(), False, "after its end")


def answers_captchas(service):
    """captchas of both forms are answered by the peer's own handler, and nothing is done twice"""
    service.control("set", rate_limit=0)
    asked = []

    def answer(captcha):
        asked.append(captcha.redirect_uri or captcha.get_url())
        if captcha.redirect_uri:
            return captcha.try_again(success_token=service.press(captcha.redirect_uri))
        return captcha.try_again("wrong" if len(asked) == 1 else "nyan")

    session = begin(service, captcha_handler=answer)
    before = len(service.library())
    row = service.library()[0].partition("_")[2]
    for form in ("old", "new"):
        service.control("captcha", form=form, method="audio.add")
        session.method("audio.add", {"owner_id": service.user, "audio_id": row})
    agree((len(service.library()) - before, len(asked)), (2, 3), "copies and captchas")


def recovers_from_haste(service):
    """error 6 makes the peer wait and try again; other errors come out with their codes"""
    session = begin(service)
    session.RPS_DELAY = 0
    for _ in range(6):
        agree(session.method("audio.getCount", {"owner_id": service.user}), 453, "count")
    outcomes = [entry["outcome"] for entry in service.page("/_log?kind=api")]
    agree("error 6" in outcomes, True, "too fast at least once")
    service.control("set", rate_limit=0)
    for owner, code in ((201, 201), (18, 18), (30, 30)):
        try:
            session.method("audio.get", {"owner_id": owner})
        except vk_api.ApiError as problem:
            agree(problem.code, code, f"list of {owner}")
        else:
            agree("no error", code, f"list of {owner}")


def batches(service):
    """the peer's pool sends many calls in one execute and tells good from failed ones"""
    session = begin(service)
    with vk_api.VkRequestsPool(session) as pool:
        good = pool.method("audio.get", {"count": 3})
        bad = pool.method("audio.getById", {"audios": "nonsense"})
        named = pool.method("users.get", {"user_ids": "open_friend"})
    agree(ids(good.result["items"]), service.library()[:3], "first call")
    agree((bad.ok, bad.error["error_code"]), (False, 100), "second call")
    agree(named.result[0]["id"], 77, "third call")
    agree(service.page("/_stats")["requests"]["api"], 1, "requests")


def reads_in_loops(service):
    """the peer's own VKScript reads thousands of rows with a few requests"""
    service.control("set", rate_limit=0)
    rows = vk_api.VkTools(begin(service)).get_all("audio.get", 200, {"owner_id": 100000}, limit=9000)["items"]
    top = 457000000
    agree(ids(rows), [f"100000_{top - place}" for place in range(10000)], "rows")
    agree(service.page("/_stats")["requests"]["api"], 2, "requests")


CHECKS = (
    reads_everything,
    changes_the_library,
    keeps_playlists,
    answers_captchas,
    recovers_from_haste,
    batches,
    reads_in_loops,
)
