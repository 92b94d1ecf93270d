#!/usr/bin/python3
"""Whoever is on the line: false certificates, lines that stall or break, ways that lead elsewhere, a proxy that lies, cookies of
others. nyand trusts a certificate authority of this test beside the system's, so that each false certificate is refused for
its own fault. No secret may reach anybody but VK, nothing of theirs is believed, and everybody is told why.

usage: way.py [--programs DIR] [--only WORD] [--quick]

Exit status 77 where such a place cannot be made.
"""

import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from front import Front, answer, head  # noqa: E402
from stand import Stand, arguments  # noqa: E402

BUNDLE = "/etc/ssl/certs/ca-certificates.crt"
ID = "123456_456239998"
MB = 1 << 20


def certificates(folder):
    """Makes an authority, and certificates that are right and wrong; answers nothing."""

    def run(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    for name in ("ca", "stranger"):
        run("req", "-x509", *key, "-keyout", f"{name}.key", "-out", f"{name}.pem", "-days", "9", "-subj", f"/CN=nyan {name}")
    run("req", "-x509", *key, "-keyout", "self.key", "-out", "self.pem", "-days", "9", "-subj", "/CN=localhost",
        "-addext", "subjectAltName=DNS:localhost")  # fmt: skip
    for name, signer, host, days in (
        ("good", "ca", "localhost", "9"),
        ("unknown", "stranger", "localhost", "9"),
        ("elsewhere", "ca", "vk.example", "9"),
        ("expired", "ca", "localhost", "-1"),
    ):
        run("req", "-new", *key, "-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={host}",
            "-addext", f"subjectAltName=DNS:{host}")  # fmt: skip
        run("x509", "-req", "-in", f"{name}.csr", "-CA", f"{signer}.pem", "-CAkey", f"{signer}.key", "-CAcreateserial",
            "-copy_extensions", "copy", "-days", days, "-out", f"{name}.pem")  # fmt: skip


def context(folder, name):
    """What a server needs to show this certificate."""
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(f"{folder}/{name}.pem", f"{folder}/{name}.key")
    return made


class SecureFront(Front):
    """The hostile server behind TLS. `greet(link)` makes a TLS link of a plain one, or ends it; `raw` is all that came before
    any TLS."""

    def __init__(self, behind, good):
        self.good = good
        self.calm()
        super().__init__(behind)
        self.url = f"https://localhost:{self.port}"

    def calm(self):
        self.greet = self.shake(self.good)
        self.raw, self.links = b"", 0
        if hasattr(self, "socket"):
            super().calm()

    @staticmethod
    def shake(shown):
        """Shows a certificate to everybody."""
        return lambda link: shown.wrap_socket(link, server_side=True)

    def _serve(self, link):
        self.links += 1
        try:
            secure = self.greet(link)
            if secure is not None:
                super()._serve(secure)
        except (OSError, ssl.SSLError):
            pass
        finally:
            link.close()


class Listener:
    """Somebody who was not asked: keeps all that is said to it. `says(link)` answers."""

    def __init__(self):
        self.heard, self.says = b"", lambda link: None
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.socket.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self):
        while True:
            link, _ = self.socket.accept()
            threading.Thread(target=self._serve, args=(link,), daemon=True).start()

    def _serve(self, link):
        try:
            with link:
                link.settimeout(20)
                heard = b""
                while b"\r\n\r\n" not in heard:
                    part = link.recv(65536)
                    if not part:
                        return
                    self.heard += part
                    heard += part
                self.says(link)
                while part := link.recv(65536):
                    self.heard += part
        except OSError:
            pass


