"""Redundancy of each top-level vdev: by design, remaining, and in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.vdevs.resilver_targets import (
    DISTRIBUTED_SPARE,
    WRITTEN_BY_RESILVER,
    has_distributed_spare,
    with_resilver_targets,
)
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import GONE_STATES, Pool, Scan, Vdev

DISPENSABLE_CLASSES: Final = frozenset({"log", "cache", "spare"})  # losing one does not lose the pool's data
WITHOUT_DEVICES: Final = frozenset({"indirect", "hole"})  # left by a removal
AWAITS_RESILVER: Final = "(awaiting resilver)"  # ZFS's note on a device with a deferred resilver
ALIVE_STATES: Final = frozenset({"ONLINE", "DEGRADED"})
_PARITY: Final = re.compile(r"(?:raidz|draid)(\d{1,2})")


@dataclass(frozen=True, slots=True)
class Redundancy:
    """Failures that a top-level vdev survives. `left` is negative when too many have happened."""

    vdev: str
    vdev_class: str
    by_design: int
    left: int
    failed: tuple[str, ...] = ()  # children without a complete copy of their part
    is_at_most: bool = False  # more children may lack data: ZFS does not show yet which, or `in_doubt`
    in_doubt: tuple[str, ...] = ()  # children that a resilver wrote to, to repair or to fill them

    @property
    def is_lost(self) -> bool:
        """Whether more failed than the vdev tolerates."""
        return self.left < 0

    @property
    def at_least(self) -> int:
        """Failures that it survives if every child in doubt lacks data."""
        return self.left - len(self.in_doubt)

    @property
    def is_used_up(self) -> bool:
        """Whether there was redundancy by design and none is left."""
        return self.by_design > 0 and self.left == 0


def vdev_redundancy(vdev: Vdev, scan: Scan | None = None) -> Redundancy | None:
    """Count the failures that a top-level vdev survives; None for an unknown type.

    A child counts once: a spare or replacement makes it complete only when some device in it has all its
    data, which a target of a resilver has not (`resilver_targets`). `scan` is given when it is a resilver
    whose devices ZFS does not show (`unnamed_resilver`).
    """
    by_design = _by_design(vdev)
    if by_design is None:
        return None
    parts = vdev.children if vdev.type == "mirror" or _PARITY.fullmatch(vdev.type) else (vdev,)
    may_be_behind = scan is not None and scan.vdev in (None, vdev.name)
    failed = tuple(part.name for part in parts if not has_all_data(part, trusts_spares=not may_be_behind))
    left = by_design - len(failed)
    if left < 0 and by_design >= sum(1 for part in parts if not _is_alive(part)):
        left = 0  # too much is incomplete, but the resilver target works
    if may_be_behind and scan is not None and scan.vdev is not None and not failed and left > 0:
        return Redundancy(vdev.name, vdev.vdev_class, by_design, left - 1)  # it is being rebuilt
    in_doubt = tuple(_in_doubt(vdev, parts, failed))
    is_at_most = left > 0 and (may_be_behind or bool(in_doubt))
    return Redundancy(vdev.name, vdev.vdev_class, by_design, left, failed, is_at_most, in_doubt)


def pool_redundancy(pool: Pool) -> tuple[Redundancy, ...]:
    """Redundancy of every top-level vdev that the pool's data depends on, in order."""
    pool = with_resilver_targets(pool)
    scan = unnamed_resilver(pool)
    found = (vdev_redundancy(vdev, scan) for vdev in pool.vdevs if is_vital(vdev))
    return tuple(each for each in found if each is not None)


def unnamed_resilver(pool: Pool) -> Scan | None:
    """The running resilver when no device is marked as its target.

    ZFS marks targets once it has written to them, which may take an hour on a large pool, and never in its
    JSON for a sequential resilver. A device with a deferred resilver does not belong to this one.
    """
    scan = pool.scan
    if scan is None or not scan.is_running or scan.function != "resilver":
        return None
    if any(vdev.is_resilvering for vdev in pool.walk()):
        return None
    targets = tuple(_newcomers(pool))
    is_known = bool(targets) and all(leaf.state in GONE_STATES for leaf in targets)
    return None if is_known else scan


