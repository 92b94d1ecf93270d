"""users.*: who somebody is (vk-api.md §2.7). Works for every token, with or without audio."""

from methods import method


@method("users.get")
def users_get(world, call):
    """People by number or screen name; without `user_ids` the owner of the token."""
    wanted = [part.strip() for part in call.text("user_ids").split(",") if part.strip()] or [str(call.user)]
    fields = call.text("fields").split(",")
    people = []
    for name in wanted[:1000]:
        person = next((p for p in world.people.values() if name in (str(p["id"]), p.get("screen_name"))), None)
        if person is None:
            continue
        person = dict(person)
        picture, name = person.pop("picture", None), person.pop("screen_name", None)
        if "photo_200" in fields and picture:
            person["photo_200"] = f"{world.hosts['cdn']}/cdn/covers/{picture}-270.jpg"
        if "screen_name" in fields and name:
            person["screen_name"] = name
        if "counters" in fields:
            library = world.libraries.get(person["id"])
            person["counters"] = {"audios": len(library.rows) if library else 0}
        people.append(person)
    return people
