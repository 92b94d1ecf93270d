"""Client profiles and their tokens: token, User-Agent and API version belong together (vk-api.md §0.2, §1.9)."""

import base64
import hashlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Profile:
    """One kind of client: how its User-Agent begins, which API versions it may ask for, whether it still has audio."""

    name: str
    agent: str  # required beginning of the User-Agent
    example: str  # a whole User-Agent that passes
    version: str  # the version a good client sends
    lowest: tuple
    highest: tuple
    audio: bool = True  # False: every audio.* call answers error 3

    def accepts(self, version):
        """Whether `v` parses and lies in range; `5.28` is older than `5.131`."""
        try:
            parts = tuple(int(part) for part in version.split("."))
        except ValueError:
            return False
        return len(parts) == 2 and self.lowest <= parts <= self.highest


PROFILES = {
    profile.name: profile
    for profile in (
        Profile(
            "web",
            "Mozilla/5.0",
            "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
            "5.282",
            (5, 131),
            (5, 999),
        ),
        Profile(
            "android",
            "VKAndroidApp/",
            "VKAndroidApp/8.50-17564 (Android 13; SDK 33; arm64-v8a; Google Pixel 7; ru; 1080x2400)",
            "5.131",
            (5, 131),
            (8, 999),
        ),
        Profile(
            "kate",
            "KateMobileAndroid/",
            "KateMobileAndroid/56 lite-460 (Android 4.4.2; SDK 19; x86; unknown Android SDK built for x86; en)",
            "5.131",
            (5, 95),
            (5, 999),
            audio=False,
        ),
        # vk-api.md gives no User-Agent for Marusia, so any will do.
        Profile("marusia", "", "Marusia/1.0", "5.131", (5, 95), (8, 999)),
        # Somebody's own application: logs in, has no music.
        Profile("app", "", "nyand/0", "5.199", (5, 95), (5, 999), audio=False),
    )
}


@dataclass
class Token:
    """A token and what it is good for. `state`: `ok`, `expired`, `invalid` (session over), `revoked`, `ip`,
    `validation` (17), `confirmation` (25)."""

    text: str
    profile: Profile
    user: int
    state: str = "ok"
    expires: float | None = None  # clock seconds
    secret: str | None = None  # calls must be signed with it


def token_text(profile, user, series=0):
    """A token in VK's new form, the same on every run."""
    seed = f"{profile}/{user}/{series}".encode()
    text = b"".join(hashlib.sha512(seed + bytes([part])).digest() for part in range(2))
    return "vk1.a." + base64.urlsafe_b64encode(text).decode().rstrip("=")
