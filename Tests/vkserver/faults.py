"""Scripted misbehaviour of the media hosts: faults of single answers and odd shapes of HLS playlists."""

from dataclasses import dataclass, field

from inject import BadCommand

KINDS = ("mp3", "playlist", "segment", "key", "cover")
FAULTS = {
    "status": "answer `value` (403, 404, 410, 429 with `retry-after`, 500 …) and a short page",
    "error-page": "302 to /err404.php, which answers 200 with HTML",
    "redirect": "302 to the same address on the second host",
    "html": "200 with an HTML page",
    "empty": "200 with no bytes",
    "truncate": "promise the whole length, hang up after `at` bytes of the body",
    "shorten": "an honest but shorter body: only the first `at` bytes",
    "stall": "stop sending after `at` bytes for `seconds` (default one hour), connection open",
    "drip": "send `value` bytes/s",
    "delay": "wait `seconds` before answering",
    "reset": "tear the connection down (RST) after `at` bytes; `at` -1 is before the headers",
    "ignore-range": "answer 200 with the whole body to a range request",
    "wrong-content-range": "206 whose Content-Range is `value` bytes (default 512) off",
    "etag-change": "another ETag at every answer (a conditional range gets 200)",
    "other-body": "the body of recording `value`, with its own ETag",
    "chunked": "no Content-Length, chunked",
    "flip": "invert one byte at each offset of `at` (a number or a list)",
    "content-type": "send Content-Type `value`",
    "wrong-length": "promise `value` bytes more than there are, then hang up",
    "size": "a body of exactly `value` bytes (key of 17 bytes and the like)",
    "bad-padding": "encrypted segment whose padding is wrong",
    "wrong-key": "sixteen other bytes instead of the key",
    "expire": "the address dies as this request comes in; a newly resolved one works",
    "unreachable": "close the connection without an answer",
}


@dataclass
class MediaFault:
    """One fault. It hits requests for `track` (`*`: any) of `kind` (None: any), `times` times (None: until cleared)."""

    fault: str
    track: str = "*"
    kind: str | None = None
    value: object = None
    at: object = 0
    seconds: float = 3600.0
    retry_after: object = None
    times: int | None = None
    skip: int = 0  # let so many fitting requests through first
    segment: int | None = None  # only this segment (1 is the first)
    from_segment: int | None = None  # this and later ones

    def __post_init__(self):
        if self.fault not in FAULTS:
            raise BadCommand(f"unknown fault {self.fault!r}; known: {', '.join(FAULTS)}")
        if self.kind not in (None, *KINDS):
            raise BadCommand(f"unknown kind {self.kind!r}; known: {', '.join(KINDS)}")

    def fits(self, track, kind, segment):
        """Whether it is meant for this request."""
        if self.track not in ("*", track) or self.kind not in (None, kind):
            return False
        if self.segment is not None and segment != self.segment:
            return False
        return self.from_segment is None or (segment is not None and segment >= self.from_segment)


class MediaFaults:
    """All standing faults. Several may hit one request: the first of each name counts."""

    def __init__(self):
        self.standing = []

    def take(self, track, kind, segment=None):
        """The faults of this request by name, counted down."""
        found = {}
        for item in list(self.standing):
            if item.fault in found or not item.fits(track, kind, segment):
                continue
            if item.skip > 0:
                item.skip -= 1
                continue
            found[item.fault] = item
            if item.times is not None:
                item.times -= 1
                if item.times <= 0:
                    self.standing.remove(item)
        return found


@dataclass
class HLSShape:
    """How a track's playlist is written (vk-api.md §4.3). The defaults are what VK sends."""

    sequence: int = 1  # EXT-X-MEDIA-SEQUENCE
    crlf: bool = False
    key: str = "absolute"  # absolute, relative, both with `?siren=1`; or absolute-bare, relative-bare
    iv: bool = False  # write the IV out, differing from the sequence number
    endlist: bool = True
    master: bool = False  # the address leads to a master playlist first
    recursive: bool = False  # the master names itself
    need_query: bool = False  # segments and key answer 403 without `?siren=1`
    encrypted: str = "third"  # third (1, 4, 7 …), all, none
    drift: float = 0.0  # seconds added to every EXTINF
    hashed: bool = False  # older segment names, on the other host, with ?extra=
    ranged: bool = False  # all segments in one file, told apart by EXT-X-BYTERANGE
    map: bool = False  # with an EXT-X-MAP, which a transport stream does not need
    missing: list = field(default_factory=list)  # segments left out of the list

    def encrypts(self, number):
        """Whether segment `number` (1 is the first) is encrypted."""
        return self.encrypted == "all" or (self.encrypted == "third" and number % 3 == 1)
