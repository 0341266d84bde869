"""What to do about a finding on a device: as its guided repair says where that knows more than the rule."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState
from zconsole.model.repair import Certainty, Repair, RepairStepKind, RepairStepState
from zconsole.views.findings.by_id.what_to_do import what_to_do
from zconsole.views.repair.due_step import NOW, due_in_words

CertainRepairs = Mapping[tuple[str, str], str]  # what is due, by pool and guid of the device
NONE_CERTAIN: Final[CertainRepairs] = MappingProxyType({})


def certain_repairs(state: HostState, now: float) -> CertainRepairs:
    """What is due in the repairs of a host that know more than a rule; `now` is epoch seconds.

    The cause is certain, a resilver is to be waited for, or something comes before everything else.
    """
    return {
        (each.pool, str(each.device.guid)): f"{NOW}{_due(each)}"
        for each in repairs(state, (), now)
        if each.device.guid is not None and due_in_words(each) and _knows_more(each)
    }


def remedy(finding: Finding, known: CertainRepairs = NONE_CERTAIN) -> str:
    """What to do about a finding, in whole sentences; empty where nothing is said."""
    where = (str(finding.evidence.get("pool")), str(finding.evidence.get("vdev_guid")))
    certain = known.get(where, "") if finding.disk and finding.repaired_pool else ""
    return certain or what_to_do(finding)


def _due(repair: Repair) -> str:
    """What is due, with the cause where that is certain."""
    is_sure = repair.certainty is Certainty.SURE
    return f"{due_in_words(repair)}.{f' The cause is certain: {repair.cause.value}.' if is_sure else ''}"


def _knows_more(repair: Repair) -> bool:
    step = repair.current
    is_waiting = step is not None and (
        step.kind is RepairStepKind.RESILVER or step.state is RepairStepState.HELD
    )
    return repair.certainty is Certainty.SURE or is_waiting or bool(repair.alarm)
