"""The report for a ticket: disks, steps, commands and outcomes; nothing of a host is markup in it."""

from __future__ import annotations

import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from tests.ui import states
from zconsole.actions.repair.repairs import repairs
from zconsole.model.repair import Repair, RepairRun, RepairTrouble
from zconsole.views.repair.report import report

RUN = RepairRun(
    states.NOW - 9000, "anna", "replace ZL2F0A91", (("zpool", "replace", "bulk", "77", "/dev/x y"),), "done",
    states.NOW - 8990,
)  # fmt: skip


def failed() -> Repair:
    return replace(repairs(states.degraded(), (), states.NOW)[0], runs=(RUN,))


def test_a_report_has_the_disks_the_steps_and_what_was_run_by_whom() -> None:
    told = report(failed(), states.NOW)

    assert told.startswith("# Repair of ZL2F0A91 in bulk on storage1\n")
    assert "| failed | ZL2F0A91 | ST12000NM0127 |" in told
    assert "| new | ZL2H7715 |" in told
    assert "\n6. **resilver** now: resilver 41%" in told
    assert "anna: replace ZL2F0A91: done, took 10s" in told
    assert "\n      zpool replace bulk 77 '/dev/x y'\n" in told


def test_the_report_of_the_after_care_keeps_the_disks_and_each_run_once() -> None:
    care = replace(
        failed(), trouble=RepairTrouble.AFTER_CARE, device=replace(failed().device, serial="", name="bulk")
    )
    told = report(care, states.NOW, failed())

    assert told.startswith("# Repair of ZL2F0A91 in bulk")
    assert 1 == told.count("anna")


def test_without_runs_it_says_that_the_journal_has_none() -> None:
    assert "The journal of this console has no run" in report(replace(failed(), runs=()), states.NOW)


@given(st.text(max_size=60))
def test_no_name_of_a_host_is_markup_or_breaks_the_table(name: str) -> None:
    of = failed()
    told = report(replace(of, device=replace(of.device, serial=f"x{name}", name=name, bay=name)), states.NOW)
    (row,) = [line for line in told.split("\n") if line.startswith("| failed ")]

    assert 7 == len(re.findall(r"(?<!\\)\|", row.replace("\\\\", "")))
    assert told.split("\n")[0].startswith("# Repair of x")
    assert not re.search(r"(?<!\\)<(?!U\+)", told.replace("\\\\", ""))
