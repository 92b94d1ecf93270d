"""Refusals that stand for a while: confirmation (24), method limits (29), flood control (9) (vk-api.md §7.2)."""

from dataclasses import dataclass

from captcha import fingerprint


@dataclass
class Limit:
    """One standing refusal of `code`, of calls to `method` (None: any).

    24: until the call comes with `confirm=1`; 29: for `seconds`; 9: calls after `allowed` ones within `seconds`,
    counted over all tokens of the account, those with the same parameters only when `same` is true.
    """

    code: int
    method: str | None = None
    text: str = "Подтвердите действие"
    seconds: float = 3600.0
    allowed: int = 0
    same: bool = False
    times: int | None = None  # 24: how many confirmations are asked for

    def __post_init__(self):
        self.begun, self.seen = None, []  # clock seconds; (clock seconds, fingerprint) of calls


class Limits:
    """All standing limits, and what refuses a call."""

    def __init__(self, clock):
        self.clock, self.standing = clock, []

    def refusal(self, method, params):
        """(code, extra members) when a limit refuses this call, else None."""
        for limit in list(self.standing):
            if limit.method in (None, method):
                found = getattr(self, f"_code_{limit.code}")(limit, method, params)
                if found is not None:
                    return limit.code, found
        return None

    def _code_24(self, limit, method, params):
        """Confirmation."""
        if params.get("confirm") != "1":
            return {"confirmation_text": limit.text}
        if limit.times is not None:
            limit.times -= 1
            if limit.times <= 0:
                self.standing.remove(limit)
        return None

    def _code_29(self, limit, method, params):
        """The method's own limit, from its first refusal on."""
        limit.begun = self.clock.now() if limit.begun is None else limit.begun
        if self.clock.now() - limit.begun < limit.seconds:
            return {}
        self.standing.remove(limit)
        return None

    def _code_9(self, limit, method, params):
        """Flood control. Refused calls count as well: who goes on stays locked out."""
        now, mark = self.clock.now(), fingerprint(method, params)
        limit.seen = [entry for entry in limit.seen if now - entry[0] < limit.seconds]
        limit.seen.append((now, mark))
        alike = [entry for entry in limit.seen if not limit.same or entry[1] == mark]
        return {} if len(alike) > limit.allowed else None
