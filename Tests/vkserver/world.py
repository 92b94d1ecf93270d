"""The whole state of the pretended service. `reset` throws it away and seeds it again."""

from account import Account, SiteSession
from captcha import Captcha
from clock import Clock
from crowds import Crowd
from faults import HLSShape, MediaFaults
from inject import Injections, Triggers
from journal import Journal
from limits import Limits
from links import Links
from playlists import Playlist, Playlists
from profiles import PROFILES, Token, token_text
from tracks import audio_object

SETTINGS = {
    "get": "error",  # API calls by GET: `error` (9999) or `allow`
    "page-cap": 200,  # most items of one audio.get page
    "search-cap": 300,
    "rate-limit": 3,  # calls in any second and token; 0 = off
    "link-lifetime": 3600.0,  # seconds
    "list-links": "signed",  # `signed`, `expired`, `empty`: urls in audio.get and audio.search
    "expired-answer": 403,  # 403, 404, 410 or 302 (to a page that answers 200 with HTML)
    "bandwidth": 0,  # bytes/s of every media connection; 0 = free
    "gzip": False,  # compress API answers for clients that accept it
    "latency": 0.0,  # seconds before every API answer
    "add-shape": "auto",  # `auto` by version, `int`, `object`
    "delete-shape": "auto",
    "by-id-shape": "array",  # `array` or `items`
    "version-answer": "error",  # unsupported `v`: `error` (8) or `empty` lists
    "recommendations-shape": "items",  # or `audios`
    "playlists-page-cap": 100,  # most items of one audio.getPlaylists page
    "playlist-cap": 1000,  # most tracks of one playlist
    "playlist-add-at": "end",  # or `head`: where audio.addToPlaylist puts tracks
    "execute-cap": 5 << 20,  # bytes of an execute answer, more is 13
    "broadcast": True,  # False: audio.setBroadcast answers 221
    "restore-time": 1200.0,  # seconds a deleted track can be brought back
    "web-token-lifetime": 900.0,  # seconds
    "expires-form": "absolute",  # `expires` of web tokens: `absolute` Unix time, or `left` seconds
    "rotate-session": False,  # every web token comes with another remixsid
    "deletion-cookies": True,  # a refused web token comes with cookie deletions
    "cookie-domain": ".vk.ru",  # of Set-Cookie; "" leaves it out
    "password-limit": 5,  # wrong passwords or codes an hour before the grant is locked; 0 = off
    "authorize": "allow",  # what the person at the authorize page does: `allow` or `deny`
    "validation": "success",  # how a validation page ends: `success`, `fail`, `cancel`
    "redirect-api": 0,  # 301, 302, 303, 307, 308: this host of the first port answers so, to the second port
    "redirect-login": 0,
    "redirect-oauth": 0,
    "redirect": False,  # media addresses answer 302 to the second host first
}


class Library:
    """One owner's list, newest first, and what was taken off it."""

    def __init__(self, rows):
        self.rows = rows if isinstance(rows, Crowd) else list(rows)
        self.deleted = {}  # full id → (track, place, clock seconds)
        self.raw = {}  # place → object given out as it stands, for damaged rows

    def find(self, full):
        """Place of a track, or None."""
        owner, _, number = full.partition("_")
        owner, number = int(owner), int(number)
        if isinstance(self.rows, Crowd):
            return self.rows.find(number) if owner == self.rows.owner else None
        fitting = (place for place, track in enumerate(self.rows) if track.id == number and track.owner == owner)
        return next(fitting, None)


