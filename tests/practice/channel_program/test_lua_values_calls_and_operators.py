"""Values and operators of Lua as the reference manual of Lua 5.2 has them."""

from __future__ import annotations

import pytest

from zconsole.practice.channel_program.lua_values_calls_and_operators import (
    LuaError,
    LuaTable,
    binary,
    call,
    constant,
    counted,
    iterator,
    truth,
)


@pytest.mark.parametrize(("value", "expected"), [(None, False), (False, False), (0, True), ("", True)])
def test_only_nil_and_false_are_false(value: object, expected: bool) -> None:
    assert expected is truth(value)


@pytest.mark.parametrize(("keys", "length"), [((), 0), ((1, 2, 3), 3), ((1, 2, 4), 2), (("x", 2), 0)])
def test_the_length_of_a_table_ends_at_the_first_gap(keys: tuple[object, ...], length: int) -> None:
    assert length == len(LuaTable(dict.fromkeys(keys, 7)))


@pytest.mark.parametrize(("given", "numbers"), [((1, 3), [1, 2, 3]), ((5, 1, -2), [5, 3, 1]), ((2, 1), [])])
def test_a_loop_counts_up_to_its_limit_included(given: tuple[int, ...], numbers: list[int]) -> None:
    assert numbers == [value for (value,) in counted(given)]


@pytest.mark.parametrize(
    ("word", "left", "right", "expected"),
    [
        ("..", "a", 1, "a1"),
        ("==", 1, "1", False),
        ("~=", 1, "1", True),
        ("/", 7, 2, 3),
        ("and", None, 2, None),
    ],
)
def test_an_operator_gives_what_lua_gives(word: str, left: object, right: object, expected: object) -> None:
    assert (expected,) == binary(word, constant(left), constant(right))({})


def test_what_is_no_text_is_not_joined() -> None:
    with pytest.raises(LuaError, match="concatenate"):
        binary("..", constant("a"), constant(value=True))({})


def test_an_iterator_ends_with_nil() -> None:
    step = iterator(["x"])

    assert [("x",), (None,)] == [call(step, ()), call(step, ())]
