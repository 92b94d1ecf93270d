#!/usr/bin/python3
"""Draws what a long test saw of nyand's memory, descriptors and threads, and fits a line to the memory that is its own.

usage: plot.py FILE.csv [--out FILE.svg] [--title TEXT] [--from X]     (`--from`: the line is fitted from there on)
"""

import argparse
import csv
import math
from xml.sax.saxutils import escape

WIDTH, LEFT, RIGHT, TOP = 860, 70, 150, 54
PANELS = [
    ("memory, MiB", 220, [("rss", "RSS", "r"), ("pss", "PSS", "p"), ("anonymous", "its own", "o")]),
    ("descriptors", 90, [("descriptors", "descriptors", "d")]),
    ("threads", 90, [("threads", "threads", "t")]),
]
# Each on a light page and on a dark one, as bench/svg.py has them.
COLOURS = {
    "r": ("#66758a", "#9aa8bb"),
    "p": ("#1c6fbf", "#6cb6ff"),
    "o": ("#b8442e", "#ff8f78"),
    "d": ("#2b8a3e", "#69db7c"),
    "t": ("#6741d9", "#b197fc"),
}
FITTED = "anonymous"


def slope(points):
    """Least squares: the line's slope and its height at 0."""
    count = len(points)
    if count < 2:
        return 0, points[0][1] if points else 0
    middle_x, middle_y = sum(x for x, _ in points) / count, sum(y for _, y in points) / count
    spread = sum((x - middle_x) ** 2 for x, _ in points)
    rise = sum((x - middle_x) * (y - middle_y) for x, y in points) / spread if spread else 0
    return rise, middle_y - rise * middle_x


def ticks(low, high, about=5):
    """Round numbers from low to high."""
    step = 10 ** math.floor(math.log10(max(high - low, 1e-9) / about))
    step = next((step * part for part in (1, 2, 5, 10) if (high - low) / (step * part) <= about), step * 10)
    start = math.ceil(low / step)
    return [round(step * place, 9) for place in range(start, math.floor(high / step) + 1)]


