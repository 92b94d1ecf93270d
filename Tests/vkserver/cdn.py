"""The media hosts: signed addresses, MP3 files, HLS folders, covers (vk-api.md §4)."""

import pathlib
from dataclasses import replace

from aiohttp import web

import hls
from answers import PAGE
from transfer import Sender

PLAYLIST_TYPE, SEGMENT_TYPE = "application/vnd.apple.mpegurl", "video/mp2t"
NEAREST = {34: 68, 270: 300, 1200: 600}  # sizes drawn for the sizes asked


class CDN:
    """Both media hosts; they differ in their port only."""

    def __init__(self, world, run_commands):
        self.world, self.run_commands = world, run_commands

    async def _answer(self, request, kind, link, make, segment=None):
        """The common way of every media request: log, address, faults, body, triggers.

        `make(faults)` returns (body, content type) or a finished response.
        """
        world, journal = self.world, self.world.journal
        track = link.full if link else None
        entry = journal.open(request, kind, dict(request.query))
        entry["track"], entry["segment"] = track, segment
        try:
            faults = world.media_faults.take(track, kind, segment)
            if "expire" in faults and link:
                link.expires = world.clock.now()
            sender = Sender(request, world, entry, track, faults)
            answer = await sender.refuse()
            if answer is None and kind != "cover":
                answer = self._unsigned(link, entry)
            if answer is None:
                made = make(faults)
                answer = made if isinstance(made, web.Response) else await sender.send(*made)
            entry["status"] = answer.status
            return answer
        except (ConnectionError, OSError):
            entry["outcome"] = "client went away"
            return web.Response()  # goes nowhere; the connection is gone
        finally:
            journal.close(entry)
            self.run_commands(world.triggers.due(kind, track))

    def _unsigned(self, link, entry):
        """The refusal of an address that is unknown or has expired."""
        if link is not None and self.world.links.alive(link):
            return None
        entry["outcome"] = "expired" if link else "never signed"
        mode = int(self.world.settings["expired-answer"]) if link else 404
        if mode == 302:
            return web.Response(status=302, headers={"Location": self.world.hosts["cdn"] + "/err404.php"})
        return web.Response(status=mode, text=PAGE, content_type="text/html")

    def _recording(self, link):
        """What the address leads to now: the track's present recording, if the track is still there."""
        track = self.world.track(link.full)
        return self.world.shelf.recording(track.media if track and track.media else link.media)

    async def file(self, request):
        """`…/acmp/TOKEN.mp3`."""
        link = self.world.links.find(request.match_info["token"])

        def make(faults):
            body = self._recording(link).body
            sample = request.path.startswith("/cdn/sample/")
            return (body[: len(body) // 2] if sample else body), "audio/mpeg"

        return await self._answer(request, "mp3", link, make)

    async def folder(self, request):
        """`…/ac/TOKEN/NAME`: playlist, key or segment."""
        link, name = self.world.links.find(request.match_info["token"]), request.match_info["name"]
        if name.endswith(".m3u8"):
            return await self._answer(request, "playlist", link, lambda faults: self._playlist(request, link, name))
        if name == "key.pub":
            return await self._answer(request, "key", link, lambda faults: self._key(request, link))
        if name == hls.WHOLE and self.world.shape(link.full if link else "").ranged:
            return await self._answer(
                request,
                "segment",
                link,
                lambda faults: (hls.whole(self._recording(link), self.world.shape(link.full)), SEGMENT_TYPE),
            )
        number = hls.number_of(name)
        return await self._answer(
            request, "segment", link, lambda faults: self._segment(request, link, number, faults), segment=number
        )

    def _playlist(self, request, link, name):
        """The playlist, or the master that leads to it."""
        shape, folder = self.world.shape(link.full), request.path.rpartition("/")[0]
        base = self.world.hosts["cdn"] + folder
        if name == "index.m3u8" and shape.master:
            return hls.master(shape, base).encode(), PLAYLIST_TYPE
        if name != ("media.m3u8" if shape.master else "index.m3u8"):
            return web.Response(status=404, text=PAGE, content_type="text/html")
        recording = self._recording(link)
        if request.path.startswith("/cdn/sample/"):
            count = len(recording.segments)
            shape = replace(shape, missing=[*shape.missing, *range(count // 2 + 1, count + 1)])
        text = hls.playlist(recording, shape, base, self.world.hosts["cdn2"] + folder)
        return text.encode(), PLAYLIST_TYPE

    def _without_query(self, request, link):
        """The refusal of an address that lost its query, when the shape asks for it."""
        shape = self.world.shape(link.full)
        if shape.need_query and not request.query:
            return web.Response(status=403, text=PAGE, content_type="text/html")
        return None

    def _key(self, request, link):
        """The key."""
        refused = self._without_query(request, link)
        if refused is not None:  # a response without extra members is false
            return refused
        return hls.key_of(self._recording(link).recipe.name), "application/octet-stream"

    def _segment(self, request, link, number, faults):
        """One segment, encrypted where the pattern says so."""
        refused = self._without_query(request, link)
        if refused is not None:
            return refused
        recording = self._recording(link)
        if number is None or not 1 <= number <= len(recording.segments):
            return web.Response(status=404, text=PAGE, content_type="text/html")
        body = hls.segment(recording, self.world.shape(link.full), number, "bad-padding" in faults)
        return body, SEGMENT_TYPE

    async def cover(self, request):
        """`/cdn/covers/NAME-SIZE.jpg`."""
        name, _, size = request.match_info["name"].removesuffix(".jpg").rpartition("-")
        if name not in self.world.shelf.pictures or not size.isdigit():
            raise web.HTTPNotFound()
        path = pathlib.Path(self.world.shelf.cover(name, NEAREST.get(int(size), int(size))))
        if not path.exists():
            raise web.HTTPNotFound()
        return await self._answer(request, "cover", None, lambda faults: (path.read_bytes(), "image/jpeg"))


async def error_page(request):
    """VK's page for files that are gone: status 200, HTML."""
    return web.Response(text=PAGE, content_type="text/html")


def routes(cdn):
    """The media routes of both hosts."""
    return [
        web.get("/cdn/s/v1/acmp/{token}.mp3", cdn.file),
        web.get("/cdn/sample/s/v1/acmp/{token}.mp3", cdn.file),
        web.get("/cdn/s/v1/ac/{token}/{name}", cdn.folder),
        web.get("/cdn/sample/s/v1/ac/{token}/{name}", cdn.folder),
        web.get("/cdn/covers/{name}", cdn.cover),
        web.get("/err404.php", error_page),
    ]
