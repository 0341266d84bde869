"""The published cases of slow and healthy disks: each is judged as it should be."""

from __future__ import annotations

import pytest

from tests.analysis.slow_disks.streams import LONE, RAIDZ, Did, judge, named

READS = 40.0


def steady(milliseconds: dict[str, float], names: tuple[str, ...], reads: float = READS) -> set[str]:
    """Who is named after a minute in which each disk took so long for every read."""
    return named(judge(names, lambda _, disk: Did(reads, milliseconds[disk])))


def of(*milliseconds: float, group: str) -> tuple[dict[str, float], tuple[str, ...]]:
    names = tuple(f"d{at}" for at in range(len(milliseconds)))
    return dict(zip(names, milliseconds, strict=True)), (group, *names)


@pytest.mark.parametrize(
    ("slow", "group", "milliseconds"),
    [
        pytest.param({"d5"}, "raidz2-0", (4, 5, 6, 7, 8, 140), id="six disks, 4 to 8 ms, one 140 ms"),
        pytest.param({"d7"}, "raidz2-0", (*[10] * 7, 30), id="eight disks of 10 ms, one 30 ms"),
        pytest.param({"d7"}, "raidz2-0", (*[10] * 7, 100), id="eight disks of 10 ms, one 100 ms"),
        pytest.param({"d6", "d7"}, "raidz2-0", (*[10] * 6, 400, 400), id="two of eight at 400 ms"),
        pytest.param({"d5", "d6", "d7"}, "raidz2-0", (*[10] * 5, 400, 400, 400), id="three of eight"),
        pytest.param({"d1"}, "mirror-0", (8, 300), id="a mirror of 8 and 300 ms"),
        pytest.param({"d3"}, "raidz1-0", (10, 10, 10, 1000), id="a raidz1 of four, one 1 s"),
        pytest.param(set(), "raidz2-0", (6, 7, 8, 9, 10, 11, 12, 14), id="healthy, 6 to 14 ms"),
        pytest.param(set(), "raidz2-0", (0.08, 0.1, 0.1, 0.12, 0.15, 0.2), id="healthy NVMe"),
    ],
)
def test_a_published_case(slow: set[str], group: str, milliseconds: tuple[float, ...]) -> None:
    assert slow == steady(*of(*milliseconds, group=group))


def test_a_busy_resilver_target_is_not_slow() -> None:
    """25 ms beside 10 ms is what it takes to be written all the time."""
    target = Did(10, 25, 160, 25, write_bytes=160 * 131072.0)

    judgement = judge(RAIDZ, lambda _, disk: target if disk == "d3" else Did(40, 10, 10, 10))

    assert set() == named(judgement)


def test_the_disks_of_a_stripe_are_held_against_each_other() -> None:
    assert {"c"} == steady({"a": 8, "b": 9, "c": 80, "d": 8}, LONE)
