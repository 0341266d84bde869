"""Topology after a change: the pool as `zpool status` will show it.

Vdev arguments must be the pool's own objects and not equal ones: a hot spare in use appears twice in the
tree. New vdevs have no guid yet. Space is unknown where it changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.vdevs.redundancy import (
    ALIVE_STATES,
    DISPENSABLE_CLASSES,
    WITHOUT_DEVICES,
)
from zconsole.analysis.vdevs.resilver_targets import AWAITS_RESILVER
from zconsole.model.pools.pool import DEAD_STATES, HEALTHY_STATES, Count, Pool, Vdev
from zconsole.zfs.status.vdev_class_order import in_class_order
from zconsole.zfs.status.vdev_type_and_display_name import short_name

AUXILIARY_CLASSES: Final = frozenset({"cache", "spare"})  # not part of the tree that stores data
REDUNDANT_TYPES: Final = frozenset({"mirror", "replacing", "spare"})  # one complete child suffices
TEMPORARY_TYPES: Final = frozenset({"replacing", "spare"})
EXPANSION_SINCE: Final = (2, 3)  # the release that expands a raidz
_PARITY: Final = re.compile(r"(raidz|draid)(\d{1,2})")
_NUMBER: Final = re.compile(r".*-(\d{1,9})", re.ASCII)
_DRAID: Final = re.compile(r"(draid\d):\d{1,3}d:\d{1,3}c:(\d{1,3})s-(\d{1,9})", re.ASCII)
_NONE: Final = Count(0)


def new_leaf(path: str, vdev_class: str, *, state: str = "ONLINE") -> Vdev:
    """A new device: `path` as given to ZFS."""
    return Vdev(
        name=short_name(path),
        type="disk" if path.startswith("/dev/") else "file",
        vdev_class=vdev_class,
        state="AVAIL" if vdev_class == "spare" else state,
        path=path,
        read_errors=_NONE,
        write_errors=_NONE,
        checksum_errors=_NONE,
    )


def new_group(name: str, vdev_type: str, children: Sequence[Vdev]) -> Vdev:
    """A vdev of several devices; its state follows from theirs."""
    return _judged(
        Vdev(
            name,
            vdev_type,
            children[0].vdev_class,
            "ONLINE",
            read_errors=_NONE,
            write_errors=_NONE,
            checksum_errors=_NONE,
            children=tuple(children),
        )
    )


def top_of(pool: Pool, vdev: Vdev) -> Vdev:
    """The top-level vdev of a vdev."""
    return next(top for top in pool.vdevs if any(each is vdev for each in top.walk()))


def parent_of(pool: Pool, vdev: Vdev) -> Vdev | None:
    """The parent vdev; None for a top-level one."""
    return next((each for each in pool.walk() if any(child is vdev for child in each.children)), None)


def parity(vdev: Vdev) -> int:
    """Parity of a raidz or draid; 0 for other types."""
    found = _PARITY.fullmatch(vdev.type)
    return int(found[2]) if found else 0


def is_raidz(vdev: Vdev) -> bool:
    """Whether it is a raidz."""
    return vdev.type.startswith("raidz")


def has_parity(pool: Pool) -> bool:
    """Whether any top-level vdev is a raidz or draid: then no data vdev can be removed."""
    return any(parity(top) > 0 for top in pool.vdevs)


def ashifts(pool: Pool) -> frozenset[int]:
    """Known ashifts of its data, special and dedup vdevs."""
    tops = (top for top in pool.vdevs if top.vdev_class not in DISPENSABLE_CLASSES)
    return frozenset(known for top in tops if (known := ashift_of(top)) is not None)


def ashift_of(top: Vdev) -> int | None:
    """Ashift of a top-level vdev, if ZFS reported it for any part of it."""
    return next((each.configured_ashift for each in top.walk() if each.configured_ashift), None)


def added(pool: Pool, tops: Iterable[Vdev]) -> Pool:
    """The pool with new top-level vdevs. Groups are given as `mirror` or `raidz2` and get a free number."""
    now = pool
    for top in tops:
        named = top
        if top.children:
            taken = set(numbers(now).values())
            free = next(number for number in range(len(taken) + 1) if number not in taken)
            named = replace(top, name=f"{top.name}-{free}")
        now = replace(now, vdevs=in_class_order((*now.vdevs, named, *_distributed_spares(named))))
    return _without_space(_with_state(now))


def attached(pool: Pool, existing: Vdev, leaf: Vdev, *, is_resilvering: bool = False) -> Pool:
    """The pool with a device attached to a mirror or raidz."""
    newcomer = replace(leaf, is_resilvering=is_resilvering)
    if existing.children:  # a raidz, which is expanded
        return _without_space(_swapped(pool, existing, _with_children(existing, newcomer)))
    parent = parent_of(pool, existing)
    if parent is not None and parent.type == "mirror":
        return _swapped(pool, parent, _with_children(parent, newcomer))
    mirror = new_group(f"mirror-{_place(pool, existing)}", "mirror", (existing, newcomer))
    space = {
        "size_bytes": existing.size_bytes,
        "allocated_bytes": existing.allocated_bytes,
        "free_bytes": existing.free_bytes,
        "configured_ashift": existing.configured_ashift,
    }
    return _swapped(pool, existing, replace(mirror, **space))  # type: ignore[arg-type]


def replacing(pool: Pool, old: Vdev, leaf: Vdev) -> Pool:
    """The pool while a device is being replaced: both devices, the new one incomplete."""
    newcomer = replace(leaf, is_resilvering=True)
    parent = parent_of(pool, old)
    if parent is not None and parent.type == "replacing":
        return _swapped(pool, parent, _with_children(parent, newcomer))
    return _swapped(pool, old, new_group(f"replacing-{_place(pool, old)}", "replacing", (old, newcomer)))


def replaced(pool: Pool, old: Vdev, leaf: Vdev) -> Pool:
    """The pool after a replacement; a hot spare in use becomes available again."""
    place: Vdev = old
    parent = parent_of(pool, old)
    while parent is not None and parent.type in TEMPORARY_TYPES:
        place, parent = parent, parent_of(pool, parent)
    returning = [each for each in place.leaves() if each is not old]
    newcomer = replace(
        leaf,
        configured_ashift=old.configured_ashift,
        size_bytes=old.size_bytes,
        allocated_bytes=old.allocated_bytes,
        free_bytes=old.free_bytes,
    )
    return _spares_back(_swapped(pool, place, newcomer), returning)


def spared(pool: Pool, failed: Vdev, spare: Vdev, *, is_resilvering: bool = False) -> Pool:
    """The pool with a hot spare in use for a device; `spare` is its entry among the spares."""
    serving = replace(spare, vdev_class=failed.vdev_class, state="ONLINE", is_resilvering=is_resilvering)
    now = _swapped(pool, failed, new_group(f"spare-{_place(pool, failed)}", "spare", (failed, serving)))
    return replace(
        now,
        vdevs=tuple(
            replace(top, state="INUSE", note="currently in use") if top is spare else top for top in now.vdevs
        ),
    )


def detached(pool: Pool, leaf: Vdev) -> Pool:
    """The pool without a device of a mirror, replacement or spare; a single remaining one replaces the group.

    A detached hot spare becomes available; when the failed disk is detached instead, the spare stays
    permanently.
    """
    parent = parent_of(pool, leaf)
    if parent is None:
        return removed(pool, leaf)
    rest = tuple(child for child in parent.children if child is not leaf)
    now = _swapped(pool, parent, _regrouped(parent, rest))
    if parent.type == "spare" and leaf is parent.children[0]:
        return _unspared(now, rest)
    return _spares_back(now, (leaf,)) if parent.type == "spare" else now


def removed(pool: Pool, top: Vdev) -> Pool:
    """The pool without a top-level vdev, cache device or spare."""
    rest = tuple(each for each in pool.vdevs if each is not top)
    return _without_space(_with_state(replace(pool, vdevs=rest)))


def with_state(pool: Pool, vdev: Vdev, state: str, *, is_resilvering: bool = False) -> Pool:
    """The pool with a device in another state: OFFLINE, FAULTED, ONLINE."""
    return _swapped(pool, vdev, replace(vdev, state=state, is_resilvering=is_resilvering))


def resilvered(pool: Pool) -> Pool:
    """The pool when each resilver has ended without an error: devices that work lack nothing."""
    scan = pool.scan
    is_over = scan is not None and scan.is_running and scan.function == "resilver"
    return replace(pool, vdevs=tuple(map(_filled, pool.vdevs)), scan=None if is_over else scan)


def split_off(pool: Pool, name: str, leaves: Sequence[Vdev]) -> tuple[Pool, Pool]:
    """The pool without one device of each mirror, and the new pool of these devices."""
    now = pool
    for leaf in leaves:
        now = detached(now, leaf)
    moved = (replace(leaf, guid=None, is_resilvering=False) for leaf in leaves)
    return now, created(name, tuple(moved))


def created(name: str, tops: Iterable[Vdev]) -> Pool:
    """A new pool of these vdevs."""
    return added(Pool(name, "ONLINE", error_count=0), tops)


def continued(before: Pool, later: Pool) -> dict[str, str]:
    """Names of top-level vdevs of `later`, each with its name in `before`.

    Vdevs with a common device are the same: a mirror reduced to one device is named after that.
    """
    tops = (top for top in before.vdevs if top.vdev_class not in AUXILIARY_CLASSES)
    was = {identity: top.name for top in tops for identity in _identities((top,))}
    return {
        top.name: name
        for top in later.vdevs
        for name in [next((was[each] for each in _identities((top,)) if each in was), None)]
        if name is not None and top.vdev_class not in AUXILIARY_CLASSES
    }


def numbers(pool: Pool) -> dict[int, int]:
    """Number of each top-level vdev by identity, as far as names show it.

    Group names end with the number; a single disk gets the lowest free one. Removed vdevs keep their numbers
    without being shown, so this may be too low.
    """
    tops = [top for top in pool.vdevs if top.vdev_class not in AUXILIARY_CLASSES]
    named = {
        id(top): int(found[1])
        for top in tops
        if (top.children or top.type in WITHOUT_DEVICES) and (found := _NUMBER.fullmatch(top.name))
    }
    free = (number for number in range(len(tops) + len(named) + 1) if number not in set(named.values()))
    return {id(top): named[id(top)] if id(top) in named else next(free) for top in tops}


def _place(pool: Pool, vdev: Vdev) -> int:
    """The number of a vdev among its siblings, used in the name of a group in its place."""
    parent = parent_of(pool, vdev)
    if parent is None:
        return numbers(pool).get(id(vdev), 0)
    return next(at for at, child in enumerate(parent.children) if child is vdev)


def _distributed_spares(top: Vdev) -> Iterator[Vdev]:
    """Distributed spares of a draid: `draid2-0-1` is the second of `draid2:4d:11c:2s-0`."""
    if found := _DRAID.fullmatch(top.name):
        kind, spares, number = found.groups()
        for index in range(int(spares)):
            yield Vdev(f"{kind}-{number}-{index}", "dspare", "spare", "AVAIL")


def _swapped(pool: Pool, place: Vdev, put: Vdev) -> Pool:
    """The pool with one vdev replaced; states above are recomputed."""
    return _with_state(replace(pool, vdevs=tuple(_put(top, place, put) for top in pool.vdevs)))


def _put(vdev: Vdev, place: Vdev, put: Vdev) -> Vdev:
    if vdev is place:
        return put
    children = tuple(_put(child, place, put) for child in vdev.children)
    if all(now is before for now, before in zip(children, vdev.children, strict=True)):
        return vdev
    return _judged(replace(vdev, children=children))


def _filled(vdev: Vdev) -> Vdev:
    if vdev.children:
        children = tuple(map(_filled, vdev.children))
        is_same = all(now is before for now, before in zip(children, vdev.children, strict=True))
        return vdev if is_same else replace(vdev, children=children)
    if vdev.state not in ALIVE_STATES or not (vdev.is_resilvering or AWAITS_RESILVER in vdev.note):
        return vdev
    return replace(vdev, is_resilvering=False, note=vdev.note.replace(AWAITS_RESILVER, "").strip())


def _with_children(group: Vdev, newcomer: Vdev) -> Vdev:
    return _judged(replace(group, children=(*group.children, newcomer)))


def _regrouped(group: Vdev, rest: tuple[Vdev, ...]) -> Vdev:
    """The group with these children, or the only one in its place."""
    if len(rest) > 1:
        return _judged(replace(group, children=rest))
    return replace(
        rest[0],
        size_bytes=group.size_bytes or rest[0].size_bytes,
        allocated_bytes=group.allocated_bytes or rest[0].allocated_bytes,
        free_bytes=group.free_bytes or rest[0].free_bytes,
        configured_ashift=rest[0].configured_ashift or group.configured_ashift,
    )


def _judged(group: Vdev) -> Vdev:
    """The state of a group from its children."""
    dead = sum(1 for child in group.children if child.state not in HEALTHY_STATES | {"DEGRADED"})
    spared = len(group.children) - 1 if group.type in REDUNDANT_TYPES else parity(group)
    if dead > spared:
        return replace(group, state="UNAVAIL")
    is_whole = all(child.state in HEALTHY_STATES for child in group.children)
    return replace(group, state="ONLINE" if is_whole else "DEGRADED")


def _with_state(pool: Pool) -> Pool:
    """The pool's state from its vdevs, without caches and spares."""
    if pool.is_suspended:
        return pool
    tops = [top for top in pool.vdevs if top.vdev_class not in AUXILIARY_CLASSES]
    if any(top.state == "UNAVAIL" for top in tops if top.vdev_class not in DISPENSABLE_CLASSES):
        return replace(pool, state="UNAVAIL")
    is_whole = all(top.state in HEALTHY_STATES for top in tops)
    return replace(pool, state="ONLINE" if is_whole else "DEGRADED")