class Way:
    """The attacks, and who must not hear a secret."""

    def __init__(self, stand, folder):
        self.stand, self.folder, self.front = stand, folder, stand.front
        self.other = Listener()
        ready = stand.house.ready
        pairs = [pair.partition("=") for pair in ready["cookies"].split("; ")]
        self.secrets = [ready["token"]] + [value for name, _, value in pairs if name in ("remixsid", "p")]

    def ctl(self, *words, input=None):
        code, output, errors = self.stand.house.ctl("--timeout", "40", *words, input=input, limit=60)
        if code < 0 or code > 100:
            raise RuntimeError(f"nyanctl {words} ended with {code}: {errors[-300:]}")
        return code, output + errors

    def silent(self, heard, who):
        for secret in self.secrets:
            if (at := heard.find(secret.encode())) >= 0:
                raise RuntimeError(f"a secret went to {who}: {heard[:200]} … {heard[max(0, at - 60) : at + 6]}")

    def refused(self, *words):
        """A call that must fail in words, and its words."""
        code, said = self.ctl(*(words or ("search", "Found")))
        if code == 0:
            raise RuntimeError(f"believed: {said!r:.300}")
        if not said.strip():
            raise RuntimeError("no word")
        return said

    def tls(self, greet, word):
        """Calls over a line where `greet` stands; the answer has this word, and nobody got a request."""

        def run():
            self.front.greet, self.front.links = greet, 0
            self.front.seen.clear()
            said = self.refused()
            if self.front.links == 0:
                raise RuntimeError("nobody came")
            # What else goes on may have shaken hands before.
            if any(request.name == "audio.search" for request in self.front.seen):
                raise RuntimeError("asked all the same")
            if not any(part in said.lower() for part in word):
                raise RuntimeError(f"no word of {word}: {said}")
            return said

        return run

    def good(self):
        code, said = self.ctl("search", "Found")
        if code or not self.front.seen:
            raise RuntimeError(f"{code}: {said}")
        return said

    def broken_line(self, planned):
        """The line breaks within the answer: half of one is none."""

        def run():
            self.front.plan = lambda request: planned if request.name == "audio.search" else None
            return self.refused()

        return run

    def elsewhere(self, status, target):
        """A call is sent elsewhere: nobody there hears a secret."""

        def run():
            self.other.heard = b""
            reply = answer('{"response":{"count":0,"items":[]}}')
            self.other.says = lambda link: link.sendall(reply)
            self.front.plan = lambda request: answer("", status, Location=target) if request.name == "audio.search" else None
            said = self.refused()
            self.silent(self.other.heard, "where VK did not lead to")
            return said

        return run

    def sound_elsewhere(self):
        """A sound may lie on another host, without TLS, too: it hears nothing of who asks but what a player says."""
        self.other.heard = b""
        self.other.says = lambda link: link.sendall(answer("no sound", "404 X"))

        def spoil(request, body):
            if request.name != "audio.getById":
                return body
            document = json.loads(body)
            for item in document["response"]:
                item["url"] = f"{self.front.url}/media/x.mp3?extra=1"
            return json.dumps(document).encode()

        self.front.spoil = spoil
        away = answer("", "302 X", Location=self.other.url + "/there.mp3", Set_Cookie="remixsid=theirs; domain=localhost")
        self.front.plan = lambda request: away if request.path.startswith("/media") else None
        said = self.ctl("download", ID, "--wait")[1]
        end = time.monotonic() + 10
        while not self.other.heard and time.monotonic() < end:
            time.sleep(0.05)
        self.ctl("cancel", ID)
        heard = self.other.heard + "".join(
            f"{request.headers}" for request in self.front.seen if request.path.startswith("/media")
        ).encode()
        self.silent(heard, "a media server")
        if b"there.mp3" not in heard:
            raise RuntimeError("nobody followed")
        for line in (b"cookie:", b"'cookie'", b"authorization", b"origin:", b"referer:"):
            if line in heard.lower():
                raise RuntimeError(f"{line} went to a media server")
        return said

    # A proxy.

    def proxied(self, says, word=()):
        """Everything goes to a proxy, which answers `CONNECT` in its own way."""

        def run():
            house, proxy = self.stand.house, Listener()
            proxy.says = says
            house.daemon.terminate()
            house.daemon.wait(20)
            self.front.seen.clear()
            # The machine's own list of who needs no proxy is none of this.
            house.environment |= {"https_proxy": proxy.url, "http_proxy": proxy.url, "no_proxy": ""}
            try:
                house.start("debug")
                said = self.refused()
            finally:
                for name in ("https_proxy", "http_proxy", "no_proxy"):
                    house.environment.pop(name, None)
                house.daemon.terminate()
                house.daemon.wait(20)
                house.start("debug")
            if not proxy.heard.startswith(b"CONNECT localhost:"):
                raise RuntimeError(f"the proxy heard {proxy.heard[:40]}")
            self.silent(proxy.heard, "the proxy")
            if self.front.seen:
                raise RuntimeError("went past the proxy")
            if word and not any(part in said.lower() for part in word):
                raise RuntimeError(f"no word of {word}: {said}")
            return said

        return run

    # Cookies.

    def cookies(self, lines):
        """A browser's session whose renewals bring such cookies: the two that count stay fit, and go to VK alone."""

        def run():
            ready, front = self.stand.house.ready, self.front

            def plan(request):
                if "web_token" not in request.path:
                    return None
                return lambda link: front.send(link, front._forward(request).replace(b"\r\n", b"\r\n" + lines, 1))

            front.plan = plan
            code, said = self.ctl("login", "--cookies", input=ready["cookies"])
            asked = [request for request in front.seen if "web_token" in request.path]
            if not asked or "remixsid=" not in asked[0].headers.get("cookie", ""):
                raise RuntimeError(f"no session: {code} {said} {[request.path for request in front.seen]}")
            if code == 0:
                front.plan = lambda request: None
                front.seen.clear()
                self.ctl("search", "Found")
                self.ctl("download", ID, "--wait")
                self.ctl("delete", ID)
            for request in front.seen:
                if "cookie" in request.headers and "web_token" not in request.path:
                    raise RuntimeError(f"a cookie went to {request.path}")
            with open(self.stand.house.room + "/data/nyand/credentials", "rb") as file:
                kept = file.read()
            if len(kept) > 16_384 or b"theirs" in kept or b"\x1b" in kept:
                raise RuntimeError(f"{code} {said} kept {len(kept)} bytes: {kept[-400:]}")
            # The login of the others.
            front.plan = lambda request: None
            code, errors = self.ctl("login", "--token", input=ready["token"])
            if code:
                raise RuntimeError(errors)
            return said

        return run


