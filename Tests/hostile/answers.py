#!/usr/bin/python3
"""Every field of every answer of VK's wrong in turn, at full size: `HostileAnswerTests` in its long form.

usage: answers.py
"""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TESTS = ROOT + "/.build/debug/nyandPackageTests.xctest"

subprocess.run(["swift", "build", "--build-tests"], cwd=ROOT, check=True)
words = [TESTS, "--testing-library", "swift-testing", "--filter", r"NyanVKTests\.HostileAnswerTests"]
sys.exit(subprocess.run(words, env={**os.environ, "NYAN_HOSTILE": "long"}, cwd=ROOT, check=False).returncode)
