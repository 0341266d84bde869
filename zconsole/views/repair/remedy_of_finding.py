"""What to do about a finding: as the guided repair of its device, vdev or pool says, in one voice with it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Final

from zconsole.actions.repair.repairs_of_host import repairs
from zconsole.analysis.repair.data_at_stake.resilver_with_errors import RESILVER_ERRORS
from zconsole.analysis.repair.other_work_first.work_of_pool import RESILVER_RUNS
from zconsole.analysis.repair.reasons_not_to_replace import TURN_OF_OTHERS
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import HostState
from zconsole.model.repair import Certainty, Repair, RepairStepKind, RepairStepState, RepairTrouble
from zconsole.views.findings.by_id.what_to_do import checkpoint_read_first, what_to_do
from zconsole.views.findings.by_id.what_to_do_in_case import STOPPED
from zconsole.views.repair.due_step import NOW, due_in_words

DueByPlace = Mapping[tuple[str, str], str]  # what is due, by pool, and guid of a device, vdev, or nothing
NOTHING_DUE: Final[DueByPlace] = MappingProxyType({})
OF_VDEV: Final = frozenset({"vdev-no-redundancy", "vdev-incomplete", "vdev-lost"})
OF_POOL: Final = frozenset({"pool-degraded", "pool-suspended", "resilver-errors"})
AFTER_REPAIR: Final = frozenset({"data-errors"})  # of the pool, with more to do after what is due
BEFORE_ALL: Final = "before"  # what is due in the pool's most urgent repair
BACK: Final = (f"{NOW}bring ", f"{NOW}put ")  # how it begins where what is out comes back
SUSPENDED: Final = "suspended"  # id of a reason
UNEXPLAINED: Final = "unexplained"  # id of a reason
BEFORE_FILLED: Final = " Let its spare be filled first, and pull nothing that serves meanwhile."
NOTHING_ELSE: Final = " Pull, detach and take offline no other device of it meanwhile."
_OF_REPAIR: Final = frozenset({  # evidence of what comes first, which a repair says
    "is_checkpoint_to_be_read", "is_scrub_for_later", "is_pool_suspended", "is_pool_closed", "is_way_first",
    "only_copy_is_on", "read_only_way",
})  # fmt: skip
_BRING_BACK: Final = "may_be_read_with"  # evidence: devices that may have what is damaged
_OF_ALL_OF_IT: Final = frozenset({SUSPENDED, "not-open", "read-only", RESILVER_ERRORS})  # ids of reasons
_CHANGES_DISK: Final = frozenset({
    RepairStepKind.IDENTIFY, RepairStepKind.TAKE_OUT, RepairStepKind.NEW_DISK, RepairStepKind.REPLACE,
})  # fmt: skip
_CHOSEN: Final = frozenset({  # nothing of the pool's data waits for these
    RepairTrouble.SLOW, RepairTrouble.WARNED, RepairTrouble.SPARE_IN_USE, RepairTrouble.AFTER_CARE,
})  # fmt: skip


def remedies(state: HostState, now: float) -> Callable[[Finding], str]:
    """What to do about each finding of a host; its repairs are derived for the first one that has any.

    `now` is epoch seconds.
    """
    return remedies_of(lambda: repairs(state, (), now))


def remedies_of(derived: Callable[[], Sequence[Repair]]) -> Callable[[Finding], str]:
    """What to do about each finding of a host whose repairs are `derived` for the first one that has any."""
    due = cache(lambda: what_is_due(derived()))
    return lambda finding: remedy(finding, due() if _may_have_repair(finding) else NOTHING_DUE)


def what_is_due(found: Sequence[Repair]) -> DueByPlace:
    """What is due in the repairs of a host, the same as they say it.

    A vdev and a pool have what is due in the most urgent of theirs, and what else is.
    """
    around = {(each.pool, about) for each in found for about in (each.vdev, "")}
    of_devices: dict[tuple[str, str], str] = {}
    for is_own in (True, False):
        for each in found:
            beside = (each.spare, each.newcomer, *each.other_spares)
            for device in (each.device, *each.others) if is_own else filter(None, beside):
                if due_in_words(each) and device.guid is not None:
                    of_devices.setdefault((each.pool, str(device.guid)), f"{NOW}{_due(each, found)}")
    before = {
        (each.pool, BEFORE_ALL): f"{NOW}{due_in_words(each)}."
        for each in reversed(found)
        if each.is_vital and _comes_before_files(each)
    }
    of_both = {
        (pool, about): _due_around([each for each in found if each.pool == pool and about in (each.vdev, "")])
        for pool, about in around
    }
    return {about: words for about, words in (of_both | of_devices | before).items() if words}


def remedy(finding: Finding, due: DueByPlace = NOTHING_DUE) -> str:
    """What to do about a finding, in whole sentences; empty where nothing is said."""
    pool = str(finding.evidence.get("pool"))
    told = (due[pool, about] for about in _abouts(finding) if (pool, about) in due)
    words = next(told, "")
    if not words:
        return what_to_do(finding)
    said = [words, checkpoint_read_first(finding)]
    if vdev := finding.evidence.get(STOPPED):
        said.append(
            f"The expansion goes on by itself when {vdev} is whole again; waiting alone does not bring it on."
        )
    elif finding.id in AFTER_REPAIR:
        said.append(f"Then: {_what_follows(finding, words)}")
    return " ".join(filter(None, said))


def _may_have_repair(finding: Finding) -> bool:
    return any(True for _ in _abouts(finding))


def _abouts(finding: Finding) -> Iterator[str]:
    """Under which of the pool's keys its repair is: the guid of its device, its vdev, the pool itself."""
    if finding.disk and finding.repaired_pool:
        yield str(finding.evidence.get("vdev_guid"))
    elif finding.id in OF_VDEV:
        yield str(finding.evidence.get("vdev"))
        if finding.evidence.get("is_pool_suspended"):
            yield ""
    elif isinstance(vdev := finding.evidence.get(STOPPED), str):
        yield vdev
    elif finding.id in OF_POOL:
        yield ""
    elif finding.id in AFTER_REPAIR:
        yield BEFORE_ALL


