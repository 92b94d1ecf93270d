"""A server that stands before the look-alike and answers as somebody does who means harm.

Every request is put to `plan(request)`: nil lets the look-alike answer; bytes, or a function that is given the socket,
are the answer. `spoil(request, body)` may change what the look-alike has answered.
"""

import http.client
import socket
import threading
import urllib.parse


class Request:
    """A request as it came."""

    def __init__(self, method, path, headers, body):
        self.method, self.path, self.headers, self.body = method, path, headers, body
        self.name = urllib.parse.urlsplit(path).path.rsplit("/", 1)[-1]
        self.fields = dict(urllib.parse.parse_qsl(body.decode("latin-1")))


def head(status="200 OK", length=None, **headers):
    """A status line and headers, `_` for `-`."""
    lines = [f"HTTP/1.1 {status}"] + [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    if length is not None:
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "surrogateescape")


def answer(body, status="200 OK", **headers):
    """A whole answer."""
    body = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
    return head(status, len(body), Connection="close", **headers) + body


class Front:
    """Listens on a port of its own until the process ends. `met`: how many requests got the planned or a spoilt answer."""

    def __init__(self, behind):
        self.behind = urllib.parse.urlsplit(behind)
        self.plan, self.spoil, self.seen = lambda request: None, lambda request, body: body, []
        self.sent = self.met = 0
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port = self.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def calm(self):
        """The look-alike answers everything again."""
        self.plan, self.spoil, self.seen, self.sent = lambda request: None, lambda request, body: body, [], 0
        self.met = 0

    def send(self, link, data):
        """Sends and counts."""
        link.sendall(data)
        self.sent += len(data)

    def _accept(self):
        while True:
            link, _ = self.socket.accept()
            threading.Thread(target=self._serve, args=(link,), daemon=True).start()

    def _serve(self, link):
        try:
            with link, link.makefile("rb") as reader:
                request = self._read(reader)
                if request is None:
                    return
                self.seen.append(request)
                planned = self.plan(request)
                if planned is None:
                    planned = self._forward(request)
                else:
                    self.met += 1
                if callable(planned):
                    planned(link)
                else:
                    self.send(link, planned)
        except OSError:
            pass

    @staticmethod
    def _read(reader):
        line = reader.readline().decode("latin-1").split()
        if len(line) < 2:
            return None
        headers = {}
        while (text := reader.readline().decode("latin-1").strip()) != "":
            name, _, value = text.partition(":")
            headers[name.strip().lower()] = value.strip()
        body = reader.read(int(headers.get("content-length", 0)))
        return Request(line[0], line[1], headers, body)

    def _forward(self, request):
        behind = http.client.HTTPConnection(self.behind.hostname, self.behind.port, timeout=30)
        kept = {name: value for name, value in request.headers.items() if name not in ("host", "accept-encoding")}
        behind.request(request.method, request.path, request.body or None, kept)
        got = behind.getresponse()
        whole = got.read()
        body = self.spoil(request, whole)
        self.met += body != whole
        if isinstance(body, tuple):
            return body[0]
        kind = got.getheader("Content-Type", "application/json")
        more = {name: got.getheader(name) for name in ("Content-Range", "ETag", "Accept-Ranges") if got.getheader(name)}
        return answer(body, f"{got.status} X", Content_Type=kind, **more)
