"""Numbers of bytes that a plan rests on: what is the same decision, and what is another."""

from __future__ import annotations

import pytest

from zconsole.actions.byte_count_tolerance import Figure, FigureMeasure

KIB, MIB, GIB, TIB = 1 << 10, 1 << 20, 1 << 30, 1 << 40


@pytest.mark.parametrize(
    ("measure", "was", "now", "is_same"),
    [
        (FigureMeasure.REFERENCED, 96 * KIB, 96 * KIB, True),
        (FigureMeasure.REFERENCED, 96 * KIB, 100 * KIB, True),
        (FigureMeasure.REFERENCED, 96 * KIB, 300 * KIB, False),
        (FigureMeasure.REFERENCED, 96 * KIB, 2 * TIB, False),
        (FigureMeasure.REFERENCED, 40 * MIB, 56 * MIB, True),
        (FigureMeasure.REFERENCED, 40 * MIB, 57 * MIB, False),
        (FigureMeasure.REFERENCED, 40 * MIB, 23 * MIB, False),
        (FigureMeasure.REFERENCED, 2 * TIB, int(2.19 * TIB), True),
        (FigureMeasure.REFERENCED, 2 * TIB, int(2.21 * TIB), False),
        (FigureMeasure.REFERENCED, 2 * TIB, 1 * TIB, False),
        (FigureMeasure.WRITTEN, 0, 1, False),
        (FigureMeasure.WRITTEN, 0, 0, True),
        (FigureMeasure.WRITTEN, 4 * KIB, 16 * MIB, True),
        (FigureMeasure.WRITTEN, 4 * KIB, 17 * MIB, False),
        (FigureMeasure.WRITTEN, 5 * GIB, 0, True),
        (FigureMeasure.SPACE, 0, 1, False),
    ],
)
def test_as_near_as_must_be(measure: FigureMeasure, was: int, now: int, is_same: bool) -> None:
    figure = Figure("referenced by tank/a", measure, was)

    difference = figure.difference(Figure("referenced by tank/a", measure, now))

    assert is_same is (difference == "")
    if not is_same:
        assert difference.startswith("referenced by tank/a was ")


@pytest.mark.parametrize(("was", "now"), [(None, 5), (5, None)])
def test_what_is_not_known_is_never_the_same_as_a_number(was: int | None, now: int | None) -> None:
    difference = Figure("it", FigureMeasure.WRITTEN, was).difference(Figure("it", FigureMeasure.WRITTEN, now))

    assert "unknown" in difference


def test_what_was_not_known_and_is_not_is_the_same() -> None:
    unknown = Figure("it", FigureMeasure.WRITTEN, None)

    assert "" == unknown.difference(unknown)
