"""Plots as SVG that needs nothing: lines over a growing number, and bars of ratios. They follow the reader's light or dark
page (prefers-color-scheme), and have labels at the lines instead of a legend."""

import html
import math

#: nyand's first; each legible on white and on black.
LIGHT = ("#c2255c", "#1c6fbf", "#2b8a3e", "#b35c00", "#6741d9")
DARK = ("#ff6fa5", "#6cb6ff", "#69db7c", "#ffa94d", "#b197fc")
WIDTH, LEFT, RIGHT, TOP, BOTTOM = 680, 74, 150, 46, 46


def number(value):
    """Three significant digits at most, with a comma in thousands."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def page(height, title, parts):
    """A whole SVG document."""
    colours = "".join(f".s{place}{{stroke:{one}}}.f{place}{{fill:{one}}}" for place, one in enumerate(LIGHT))
    dark = "".join(f".s{place}{{stroke:{one}}}.f{place}{{fill:{one}}}" for place, one in enumerate(DARK))
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}"'
        f' role="img" aria-label="{html.escape(title)}">',
        f"<style>.b{{fill:#fff}}text{{font:12px system-ui,sans-serif;fill:#3b4048}}.t{{font-size:14px;font-weight:600}}"
        f".g{{stroke:#8b949e;stroke-opacity:.3}}.a{{stroke:#8b949e}}.l{{fill:none;stroke-width:2}}{colours}"
        f"@media (prefers-color-scheme:dark){{.b{{fill:#0d1117}}text{{fill:#d0d7de}}{dark}}}</style>",
        # A page may be light where its reader's desktop is dark.
        '<rect width="100%" height="100%" class="b"/>', text(12, 22, title, "t"), *parts, "</svg>", ""])


def text(x, y, words, kind="", anchor="start"):
    """One line of text."""
    kind = f' class="{kind}"' if kind else ""
    end = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:.1f}" y="{y:.1f}"{kind}{end}>{html.escape(words)}</text>'


def line(x1, y1, x2, y2, kind):
    """One straight line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def ticks(low, high):
    """Round values between two: decades, and 2 and 5 in between when there are few."""
    decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    steps = (1,) if len(decades) > 4 else (1, 2, 5)
    return [step * 10.0**power for power in decades for step in steps if low <= step * 10.0**power <= high]


def scale(low, high, start, end):
    """Where a value lies on a logarithmic axis."""
    width = math.log10(high / low) or 1
    return lambda value: start + (end - start) * math.log10(max(value, low) / low) / width


def apart(places, least=14):
    """The same heights, pushed down until no two are closer than `least`."""
    order, last = sorted(range(len(places)), key=lambda at: places[at]), -math.inf
    found = list(places)
    for at in order:
        found[at] = last = max(places[at], last + least)
    return found


def lines(title, unit, across, series):
    """`series`: {name: [(x, y), …]}, nyand first. Both axes are logarithmic."""
    # Nothing has no place on such an axis.
    series = {name: sorted((x, y) for x, y in points if y > 0) for name, points in series.items()}
    series = {name: points for name, points in series.items() if points}
    xs = sorted({x for points in series.values() for x, _ in points})
    ys = [y for points in series.values() for _, y in points]
    if not xs or len(xs) < 2:
        return None
    height = 340
    low, high = min(ys) / 1.3, max(ys) * 1.3
    if high / low < 4:  # a level line is shown as one
        low, high = low / 2, high * 2
    to_x, to_y = scale(xs[0], xs[-1], LEFT, WIDTH - RIGHT), scale(low, high, height - BOTTOM, TOP)
    parts = [text(12, 40, f"{unit}, lower is better" if unit else "lower is better")]
    for value in ticks(low, high):
        parts += [line(LEFT, to_y(value), WIDTH - RIGHT, to_y(value), "g"),
                  text(LEFT - 8, to_y(value) + 4, number(value), anchor="end")]
    for value in xs:
        parts += [line(to_x(value), height - BOTTOM, to_x(value), height - BOTTOM + 5, "a"),
                  text(to_x(value), height - BOTTOM + 19, f"{value:,.0f}", anchor="middle")]
    parts += [line(LEFT, height - BOTTOM, WIDTH - RIGHT, height - BOTTOM, "a"),
              text((LEFT + WIDTH - RIGHT) / 2, height - 8, across, anchor="middle")]
    heights = apart([to_y(points[-1][1]) for points in series.values()])
    for place, ((name, points), at) in enumerate(zip(series.items(), heights)):
        kind = place % len(LIGHT)
        path = " ".join(f"{to_x(x):.1f},{to_y(y):.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" class="l s{kind}"/>')
        parts += [f'<circle cx="{to_x(x):.1f}" cy="{to_y(y):.1f}" r="3.5" class="f{kind}"/>' for x, y in points]
        parts.append(text(to_x(points[-1][0]) + 10, at + 4, f"{name}: {number(points[-1][1])}", f"f{kind}"))
    return page(height, title, parts)


def bars(title, ratios):
    """`ratios`: {figure: [(name, how many times nyand's, its figure as text), …]}. The line is nyand; shorter is less."""
    found = [ratio for rows in ratios.values() for _, ratio, _ in rows if ratio]
    if not found:
        return None
    low, high = min(0.5, *found) / 1.2, max(2, *found) * 1.2
    start, end = 190, WIDTH - 96
    to_x = scale(low, high, start, end)
    names = list(dict.fromkeys(name for rows in ratios.values() for name, *_ in rows))
    parts, y = [], 62
    for what, rows in ratios.items():
        y += 20
        parts.append(text(12, y, what, "t"))
        for name, ratio, label in rows:
            y += 18
            kind = 1 + names.index(name) % (len(LIGHT) - 1)
            parts.append(text(start - 8, y, name, anchor="end"))
            if not ratio:
                parts.append(text(to_x(1) + 6, y, label or "–"))
                continue
            left, right = sorted((to_x(1), to_x(ratio)))
            parts.append(f'<rect x="{left:.1f}" y="{y - 10}" width="{max(right - left, 1):.1f}" height="12" rx="2"'
                         f' class="f{kind}"/>')
            parts.append(text(right + 6, y, f"{number(ratio)} × ({label})"))
        y += 6
    height = y + 24
    grid = []
    for value in ticks(low, high):
        grid += [line(to_x(value), 52, to_x(value), height - 12, "a" if value == 1 else "g"),
                 text(to_x(value), 46, "nyand" if value == 1 else f"{number(value)} ×", "f0" if value == 1 else "",
                      "middle")]
    return page(height, title, [*grid, *parts])
