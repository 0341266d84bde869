"""Findings in words: one line a disk, the evidence of all its findings, and what to do."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import NOW, disk, group, host, pool
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import leaf
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.host.host_state import LinkState, LinkStatus
from zconsole.model.pools.pool import Count
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.views.findings.advice import ADVICE
from zconsole.views.findings.finding_list_and_detail import details, notes, page, point_of
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.styled_text import plain
from zconsole.views.pools import pool_list

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
    found = point_of(VIEW, key_of_disk())
    assert found is not None

    lines = [plain(each) for each in details(found[1])]

    assert "Enter repair, step by step; on a command line zconsole repair tank" in lines
    for section in ("Evidence", "Evidence of device-errors", "Evidence of pending-sectors"):
        assert section in lines
    assert 1 == sum(each.startswith("pool ") for each in lines)  # what they have in common is told once


WIDE = group("raidz2-0", *(disk(f"sd{at}") for at in range(13)))


def advised_view(**values: object) -> View:
    state = replace(host(pool(WIDE, **values)), pools_at=0.0)
    return View((HostView(state, findings(state, NOW, Thresholds())),), NOW, 0.0)


def test_advice_has_its_own_heading_after_what_is_wrong() -> None:
    shown = page(advised_view(error_count=1))

    rows = [row.key.split("\0")[1] if "\0" in row.key else row.key for row in shown.table.rows]
    assert ["data-errors", "advice", "raidz-wide"] == rows
    assert "1 critical" in plain(shown.answer)
    assert "1 point of advice" in plain(shown.answer)
    assert "info" not in plain(shown.answer)


def test_advice_in_full_says_why_it_matters_what_to_do_and_what_that_costs() -> None:
    view = advised_view()
    found = point_of(view, page(view).table.rows[-1].key)
    assert found is not None

    lines = [plain(each) for each in details(found[1])]

    told = ADVICE["raidz-wide"]
    for title, text in (
        ("What it means", told.why),
        ("What to do", told.action),
        ("What that costs", told.cost),
        ("When it is said", f"{told.when} Where the limit comes from: {told.source}."),
    ):
        assert text == lines[lines.index(title) + 1]


def test_a_pool_with_advice_alone_has_nothing_wrong() -> None:
    view = advised_view()

    assert plain(pool_list.page(view).answer).endswith("nothing wrong, 1 point of advice so far")


def test_hosts_that_are_down_are_counted_and_not_said_to_have_no_findings() -> None:
    up = HostView(host(pool()), ())
    down = replace(up.state, host="nas9", pools=(), link=LinkStatus(LinkState.DOWN, "no route to host"))
    lost = HostView(down, ())

    assert "2 hosts · 2 down" == plain(page(View((lost, lost), NOW, 0.0)).answer)
    assert "2 hosts · 1 down · no findings" == plain(page(View((up, lost), NOW, 0.0)).answer)
    assert "nas9 · down" == plain(page(View((lost,), NOW, 0.0)).answer)
