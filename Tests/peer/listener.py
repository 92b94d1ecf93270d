"""What vkpymusic, a client for listening, makes of scenario `demo`: login, lists, search, playlists, streams."""

import hashlib

import av
import vkpymusic
from vkpymusic.client import Client
from vkpymusic.utils import m3u8converter
from vkpymusic.vk_api import VkApiException, vk_api_extensions

from service import agree


class Redirected:
    """The HTTP library under the peer, led to the look-alike."""

    def __init__(self, service, real):
        self.service, self.real = service, real

    def get(self, url, **more):
        """A GET, its address changed."""
        return self.real.get(self.service.address(url), **more)


def prepare(service):
    """Leads the peer to the look-alike, which then has to accept GET: this client knows nothing else."""
    for module, name in ((vk_api_extensions, "curl_requests"), (m3u8converter, "requests")):
        real = getattr(module, name)
        setattr(module, name, Redirected(service, getattr(real, "real", real)))


def begin(service):
    """A client that holds the token of profile `android`."""
    service.control("set", get="allow", rate_limit=0)
    known = service.ready["tokens"]["android"]
    return vkpymusic.Service(known["user-agent"], known["token"])


def full(song):
    """The full id of a song."""
    return f"{song.owner_id}_{song.track_id}"


def signs_in_and_lists(service):
    """the token is good, and the list is the library"""
    client = begin(service)
    agree(client.is_token_valid(), True, "token")
    agree(client.get_user_info().userid, service.user, "user")
    agree(client.get_count_by_user_id(service.user), 14, "count")
    songs = client.get_songs_by_userid(service.user, 200)
    rows = service.page("/_library")
    agree([full(song) for song in songs], [row["id"] for row in rows], "ids")
    agree([(s.artist, s.title) for s in songs], [(row["artist"], row["title"]) for row in rows], "words")
    half = [*client.get_songs_by_userid(service.user, 7), *client.get_songs_by_userid(service.user, 7, 7)]
    agree([full(song) for song in half], [row["id"] for row in rows], "two pages")


def reads_lists_of_others(service):
    """friends' and communities' lists are theirs; a hidden one is known to be hidden"""
    client = begin(service)
    for owner in (100501, 100502, -200600):
        agree([full(song) for song in client.get_songs_by_userid(owner)], service.library(owner), f"list of {owner}")
    service.control("owner", owner=100501, code=201)
    agree(client.get_count_by_user_id(100501), -1, "hidden list")


def finds(service):
    """search, charts, albums and recommendations hold what they should, and tracks can be asked for by id"""
    client = begin(service)
    songs = client.search_songs_by_text("кошкин дом", 100)
    agree(len(songs), 5, "found")
    own = [full(song) for song in songs if int(song.owner_id) == service.user]
    agree([full(song) for song in client.get_songs_by_id(own)], own, "by id")
    agree(len(client.get_popular(10)), 9, "chart")
    album = client.search_albums_by_text("low tide")[0]
    agree(len(client.get_songs_by_playlist(album)), album.count, "tracks of an album")
    agree([item.title for item in client.search_playlists_by_text("мурлыкалки")], ["Мурлыкалки"], "playlists")
    agree(len(client.get_recent_songs()), 6, "showcase")
    agree(len(client.get_recommendations(count=10)), 10, "recommendations")


def reads_playlists(service):
    """playlists have the names, sizes and tracks they should have"""
    client = begin(service)
    playlists = {
        f"{item.owner_id}_{item.playlist_id}": item for item in client.get_playlists_by_userid(service.user, 50)
    }
    known = service.playlists()
    agree(list(playlists), list(known), "playlists")
    for number, playlist in playlists.items():
        agree(playlist.title, known[number]["title"], "title")
        songs = [full(song) for song in client.get_songs_by_playlist(playlist, 200)]
        agree(songs, service.playlists()[number]["tracks"], playlist.title)


def logs_in(service):
    """the password grant: wrong password, captcha by page, second factor, then a token with music"""
    begin(service)
    ready = service.ready
    app = Client(ready["tokens"]["android"]["user-agent"], ready["client-id"], ready["client-secret"])
    wrong = vkpymusic.TokenReceiver(ready["login"], "wrong", app)
    agree(wrong.auth(on_invalid_client=lambda: None), False, "wrong password")
    service.control("login", second="2fa_app", code="654321")
    service.control("login-captcha", form="new")
    codes = iter(("111111", "654321"))
    receiver = vkpymusic.TokenReceiver(ready["login"], ready["password"], app)
    agree(receiver.auth(on_captcha=service.press, on_2fa=lambda: next(codes)), True, "login")
    client = vkpymusic.Service(app.user_agent, receiver.get_token())
    agree(client.get_count_by_user_id(service.user), 14, "count with the new token")


def understands_refusals(service):
    """a token with another client's User-Agent shows the placeholder; errors have the codes they should have"""
    begin(service)
    known = service.ready["tokens"]
    mixed = vkpymusic.Service(known["kate"]["user-agent"], known["android"]["token"])
    agree([full(song) for song in mixed.get_songs_by_userid(service.user)], ["100_1"], "placeholder")
    client = vkpymusic.Service(known["kate"]["user-agent"], known["kate"]["token"])
    for state, code in (("ok", 3), ("expired", 1117), ("revoked", 5)):
        service.control("token", profile="kate", state=state)
        try:
            client.get_songs_by_userid(service.user)
        except VkApiException as problem:
            agree(problem.error_code, code, state)
        else:
            agree("no error", code, state)


def takes_streams(service):
    """HLS put together by the peer holds the bytes the look-alike promises"""
    client = begin(service)
    songs = [song for song in client.get_songs_by_userid(service.user) if "index.m3u8" in song.url][:2]
    agree(len(songs), 2, "HLS tracks")
    for song in songs:
        m3u8converter.download_m3u8(song.url, "stream.ts")
        with av.open("stream.ts") as container:
            stream = container.streams.audio[0]
            body = b"".join(bytes(packet) for packet in container.demux(stream) if packet.size)
        wanted = service.page(f"/_expected/{full(song)}")
        agree((len(body), hashlib.sha256(body).hexdigest()), (wanted["bytes"], wanted["sha256"]), song.title)


CHECKS = (
    signs_in_and_lists,
    reads_lists_of_others,
    finds,
    reads_playlists,
    logs_in,
    understands_refusals,
    takes_streams,
)
