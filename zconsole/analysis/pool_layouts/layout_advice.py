"""Advice on a layout, each with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.pool_layouts.block_allocation import share_of_disks
from zconsole.analysis.pool_layouts.layout import (
    DATA,
    DEDUP,
    DEFAULT_ASHIFT,
    DRAID,
    RAIDZ,
    SPARE,
    SPECIAL,
    STRIPE,
    Layout,
    PlannedVdev,
)
from zconsole.analysis.pool_layouts.usable_space import DEFLATED_BLOCK
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import TB, block_size, both

LARGE_DISK_BYTES: Final = 4 * TB  # from here on single parity is too little: a resilver takes too long
WIDEST_RAIDZ: Final = 8
MANY_DISKS: Final = 12  # without a spare
SERIOUS: Final = frozenset(
    {"no-redundancy", "weak-class", "one-parity", "mixed-redundancy", "mixed-media", "wide-raidz"}
)  # what has one of these is never proposed
COSTLY: Final = 0.9  # relative to blocks of 128 KiB


@dataclass(frozen=True, slots=True)
class LayoutAdvice:
    """`id` is stable; `text` says what and why."""

    id: str
    text: str


def advice(layout: Layout, block_bytes: int = DEFLATED_BLOCK) -> tuple[LayoutAdvice, ...]:
    """All advice, worst first; empty when all is well."""
    return (
        *_redundancy(layout),
        *_parity(layout),
        *_mixtures(layout),
        *_sectors(layout),
        *_blocks(layout, block_bytes),
        *_spares(layout),
    )


def _redundancy(layout: Layout) -> Iterator[LayoutAdvice]:
    least = min(vdev.shape.tolerates for vdev in layout.of_class(DATA))
    for vdev_class in (DATA, SPECIAL, DEDUP):
        bare = [vdev for vdev in layout.of_class(vdev_class) if vdev.shape.kind == STRIPE]
        if bare:
            yield LayoutAdvice(
                "no-redundancy",
                f"{len(bare)} {_disks(len(bare))} for {vdev_class} without redundancy: "
                "the pool is lost with the first of them; mirror it",
            )
    for vdev_class in (SPECIAL, DEDUP):
        weak = [vdev for vdev in layout.of_class(vdev_class) if vdev.shape.tolerates < least]
        if weak and least:
            yield LayoutAdvice(
                "weak-class",
                f"{vdev_class} vdevs survive {weak[0].shape.tolerates} failures and the data {least}: "
                f"the pool is lost with its {vdev_class} vdevs, so make them as redundant",
            )


def _parity(layout: Layout) -> Iterator[LayoutAdvice]:
    for vdev in _shapes(layout):
        largest = max(drive.size_bytes for drive in vdev.drives)
        if vdev.shape.parity == 1 and largest >= LARGE_DISK_BYTES:
            yield LayoutAdvice(
                "one-parity",
                f"{vdev.shape.name} on drives of {both(largest)}: while one is replaced, for a day or more, "
                "nothing protects the pool from the next failure; take two parity disks or mirrors",
            )
        if vdev.shape.kind == RAIDZ and vdev.shape.width > WIDEST_RAIDZ:
            yield LayoutAdvice(
                "wide-raidz",
                f"{vdev.shape.name} is more than {WIDEST_RAIDZ} wide: it has the random I/O of one disk, and "
                "resilvers long; more and narrower vdevs, or a draid, do better",
            )
        if vdev.shape.kind == RAIDZ:
            yield LayoutAdvice(
                "mirrors",
                f"mirrors, not {vdev.shape.name}, have more random I/O, resilver faster, grow by two disks; "
                "a raidz is for capacity, for large files, and to survive any two or three failures",
            )


def _mixtures(layout: Layout) -> Iterator[LayoutAdvice]:
    data = layout.of_class(DATA)
    if len({vdev.shape.tolerates for vdev in data}) > 1:
        yield LayoutAdvice(
            "mixed-redundancy",
            "data vdevs of different redundancy: the pool is as safe as the weakest, and the parity of the "
            "others is spent for little",
        )
    if len({(vdev.shape, _smallest(vdev)) for vdev in data}) > 1:
        yield LayoutAdvice(
            "unequal-vdevs",
            "data vdevs of different size: new blocks go to each by its free space, so that the larger ones "
            "do more of the work",
        )
    for vdev in _shapes(layout):
        if {"hdd", "ssd"} <= {drive.kind for drive in vdev.drives}:
            yield LayoutAdvice(
                "mixed-media",
                f"{vdev.shape.name} mixes hard disks and SSDs: each write waits for the slowest of them",
            )
    unused = sum(
        drive.device_bytes - _smallest(vdev)
        for vdev in layout.keepers
        if vdev.shape.kind != STRIPE
        for drive in vdev.drives
    )
    if unused >= _smallest(data[0]) // 100:
        yield LayoutAdvice(
            "unequal-drives",
            f"{both(unused)} are not used: of each vdev all drives count as its smallest",
        )


def _sectors(layout: Layout) -> Iterator[LayoutAdvice]:
    least = min(vdev.ashift for vdev in layout.keepers)
    if least < DEFAULT_ASHIFT:
        yield LayoutAdvice(
            "small-ashift",
            f"ashift {least} is for sectors of {1 << least} bytes: with drives of 4096, as nearly all are, "
            f"each smaller write costs a read as well, and it cannot be changed later; take {DEFAULT_ASHIFT}",
        )


def _blocks(layout: Layout, block_bytes: int) -> Iterator[LayoutAdvice]:
    for vdev in _shapes(layout):
        usual = share_of_disks(vdev.shape, vdev.ashift, DEFLATED_BLOCK)
        own = share_of_disks(vdev.shape, vdev.ashift, block_bytes)
        if own < COSTLY * usual:
            yield LayoutAdvice(
                "padding",
                f"blocks of {block_size(block_bytes)} get {own:.1%} of the disks of {vdev.shape.name}, not "
                f"{usual:.1%}: parity and padding are per block; take larger blocks, or mirrors",
            )


def _spares(layout: Layout) -> Iterator[LayoutAdvice]:
    kept = layout.keepers
    disks = sum(vdev.shape.width for vdev in kept)
    has_spare = bool(layout.of_class(SPARE)) or any(vdev.shape.spares for vdev in kept)
    if disks >= MANY_DISKS and not has_spare:
        yield LayoutAdvice(
            "no-spare",
            f"no spare for {disks} disks: a resilver begins when somebody brings a disk, not when one fails",
        )
    if any(vdev.shape.kind == DRAID and not vdev.shape.spares for vdev in kept):
        yield LayoutAdvice(
            "no-spare", "a draid without distributed spares has no faster resilver than a raidz"
        )


def _shapes(layout: Layout) -> tuple[PlannedVdev, ...]:
    """One vdev per distinct shape and drives, to avoid repetition."""
    return tuple({(vdev.shape, vdev.drives): vdev for vdev in layout.of_class(DATA)}.values())


def _smallest(vdev: PlannedVdev) -> int:
    return min(drive.device_bytes for drive in vdev.drives)


def _disks(number: int) -> str:
    return "disk" if number == 1 else "disks"