def _without_space(pool: Pool) -> Pool:
    """The pool without sizes that a change makes unknown."""
    return replace(
        pool,
        size_bytes=None,
        free_bytes=None,
        capacity_percent=None,
        usable_available_bytes=None,
        expandable_bytes=None,
    )


def _spares_back(pool: Pool, returning: Iterable[Vdev]) -> Pool:
    """Mark returning hot spares as available; one that failed in use keeps that state."""
    returning = tuple(returning)
    back = set(_identities(returning))
    failed = {
        identity: leaf.state
        for vdev in returning
        for leaf in vdev.leaves()
        if leaf.state in DEAD_STATES
        for identity in _identities((leaf,))
    }
    return replace(
        pool,
        vdevs=tuple(
            replace(
                top,
                state=next((failed[each] for each in _identities((top,)) if each in failed), "AVAIL"),
                note="",
            )
            if top.vdev_class == "spare" and back.intersection(_identities((top,)))
            else top
            for top in pool.vdevs
        ),
    )


def _unspared(pool: Pool, staying: Iterable[Vdev]) -> Pool:
    """Remove a spare that became a permanent member."""
    gone = set(_identities(staying))
    return replace(
        pool,
        vdevs=tuple(
            top
            for top in pool.vdevs
            if top.vdev_class != "spare" or not gone.intersection(_identities((top,)))
        ),
    )


def _identities(vdevs: Iterable[Vdev]) -> Iterator[int | str]:
    """Identifiers of a vdev entry: the guid, or else path or name."""
    for vdev in vdevs:
        for leaf in vdev.leaves():
            yield leaf.guid if leaf.guid is not None else leaf.path or leaf.name
