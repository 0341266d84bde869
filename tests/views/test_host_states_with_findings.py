"""The state of the hosts at one moment: what is worst, and what is old."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import host
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import LinkState, LinkStatus, PoolState, Reading
from zconsole.views.host_states_with_findings import HostView, View

STATE = host()
WARNING = Finding("scrub-old", Severity.WARNING, "tank", "old", evidence={"pool": "tank"})
NOTE = Finding("other", Severity.INFO, "bulk", "note", evidence={"pool": "bulk"})


def view(monotonic: float = 100.0) -> View:
    return View((HostView(STATE, (WARNING, NOTE)),), 1_800_000_000.0, monotonic)


def test_the_worst_finding_counts_and_a_host_that_is_away_is_critical() -> None:
    away = replace(STATE, link=LinkStatus(LinkState.DOWN))

    assert Severity.WARNING is HostView(STATE, (NOTE, WARNING)).worst
    assert HostView(STATE).worst is None
    assert Severity.CRITICAL is HostView(away).worst


def test_the_users_name_for_a_host_comes_first() -> None:
    assert (STATE.host, "backup") == (HostView(STATE).name, HostView(STATE, label="backup").name)


def test_findings_are_told_by_pool() -> None:
    assert (WARNING,) == view().hosts[0].of_pool("tank")
    assert () == view().hosts[0].of_pool("gone")


def test_what_is_not_there_is_none() -> None:
    assert view().host("elsewhere") is None
    assert view().pool("elsewhere", "tank") is None
    assert view().pool(STATE.host, "tank") is STATE.pool("tank")


@pytest.mark.parametrize(("expected", "at"), [(None, None), (None, 97.5), (3.5, 96.5)])
def test_samples_have_an_age_once_two_were_missed(expected: float | None, at: float | None) -> None:
    assert expected == view().io_age(PoolState("tank", io_at=at))


@pytest.mark.parametrize(
    ("expected", "reading", "slack"),
    [
        (None, Reading(), 1.0),
        (None, Reading(None, 90.0), 1.0),
        (10.0, Reading(None, 90.0, "no answer"), 1.0),
        (20.0, Reading(None, 80.0), 1.0),
        (None, Reading(None, 80.0), 2.0),
    ],
)
def test_a_status_has_an_age_when_it_is_overdue_or_failed_since(
    expected: float | None, reading: Reading[None], slack: float
) -> None:
    assert expected == view().status_age(PoolState("tank", pool=reading), slack)  # type: ignore[arg-type]
