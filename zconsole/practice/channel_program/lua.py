"""The part of Lua that channel programs are written in: statements and expressions over plain values.

No metatables, no goto, no varargs but those of the program.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from zconsole.practice.channel_program.lua_values_calls_and_operators import (
    Evaluate,
    LuaError,
    LuaTable,
    Scope,
    Value,
    binary,
    called,
    constant,
    counted,
    first,
    indexed,
    iterated,
    truth,
)

MOST_STEPS: Final = 10_000_000  # as `zfs program -t` has it unless told otherwise
_TOKEN: Final = re.compile(
    r"""(?P<blank>\s+|--[^\n]*)|(?P<number>\d+)|(?P<name>[A-Za-z_]\w*)|(?P<text>"(?:[^"\\\n]|\\.)*")"""
    r"""|(?P<mark>\.\.\.|\.\.|==|~=|<=|>=|[-+*/%#<>=(){}\[\];:,.])"""
)
_KEYWORDS: Final = frozenset(
    "and do else elseif end false for function if in local nil not or return then true while".split()  # noqa: SIM905
)
_LEVELS: Final = (("or",), ("and",), ("<", ">", "<=", ">=", "~=", "=="), ("..",), ("+", "-"), ("*", "/", "%"))
_ENDS: Final = frozenset({"end", "else", "elseif", "<eof>"})


class _Return(Exception):
    def __init__(self, values: tuple[Value, ...]) -> None:
        super().__init__()
        self.values = values


Run = Callable[[Scope], None]


def run(text: str, arguments: Value, world: dict[str, Value]) -> tuple[Value, ...]:
    """Run a program with `...` as its argument. Raises LuaError; a syntax error before anything runs."""
    program = _Parser(text).program()
    scope: Scope = {name: [value] for name, value in world.items()}
    scope["..."] = [arguments]
    try:
        program(scope)
    except _Return as ended:
        return ended.values
    return ()


