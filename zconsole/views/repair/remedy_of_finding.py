"""What to do about a finding: as the guided repair of its device, vdev or pool says where that knows more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Final

from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState
from zconsole.model.repair import Certainty, Repair, RepairStepKind, RepairStepState
from zconsole.views.findings.by_id.what_to_do import what_to_do
from zconsole.views.repair.due_step import NOW, due_in_words

CertainRepairs = Mapping[tuple[str, str], str]  # what is due, by pool, and guid of a device, vdev, or nothing
NONE_CERTAIN: Final[CertainRepairs] = MappingProxyType({})
OF_VDEV: Final = frozenset({"vdev-no-redundancy", "vdev-incomplete", "vdev-lost"})
OF_POOL: Final = frozenset({"pool-degraded"})
_TOLD_FIRST: Final = frozenset({"put_back", "bring_back", "is_held_by_checkpoint"})  # by the finding itself


def remedies(state: HostState, now: float) -> Callable[[Finding], str]:
    """What to do about each finding of a host; its repairs are derived for the first one that has any."""
    certain = cache(lambda: certain_repairs(state, now))
    return lambda finding: remedy(finding, certain() if _may_have_repair(finding) else NONE_CERTAIN)


def certain_repairs(state: HostState, now: float) -> CertainRepairs:
    """What is due in the repairs of a host that know more than a rule; `now` is epoch seconds.

    The cause is certain, a resilver is to be waited for, or something comes before everything else. A vdev
    and a pool have the most urgent of theirs, where that knows more.
    """
    due: dict[tuple[str, str], str] = {}
    for each in repairs(state, (), now):
        knows_more = bool(due_in_words(each)) and _knows_more(each)
        for about in (each.vdev, ""):
            due.setdefault((each.pool, about), f"{NOW}{due_in_words(each)}." if knows_more else "")
        if each.device.guid is not None and knows_more:
            due[each.pool, str(each.device.guid)] = f"{NOW}{_due(each)}"
    return {about: words for about, words in due.items() if words}


def remedy(finding: Finding, known: CertainRepairs = NONE_CERTAIN) -> str:
    """What to do about a finding, in whole sentences; empty where nothing is said."""
    pool = str(finding.evidence.get("pool"))
    certain = (known[pool, about] for about in _abouts(finding) if (pool, about) in known)
    return next(certain, "") or what_to_do(finding)


def _may_have_repair(finding: Finding) -> bool:
    return any(True for _ in _abouts(finding))


def _abouts(finding: Finding) -> Iterator[str]:
    """Under which of the pool's keys its repair is: the guid of its device, its vdev, the pool itself."""
    if finding.disk and finding.repaired_pool:
        yield str(finding.evidence.get("vdev_guid"))
    elif not _TOLD_FIRST & finding.evidence.keys():
        if finding.id in OF_VDEV:
            yield str(finding.evidence.get("vdev"))
        elif finding.id in OF_POOL:
            yield ""


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
