"""What to do about a finding: as the guided repair of its device, vdev or pool says where that knows more."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Final

from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.repair.common_cause.same_errors_on_all_copies import SAME_ERRORS
from zconsole.analysis.repair.data_at_stake.only_copy import ONLY_COPY
from zconsole.analysis.repair.data_at_stake.resilver_with_errors import RESILVER_ERRORS
from zconsole.analysis.repair.data_at_stake.unsound_siblings import UNSOUND_SIBLINGS
from zconsole.analysis.repair.not_opened.gone_together import GONE, GONE_TOGETHER
from zconsole.analysis.repair.not_opened.online_or_detach_first import NOT_OPENED, SPLIT_OFF
from zconsole.analysis.repair.reasons_not_to_replace import TURN_OF_OTHERS
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState
from zconsole.model.repair import Certainty, Repair, RepairStepKind, RepairStepState
from zconsole.views.findings.by_id.what_to_do import what_to_do
from zconsole.views.repair.due_step import NOW, due_in_words

CertainRepairs = Mapping[tuple[str, str], str]  # what is due, by pool, and guid of a device, vdev, or nothing
NONE_CERTAIN: Final[CertainRepairs] = MappingProxyType({})
OF_VDEV: Final = frozenset({"vdev-no-redundancy", "vdev-incomplete", "vdev-lost"})
RESILVER_RUNS: Final = "resilver-runs"  # id of a reason
OF_POOL: Final = frozenset({"pool-degraded"})
NOTHING_ELSE: Final = " Pull, detach and take offline no other device of it meanwhile."
_CERTAIN_REASONS: Final = frozenset({  # of what ZFS and lsblk say, whatever SMART data says
    "moved", NOT_OPENED, SPLIT_OFF, GONE, GONE_TOGETHER, ONLY_COPY, SAME_ERRORS, UNSOUND_SIBLINGS,
    "vdevs-moving", "read-only", RESILVER_ERRORS,
})  # fmt: skip
_TOLD_FIRST: Final = frozenset({"put_back", "bring_back"})  # by the finding itself


def remedies(state: HostState, now: float) -> Callable[[Finding], str]:
    """What to do about each finding of a host; its repairs are derived for the first one that has any."""
    certain = cache(lambda: certain_repairs(state, now))
    return lambda finding: remedy(finding, certain() if _may_have_repair(finding) else NONE_CERTAIN)


def certain_repairs(state: HostState, now: float) -> CertainRepairs:
    """What is due in the repairs of a host that know more than a rule; `now` is epoch seconds.

    The cause is certain, a resilver is to be waited for, or something comes before everything else. A vdev
    and a pool have what is due in theirs, where the most urgent one knows more.
    """
    found = repairs(state, (), now)
    around = {(each.pool, about) for each in found for about in (each.vdev, "")}
    of_devices = {
        (each.pool, str(device.guid)): f"{NOW}{_due(each)}"
        for each in found
        if _knows_more(each)
        for device in (each.device, *each.others)
        if device.guid is not None
    }
    of_both = {
        (pool, about): _due_around([each for each in found if each.pool == pool and about in (each.vdev, "")])
        for pool, about in around
    }
    return {about: words for about, words in (of_both | of_devices).items() if words}


def remedy(finding: Finding, known: CertainRepairs = NONE_CERTAIN) -> str:
    """What to do about a finding, in whole sentences; empty where nothing is said."""
    pool = str(finding.evidence.get("pool"))
    certain = (known[pool, about] for about in _abouts(finding) if (pool, about) in known)
    return next(certain, "") or what_to_do(finding)


def _may_have_repair(finding: Finding) -> bool:
    return any(True for _ in _abouts(finding))


def _abouts(finding: Finding) -> Iterator[str]:
    """Under which of the pool's keys its repair is: the guid of its device, its vdev, the pool itself."""
    if finding.disk and finding.repaired_pool and not _may_be_pulled(finding):
        yield str(finding.evidence.get("vdev_guid"))
    elif not _TOLD_FIRST & finding.evidence.keys():
        if finding.id in OF_VDEV:
            yield str(finding.evidence.get("vdev"))
        elif finding.id in OF_POOL:
            yield ""


def _may_be_pulled(finding: Finding) -> bool:
    """Whether a sound disk of the pool may have to be put back first, which without events nobody knows."""
    return "put_back" in finding.evidence and not finding.evidence.get("is_put_back_sure")


def _due(repair: Repair) -> str:
    """What is due, with the cause where that is certain."""
    is_sure = repair.certainty is Certainty.SURE
    return f"{due_in_words(repair)}.{f' The cause is certain: {repair.cause.value}.' if is_sure else ''}"


def _due_around(found: Sequence[Repair]) -> str:
    """What is due in the repairs of a vdev or pool: what is not to be touched meanwhile belongs to it.

    Empty where the most urgent one does not know more than the rule.
    """
    first = found[0]
    if not _knows_more(first):
        return ""
    words = due_in_words(first)
    apart = "" if "pull" in words or first.is_stop else NOTHING_ELSE
    others = dict.fromkeys(
        due_in_words(each)
        for each in found[1:]
        if _knows_more(each)
        and not _has_turn_later(each)
        and not (_waits_for_resilver(first) and _waits_for_resilver(each))
    )
    also = "".join(f" Also: {each}." for each in others if each != words and not first.is_stop)
    return f"{NOW}{words}.{apart}{also}"


def _waits_for_resilver(repair: Repair) -> bool:
    """Whether nothing is due but the end of a resilver, its own or another one's."""
    step = repair.current
    is_own = step is not None and step.kind is RepairStepKind.RESILVER and not step.act
    return is_own or _first_reason(repair) == RESILVER_RUNS


def _has_turn_later(repair: Repair) -> bool:
    """Whether nothing is due but the repair of another device."""
    first = _first_reason(repair)
    return first in TURN_OF_OTHERS and first != RESILVER_RUNS


def _first_reason(repair: Repair) -> str:
    return next((each.id for each in repair.not_now if each.instead), "")


def _knows_more(repair: Repair) -> bool:
    """Whether something is due of which the repair can be sure."""
    if not due_in_words(repair):
        return False
    step = repair.current
    is_waiting = step is not None and (
        step.kind is RepairStepKind.RESILVER or step.state is RepairStepState.HELD
    )
    is_told = bool(repair.not_now) and repair.not_now[0].id in _CERTAIN_REASONS
    is_shared = bool(repair.others)  # told of each of them apart, they would be replaced one by one
    return repair.certainty is Certainty.SURE or is_waiting or is_told or is_shared or bool(repair.alarm)
