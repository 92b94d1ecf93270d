"""The commands `/_control` understands, one function each. README.md describes every member."""

import dataclasses
import random

from captcha import Captcha
from crowds import ordinary
from faults import HLSShape, MediaFault
from inject import BadCommand, Injection, Trigger, from_command
from limits import Limit
from profiles import PROFILES, token_text
from tracks import Track
from world import SETTINGS

COMMANDS = {}


def command(name):
    """Registers a function `(world, command) → answer or None`."""

    def register(function):
        COMMANDS[name] = function
        return function

    return register


def _only(given, *known):
    """Refuses misspelt members."""
    extra = set(given) - set(known) - {"cmd"}
    if extra:
        raise BadCommand(f"unknown members {sorted(extra)}; known: {', '.join(known)}")


def _library(world, given):
    """The list a command means."""
    return world.libraries[given.get("owner", world.user)]


@command("reset")
def reset(world, given):
    """Everything back to the beginning, log included."""
    _only(given)
    world.reset()


@command("set")
def set_values(world, given):
    """Changes settings by name."""
    _only(given, *SETTINGS)
    world.settings |= {name: value for name, value in given.items() if name != "cmd"}
    return {"settings": world.settings}


@command("clock")
def clock(world, given):
    """Moves the clock forward."""
    _only(given, "advance")
    world.clock.advance(float(given["advance"]))


@command("inject")
def inject(world, given):
    """Queues an API answer."""
    world.injections.add(from_command(Injection, given))


@command("clear")
def clear(world, given):
    """Drops injections, triggers, limits, captcha, media faults and playlist shapes; keeps library and log."""
    _only(given)
    world.injections.queue.clear()
    world.triggers.waiting.clear()
    world.limits.standing.clear()
    world.captcha = Captcha()
    world.media_faults.standing.clear()
    world.hls_shapes = {"*": HLSShape()}


@command("after")
def after(world, given):
    """Sets a trigger."""
    trigger = from_command(Trigger, given)
    for item in trigger.do:
        if item.get("cmd") not in COMMANDS:
            raise BadCommand(f"do: unknown cmd {item.get('cmd')!r}")
    world.triggers.waiting.append(trigger)


@command("captcha")
def captcha(world, given):
    """Asks for captchas from now on."""
    _only(given, "form", "method", "after", "every", "answer")
    world.captcha = from_command(Captcha, given)


@command("limit")
def limit(world, given):
    """Sets a standing refusal: 24, 29 or 9."""
    if given.get("code") not in (9, 24, 29):
        raise BadCommand("code is 9, 24 or 29")
    world.limits.standing.append(from_command(Limit, given))


@command("media-fault")
def media_fault(world, given):
    """Adds a media fault."""
    world.media_faults.standing.append(from_command(MediaFault, given))


@command("media-clear")
def media_clear(world, given):
    """Drops the media faults of one track, or all."""
    _only(given, "track")
    kept = [f for f in world.media_faults.standing if "track" in given and f.track != given["track"]]
    world.media_faults.standing = kept


@command("hls")
def hls(world, given):
    """Sets the playlist shape of one track, or (`*`) of all."""
    world.hls_shapes[given.get("track", "*")] = from_command(HLSShape, given, ignore=("cmd", "track"))


@command("expire-links")
def expire_links(world, given):
    """Ends all addresses given out so far, or those of one track."""
    _only(given, "track")
    return {"expired": world.links.expire(given.get("track"))}


@command("token")
def token(world, given):
    """Changes a token's state, or those of `all` tokens of a profile, or makes another token (`new`)."""
    _only(given, "token", "profile", "state", "lifetime", "new", "all")
    profile = PROFILES[given.get("profile", "web")]
    if given.get("new"):
        found = world.mint(profile)
    else:
        found = world.tokens[given.get("token") or token_text(profile.name, world.user)]
    for one in [t for t in world.tokens.values() if t.profile is profile] if given.get("all") else [found]:
        one.state = given.get("state", one.state)
        if "lifetime" in given:
            one.expires = world.clock.now() + float(given["lifetime"])
    return {"token": found.text, "profile": found.profile.name}


