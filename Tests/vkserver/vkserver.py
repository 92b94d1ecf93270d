#!/usr/bin/python3
"""A look-alike of VK's audio service on 127.0.0.1, for tests and for `make demo`. See README.md."""

import argparse
import asyncio
import contextlib
import json
import os
import pathlib
import shutil
import signal
import sys

from aiohttp import web

import cdn
import control
import scenario_demo
import scenario_test
from account import CLIENT_ID, client_secret
from api import API
from captcha import Pages
from login import Login
from media import Shelf
from oauth import OAuth
from profiles import PROFILES, token_text
from upload import Upload
from vkid import VKID
from world import World

SCENARIOS = {"demo": scenario_demo.SCENARIO, "test": scenario_test.SCENARIO}


def default_media():
    """The folder of generated media when none is named."""
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(cache, "nyand-lookalike")


def options():
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="port of the API and the first media host; 0 = any free")
    parser.add_argument("--media", default=default_media(), help="folder of generated media")
    parser.add_argument("--scenario", choices=sorted(SCENARIOS), default="test")
    parser.add_argument("--port-file", help="file that receives the ready line")
    parser.add_argument("--outer", help="PORT,PORT: media addresses name these, behind which somebody forwards to ours")
    parser.add_argument("--die-with-parent", action="store_true", help="end when the starting process is gone")
    return parser.parse_args()


def application(world):
    """All hosts in one application: api, cdn, control."""
    commands = control.Control(world)
    api, media = API(world, commands.run_all), cdn.CDN(world, commands.run_all)
    app = web.Application(client_max_size=4 << 20)
    app.add_routes([web.post("/method/{name}", api.handle), web.get("/method/{name}", api.handle, allow_head=False)])
    app.add_routes(Login(world, commands.run_all).routes() + OAuth(world, commands.run_all).routes())
    app.add_routes(Pages(world).routes() + Upload(world).routes() + VKID(world).routes())
    app.add_routes(cdn.routes(media))
    app.add_routes(control.routes(commands))
    return app


def ready_line(world, port, second):
    """What the starter needs to know."""
    base = f"http://127.0.0.1:{port}"
    tokens = {
        name: {"token": token_text(name, world.user), "user-agent": profile.example, "version": profile.version}
        for name, profile in PROFILES.items()
    }
    return {
        "port": port,
        "port2": second,
        "url": base,
        "api-url": base + "/method",
        "cdn-url": base + "/cdn",
        "cdn2-url": f"http://127.0.0.1:{second}/cdn",
        "oauth-url": base + "/oauth",
        "login-url": base + "/login",
        "id-url": base + "/id",
        "control-url": base + "/_control",
        "token": tokens["web"]["token"],
        "user-agent": tokens["web"]["user-agent"],
        "version": tokens["web"]["version"],
        "profile": "web",
        "user": world.user,
        "cookies": world.account.site.cookies(),
        "login": world.account.login,
        "password": world.account.password,
        "client-id": CLIENT_ID,
        "client-secret": client_secret(CLIENT_ID),
        "tokens": tokens,
        "scenario": world.scenario.name,
        "pid": os.getpid(),
    }


def announce(line, path):
    """Writes the ready line to stdout and, in one piece, to the port file."""
    text = json.dumps(line, ensure_ascii=False) + "\n"
    if path:
        rough = pathlib.Path(f"{path}.{os.getpid()}")
        rough.write_text(text, encoding="utf-8")
        rough.replace(path)
    sys.stdout.write(text)
    sys.stdout.flush()


async def parent_gone(parent):
    """Returns when the process that started this one has ended.

    Watched by number, because the kernel's own death signal follows the starting thread, not the process.
    """
    while os.getppid() == parent:
        await asyncio.sleep(0.3)


async def serve(settings, parent):
    """Opens both ports, announces them, and serves until told to stop."""
    scenario = SCENARIOS[settings.scenario]
    shelf = Shelf(settings.media, scenario.recipes, scenario.pictures)
    shelf.fill()
    hosts = {"cdn": "", "cdn2": "", "site": ""}
    world = World(scenario, shelf, hosts)
    runner = web.AppRunner(application(world), access_log=None)
    await runner.setup()
    for wanted in (settings.port, 0):
        await web.TCPSite(runner, "127.0.0.1", wanted, shutdown_timeout=0.2, backlog=256).start()
    ports = [address[1] for address in runner.addresses]
    outer = settings.outer.split(",") if settings.outer else ports
    hosts["cdn"], hosts["cdn2"] = (f"http://127.0.0.1:{port}" for port in outer)
    hosts["site"] = f"http://127.0.0.1:{ports[0]}"
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    announce(ready_line(world, *ports), settings.port_file)
    waits = [asyncio.create_task(stop.wait())]
    if settings.die_with_parent:
        waits.append(asyncio.create_task(parent_gone(parent)))
    await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    for task in waits:
        task.cancel()
    with contextlib.suppress(asyncio.TimeoutError):
        await asyncio.wait_for(runner.cleanup(), 1.0)


def main():
    """Runs the server; ends quietly with 0 on SIGTERM."""
    settings, parent = options(), os.getppid()
    lacking = [name for name in ("ffmpeg", "lame", "openssl") if not shutil.which(name)]
    if lacking:
        sys.exit(f"vkserver: not installed: {', '.join(lacking)}")
    signal.signal(signal.SIGTERM, lambda *_: os._exit(0))  # while composing; serve() takes over
    asyncio.run(serve(settings, parent))


if __name__ == "__main__":
    main()
