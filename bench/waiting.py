"""How a queue of downloads grows: 1, 10, 100, 1,000 small files asked for at once."""

import os
import shutil

import fetching
import hosts
import media
from fetching import Keeper
from house import Missed
from table import Row

COUNTS, SECONDS, KINDS = (1, 10, 100, 1_000), 10, 10
PEERS = {"aria2c": "aria2c", "curl": "curl --parallel"}


def waiting(house):
    """Until the wish is taken, until all is there, and the most memory, for each number of files."""
    folder = media.small(SECONDS, KINDS, max(COUNTS))
    keeper = Keeper(house)
    try:
        host = hosts.nginx(house, folder)
        for count in COUNTS:
            yield from of(house, keeper, host, sorted(os.listdir(folder))[:count])
        host.stop()
    finally:
        keeper.close()


def of(house, keeper, host, names):
    """One number of files: nyand, then each peer."""
    urls = [f"{host.url}/{name}" for name in names]
    count = f"{len(names):,} queued"
    ids = keeper.know(urls, SECONDS)
    accepted, cost = keeper.queue(ids)
    keeper.files(ids)
    for start in range(0, len(ids), 500):
        house.ctl("delete", *ids[start:start + 500])
    yield Row(f"downloads, {count}: the wish is taken after", "ms", [accepted * 1e3], "", [],
              curve="downloads: the wish is taken after", x=len(names))
    for name, called in PEERS.items():
        theirs, note = [], ""
        if not shutil.which(name):
            note = f"not installed: {name}"
        else:
            target = house.home / f"by-{name}"
            target.mkdir()
            try:
                theirs = [fetching.peer(house, fetching.words_of(name, urls, target), target)]
                if missing := len(urls) - sum((target / file).exists() for file in names):
                    raise Missed(f"{name} left out {missing} files")
            except (Missed, OSError) as missed:
                theirs, note = [], str(missed)
            shutil.rmtree(target)
        yield Row(f"downloads, {count}: time for a file", "ms", [cost.wall * 1e3 / len(names)], called,
                  [one.wall * 1e3 / len(names) for one in theirs], note=note,
                  curve="downloads: time for a file", x=len(names))
        if theirs and theirs[0].peak is None:
            note = fetching.TOO_SHORT
        yield Row(f"downloads, {count}: peak resident", "MiB", [cost.peak], called, [one.peak for one in theirs], note=note,
                  curve="downloads: peak resident", x=len(names))
        yield Row(f"downloads, {count}: of it for this", "MiB", [cost.more], called, [one.more for one in theirs], note=note)
