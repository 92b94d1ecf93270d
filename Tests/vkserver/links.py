"""Signed, passing media addresses: minted anew for every answer, dead after a while (vk-api.md §4.1, §4.5)."""

import hashlib
from dataclasses import dataclass


@dataclass
class Link:
    """One minted address: which track it leads to and until when (clock seconds)."""

    token: str
    full: str  # track id it was minted for
    media: str
    hls: bool
    expires: float

    @property
    def path(self):
        """Path and query, in VK's newer form."""
        if self.hls:
            return f"/cdn/s/v1/ac/{self.token}/index.m3u8?siren=1"
        return f"/cdn/s/v1/acmp/{self.token}.mp3?siren=1"


class Links:
    """All addresses given out so far."""

    def __init__(self, clock):
        self.clock = clock
        self.minted = {}

    def mint(self, track, lifetime):
        """A fresh address for a track; `lifetime` in seconds, 0 or less is born dead."""
        expires = self.clock.now() + lifetime
        serial = len(self.minted) + 1
        mark = hashlib.sha256(f"{serial}/{track.full}".encode()).hexdigest()[:40]
        token = f"{mark}-{int(self.clock.wall() + lifetime):x}"
        link = self.minted[token] = Link(token, track.full, track.media, track.hls, expires)
        return link

    def find(self, token):
        """The link, dead or alive, or None for a token never given out."""
        return self.minted.get(token)

    def alive(self, link):
        """Whether it still leads anywhere."""
        return self.clock.now() < link.expires

    def expire(self, full=None):
        """Ends all addresses at once, or those of one track; returns how many."""
        now = self.clock.now()
        ended = [link for link in self.minted.values() if link.expires > now and full in (None, link.full)]
        for link in ended:
            link.expires = now
        return len(ended)
