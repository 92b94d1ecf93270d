"""The account as the login hosts know it: password and second factor, the site's session with its cookies."""

import hashlib
from dataclasses import dataclass, field

from captcha import Captcha
from profiles import PROFILES

# What an application number gives a token of (vk-api.md §1.3). Other numbers are applications without music.
CLIENTS = {"2274003": "android", "6463690": "marusia", "2685278": "kate", "6287487": "web"}
CLIENT_ID = "2274003"  # the one named by the ready line
WITHOUT_SECRET = ("6463690",)
FACTORS = ("2fa_sms", "2fa_app", "2fa_callreset", "2fa_libverify", "2fa_push", "2fa_email")


def invented(*parts, length=24):
    """A text that looks like a secret and is the same on every run."""
    return hashlib.sha256("/".join(map(str, parts)).encode()).hexdigest()[:length]


def client_secret(client):
    """The invented secret of an application."""
    return invented("client", client, length=20)


def profile_of(client):
    """The profile of the tokens an application gets."""
    return PROFILES[CLIENTS.get(client, "app")]


@dataclass
class PasswordLogin:
    """How the password grant answers from now on (command `login`)."""

    second: str | None = None  # need_validation of this type
    code: str = "123456"  # what passes as second factor
    delay: float = 60.0  # seconds between two codes sent by auth.validatePhone
    resend: str = "sms"
    shape: str = "object"  # answer of auth.validatePhone: `object` or `int`
    fail: str | None = None  # flood, bruteforce, or a bare `error` text
    times: int = 1  # how often `fail` is answered
    talkative: bool = False  # answers hold more than they need: trusted_hash, email


@dataclass
class SiteSession:
    """The session of the site in a browser: cookies `remixsid` (may rotate) and `p`.

    `state`: `ok` or `ended`. After a rotation the value before passes once more, unless the new one was used first.
    """

    user: int
    state: str = "ok"
    series: int = 0  # another session of the same account
    turn: int = 0  # rotations so far
    spare: str | None = None  # the value before the last rotation, while it still passes

    def value(self):
        """The present `remixsid`."""
        return f"1_{invented('remixsid', self.user, self.series, self.turn, length=56)}_nyan"

    def mark(self):
        """Cookie `p`."""
        return invented("p", self.user, self.series, length=48)

    def cookies(self):
        """A Cookie header as a browser would send it, with cookies that do not matter."""
        return f"remixlang=0; remixsid={self.value()}; remixdark_color_scheme=0; p={self.mark()}"

    def admits(self, cookies):
        """None when these cookies belong to the session, else what is wrong with them."""
        if "remixsid" not in cookies or "p" not in cookies:
            return f"cookie {'remixsid' if 'remixsid' not in cookies else 'p'} is missing"
        if self.state != "ok":
            return "session has ended"
        if cookies["p"] != self.mark():
            return "cookie p is wrong"
        if cookies["remixsid"] == self.value():
            self.spare = None
            return None
        if cookies["remixsid"] == self.spare:
            self.spare = None
            return None
        return "cookie remixsid is wrong"

    def rotate(self):
        """Another `remixsid`."""
        self.spare = self.value()
        self.turn += 1


@dataclass
class Account:
    """Everything the login hosts know."""

    user: int
    login: str
    password: str
    site: SiteSession
    grant: PasswordLogin = field(default_factory=PasswordLogin)
    captcha: Captcha = field(default_factory=Captcha)  # of the password grant
    failures: list = field(default_factory=list)  # clock seconds of wrong passwords and codes
    sent: dict = field(default_factory=dict)  # validation sid → clock seconds when a code was sent last
    codes: dict = field(default_factory=dict)  # VK ID: code → grant
    refreshes: dict = field(default_factory=dict)  # VK ID: every refresh token given out → its grant
    validations: dict = field(default_factory=dict)  # hash of a validation page → what it leads to
