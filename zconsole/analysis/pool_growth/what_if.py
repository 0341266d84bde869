"""What-if analysis of a live pool: space gained by a change, its cost and side effects.

Nothing is read from ZFS, and nothing is changed: whether ZFS accepts a change is decided by the plan of the
action.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from zconsole.analysis.pool_growth.live_pool import LivePool, LiveVdev, not_whole
from zconsole.analysis.pool_growth.write_distribution import Share, even_after_bytes, shares
from zconsole.analysis.pool_layouts.drive_size import Drive
from zconsole.analysis.pool_layouts.layout import DATA, DRAID, MIRROR, RAIDZ, STRIPE, Layout, VdevShape
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import RAIDZ_SPEED, Assumptions
from zconsole.analysis.pool_layouts.usable_space import (
    SECTOR,
    VdevSpace,
    asize_bytes,
    ratio_of,
    space_of,
    vdev_space,
)
from zconsole.analysis.vdevs.device_overwrite_and_fit_checks import least_bytes
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import joined_by_and
from zconsole.base.quantities import both
from zconsole.model.pools.pool import Pool

_MAPPED_BLOCK: Final = 128 * 1024  # assumed mean segment size of a removed vdev
_MAPPING_BYTES: Final = 24  # vdev_indirect_mapping_entry_phys_t and its count, in memory


@dataclass(frozen=True, slots=True)
class WhatIf:
    """Change with SIZE and usable space before and after, its duration, and remarks.

    `duration_s` is None when nothing is copied. `thin_s` is the part of it with reduced redundancy of the
    vdev.
    """

    what: str
    size_before: int
    size_after: int
    usable_before: int
    usable_after: int
    notes: tuple[str, ...] = ()
    duration_s: float | None = None
    thin_s: float = 0.0
    spread: tuple[Share, ...] = ()
    held_bytes: int = 0  # usable today because a special vdev holds it, and no longer

    @property
    def gained_bytes(self) -> int:
        """Usable bytes gained; negative if lost."""
        return self.usable_after - self.usable_before


def add(now: LivePool, layout: Layout) -> WhatIf:
    """Effect of additional vdevs, and the distribution of new writes."""
    fresh = [(vdev.vdev_class, vdev_space(vdev)) for vdev in layout.keepers]
    notes = list(_notes_on_adding(now, layout))
    here = [(each.name, each.space.size_bytes, _free(each)) for each in now.vdevs if _is_data(each)]
    new = [("new", space.size_bytes, space.size_bytes) for kind, space in fresh if kind == DATA]
    spread = shares([*here, *new]) if here and new else ()
    even = even_after_bytes(spread) if spread else 0
    if even:
        part = sum(share.part for share in spread if share.vdev == "new")
        notes.append(
            f"{part:.0%} of new blocks go to the new vdevs, by free space; old and new differ by 5 % of "
            f"their "
            f"size after {both(even)} more, parity included, or sooner where blocks are freed or rewritten"
        )
    changed = _changed(now, f"add {layout.name}", [*now.spaces, *fresh])
    return replace(changed, notes=tuple(notes), spread=spread)


def replace_all(
    now: LivePool, name: str, drive: Drive, assumed: Assumptions, *, has_free_bay: bool = False
) -> WhatIf:
    """Effect of replacing all devices of a vdev by larger ones, one after another.

    The space appears after the last one with the pool's autoexpand on, otherwise with `zpool online -e`.
    """
    live = now.named(name)
    _refuse_smaller(live, drive, "replace a device of")
    grown = space_of(
        live.shape,
        live.ashift,
        max(live.space.asize_bytes, asize_bytes(live.shape, drive.device_bytes)),
        metaslab_shift=live.space.metaslab_shift,
        deflate_ratio=live.space.deflate_ratio,
    )
    each_s = _copy_s(live, assumed)
    total = each_s * live.shape.width
    notes = [
        f"{live.shape.width} replacements in a row; the space appears with the last, if autoexpand is on",
        "with autoexpand off it appears by `zpool online -e` of each device",
    ]
    thin = 0.0
    if not has_free_bay:
        thin = total
        left = max(0, live.shape.tolerates - 1)
        notes += not_whole(now)
        notes.append(
            f"without a free bay each old disk goes before the new one is whole: {name} survives {left} "
            f"{'failure' if left == 1 else 'failures'} meanwhile"
            + ("" if live.shape.tolerates else ", and cannot be done so, having no redundancy")
        )
    changed = _changed(now, f"replace all of {name}", _with(now, live, grown))
    return replace(changed, notes=tuple(notes), duration_s=total, thin_s=thin)


def attach(now: LivePool, name: str, drive: Drive, assumed: Assumptions) -> WhatIf:
    """Effect of attaching one disk to a raidz (OpenZFS 2.3): as `zfs list` shows it, and effectively."""
    live = now.named(name)
    if live.shape.kind != RAIDZ:
        raise UsageError(f"{name} is not a raidz: a disk attached to it holds a copy, and adds no space")
    _refuse_smaller(live, drive, "be attached to")
    wider = VdevShape(RAIDZ, live.shape.width + 1, live.shape.parity)
    leaf = min(drive.device_bytes, live.device_bytes or drive.device_bytes)
    after = space_of(
        wider,
        live.ashift,
        asize_bytes(wider, leaf),
        metaslab_shift=live.space.metaslab_shift,
        deflate_ratio=live.space.deflate_ratio,
    )
    fresh = replace(after, deflate_ratio=ratio_of(wider, live.ashift))
    made_so = now.usable_with(_with(now, live, fresh))[1]
    shown = now.usable_with(_with(now, live, after))[1]
    seen = f"made {wider.width} wide it would show {both(made_so)}"
    notes = (
        f"`zfs list` still computes with the width that {name} was created with",
        f"{seen} as well" if made_so == shown else f"{seen}, and its files would seem larger to match",
        "old blocks keep their ratio of data to parity until `zfs rewrite` (2.3.4) or a copy renews them",
        "a disk cannot be taken out of a raidz again",
    )
    allocated = live.used * live.space.size_bytes
    duration = 2 * allocated / (live.shape.width * assumed.rate_bytes_per_s * RAIDZ_SPEED)
    changed = _changed(now, f"attach a disk to {name}", _with(now, live, after))
    return replace(changed, notes=notes, duration_s=duration)


def _refuse_smaller(live: LiveVdev, drive: Drive, to: str) -> None:
    """Refuse a device that is smaller than the vdev's smallest (EOVERFLOW of `spa_vdev_attach`)."""
    least = live.device_bytes if live.device_bytes is not None else least_bytes(live.vdev)[0]
    if least is not None and drive.device_bytes < least:
        raise UsageError(
            f"{both(drive.device_bytes)} is too small to {to} {live.name}, which needs {both(least)}: "
            "ZFS says `device is too small`"
        )


