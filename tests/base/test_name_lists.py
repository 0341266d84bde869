"""Lists of names are cut at a number, and say how many are left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from zconsole.base.name_lists import MOST_COMPARED, in_ranges, joined_by_and, meant_by, shortened


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a, b"),
        (["a", "b", "c"], "a, b and 1 more"),
        (("a", "b", "c", "d"), "a, b and 2 more"),
    ],
)
def test_the_first_are_named_and_the_others_counted(names: list[str], expected: str) -> None:
    assert expected == shortened(names, 2)


@pytest.mark.parametrize(("expected", "names"), [("", []), ("a", ["a"]), ("a, b and c", ["a", "b", "c"])])
def test_names_are_joined_as_in_a_sentence(expected: str, names: list[str]) -> None:
    assert expected == joined_by_and(names)


@pytest.mark.parametrize(
    ("expected", "names"),
    [
        ("", []),
        ("5-8", ["7", "5", "8", "6"]),
        ("1, 3-4", ["4", "1", "3"]),
        ("2, A", ["A", "2", "A"]),
    ],
)
def test_numbers_that_follow_each_other_are_a_range(expected: str, names: list[str]) -> None:
    assert expected == in_ranges(names)


def test_the_nearest_comes_first_and_what_is_far_is_not_named() -> None:
    assert "Did you mean tank/home or tank/homes?" == meant_by(
        "tank/hom", ["tank/homes", "tank/home", "vault"]
    )
    assert "" == meant_by("tank/hom", ["vault"])


def test_names_without_end_are_looked_at_in_part() -> None:
    asked = 0

    def names() -> Iterator[str]:
        nonlocal asked
        while True:
            asked += 1
            yield f"pool/{asked}"

    assert "" == meant_by("zzzz", names())
    assert MOST_COMPARED == asked
