"""`/_control`, `/_log`, `/_stats`, `/_expected`: the tests' side of the server."""

import json

from aiohttp import web

import commands_login  # noqa: F401 (registers its commands)
from commands import COMMANDS
from inject import BadCommand


class Control:
    """Runs commands on the world. README.md describes them."""

    def __init__(self, world):
        self.world = world

    def run(self, command):
        """One command; its answer is a small object."""
        if not isinstance(command, dict) or command.get("cmd") not in COMMANDS:
            raise BadCommand(f"unknown cmd; known: {', '.join(sorted(COMMANDS))}")
        try:
            return COMMANDS[command["cmd"]](self.world, command) or {}
        except (KeyError, TypeError, ValueError) as problem:
            raise BadCommand(f"{command['cmd']}: {type(problem).__name__} {problem}") from problem

    def run_all(self, commands):
        """Commands of a trigger, run with nobody waiting for an answer."""
        for command in commands:
            self.run(command)

    async def post(self, request):
        """`POST /_control` with one command or an array; all or the first bad one is answered."""
        try:
            body = json.loads(await request.text())
            many = body if isinstance(body, list) else [body]
            answers = [self.run(command) for command in many]
        except ValueError as problem:
            return web.json_response({"ok": False, "error": str(problem)}, status=400)
        if isinstance(body, list):
            return web.json_response({"ok": True, "answers": answers})
        return web.json_response({"ok": True} | answers[0])

    async def log(self, request):
        """`GET /_log?since=N&kind=api`: entries with a greater number, of one kind."""
        since, kind = int(request.query.get("since", "0")), request.query.get("kind")
        entries = [e for e in self.world.journal.entries[since:] if kind in (None, e["kind"])]
        return web.json_response(entries)

    async def stats(self, request):
        """`GET /_stats`."""
        return web.json_response(self.world.journal.stats() | {"links": len(self.world.links.minted)})

    async def expected(self, request):
        """`GET /_expected/OWNER_ID`: what a finished download of this track must hold."""
        track = self.world.track(request.match_info["full"])
        if track is None or not track.media:
            raise web.HTTPNotFound()
        recording = self.world.shelf.recording(track.media)
        answer = recording.expected(track.hls)
        answer |= {"media": track.media, "hls": track.hls, "file-bytes": len(recording.body)}
        if track.hls:
            answer["segments"] = len(recording.segments)
        return web.json_response(answer)

    async def broadcast(self, request):
        """`GET /_broadcast`: what the status of the account shows."""
        return web.json_response(self.world.broadcast)

    async def playlists(self, request):
        """`GET /_playlists[/OWNER]`: an owner's playlists with their full track ids."""
        owner = int(request.match_info.get("owner") or self.world.user)
        return web.json_response(
            [
                {
                    "id": f"{item.owner}_{item.id}",
                    "title": item.title,
                    "description": item.description,
                    "key": item.key,
                    "original": "{}_{}".format(*item.original) if item.original else None,
                    "tracks": [track.full for track in item.rows if not track.blocked],
                }
                for item in self.world.playlists.of(owner)
            ]
        )

    async def library(self, request):
        """`GET /_library[/OWNER]`: full ids in order, blocked rows left out."""
        owner = int(request.match_info.get("owner") or self.world.user)
        library = self.world.libraries.get(owner)
        rows = library.rows if library else []
        return web.json_response(
            [{"id": t.full, "artist": t.artist, "title": t.title, "key": t.key} for t in rows if not t.blocked]
        )


def routes(control):
    """The control routes."""
    return [
        web.post("/_control", control.post),
        web.get("/_log", control.log),
        web.get("/_stats", control.stats),
        web.get("/_expected/{full}", control.expected),
        web.get("/_broadcast", control.broadcast),
        web.get("/_playlists", control.playlists),
        web.get("/_playlists/{owner}", control.playlists),
        web.get("/_library", control.library),
        web.get("/_library/{owner}", control.library),
    ]
