"""auth.*: what a login needs of the API host; no token goes with it (vk-api.md §1.4)."""

from gate import Refusal
from methods import bad, method, open_method


@method("captcha.force")
def captcha_force(world, call):
    """Asks for a captcha (the gate does) and is content with its answer."""
    return 1


@open_method("auth.validatePhone")
def validate_phone(world, call):
    """Sends the second factor's code, again if need be; not more often than every `delay` seconds."""
    grant, sent = world.account.grant, world.account.sent
    sid = call.text("sid")
    if not sid:
        raise bad("sid is required")
    if sid not in sent:
        raise Refusal(1113, "Invalid sid")
    now = world.clock.now()
    if now - sent[sid] < grant.delay:
        raise Refusal(1112, "Please wait before asking for another code")
    sent[sid] = now
    if grant.shape == "int":
        return 1
    return {
        "type": "general",
        "sid": sid,
        "delay": int(grant.delay),
        "libverify_support": False,
        "validation_type": grant.resend,
        "validation_resend": grant.resend,
    }
