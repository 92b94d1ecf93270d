#!/usr/bin/python3
"""A VK that means harm: what nyand makes of its answers, end to end, with its memory and everybody's waits measured.

usage: vk.py [--programs DIR] [--only WORD] [--seed N] [--calls N]
"""

import json
import os
import random
import sys
import time
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from front import answer, head  # noqa: E402
from spoil import WAYS, paths, spoilt  # noqa: E402
from stand import Stand, arguments  # noqa: E402

MB = 1 << 20
ID = "123456_456239998"
# What a person may ask for, and the method whose answer it is.
CALLS = [
    ("audio.search", ["search", "Found"]),
    ("audio.get", ["sync"]),
    ("audio.getById", ["play", ID]),
    ("friends.get", ["friends"]),
    ("groups.get", ["groups"]),
    ("utils.resolveScreenName", ["profile", "open_friend"]),
    ("audio.getPlaylists", ["playlists"]),
    ("audio.getLyrics", ["lyrics", ID]),
    ("audio.getRecommendations", ["recommendations", ID]),
    ("audio.add", ["add", "77_500005"]),
    ("users.get", ["login", "--token"]),
]
UNWELCOME = ["\x1b]52;c;x\x07", "\x1b[2J", "\u202e", "\r\n", "\x9b31m"]


def ctl(stand, words):
    """What nyanctl said, whatever its status; a command that hangs is a fault."""
    text = stand.house.ready["token"] if "--token" in words else None
    code, output, errors = stand.house.ctl("--timeout", "60", *words, input=text, limit=80)
    if code < 0 or code > 100:
        raise RuntimeError(f"nyanctl {words} ended with {code}: {errors[-300:]}")
    return output + errors


def only(method, planned):
    """A plan for one method's answers."""
    return lambda request: planned if request.name == method else None


def stream(front, first, piece, count, last=b""):
    """An answer in pieces, as fast as it is taken."""

    def send(link):
        front.send(link, first)
        for _ in range(count):
            front.send(link, piece)
        front.send(link, last)

    return send


def spoiling(stand, chance, calls):
    """One random field of one random answer wrong, many times."""

    def run():
        heard = ""
        for _ in range(calls):
            method, words = chance.choice(CALLS)
            way, place = chance.choice(list(WAYS)), chance.random()

            def spoil(request, body):
                if request.name != method:
                    return body
                places = list(paths(json.loads(body)))
                return spoilt(body, places[int(place * len(places))], way)

            stand.front.spoil = spoil
            heard += ctl(stand, words)
            if stand.house.daemon.poll() is not None:
                raise RuntimeError(f"died of {way} in {method} at {place}")
        return heard

    return run


def bomb(kind):
    """10 MB that unpack to 10 GB of zeros."""
    packer = zlib.compressobj(9, wbits={"gzip": 31, "deflate": 15}[kind])
    first = packer.compress(b'{"response":') + packer.flush(zlib.Z_FULL_FLUSH)
    block = packer.compress(b"0" * (64 * MB)) + packer.flush(zlib.Z_FULL_FLUSH)
    return first, block


