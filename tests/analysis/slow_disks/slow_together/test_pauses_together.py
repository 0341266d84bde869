"""Disks that hold I/O at the same time and complete none: said together, and no disk is named for it."""

from __future__ import annotations

import pytest

from tests.analysis.slow_disks.streams import HEALTHY, IDLE, MIRRORS, RAIDZ, Act, Did, judge, named
from zconsole.analysis.slow_disks.slow_together.pauses_together import SURE_NS
from zconsole.analysis.slow_disks.verdict_sentence import pause_sentence

STUCK = Did(active=3)
TWO_RAIDZ = ("raidz1-0", "a", "b", "c", "raidz1-1", "d", "e", "f")


@pytest.mark.parametrize(
    ("which", "names", "disks"),
    [
        ("all 6 disks", MIRRORS, "a b c d e f"),
        ("one disk of each of mirror-0, mirror-1 and mirror-2", MIRRORS, "a c e"),
        ("all 2 disks of mirror-1", MIRRORS, "c d"),
        ("4 of 8 disks of raidz2-0", RAIDZ, "d0 d1 d2 d3"),
        ("all 3 disks of raidz1-0", TWO_RAIDZ, "a b c"),
        ("2 of 6 disks", TWO_RAIDZ, "a e"),
    ],
)
def test_disks_that_hang_together_are_told_by_what_they_have_in_common(
    which: str, names: tuple[str, ...], disks: str
) -> None:
    act: Act = lambda at, name: STUCK if at >= 31 and name in disks.split() else HEALTHY  # noqa: E731
    judgement = judge(names, act)

    (pause,) = judgement.not_answering
    assert which == pause.which
    assert (31, 59, True, 1) == (pause.first_sample, pause.last_sample, pause.is_ongoing, pause.times)
    assert 28e9 == pause.longest_ns
    assert 3 * len(disks.split()) == pause.outstanding
    assert len([name for name in names if "-" not in name]) - len(disks.split()) == len(pause.answered)
    (found,) = (one for one in judgement.findings if one.id == "disks-not-answering")
    assert pause.disks == found.evidence["disks"]
    assert pause_sentence(pause) in found.summary


def test_half_that_hangs_names_no_disk_and_leaves_none_undecided() -> None:
    judgement = judge(MIRRORS, lambda at, name: STUCK if at >= 31 and name in "ace" else HEALTHY)

    assert set() == named(judgement)
    assert () == judgement.undecided


def test_two_of_eight_that_hang_at_once_are_named_and_told_together() -> None:
    judgement = judge(RAIDZ, lambda at, name: STUCK if at >= 31 and name in {"d1", "d2"} else HEALTHY)

    assert {"d1", "d2"} == named(judgement)
    assert ["2 of 8 disks of raidz2-0"] == [one.which for one in judgement.not_answering]


@pytest.mark.parametrize(("seconds", "is_sure"), [(1, None), (2, False), (3, False), (8, False), (9, True)])
def test_one_pause_is_told_from_a_second_and_a_finding_from_eight(seconds: int, is_sure: bool | None) -> None:
    judgement = judge(MIRRORS, lambda at, _: STUCK if 20 <= at < 20 + seconds else HEALTHY)

    assert ([] if is_sure is None else [is_sure]) == [one.is_sure for one in judgement.pauses]
    assert bool(is_sure) == bool(judgement.findings)
    assert 8e9 == SURE_NS


def test_three_pauses_in_a_minute_are_a_finding_and_two_are_not() -> None:
    three = judge(MIRRORS, lambda at, _: STUCK if at % 18 in {5, 6, 7} else HEALTHY)
    two = judge(MIRRORS, lambda at, _: STUCK if at % 25 in {5, 6, 7} else HEALTHY, 50)

    (pause,) = three.not_answering
    assert (3, 2e9, False) == (pause.times, pause.longest_ns, pause.is_ongoing)
    assert (2, ()) == (two.pauses[0].times, two.not_answering)


def test_a_pool_that_rests_between_transaction_groups_is_no_stall() -> None:
    """Nothing is outstanding at its disks: there is no I/O that waits."""
    assert () == judge(MIRRORS, lambda at, _: HEALTHY if at % 10 < 3 else IDLE, 120).pauses


def test_disks_that_pause_one_after_the_other_do_not_pause_together() -> None:
    def act(number: int, name: str) -> Did:
        is_stuck = (name == "a" and 10 <= number < 16) or (name == "e" and 16 <= number < 22)
        return STUCK if is_stuck else HEALTHY

    assert [("a",), ("e",)] == [one.disks for one in judge(MIRRORS, act).pauses]


def test_a_disk_that_hangs_alone_for_longer_is_not_one_of_them() -> None:
    def act(number: int, name: str) -> Did:
        return STUCK if (name == "a" and number >= 20) or (name == "e" and 30 <= number < 34) else HEALTHY

    judgement = judge(MIRRORS, act)

    assert {"a"} == named(judgement)
    assert [("e",)] == [one.disks for one in judgement.pauses]


def test_a_pool_that_hangs_all_the_time_is_not_called_idle() -> None:
    judgement = judge(MIRRORS, lambda *_: STUCK)

    assert 59e9 == judgement.not_answering[0].longest_ns
    assert {"it holds I/O and completed none of it for 59s or more"} == {
        one.reason for one in judgement.undecided
    }


def test_in_the_console_it_ends_ten_minutes_after_the_last() -> None:
    def act(number: int, _: str) -> Did:
        return STUCK if 20 <= number < 40 else HEALTHY

    assert [False] == [one.is_ongoing for one in judge(MIRRORS, act, 630).not_answering]
    assert () == judge(MIRRORS, act, 641).not_answering
