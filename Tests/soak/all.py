#!/usr/bin/python3
"""All of them one after the other, about 50 minutes: one line for each, and figures and pictures in .build/soak.
usage: all.py [--programs DIR] [--seed N] [--only NAME]…"""

import argparse
import os
import random
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
from figures import KEPT  # noqa: E402
from house import TESTS  # noqa: E402

RUNS = {
    "soak": ["--seconds", "1800"],
    "changes": ["--changes", "2000"],
    "storm": ["--rounds", "120"],
    "deaths": ["--rounds", "100"],
    "load": [],
    "burst": [],
}
WITHOUT_SEED = {"load"}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", default=os.path.join(os.path.dirname(TESTS), ".build/release"))
    parser.add_argument("--seed", type=int, default=random.randrange(1_000_000))
    parser.add_argument("--only", action="append", choices=list(RUNS))
    options = parser.parse_args()
    failed, start = [], time.monotonic()
    print(f"seed {options.seed}", flush=True)
    for name in options.only or RUNS:
        words = [sys.executable, f"{TESTS}/soak/{name}.py", "--programs", options.programs, *RUNS[name]]
        if name not in WITHOUT_SEED:
            words += ["--seed", str(options.seed)]
        status = subprocess.run(words).returncode
        if status:
            # 3: nothing but a measure, which others on this machine may cause (decision 0041).
            failed.append(f"{name} (a measure)" if status == 3 else name)
    pictures = sorted(name for name in os.listdir(KEPT) if name.endswith(".svg")) if os.path.isdir(KEPT) else []
    print(f"figures in {KEPT}: {', '.join(pictures)}")
    print(f"{(time.monotonic() - start) / 60:.0f} min; " + (f"broken: {', '.join(failed)}" if failed else "all well"))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
