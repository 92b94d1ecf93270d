"""What the API and the login hosts have in common: reading a request, logging it, moving to another host."""

import contextlib

from aiohttp import web

MOVED = (301, 302, 303, 307, 308)


async def read_params(request):
    """Query and form in one, plus a bearer token."""
    params = dict(request.query)
    if request.method == "POST":
        params |= {name: str(value) for name, value in (await request.post()).items()}
    bearer = request.headers.get("Authorization", "")
    if bearer.startswith("Bearer "):
        params.setdefault("access_token", bearer[7:])
    return params


@contextlib.contextmanager
def logged(world, request, kind, method, params):
    """The request's entry in the log while it is answered."""
    journal = world.journal  # a reset meanwhile must not close an entry in another log
    entry = journal.open(request, kind, params)
    entry["method"] = method
    try:
        yield entry
    finally:
        journal.close(entry)


def moved(world, request, kind, entry):
    """The redirect to the second host, when this kind of host has moved (`redirect-api` and so on), else None."""
    status = int(world.settings[f"redirect-{kind}"])
    port = request.transport.get_extra_info("sockname")[1] if request.transport else 0
    if status not in MOVED or world.hosts["cdn2"].endswith(f":{port}"):
        return None
    entry["status"], entry["outcome"] = status, "moved"
    return web.Response(status=status, headers={"Location": world.hosts["cdn2"] + request.path_qs})
