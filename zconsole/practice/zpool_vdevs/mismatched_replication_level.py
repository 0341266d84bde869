"""Replication levels of new vdevs, compared with each other and with the pool."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.world.pools_and_vdevs import PracticePool, PracticeVdev

_FUZZ: Final = 16 * 1024 * 1024  # bytes by which drives of a vdev may differ

Complain = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class RedundancyLevel:
    """The redundancy of a top-level vdev."""

    kind: str
    children: int = 1
    parity: int = 0


def check(pool: PracticePool | None, tops: Iterable[PracticeVdev], complain: Complain) -> bool:
    """Hold new vdevs against each other and against the pool; whether they may be used."""
    new = [top for top in tops if top.vdev_class != "log"]
    current = level_of(pool.present, None) if pool is not None else None
    if pool is not None and current is None:
        return True  # the pool is a mixture already
    if not new:
        return True
    wanted = level_of(new, complain)
    if wanted is None:
        return False
    if current is None:
        return True
    problem = _against_pool(current, wanted)
    if problem:
        complain(f"mismatched replication level: {problem}")
    return not problem


def level_of(tops: Iterable[PracticeVdev], complain: Complain | None) -> RedundancyLevel | None:
    """The level of all; None when they differ. Every difference is reported."""
    last: RedundancyLevel | None = None
    is_same = True
    for top in tops:
        if top.vdev_class == "log":
            continue
        if not _sizes_match(top):
            is_same = False
            if complain is None:
                return None
            complain(f"{top.kind} contains devices of different sizes")
        level = RedundancyLevel(top.kind, max(1, len(top.children)), top.parity)
        problem = _between(last, level) if last is not None else ""
        if problem:
            is_same = False
            if complain is None:
                return None
            complain(f"mismatched replication level: {problem}")
        last = level
    return last if is_same else None


def _sizes_match(top: PracticeVdev) -> bool:
    sizes = [_first(child).disk for child in top.children]
    known = [disk.size for disk in sizes if disk is not None]
    return all(abs(after - before) <= _FUZZ for before, after in pairwise(known))


def _first(vdev: PracticeVdev) -> PracticeVdev:
    """The device behind a replacement or a spare."""
    while vdev.children:
        vdev = vdev.children[0]
    return vdev


def _striped(level: RedundancyLevel) -> bool:
    return level.kind in {"raidz", "draid"}


def _raidz_and_mirror(
    one: RedundancyLevel, other: RedundancyLevel
) -> tuple[RedundancyLevel, RedundancyLevel] | None:
    for raidz, mirror in ((one, other), (other, one)):
        if _striped(raidz) and mirror.kind == "mirror":
            return raidz, mirror
    return None


def _between(last: RedundancyLevel, level: RedundancyLevel) -> str:
    mixed = _raidz_and_mirror(last, level)
    if mixed is not None:
        raidz, mirror = mixed
        if raidz.parity == mirror.children - 1:
            return ""
        numbers = f"{raidz.parity} vs. {mirror.children - 1} ({mirror.children}-way)"
        return f"{raidz.kind} and {mirror.kind} vdevs with different redundancy, {numbers} are present"
    if _striped(last) and _striped(level):
        if last.parity == level.parity:
            return ""
        numbers = f"{last.parity} vs. {level.parity}"
        return f"{last.kind} and {level.kind} vdevs with different redundancy, {numbers} are present"
    if last.kind != level.kind:
        return f"both {last.kind} and {level.kind} vdevs are present"
    if last.children != level.children:
        return f"both {last.children}-way and {level.children}-way {level.kind} vdevs are present"
    return ""


def _against_pool(current: RedundancyLevel, new: RedundancyLevel) -> str:
    mixed = _raidz_and_mirror(current, new)
    if mixed is not None:
        raidz, mirror = mixed
        if raidz.parity == mirror.children - 1:
            return ""
        return (
            f"pool and new vdev with different redundancy, {raidz.kind} and {mirror.kind} vdevs,"
            f" {raidz.parity} vs. {mirror.children - 1} ({mirror.children}-way)"
        )
    if current.kind != new.kind:
        return f"pool uses {current.kind} and new vdev is {new.kind}"
    if current.parity != new.parity:
        return f"pool uses {current.parity} device parity and new vdev uses {new.parity}"
    if current.children != new.children:
        return (
            f"pool uses {current.children}-way {current.kind} and new vdev uses {new.children}-way {new.kind}"
        )
    return ""
