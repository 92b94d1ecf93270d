"""Sends a body over HTTP as a media host does — ranges, tags, HEAD — or as badly as the faults ask."""

import asyncio
import hashlib
import re

from aiohttp import web

from answers import PAGE, tear_down

CHUNK = 16384


def etag_of(body):
    """A strong tag of these bytes."""
    return '"' + hashlib.sha1(body).hexdigest()[:16] + '"'


def parse_range(text, size):
    """(first, last) of a single byte range; None when absent or not understood; `()` when it cannot be met."""
    match = re.fullmatch(r"bytes=(\d*)-(\d*)", text or "")
    if not match or not (match[1] or match[2]):
        return None
    if not match[1]:
        wanted = int(match[2])
        return (max(0, size - wanted), size - 1) if wanted and size else ()
    first = int(match[1])
    last = min(int(match[2]) if match[2] else size - 1, size - 1)
    return (first, last) if first <= last else ()


def spoil_body(body, faults, shelf):
    """Faults that change the bytes themselves."""
    if "other-body" in faults:
        body = shelf.recording(faults["other-body"].value).body
    if "html" in faults:
        body = PAGE.encode()
    if "empty" in faults:
        body = b""
    if "size" in faults:
        size = int(faults["size"].value)
        body = body[:size] + b"\x11" * (size - len(body))
    if "shorten" in faults:
        body = body[: int(faults["shorten"].at)]
    if "wrong-key" in faults:
        body = bytes(byte ^ 0x5A for byte in body)
    if "flip" in faults:
        at = faults["flip"].at
        changed = bytearray(body)
        for place in at if isinstance(at, list) else [at]:
            if place < len(changed):
                changed[place] ^= 0xFF
        body = bytes(changed)
    return body


class Sender:
    """One media answer on its way out."""

    def __init__(self, request, world, entry, track, faults):
        self.request, self.world, self.entry = request, world, entry
        self.track, self.faults = track, faults
        self.journal = world.journal

    async def refuse(self):
        """Answers with the status, redirect or hang-up a fault asks for; None when there is no such fault."""
        faults, request = self.faults, self.request
        if "delay" in faults:
            await asyncio.sleep(faults["delay"].seconds)
        if "unreachable" in faults or ("reset" in faults and faults["reset"].at == -1):
            tear_down(request)
            return self._note(web.Response(), "reset")
        if "status" in faults:
            fault = faults["status"]
            status = int(fault.value or 500)
            headers = {"Retry-After": str(fault.retry_after)} if fault.retry_after is not None else {}
            answer = web.Response(status=status, text=PAGE, content_type="text/html", headers=headers)
            return self._note(answer, f"fault {status}")
        if "error-page" in faults:
            return self._note(self._moved(self.world.hosts["cdn"] + "/err404.php"), "error page")
        second = self.world.hosts["cdn2"]
        if "redirect" in faults or (self.world.settings["redirect"] and request.headers.get("Host") not in second):
            return self._note(self._moved(second + request.path_qs), "redirect")
        return None

    def _moved(self, where):
        """A redirect."""
        return web.Response(status=302, headers={"Location": where})

    def _note(self, response, outcome):
        """Keeps status and outcome in the log."""
        self.entry["status"], self.entry["outcome"] = response.status, outcome
        return response

    def _tag(self, body):
        """The ETag of this answer."""
        if "etag-change" in self.faults:
            return f'"{self.entry["n"]:016x}"'
        return etag_of(body)

    def _span(self, body, tag, headers):
        """Status and (first, last) to send, by Range and If-Range."""
        span = parse_range(self.request.headers.get("Range"), len(body))
        condition = self.request.headers.get("If-Range")
        if span is None or "ignore-range" in self.faults or "chunked" in self.faults or condition not in (None, tag):
            return 200, (0, len(body) - 1)
        if not span:
            headers["Content-Range"] = f"bytes */{len(body)}"
            return 416, (0, -1)
        off = int(self.faults["wrong-content-range"].value or 512) if "wrong-content-range" in self.faults else 0
        headers["Content-Range"] = f"bytes {span[0] + off}-{span[1] + off}/{len(body) + off}"
        return 206, span

    async def send(self, body, content_type):
        """The whole answer."""
        body = spoil_body(body, self.faults, self.world.shelf)
        if "html" in self.faults:
            content_type = "text/html; charset=utf-8"
        if "content-type" in self.faults:
            content_type = self.faults["content-type"].value
        tag = self._tag(body)
        headers = {"Content-Type": content_type, "ETag": tag, "Accept-Ranges": "bytes", "Cache-Control": "max-age=600"}
        status, (first, last) = self._span(body, tag, headers)
        part = body[first : last + 1]
        length = len(part)
        if "wrong-length" in self.faults:
            length += int(self.faults["wrong-length"].value or 1000)
        response = web.StreamResponse(status=status, headers=headers)
        if "chunked" in self.faults:
            response.enable_chunked_encoding()
        else:
            response.content_length = length
        self._note(response, ", ".join(self.faults) or "ok")
        await response.prepare(self.request)
        if self.request.method == "HEAD":
            return response
        finished = await self._write(response, part)
        if finished and length == len(part):
            await response.write_eof()
        elif self.request.transport is not None:
            self.request.transport.close()
        return response

    async def _linger(self, seconds):
        """Keeps the connection open and silent until the time is up or the client has gone."""
        loop = asyncio.get_running_loop()
        until = loop.time() + seconds
        while loop.time() < until and self.request.transport is not None:
            await asyncio.sleep(0.05)

    def _stop(self):
        """(offset, what happens there) of the fault that ends the body early."""
        for name in ("truncate", "stall", "reset"):
            if name in self.faults:
                return int(self.faults[name].at), name
        return None, None

    async def _write(self, response, part):
        """Writes the bytes at the allowed speed; False when a fault ended it early."""
        stop, how = self._stop()
        drip = self.faults.get("drip")
        speed = float(drip.value) if drip else float(self.world.settings["bandwidth"])
        chunk = CHUNK if not speed else max(1, min(CHUNK, int(speed / 20)))
        at, end = 0, len(part) if stop is None else min(stop, len(part))
        begun = asyncio.get_running_loop().time()
        while at < end:
            piece = part[at : min(at + chunk, end)]
            await response.write(piece)
            at += len(piece)
            self.journal.count(self.entry, self.track, len(piece))
            if speed:
                ahead = begun + at / speed - asyncio.get_running_loop().time()
                await asyncio.sleep(max(0.0, ahead))
        if how is None or stop >= len(part):
            return True
        await asyncio.sleep(0.02)  # let what was written leave first
        if how == "stall":
            await self._linger(self.faults["stall"].seconds)
        if how == "reset":
            tear_down(self.request)
        return False
