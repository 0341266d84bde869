"""Severities."""

from __future__ import annotations

import pytest

from zconsole.model.finding import LAST, Finding, Severity


def test_the_worst_is_the_largest_and_its_word_is_small() -> None:
    assert Severity.CRITICAL is max(Severity)
    assert ["info", "warning", "critical"] == [each.word for each in sorted(Severity)]


@pytest.mark.parametrize(
    ("sentence", "finding"),
    [
        (
            "tank/gold@old: is 2y old",
            Finding("x", Severity.INFO, "tank/gold@old", "is 2y old", {"pool": "tank"}),
        ),
        (
            "tank/data: it lacks 3 snapshots",
            Finding(
                "x", Severity.INFO, "nas1:tank/data", "it lacks 3 snapshots", {"pool": "tank", "host": "nas1"}
            ),
        ),
        (
            "tank: sync=off on tank/a",
            Finding("x", Severity.INFO, "tank/a", "sync=off on tank/a", {"pool": "tank"}),
        ),
        (
            "tank: mirror-0 is lost",
            Finding("x", Severity.INFO, "tank mirror-0", "mirror-0 is lost", {"pool": "tank"}),
        ),
        ("nas1: no zed", Finding("x", Severity.INFO, "nas1", "no zed", {})),
    ],
)
def test_a_sentence_says_what_it_is_of(sentence: str, finding: Finding) -> None:
    assert sentence == finding.sentence


def test_of_equals_what_endangers_data_comes_before_a_slow_disk_and_advice_last() -> None:
    worst_first = [
        Finding("capacity-critical", Severity.CRITICAL, "tank", ""),
        Finding("vdev-no-redundancy", Severity.WARNING, "tank mirror-0", ""),
        Finding("device-faulted", Severity.WARNING, "vault sda", ""),
        Finding("disk-slow", Severity.WARNING, "bulk sdb", ""),
        Finding("device-degraded", Severity.INFO, "tank sdc", ""),
        Finding("pool-degraded", Severity.INFO, "tank", "", is_advice=True),
    ]

    mixed = [worst_first[at] for at in (3, 5, 0, 4, 1, 2)]

    assert worst_first == sorted(mixed, key=lambda each: each.place)
    assert worst_first[-1].place < LAST
