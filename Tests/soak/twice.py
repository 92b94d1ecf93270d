"""Which bytes of which tracks a media host sent twice, and after which death: from the look-alike's journal, whose clock is
this machine's. An address is named by track and kind, never by its signed part."""

import bisect

from collections import Counter

KINDS = ("mp3", "playlist", "key", "segment")


class Resent:
    """One request that brought bytes which had been sent before. `death`: the number of the last one before it, 0 for none;
    `before`: how the request ended that brought them first."""

    def __init__(self, entry, death, count, first, deaths):
        self.track, self.count, self.death = entry["track"], count, death
        self.what = entry["kind"] + (f" {entry['segment']}" if entry["segment"] else "")
        self.kind = entry["kind"]
        # A request that a death cut off is still "ok" where all of its bytes were in the socket by then.
        cut = first["outcome"] == "client went away" or first["ended"] is None
        self.before = "cut off" if cut else "whole"
        self.is_of_death = bisect.bisect(deaths, first["time"]) != death
        self.entry = entry

    def __str__(self):
        return f"{self.what} of {self.track}: {self.count} bytes, {self.before} before" + ("" if self.is_of_death else ", same life")


def start_of(entry):
    """Where in the file an answer begins."""
    wanted = entry["headers"].get("range", "")
    first = wanted.removeprefix("bytes=").split("-")[0]
    return int(first) if entry["status"] == 206 and first.isdigit() else 0


def added(spans, start, end):
    """The spans with one more, joined; and how many of its bytes were in them already."""
    known = sum(max(0, min(end, high) - max(start, low)) for low, high in spans)
    apart = [span for span in spans if span[1] < start or span[0] > end]
    joined = [span for span in spans if span not in apart]
    whole = (min([start, *(low for low, _ in joined)]), max([end, *(high for _, high in joined)]))
    return sorted([*apart, whole]), known


def resent(journal, tracks, deaths):
    """Of these tracks, each request that brought bytes again, in order. `deaths`: moments on the monotonic clock, in order."""
    held, brought, found = {}, {}, []
    for entry in journal:
        if entry["kind"] not in KINDS or entry["track"] not in tracks or not entry["bytes"]:
            continue
        place = (entry["track"], entry["kind"], entry["segment"])
        # A playlist has no end of its own kind: names tell a master from a list.
        if entry["kind"] == "playlist":
            place += (entry["path"].rsplit("/", 1)[1],)
        start = start_of(entry)
        held[place], known = added(held.get(place, []), start, start + entry["bytes"])
        if known:
            found.append(Resent(entry, bisect.bisect(deaths, entry["time"]), known, brought[place], deaths))
        brought[place] = entry
    return found


def told(found, ways, most=3):
    """Lines: how much of each kind, how much after each way to die (`ways`: of every death), and the dearest deaths with what was
    sent again after them."""
    kinds, dear, by_way = Counter(), Counter(), Counter()
    for one in found:
        kinds[f"{one.kind} {one.before}" + ("" if one.is_of_death else ", same life")] += one.count
        dear[one.death] += one.count
        by_way[ways[one.death - 1] if one.death else "no death"] += one.count
    lines = ["sent twice: " + (", ".join(f"{kind}: {count}" for kind, count in kinds.most_common()) or "nothing")]
    lines.append("a death: " + ", ".join(f"{way}: {by_way[way] // count}" for way, count in Counter(ways).most_common()))
    for death, count in dear.most_common(most):
        lines.append(f"after death {death} of {len(ways)} ({ways[death - 1] if death else 'none'}): {count} bytes")
        lines += [f"  {one}" for one in sorted(found, key=lambda one: -one.count) if one.death == death][:12]
    return lines
