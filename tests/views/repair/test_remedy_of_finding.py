"""One voice: a finding on a device is answered as its guided repair says, where that knows more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.ui import states
from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.model.finding import Finding, Severity
from zconsole.model.repair import Certainty, RepairCause, RepairStepKind, RepairStepState
from zconsole.views.findings.by_id.what_to_do import what_to_do
from zconsole.views.repair import remedy_of_finding
from zconsole.views.repair.due_step import due_in_words
from zconsole.views.repair.remedy_of_finding import certain_repairs, remedy

STATE = states.degraded()
REPAIR = repairs(STATE, (), states.NOW)[0]
WHERE = {"pool": REPAIR.pool, "vdev": "sda", "vdev_guid": str(REPAIR.device.guid)}
FOUND = Finding("device-faulted", Severity.WARNING, "bulk sda", "x", WHERE, disk="bulk/1", needs_repair=True)


def test_while_a_resilver_runs_a_finding_of_its_disk_says_what_repair_says() -> None:
    assert RepairStepKind.RESILVER is REPAIR.current.kind if REPAIR.current else False
    assert f"Now: {due_in_words(REPAIR)}." == remedy(FOUND, certain_repairs(STATE, states.NOW))


def test_a_certain_cause_is_told_and_an_unclear_one_leaves_the_advice_of_the_rule(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = next(each for each in REPAIR.steps if each.kind is RepairStepKind.TRIAGE)
    now = replace(first, state=RepairStepState.NOW, act="look at it")
    unclear = replace(REPAIR, steps=(now,), alarm="", certainty=Certainty.UNCLEAR)
    sure = replace(unclear, certainty=Certainty.SURE, cause=RepairCause.DISK)

    monkeypatch.setattr(remedy_of_finding, "repairs", lambda *_: (unclear,))
    assert what_to_do(FOUND) == remedy(FOUND, certain_repairs(STATE, states.NOW))
    monkeypatch.setattr(remedy_of_finding, "repairs", lambda *_: (sure,))
    assert "Now: look at it. The cause is certain: the disk." == remedy(
        FOUND, certain_repairs(STATE, states.NOW)
    )


def test_what_is_on_no_device_keeps_the_advice_of_its_rule() -> None:
    other = replace(FOUND, disk="")

    assert what_to_do(other) == remedy(other, certain_repairs(STATE, states.NOW))