class World:
    """Everything a request can see or change."""

    def __init__(self, scenario, shelf, hosts):
        self.scenario, self.shelf, self.hosts = scenario, shelf, hosts
        self.reset()

    def reset(self):
        """Back to the seed: library, settings, faults, clock, log, addresses, tokens."""
        self.clock = Clock()
        self.settings = dict(SETTINGS)
        self.journal = Journal()
        self.links = Links(self.clock)
        self.media_faults = MediaFaults()
        self.hls_shapes = {"*": HLSShape()}
        self.limits = Limits(self.clock)
        self.injections, self.triggers, self.captcha = Injections(), Triggers(), Captcha()
        seed = self.scenario.seed()
        self.user = seed.user
        self.account = Account(seed.user, seed.login, seed.password, SiteSession(seed.user))
        self.people = dict(seed.people)
        self.friends, self.groups = tuple(seed.friends), dict(seed.groups)
        self.member_of = tuple(seed.member_of)
        self.playlists = Playlists(seed.playlists)
        self.broadcast = {"audio": None, "targets": [], "calls": 0}
        self.uploads = {}  # mark of an upload address → (file name, hash) once a file came
        self.refusals = dict(seed.refusals)  # owner → error code of reading his music
        self.libraries = {owner: Library(rows) for owner, rows in seed.libraries.items()}
        self.catalogue = {track.full: track for track in seed.catalogue}
        self.next_id = seed.next_id
        self.tokens = {}
        self.calls = {}  # token → times of accepted calls
        self.serial = 0
        self.filled = 0  # rows made by library-fill
        for profile in PROFILES.values():
            self.add_token(Token(token_text(profile.name, self.user), profile, self.user))

    def add_token(self, token):
        """Makes a token known."""
        self.tokens[token.text] = token

    def mint(self, profile, lifetime=None):
        """A new token of the account; `lifetime` in seconds, None = endless."""
        token = Token(token_text(profile.name, self.user, len(self.tokens)), profile, self.user)
        if lifetime is not None:
            token.expires = self.clock.now() + lifetime
        self.add_token(token)
        return token

    def next_serial(self):
        """A number that no answer of this run has had."""
        self.serial += 1
        return self.serial

    def track(self, full):
        """A track of any library or of the catalogue, by full id."""
        library = self.libraries.get(int(full.partition("_")[0]))
        place = library.find(full) if library else None
        return self.catalogue.get(full) if place is None else library.rows[place]

    def seconds(self, track):
        """Length of a track's recording, rounded."""
        return round(self.shelf.recording(track.media).stream.seconds) if track.media else 180

    def address(self, track, where):
        """The `url` of a track; `where` is `list`, `id`, or `locked` (by id without the key it needs)."""
        if where == "locked" or track.link == "empty" or (track.link == "late" and where == "list"):
            return ""
        if track.link == "absent":
            return None
        if track.link == "placeholder":
            return "https://vk.com/mp3/audio_api_unavailable.mp3"
        mode = self.settings["list-links"] if where == "list" else "signed"
        if mode == "empty" or not track.media:
            return ""
        link = self.links.mint(track, -1 if mode == "expired" else self.settings["link-lifetime"])
        path = link.path.replace("/cdn/s/", "/cdn/sample/s/") if track.link == "sample" else link.path
        return self.hosts["cdn"] + path

    def audio(self, track, where="list", modern=True):
        """The JSON object of a track; `modern`: as newer API versions show it."""
        url, serial = self.address(track, where), self.next_serial()
        return audio_object(track, url, self.seconds(track), self.hosts["cdn"], serial, modern)

    def album(self, owner, number):
        """The licensed album at a place as a playlist, made of every track that names it; None without such a track."""
        every = [*self.libraries[self.user].rows, *self.catalogue.values()]
        rows = [track for track in every if track.album and (track.album.owner, track.album.id) == (owner, number)]
        if not rows:
            return None
        album = rows[0].album
        return Playlist(number, owner, album.title, rows, album.artist, album.cover, album=True, year=2024)

    def person(self, number, fields=()):
        """The JSON object of a person with the members asked for."""
        person = dict(self.people[number])
        picture, name = person.pop("picture", None), person.pop("screen_name", None)
        if "photo_200" in fields and picture:
            person["photo_200"] = f"{self.hosts['cdn']}/cdn/covers/{picture}-270.jpg"
        if "screen_name" in fields and name:
            person["screen_name"] = name
        if "counters" in fields:
            library = self.libraries.get(number)
            person["counters"] = {"audios": len(library.rows) if library else 0}
        return person

    def group(self, number):
        """The JSON object of a community (positive number)."""
        group = dict(self.groups[number])
        picture = group.pop("picture", None) or "dawn"
        return group | {
            f"photo_{size}": f"{self.hosts['cdn']}/cdn/covers/{picture}-{size}.jpg" for size in (50, 100, 200)
        }

    def shape(self, full):
        """How the HLS playlist of a track looks."""
        return self.hls_shapes.get(full, self.hls_shapes["*"])

    def replace(self, full, track):
        """Puts another row in a track's place."""
        library = self.libraries.get(track.owner)
        place = library.find(full) if library else None
        if place is not None:
            library.rows[place] = track
        for playlist in self.playlists.all():
            playlist.rows[:] = [track if row.full == full else row for row in playlist.rows]
        if full in self.catalogue:
            self.catalogue[full] = track
