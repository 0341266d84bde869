"""`zconsole advise` as text: hostile names in it are spelled out."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, host, pool, scrubbed, wholly_read
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.reports.text.advice import advice_report


def test_of_a_host_without_advice_the_groups_are_named_that_were_judged() -> None:
    first, blank, *groups = advice_report(wholly_read(host()), (), ())

    assert ("nas1: nothing to advise.", "") == (first, blank)
    assert ["Structure", "Settings", "Care", "Guests", "Host"] == [each.partition(":")[0] for each in groups]


def test_no_control_character_of_a_host_reaches_the_terminal() -> None:
    state = replace(host(pool(scan=scrubbed(days_ago=60))), host="nas\x1b[2J1")

    lines = list(advice_report(state, findings(state, NOW, Thresholds()), ()))

    assert "1 risk." in lines[0]
    assert not [line for line in lines if "\x1b" in line]