def _newcomers(pool: Pool) -> Iterator[Vdev]:
    """Leaves that stand beside another one: new disks, and spares in use."""
    for vdev in pool.walk():
        if vdev.type in {"replacing", "spare"}:
            for each in vdev.children[1:]:
                yield from each.leaves()


def survivable(pool: Pool) -> int | None:
    """Arbitrary failures that the pool survives: the minimum of its vital vdevs."""
    return min((max(0, each.left) for each in pool_redundancy(pool)), default=None)


def is_vital(vdev: Vdev) -> bool:
    """Whether losing this top-level vdev loses the pool: data, special and dedup."""
    return vdev.vdev_class not in DISPENSABLE_CLASSES and vdev.type not in WITHOUT_DEVICES


def has_all_data(vdev: Vdev, *, trusts_spares: bool = True) -> bool:
    """Whether some device of this child is working and complete."""
    if vdev.is_leaf:
        return vdev.state in ALIVE_STATES and not _is_marked(vdev)
    # The last child of a replacement is the new device, incomplete while the replacement lasts.
    has_newcomer = vdev.type == "replacing" or (vdev.type == "spare" and not trusts_spares)
    parts = vdev.children[:-1] if has_newcomer else vdev.children
    return any(has_all_data(part, trusts_spares=trusts_spares) for part in parts)


def in_words(redundancy: Redundancy) -> str:
    """One clause: `no redundancy left in raidz2-0`, `mirror-1 survives 1 more failure`."""
    name, left = redundancy.vdev, redundancy.left
    failures = "failure" if left == 1 else "failures"
    if redundancy.is_lost and redundancy.by_design == 0:
        return f"{name} is lost and has no redundancy"
    if redundancy.is_lost:
        return f"{name} has lost {len(redundancy.failed)} devices and can make up for {redundancy.by_design}"
    if redundancy.by_design == 0:
        return f"{name} has no redundancy by design"
    if left == 0:
        return f"no redundancy left in {name}"
    at_most = "at most " if redundancy.is_at_most else ""
    more = "more " if left < redundancy.by_design else ""
    return f"{name} survives {at_most}{left} {more}{failures}"


def _in_doubt(top: Vdev, parts: Sequence[Vdev], failed: tuple[str, ...]) -> Iterator[str]:
    """Children whose only complete device is one that the resilver wrote to."""
    holds_spares = has_distributed_spare(top)
    for part in parts:
        if part.name in failed:
            continue
        doubted = {
            id(leaf)
            for leaf in part.leaves()
            if WRITTEN_BY_RESILVER in leaf.note and (leaf.type == DISTRIBUTED_SPARE or not holds_spares)
        }
        if doubted and not has_all_data(_without(part, doubted)):
            yield part.name


def _without(vdev: Vdev, leaves: set[int]) -> Vdev:
    """The vdev with these leaves as targets of the resilver."""
    if vdev.children:
        return replace(vdev, children=tuple(_without(child, leaves) for child in vdev.children))
    return replace(vdev, is_resilvering=True) if id(vdev) in leaves else vdev


def _is_marked(vdev: Vdev) -> bool:
    return vdev.is_resilvering or AWAITS_RESILVER in vdev.note


def _is_alive(vdev: Vdev) -> bool:
    return any(leaf.state in ALIVE_STATES for leaf in vdev.leaves())


def _by_design(vdev: Vdev) -> int | None:
    if vdev.type == "mirror":
        return len(vdev.children) - 1
    if found := _PARITY.fullmatch(vdev.type):
        return int(found[1])
    if vdev.is_leaf or vdev.type in {"spare", "replacing"}:
        return 0
    return None
