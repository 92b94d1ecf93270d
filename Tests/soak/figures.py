"""Looks twice a second at what nyand holds, as long as a test runs, and keeps it as CSV, JSON and a picture."""

import csv
import json
import os
import threading
import time

import plot
from house import TESTS

KEPT = os.path.join(os.path.dirname(TESTS), ".build/soak")
COLUMNS = ["seconds", "x", "rss", "pss", "dirty", "anonymous", "descriptors", "threads"]


def look(pid):
    """Memory in kB, descriptors and threads of a process; None where it is gone.

    `anonymous` is what is the process's own: its heap, its stacks, what it changed of libraries. `dirty` is that with pages
    of files that are not on disk yet, such as those of a program just built.
    """
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            lines = dict(line.split(":", 1) for line in file.read().splitlines()[1:])
        with open(f"/proc/{pid}/status") as file:
            threads = next(int(line.split()[1]) for line in file if line.startswith("Threads"))
        memory = [int(lines[name].split()[0]) for name in ("Rss", "Pss", "Private_Dirty", "Anonymous")]
        return [*memory, len(os.listdir(f"/proc/{pid}/fd")), threads]
    except (OSError, KeyError, StopIteration, ValueError):
        return None


class Figures(threading.Thread):
    """`x`: what is counted meanwhile."""

    def __init__(self, house, x):
        super().__init__(daemon=True)
        self.house, self.x, self.rows, self.began = house, x, [], time.monotonic()
        self.over = threading.Event()
        self.start()

    def run(self):
        while not self.over.wait(0.5):
            daemon = self.house.daemon
            found = look(daemon.pid) if daemon and daemon.poll() is None else None
            if found:
                values = [round(time.monotonic() - self.began, 1), self.x(), *found]
                self.rows.append(dict(zip(COLUMNS, values)))

    def grown(self, start, key="anonymous"):
        """Slope and base of a line through what was seen from x = `start` on."""
        return plot.slope([(row["x"], row[key]) for row in self.rows if row["x"] >= start])

    def keep(self, folder, name, title, counted, start=None):
        """Writes NAME.csv, NAME.json and NAME.svg; returns the picture's path."""
        self.over.set()
        self.join()
        if not self.rows:
            return None
        os.makedirs(folder, exist_ok=True)
        base = os.path.join(folder, name)
        with open(base + ".csv", "w", newline="") as file:
            writer = csv.DictWriter(file, COLUMNS)
            writer.writeheader()
            writer.writerows(self.rows)
        fit, summary = None, {"title": title, "counted": counted, "rows": len(self.rows)}
        words = f"{self.rows[-1]['seconds']:.0f} s, {self.rows[-1]['x']} {counted}"
        if start is not None:
            fit = (start, *self.grown(start))
            summary["from"] = start
            summary["per-1000"] = {key: round(self.grown(start, key)[0] * 1000, 1) for key in COLUMNS[2:]}
            words += f"; from {start} on its own memory changes by {fit[1] * 1000:+.0f} kB per 1,000"
        for key in COLUMNS[2:]:
            values = [row[key] for row in self.rows]
            summary[key] = {"least": min(values), "most": max(values), "last": values[-1]}
        with open(base + ".json", "w") as file:
            json.dump(summary, file, indent=1)
        with open(base + ".svg", "w") as file:
            file.write(plot.draw(self.rows, title, words, counted, fit))
        return base + ".svg"
