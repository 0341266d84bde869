"""Create a pool of unused disks."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from shlex import quote
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs, Option
from zconsole.actions.checks.mount_checks import check_placements
from zconsole.actions.checks.mount_points_after_change import Placement, targets
from zconsole.actions.checks.new_device_checks import JOIN_TIMEOUT_S, join_all, labels_of
from zconsole.actions.checks.new_vdev_checks import (
    in_words,
    judge_redundancy,
    judge_sectors,
    judge_sizes,
    mismatch,
    new_vdevs,
    warn_of_narrow_raidz,
)
from zconsole.actions.intent import Intent, TargetKind
from zconsole.actions.plan import Condition, ConditionKind, Rehearsal, Risk, Step, WayOut
from zconsole.analysis.vdevs.new_device_lookup import JoiningDevice
from zconsole.analysis.vdevs.topology_after_change import created
from zconsole.base.bounded_int import natural
from zconsole.base.errors import UsageError
from zconsole.base.name_lists import joined_by_and
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change.argv_template import COMPRESSION, LAYOUT, NUMBER, PATH, POOL, ROOTED, CommandForm
from zconsole.zfs.change.topology_argv import NewPoolOptions, create
from zconsole.zfs.vdev_arguments import DATA, Group, layout_words, parse_layout

USUAL_ASHIFT: Final = 12  # 4 KiB: the physical sector size of nearly all disks
LEAST_ASHIFT, MOST_ASHIFT = 9, 16
USUAL_COMPRESSION: Final = "lz4"
MAX_NAME: Final = 256 - 1
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_.: -]*")
_RESERVED: Final = ("mirror", "raidz", "draid", "spare")
_COMPRESSION: Final = re.compile(r"on|off|lz4|lzjb|zle|gzip(?:-[1-9])?|zstd(?:-(?:fast-)?\d{1,4})?")


def plan_create(intent: Intent, facts: PlanFacts) -> Draft:
    """Caution: only empty disks are accepted."""
    name = intent.target
    groups = parse_layout(intent.arguments)
    what = joined_by_and([in_words(group) for group in groups])
    draft = Draft(f"create the pool {name}: {what}", name, Risk.CAUTION)
    refuse_name(name, facts, draft)
    if not any(group.vdev_class == DATA for group in groups):
        raise UsageError("a pool has at least one data vdev", hint="Name data disks before a class.")
    words = [word for group in groups for word in group.devices]
    devices = join_all(words, facts, draft)
    least = min(group.failures for group in groups if group.vdev_class == DATA)
    judge_redundancy(groups, least, "the data vdevs of this layout", draft)
    if least == 0:
        draft.warnings.append("the pool has no redundancy: one failing disk loses all of it")
    fresh = _fresh(intent, devices)
    _show(fresh, name, facts, draft)
    check_placements(draft, _placements(name, fresh.mountpoint), facts)
    if len(devices) < len(set(words)):
        return draft
    draft.notes += [f"new: {device.in_words}, {device.path}" for device in devices.values()]
    judge_sizes(groups, devices, draft)
    warn_of_narrow_raidz(groups, draft)
    judge_sectors(groups, devices, fresh.ashift, draft, name)
    _refuse_unlike(groups, devices, draft)
    told = layout_words(groups, {word: device.path for word, device in devices.items()})
    draft.rehearsals.append(Rehearsal(create(name, told, fresh, is_rehearsal=True)))
    draft.steps.append(
        Step(
            create(name, told, fresh),
            f"create the pool {name} from {what}",
            timeout_s=JOIN_TIMEOUT_S,
            settled_by=(Condition(ConditionKind.POOL_THERE, name),),
        )
    )
    draft.after = created(name, new_vdevs(groups, devices, fresh.ashift))
    draft.is_reversible = True
    draft.undo = f"zpool destroy {quote(name)}, as long as nothing is in it"
    return draft


def _placements(name: str, mountpoint: str | None) -> tuple[Placement, ...]:
    """Its root file system, which ZFS mounts at once."""
    path = mountpoint or f"/{name}"
    return (Placement(name, path),) if path.startswith("/") else ()


def refuse_name(name: str, facts: PlanFacts, draft: Draft) -> None:
    """Refuse invalid and existing names."""
    draft.saw(f"pool {name}", "there" if facts.pool(name) else "not there")
    if not _NAME.fullmatch(name) or name.endswith(" ") or len(name) > MAX_NAME:
        draft.refuse_answer(WayOut.NAME, "name", f"{name!r} is not a name for a pool",
                     "begin with a letter; letters, digits, and _ - . : follow")  # fmt: skip
    elif name == "log" or name.startswith(_RESERVED) or re.match(r"c\d", name):
        draft.refuse_answer(
            WayOut.NAME, "name", f"ZFS keeps the name {name!r} for itself", "take another name"
        )
    if facts.pool(name) is not None:
        draft.refuse_answer(
            WayOut.NAME, "pool-exists", f"there is a pool {name} on {facts.identity.label} already"
        )
    if any(found.name == name for found in facts.importable or ()):
        draft.warnings.append(
            f"a pool {name} on disks of this host can be imported: only the guids of the two differ"
        )


def _form(
    name: str,
    *,
    is_rehearsal: bool = False,
    ashift: int | None = None,
    compression: str | None = None,
    mountpoint: str | None = None,
) -> tuple[str, ...]:
    fresh = NewPoolOptions(ashift, compression, mountpoint)
    return create(name, (LAYOUT,), fresh, is_rehearsal=is_rehearsal)


def _fresh(intent: Intent, devices: dict[str, JoiningDevice]) -> NewPoolOptions:
    """The options with sensible defaults. Raises UsageError."""
    given = intent.text("ashift")
    physical = [d.disk.physical_sector_bytes or 0 for d in devices.values() if d.disk is not None]
    ashift = max(USUAL_ASHIFT, max(physical, default=0).bit_length() - 1)
    if given is not None:
        ashift = natural(given) or 0
        if not LEAST_ASHIFT <= ashift <= MOST_ASHIFT:
            raise UsageError(f"ashift {given!r} is not a number from {LEAST_ASHIFT} to {MOST_ASHIFT}")
    compression = intent.text("compression") or USUAL_COMPRESSION
    if not _COMPRESSION.fullmatch(compression):
        raise UsageError(f"there is no compression {compression!r}", hint="For example: lz4, zstd, off")
    mountpoint = intent.text("mountpoint")
    if mountpoint is not None and mountpoint not in {"none", "legacy"} and not mountpoint.startswith("/"):
        raise UsageError(f"{mountpoint!r} is not an absolute path", hint="Or none, or legacy.")
    return NewPoolOptions(min(ashift, MOST_ASHIFT), compression, mountpoint)


def _show(fresh: NewPoolOptions, name: str, facts: PlanFacts, draft: Draft) -> None:
    """Note permanent and changeable settings."""
    place = fresh.mountpoint or f"/{name}"
    draft.notes.append(f"ashift {fresh.ashift}: blocks of {1 << (fresh.ashift or 0)} B at least, permanently")
    draft.notes.append(f"compression {fresh.compression}; mounted at {place}")
    if fresh.ashift is not None and fresh.ashift < USUAL_ASHIFT:
        draft.warnings.append(
            f"ashift {fresh.ashift}: disks with sectors of 4 KiB are slow in this pool, now and later"
        )
    taken = [(each.name, each.mountpoint) for each in facts.datasets if each.is_mounted]
    taken += [(disk.name, point) for top in (facts.inventory.disks if facts.inventory else ())
              for disk in top.walk() for point in disk.mountpoints]  # fmt: skip
    taken += [(use.object, use.name) for use in facts.uses or () if use.kind == "mount"]
    user = next((of for of, point in taken if point == place), None)
    if user is not None:
        draft.refuse_answer(
            WayOut.MOUNTPOINT, "mountpoint", f"{user} is mounted at {place}", "give another mountpoint"
        )


def _refuse_unlike(groups: tuple[Group, ...], devices: dict[str, JoiningDevice], draft: Draft) -> None:
    unlike = mismatch(groups, None, devices)
    if unlike:
        draft.refuse("replication", f"{unlike}: ZFS calls that a mismatched replication level and refuses",
                     "make all vdevs alike")  # fmt: skip


def _labels(intent: Intent, facts: PlanFacts) -> Needs:
    groups = parse_layout(intent.arguments)
    labels = labels_of([word for group in groups for word in group.devices], facts)
    return replace(labels, targets=targets(_placements(intent.target, intent.text("mountpoint"))).targets)


_UNPLACED: Final[dict[str, object]] = {"ashift": NUMBER, "compression": COMPRESSION}
SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "create-pool", "Create a pool", "Create a pool of unused disks.",
        frozenset({TargetKind.HOST, TargetKind.DISK}), plan_create,
        target_word="POOL",
        arguments=(
            Argument("SPEC", "layout", "[mirror|raidz1..3|draid...] DISK... [log|special|cache|spare ...]",
                     is_repeated=True),
        ),
        options=(
            Option("ashift", "the smallest block as a power of two; 12 where none is given", "number"),
            Option("compression", "lz4 where none is given", "text"),
            Option("mountpoint", "/NAME where none is given", "text"),
        ),
        needs=lambda _: Needs(uses=True, importable=True), further=_labels,
        commands=(
            CommandForm(partial(_form, is_rehearsal=True), (POOL,), {**_UNPLACED, "mountpoint": PATH},
                        only_reads=True),
            CommandForm(partial(_form, mountpoint=PATH), (POOL,), _UNPLACED),
            CommandForm(_form, (ROOTED,), _UNPLACED),
        ),
    ),
)  # fmt: skip
