"""Flash beside disks that rotate is told by latency, of whole vdevs and of a side of every mirror."""

from __future__ import annotations

import pytest

from tests.analysis.slow_disks.streams import MIRRORS, RAIDZ, Act, Did, judge, named
from zconsole.cli.commands.state.slow import exit_code

FLASH, ROTATES = Did(60, 0.2, 30, 0.2), Did(60, 8, 30, 8)


def of_these(slow: str, since: int = 0) -> Act:
    return lambda number, name: ROTATES if name in slow.split() and number >= since else FLASH


@pytest.mark.parametrize("slow", ["a b", "a b c d", "b d f"])
def test_media_of_vdevs_and_of_sides_of_mirrors_are_not_compared(slow: str) -> None:
    judgement = judge(MIRRORS, of_these(slow))

    assert set() == named(judgement)
    assert () == judgement.slow_vdevs
    assert None is judgement.half_slow
    (said,) = (each for each in judgement.findings if each.id == "unlike-media")
    assert tuple(slow.split()) == said.evidence["slow"]
    assert "took 8.0 ms or more from the first seconds on" in said.summary
    assert said.summary.endswith("if all are of one kind, the former are slow")


def test_a_slow_disk_among_others_of_its_media_is_found() -> None:
    def act(number: int, name: str) -> Did:
        return Did(60, 60, 30, 60) if name == "d" and number > 10 else of_these("a b c d")(number, name)

    assert {"d"} == named(judge(MIRRORS, act))


@pytest.mark.parametrize(("names", "slow"), [(MIRRORS, "d"), (RAIDZ, "d3"), (("a", "b", "c", "d"), "d")])
def test_one_disk_that_is_slow_from_the_start_is_no_medium(names: tuple[str, ...], slow: str) -> None:
    assert {slow} == named(judge(names, of_these(slow)))


def test_a_vdev_that_becomes_slow_is_no_medium() -> None:
    judgement = judge(MIRRORS, of_these("a b", since=20))

    assert ["vdev-slow"] == [each.id for each in judgement.findings]
    assert 1 == exit_code([judgement], [])


def test_vdevs_that_both_rotate_are_compared() -> None:
    judgement = judge(MIRRORS, lambda _, name: Did(30, 40, 30, 40) if name in "ab" else Did(30, 8, 30, 8))

    assert ["vdev-slow"] == [each.id for each in judgement.findings]
