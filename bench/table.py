"""The table of figures: a row is a figure, what it is measured against, and the goal."""

import statistics
from dataclasses import dataclass


@dataclass
class Row:
    """`goal` bounds the ratio to the peer, `limit` the figure itself; without both the row is for information. `note`
    says why a cell is empty. Rows with the same `curve` are the points of one plot, at `x`."""

    what: str
    unit: str
    ours: list
    peer: str
    theirs: list
    goal: float | None = None
    limit: float | None = None
    note: str = ""
    curve: str = ""
    x: float = 0
    group: str = ""

    def __post_init__(self):
        """What could not be measured is left out, and never counts as 0."""
        self.ours, self.theirs = ([one for one in values if one is not None] for values in (self.ours, self.theirs))

    @property
    def ratio(self):
        """Ours over the peer's, medians; None when there is nothing to divide by."""
        if not self.ours or not self.theirs or not statistics.median(self.theirs):
            return None
        return statistics.median(self.ours) / statistics.median(self.theirs)

    @property
    def verdict(self):
        """`yes` when every bound that could be checked holds, `NO` when one does not, empty without bounds."""
        if not self.ours and (self.goal or self.limit is not None):
            return "NO"
        if not self.ours:
            return ""
        checks = []
        if self.goal is not None and self.ratio is not None:
            checks.append(self.ratio <= self.goal * 1.005)
        if self.limit is not None:
            checks.append(statistics.median(self.ours) <= self.limit)
        return "" if not checks else "yes" if all(checks) else "NO"

    def cells(self):
        """The row as text."""
        goal = [f"≤ {self.goal:g} ×"] if self.goal is not None else []
        goal += [f"≤ {self.limit:g} {self.unit}".rstrip()] if self.limit is not None else []
        ratio = "" if self.ratio is None else f"{self.ratio:.2f} ×"
        return [self.what, spread(self.ours, self.unit), self.peer, spread(self.theirs, self.unit), ratio,
                ", ".join(goal), self.verdict or self.note]


def number(value):
    """Three significant digits at most, never in powers of ten."""
    if value == int(value) and value < 100:
        return f"{value:.0f}"
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def spread(values, unit):
    """The median, and the least and the most when there are several."""
    if not values:
        return "–"
    text = f"{number(statistics.median(values))} {unit}".rstrip()
    return text if len(values) < 3 else f"{text} ({number(min(values))}…{number(max(values))})"


def printed(rows):
    """The whole table as lines."""
    head = ["figure", "nyand", "against", "its figure", "ratio", "goal", "met"]
    body = [head, *(row.cells() for row in rows)]
    widths = [max(len(line[place]) for line in body) for place in range(len(head))]
    body.insert(1, ["-" * width for width in widths])
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() for line in body]
