"""Commands about logins: password grant, the site's session, validation, moving to another address."""

import account
from captcha import Captcha
from commands import _only, command
from inject import BadCommand, from_command
from profiles import PROFILES


@command("login")
def login(world, given):
    """How the password grant answers from now on; without members as at the start."""
    grant = from_command(account.PasswordLogin, given)
    if grant.second not in (None, *account.FACTORS):
        raise BadCommand(f"unknown second {grant.second!r}; known: {', '.join(account.FACTORS)}")
    world.account.grant = grant
    world.account.failures.clear()


@command("login-captcha")
def login_captcha(world, given):
    """need_captcha of the password grant; members as of `captcha`, without `method`."""
    _only(given, "form", "after", "every", "answer")
    world.account.captcha = from_command(Captcha, given)


@command("session")
def session(world, given):
    """Ends the site's session, makes it good again, or begins another (`new`); answers with its cookies."""
    _only(given, "state", "new", "rotate")
    site = world.account.site
    if given.get("new"):
        world.account.site = site = account.SiteSession(world.user, series=site.series + 1)
    if given.get("rotate"):
        site.rotate()
    site.state = given.get("state", site.state)
    if site.state not in ("ok", "ended"):
        raise BadCommand("state is ok or ended")
    return {"cookies": site.cookies()}


@command("move")
def move(world, given):
    """The client has another address: tokens made before answer 5/1130. `profiles` names those bound to addresses.

    `links`: media addresses given out so far are dead as well.
    """
    _only(given, "profiles", "links")
    if given.get("links"):
        world.links.expire()
    unknown = set(given.get("profiles", ())) - set(PROFILES)
    if unknown:
        raise BadCommand(f"unknown profiles {sorted(unknown)}")
    for token in world.tokens.values():
        if token.state == "ok" and token.profile.name in given.get("profiles", PROFILES):
            token.state = "ip"
