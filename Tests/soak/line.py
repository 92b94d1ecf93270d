"""The line between nyand and the look-alike, which can be cut in every way: ports that forward to others, each open,
refusing, hanging or resetting."""

import asyncio
import contextlib
import socket
import struct
import threading

NOW = struct.pack("ii", 1, 0)


class Port:
    """One forwarded port. What is done to it is done on the loop of `Line`."""

    def __init__(self):
        self.mode, self.server, self.pairs = "open", None, set()
        self.flowing = asyncio.Event()
        self.flowing.set()
        # Bound once and for all, so that nobody else gets the port while it refuses.
        self.number = 0
        self.target = None

    async def listen(self):
        self.server = await asyncio.start_server(self.accept, "127.0.0.1", self.number)
        self.number = self.server.sockets[0].getsockname()[1]

    async def accept(self, reader, writer):
        if self.mode == "reset":
            return self.reset(writer)
        if self.mode == "hang":
            await self.flowing.wait()
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            return self.reset(writer)
        self.pairs.add(pair := (writer, far_writer))
        await asyncio.gather(self.pump(reader, far_writer), self.pump(far_reader, writer), return_exceptions=True)
        self.pairs.discard(pair)
        for end in pair:
            end.close()

    async def pump(self, reader, writer):
        with contextlib.suppress(OSError):
            while part := await reader.read(1 << 16):
                await self.flowing.wait()
                writer.write(part)
                await writer.drain()
        # The other way may go on: half-closed as TCP has it.
        with contextlib.suppress(OSError, RuntimeError):
            writer.write_eof()

    def reset(self, writer):
        """RST instead of an orderly end."""
        line = writer.get_extra_info("socket")
        with contextlib.suppress(OSError):
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, NOW)
        writer.transport.abort()

    async def turn(self, mode):
        self.mode = mode
        (self.flowing.clear if mode == "hang" else self.flowing.set)()
        if mode in ("reset", "refuse"):
            for pair in list(self.pairs):
                self.reset(pair[0])
                pair[1].transport.abort()
        if mode == "refuse" and self.server:
            self.server.close()
            self.server = None
        elif mode != "refuse" and not self.server:
            await self.listen()


class Line(threading.Thread):
    """So many ports; `aim` says where they lead before they are used."""

    def __init__(self, count):
        super().__init__(daemon=True)
        self.loop, self.opened = asyncio.new_event_loop(), threading.Event()
        self.count = count
        self.start()
        self.opened.wait()

    def run(self):
        asyncio.set_event_loop(self.loop)
        self.ports = [Port() for _ in range(self.count)]
        for port in self.ports:
            self.loop.run_until_complete(port.listen())
        self.loop.call_soon(self.opened.set)
        self.loop.run_forever()

    def aim(self, *targets):
        for port, target in zip(self.ports, targets):
            port.target = target

    def turn(self, index, mode):
        """`open`, `refuse` (nobody listens), `hang` (taken, and not a byte more) or `reset` (taken and thrown off)."""
        asyncio.run_coroutine_threadsafe(self.ports[index].turn(mode), self.loop).result(10)
