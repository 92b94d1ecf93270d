"""How to judge programs that were built under a sanitiser: `scripts/sanitize` says so in the environment (decision 0045)."""

import os

# `address`, `thread` or nothing. What measures the sanitiser is not judged: its memory, and ThreadSanitizer's own wakeups.
SANITIZER = os.environ.get("NYAN_SANITIZER", "")
# How many times as long something may take.
PATIENCE = float(os.environ.get("NYAN_PATIENCE", 1))