def stall(link):
    """Takes everything and says nothing."""
    link.settimeout(30)
    try:
        while link.recv(65536):
            pass
    except OSError:
        pass


def half_hello(link):
    """The beginning of a handshake, then nothing."""
    link.recv(65536)
    link.sendall(b"\x16\x03\x03\x00\x7a\x02\x00\x00\x76\x03\x03")
    stall(link)


def plain(link):
    """HTTP where TLS is expected."""
    link.recv(65536)
    link.sendall(answer('{"response":{"count":0,"items":[]}}'))


def noise(link):
    """No handshake of any kind."""
    link.recv(65536)
    link.sendall(os.urandom(8192))


def shut(link):
    """Closed in the middle of the handshake."""
    link.recv(65536)


def cut(first):
    """Sends this much and breaks the line without TLS's own goodbye."""

    def send(link):
        link.sendall(first)
        # Python's own end of a TLS link sends none either.
        os.close(link.detach())

    return send


def reply(*parts, hold=0.0):
    """What a proxy says, piece by piece; a listener that goes away ends it."""

    def say(link):
        for part, count in parts:
            for _ in range(count):
                link.sendall(part)
        time.sleep(hold)

    return say


def attacks(way):
    """Name, what is done, and whether the short form has it."""
    shake, good = way.front.shake, b'{"response":{"count":0,"items":[]}}'
    certificate = ("certificate", "tls", "ssl")
    for name in ("self", "unknown", "elsewhere", "expired"):
        yield f"TLS: {name}", way.tls(shake(context(way.folder, name)), certificate), name == "elsewhere"
    yield "TLS: right", way.good, True
    for name, greet, quick in (
        ("plain HTTP", plain, False), ("noise", noise, False), ("closed", shut, False), ("silence", stall, False),
        ("half a hello", half_hello, False),
    ):  # fmt: skip
        yield f"TLS: {name}", way.tls(greet, ("",)), quick
    yield "TLS: broken off after half the answer", way.broken_line(cut(head(length=len(good)) + good[:9])), False
    yield "TLS: broken off, no length", way.broken_line(cut(head() + good[:-1])), False
    port = way.other.port
    for name, status, target in (
        ("to http", "307 X", f"http://localhost:{port}/method/audio.search"),
        ("to http on the same port", "308 X", way.front.url.replace("https", "http") + "/method/audio.search"),
        ("to another host", "302 X", f"http://127.0.0.1:{port}/method/audio.search"),
        ("to another host over TLS", "307 X", f"https://127.0.0.1:{port}/method/audio.search"),
        ("with a name", "307 X", f"https://me:secret@127.0.0.1:{port}/x"),
        ("to ftp", "302 X", f"ftp://127.0.0.1:{port}/x"),
        ("to dict", "307 X", f"dict://127.0.0.1:{port}/x"),
        ("to scp", "302 X", f"scp://127.0.0.1:{port}/x"),
        ("to a file", "302 X", "file:///etc/passwd"),
    ):
        yield f"redirect: {name}", way.elsewhere(status, target), name in ("to http", "to another host", "to a file")
    yield "redirect: a sound", way.sound_elsewhere, True
    ok = b"HTTP/1.1 200 OK\r\n\r\n"
    for name, says, quick in (
        ("answers in VK's place", reply((ok + answer('{"response":{"count":0,"items":[]}}'), 1)), False),
        ("407", reply((answer("no", "407 X", Proxy_Authenticate='Basic realm="\x1b[2J"'), 1)), False),
        ("a page", reply((answer("<html>log in</html>", Set_Cookie="remixsid=theirs; domain=.vk.ru"), 1)), False),
        ("sends elsewhere", reply((answer("", "302 X", Location=way.other.url), 1)), False),
        ("garbage", reply((os.urandom(65536), 4)), False),
        ("huge headers", reply((b"HTTP/1.1 200 OK\r\n", 1), (b"X-More: yes\r\n" * 8000, 400)), False),
        ("a body without end", reply((head("407 X"), 1), (b"x" * MB, 400)), False),
        ("silence", reply(hold=30), False),
    ):
        yield f"proxy: {name}", way.proxied(says), quick
    many = b"".join(b"Set-Cookie: c%d=1; domain=.example.org\r\n" % number for number in range(2000))
    for name, lines, quick in (
        ("of others", b"Set-Cookie: remixsid=theirs; domain=example.org\r\n", True),
        ("of another path", b"Set-Cookie: __Host-p=theirs; Domain=vk.ru\r\n", False),
        ("ten thousand", many * 5, False),
        ("1 MB", b"Set-Cookie: remixsid=theirs" + b"x" * MB + b"\r\n", False),
        ("100 KB", b"Set-Cookie: remixsid=theirs" + b"x" * 100_000 + b"\r\n", False),
        ("with signs", b"Set-Cookie: p=theirs\x1b[2J\x07\r\nSet-Cookie: remixsid=theirs\xff\xfe\r\n", False),
        ("with more in them", b'Set-Cookie: p="odd; x\r\nSet-Cookie: remixsid=theirs,b\r\n', False),
        ("without a name", b"Set-Cookie: =theirs\r\nSet-Cookie: ;;;\r\nSet-Cookie:\r\n", False),
    ):
        yield f"cookies: {name}", way.cookies(lines), quick


