"""Advice on volumes: block size against raidz and draid, promised space, snapshots that do not fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from zconsole.analysis.findings.rule_input import DAY_S, Rule, RuleInput
from zconsole.analysis.pool_growth.live_pool import shape_of
from zconsole.analysis.pool_layouts.block_allocation import allocated_bytes
from zconsole.analysis.pool_layouts.layout import DRAID, RAIDZ, VdevShape
from zconsole.analysis.vdevs.redundancy import WITHOUT_DEVICES
from zconsole.analysis.vdevs.topology_after_change import ashift_of
from zconsole.base.fixed_width_formatting import of_each_giga, size, zfs_size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import shortened
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Advised, Finding, ProposedAction
from zconsole.model.pools.pool import Pool

NAMED: Final = 4
VOLUME: Final = "volume"
COSTLY_PERCENT: Final = 25  # more than a block of 128 KiB takes there, for which ZFS computes free space
FAIR_PERCENT: Final = 10
LARGE_BLOCK: Final = 128 * 1024
PERCENT: Final = 100
OF_LATE_S: Final = 35 * DAY_S


@dataclass(frozen=True, slots=True)
class VolumeBlockCost:
    """What a byte of a volume's blocks takes on a vdev: 1.5 is half as much again."""

    vdev: str
    per_byte: float
    large_per_byte: float  # of blocks of 128 KiB
    fair_bytes: int  # smallest block size that costs at most a tenth more than those

    @property
    def more_percent(self) -> float:
        """Space beyond that of large blocks."""
        return PERCENT * (self.per_byte / self.large_per_byte - 1)


def block_cost(shape: VdevShape, ashift: int, block_bytes: int, vdev: str) -> VolumeBlockCost:
    """Exact allocation of blocks that compression does not shrink."""
    large = allocated_bytes(shape, ashift, LARGE_BLOCK) / LARGE_BLOCK
    sizes = [1 << power for power in range(ashift, LARGE_BLOCK.bit_length())]
    fair = next(
        each
        for each in sizes
        if PERCENT * allocated_bytes(shape, ashift, each) / each <= (PERCENT + FAIR_PERCENT) * large
    )
    return VolumeBlockCost(vdev, allocated_bytes(shape, ashift, block_bytes) / block_bytes, large, fair)


def blocks_of_volumes_are_small(facts: RuleInput) -> Iterator[Finding]:
    """Volumes whose blocks take much parity and padding on a raidz or draid."""
    vdevs = tuple(parity_vdevs(facts.pool))
    for each in _volumes(facts):
        block = each.volblocksize_bytes
        if not block:
            continue
        costs = [block_cost(shape, ashift, block, name) for name, shape, ashift in vdevs]
        worst = max(costs, key=lambda cost: cost.more_percent, default=None)
        if worst is None or worst.more_percent < COSTLY_PERCENT:
            continue
        yield facts.advised(
            "volblocksize-small",
            f"volblocksize={zfs_size(block)} of {each.name} on {worst.vdev}: "
            f"{of_each_giga(worst.per_byte)} of its disks, {worst.more_percent:.0f}% more "
            f"than in large blocks; with {zfs_size(worst.fair_bytes)} at most {FAIR_PERCENT}% more",
            Advised(
                f"{worst.more_percent:.0f}% more than blocks of 128 KiB take",
                f"{COSTLY_PERCENT}% more",
                None,
            ),
            on=each.name,
            dataset=each.name,
            vdevs=(worst.vdev,),
            volblocksize_bytes=block,
            bytes_per_byte=round(worst.per_byte, 3),
            large_bytes_per_byte=round(worst.large_per_byte, 3),
            more_percent=round(worst.more_percent, 1),
            limit_percent=COSTLY_PERCENT,
            fair_bytes=worst.fair_bytes,
        )


def volumes_promise_too_much(facts: RuleInput) -> Iterator[Finding]:
    """Sparse volumes whose users may write more than the pool has left."""
    free = facts.pool.usable_available_bytes
    promised = promised_bytes(facts)
    total = sum(promised.values())
    if free is None or total <= free:
        return
    names = tuple(sorted(promised))
    yield facts.advised(
        "volumes-overcommitted",
        f"{len(names)} sparse {'volume' if len(names) == 1 else 'volumes'} may still take {size(total)}, "
        f"and the pool has {size(free)}: {shortened(names, NAMED)}",
        Advised(f"{size(total)} promised", f"{size(free)} available", None),
        datasets=names,
        promised_bytes=total,
        available_bytes=free,
    )


