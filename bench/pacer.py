"""A server of files with a steady pace or a long way: `pacer.py PORT RATE DELAY FOLDER LOG`.

RATE: bytes a second on each connection, 0 = as fast as it goes (nginx counts its `limit_rate` in whole seconds, which is
too coarse for files of two). DELAY: seconds before a connection is served and before every answer, which is what a round
trip of that length costs a client. One range, If-Range, ETag, keep-alive. A line of LOG: bytes sent, connection, path.
"""

import email.utils
import os
import pathlib
import re
import socket
import socketserver
import sys
import threading
import time

PIECE = 32 << 10
TYPES = {".mp3": "audio/mpeg", ".m3u8": "application/vnd.apple.mpegurl", ".ts": "video/mp2t"}


class Visit(socketserver.BaseRequestHandler):
    """One connection."""

    count = 0
    lock = threading.Lock()

    def handle(self):
        with self.lock:
            Visit.count += 1
            self.number = Visit.count
        # Little waits in the kernel, so that what was sent is about what was received.
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 << 10)
        self.request.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        time.sleep(self.server.delay)
        waiting = b""
        try:
            while True:
                while b"\r\n\r\n" not in waiting:
                    if not (more := self.request.recv(8192)):
                        return
                    waiting += more
                head, waiting = waiting.split(b"\r\n\r\n", 1)
                self.answer(*self.understood(head.decode("latin1")))
        except OSError:
            return

    @staticmethod
    def understood(head):
        """(path, headers) of a request."""
        first, *lines = head.split("\r\n")
        fields = (line.split(":", 1) for line in lines if ":" in line)
        return first.split()[1].split("?")[0], {name.lower(): value.strip() for name, value in fields}

    def answer(self, path, headers):
        """Sends the file, or the part of it that was asked for."""
        time.sleep(self.server.delay)
        place = pathlib.Path(os.path.normpath(f"{self.server.folder}/{path}"))
        if not place.is_relative_to(self.server.folder) or not place.is_file():
            self.request.sendall(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
            return
        with place.open("rb") as file:
            facts = os.fstat(file.fileno())
            status, first, behind, more = self.part(headers, facts)
            lines = [f"HTTP/1.1 {status}", f"Content-Length: {behind - first}", *more]
            lines.append(f"Content-Type: {TYPES.get(place.suffix, 'application/octet-stream')}")
            sent = 0
            try:
                self.request.sendall("\r\n".join([*lines, "", ""]).encode())
                begin = time.monotonic()
                file.seek(first)
                while sent < behind - first:
                    piece = file.read(min(PIECE, behind - first - sent))
                    self.request.sendall(piece)
                    sent += len(piece)
                    if self.server.rate:
                        time.sleep(max(0, begin + sent / self.server.rate - time.monotonic()))
            finally:
                with self.lock:
                    print(sent, self.number, path, file=self.server.log, flush=True)

    @staticmethod
    def part(headers, facts):
        """(status, first byte, byte behind the last, headers)."""
        size = facts.st_size
        tag = f'"{facts.st_mtime_ns:x}-{size:x}"'
        date = email.utils.formatdate(facts.st_mtime, usegmt=True)
        more = [f"ETag: {tag}", f"Last-Modified: {date}", "Accept-Ranges: bytes"]
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", headers.get("range", ""))
        if not asked or headers.get("if-range") not in (None, tag, date):
            return "200 OK", 0, size, more
        first = int(asked[1])
        if first >= size:
            return "416 Range Not Satisfiable", 0, 0, [f"Content-Range: bytes */{size}"]
        behind = min(size, int(asked[2]) + 1) if asked[2] else size
        return "206 Partial Content", first, behind, [*more, f"Content-Range: bytes {first}-{behind - 1}/{size}"]


class Server(socketserver.ThreadingTCPServer):
    """The server, a thread for each connection."""

    allow_reuse_address = daemon_threads = True
    request_queue_size = 128


def main(port, rate, delay, folder, log):
    """Serves until it is ended."""
    with Server(("127.0.0.1", int(port)), Visit) as server, open(log, "a") as lines:
        server.rate, server.delay, server.log = float(rate), float(delay), lines
        server.folder = pathlib.Path(folder)
        server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
