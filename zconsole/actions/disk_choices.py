"""Disks to choose from for a change of a pool: those that fit, best first, then the others with the reason.

The reasons are those of the plan's own checks (`analysis/vdevs/device_overwrite_checks.py`), so that no disk
is offered here which the plan refuses for what the inventory tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import IntEnum
from typing import Final

from zconsole.actions.checks.new_vdev_checks import SIZE_TOLERANCE_BYTES
from zconsole.actions.intent import Intent
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import (
    Fit,
    fit,
    least_bytes,
    member_of,
    objections,
)
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity, naming_habit, paths_of
from zconsole.analysis.vdevs.new_device_lookup import DeviceObjection, JoiningDevice, joining_device
from zconsole.analysis.vdevs.new_disk_health_and_age import NewDisk, NewDisks
from zconsole.analysis.vdevs.spare_fit import spare_objections
from zconsole.analysis.vdevs.topology_after_change import top_of
from zconsole.base.fixed_width_formatting import size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.disk_and_inventory import ZFS_MEMBER, Disk
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.zfs.vdev_arguments import CLASS_WORDS, DATA

WHOLE: Final = frozenset({"disk", "mpath", "crypt"})
BY_PATH: Final = "/dev/disk/by-path/"
BESIDE: Final = frozenset({"replace", "attach"})  # actions whose disk has to be like its siblings
OF_LAYOUTS: Final = frozenset({"add", "create-pool"})  # actions whose disks are behind the words of a vdev
_VOLUME: Final = "zd"
_WASTED: Final = 1.05  # a disk that is larger by more leaves room unused
UNJUDGED: Final = NewDisks()  # nothing is known of the condition of any disk
_SPARE_IN_SHORT: Final = {
    "spare-for-data": "not for this class of vdev",
    "spare-of-another": "of another draid",
    "spared": "another spare is in use already",
    "too-small": "too small",
}


class Likeness(IntEnum):
    """How much a disk is like those that it is to serve beside, the most alike first."""

    SAME = 0  # model and size; also where there is none to compare with
    SIZE = 1  # and medium
    MEDIUM = 2
    NONE = 3


@dataclass(frozen=True, slots=True)
class DiskChoice:
    """A disk or spare: the word for a plan, its serial number, size, model, and what is to say of it.

    `why_not` is why the plan would refuse it, whole; `words` are the same, or a remark, in a few words.
    """

    word: str
    serial: str
    size_bytes: int | None
    model: str
    words: str = ""
    why_not: str = ""
    is_spare: bool = False
    is_in_use: bool = False  # serves a pool, or is mounted
    is_in_slot: bool = False  # where the device was that is to be replaced
    bay: str = ""
    rank: int = 0  # of its condition: 0 with nothing against it
    is_asleep: bool = False
    is_warned: bool = False  # by its SMART data, as a disk that serves would be
    is_tested: bool = False  # by a read test that has ended with a result
    is_rotational: bool | None = None
    likeness: Likeness = Likeness.SAME  # to the disks that it is to serve beside
    has_slow_sectors: bool = False  # small writes are slow in this vdev
    not_beside: str = ""  # why a plan would refuse it in one vdev with the first disk that is marked


def disk_choices(intent: Intent, facts: PlanFacts, condition: NewDisks = UNJUDGED) -> tuple[DiskChoice, ...]:
    """Every disk of the host for an action of a pool, with its spares where one can stand in.

    Volumes of pools are left out. Spares that wait come first, then a disk in the slot of the one to be
    replaced, then those most like the disks beside which they are to serve, the smallest first. Disks that
    something speaks against come later, and a disk that is failing does not fit.
    """
    pool = facts.pool(intent.target)
    top = _beside(intent, pool)
    old = vdev_named(pool, intent.argument(0)) if pool is not None and intent.action == "replace" else None
    spares = dict(_spares(pool, old, facts)) if pool is not None and old is not None else {}
    standing_by = {disk.name for disk in spares.values() if disk is not None}
    habit = naming_habit(paths_of(pool)) if pool is not None else ""
    siblings = _siblings(intent, pool, top, facts)
    disks = [
        _in_condition(_likened(_judged(disk, top, old, facts, habit=habit), siblings), condition.of(disk))
        for disk in _whole_disks(facts)
        if disk.name not in standing_by
    ]
    fitting = [each for each in spares if not each.why_not]
    return (*fitting, *sorted([*disks, *(each for each in spares if each.why_not)], key=_rank))


def is_for_one_vdev(intent: Intent) -> bool:
    """Whether all disks that are chosen become one vdev: its words end with a type, as `log mirror` does."""
    return intent.action in OF_LAYOUTS and bool(intent.arguments) and intent.arguments[-1] not in CLASS_WORDS


def beside_first(choices: Sequence[DiskChoice], first: DiskChoice) -> tuple[DiskChoice, ...]:
    """The choices ranked beside the one that is marked first: those like it, and the ones refused behind.

    Where a plan would refuse a disk in one vdev with it, the choice says why.
    """
    judged = [replace(each, not_beside=_why_not_beside(each, first)) for each in choices]
    return tuple(
        sorted(
            judged,
            key=lambda each: (
                bool(each.why_not),
                each.is_in_use,
                bool(each.not_beside),
                _likeness(each, (first,)),
            ),
        )
    )


def _why_not_beside(choice: DiskChoice, first: DiskChoice) -> str:
    if choice.why_not or choice.size_bytes is None or first.size_bytes is None:
        return ""
    small, large = sorted((choice.size_bytes, first.size_bytes))
    return "" if large - small <= SIZE_TOLERANCE_BYTES else f"{size(small)} and {size(large)}"


def _siblings(
    intent: Intent, pool: Pool | None, top: Vdev | None, facts: PlanFacts
) -> tuple[DiskChoice, ...]:
    """The disks beside which the chosen one is to serve: of its vdev, else of the vdevs of its class."""
    if pool is None:
        return ()
    words = frozenset(intent.arguments[:1]).intersection(CLASS_WORDS).difference({"spare"})
    tops = (top,) if top is not None else pool.of_class(next(iter(words), DATA))
    leaves = [leaf for each in tops for leaf in each.leaves() if leaf.path is not None]
    found = [facts.disk(leaf.path) for leaf in leaves if leaf.path is not None]
    inventory = facts.inventory
    wholes = [inventory.disk_of(each.name) for each in found if inventory is not None and each is not None]
    return tuple(_choice(each, each.path, "") for each in wholes if each is not None)


def _likened(choice: DiskChoice, siblings: Sequence[DiskChoice]) -> DiskChoice:
    return replace(choice, likeness=_likeness(choice, siblings)) if siblings else choice


def _likeness(choice: DiskChoice, siblings: Sequence[DiskChoice]) -> Likeness:
    """How much a disk is like the sibling that it is most like."""
    return min(_likeness_of_two(choice, each) for each in siblings)


def _likeness_of_two(one: DiskChoice, other: DiskChoice) -> Likeness:
    sizes = (one.size_bytes, other.size_bytes)
    is_same_size = (
        sizes[0] is not None and sizes[1] is not None and abs(sizes[0] - sizes[1]) <= SIZE_TOLERANCE_BYTES
    )
    if is_same_size and one.model == other.model:
        return Likeness.SAME
    if one.is_rotational is None or one.is_rotational != other.is_rotational:
        return Likeness.NONE
    return Likeness.SIZE if is_same_size else Likeness.MEDIUM


def _beside(intent: Intent, pool: Pool | None) -> Vdev | None:
    """The top-level vdev that the disk is to serve in, where it has to fit to its devices."""
    if pool is None or intent.action not in BESIDE or not intent.arguments:
        return None
    found = vdev_named(pool, intent.argument(0))
    return top_of(pool, found) if found is not None else None


def vdev_named(pool: Pool, word: str) -> Vdev | None:
    """The vdev of a pool by its guid, name or path."""
    return next((each for each in pool.walk() if word in {str(each.guid), each.name, each.path}), None)


def _spares(pool: Pool, old: Vdev, facts: PlanFacts) -> Iterator[tuple[DiskChoice, Disk | None]]:
    """The spares that wait, each with its disk; one that cannot stand in for the old device says why."""
    for spare in pool.of_class("spare"):
        if spare.state != "AVAIL":
            continue
        disk = facts.disk(spare.path) if spare.path is not None else None
        whole = facts.inventory.disk_of(disk.name) if facts.inventory is not None and disk else None
        against = next(spare_objections(pool, old, spare), None)
        kind = "distributed spare" if spare.type == "dspare" else "hot spare"
        choice = DiskChoice(
            spare.name,
            whole.serial if whole is not None and whole.serial else spare.name,
            spare.physical_bytes or (whole.size_bytes if whole is not None else None),
            whole.model if whole is not None else "",
            f"{kind}, AVAIL" if against is None else f"{kind}: {_SPARE_IN_SHORT[against.rule]}",
            "" if against is None else "; ".join(filter(None, (against.reason, against.instead))),
            is_spare=True,
        )
        yield choice, whole


def _whole_disks(facts: PlanFacts) -> Iterator[Disk]:
    """Each disk once, however many paths lead to it."""
    seen: set[tuple[str, ...]] = set()
    for disk in facts.inventory.disks if facts.inventory is not None else ():
        identity = disk_identity(disk)
        if disk.type in WHOLE and not disk.name.startswith(_VOLUME) and identity not in seen:
            seen.add(identity)
            yield disk


def _judged(disk: Disk, top: Vdev | None, old: Vdev | None, facts: PlanFacts, *, habit: str) -> DiskChoice:
    found = joining_device(disk, disk, habit)
    if isinstance(found, DeviceObjection):
        return _choice(disk, disk.path, _in_short(found, disk, None, facts), found)
    suits = None
    against = next(objections(found, facts), None)
    if against is None and top is not None:
        suits = fit(found, top)
        against = next(iter(suits.objections), None)
    if against is not None:
        return _choice(disk, found.path, _in_short(against, disk, (found, top), facts), against)
    remark = _remark(found, top, suits)
    is_slow = suits is not None and suits.has_slow_sectors
    choice = replace(_choice(disk, found.path, remark), has_slow_sectors=is_slow)
    return (
        replace(choice, words=f"{remark}, same slot", is_in_slot=True) if _is_in_slot(disk, old) else choice
    )


def _in_condition(choice: DiskChoice, found: NewDisk) -> DiskChoice:
    """The choice with what is known of the disk's condition."""
    choice = replace(
        choice,
        bay=found.bay,
        rank=found.rank,
        is_asleep=found.is_asleep,
        is_tested=found.is_tested,
        is_warned=found.is_warned,
    )
    if choice.why_not:
        return choice
    if found.objection is None:
        return replace(choice, words=", ".join((choice.words, *found.remarks)))
    why_not = "; ".join(filter(None, (found.objection.reason, found.objection.instead)))
    return replace(choice, words=found.in_short, why_not=why_not)


