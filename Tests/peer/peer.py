"""Lets two independent clients of VK use the look-alike and compares what they say with what it holds.

Tests that pass only because nyand and the look-alike share a mistake would be worth nothing; these clients were written
by others, for the real service. Run by scripts/test in the environment of requirements.txt. Prints `N agreed, N
disagreed`.
"""

import atexit
import logging
import os
import shutil
import sys
import tempfile
import time
import traceback

WORK = tempfile.mkdtemp(prefix="nyan-peer.")
atexit.register(shutil.rmtree, WORK, True)
os.chdir(WORK)  # vkpymusic keeps a folder of logs wherever it is started
logging.disable()  # what the peers say to people

import caller  # noqa: E402
import listener  # noqa: E402
from service import Service  # noqa: E402


def main():
    """Every check on a fresh look-alike state; exit status 1 when one disagreed."""
    begun, agreed, disagreed = time.monotonic(), 0, 0
    for scenario, peer in (("demo", listener), ("test", caller)):
        service = Service(scenario)
        try:
            if peer is listener:
                listener.prepare(service)
            for check in peer.CHECKS:
                service.control("reset")
                try:
                    check(service)
                    agreed += 1
                except Exception:
                    disagreed += 1
                    print(f"DISAGREED: {peer.__name__}: {check.__doc__}\n{traceback.format_exc(limit=-3)}")
        finally:
            service.end()
    print(f"peer: {agreed} agreed, {disagreed} disagreed ({time.monotonic() - begun:.1f} s)")
    return 1 if disagreed or not agreed else 0


if __name__ == "__main__":
    sys.exit(main())