def remove(now: LivePool, name: str, assumed: Assumptions) -> WhatIf:
    """Effect of removing a vdev. Raises UsageError when ZFS cannot remove it."""
    live = now.named(name)
    _refuse_removal(now, live)
    rest = [each for each in now.vdevs if each is not live]
    allocated = round(live.used * live.space.size_bytes)
    room = sum(_free(each) for each in rest if each.vdev.vdev_class == live.vdev.vdev_class)
    if live.vdev.vdev_class != DATA and not room:
        room = sum(_free(each) for each in rest)
    if allocated > room:
        raise UsageError(f"{name} holds {both(allocated)}, and the others have room for {both(room)}")
    table = allocated // _MAPPED_BLOCK * _MAPPING_BYTES
    notes = (
        *_unfinished(now.pool),
        f"{both(allocated)} are copied to the other vdevs, without a check of their checksums: scrub before",
        (
            f"a table of where blocks went stays in memory until none of them is in use: {both(table)} if "
            "they are in pieces of 128 KiB, less in larger and more in smaller ones (8 times as much of "
            "16 KiB); zpool remove -n has the estimate of ZFS"
        ),
    )
    changed = _changed(now, f"remove {name}", [(each.vdev.vdev_class, each.space) for each in rest])
    held = _usable_while_held(now, live)
    if held:
        why = "OpenZFS 2.3.9, 2.4.4 and later count what special and dedup vdevs hold"
        notes += (
            f"{both(held)} are usable today because {name} holds them ({why}); elsewhere they take room",
        )
    return replace(
        changed,
        usable_after=changed.usable_after - held,
        notes=notes,
        duration_s=allocated / assumed.rate_bytes_per_s,
        held_bytes=held,
    )


def _usable_while_held(now: LivePool, live: LiveVdev) -> int:
    """What of the usable space is there because this special or dedup vdev, the last of its class, holds it.

    OpenZFS adds what these vdevs hold since pull request 18222; before, nothing is beyond the calculated
    space because of them.
    """
    kind = live.vdev.vdev_class
    if kind == DATA or any(each.vdev.vdev_class == kind for each in now.vdevs if each is not live):
        return 0
    held = (live.vdev.allocated_bytes or 0) // SECTOR * live.space.deflate_ratio
    return held if now.offset_bytes >= held else 0