def _is_in_slot(disk: Disk, old: Vdev | None) -> bool:
    """Whether a disk is where ZFS found the old one."""
    return old is not None and bool(old.phys_path) and f"{BY_PATH}{old.phys_path}" in disk.links


def _choice(disk: Disk, word: str, words: str, objection: DeviceObjection | None = None) -> DiskChoice:
    why_not = ""
    if objection is not None:
        why_not = "; ".join(filter(None, (objection.reason, objection.instead)))
    return DiskChoice(
        word,
        disk.serial or disk.name,
        disk.size_bytes,
        disk.model,
        words,
        why_not,
        is_in_use=objection is not None and objection.rule in {"in-use", "mounted", "swap", "holder"},
        is_rotational=disk.is_rotational,
    )


def _in_short(
    objection: DeviceObjection, disk: Disk, about: tuple[JoiningDevice, Vdev | None] | None, facts: PlanFacts
) -> str:
    """Why not, in a few words for a column."""
    device, top = about if about is not None else (None, None)
    needed = least_bytes(top)[0] if top is not None else None
    usable = device.usable_bytes if device is not None else None
    member = member_of(device, facts) if device is not None else None
    labels = [part.label for part in disk.walk() if part.fstype == ZFS_MEMBER and part.label]
    match objection.rule:
        case "too-small" if needed is not None and usable is not None and needed > usable:
            return f"too small by {size(needed - usable)}"
        case "in-use" if member is not None:
            pool, leaf = member
            role = leaf.vdev_class if leaf.vdev_class != "data" else top_of(pool, leaf).name
            return f"in use: {pool.name} {role}"
        case "zfs-label" | "foreign-pool":
            return f"has a label of pool {labels[0]}" if labels else "has a ZFS label"
        case "label-unknown":
            return "its ZFS label cannot be read"
        case "sector-size":
            return f"sectors of {disk.logical_sector_bytes} B are too large"
        case "partitions" | "signature":
            kinds = [f"{part.fstype} {part.label}".strip() for part in disk.walk() if _is_foreign(part)]
            return f"holds {', '.join(dict.fromkeys(kinds))}" if kinds else "has partitions"
        case "mounted" | "swap" | "holder" | "held-open":
            return f"in use: {objection.rule.replace('-', ' ')}"
        case "no-stable-name":
            return "no persistent name in /dev/disk"
        case rule:
            return rule.replace("-", " ")


def _is_foreign(part: Disk) -> bool:
    return part.fstype not in {"", ZFS_MEMBER}


def _remark(device: JoiningDevice, top: Vdev | None, suits: Fit | None) -> str:
    needed = least_bytes(top)[0] if top is not None else None
    usable = device.usable_bytes
    if suits is not None and suits.has_slow_sectors:
        return "fits; its sectors make small writes slow"
    if needed is not None and usable is not None and usable > needed * _WASTED:
        return f"fits, {size(usable - needed)} unused"
    return "fits" if suits is not None and not suits.warnings else "unused"


def _rank(choice: DiskChoice) -> tuple[bool, bool, int, bool, bool, int, int, str]:
    """Fitting ones first, without remarks before others, alike ones before others; those in use last."""
    return (
        bool(choice.why_not),
        choice.is_in_use,
        choice.rank,
        not choice.is_in_slot,
        choice.has_slow_sectors,
        choice.likeness,
        choice.size_bytes or 0,
        choice.serial,
    )
