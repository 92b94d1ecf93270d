"""Checks of scripted API faults."""

import gzip
import http.client
import json
import pathlib
import subprocess
import threading
import time
import urllib.parse

from selftest import HERE, check, equal


@check("injected errors come in order, for their method, as often as asked")
def _(s):
    s.control("inject", method="audio.get", code=10, times=2, skip=1)
    s.control("inject", code=17)
    equal(s.call("users.get")["error"]["redirect_uri"][:5], "http:")
    s.good("audio.get", count=1)
    equal(s.code("audio.get"), 10)
    s.control("clock", advance=1)
    s.good("users.get")
    equal(s.code("audio.get"), 10)
    s.good("audio.get", count=1)


@check("injected status, page, empty and cut bodies")
def _(s):
    s.control("inject", http=503, headers={"Retry-After": "2"})
    status, headers, body = s.raw("users.get")
    equal((status, headers["Retry-After"], body[:9]), (503, "2", b"<!DOCTYPE"))
    bodies = {}
    for name in ("html", "empty", "truncated", "garbage", "latin1"):
        s.control("clock", advance=1)
        s.control("inject", body=name)
        bodies[name] = s.raw("audio.get", count=1)[2]
    equal(bodies["empty"], b"")
    assert bodies["html"].startswith(b"<!DOCTYPE") and bodies["truncated"].startswith(b'{"response": {"count"')
    for name, body in bodies.items():
        try:
            json.loads(body)
        except ValueError:
            continue
        raise AssertionError(f"{name} is good JSON")


@check("injected resets tear the connection down before, at the start of, and within the answer")
def _(s):
    for place in ("before", "headers", "body"):
        s.control("clock", advance=1)
        s.control("inject", reset=place)
        try:
            s.raw("audio.get", count=50)
        except (ConnectionResetError, http.client.IncompleteRead, http.client.RemoteDisconnected):
            continue
        raise AssertionError(f"{place}: an answer came")


@check("a failing add may have acted all the same")
def _(s):
    s.control("inject", method="audio.add", http=504, act=True)
    equal(s.raw("audio.add", owner_id=77, audio_id=500001)[0], 504)
    equal(s.good("audio.get", count=1)["items"][0]["title"], "Theirs 1")
    s.control("inject", method="audio.add", http=504)
    s.raw("audio.add", owner_id=77, audio_id=500002)
    s.control("clock", advance=1)
    equal(s.good("audio.get", count=1)["items"][0]["title"], "Theirs 1", "without act nothing is added")


@check("delay, latency and drip slow an answer down")
def _(s):
    s.control("inject", delay=0.3)
    s.control("set", latency=0.1)
    begun = time.monotonic()
    s.good("users.get")
    assert 0.38 < time.monotonic() - begun < 1.5
    s.control("inject", drip=1000)
    begun = time.monotonic()
    s.good("users.get")
    assert time.monotonic() - begun > 0.15


@check("captcha, old form: the same request with the right key passes, once")
def _(s):
    s.control("captcha", form="old", method="audio.add", after=1)
    ask = {"owner_id": 77, "audio_id": 500001}
    s.good("audio.add", **ask)
    error = s.call("audio.add", **ask)["error"]
    assert error["error_code"] == 14 and error["captcha_img"]
    again = s.call("audio.add", captcha_sid=error["captcha_sid"], captcha_key="wrong", **ask)["error"]
    assert again["captcha_sid"] != error["captcha_sid"]
    s.control("clock", advance=1)
    other = {"owner_id": 77, "audio_id": 500002, "captcha_sid": again["captcha_sid"], "captcha_key": "nyan"}
    third = s.call("audio.add", **other)["error"]
    equal(third["error_code"], 14, "changed parameters do not pass")
    fourth = s.call("audio.add", **ask)["error"]
    s.control("clock", advance=1)
    equal(s.good("audio.add", captcha_sid=fourth["captcha_sid"], captcha_key="nyan", **ask)["items_count"], 1)
    s.good("audio.add", **ask)


@check("captcha, new form: redirect_uri and success_token")
def _(s):
    s.control("captcha", form="new")
    error = s.call("users.get")["error"]
    assert "not_robot_captcha" in error["redirect_uri"] and error["remixstlid"]
    equal(s.code("users.get", success_token="no"), 14)
    equal(s.good("users.get", success_token="nyan")[0]["id"], s.user)


@check("answers can be compressed")
def _(s):
    s.control("set", gzip=True)
    known = s.ready
    headers = {"User-Agent": known["user-agent"], "Accept-Encoding": "gzip"}
    headers["Content-Type"] = "application/x-www-form-urlencoded"
    body = f"access_token={known['token']}&v={known['version']}&count=5"
    _, answer, data = s.http("POST", "/method/audio.get", body, headers)
    equal(answer.get("Content-Encoding"), "gzip")
    equal(json.loads(gzip.decompress(data))["response"]["count"], 453)


@check("requests side by side are noticed")
def _(s):
    s.control("set", latency=0.3)
    threads = [threading.Thread(target=s.raw, args=("users.get",)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    equal(s.get("/_stats")["most-at-once"]["api"], 3)


@check("a trigger runs its commands after the k-th segment of one track")
def _(s):
    s.control("after", kind="segment", track=s.full(2), times=2, do=[{"cmd": "expire-links"}])
    place = urllib.parse.urlsplit(s.url(s.full(2))).path.rpartition("/")[0]
    equal([s.http("GET", f"{place}/seg-{n}-a1.ts")[0] for n in (1, 2, 3)], [200, 200, 403])


@check("reset brings everything back")
def _(s):
    before = s.get("/_library")
    s.control("library-empty")
    s.control("set", get="allow")
    s.control("inject", code=10, times=5)
    s.control("reset")
    equal((s.get("/_library"), s.code("users.get", verb="GET"), len(s.get("/_log"))), (before, 9999, 1))


@check("the server dies with its parent, writes the port file, and stops in the middle of a stalled transfer")
def _(s):
    path = s.work / "ready.json"
    media = s.process.args[s.process.args.index("--media") + 1]
    server = f"/usr/bin/python3 {HERE}/vkserver.py --media {media} --port-file {path}"
    # The shell is the parent; it ends as soon as the server is ready.
    script = f"{server} --die-with-parent >/dev/null & while [ ! -s {path} ]; do sleep 0.05; done"
    subprocess.run(["sh", "-c", script], check=True, timeout=10)
    ready = json.loads(path.read_text())
    until = time.monotonic() + 3
    while pathlib.Path(f"/proc/{ready['pid']}/exe").exists() and time.monotonic() < until:
        time.sleep(0.05)
    assert time.monotonic() < until, "still running"
    other = type(s)("test", media, s.work)
    other.control("media-fault", fault="stall", at=1000)
    link = http.client.HTTPConnection("127.0.0.1", other.port)
    link.request("GET", urllib.parse.urlsplit(other.url(other.full(1))).path)
    equal(len(link.getresponse().read(1000)), 1000)
    begun = time.monotonic()
    equal(other.end(), (0, ""))
    assert time.monotonic() - begun < 2.5
    link.close()
