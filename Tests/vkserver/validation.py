"""Validation pages: where `redirect_uri` of error 17 and of need_validation leads (vk-api.md §3.2, §1.4)."""

from account import invented
from profiles import Profile, Token


def page(world, meant):
    """The address of a new page; `meant()` gives the fields of the fragment when a person has passed it."""
    mark = invented("validation", world.user, world.next_serial())
    world.account.validations[mark] = meant
    return f"{world.hosts['site']}/oauth/validate?act=validate&hash={mark}"


def for_token(world, token: Token):
    """The page of error 17: passing it gives a new token of the same client; the old one is spent."""

    def meant():
        profile: Profile = token.profile
        token.state = "invalid"
        fresh = world.mint(profile)
        return {"success": 1, "access_token": fresh.text, "user_id": fresh.user}

    return page(world, meant)
