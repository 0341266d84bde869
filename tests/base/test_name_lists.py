"""Lists of names are cut at a number, and say how many are left."""

from __future__ import annotations

import pytest

from zconsole.base.name_lists import joined_by_and, shortened


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
