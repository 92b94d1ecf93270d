#!/usr/bin/python3
"""A look-alike of ListenBrainz and Last.fm in one: what scrobblers send is checked as the real ones do, and kept.

    scrobbleserver.py [--port 0] [--die-with-parent]

Prints one line of JSON when it is ready: `url` (ListenBrainz' base), `lastfm-url`, `token`, `api-key`, `secret`.

GET  /_state                 what was taken: {"listens": {"listenbrainz": [...], "lastfm": [...]}, "playing": {...},
                             "requests": [...], "twice": N}; `twice`: listens that came again and were not taken again
POST /_fault  {"fault": F, "times": N}    the next N calls: 401, 429, 500, hang, cut, html, blocked (400 and a page), later
                                          (Last.fm error 11), session
                                          (error 9), lost (taken, but the answer is cut off)
POST /_allow                 the person allows the last token of auth.getToken
POST /_reset                 forgets faults and what was taken
"""
import argparse
import hashlib
import http.server
import json
import os
import secrets
import signal
import socket
import sys
import threading
import time
import urllib.parse

TOKEN = "lb-token-0123456789"
NAME = "listener"
API_KEY = "0123456789abcdef0123456789abcdef"
SECRET = "fedcba9876543210fedcba9876543210"
SESSION = "session-key-abcdefghijklmnop"


class World:
    """What both sites know; one lock for all of it."""

    def __init__(self):
        self.lock = threading.Lock()
        self.listens = {"listenbrainz": [], "lastfm": []}
        self.playing = {}
        self.requests = []
        self.twice = 0
        self.fault = None
        self.times = 0
        self.tokens = {}

    def take(self, site, listen):
        """Keeps a listen unless the very same is there."""
        if listen in self.listens[site]:
            self.twice += 1
        else:
            self.listens[site].append(listen)

    def next_fault(self):
        with self.lock:
            if self.times <= 0:
                return None
            self.times -= 1
            return self.fault


world = World()


