"""Pairs of places in the package that say the same: so many lines in a row that are no boilerplate.

Blank lines, comments, docstrings, imports and signatures are passed over, as are lines of nothing but
punctuation. In functions the names of variables count as alike, so that a copy with other names is found.
`python -m tests.repetition [LINES]` prints them; `tests/test_house.py` allows none.
"""

from __future__ import annotations

import ast
import io
import keyword
import re
import sys
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations
from typing import Final, NamedTuple

from tests import house

LINES: Final = 9  # in a row: eight may be alike
_SPACE: Final = frozenset(
    {tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.COMMENT, tokenize.ENDMARKER}
)


class Place(NamedTuple):
    """A line of a module, and its position among the lines that count."""

    module: str
    at: int


class Repetition(NamedTuple):
    """Two places, each `module:line`, that have so many lines in common."""

    first: str
    second: str
    lines: int


def repetitions(least: int = LINES) -> list[Repetition]:
    """Every pair of places in the package, outside of the practice world, longest first."""
    modules = house.modules().items()
    found = {name: path for name, path in modules if not name.startswith("zconsole.practice")}
    return of_modules({name: path.read_text(encoding="utf-8") for name, path in found.items()}, least)


def of_modules(sources: dict[str, str], least: int = LINES) -> list[Repetition]:
    """Every pair of places in these texts of modules."""
    lines = {name: list(counted(text)) for name, text in sources.items()}
    windows: defaultdict[tuple[str, ...], list[Place]] = defaultdict(list)
    for name, counting in lines.items():
        texts = [text for _, text in counting]
        for at in range(len(texts) - least + 1):
            windows[tuple(texts[at : at + least])].append(Place(name, at))
    pairs = {
        (first, second)
        for places in windows.values()
        for first, second in combinations(places, 2)
        if first.module != second.module or second.at - first.at >= least  # else a table, not a copy
    }
    found = []
    for first, second in pairs:
        if (first._replace(at=first.at - 1), second._replace(at=second.at - 1)) in pairs:
            continue  # it goes on from there
        length = least
        while (first._replace(at=first.at + length - least + 1),
               second._replace(at=second.at + length - least + 1)) in pairs:  # fmt: skip
            length += 1
        where = (f"{each.module}:{lines[each.module][each.at][0]}" for each in (first, second))
        found.append(Repetition(*where, length))
    return sorted(found, key=lambda each: (-each.lines, each))


def counted(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a module that count, with their numbers, without the spaces around them."""
    tree = ast.parse(text)
    passed, in_functions = set(_passed_over(tree)), set(_in_functions(tree))
    words: defaultdict[int, list[str]] = defaultdict(list)
    tokens = [
        each for each in tokenize.generate_tokens(io.StringIO(text).readline) if each.type not in _SPACE
    ]
    for before, token, behind in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        is_variable = (
            token.type == tokenize.NAME
            and not keyword.iskeyword(token.string)
            and token.start[0] in in_functions
            and (before is None or before.string != ".")
            and (behind is None or behind.string != "(")
        )
        words[token.start[0]].append("name" if is_variable else token.string)
    for number, line in sorted(words.items()):
        if number not in passed and any(re.search(r"\w", word) for word in line):
            yield number, " ".join(line)


def _in_functions(tree: ast.Module) -> Iterator[int]:
    """The lines of functions and methods."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


def _passed_over(tree: ast.Module) -> Iterator[int]:
    """The lines of docstrings, imports and signatures."""
    for node in ast.walk(tree):
        match node:
            case ast.Import() | ast.ImportFrom():
                yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                start = min([node.lineno, *(each.lineno for each in node.decorator_list)])
                yield from range(start, max(node.body[0].lineno, node.lineno + 1))
            case ast.Expr(value=ast.Constant(value=str())):
                yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else LINES
    for each in repetitions(wanted):
        sys.stdout.write(f"{each.lines:4} {each.first} {each.second}\n")
