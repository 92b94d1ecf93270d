#!/usr/bin/python3
"""Every field of every answer of VK's wrong in turn, at full size: `HostileAnswerTests` in its long form.

usage: answers.py
"""

import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TESTS = ROOT + "/.build/debug/nyandPackageTests.xctest"

if not os.path.exists(TESTS):
    print("answers: the tests are not built; swift build --build-tests")
    sys.exit(77)
words = [TESTS, "--testing-library", "swift-testing", "--filter", r"NyanVKTests\.HostileAnswerTests"]
sys.exit(subprocess.run(words, env={**os.environ, "NYAN_HOSTILE": "long"}, check=False).returncode)
