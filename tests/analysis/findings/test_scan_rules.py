"""Scrubs, resilvers and other work in the background."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import DAY, NOW, disk, pool, scrubbed
from tests.analysis.findings.judging import given, said
from zconsole.analysis.findings.scan_rules import RULES, activity_is_running, scan_is_under_way, scrub_is_due
from zconsole.model.pools.pool import PoolActivity, Scan, VdevProgress

RUNNING = Scan("scrub", "scanning", start=int(NOW) - 700, percent=41.0, to_issue_bytes=1 << 40)


def test_after_a_scrub_of_late_no_rule_speaks() -> None:
    assert [] == [found for rule in RULES for found in rule(given())]


def test_a_scan_runs_restarts_or_stands_still() -> None:
    still = tuple((NOW - 3600 + at, 5) for at in range(0, 3601, 60))

    assert ["scan-running"] == [each for each, _ in said(scan_is_under_way, pool(scan=RUNNING))]
    assert ["scan-restarting"] == [
        each for each, _ in said(scan_is_under_way, pool(scan=RUNNING), scan_restarts=3)
    ]
    assert ["scan-stalled"] == [
        each for each, _ in said(scan_is_under_way, pool(scan=RUNNING), scan_history=still)
    ]
    assert [] == said(scan_is_under_way, pool(scan=None))


@pytest.mark.parametrize(
    ("expected", "scan"),
    [
        ([("scrub-overdue", "last scrub 90d ago")], scrubbed(days_ago=90)),
        (
            [("scrub-overdue", "no full scrub for at least 90d")],
            scrubbed(days_ago=90, function="resilver"),
        ),
        (
            [("scrub-overdue", "no full scrub for at least 90d; the last one was canceled")],
            scrubbed(days_ago=90, state="canceled"),
        ),
        ([], scrubbed(days_ago=3, function="resilver")),
        ([], RUNNING),
    ],
)
def test_a_scan_that_is_no_whole_scrub_hides_when_the_last_one_was(
    expected: list[tuple[str, str]], scan: Scan
) -> None:
    assert expected == said(scrub_is_due, pool(scan=scan))


def test_a_paused_scrub_is_told_as_such() -> None:
    paused = replace(RUNNING, state="paused")

    assert ["scrub-paused"] == [each for each, _ in said(scrub_is_due, pool(scan=paused))]


def test_a_new_pool_need_not_have_been_scrubbed() -> None:
    assert [] == said(scrub_is_due, pool(scan=None, creation=int(NOW) - DAY))
    assert ["scrub-never"] == [each for each, _ in said(scrub_is_due, pool(scan=None, creation=1))]
    assert ["scrub-never"] == [each for each, _ in said(scrub_is_due, pool(scan=None))]


def test_the_same_on_many_devices_is_said_once() -> None:
    def trimmed(name: str, percent: float) -> object:
        return disk(name, activities=(VdevProgress("trim", "active", percent),))

    several = pool(vdevs=(trimmed("a", 10.0), trimmed("b", 30.0)))
    lone = pool(activities=(PoolActivity("raidz_expand", "raidz1-0", "suspended", 5.0),))

    assert [("activity-running", "trim of 2 devices, 10-30%")] == said(activity_is_running, several)
    assert [("activity-running", "expansion of raidz1-0, 5%, paused for a resilver or clear")] == said(
        activity_is_running, lone
    )