@command("owner")
def owner(world, given):
    """Makes reading an owner's list fail with `code` (0: readable)."""
    _only(given, "owner", "code")
    if given["code"]:
        world.refusals[given["owner"]] = int(given["code"])
    else:
        world.refusals.pop(given["owner"], None)


@command("library-add")
def library_add(world, given):
    """Adds new tracks, by default one at the head."""
    _only(given, "owner", "artist", "title", "media", "hls", "count", "at")
    rows, made = _library(world, given).rows, []
    for number in range(int(given.get("count", 1))):
        media = given.get("media", next(iter(world.shelf.recipes)))
        if media not in world.shelf.recipes:
            raise BadCommand(f"unknown media {media!r}; known: {', '.join(world.shelf.recipes)}")
        title = given.get("title", f"Added {world.next_id}")
        track = Track(
            id=world.next_id,
            owner=given.get("owner", world.user),
            artist=given.get("artist", "Added"),
            title=title,
            media=media,
            hls=bool(given.get("hls", False)),
            date=int(world.clock.wall()),
        )
        world.next_id += 1
        rows.insert(int(given.get("at", 0)), track)
        made.append(track.full)
    return {"ids": made}


@command("library-delete")
def library_delete(world, given):
    """Takes tracks off a list, as the user would on the site."""
    _only(given, "owner", "ids")
    library = _library(world, given)
    for full in given["ids"]:
        place = library.find(full)
        if place is None:
            raise BadCommand(f"no track {full}")
        library.deleted[full] = (library.rows.pop(place), place, world.clock.now())


@command("library-reorder")
def library_reorder(world, given):
    """Moves one track to a place (0 is the head), or shuffles the list by a seed."""
    _only(given, "owner", "id", "to", "shuffle")
    library = _library(world, given)
    if "shuffle" in given:
        random.Random(given["shuffle"]).shuffle(library.rows)
        return
    place = library.find(given["id"])
    if place is None:
        raise BadCommand(f"no track {given['id']}")
    library.rows.insert(int(given["to"]), library.rows.pop(place))


@command("library-empty")
def library_empty(world, given):
    """Removes everything from a list."""
    _only(given, "owner")
    library = _library(world, given)
    library.rows.clear()
    library.raw.clear()


@command("library-fill")
def library_fill(world, given):
    """Makes a list `count` rows long with rows as people have them at its end (10,000 is VK's cap)."""
    _only(given, "owner", "count")
    rows, owner = _library(world, given).rows, given.get("owner", world.user)
    media = next(iter(world.shelf.recipes))
    begin = 400000000 + world.filled
    missing = max(int(given["count"]) - len(rows), 0)
    rows += [ordinary(number, owner, begin + number, media) for number in range(missing)]
    world.filled += missing


@command("library-raw")
def library_raw(world, given):
    """Puts an object into a page as it stands, damaged as it may be; it is not counted."""
    _only(given, "owner", "at", "item")
    _library(world, given).raw[int(given.get("at", 0))] = given["item"]


@command("track")
def track(world, given):
    """Changes a track: artist, title, media, link, restricted, blocked, duration, patch, drop."""
    _only(given, "id", "artist", "title", "media", "hls", "link", "restricted", "blocked", "duration", "patch", "drop")
    found = world.track(given["id"])
    if found is None:
        raise BadCommand(f"no track {given['id']}")
    changes = {name: value for name, value in given.items() if name not in ("cmd", "id")}
    world.replace(found.full, dataclasses.replace(found, **changes))


@command("stats")
def stats(world, given):
    """The counters of `/_stats`."""
    _only(given)
    return world.journal.stats()


@command("clear-log")
def clear_log(world, given):
    """Forgets log and counters, keeps everything else."""
    _only(given)
    world.journal = type(world.journal)()
