"""Enough VKScript for clients that batch: variables, loops, conditions, objects, arrays, `API.x.y({…})`."""

from vkscript_parts import CompileError, RunError, built_in, operate, part, tokens_of

CONSTANTS = {"true": True, "false": False, "null": None}
LEVELS = (("||",), ("&&",), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))  # loosest first
STEPS = 20000  # statements and loop turns of one program


class _Return(Exception):
    """A `return` on its way out."""

    def __init__(self, value):
        super().__init__()
        self.value = value


class Script:
    """One program. Parsing makes functions of the variables; `run` calls the API through `call(name, arguments)`."""

    def __init__(self, code):
        self.tokens, self.at, self.call, self.left = tokens_of(code), 0, None, 0
        self.statements = []
        while self.tokens[self.at][0] != "end":
            self.statements.append(self._statement())

    def run(self, call):
        """The value of the `return` that was reached, else None."""
        self.call, self.left = call, STEPS
        try:
            self._all(self.statements, {})
        except _Return as done:
            return done.value
        return None

    def _all(self, statements, variables):
        for statement in statements:
            self._count()
            statement(variables)

    def _count(self):
        """One step less is left."""
        self.left -= 1
        if self.left < 0:
            raise RunError("too many operations")

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

    def _end(self):
        """The semicolon of a statement; the last one may lack it."""
        if self.tokens[self.at][0] != "end":
            self._need(";")

    def _statement(self):
        """One statement."""
        if self._take(";"):
            return lambda variables: None
        if self._take("{"):
            return self._block()
        if self._take("var"):
            return self._declaration()
        if self._take("return"):
            return self._returning()
        word = self._take("while", "if")
        if word:
            self._need("(")
            condition = self._value()
            self._need(")")
            body = self._statement()
            other = self._statement() if word == "if" and self._take("else") else None
            return self._loop(condition, body) if word == "while" else self._choice(condition, body, other)
        return self._assignment()

    def _block(self):
        statements = []
        while not self._take("}"):
            if self.tokens[self.at][0] == "end":
                raise CompileError("expected '}' instead of end of code")
            statements.append(self._statement())
        return lambda variables: self._all(statements, variables)

    def _declaration(self):
        """`var a = 1, b;`."""
        named = []
        while True:
            name = self._name()
            named.append((name, self._value() if self._take("=") else lambda variables: None))
            if not self._take(","):
                break
        self._end()

        def declare(variables):
            for name, value in named:
                variables[name] = value(variables)

        return declare

    def _returning(self):
        value = (lambda variables: None) if self.tokens[self.at][1] == ";" else self._value()
        self._end()

        def leave(variables):
            raise _Return(value(variables))

        return leave

    def _loop(self, condition, body):
        def turn(variables):
            while condition(variables):
                self._count()
                body(variables)

        return turn

    @staticmethod
    def _choice(condition, body, other):
        def choose(variables):
            if condition(variables):
                body(variables)
            elif other is not None:
                other(variables)

        return choose

    def _assignment(self):
        """An expression, or something given a value: `a = 1`, `a.b = 1`, `a[0] = 1`."""
        target = self._value()
        if not self._take("="):
            self._end()
            return target
        value = self._value()
        self._end()
        owner = getattr(target, "owner", None)
        if owner is None:
            raise CompileError("this cannot be given a value")
        return lambda variables: owner(variables).__setitem__(target.index(variables), value(variables))

    def _value(self):
        """An expression with `a ? b : c`."""
        condition = self._level(0)
        if not self._take("?"):
            return condition
        first = self._value()
        self._need(":")
        second = self._value()
        return lambda variables: first(variables) if condition(variables) else second(variables)

    def _level(self, depth):
        """Operators of one strength."""
        if depth == len(LEVELS):
            return self._unary()
        left = self._level(depth + 1)
        while mark := self._take(*LEVELS[depth]):
            left = self._joined(mark, left, self._level(depth + 1))
        return left

    @staticmethod
    def _joined(mark, left, right):
        if mark == "||":
            return lambda variables: left(variables) or right(variables)
        if mark == "&&":
            return lambda variables: left(variables) and right(variables)
        return lambda variables: operate(mark, left(variables), right(variables))

    def _unary(self):
        mark = self._take("-", "!")
        if mark:
            inner = self._unary()
            return (lambda variables: -inner(variables)) if mark == "-" else (lambda variables: not inner(variables))
        return self._member()

    def _member(self):
        """A term and what is taken from it: `.name`, `.method(…)`, `[index]`, `@.name`."""
        value = self._term()
        while mark := self._take(".", "[", "@."):
            if mark == "[":
                index = self._value()
                self._need("]")
                value = self._place(value, index)
                continue
            name = self._name()
            if mark == "@.":
                value = self._each(value, name)
            elif self._take("("):
                value = self._called(value, name, self._list(")"))
            else:
                value = self._place(value, lambda variables, name=name: name)
        return value

    @staticmethod
    def _place(owner, index):
        """A member that can be read, and given a value."""

        def read(variables):
            return part(owner(variables), index(variables))

        read.owner, read.index = owner, index
        return read

    @staticmethod
    def _called(owner, name, arguments):
        return lambda variables: built_in(owner(variables), name, [item(variables) for item in arguments])

    @staticmethod
    def _each(owner, name):
        def parts(variables):
            whole = owner(variables)
            return [part(item, name) for item in whole] if isinstance(whole, list) else None

        return parts

    def _term(self):
        """A literal, a variable, an object, an array, a call, or brackets."""
        kind, value = self.tokens[self.at]
        if kind in ("text", "number"):
            self.at += 1
            return lambda variables: value
        if self._take("("):
            inner = self._value()
            self._need(")")
            return inner
        if self._take("["):
            items = self._list("]")
            return lambda variables: [item(variables) for item in items]
        if self._take("{"):
            return self._object()
        name = self._name()
        if name == "API":
            return self._request()
        if name in CONSTANTS:
            return lambda variables: CONSTANTS[name]
        return self._variable(name)

    @staticmethod
    def _variable(name):
        """A variable that can be read, and given a value."""

        def read(variables):
            return variables[name]

        read.owner, read.index = (lambda variables: variables), (lambda variables: name)
        return read

    def _list(self, end):
        """Values up to a closing mark."""
        items = []
        while not self._take(end):
            items.append(self._value())
            if not self._take(","):
                self._need(end)
                break
        return items

    def _object(self):
        members = []
        while not self._take("}"):
            kind, key = self.tokens[self.at]
            if kind not in ("text", "name", "number"):
                raise CompileError(f"expected a member instead of {key!r}")
            self.at += 1
            self._need(":")
            members.append((str(key), self._value()))
            if not self._take(","):
                self._need("}")
                break
        return lambda variables: {key: value(variables) for key, value in members}

    def _request(self):
        """`API.group.name(arguments)`."""
        words = []
        while self._take("."):
            words.append(self._name())
        self._need("(")
        arguments, method = self._list(")"), ".".join(words)
        return lambda variables: self.call(method, arguments[0](variables) if arguments else {})
