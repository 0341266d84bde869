"""A number that a host printed has a bound before it is read: of thousands of digits int() raises ValueError.

And what is counted by such a number, a loop or a list, ends.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress
from re import _constants as codes  # type: ignore[attr-defined]  # what an expression is made of
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any, Final

import pytest

from tests.scenarios.fuzz.expressions import expressions
from tests.scenarios.fuzz.sources import trees
from zconsole.analysis.pool_growth.live_pool import shape_of
from zconsole.analysis.vdevs.redundancy import pool_redundancy, survivable
from zconsole.analysis.vdevs.topology_after_change import added, numbers, parity
from zconsole.base.bounded_int import natural
from zconsole.base.errors import UsageError
from zconsole.model.pools.pool import Pool, Vdev

CHECKS: Final = {"isdigit", "isdecimal", "isnumeric"}
MOST: Final = 24  # digits; 2 ** 64 has 20
BOUNDED: Final = {  # where the digits are counted elsewhere
    "zconsole.ui.dialogs.plan": "the name of a key",
    "zconsole.zfs.zfs_numbers_and_dates": "it tells text from a number that is too large",
    "zconsole.history.iostat_history": "lines whose numbers were read by the parser before they were packed",
}
ENDLESS: Final = (
    "zconsole.analysis.search.timed_regex._PIECE",
)  # of a user's words, 1000 characters at most


def _functions(tree: ast.Module) -> Iterator[ast.AST]:
    yield from (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))


def _unbounded(function: ast.AST) -> Iterator[str]:
    """What is checked to be digits and made a number without a look at how many they are."""
    calls = [each for each in ast.walk(function) if isinstance(each, ast.Call)]
    checked, made, measured = set(), set(), set()
    for call in calls:
        if isinstance(call.func, ast.Attribute) and call.func.attr in CHECKS:
            checked.add(ast.unparse(call.func.value))
        elif isinstance(call.func, ast.Name) and len(call.args) == 1:
            names = {"int": made, "len": measured}.get(call.func.id)
            if names is not None:
                names.add(ast.unparse(call.args[0]))
    yield from (checked & made) - measured


def test_digits_are_counted_before_they_are_made_a_number() -> None:
    found = {
        f"{name}: {word}"
        for name, tree in trees()
        if name not in BOUNDED
        for function in _functions(tree)
        for word in _unbounded(function)
    }

    assert set() == found


def _numbers_without_a_bound(items: Any) -> Iterator[int]:
    """The groups of an expression that are digits without a bound."""
    for code, argument in items:
        match code:
            case codes.SUBPATTERN:
                group, _, _, inner = argument
                if group and len(inner) == 1 and _is_endless_digits(inner[0]):
                    yield group
                yield from _numbers_without_a_bound(inner)
            case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
                yield from _numbers_without_a_bound(argument[2])
            case codes.BRANCH:
                for each in argument[1]:
                    yield from _numbers_without_a_bound(each)
            case codes.ATOMIC_GROUP:
                yield from _numbers_without_a_bound(argument)


def _is_endless_digits(item: Any) -> bool:
    code, argument = item
    if code not in {codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT}:
        return False
    _, most, inner = argument
    if most <= MOST or len(inner) != 1 or inner[0][0] is not codes.IN:
        return False
    members = set(inner[0][1])
    return members <= {(codes.CATEGORY, codes.CATEGORY_DIGIT), (codes.RANGE, (ord("0"), ord("9")))}


def test_no_expression_takes_a_number_without_an_end() -> None:
    found, _ = expressions()

    endless = {
        each.where: each.pattern.pattern
        for each in found
        if not each.where.startswith(("zconsole.practice", *ENDLESS))
        and any(_numbers_without_a_bound(parser.parse(each.pattern.pattern, each.pattern.flags)))
    }

    assert {} == endless


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("18446744073709551615", (1 << 64) - 1),
        ("007", 7),
        *((each, None) for each in ("", "-1", "+1", "1_0", " 1", "1\n", "²", "\u0663", "1.0", "x")),
        *((digits * "9", None) for digits in (21, 4300, 4301, 100_000)),
    ],
)
def test_a_natural_number_is_ascii_digits_and_no_more_than_64_bits_have(text: str, value: int | None) -> None:
    assert value == natural(text)


DIGITS: Final = ("9" * 5000, "9" * 12, "\u0663", "0", "255")


@pytest.mark.parametrize("number", DIGITS, ids=lambda number: f"{len(number)} digits of {ord(number[0])}")
@pytest.mark.parametrize("place", range(6))
def test_a_vdev_of_any_name_is_judged(number: str, place: int) -> None:
    """Its parity, its data, its children, its spares and its own number may be anything."""
    given = ["2", "4", "11", "1", "0"]
    given[place % 5] = number
    name = "draid{}:{}d:{}c:{}s-{}".format(*given) if place < 5 else f"raidz{number}-{number}"
    kind = name.rpartition("-")[0] if place < 5 else f"raidz{number}"
    leaves = tuple(Vdev(f"sd{each}", "disk", "data", "ONLINE") for each in "abcdefghijk")
    top = Vdev(name, kind, "data", "DEGRADED", children=leaves)
    pool = Pool("tank", "DEGRADED", vdevs=(top, top))

    parity(top)
    with suppress(UsageError):
        shape_of(top)
    pool_redundancy(pool)
    survivable(pool)
    numbers(pool)
    added(pool, (top,))
