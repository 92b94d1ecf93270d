"""What a scenario must provide."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Seed:
    """The beginning of a world."""

    user: int  # whose tokens are handed out
    people: dict  # id → users.get object (`picture` names a cover palette)
    libraries: dict  # owner → rows, newest first
    catalogue: list  # tracks of others that search and getById find
    next_id: int  # id of the first added track
    login: str = ""
    password: str = ""
    friends: tuple = ()  # ids
    groups: dict = field(default_factory=dict)  # positive id → groups.getById object
    member_of: tuple = ()  # positive ids of groups
    playlists: tuple = ()
    refusals: dict = field(default_factory=dict)  # owner → error code


@dataclass(frozen=True)
class Scenario:
    """A name, the media it needs, and a function that makes a fresh seed."""

    name: str
    recipes: tuple
    pictures: tuple
    seed: object
