"""Findings in words: one line a disk, the evidence of all its findings, and what to do."""

from __future__ import annotations

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import leaf
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.pools.pool import Count
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.views.findings.findings import details, finding_of, notes, page
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.styled_text import plain

BAD = leaf(1, "FAULTED", note="too many errors", write_errors=Count(486))
STATE = trouble_at(group("mirror-0", leaf(0), BAD), health={1: DiskHealth(protocol="ATA", pending=24)})
VIEW = View((HostView(STATE, findings(STATE, NOW, Thresholds())),), NOW, 0.0)


def key_of_disk() -> str:
    """The row of the failed disk."""
    found = [row.key for row in page(VIEW).table.rows if "device-faulted" in row.key]
    assert 1 == len(found)
    return found[0]


def test_the_selected_disk_is_told_with_all_its_findings_and_the_repair() -> None:
    first, second, *_ = (plain(each) for each in notes(VIEW, key_of_disk()))

    assert first.endswith(
        "is FAULTED (too many errors); also 486 write errors, 24 pending sectors (unreadable)"
    )
    assert "R repair, step by step; on a command line zconsole repair tank" == second


def test_a_finding_in_full_has_the_evidence_of_those_folded_into_it() -> None:
    found = finding_of(VIEW, key_of_disk())
    assert found is not None

    lines = [plain(each) for each in details(*found)]

    assert "Enter repair, step by step; on a command line zconsole repair tank" in lines
    for section in ("Evidence", "Evidence of device-errors", "Evidence of pending-sectors"):
        assert section in lines
    assert 1 == sum(each.startswith("pool ") for each in lines)  # what they have in common is told once
