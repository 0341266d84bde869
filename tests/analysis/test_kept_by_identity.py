"""Results that are kept for the very same value, and for no other."""

from __future__ import annotations

from zconsole.analysis.kept_by_identity import MOST, kept_by_identity


def test_a_value_is_worked_on_once_and_an_equal_one_by_itself() -> None:
    asked: list[list[int]] = []

    @kept_by_identity
    def total(values: list[int]) -> int:
        asked.append(values)
        return sum(values)

    one, same = [1, 2], [1, 2]

    assert [3, 3, 3] == [total(one), total(one), total(same)]
    assert [one, same] == asked


def test_no_more_values_are_kept_than_a_fleet_has() -> None:
    asked: list[int] = []

    @kept_by_identity
    def first(values: list[int]) -> int:
        asked.append(values[0])
        return values[0]

    every = [[at] for at in range(MOST + 1)]
    for each in every:
        first(each)
    first(every[-1])
    first(every[0])

    assert [*range(MOST + 1), 0] == asked
