"""`/method/NAME`: reads the request, applies checks and scripted faults, answers in VK's envelope."""

import asyncio
import json

import gate
import methods
import methods_audio  # noqa: F401 (registers its methods)
import methods_execute  # noqa: F401
import methods_finding  # noqa: F401
import methods_login  # noqa: F401
import methods_own  # noqa: F401
import methods_people  # noqa: F401
import methods_playlists  # noqa: F401
import methods_searching  # noqa: F401
import validation
from answers import Answers
from hosts import logged, moved, read_params
from messages import EXTRAS


def error_body(name, params, refusal):
    """The error envelope (vk-api.md §3.1)."""
    shown = [{"key": "method", "value": name}, {"key": "oauth", "value": "1"}]
    shown += [{"key": key, "value": value} for key, value in params.items() if key not in ("access_token", "method")]
    error = {"error_code": refusal.code, "error_subcode": refusal.subcode, "error_msg": refusal.message}
    return {"error": error | {"request_params": shown} | refusal.extra}


class API:
    """The API host."""

    def __init__(self, world, run_commands):
        self.world, self.run_commands, self.answers = world, run_commands, Answers(world)

    async def handle(self, request):
        """One API request from arrival to answer."""
        name = request.match_info["name"]
        params = await read_params(request)
        with logged(self.world, request, "api", name, params) as entry:
            elsewhere = moved(self.world, request, "api", entry)
            if elsewhere is not None:  # a response without extra members is false
                return elsewhere
            return await self._answer(request, name, params, entry)

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
            token = None if name in methods.OPEN else gate.admit(self.world, name, request.headers, params)
            injection = self.world.injections.take(name)
            body = self._run(name, methods.Call(token, params, request.headers), injection)
            entry["outcome"] = "ok"
        except gate.Substitute as other:
            body, entry["outcome"] = {"response": other.response}, other.outcome
        except gate.Refusal as refusal:
            body, entry["outcome"] = error_body(name, params, refusal), f"error {refusal.code}"
        text = json.dumps(body, ensure_ascii=False)
        return await self.answers.send(request, text, entry, injection)

    def _run(self, name, call, injection):
        """The method's answer; a scripted error takes its place, before or after it has acted."""
        function = methods.METHODS.get(name)
        if function is None:
            raise gate.Refusal(3)
        response = None
        if injection is None or not injection.idle:
            response = function(self.world, call)
            self.run_commands(self.world.triggers.due(name))
        if injection is not None and injection.code:
            extra = EXTRAS.get(injection.code, {}) | injection.extra
            if injection.code == 17:
                extra.setdefault("redirect_uri", validation.for_token(self.world, call.token))
            raise gate.Refusal(injection.code, injection.message, injection.subcode, **extra)
        return {"response": response} | call.beside
