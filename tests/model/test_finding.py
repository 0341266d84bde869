"""Severities."""

from __future__ import annotations

import pytest

from zconsole.model.finding import Finding, Severity


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