class Refused(Exception):
    """An answer of the interface that is no success."""

    def __init__(self, status, document, headers=()):
        super().__init__()
        self.status, self.document, self.headers = status, document, headers


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.handle_call(b"")

    def do_POST(self):
        self.handle_call(self.rfile.read(int(self.headers.get("Content-Length") or 0)))

    def handle_call(self, body):
        path = urllib.parse.urlsplit(self.path).path
        if path.startswith("/_"):
            return self.control(path, body)
        fault = world.next_fault()
        with world.lock:
            world.requests.append({"path": path, "fault": fault, "time": time.time()})
        try:
            if fault and fault != "lost":
                return self.fail(fault, path)
            if path in ("/1/submit-listens", "/1/validate-token"):
                document = self.listenbrainz(path, body)
            elif path == "/2.0/":
                document = self.lastfm(body)
            else:
                raise Refused(404, {"code": 404, "error": "no such page"})
            if fault == "lost":
                return self.cut()
            self.answer(200, document)
        except Refused as refused:
            self.answer(refused.status, refused.document, refused.headers)

    def fail(self, fault, path):
        is_lastfm = path.startswith("/2.0")
        if fault == "401":
            raise Refused(401, {"code": 401, "error": "Invalid authorization token."})
        if fault == "session":
            raise Refused(403, {"error": 9, "message": "Invalid session key - Please re-authenticate"})
        if fault == "later":
            raise Refused(200, {"error": 11, "message": "Service Offline"})
        if fault == "429":
            document = {"error": 29, "message": "Rate limit exceeded"} if is_lastfm else {"code": 429, "error": "Slow"}
            raise Refused(429, document, [("X-RateLimit-Reset-In", "1"), ("Retry-After", "1")])
        if fault == "500":
            self.raw(500, b"oops", "text/plain")
        elif fault == "html":
            self.raw(200, b"<!DOCTYPE html><title>Sign in to the network</title>", "text/html")
        elif fault == "blocked":
            self.raw(400, b"<html>Your request was blocked</html>", "text/html")
        elif fault == "hang":
            time.sleep(60)
        else:
            self.cut()

    def cut(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{")
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True

    def answer(self, status, document, headers=()):
        self.raw(status, json.dumps(document).encode(), "application/json", headers)

    def raw(self, status, body, kind, headers=()):
        self.send_response(status)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def control(self, path, body):
        document = json.loads(body) if body else {}
        with world.lock:
            if path == "/_fault":
                world.fault, world.times = document["fault"], document.get("times", 1)
            elif path == "/_allow":
                world.tokens = {token: True for token in world.tokens}
            elif path == "/_reset":
                world.times, world.twice, world.playing, world.requests = 0, 0, {}, []
                world.listens = {"listenbrainz": [], "lastfm": []}
            state = {
                "listens": world.listens, "playing": world.playing, "requests": world.requests, "twice": world.twice}
        self.answer(200, state)

    # ListenBrainz

    def listenbrainz(self, path, body):
        known = self.headers.get("Authorization") == f"Token {TOKEN}"
        if path == "/1/validate-token":
            if not known:
                return {"code": 200, "message": "Token invalid.", "valid": False}
            return {"code": 200, "message": "Token valid.", "valid": True, "user_name": NAME}
        if not known:
            raise Refused(401, {"code": 401, "error": "Invalid authorization token."})
        try:
            document = json.loads(body)
            kind, payload = document["listen_type"], document["payload"]
            assert kind in ("single", "import", "playing_now") and payload
            assert len(payload) == 1 or kind == "import"
            assert len(payload) <= 1000 and len(body) <= 10_240_000
            listens = [self.payload(kind, listen) for listen in payload]
        except (ValueError, KeyError, AssertionError, TypeError) as error:
            raise Refused(400, {"code": 400, "error": f"Invalid JSON document submitted: {error}"}) from error
        with world.lock:
            for listen in listens:
                if kind == "playing_now":
                    world.playing["listenbrainz"] = listen
                else:
                    world.take("listenbrainz", listen)
        return {"status": "ok"}

    @staticmethod
    def payload(kind, listen):
        assert len(json.dumps(listen)) <= 10_240, "too big"
        about = listen["track_metadata"]
        assert set(about) <= {"artist_name", "track_name", "release_name", "additional_info"}
        assert isinstance(about["artist_name"], str) and about["artist_name"]
        assert isinstance(about["track_name"], str) and about["track_name"]
        assert "unreadable" not in about["track_name"], "a title this server cannot read"
        more = about.get("additional_info", {})
        assert more["submission_client"] == "nyand" and more["media_player"] == "Nyan Tunes"
        assert set(more) <= {"duration_ms", "submission_client", "submission_client_version", "media_player"}
        if kind == "playing_now":
            assert "listened_at" not in listen
        else:
            assert 1_033_430_400 <= listen["listened_at"] <= time.time() + 600
        return {
            "artist": about["artist_name"], "title": about["track_name"], "album": about.get("release_name"),
            "began": listen.get("listened_at"), "duration": more.get("duration_ms", 0) // 1000}

    # Last.fm

    def lastfm(self, body):
        pairs = urllib.parse.parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=True)
        fields = dict(pairs)
        if len(fields) != len(pairs):
            raise Refused(400, {"error": 6, "message": "a parameter came twice"})
        signature = fields.pop("api_sig", "")
        fields.pop("format", None)
        text = "".join(name + fields[name] for name in sorted(fields)) + SECRET
        if fields.get("api_key") != API_KEY:
            raise Refused(403, {"error": 10, "message": "Invalid API key"})
        if hashlib.md5(text.encode()).hexdigest() != signature:
            raise Refused(403, {"error": 13, "message": "Invalid method signature supplied"})
        method = fields.get("method")
        if method == "auth.getToken":
            token = secrets.token_hex(8)
            world.tokens[token] = False
            return {"token": token}
        if method == "auth.getSession":
            if fields.get("token") not in world.tokens:
                raise Refused(403, {"error": 4, "message": "Invalid authentication token supplied"})
            if not world.tokens[fields["token"]]:
                raise Refused(403, {"error": 14, "message": "This token has not been authorized"})
            del world.tokens[fields["token"]]
            return {"session": {"subscriber": 0, "name": NAME, "key": SESSION}}
        if fields.get("sk") != SESSION:
            raise Refused(403, {"error": 9, "message": "Invalid session key - Please re-authenticate"})
        if method == "track.updateNowPlaying":
            with world.lock:
                world.playing["lastfm"] = {"artist": fields["artist"], "title": fields["track"]}
            return {"nowplaying": {"ignoredMessage": {"code": "0", "#text": ""}}}
        if method != "track.scrobble":
            raise Refused(400, {"error": 3, "message": "Invalid Method"})
        return self.scrobble(fields)

    @staticmethod
    def scrobble(fields):
        count = len([name for name in fields if name.startswith("timestamp[")])
        if not 1 <= count <= 50:
            raise Refused(400, {"error": 6, "message": "too many"})
        judged = []
        for index in range(count):
            listen = {
                "artist": fields[f"artist[{index}]"], "title": fields[f"track[{index}]"],
                "album": fields.get(f"album[{index}]"), "began": int(fields[f"timestamp[{index}]"]),
                "duration": int(fields.get(f"duration[{index}]", 0))}
            code = 0
            if listen["began"] < time.time() - 14 * 86_400:
                code = 3
            elif "ignored" in listen["title"]:
                code = 2
            else:
                with world.lock:
                    world.take("lastfm", listen)
            judged.append({"ignoredMessage": {"code": str(code), "#text": ""}, "timestamp": str(listen["began"])})
        return {"scrobbles": {"@attr": {"accepted": count}, "scrobble": judged if count > 1 else judged[0]}}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--die-with-parent", action="store_true")
    options = parser.parse_args()
    http.server.ThreadingHTTPServer.daemon_threads = True
    server = http.server.ThreadingHTTPServer(("127.0.0.1", options.port), Handler)
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))
    if options.die_with_parent:
        parent = os.getppid()

        def watch():
            while os.getppid() == parent:
                time.sleep(0.5)
            os._exit(0)

        threading.Thread(target=watch, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}"
    ready = {
        "url": url, "lastfm-url": f"{url}/2.0", "token": TOKEN, "api-key": API_KEY, "secret": SECRET, "name": NAME,
        "session": SESSION, "port": server.server_address[1]}
    print(json.dumps(ready), flush=True)
    server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
