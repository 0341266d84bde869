"""What is at stake orders advice, and has the word of the JSON."""

from __future__ import annotations

from zconsole.views.findings.advice_wording import Stake


def test_what_may_lose_data_comes_before_what_costs_time_or_space() -> None:
    worst_first = sorted(Stake, reverse=True)

    assert ["data", "service", "speed", "space", "upkeep"] == [each.word for each in worst_first]