def _what_follows(finding: Finding, due: str) -> str:
    """What to do about damaged data once what is due in the repair of a device is done."""
    told = _OF_REPAIR | ({_BRING_BACK} if due.startswith(BACK) else set())
    evidence = {name: value for name, value in finding.evidence.items() if name not in told}
    words = what_to_do(replace(finding, evidence=evidence)).removeprefix("First ")
    return f"{words[:1].upper()}{words[1:]}"


def _due(repair: Repair, found: Sequence[Repair]) -> str:
    """What is due, with the cause where it is certain; where it is not, and a disk would go, that too."""
    words, step = due_in_words(repair), repair.current
    if _has_turn_later(repair):
        others = [each for each in found if each.pool == repair.pool and each is not repair]
        first = (each for each in others if words == f"repair {each.device.label} first")
        words = next((f"{words}: {due_in_words(each)}" for each in first), words)
    if repair.trouble is RepairTrouble.SPARE_IN_USE and repair.spare is not None:
        detach = f"zpool detach {shlex.quote(repair.pool)} {shlex.quote(repair.spare.name)}"
        if words.startswith("return "):
            return f"{words} ({detach}), unless ZED has done so."
        if _waits_for_resilver(repair):
            return f"{words}. Then return the spare ({detach}), unless ZED has done so."
    filled = BEFORE_FILLED if _fills_spare(repair) else ""
    if repair.certainty is Certainty.SURE:
        return f"{words}.{filled} The cause is certain: {repair.cause.value}."
    is_change = step is not None and step.state is RepairStepState.NOW and step.kind in _CHANGES_DISK
    is_open = is_change and repair.trouble not in _CHOSEN and repair.newcomer is None
    see = f" The cause is {repair.certainty.in_words}: see zconsole repair {shlex.quote(repair.pool)}."
    return f"{words}.{filled}{see if is_open else ''}"


def _due_around(found: Sequence[Repair]) -> str:
    """What is due in the repairs of a vdev or pool: what is not to be touched meanwhile belongs to it."""
    first = found[0]
    words = due_in_words(first)
    if not words:
        return ""
    apart = "" if "pull" in words or first.is_stop else NOTHING_ELSE
    if _fills_spare(first):
        apart = BEFORE_FILLED
    others = dict.fromkeys(
        due_in_words(each)
        for each in found[1:]
        if due_in_words(each)
        and not _is_later(each)
        and not (_waits_for_resilver(first) and _waits_for_resilver(each))
    )
    also = "".join(f" Also: {each}." for each in others if each != words and not first.is_stop)
    return f"{NOW}{words}.{apart}{also}"


def _comes_before_files(repair: Repair) -> bool:
    """Whether files are restored or deleted after what is due: not where a sound disk would be changed."""
    is_held = _waits_for_resilver(repair) or any(each.id in _OF_ALL_OF_IT for each in repair.not_now)
    return bool(due_in_words(repair)) and (is_held or repair.trouble not in _CHOSEN)


def _fills_spare(repair: Repair) -> bool:
    """Whether a disk would go while the spare that stands in for it is being filled."""
    step = repair.current
    is_change = step is not None and step.state is RepairStepState.NOW and step.kind in _CHANGES_DISK
    return is_change and repair.spare is not None and any(each.id == RESILVER_RUNS for each in repair.not_now)


def _waits_for_resilver(repair: Repair) -> bool:
    """Whether nothing is due but the end of a resilver, its own or another one's."""
    step = repair.current
    is_own = step is not None and step.kind is RepairStepKind.RESILVER and not step.act
    return is_own or _first_reason(repair) == RESILVER_RUNS


def _has_turn_later(repair: Repair) -> bool:
    """Whether nothing is due but the repair of another device."""
    first = _first_reason(repair)
    return first in TURN_OF_OTHERS and first != RESILVER_RUNS


def _is_later(repair: Repair) -> bool:
    """Whether others have their turn, or its device serves meanwhile, and has a finding of its own."""
    serves = repair.trouble in _CHOSEN or _first_reason(repair) == UNEXPLAINED
    return serves or _has_turn_later(repair)


def _first_reason(repair: Repair) -> str:
    return next((each.id for each in repair.not_now if each.instead), "")
