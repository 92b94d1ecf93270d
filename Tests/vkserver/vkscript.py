"""Enough VKScript for clients that batch: variables, objects, arrays, members, `API.x.y({…})`, `+`, `return`."""

import re

_TOKEN = re.compile(
    r"""\s*(?:(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<number>\d+(?:\.\d+)?)|(?P<name>[A-Za-z_]\w*)
    |(?P<text>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?P<mark>@\.|[-+{}\[\]().,:;=]))""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
CONSTANTS = {"true": True, "false": False, "null": None}


class CompileError(Exception):
    """The code is no VKScript (error 12)."""


def _unquoted(text):
    """The value of a string literal."""

    def plain(match):
        if match[1]:
            return chr(int(match[1], 16))
        return _ESCAPES.get(match[2], match[2])

    return re.sub(r"\\(?:u([0-9a-fA-F]{4})|(.))", plain, text[1:-1], flags=re.DOTALL)


def _tokens(code):
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


class Script:
    """One program. Parsing makes functions of the variables; `run` calls the API through `call(name, arguments)`."""

    def __init__(self, code):
        self.tokens, self.at, self.call = _tokens(code), 0, None
        self.statements = []
        while self.tokens[self.at][0] != "end":
            self.statements.append(self._statement())

    def run(self, call):
        """The value of the first `return`, else None."""
        self.call, variables = call, {}
        for kind, name, value in self.statements:
            found = value(variables)
            if kind == "return":
                return found
            if kind == "var":
                variables[name] = found
        return None

    def _take(self, *wanted):
        """The next token if it is one of these marks or names."""
        kind, value = self.tokens[self.at]
        if kind in ("mark", "name") and value in wanted:
            self.at += 1
            return value
        return None

    def _need(self, mark):
        if not self._take(mark):
            raise CompileError(f"expected {mark!r} instead of {self.tokens[self.at][1]!r}")

    def _name(self):
        kind, value = self.tokens[self.at]
        if kind != "name":
            raise CompileError(f"expected a name instead of {value!r}")
        self.at += 1
        return value

    def _statement(self):
        """(`var`, `return` or `do`, name, value)."""
        kind, name = self._take("var", "return") or "do", None
        if kind == "var":
            name = self._name()
            self._need("=")
        elif kind == "do" and self.tokens[self.at + 1] == ("mark", "="):
            kind, name = "var", self._name()
            self._need("=")
        if kind == "return" and self._take(";"):
            return kind, None, lambda variables: None
        value = self._sum()
        if self.tokens[self.at][0] != "end":
            self._need(";")
        return kind, name, value

    def _sum(self):
        """Terms joined by `+` (text as soon as one side is) and `-`."""
        left = self._member()
        while mark := self._take("+", "-"):
            left = self._joined(mark, left, self._member())
        return left

    @staticmethod
    def _joined(mark, left, right):
        def value(variables):
            a, b = left(variables), right(variables)
            if mark == "-":
                return a - b
            return f"{a}{b}" if isinstance(a, str) or isinstance(b, str) else a + b

        return value

    def _member(self):
        """A term and what is taken from it: `.name`, `[index]`, `@.name`."""
        value = self._term()
        while mark := self._take(".", "[", "@."):
            if mark == "[":
                index = self._sum()
                self._need("]")
                value = self._part(value, index)
            elif mark == ".":
                name = self._name()
                value = self._part(value, lambda variables, name=name: name)
            else:
                value = self._each(value, self._name())
        return value

    @staticmethod
    def _part(value, index):
        def part(variables):
            whole, at = value(variables), index(variables)
            if at == "length" and isinstance(whole, list):
                return len(whole)
            if isinstance(whole, list):
                return whole[at] if isinstance(at, int) and 0 <= at < len(whole) else None
            return whole.get(str(at)) if isinstance(whole, dict) else None

        return part

    @staticmethod
    def _each(value, name):
        def parts(variables):
            whole = value(variables)
            return [item.get(name) for item in whole if isinstance(item, dict)] if isinstance(whole, list) else None

        return parts

    def _term(self):
        """A literal, a variable, an object, an array, a call, or brackets."""
        kind, value = self.tokens[self.at]
        if kind in ("text", "number"):
            self.at += 1
            return lambda variables: value
        if self._take("-"):
            inner = self._term()
            return lambda variables: -inner(variables)
        if self._take("("):
            inner = self._sum()
            self._need(")")
            return inner
        if self._take("["):
            return self._array()
        if self._take("{"):
            return self._object()
        name = self._name()
        if name == "API":
            return self._call()
        if name in CONSTANTS:
            return lambda variables: CONSTANTS[name]
        return lambda variables: variables[name]

    def _array(self):
        items = []
        while not self._take("]"):
            items.append(self._sum())
            if not self._take(","):
                self._need("]")
                break
        return lambda variables: [item(variables) for item in items]

    def _object(self):
        members = []
        while not self._take("}"):
            kind, key = self.tokens[self.at]
            if kind not in ("text", "name", "number"):
                raise CompileError(f"expected a member instead of {key!r}")
            self.at += 1
            self._need(":")
            members.append((str(key), self._sum()))
            if not self._take(","):
                self._need("}")
                break
        return lambda variables: {key: value(variables) for key, value in members}

    def _call(self):
        """`API.group.name(arguments)`."""
        words = []
        while self._take("."):
            words.append(self._name())
        self._need("(")
        arguments = None if self._take(")") else self._sum()
        if arguments is not None:
            self._need(")")
        method = ".".join(words)
        return lambda variables: self.call(method, arguments(variables) if arguments else {})
