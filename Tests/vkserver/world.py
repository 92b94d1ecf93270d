"""The whole state of the pretended service. `reset` throws it away and seeds it again."""

from account import Account, SiteSession
from captcha import Captcha
from clock import Clock
from faults import HLSShape, MediaFaults
from inject import Injections, Triggers
from journal import Journal
from links import Links
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
        self.rows = list(rows)
        self.deleted = {}  # full id → (track, place, clock seconds)
        self.raw = {}  # place → object given out as it stands, for damaged rows

    def find(self, full):
        """Place of a track, or None."""
        return next((place for place, track in enumerate(self.rows) if track.full == full), None)


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
        self.injections, self.triggers, self.captcha = Injections(), Triggers(), Captcha()
        seed = self.scenario.seed()
        self.user = seed.user
        self.account = Account(seed.user, seed.login, seed.password, SiteSession(seed.user))
        self.people = dict(seed.people)
        self.refusals = dict(seed.refusals)  # owner → error code of reading his music
        self.libraries = {owner: Library(rows) for owner, rows in seed.libraries.items()}
        self.catalogue = {track.full: track for track in seed.catalogue}
        self.next_id = seed.next_id
        self.tokens = {}
        self.calls = {}  # token → times of accepted calls
        self.serial = 0
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
        for library in self.libraries.values():
            place = library.find(full)
            if place is not None:
                return library.rows[place]
        return self.catalogue.get(full)

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

    def audio(self, track, where="list"):
        """The JSON object of a track."""
        self.serial += 1
        return audio_object(track, self.address(track, where), self.seconds(track), self.hosts["cdn"], self.serial)

    def shape(self, full):
        """How the HLS playlist of a track looks."""
        return self.hls_shapes.get(full, self.hls_shapes["*"])

    def replace(self, full, track):
        """Puts another row in a track's place."""
        for library in self.libraries.values():
            place = library.find(full)
            if place is not None:
                library.rows[place] = track
        if full in self.catalogue:
            self.catalogue[full] = track
