"""A scrub is called skipped by what other pools of the host had; never by the same round of a timer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import NOW
from tests.analysis.findings.care.care_cases import began, beside
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Scan


def skipped(state: HostState) -> list[Finding]:
    return [
        each
        for each in findings(state, NOW, Thresholds())
        if (each.id, each.subject) == ("scrub-skipped", "tank")
    ]


@pytest.mark.parametrize(
    ("count", "other"),
    [
        (1, began(10)),
        (0, began(1)),  # a timer that goes from pool to pool may still come
        (0, began(36)),  # before the period
        (0, began(10, function="resilver")),
        (0, began(10, state="canceled")),
        (0, None),
    ],
)
def test_only_scrubs_of_others_within_the_period_count(count: int, other: Scan | None) -> None:
    assert count == len(skipped(beside(began(40), other)))


def test_the_round_in_which_both_had_theirs_is_none_that_was_skipped() -> None:
    """Both pools were last scrubbed 40 days ago, hours apart."""
    assert [] == skipped(beside(began(40), began(39.5)))


def test_while_it_is_scrubbed_or_paused_nothing_is_said() -> None:
    for state in ("scanning", "paused"):
        assert [] == skipped(beside(replace(began(40), state=state, end=None), began(10)))


def test_the_plan_is_a_scrub_and_the_others_are_named() -> None:
    (found,) = skipped(beside(began(40), began(10)))

    assert ("bulk",) == found.evidence["scrubbed_meanwhile"]
    assert found.advised is not None
    assert found.advised.action is not None
    assert ("scrub", "tank") == (found.advised.action.action, found.advised.action.target)
