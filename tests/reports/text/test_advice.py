"""`zconsole advise` as text: hostile names in it are spelled out."""

from __future__ import annotations

from tests.analysis.build import NOW, host, pool, scrubbed
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.reports.text.advice import advice_report


def test_a_host_without_advice_is_one_line() -> None:
    assert ["nas1: nothing to advise."] == list(advice_report("nas1", (), ()))


def test_no_control_character_of_a_host_reaches_the_terminal() -> None:
    found = findings(host(pool(scan=scrubbed(days_ago=60))), NOW, Thresholds())

    lines = list(advice_report("nas\x1b[2J1", found, ()))

    assert "1 point." in lines[0]
    assert not [line for line in lines if "\x1b" in line]
