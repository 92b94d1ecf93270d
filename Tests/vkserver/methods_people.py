"""users.*, friends.*, groups.*, utils.*: who somebody is (vk-api.md §2.7). Works with or without audio."""

import re

from gate import Refusal
from methods import bad, method

OBJECTS = (5, 199)  # from this version on groups.getById answers with an object


def person_named(world, name):
    """A person by number, `idNUMBER` or screen name; None when there is none."""
    match = re.fullmatch(r"(?:id)?(\d+)", name)
    if match and int(match[1]) in world.people:
        return int(match[1])
    return next((p["id"] for p in world.people.values() if name and name == p.get("screen_name")), None)


def group_named(world, name):
    """A community by number, `clubNUMBER`, `publicNUMBER` or screen name; None when there is none."""
    match = re.fullmatch(r"(?:club|public|event)?(\d+)", name)
    if match and int(match[1]) in world.groups:
        return int(match[1])
    return next((g["id"] for g in world.groups.values() if name and name == g["screen_name"]), None)


def _names(text):
    """The parts of a comma-separated parameter."""
    return [part.strip() for part in text.split(",") if part.strip()]


@method("users.get")
def users_get(world, call):
    """People by number or screen name; without `user_ids` the owner of the token. Unknown ones are missing."""
    wanted = _names(call.text("user_ids")) or [str(call.user)]
    fields = call.text("fields").split(",")
    found = [person_named(world, name) for name in wanted[:1000]]
    return [world.person(number, fields) for number in found if number is not None]


@method("account.getProfileInfo")
def profile_info(world, call):
    """The owner of the token."""
    return world.person(call.user, ("screen_name",)) | {"country": {"id": 1, "title": "Россия"}, "phone": "+7 *** 89"}


@method("friends.get")
def friends_get(world, call):
    """Friends of the account: numbers, or objects when `fields` are asked for."""
    owner = call.number("user_id", call.user)
    if owner in (18, 30):
        raise Refusal(owner)
    numbers = list(world.friends) if owner == call.user else []
    if call.text("order") == "name":
        numbers.sort(key=lambda number: world.people[number]["first_name"])
    offset = call.number("offset", 0)
    page = numbers[offset : offset + call.number("count", 5000)]
    fields = _names(call.text("fields"))
    items = [world.person(number, fields) for number in page] if fields else page
    return {"count": len(numbers), "items": items}


@method("groups.get")
def groups_get(world, call):
    """Communities the account is a member of."""
    owner = call.number("user_id", call.user)
    if owner != call.user and owner in world.refusals:
        raise Refusal(260, "Access to the groups list is denied due to the user's privacy settings")
    numbers = world.member_of if owner == call.user else ()
    offset = call.number("offset", 0)
    page = numbers[offset : offset + call.number("count", 1000)]
    return {"count": len(numbers), "items": [world.group(n) for n in page] if call.flag("extended") else list(page)}


@method("groups.getById")
def groups_get_by_id(world, call):
    """Communities by number or screen name: an array, from 5.199 on an object with an array."""
    wanted = _names(call.text("group_ids") or call.text("group_id"))
    if not wanted:
        raise bad("group_ids is undefined")
    found = [group_named(world, name.lstrip("-")) for name in wanted]
    if not any(found):
        raise bad("group_ids not integer")
    groups = [world.group(number) for number in found if number is not None]
    return {"groups": groups, "profiles": []} if call.version >= OBJECTS else groups


@method("utils.resolveScreenName")
def resolve_screen_name(world, call):
    """What a short address names; an empty array when it names nothing."""
    name = call.text("screen_name")
    if not name:
        raise bad("screen_name is undefined")
    person, group = person_named(world, name), group_named(world, name)
    if person is not None and not name.isdigit():
        return {"type": "user", "object_id": person}
    if group is not None and not name.isdigit():
        return {"type": "group", "object_id": group, "group_id": group}
    return []
