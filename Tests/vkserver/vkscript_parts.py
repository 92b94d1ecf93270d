"""The small parts of VKScript: its tokens, operators, members and built-in methods."""

import re

_TOKEN = re.compile(
    r"""\s*(?:(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_]\w*)
    |(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<mark>@\.|[=!<>]=|&&|\|\||[-+*/%!<>?{}\[\]().,:;=]))""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}


class CompileError(Exception):
    """The code is no VKScript (error 12)."""


class RunError(Exception):
    """The code went wrong while it ran (error 13)."""


def _unquoted(text):
    """The value of a string literal."""

    def plain(match):
        return chr(int(match[1], 16)) if match[1] else _ESCAPES.get(match[2], match[2])

    return re.sub(r"\\(?:u([0-9a-fA-F]{4})|(.))", plain, text[1:-1], flags=re.DOTALL)


def tokens_of(code):
    """(kind, value) of every token."""
    found, at = [], 0
    while code[at:].strip():
        match = _TOKEN.match(code, at)
        if not match:
            raise CompileError(f"unexpected character near {code[at : at + 10]!r}")
        at = match.end()
        if match.lastgroup == "text":
            found.append(("text", _unquoted(match["text"])))
        elif match.lastgroup == "number":
            found.append(("number", float(match["number"]) if "." in match["number"] else int(match["number"])))
        elif match.lastgroup != "comment":
            found.append((match.lastgroup, match[match.lastgroup]))
    return [*found, ("end", "end of code")]


def operate(mark, a, b):
    """`a mark b`; `+` joins texts and arrays."""
    if mark == "+":
        return f"{a}{b}" if isinstance(a, str) or isinstance(b, str) else a + b
    if mark in ("==", "!="):
        return (a == b) == (mark == "==")
    simple = {"<": lambda: a < b, ">": lambda: a > b, "<=": lambda: a <= b, ">=": lambda: a >= b}
    simple |= {"-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b, "%": lambda: a % b}
    return simple[mark]()


def part(whole, at):
    """`whole[at]` or `whole.at`; what is not there is null."""
    if at == "length" and isinstance(whole, (list, str)):
        return len(whole)
    if isinstance(whole, list):
        return whole[at] if isinstance(at, int) and 0 <= at < len(whole) else None
    return whole.get(str(at)) if isinstance(whole, dict) else None


def built_in(whole, name, arguments):
    """A method of an array or text."""
    if name == "push":
        return whole.append(arguments[0])
    if name == "slice":
        return whole[arguments[0] : arguments[1] if len(arguments) > 1 else None]
    if name == "indexOf":
        return whole.index(arguments[0]) if arguments[0] in whole else -1
    raise RunError(f"unknown method {name}")
