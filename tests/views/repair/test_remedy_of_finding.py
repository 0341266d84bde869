"""One voice: a finding on a device is answered as its guided repair says, where that knows more."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from tests.analysis.build import NOW, group
from tests.doubles.repair_worlds import trouble_at
from tests.doubles.shelves import leaf
from tests.reports.captured import RECORDED_AT, captured
from tests.reports.captured import states as captured_names
from tests.ui import states
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.alerts.states_and_events_of_host import states_of
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.findings.findings_grouped_by_disk import folded
from zconsole.base.escape_control_characters import visible
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.pool import Count
from zconsole.model.repair import Certainty, RepairCause, RepairStepKind, RepairStepState
from zconsole.reports.json.status import findings_of_disks
from zconsole.reports.text.status import status_lines
from zconsole.views.findings.by_id.what_to_do import what_to_do
from zconsole.views.findings.findings_in_short import in_points
from zconsole.views.repair import remedy_of_finding
from zconsole.views.repair.due_step import due_in_words, what_to_do_line
from zconsole.views.repair.remedy_of_finding import NOTHING_ELSE, remedies, remedy, what_is_due

STATE = states.degraded()
REPAIR, OFFLINE = repairs(STATE, (), states.NOW)
WHERE = {"pool": REPAIR.pool, "vdev": "sda", "vdev_guid": str(REPAIR.device.guid)}
FOUND = Finding("device-faulted", Severity.WARNING, "bulk sda", "x", WHERE, disk="bulk/1", needs_repair=True)


def test_while_a_resilver_runs_a_finding_of_its_disk_says_what_repair_says() -> None:
    assert RepairStepKind.RESILVER is REPAIR.current.kind if REPAIR.current else False
    assert f"Now: {due_in_words(REPAIR)}." == remedy(FOUND, what_is_due((REPAIR, OFFLINE)))


def test_a_cause_is_told_where_it_is_certain_and_that_it_is_not_where_a_disk_would_go() -> None:
    first = next(each for each in REPAIR.steps if each.kind is RepairStepKind.TRIAGE)
    look = replace(first, state=RepairStepState.NOW, act="look at it")
    pull = replace(look, kind=RepairStepKind.TAKE_OUT, act="pull it")
    unclear = replace(REPAIR, alarm="", certainty=Certainty.UNCLEAR, newcomer=None, spare=None, not_now=())
    sure = replace(unclear, steps=(pull,), certainty=Certainty.SURE, cause=RepairCause.DISK)
    found = {
        "Now: look at it.": replace(unclear, steps=(look,)),
        "Now: pull it. The cause is uncertain: see zconsole repair bulk.": replace(unclear, steps=(pull,)),
        "Now: pull it. The cause is certain: the disk.": sure,
    }

    for words, repair in found.items():
        assert words == remedy(FOUND, what_is_due((repair,)))


def test_what_is_on_no_device_keeps_the_advice_of_its_rule() -> None:
    other = replace(FOUND, disk="")

    assert what_to_do(other) == remedy(other, what_is_due((REPAIR, OFFLINE)))


@pytest.mark.parametrize(
    ("finding_id", "evidence"),
    [("vdev-no-redundancy", {"vdev": REPAIR.vdev}), ("pool-degraded", {})],
)
def test_a_vdev_and_a_pool_say_what_is_due_in_their_repairs(
    finding_id: str, evidence: dict[str, str]
) -> None:
    found = Finding(finding_id, Severity.WARNING, "bulk", "x", {"pool": REPAIR.pool, **evidence})

    assert f"Now: {due_in_words(REPAIR)}.{NOTHING_ELSE} Also: {due_in_words(OFFLINE)}." == remedies(
        STATE, states.NOW
    )(found)
    assert what_to_do(replace(found, evidence={"pool": "tank"})) == remedies(STATE, states.NOW)(
        replace(found, evidence={"pool": "tank"})
    )


@pytest.mark.parametrize(
    ("state", "first"),
    [
        ("FAULTED", "Now: discard the checkpoint if you do not need it"),
        ("OFFLINE", "Now: bring SER0001 online"),
    ],
)
def test_a_checkpoint_goes_where_a_device_is_to_be_replaced_and_not_for_one_that_comes_online(
    state: str, first: str
) -> None:
    held = trouble_at(
        group("mirror-0", leaf(0), leaf(1, state)), unused=1, checkpoint_bytes=1, state="DEGRADED"
    )
    about = {"vdev-no-redundancy", "pool-degraded"}

    said = [remedies(held, NOW)(each) for each in findings(held, NOW, Thresholds()) if each.id in about]

    assert 2 == len(said)
    assert [] == [each for each in said if not each.startswith(first)]


def test_an_unclear_cause_of_the_most_urgent_repair_does_not_change_what_is_due(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = next(each for each in REPAIR.steps if each.kind is RepairStepKind.TRIAGE)
    now = replace(first, state=RepairStepState.NOW, act="look at it")
    unclear = replace(REPAIR, steps=(now,), alarm="", certainty=Certainty.UNCLEAR)
    found = Finding("pool-degraded", Severity.WARNING, "bulk", "x", {"pool": REPAIR.pool})

    monkeypatch.setattr(remedy_of_finding, "repairs", lambda *_: (unclear, REPAIR))
    assert remedies(STATE, states.NOW)(found).startswith(f"Now: look at it.{NOTHING_ELSE}")


def test_the_repairs_are_derived_once_and_only_for_findings_that_may_have_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[object] = []

    def repairs_of(state: object, *_: object) -> tuple[object, ...]:
        asked.append(state)
        return ()

    monkeypatch.setattr(remedy_of_finding, "repairs", repairs_of)
    remedy_of = remedies(STATE, states.NOW)
    remedy_of(Finding("scan-running", Severity.INFO, "bulk", "x", {"pool": "bulk"}))
    assert [] == asked
    assert [remedy_of(FOUND), remedy_of(FOUND)] == 2 * [what_to_do(FOUND)]
    assert 1 == len(asked)


def captured_states() -> Iterator[HostState]:
    for series in ("2.1", "2.3", "2.4"):
        yield from (captured(series, name) for name in captured_names(series))


def test_status_its_json_and_messages_say_the_same_of_each_finding() -> None:
    """Of every captured state, and of the two worlds of the tests in which a disk has failed."""
    for state in (*captured_states(), STATE):
        found = findings(state, RECORDED_AT, Thresholds())
        remedy_of = remedies(state, RECORDED_AT)
        told = [each["what_to_do"] or "" for each in findings_of_disks(found, remedy_of)]
        text = "\n".join(status_lines(state, found, RECORDED_AT))
        alerts = states_of(state, found, RECORDED_AT, remedy_of).holding.values()

        assert list(map(remedy_of, found)) == told
        assert [] == [
            each.id
            for each in in_points(folded(found))
            if (words := remedy_of(each)) and f"  {visible(what_to_do_line(words))}" not in text
        ]
        assert {each.what_to_do for each in alerts if each.id != "link-lost"} <= {*told}


def test_a_disk_that_may_have_been_pulled_by_mistake_goes_back_first_in_each_finding() -> None:
    """Without ZFS's events nobody knows which of two disks went first."""
    failed, gone = leaf(1, "FAULTED", read_errors=Count(9)), leaf(2, "REMOVED")
    top = group("raidz2-0", leaf(0), failed, gone, leaf(3), vdev_type="raidz2")
    state = trouble_at(top, gone=[2], unused=1, state="DEGRADED")

    said = {
        remedies(state, NOW)(each)
        for each in findings(state, NOW, Thresholds())
        if each.id in {"device-faulted", "vdev-no-redundancy", "pool-degraded"}
    }

    assert [] == [each for each in said if "put SER0002 back" not in each.partition("; ")[0]]


def test_disks_with_one_cause_on_the_way_to_them_are_told_what_their_common_repair_says() -> None:
    tops = [group(f"mirror-{at}", leaf(2 * at), leaf(2 * at + 1, "UNAVAIL")) for at in range(2)]
    state = trouble_at(*tops, state="DEGRADED")

    said = [
        remedies(state, NOW)(each)
        for each in findings(state, NOW, Thresholds())
        if each.id == "device-faulted"
    ]

    assert 2 == len(said)
    due = "bring them online again, and watch whether they disappear again; if one is dead, replace that one"
    assert {f"Now: {due}."} == {*said}