def _refuse_removal(now: LivePool, live: LiveVdev) -> None:
    striped = [each.name for each in now.vdevs if each.shape.kind in (RAIDZ, DRAID)]
    if striped:
        raise UsageError(
            f"nothing can be removed from a pool with {striped[0]}: a raidz or draid vdev cannot be removed"
        )
    if len({each.ashift for each in now.vdevs}) > 1:
        raise UsageError(
            "no data, special or dedup vdev can be removed from a pool whose vdevs differ in ashift"
        )
    if _is_data(live) and sum(1 for each in now.vdevs if _is_data(each)) == 1:
        raise UsageError(f"{live.name} is the only vdev with data")


def _unfinished(pool: Pool) -> Iterator[str]:
    """What ZFS waits for before it removes any vdev (`spa_vdev_remove_top_check`)."""
    nested = [
        child.name for top in pool.vdevs if top.type == "mirror" for child in top.children if child.children
    ]
    if nested:
        yield f"not now: ZFS removes no vdev of {pool.name} while {joined_by_and(nested)} is not done"


def _notes_on_adding(now: LivePool, layout: Layout) -> list[str]:
    notes = list(_mismatched(now, layout))
    striped = [vdev.shape.name for vdev in layout.keepers if vdev.shape.kind in (RAIDZ, DRAID)]
    if striped or any(each.shape.kind in (RAIDZ, DRAID) for each in now.vdevs):
        notes.append("it cannot be removed again, because the pool then has a raidz or draid vdev")
    least = min(each.shape.tolerates for each in now.vdevs if _is_data(each))
    weakest = min((vdev.shape.tolerates for vdev in layout.keepers), default=least)
    if weakest < least:
        notes.append(f"the pool survived any {least} failures, and then only {weakest}")
    ashifts = {each.ashift for each in now.vdevs} | {vdev.ashift for vdev in layout.keepers}
    if len(ashifts) > 1:
        notes.append(
            "its ashift differs from that of the pool: no data, special or dedup vdev can be removed then"
        )
    return notes


def _mismatched(now: LivePool, layout: Layout) -> Iterator[str]:
    """What `zpool add` refuses without -f: vdevs of another redundancy than the pool's (`check_replication`).

    It does not compare with a pool that is mixed itself, and different kinds by their parity only.
    """
    here = [each.shape for each in now.vdevs]
    if not all(_is_alike(here[0], each) for each in here):
        here = []
    for first, vdev in ((first, vdev) for vdev in layout.keepers for first in here[:1]):
        if not _is_alike(first, vdev.shape):
            yield (
                "ZFS refuses it as a mismatched replication level unless told to (-f): the pool is of "
                f"{_in_words(first)}, and the new vdev is {_in_words(vdev.shape)}"
            )
            return


def _is_alike(one: VdevShape, other: VdevShape) -> bool:
    if one.kind != other.kind:
        return one.width > 1 and other.width > 1 and one.tolerates == other.tolerates
    return (one.width, one.tolerates) == (other.width, other.tolerates)


def _in_words(shape: VdevShape) -> str:
    return "single disks" if shape.width == 1 else shape.name


def _changed(now: LivePool, what: str, spaces: list[tuple[str, VdevSpace]]) -> WhatIf:
    size, usable = now.usable_with(spaces)
    return WhatIf(what, now.space.size_bytes, size, now.usable_bytes, usable)


def _with(now: LivePool, live: LiveVdev, space: VdevSpace) -> list[tuple[str, VdevSpace]]:
    return [(each.vdev.vdev_class, space if each is live else each.space) for each in now.vdevs]


def _copy_s(live: LiveVdev, assumed: Assumptions) -> float:
    """Time to rewrite one device's share."""
    per_device = (
        live.used * live.space.asize_bytes / (1 if live.shape.kind in (MIRROR, STRIPE) else live.shape.width)
    )
    slower = RAIDZ_SPEED if live.shape.kind == RAIDZ else 1.0
    return per_device / assumed.rate_bytes_per_s / slower


def _free(live: LiveVdev) -> int:
    if live.vdev.free_bytes is not None:
        return live.vdev.free_bytes
    return round((1 - live.used) * live.space.size_bytes)


def _is_data(live: LiveVdev) -> bool:
    return live.vdev.vdev_class == DATA
