"""Locate a disk by the LED of its slot."""

from __future__ import annotations

import shlex
from typing import Final

from zconsole.actions.action_spec import ActionSpec, Argument, Draft, Needs, Option
from zconsole.actions.checks.device_lookup_and_description import (
    bay_of,
    described,
    disk_of_vdev,
    in_bay,
    the_device,
    vdev_in_bay,
)
from zconsole.actions.intent import Intent, Target, TargetKind
from zconsole.actions.object_lookup import is_vdev, the_pool, vdev_of
from zconsole.actions.plan import Risk, Step
from zconsole.analysis.slow_disks.slow_disk_identity_and_next_checks import identify
from zconsole.analysis.vdevs.disk_identity_and_links import stable_link
from zconsole.analysis.vdevs.enclosure_bays import Bays
from zconsole.analysis.vdevs.new_device_lookup import DeviceObjection, resolve
from zconsole.analysis.vdevs.topology_after_change import top_of
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.system import enclosures_and_disk_paths, ledctl
from zconsole.zfs.change.argv_template import DEVICE, CommandForm


@dataclass(frozen=True, slots=True)
class _Located:
    """Disk whose LED is meant: a device of the pool, or a disk that has left it."""

    name: str
    placed: str  # with its bay
    described: str  # with model, serial number and bay
    known: str  # how to find it
    disk: Disk | None  # None: the host sees no disk behind the device
    guid: int | None = None
    is_device: bool = False  # of the pool


def plan_locate(intent: Intent, facts: PlanFacts) -> Draft:
    """Routine, by ledctl, or else by the enclosure's own file. Only those can tell whether there are LEDs."""
    pool = the_pool(intent.target, facts)
    found = _found(intent.argument(0), pool, facts)
    off = intent.flag("off")
    does = "turn off the locate LED of" if off else "turn on the locate LED of"
    of = f"of {pool.name}" if found.is_device else f"that {pool.name} does not use"
    draft = Draft(f"{does} {found.placed} {of}", found.name, Risk.ROUTINE, is_reversible=True)
    if found.is_device:
        draft.saw(f"guid of {found.name}", found.guid)
    disk = found.disk
    if disk is None:
        draft.refuse("no-disk", f"this host sees no disk behind {found.name} now", _by_hand(found.known))
        return draft
    if found.known:
        draft.notes.append(f"compare with the disk before you pull it: {found.known}")
    folder = _bay(disk, facts)
    if folder and ledctl.TOOL in (facts.missing_tools or ()):
        argv, (now, then) = enclosures_and_disk_paths.locate(folder), ("01" if off else "10")
        draft.saw(f"bay of {found.name}", folder)
        draft.steps.append(Step(argv, f"{does} {found.described}", stdin=f"{now}\n"))
        draft.undo = f"echo {then} | {shlex.join(argv)}"
        return draft
    link = stable_link(disk)
    path = disk.path if link is None or "," in link else link  # a comma ends a name for ledctl
    draft.saw(f"disk of {found.name}", path)
    light, put_out = ledctl.locate(path), ledctl.locate_off(path)
    draft.steps.append(Step(put_out if off else light, f"{does} {found.described}"))
    draft.undo = " ".join(light if off else put_out)
    if ledctl.TOOL in (facts.missing_tools or ()):
        draft.refuse("no-ledctl", "ledctl, of the package ledmon, is not on this host", _by_hand(found.known))
    return draft


def _found(word: str, pool: Pool, facts: PlanFacts) -> _Located:
    """The device of the pool, or else the disk at this path. Raises UsageError."""
    if not word.startswith("/dev/") or is_vdev(pool, word):
        return _of_device(the_device(pool, word, "locate"), pool, facts)
    device = resolve(word, facts.inventory)
    if isinstance(device, DeviceObjection):
        raise UsageError(device.reason, hint=f"{device.instead[:1].upper()}{device.instead[1:]}.")
    disk = device.whole
    for leaf in (each for top in pool.vdevs for each in top.leaves()):
        if disk is not None and disk_of_vdev(leaf, facts) == disk:
            return _of_device(leaf, pool, facts)
    serial = f"serial {disk.serial}" if disk is not None and disk.serial else ""
    known = ", ".join(filter(None, (serial, bay_of(disk, facts))))
    name = disk.serial if disk is not None and disk.serial else device.path
    return _Located(name, in_bay(name, disk, facts), device.in_words, known, disk)


def _of_device(vdev: Vdev, pool: Pool, facts: PlanFacts) -> _Located:
    return _Located(
        vdev.name, vdev_in_bay(vdev, facts), described(vdev, facts), where(pool, vdev, facts),
        _disk(vdev, facts), vdev.guid, is_device=True,
    )  # fmt: skip


def _bay(disk: Disk, facts: PlanFacts) -> str:
    """Folder of the disk's bay in sysfs; empty where no enclosure knows it."""
    place = Bays(facts.inventory).place(disk) if facts.inventory is not None else None
    return place.bay.folder if place is not None else ""


def where(pool: Pool, vdev: Vdev, facts: PlanFacts) -> str:
    """Serial number and bay of the disk, or else its slot as the kernel names it, as far as known."""
    seen = identify(vdev.name, top_of(pool, vdev).name, pool, facts.inventory)
    bay = bay_of(disk_of_vdev(vdev, facts), facts)
    parts = (seen.serial and f"serial {seen.serial}", bay or (seen.slot and f"slot {seen.slot}"))
    return ", ".join(part for part in parts if part)


def _by_hand(known: str) -> str:
    return f"look for {known}" if known else "look for its name on the labels of the shelf"


def _disk(vdev: Vdev, facts: PlanFacts) -> Disk | None:
    """Its whole disk; for multipath one of them."""
    found = facts.disk(vdev.path) if vdev.path is not None else None
    if found is None or facts.inventory is None:
        return None
    return facts.inventory.disk_of(found.name)


def _why_not(target: Target, facts: PlanFacts) -> str:
    pool = facts.pool(target.pool)
    vdev = vdev_of(target, pool)
    if pool is None or vdev is None:
        return ""
    if facts.inventory is not None and _disk(vdev, facts) is None:
        return "this host sees no disk behind it"
    disk = _disk(vdev, facts)
    if ledctl.TOOL in (facts.missing_tools or ()) and not (disk is not None and _bay(disk, facts)):
        known = where(pool, vdev, facts)
        return f"no ledctl on this host{f': look for {known}' if known else ''}"
    return ""


SPECS: Final[tuple[ActionSpec, ...]] = (
    ActionSpec(
        "locate", "Locate", "Blink the locate LED of a disk's slot, or turn it off.",
        frozenset({TargetKind.LEAF}), plan_locate,
        arguments=(
            Argument("DEVICE", "device", "a device of the pool, by guid, name or path; any disk by its path"),
        ),
        options=(Option("off", "turn the LED off"),),
        needs=lambda _: Needs(disks=True, bays=True, tools=(ledctl.TOOL,)),
        why_not=_why_not, works_suspended=True,
        commands=(CommandForm(ledctl.locate, (DEVICE,)), CommandForm(ledctl.locate_off, (DEVICE,))),
    ),
)  # fmt: skip
