"""The rule that ours is held beside is ZFS's own: it finds and misses what is published of it."""

from __future__ import annotations

import pytest

from tests.bench.autosit import Autosit

MS = 1_000_000.0


def checks_needed(milliseconds: list[float], parity: int = 2, most: int = 120) -> int | None:
    """After how many checks a disk is to rest; None where that does not come."""
    vdev = Autosit(len(milliseconds), parity)
    for number in range(1, most + 1):
        if vdev.check(float(number), [each * MS for each in milliseconds]) is not None:
            return number
    return None


@pytest.mark.parametrize(
    ("expected", "milliseconds"),
    [
        (158, [4, 5, 6, 7, 8, 140]),
        (135, [10] * 7 + [30]),
        (135, [10] * 7 + [100]),
        (9980, [8, 10, 10, 10, 10, 10, 400, 400]),
    ],
)
def test_the_fence_is_where_it_was_published(expected: float, milliseconds: list[float]) -> None:
    fence, _ = Autosit.fence(milliseconds)

    assert expected == pytest.approx(fence, rel=0.06)


@pytest.mark.parametrize(
    "milliseconds",
    [
        pytest.param([4, 5, 6, 7, 8, 140], id="one of 140 ms"),
        pytest.param([10] * 7 + [30], id="one of 30 ms"),
        pytest.param([10] * 7 + [100], id="one of 100 ms"),
        pytest.param([10] * 6 + [400, 400], id="two that hide each other"),
        pytest.param([10, 10, 10, 1000], id="four disks"),
        pytest.param([6, 7, 8, 9, 10, 11, 12, 14], id="healthy"),
    ],
)
def test_what_it_misses(milliseconds: list[float]) -> None:
    assert checks_needed(milliseconds) is None


@pytest.mark.parametrize("children", [6, 8, 12, 20])
def test_what_it_finds_takes_five_to_seven_checks(children: int) -> None:
    needed = checks_needed([10.0] * (children - 1) + [5000.0])

    assert needed is not None
    assert 5 <= needed <= 7


def test_a_child_that_is_not_read_ends_the_check() -> None:
    vdev = Autosit(6, 2)

    assert {None} == {vdev.check(float(at), [None, *[10.0] * 4, 9e9]) for at in range(60)}


def test_it_rests_for_ten_minutes_and_parity_is_kept() -> None:
    vdev = Autosit(6, 1)
    found = [vdev.check(float(at), [10.0 * MS] * 5 + [5000.0 * MS]) for at in range(700)]

    first = next(at for at, child in enumerate(found) if child == 5)
    assert [5, 5] == [child for child in found if child is not None]
    assert 600 <= next(at for at, child in enumerate(found) if child == 5 and at > first) - first <= 610
