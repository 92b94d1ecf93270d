"""Starts the look-alike of VK and waits until it can be asked; whoever needs one starts it this way."""

import json
import os

SERVER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "vkserver/vkserver.py")


def words(*more, scenario="test"):
    """The command line of one that ends with whoever started it, at a port of its own choice."""
    return ["/usr/bin/python3", SERVER, "--port", "0", "--scenario", scenario, "--die-with-parent", *more]


def environment():
    """Ours, with one cache of made music for everybody on this machine."""
    return {**os.environ, "XDG_CACHE_HOME": f"/tmp/nyan-lookalike-{os.getuid()}"}


def ready(child):
    """What it says of itself once it is there: addresses, token, cookies (vkserver's README)."""
    line = child.stdout.readline()
    if not line:
        raise RuntimeError(f"the look-alike ended with {child.wait()} before it was there")
    return json.loads(line)
