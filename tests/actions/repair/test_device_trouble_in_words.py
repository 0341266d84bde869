"""The trouble of a device in words: its state, since when, and its errors."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import group
from tests.doubles.repair_worlds import changed, error, facts_of, place_of, slow_disk, trouble_at
from tests.doubles.shelves import leaf
from zconsole.actions.repair.device_trouble_in_words import device_in_words, errors_in_words, slow_in_words
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import Count, Vdev
from zconsole.model.pools.slow_disk import Comparison


def told(member: Vdev, *events: Event) -> str:
    """What is said of disk 1."""
    facts = facts_of(trouble_at(group("mirror-0", leaf(0), member), events=events))
    return device_in_words(facts, place_of(facts, 1).member)


@pytest.mark.parametrize(
    ("said", "errors"),
    [
        ("", {}),
        ("486 write errors", {"write_errors": Count(486)}),
        ("1 read, 2 checksum errors", {"read_errors": Count(1), "checksum_errors": Count(2)}),
        ("about 1.1k read errors", {"read_errors": Count(1100, is_rounded=True)}),
    ],
)
def test_errors_are_told_by_kind(said: str, errors: dict[str, Count]) -> None:
    assert said == errors_in_words(leaf(1, **errors))


def test_the_state_alone_where_nothing_else_is_known() -> None:
    assert "SER0001 is OFFLINE" == told(leaf(1, "OFFLINE"))
    assert "SER0001 is FAULTED: too many errors" == told(leaf(1, "FAULTED", note="too many errors"))


def test_since_when_and_in_how_short_a_time() -> None:
    reports = (error(1, 185.0), error(1, 182.0), changed(1, 182.0))

    words = told(leaf(1, "FAULTED", write_errors=Count(2)), *reports)

    assert words.startswith("SER0001 is FAULTED; since ")
    assert ": 2 write errors, 2 error reports within 3m" in words


def test_one_report_has_no_duration_and_those_of_another_disk_do_not_count() -> None:
    words = told(leaf(1, "FAULTED"), error(0, 50.0), error(0, 40.0), error(1, 30.0))

    assert "error reports" not in words


def test_how_slow_a_disk_is_is_told_in_milliseconds() -> None:
    reads = Comparison("read", 85e6, 8.3e6, 15_000, 120, 0.9)
    stalling = slow_disk(1, "mirror-0", ratio=20.0)
    verdict = slow_disk(1, "mirror-0", ratio=10.2)
    compared = replace(verdict, compared=(reads,))

    for each, words in (
        (compared, "slow: reads 85 ms, peers 8.3 ms (10.2x), since 07:50 UTC"),
        (
            replace(stalling, kind="stalling", compared=(reads,)),
            "slow: 20x the latency of its peers, since 07:50 UTC",
        ),
        (verdict, "slow: 10x the latency of its peers, since 07:50 UTC"),
    ):
        facts = facts_of(trouble_at(group("mirror-0", leaf(0), leaf(1)), slow=[each]))
        assert words == slow_in_words(facts, place_of(facts, 1).member)
        assert "" == slow_in_words(facts, place_of(facts, 0).member)
