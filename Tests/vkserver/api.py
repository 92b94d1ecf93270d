"""`/method/NAME`: reads the request, applies checks and scripted faults, answers in VK's envelope."""

import asyncio
import json
import socket
import struct

from aiohttp import web

import gate
import methods
import methods_audio  # noqa: F401 (registers its methods)
import methods_people  # noqa: F401

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


async def read_params(request):
    """Query and form in one, plus a bearer token."""
    params = dict(request.query)
    if request.method == "POST":
        params |= {name: str(value) for name, value in (await request.post()).items()}
    bearer = request.headers.get("Authorization", "")
    if bearer.startswith("Bearer "):
        params.setdefault("access_token", bearer[7:])
    return params


def error_body(name, params, refusal):
    """The error envelope (vk-api.md §3.1)."""
    shown = [{"key": "method", "value": name}, {"key": "oauth", "value": "1"}]
    shown += [{"key": key, "value": value} for key, value in params.items() if key not in ("access_token", "method")]
    error = {"error_code": refusal.code, "error_subcode": refusal.subcode, "error_msg": refusal.message}
    return {"error": error | {"request_params": shown} | refusal.extra}


class API:
    """The API host."""

    def __init__(self, world, run_commands):
        self.world, self.run_commands = world, run_commands

    async def handle(self, request):
        """One API request from arrival to answer."""
        name = request.match_info["name"]
        params = await read_params(request)
        journal = self.world.journal  # a reset meanwhile must not close an entry in another log
        entry = journal.open(request, "api", params)
        entry["method"] = name
        try:
            return await self._answer(request, name, params, entry)
        finally:
            journal.close(entry)

    async def _answer(self, request, name, params, entry):
        """Checks, scripted faults, then the method."""
        if request.method != "POST":
            self.world.journal.gets += 1
        if self.world.settings["latency"]:
            await asyncio.sleep(self.world.settings["latency"])
        injection = None
        try:
            if request.method != "POST" and self.world.settings["get"] == "error":
                raise gate.Refusal(9999)
            token = gate.admit(self.world, name, request.headers, params)
            injection = self.world.injections.take(name)
            body = self._run(name, token, params, injection)
            entry["outcome"] = "ok"
        except gate.Substitute as other:
            body, entry["outcome"] = {"response": other.response}, other.outcome
        except gate.Refusal as refusal:
            body, entry["outcome"] = error_body(name, params, refusal), f"error {refusal.code}"
        text = json.dumps(body, ensure_ascii=False)
        if injection is not None:
            return await self._spoiled(request, injection, text, entry)
        return await self._send(request, text.encode(), 200, entry)

    def _run(self, name, token, params, injection):
        """The method's answer; a scripted error takes its place, before or after it has acted."""
        function = methods.METHODS.get(name)
        if function is None:
            raise gate.Refusal(3)
        scripted = injection is not None and (injection.code or injection.http or injection.reset or injection.body)
        response = None
        if not scripted or injection.act or injection.body == "truncated" or injection.reset in ("headers", "body"):
            response = function(self.world, methods.Call(token, params))
            self.run_commands(self.world.triggers.due(name))
        if injection is not None and injection.code:
            extra = dict(injection.extra)
            if injection.code == 17:
                extra.setdefault("redirect_uri", "https://oauth.vk.ru/validate?act=validate&hash=0")
            raise gate.Refusal(injection.code, injection.message, injection.subcode, **extra)
        return {"response": response}

    async def _spoiled(self, request, injection, text, entry):
        """Sends an answer the way the injection wants it."""
        if injection.delay:
            await asyncio.sleep(injection.delay)
        if injection.reset == "before":
            entry["outcome"] = "reset"
            tear_down(request)
            return web.Response()
        body = text.encode()
        kind = "application/json; charset=utf-8"
        whole = body.decode()
        bodies = {
            "html": PAGE.encode(),
            "empty": b"",
            "truncated": whole[: len(whole) // 2].encode(),
            "garbage": b"<!--\x00\xff\xfe{",
            "latin1": b'{"response":{"count":1,"items":[{"artist":"\xcf\xf0\xe8\xe2\xe5\xf2"}]}}',
            "placeholder": json.dumps({"response": gate.PLACEHOLDER}, ensure_ascii=False).encode(),
        }
        status = injection.http or 200
        if injection.body is not None or injection.http:
            chosen = injection.body if injection.body is not None else "html"
            body = bodies.get(chosen, chosen.encode())
            kind = "text/html; charset=utf-8" if chosen == "html" else kind
            entry["outcome"] = f"{status} {chosen[:20]}"
        return await self._send(request, body, status, entry, injection, kind)

    async def _send(self, request, body, status, entry, injection=None, kind="application/json; charset=utf-8"):
        """Writes the answer; injections may tear it apart."""
        entry["status"], entry["bytes"] = status, len(body)
        headers = {"Content-Type": kind} | (injection.headers if injection else {})
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