def bodies(front):
    """Answers that are too much, or no answers."""
    found = {
        "100 MB with a length": stream(front, head(length=100 * MB), b" " * MB, 100),
        "100 MB without": stream(front, head(), b"[" * MB, 100),
        "no end, in chunks": stream(front, head(Transfer_Encoding="chunked"), b"100000\r\n" + b"1" * MB + b"\r\n", 4000),
        "a length of 2^63-1": head(length=(1 << 63) - 1) + b"{}",
        "a length of 2^64": head(length=1 << 64) + b"{}",
        "a negative length": head(length=-5) + b"{}",
        "two lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 9\r\n\r\n{}",
        "a chunk of 2^64": head(Transfer_Encoding="chunked") + b"fffffffffffffffff\r\n{}",
        "HTTP/0.9": b'{"response":{"count":0,"items":[]}}',
        "HTTP/2 frames": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + os.urandom(4000),
        "rubbish": os.urandom(1 << 16),
        "a status of 20 digits": b"HTTP/1.1 99999999999999999999 OK\r\n\r\n{}",
        "NUL in a header": b"HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 2\r\n\r\n{}",
        "an answer that switches protocols": b"HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n" * 9,
    }
    for name, text in {
        "empty objects": "{}," * (4 * MB // 3 - 20) + "{}",
        "numbers": "1," * (2 * MB - 40) + "1",
        "brackets": "[" * (4 * MB - 60),
        "members": '"a":{' * (4 * MB // 5 - 40),
        "half pairs": '"' + "\\ud800" * (4 * MB // 6 - 40) + '"',
        "entities": '"' + "&amp" * (MB - 40) + '"',
    }.items():
        found[f"4 MB of {name}"] = answer('{"response":{"count":3,"items":[' + text + "]}}")
        found[f"4 MB of {name}, bare"] = answer('{"response":[' + text + "]}")
    keys = ",".join(f'"k{number}":1' for number in range(250_000))
    found["250,000 members"] = answer('{"response":{' + keys + "}}")
    found["150,000 covers"] = answer(
        '{"response":{"count":1,"items":[{"id":1,"owner_id":2,"thumb":{'
        + ",".join(f'"photo_{number}":{number}' for number in range(150_000))
        + "}}]}}"
    )
    for kind in ("gzip", "deflate"):
        first, block = bomb(kind)
        found[f"a bomb of {kind}"] = stream(front, head(Content_Encoding=kind), block, 160)
        both = head(Content_Encoding=f"{kind}, {kind}")
        found[f"a bomb of {kind} twice"] = stream(front, both, block, 160)
    found["br that was not asked for"] = answer(b"\x8b" * 5000, Content_Encoding="br")
    return found


def heads(front):
    """Heads that do not end, or lead astray."""
    status = b"HTTP/1.1 200 OK\r\n"
    cookies = b"".join(b"Set-Cookie: c%d=1; domain=.example.org\r\n" % number for number in range(20_000))

    def drip(link):
        for byte in status + b"X-Slow: " + b"y" * 400:
            front.send(link, bytes([byte]))
            time.sleep(1)

    return {
        "a byte a second": drip,
        "a million cookies": stream(front, status, cookies, 50),
        "100 MB of headers": stream(front, status, b"X-More: yes\r\n" * 8000, 1000),
        "one header of 100 MB": stream(front, status + b"X: ", b"y" * MB, 100),
        "interim answers without end": stream(front, b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 4000, 1000),
        "trailers without end": stream(
            front, head(Transfer_Encoding="chunked") + b"2\r\n{}\r\n0\r\n", b"X-More: yes\r\n" * 8000, 1000
        ),
        "a circle": lambda link: front.send(link, head("307 X", 0, Location="/method/audio.search")),
        "a circle that grows": lambda link: front.send(link, head("302 X", 0, Location="/" + "x" * 60_000)),
        "to another host": answer("", "307 X", Location="http://localhost:%d/steal" % front.port),
        "to a file": answer("", "302 X", Location="file:///etc/passwd"),
        "to gopher": answer("", "302 X", Location="gopher://127.0.0.1:%d/_x" % front.port),
        "to rubbish": answer("", "302 X", Location="http://[::1%25lo\x01]:99999/"),
        "to a port of this machine": answer("", "302 X", Location="http://127.0.0.1:22/"),
        "with a body of 100 MB": stream(front, head("302 X", Location="/method/x"), b"x" * MB, 100),
    }


def errors():
    """Error documents that want something."""
    evil = "".join(UNWELCOME) * 2000
    found = {}
    for address in ("file:///etc/passwd", "javascript:alert(1)", "http://127.0.0.1:1/\x1b]0;x\x07", "x" * 100_000):
        for code in (14, 17, 24, 25, 3300):
            found[f"error {code} with {address[:12]!r}"] = {
                "error_code": code,
                "error_msg": evil,
                "captcha_sid": evil,
                "captcha_img": address,
                "redirect_uri": address,
                "confirmation_text": evil,
                "captcha_ts": 1e308,
            }
    for code in (0, 5, 6, -1, (1 << 63) - 1, 1 << 64, 1e308, "x", None):
        found[f"error {code}"] = {"error_code": code, "error_subcode": code, "error_msg": evil, "ban_info": evil}
    return found


def names(stand):
    """People whose names draw on the terminal."""

    def spoil(request, body):
        if request.name not in ("friends.get", "audio.search", "audio.getPlaylists"):
            return body
        document = json.loads(body)
        for item in document["response"]["items"]:
            for key in ("first_name", "screen_name", "artist", "title", "description"):
                if key in item:
                    item[key] = "".join(UNWELCOME) + "x\0y" + "a\u0301" * 300
        return json.dumps(document).encode()

    stand.front.spoil = spoil
    return "".join(ctl(stand, words) for words in (["friends"], ["search", "Found"], ["playlists"]))


def main():
    """Everything in turn."""
    options = arguments(__doc__)
    stand = Stand(options.programs)
    front = stand.front

    def attack(name, do, **bounds):
        if options.only in name:
            stand.attack(name, do, **bounds)

    def asked(method, words, planned):
        def run():
            front.plan = only(method, planned)
            return ctl(stand, words)

        return run

    for name, planned in bodies(front).items():
        attack(f"body: {name}", asked("audio.search", ["search", "Found"], planned))
    for name, planned in heads(front).items():
        attack(f"head: {name}", asked("audio.search", ["search", "Found"], planned), most_seconds=140)
        if any("steal" in request.path and request.body for request in front.seen):
            stand.problems.append(f"{name}: what was posted went on to another host")
    for name, error in errors().items():
        body = answer(json.dumps({"error": error}))
        attack(f"error: {name}", asked("audio.search", ["search", "Found"], body))
    attack("names that draw", lambda: names(stand))
    attack("fields", spoiling(stand, random.Random(options.seed), options.calls), most_seconds=options.calls * 12)
    sys.exit(stand.end())


if __name__ == "__main__":
    main()
