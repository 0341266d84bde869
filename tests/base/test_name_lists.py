"""Lists of names are cut at a number, and say how many are left."""

from __future__ import annotations

import pytest

from zconsole.base.name_lists import in_ranges, joined_by_and, shortened


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
