"""How an answer of the API and of the login hosts goes out: whole, or spoiled as scripted."""

import asyncio
import json
import socket
import struct

from aiohttp import web
from multidict import CIMultiDict

import gate

PAGE = "<!DOCTYPE html><html><head><title>VK</title></head><body><h1>Something went wrong</h1></body></html>"


def tear_down(request):
    """Ends the connection with RST rather than a polite close."""
    transport = request.transport
    if transport is None:
        return
    raw = transport.get_extra_info("socket")
    if raw is not None:
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    transport.abort()


class Answers:
    """Writes answers. Header values that are lists are written as several lines."""

    def __init__(self, world):
        self.world = world

    async def send(self, request, text, entry, injection=None, status=200, headers=None):
        """Sends an answer, the way the injection wants it if there is one."""
        if injection is None:
            return await self._write(request, text.encode(), status, entry, None, headers or {})
        if injection.delay:
            await asyncio.sleep(injection.delay)
        if injection.reset == "before":
            entry["outcome"] = "reset"
            tear_down(request)
            return web.Response()
        body = text.encode()
        headers = dict(headers or {})
        whole = body.decode()
        bodies = {
            "html": PAGE.encode(),
            "empty": b"",
            "truncated": whole[: len(whole) // 2].encode(),
            "garbage": b"<!--\x00\xff\xfe{",
            "latin1": b'{"response":{"count":1,"items":[{"artist":"\xcf\xf0\xe8\xe2\xe5\xf2"}]}}',
            "no-items": b'{"response":{"count":0,"items":[]}}',
            "placeholder": json.dumps({"response": gate.PLACEHOLDER}, ensure_ascii=False).encode(),
        }
        status = injection.http or status
        if injection.body is not None or injection.http:
            chosen = injection.body if injection.body is not None else "html"
            body = bodies.get(chosen, chosen.encode())
            if chosen == "html":
                headers["Content-Type"] = "text/html; charset=utf-8"
            entry["outcome"] = f"{status} {chosen[:20]}"
        return await self._write(request, body, status, entry, injection, headers | injection.headers)

    async def _write(self, request, body, status, entry, injection, more):
        """Writes the answer; injections may tear it apart."""
        entry["status"], entry["bytes"] = status, len(body)
        headers = CIMultiDict({"Content-Type": "application/json; charset=utf-8"})
        for name, value in more.items():
            headers.popall(name, None)
            for one in value if isinstance(value, list) else [value]:
                headers.add(name, one)
        if injection is None or not (injection.reset or injection.drip):
            answer = web.Response(body=body, status=status, headers=headers)
            if self.world.settings["gzip"]:
                answer.enable_compression()
            return answer
        response = web.StreamResponse(status=status, headers=headers)
        response.content_length = len(body)
        await response.prepare(request)
        if injection.reset:
            entry["outcome"] = "reset"
            await response.write(body[: len(body) // 2] if injection.reset == "body" else body[:1])
            await asyncio.sleep(0.02)  # let the beginning leave before the connection goes
            tear_down(request)
            return response
        for at in range(0, len(body), 64):
            await response.write(body[at : at + 64])
            await asyncio.sleep(64 / injection.drip)
        await response.write_eof()
        return response