def lacking(user):
    """What is in the way of `trusting`, in words; nothing where it can be done."""
    if not os.path.isfile(BUNDLE):
        return f"the system's certificate authorities are not in {BUNDLE}"
    if not shutil.which("openssl"):
        return "there is no openssl to make certificates"
    try:
        tried = subprocess.run(["unshare", *user, "-m", "true"], capture_output=True, text=True)
    except FileNotFoundError:
        return "there is no unshare"
    return f"nothing can be mounted in a place of its own ({tried.stderr.strip()})" if tried.returncode else ""


def trusting():
    """Begins again in a place of its own where the authority of this test is among those of the system, and gives the folder of
    its certificates."""
    if os.environ.get("NYAN_WAY"):
        return os.environ["NYAN_WAY"]
    user = [] if os.geteuid() == 0 else ["-r"]
    if reason := lacking(user):
        print(f"not here: {reason}")
        sys.exit(77)
    folder = tempfile.mkdtemp(prefix="nyan-way-")
    certificates(folder)
    with open(f"{folder}/bundle", "wb") as file:
        for name in (BUNDLE, f"{folder}/ca.pem"):
            with open(name, "rb") as part:
                file.write(part.read() + b"\n")
    line = f'mount --bind {folder}/bundle {BUNDLE} && exec "$0" "$@"'
    words = ["unshare", *user, "-m", "--propagation", "private", "sh", "-c", line, sys.executable, *sys.argv]
    try:
        sys.exit(subprocess.run(words, env={**os.environ, "NYAN_WAY": folder}).returncode)
    finally:
        shutil.rmtree(folder)


class SecureStand(Stand):
    """A stand whose server is behind TLS."""

    def __init__(self, programs, folder):
        self.folder = folder
        super().__init__(programs)

    def front_before(self, url):
        return SecureFront(url, context(self.folder, "good"))

    def settings(self):
        return f"[vk]\nlogin-url={self.house.ready['login-url']}\n"


def main():
    """Everything in turn."""
    folder = trusting()
    options = arguments(__doc__)
    stand = SecureStand(options.programs, folder)
    way = Way(stand, folder)
    for name, do, quick in attacks(way):
        if options.only in name and (quick or not options.quick):
            # A handshake that fails is no answer of the front; these look for themselves whether they were met.
            stand.attack(name, do, most_seconds=150, through_front=not name.startswith(("TLS", "proxy")))
    sys.exit(stand.end())


if __name__ == "__main__":
    main()
