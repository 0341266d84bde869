"""Targets of a resilver, told apart from devices that it only wrote to.

`zpool status` prints `(resilvering)` for every device that a resilver has written to. It also writes to a
device on which it has found a read or checksum error while it read for another one, in a draid to every
disk that holds a part of a distributed spare, and to the old disk of a replacement with the new one where it
repairs a sibling of both. None of these lacks data for that reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import replace
from typing import Final

from zconsole.model.pools.pool import DEAD_STATES, Pool, Vdev

WRITTEN_BY_RESILVER: Final = "(resilvering)"  # in the note of a device not known to be a target
AWAITS_RESILVER: Final = "(awaiting resilver)"  # ZFS's note on a device with a deferred resilver
DISTRIBUTED_SPARE: Final = "dspare"
NEWCOMERS: Final = ("replacing", "spare")  # vdevs whose children behind the first are new devices


def with_resilver_targets(pool: Pool) -> Pool:
    """The pool in which only the targets of the resilver are `is_resilvering`; the others keep ZFS's remark.

    A device that has failed meanwhile explains it too, and has no mark any more.
    ZFS resilvers for what it knows to lack data (its DTL). Where another device explains the resilver, one
    may only have been repaired: its errors are counted, or `zpool clear` has zeroed them since, which leaves
    the mark (`vdev_clear`, `vs_scan_processed`). Then a new disk or a spare is what explains it.
    """
    marked = [place for top in pool.vdevs for place in _places(top, top) if place[1].is_resilvering]
    if not marked:
        return pool
    is_explained = any(map(_is_new, pool.vdevs)) or has_dead_device(pool)
    is_for_newcomer = (
        any(map(_is_filled, pool.vdevs))
        or _has_dead_newcomer(pool)
        or any(
            _is_new_in(leaf, parent, "spare") and not _has_other_reason(top, leaf, parent)
            for top, leaf, parent in marked
        )
    )
    sure = [
        leaf
        for top, leaf, parent in marked
        if not _has_other_reason(top, leaf, parent)
        and (not is_for_newcomer or any(_is_new_in(leaf, parent, kind) for kind in NEWCOMERS))
    ]
    unsure = [leaf for top, leaf, parent in marked if _is_repaired_perhaps(top, leaf, parent)]
    if not sure and not is_explained:
        spares = [leaf for _, leaf, parent in marked if _is_new_in(leaf, parent, "spare")]
        sure = [leaf for leaf in spares if any(leaf is each for each in unsure)] or (
            unsure if len(unsure) == 1 else []
        )
    targets = set(map(id, sure))
    return with_marks_in_doubt(pool, {id(leaf) for _, leaf, _ in marked if id(leaf) not in targets})


def with_marks_in_doubt(pool: Pool, leaves: Set[int]) -> Pool:
    """The pool in which these leaves, by `id`, are not known to lack data: their mark is a remark."""
    if not leaves:
        return pool
    return replace(pool, vdevs=tuple(_told(top, leaves) for top in pool.vdevs))


def has_dead_device(pool: Pool) -> bool:
    """Whether a device is out that a running resilver may have been begun for: it goes on without it.

    Not one that a working new disk or spare stands beside: that is what would be filled.
    """
    tops = (top for top in pool.vdevs if top.vdev_class not in {"cache", "spare"})
    return any(
        leaf.state in DEAD_STATES and not (parent.type in NEWCOMERS and any(map(_works, parent.children[1:])))
        for top in tops
        for _, leaf, parent in _places(top, top)
    )


def _works(vdev: Vdev) -> bool:
    return any(leaf.state not in DEAD_STATES for leaf in vdev.leaves())


def _has_dead_newcomer(pool: Pool) -> bool:
    """Whether a new disk or a spare in use has failed: nothing else may lack data."""
    return any(
        leaf.state in DEAD_STATES
        for each in pool.walk()
        if each.type in NEWCOMERS
        for newcomer in each.children[1:]
        for leaf in newcomer.leaves()
    )


def writes_to_distributed_spare(top: Vdev) -> bool:
    """Whether a distributed spare was written to: that goes to the other disks of the draid."""
    return any(
        leaf.type == DISTRIBUTED_SPARE
        and leaf.state not in DEAD_STATES
        and (leaf.is_resilvering or WRITTEN_BY_RESILVER in leaf.note)
        for leaf in top.leaves()
    )


def _has_other_reason(top: Vdev, leaf: Vdev, parent: Vdev) -> bool:
    return (
        _holds_part_of_spare(top, leaf, parent)
        or _is_beside_new(leaf, parent)
        or _is_repaired_perhaps(top, leaf, parent)
    )


def _is_beside_new(leaf: Vdev, parent: Vdev) -> bool:
    """Whether it is the old disk of a replacement whose new one works: ZFS writes a repair to both."""
    return parent.type == "replacing" and parent.children[0] is leaf and _is_new(parent)


def _holds_part_of_spare(top: Vdev, leaf: Vdev, parent: Vdev) -> bool:
    return leaf.type != DISTRIBUTED_SPARE and parent is top and writes_to_distributed_spare(top)


def _is_repaired_perhaps(top: Vdev, leaf: Vdev, parent: Vdev) -> bool:
    """Whether its errors explain the writes; a distributed spare is also written with the disk it serves.

    It holds parts of the other disks: a new one that is filled gets them through the spare.
    """
    if _holds_part_of_spare(top, leaf, parent) or _is_new_in(leaf, parent, "replacing"):
        return False
    if leaf.type == DISTRIBUTED_SPARE and _is_new(top):
        return True
    return bool(leaf.read_errors or leaf.checksum_errors)


def _is_new(vdev: Vdev) -> bool:
    """Whether a working new device of a replacement is in it."""
    return any(True for _ in _new_disks(vdev))


def _is_filled(vdev: Vdev) -> bool:
    """Whether the running resilver is also for the new device of a replacement: not for one that waits."""
    return any(AWAITS_RESILVER not in leaf.note for leaf in _new_disks(vdev))


def _new_disks(vdev: Vdev) -> Iterator[Vdev]:
    """The working new devices of replacements: one that is replaced again has several."""
    for each in vdev.walk():
        if each.type == "replacing":
            for newcomer in each.children[1:]:
                yield from (leaf for leaf in newcomer.leaves() if leaf.state not in DEAD_STATES)


def _is_new_in(leaf: Vdev, parent: Vdev, kind: str) -> bool:
    return parent.type == kind and parent.children[0] is not leaf


def _places(top: Vdev, vdev: Vdev) -> Iterator[tuple[Vdev, Vdev, Vdev]]:
    """Every leaf with its top-level vdev and its parent; a single disk is its own."""
    if not vdev.children:
        yield top, vdev, vdev
    for child in vdev.children:
        if child.children:
            yield from _places(top, child)
        else:
            yield top, child, vdev


def _told(vdev: Vdev, doubted: Set[int]) -> Vdev:
    if vdev.children:
        return replace(vdev, children=tuple(_told(child, doubted) for child in vdev.children))
    if id(vdev) not in doubted:
        return vdev
    note = vdev.note if WRITTEN_BY_RESILVER in vdev.note else f"{vdev.note} {WRITTEN_BY_RESILVER}".strip()
    return replace(vdev, is_resilvering=False, note=note)
