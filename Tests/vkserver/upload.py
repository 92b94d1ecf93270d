"""The upload host: takes one file for audio.save (vk-api.md §2.6)."""

import hashlib

from aiohttp import web

LIMIT = 200 << 20  # bytes


class Upload:
    """`POST /upload?token=…` with the multipart field `file`."""

    def __init__(self, world):
        self.world = world

    async def handle(self, request):
        """Reads the file and forgets all of it but its name, size and hash."""
        mark = request.query.get("token", "")
        if mark not in self.world.uploads:
            return web.json_response({"error": "Invalid token"})
        reader = await request.multipart()
        async for part in reader:
            if part.name != "file":
                continue
            name, size, digest = part.filename or "", 0, hashlib.sha256()
            while chunk := await part.read_chunk():
                size += len(chunk)
                digest.update(chunk)
            if not name.lower().endswith(".mp3"):
                return web.json_response({"error": "Invalid filename", "error_code": 301})
            if not 0 < size <= LIMIT:
                return web.json_response({"error": "Invalid file size", "error_code": 302})
            self.world.uploads[mark] = (name[:-4], digest.hexdigest()[:32])
            return web.json_response({"server": 1, "audio": mark, "hash": digest.hexdigest()[:32]})
        return web.json_response({"error": "No file"})

    def routes(self):
        """Where it is."""
        return [web.post("/upload", self.handle)]