class _Parser:
    """Turns text into closures."""

    def __init__(self, text: str) -> None:
        self._tokens = list(_tokens(text))
        self._at = 0
        self._steps = 0

    def program(self) -> Run:
        block = self._block()
        self._expect("<eof>")
        return block

    # Tokens

    @property
    def _next(self) -> str:
        return self._tokens[self._at][0]

    def _take(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1][0]

    def _takes(self, *words: str) -> bool:
        if self._next in words:
            self._at += 1
            return True
        return False

    def _expect(self, word: str) -> None:
        if not self._takes(word):
            raise self._wrong()

    def _wrong(self) -> LuaError:
        word, line = self._tokens[self._at]
        near = word if word == "<eof>" else f"'{word}'"
        return LuaError(f'[string "channel program"]:{line}: unexpected symbol near {near}')

    def _name(self) -> str:
        word = self._next
        if word in _KEYWORDS or not re.fullmatch(r"[A-Za-z_]\w*", word):
            raise self._wrong()
        return self._take()

    # Statements

    def _block(self) -> Run:
        statements: list[Run] = []
        while self._next not in _ENDS:
            if self._takes(";"):
                continue
            is_last = self._next == "return"
            statements.append(self._statement())
            if is_last:
                break

        def block(scope: Scope) -> None:
            inner = dict(scope)
            for statement in statements:
                self._count()
                statement(inner)

        return block

    def _count(self) -> None:
        self._steps += 1
        if self._steps > MOST_STEPS:
            raise LuaError("Channel program timed out.")

    def _statement(self) -> Run:
        if self._takes("local"):
            return self._local()
        if self._takes("if"):
            return self._if()
        if self._takes("for"):
            return self._for()
        if self._takes("while"):
            return self._while()
        if self._takes("return"):
            return self._return()
        if self._takes("do"):
            body = self._block()
            self._expect("end")
            return body
        return self._call_or_assignment()

    def _local(self) -> Run:
        if self._takes("function"):
            name = self._name()
            made = self._function()

            def define(scope: Scope) -> None:
                scope[name] = cell = [None]
                cell[0] = first(made(scope))

            return define
        names = [self._name()]
        while self._takes(","):
            names.append(self._name())
        values = self._list() if self._takes("=") else None

        def declare(scope: Scope) -> None:
            found = values(scope) if values is not None else ()
            for at, name in enumerate(names):
                scope[name] = [found[at] if at < len(found) else None]

        return declare

    def _if(self) -> Run:
        branches = [self._branch()]
        while not self._takes("end"):
            if self._takes("elseif"):
                branches.append(self._branch())
            else:
                self._expect("else")
                branches.append((constant(True), self._block()))

        def choose(scope: Scope) -> None:
            for test, body in branches:
                if truth(first(test(scope))):
                    body(scope)
                    return

        return choose

    def _branch(self) -> tuple[Evaluate, Run]:
        condition = self._expression()
        self._expect("then")
        return condition, self._block()

    def _for(self) -> Run:
        names = [self._name()]
        while self._takes(","):
            names.append(self._name())
        counts = self._takes("=")
        if not counts:
            self._expect("in")
        given = self._list()
        self._expect("do")
        body = self._block()
        self._expect("end")

        def loop(scope: Scope) -> None:
            for values in counted(given(scope)) if counts else iterated(given(scope)):
                inner = dict(scope)
                for at, name in enumerate(names):
                    inner[name] = [values[at] if at < len(values) else None]
                body(inner)

        return loop

    def _while(self) -> Run:
        condition = self._expression()
        self._expect("do")
        body = self._block()
        self._expect("end")

        def loop(scope: Scope) -> None:
            while truth(first(condition(scope))):
                self._count()
                body(scope)

        return loop

    def _return(self) -> Run:
        values = None if self._next in _ENDS else self._list()

        def leave(scope: Scope) -> None:
            raise _Return(values(scope) if values is not None else ())

        return leave

    def _call_or_assignment(self) -> Run:
        start = self._at
        target = self._postfix()
        if self._takes("="):
            store = self._place(start)
            value = self._expression()
            return lambda scope: store(scope, first(value(scope)))

        def call(scope: Scope) -> None:
            target(scope)

        return call

    def _place(self, start: int) -> Callable[[Scope, Value], None]:
        """The target of an assignment, parsed again from its beginning: a name, or a field of a table."""
        after = self._at
        self._at = start
        name = self._name()
        if self._next == "=":
            self._at = after
            return lambda scope, value: scope[name].__setitem__(0, value)
        holder: Evaluate = lambda scope: (scope[name][0],)  # noqa: E731 - rebuilt below, a field deeper each time
        while True:
            key = self._key()
            if self._next == "=":
                self._at = after
                return lambda scope, value: first(holder(scope)).values.__setitem__(first(key(scope)), value)
            holder = indexed(holder, key)

    # Expressions

    def _list(self) -> Evaluate:
        found = [self._expression()]
        while self._takes(","):
            found.append(self._expression())

        def every(scope: Scope) -> tuple[Value, ...]:
            *single, last = found
            return (*(first(each(scope)) for each in single), *last(scope))

        return every

    def _expression(self, level: int = 0) -> Evaluate:
        if level == len(_LEVELS):
            return self._unary()
        left = self._expression(level + 1)
        while self._next in _LEVELS[level]:
            left = binary(self._take(), left, self._expression(level + 1))
        return left

    def _unary(self) -> Evaluate:
        if self._takes("not"):
            value = self._unary()
            return lambda scope: (not truth(first(value(scope))),)
        if self._takes("-"):
            value = self._unary()
            return lambda scope: (-first(value(scope)),)
        if self._takes("#"):
            value = self._unary()
            return lambda scope: (len(first(value(scope))),)
        return self._postfix()

    def _postfix(self) -> Evaluate:
        value = self._primary()
        while self._next in {".", "[", "("}:
            value = called(value, self._arguments()) if self._next == "(" else indexed(value, self._key())
        return value

    def _key(self) -> Evaluate:
        if self._takes("."):
            return constant(self._name())
        self._expect("[")
        key = self._expression()
        self._expect("]")
        return key

    def _arguments(self) -> Evaluate:
        self._expect("(")
        if self._takes(")"):
            return lambda _: ()
        found = self._list()
        self._expect(")")
        return found

    def _primary(self) -> Evaluate:
        word = self._next
        if word in {"nil", "true", "false"}:
            return constant({"nil": None, "true": True, "false": False}[self._take()])
        if word.isdigit():
            return constant(int(self._take()))
        if word.startswith('"'):
            text = self._take()[1:-1].replace('\\"', '"').replace("\\n", "\n").replace("\\\\", "\\")
            return constant(text)
        if self._takes("("):
            inner = self._expression()
            self._expect(")")
            return lambda scope: (first(inner(scope)),)
        if self._takes("function"):
            return self._function()
        if word == "{":
            return self._table()
        if word == "...":
            self._take()
            return lambda scope: (scope["..."][0],)
        name = self._name()
        return lambda scope: (scope[name][0] if name in scope else None,)

    def _function(self) -> Evaluate:
        self._expect("(")
        names: list[str] = []
        while not self._takes(")"):
            names.append(self._name())
            self._takes(",")
        body = self._block()
        self._expect("end")

        def make(scope: Scope) -> tuple[Value, ...]:
            def call(*given: Value) -> tuple[Value, ...]:
                inner = dict(scope)
                for at, name in enumerate(names):
                    inner[name] = [given[at] if at < len(given) else None]
                try:
                    body(inner)
                except _Return as ended:
                    return ended.values
                return ()

            return (call,)

        return make

    def _table(self) -> Evaluate:
        self._expect("{")
        fields: list[tuple[Evaluate | None, Evaluate]] = []
        while not self._takes("}"):
            key: Evaluate | None = None
            if self._takes("["):
                key = self._expression()
                self._expect("]")
                self._expect("=")
            elif self._tokens[self._at + 1][0] == "=":
                key = constant(self._name())
                self._expect("=")
            fields.append((key, self._expression()))
            self._takes(",", ";")

        def make(scope: Scope) -> tuple[Value, ...]:
            table = LuaTable()
            for key, value in fields:
                at = len(table) + 1 if key is None else first(key(scope))
                table.values[at] = first(value(scope))
            return (table,)

        return make


def _tokens(text: str) -> Iterator[tuple[str, int]]:
    at, line = 0, 1
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise LuaError(f"[string \"channel program\"]:{line}: unexpected symbol near '{text[at]}'")
        if found.lastgroup != "blank":
            yield found[0], line
        line += found[0].count("\n")
        at = found.end()
    yield "<eof>", line