def snapshots_of_volumes_do_not_fit(facts: RuleInput) -> Iterator[Finding]:
    """Volumes with a reservation, of which no snapshot can be taken for lack of space.

    dsl_dataset_snapshot_reserve_space: a snapshot needs the smaller of the reservation and of what was
    written since the last snapshot, from the space available without the reservation. What of a reservation
    is used is its size less `usedbyrefreservation`, which is all of USED but data and snapshots. A volume in
    a pool where nobody takes snapshots is left alone.
    """
    if not _are_snapshots_taken(facts):
        return
    for each in _volumes(facts):
        unused = unused_reservation(each)
        if unused is None or each.available_bytes is None or not each.refreservation_bytes:
            continue
        needed, left = each.refreservation_bytes - unused, max(0, each.available_bytes - unused)
        if needed > left:
            yield facts.advised(
                "volume-no-snapshot",
                f"no snapshot of {each.name} can be taken: with its reservation it needs {size(needed)}, "
                f"and there are {size(left)}",
                Advised(
                    f"{size(needed)} needed",
                    f"{size(left)} available",
                    _without_reservation(facts, each, unused),
                ),
                on=each.name,
                dataset=each.name,
                needed_bytes=needed,
                available_bytes=left,
                refreservation_bytes=each.refreservation_bytes,
            )


def volumes_are_mounted_on_the_host(facts: RuleInput) -> Iterator[Finding]:
    """Volumes whose file systems the host itself has mounted, where a file system of ZFS would do."""
    for each in facts.state.contents.value or ():
        if not each.mounted:
            continue
        at = each.mounted[0]
        yield facts.advised(
            "volume-mounted-on-host",
            f"the host has the {at.fstype} of its own volume {each.name} mounted on {at.mountpoint}",
            Advised(f"{at.fstype} on {at.mountpoint}", "volumes are for guests and initiators", None),
            on=each.name,
            dataset=each.name,
            mountpoints=tuple(mounted.mountpoint for mounted in each.mounted),
            fstypes=tuple(mounted.fstype for mounted in each.mounted),
        )


def promised_bytes(facts: RuleInput) -> dict[str, int]:
    """What each sparse volume may still take of the pool, by name; only those that may take something."""
    return {each.name: left for each in _volumes(facts) if (left := _promised(each)) > 0}


def _without_reservation(facts: RuleInput, volume: DatasetSettings, unused: int) -> ProposedAction | None:
    """The action that makes it sparse; None where the sparse volumes would then promise too much."""
    free = facts.pool.usable_available_bytes
    sparse = replace(volume, refreservation_bytes=None)
    promised = promised_bytes(facts) | {volume.name: _promised(sparse)}
    if free is None or sum(promised.values()) > free + unused:
        return None
    return ProposedAction("set", volume.name, ("refreservation=none",))


def unused_reservation(volume: DatasetSettings) -> int | None:
    """`usedbyrefreservation` of a volume, which has no children; None where it is not known."""
    used, own, snapshots = volume.used_bytes, volume.own_bytes, volume.by_snapshots_bytes
    if used is None or own is None or snapshots is None or not volume.refreservation_bytes:
        return None
    return min(max(0, used - own - snapshots), volume.refreservation_bytes)


def _are_snapshots_taken(facts: RuleInput) -> bool:
    """Whether anything in the pool has a snapshot, or had one of late."""
    return any(
        (each.by_snapshots_bytes or 0) > 0
        or (each.snapshots_changed is not None and facts.now - each.snapshots_changed <= OF_LATE_S)
        for each in facts.state.settings.value or ()
    )


def _volumes(facts: RuleInput) -> Iterator[DatasetSettings]:
    return (each for each in facts.state.settings.value or () if each.type == VOLUME)


def parity_vdevs(pool: Pool) -> Iterator[tuple[str, VdevShape, int]]:
    """Data vdevs of the pool with parity: name, shape, ashift."""
    for top in pool.of_class("data"):
        shape = None if top.type in WITHOUT_DEVICES else shape_of(top)
        ashift = ashift_of(top) or pool.ashift
        if shape is not None and shape.kind in (RAIDZ, DRAID) and ashift:
            yield top.name, shape, ashift


def _promised(volume: DatasetSettings) -> int:
    """What a sparse volume may take beyond what it has: none where a reservation covers its size."""
    if volume.volsize_bytes is None or volume.referenced_bytes is None or volume.is_read_only:
        return 0
    if (volume.refreservation_bytes or 0) >= volume.volsize_bytes:
        return 0
    return max(0, volume.volsize_bytes - max(volume.referenced_bytes, volume.refreservation_bytes or 0))


RULES: Final[tuple[Rule, ...]] = (
    volumes_are_mounted_on_the_host,
    blocks_of_volumes_are_small,
    volumes_promise_too_much,
    snapshots_of_volumes_do_not_fit,
)
