"""Severities."""

from __future__ import annotations

from zconsole.model.finding import Severity


def test_the_worst_is_the_largest_and_its_word_is_small() -> None:
    assert Severity.CRITICAL is max(Severity)
    assert ["info", "warning", "critical"] == [each.word for each in sorted(Severity)]