def path(points):
    """Of so many that a picture can show: the mean, with few points a pixel at most."""
    bunch = max(1, len(points) // 500)
    parts = [points[start : start + bunch] for start in range(0, len(points), bunch)]
    middles = [(sum(x for x, _ in part) / len(part), sum(y for _, y in part) / len(part)) for part in parts]
    return " ".join(f"{'M' if index == 0 else 'L'}{x:.1f} {y:.1f}" for index, (x, y) in enumerate(middles))


class Picture:
    def __init__(self, title, subtitle, name, rows):
        self.rows, self.parts = rows, []
        self.low, self.high = rows[0]["x"], max(rows[-1]["x"], rows[0]["x"] + 1)
        self.name, self.bottom = name, TOP
        self.text(LEFT, 22, title, "h")
        self.text(LEFT, 40, subtitle)

    def text(self, x, y, words, kind="", anchor="start"):
        """One line of text, in the class `kind`."""
        kind = f' class="{kind}"' if kind else ""
        self.parts.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}"{kind}>{escape(words)}</text>')

    def across(self, x):
        return LEFT + (x - self.low) / (self.high - self.low) * (WIDTH - LEFT - RIGHT)

    def panel(self, title, height, lines, fit):
        top, bottom = self.bottom + 14, self.bottom + 14 + height
        highest = max(row[key] for row in self.rows for key, _, _ in lines) * 1.08 or 1
        up = lambda value: bottom - value / highest * height  # noqa: E731
        for tick in ticks(0, highest, 5 if height > 150 else 3):
            self.parts.append(
                f'<path d="M{LEFT} {up(tick):.1f}H{WIDTH - RIGHT}" class="g"/>'
            )
            self.text(LEFT - 8, round(up(tick) + 4, 1), f"{tick:g}", anchor="end")
        self.parts.append(f'<path d="M{LEFT} {top}V{bottom}H{WIDTH - RIGHT}" class="a"/>')
        self.text(16, (top + bottom) / 2, title, anchor="middle")
        turn = f'transform="rotate(-90 16 {(top + bottom) / 2})" '
        self.parts[-1] = self.parts[-1].replace("<text ", "<text " + turn)
        heights = []
        for key, label, kind in lines:
            points = [(self.across(row["x"]), up(row[key])) for row in self.rows]
            self.parts.append(f'<path d="{path(points)}" class="l s{kind}"/>')
            at = points[-1][1] + 4
            while any(abs(at - other) < 14 for other in heights):
                at += 1
            heights.append(at)
            self.text(WIDTH - RIGHT + 8, round(at, 1), f"{label} {self.rows[-1][key]:.4g}", f"f{kind}")
        if fit:
            start, rise, base = fit
            ends = [(self.across(x), up(base + rise * x)) for x in (start, self.high)]
            line = f"M{ends[0][0]:.1f} {ends[0][1]:.1f}L{ends[1][0]:.1f} {ends[1][1]:.1f}"
            self.parts.append(f'<path d="{line}" class="c"/>')
        self.bottom = bottom

    def finish(self):
        for tick in ticks(self.low, self.high, 8):
            self.text(round(self.across(tick), 1), self.bottom + 18, f"{tick:g}", anchor="middle")
        self.text((LEFT + WIDTH - RIGHT) / 2, self.bottom + 36, self.name, anchor="middle")
        height = self.bottom + 48
        light, dark = (
            "".join(f".s{kind}{{stroke:{pair[place]}}}.f{kind}{{fill:{pair[place]}}}" for kind, pair in COLOURS.items())
            for place in (0, 1)
        )
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}">\n'
            "<style>text{font:12px system-ui,sans-serif;fill:#3b4048}.h{font-size:15px;font-weight:600}.b{fill:#fff}path{fill:none}"
            f".g{{stroke:#8b949e;stroke-opacity:.3}}.a{{stroke:#8b949e}}.l{{stroke-width:1.4}}.c{{stroke:#000;stroke-width:1.6;"
            f"stroke-dasharray:6 4}}{light}@media (prefers-color-scheme:dark){{.b{{fill:#0d1117}}text{{fill:#d0d7de}}"
            f'.c{{stroke:#fff}}{dark}}}</style>\n<rect width="100%" height="100%" class="b"/>\n'
        )
        return head + "\n".join(self.parts) + "\n</svg>\n"


def draw(rows, title, subtitle, name, fit=None):
    """SVG of `rows` (see figures.py; memory in KiB there, as /proc has it). `fit`: from where on, slope and base of its own memory in KiB."""
    rows = [{key: value / 1024 if key in ("rss", "pss", "anonymous") else value for key, value in row.items()} for row in rows]
    picture = Picture(title, subtitle, name, rows)
    for panel, height, lines in PANELS:
        is_fitted = fit and any(key == FITTED for key, _, _ in lines)
        picture.panel(panel, height, lines, (fit[0], fit[1] / 1024, fit[2] / 1024) if is_fitted else None)
    return picture.finish()


def read(path):
    with open(path, newline="") as file:
        return [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("file")
    parser.add_argument("--out")
    parser.add_argument("--title", default="nyand over a long test")
    parser.add_argument("--name", default="track changes")
    parser.add_argument("--from", dest="start", type=float)
    options = parser.parse_args()
    rows, fit = read(options.file), None
    words = f"{rows[-1]['seconds']:.0f} s, {rows[-1]['x']:.0f} {options.name}"
    if options.start is not None:
        fit = (options.start, *slope([(row["x"], row[FITTED]) for row in rows if row["x"] >= options.start]))
        words += f"; from {options.start:g} on its own memory changes by {fit[1] * 1000:+.0f} kB per 1,000"
    with open(options.out or options.file.rsplit(".", 1)[0] + ".svg", "w") as file:
        file.write(draw(rows, options.title, words, options.name, fit))
    print(words)


if __name__ == "__main__":
    main()
