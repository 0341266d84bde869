"""What will the tree be? The pool as `zpool status` will show it once a change is made, or while it runs.

Every function takes vdevs of the pool that it is given, the values themselves and not equal ones: a hot
spare in use stands in the tree twice. New vdevs have no guid yet. Space is unknown where it changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.vdevs.redundancy import DISPENSABLE_CLASSES, WITHOUT_DEVICES
from zconsole.model.pools.pool import HEALTHY_STATES, Count, Pool, Vdev
from zconsole.zfs.status.vdev_names import short_name
from zconsole.zfs.status.vdev_tree import in_class_order

AUXILIARY_CLASSES: Final = frozenset({"cache", "spare"})  # not part of the tree that data is spread over
REDUNDANT_TYPES: Final = frozenset({"mirror", "replacing", "spare"})  # any child that is whole is enough
TEMPORARY_TYPES: Final = frozenset({"replacing", "spare"})
_PARITY: Final = re.compile(r"(raidz|draid)(\d{1,2})")
_NUMBER: Final = re.compile(r".*-(\d{1,9})", re.ASCII)
_DRAID: Final = re.compile(r"(draid\d):\d{1,3}d:\d{1,3}c:(\d{1,3})s-(\d{1,9})", re.ASCII)
_NONE: Final = Count(0)


def new_leaf(path: str, vdev_class: str, *, state: str = "ONLINE") -> Vdev:
    """A device that joins: `path` is what ZFS is told."""
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
    """The top-level vdev that a vdev is, or is part of."""
    return next(top for top in pool.vdevs if any(each is vdev for each in top.walk()))


def parent_of(pool: Pool, vdev: Vdev) -> Vdev | None:
    """The vdev directly above; None for a top-level one."""
    return next((each for each in pool.walk() if any(child is vdev for child in each.children)), None)


def parity(vdev: Vdev) -> int:
    """Parity of a raidz or draid; 0 for every other kind."""
    found = _PARITY.fullmatch(vdev.type)
    return int(found[2]) if found else 0


def is_raidz(vdev: Vdev) -> bool:
    """Whether it is a raidz of any parity."""
    return vdev.type.startswith("raidz")


def has_parity(pool: Pool) -> bool:
    """Whether any top-level vdev is a raidz or draid: then none but log devices can ever be removed."""
    return any(parity(top) > 0 for top in pool.vdevs)


def ashifts(pool: Pool) -> frozenset[int]:
    """The ashifts of its data, special and dedup vdevs, as far as known."""
    tops = (top for top in pool.vdevs if top.vdev_class not in DISPENSABLE_CLASSES)
    return frozenset(known for top in tops if (known := ashift_of(top)) is not None)


def ashift_of(top: Vdev) -> int | None:
    """The ashift of a top-level vdev, where ZFS told it of any part of it."""
    return next((each.configured_ashift for each in top.walk() if each.configured_ashift), None)


def added(pool: Pool, tops: Iterable[Vdev]) -> Pool:
    """With new top-level vdevs. Groups are given as `mirror` or `raidz2`; they get the lowest free number."""
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
    """With a device beside an existing one, or as one more of a raidz."""
    newcomer = replace(leaf, is_resilvering=is_resilvering)
    if existing.children:  # a raidz, which becomes wider
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
    """While a device is being replaced: old and new side by side, and the new one incomplete."""
    newcomer = replace(leaf, is_resilvering=True)
    parent = parent_of(pool, old)
    if parent is not None and parent.type == "replacing":
        return _swapped(pool, parent, _with_children(parent, newcomer))
    return _swapped(pool, old, new_group(f"replacing-{_place(pool, old)}", "replacing", (old, newcomer)))


def replaced(pool: Pool, old: Vdev, leaf: Vdev) -> Pool:
    """Once a device has been replaced; a hot spare that stood in for it goes back."""
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
    """With a hot spare standing in for a device; `spare` is its entry among the spares."""
    serving = replace(spare, vdev_class=failed.vdev_class, state="ONLINE", is_resilvering=is_resilvering)
    now = _swapped(pool, failed, new_group(f"spare-{_place(pool, failed)}", "spare", (failed, serving)))
    return replace(
        now,
        vdevs=tuple(
            replace(top, state="INUSE", note="currently in use") if top is spare else top for top in now.vdevs
        ),
    )


def detached(pool: Pool, leaf: Vdev) -> Pool:
    """Without a device of a mirror, replacement or spare; what is left alone takes the group's place.

    A hot spare that is detached is available again; one whose failed disk is detached stays for good.
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
    """Without a top-level vdev, cache device or spare."""
    rest = tuple(each for each in pool.vdevs if each is not top)
    return _without_space(_with_state(replace(pool, vdevs=rest)))


def with_state(pool: Pool, vdev: Vdev, state: str, *, is_resilvering: bool = False) -> Pool:
    """With a device in another state: OFFLINE, FAULTED, ONLINE."""
    return _swapped(pool, vdev, replace(vdev, state=state, is_resilvering=is_resilvering))


def split_off(pool: Pool, name: str, leaves: Sequence[Vdev]) -> tuple[Pool, Pool]:
    """The pool without a device of each mirror, and the new pool that these devices make."""
    now = pool
    for leaf in leaves:
        now = detached(now, leaf)
    moved = (replace(leaf, guid=None, is_resilvering=False) for leaf in leaves)
    return now, created(name, tuple(moved))


def created(name: str, tops: Iterable[Vdev]) -> Pool:
    """A new pool of these vdevs."""
    return added(Pool(name, "ONLINE", error_count=0), tops)


def continued(before: Pool, later: Pool) -> dict[str, str]:
    """Which vdev was which: names of top-level vdevs of `later`, each with that of the one it was before.

    They are the same when they share a device: a mirror that loses all but one is called as that one is.
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
    """The number of each top-level vdev by its identity, as far as names tell it.

    Names of groups end with theirs; a lone device has the lowest that is left. A removed vdev keeps its
    number without being shown, so this can be too low by those.
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
    """The number of a vdev among its siblings, which a group in its place is named after."""
    parent = parent_of(pool, vdev)
    if parent is None:
        return numbers(pool).get(id(vdev), 0)
    return next(at for at, child in enumerate(parent.children) if child is vdev)


def _distributed_spares(top: Vdev) -> Iterator[Vdev]:
    """The spares that a draid brings along: `draid2-0-1` is the second of `draid2:4d:11c:2s-0`."""
    if found := _DRAID.fullmatch(top.name):
        kind, spares, number = found.groups()
        for index in range(int(spares)):
            yield Vdev(f"{kind}-{number}-{index}", "dspare", "spare", "AVAIL")


def _swapped(pool: Pool, place: Vdev, put: Vdev) -> Pool:
    """With one vdev in the place of another; states above follow."""
    return _with_state(replace(pool, vdevs=tuple(_put(top, place, put) for top in pool.vdevs)))


def _put(vdev: Vdev, place: Vdev, put: Vdev) -> Vdev:
    if vdev is place:
        return put
    children = tuple(_put(child, place, put) for child in vdev.children)
    if all(now is before for now, before in zip(children, vdev.children, strict=True)):
        return vdev
    return _judged(replace(vdev, children=children))


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
    """The state that a group has with children such as these."""
    dead = sum(1 for child in group.children if child.state not in HEALTHY_STATES | {"DEGRADED"})
    spared = len(group.children) - 1 if group.type in REDUNDANT_TYPES else parity(group)
    if dead > spared:
        return replace(group, state="UNAVAIL")
    is_whole = all(child.state in HEALTHY_STATES for child in group.children)
    return replace(group, state="ONLINE" if is_whole else "DEGRADED")


def _with_state(pool: Pool) -> Pool:
    """The pool with the state that follows from its vdevs. Caches and spares have no say in it."""
    if pool.is_suspended:
        return pool
    tops = [top for top in pool.vdevs if top.vdev_class not in AUXILIARY_CLASSES]
    if any(top.state == "UNAVAIL" for top in tops if top.vdev_class not in DISPENSABLE_CLASSES):
        return replace(pool, state="UNAVAIL")
    is_whole = all(top.state in HEALTHY_STATES for top in tops)
    return replace(pool, state="ONLINE" if is_whole else "DEGRADED")


def _without_space(pool: Pool) -> Pool:
    """Sizes that a change makes unknown."""
    return replace(
        pool,
        size_bytes=None,
        free_bytes=None,
        capacity_percent=None,
        usable_available_bytes=None,
        expandable_bytes=None,
    )


def _spares_back(pool: Pool, returning: Iterable[Vdev]) -> Pool:
    """Hot spares among these are available again."""
    back = set(_identities(returning))
    return replace(
        pool,
        vdevs=tuple(
            replace(top, state="AVAIL", note="")
            if top.vdev_class == "spare" and back.intersection(_identities((top,)))
            else top
            for top in pool.vdevs
        ),
    )


def _unspared(pool: Pool, staying: Iterable[Vdev]) -> Pool:
    """A spare that stays in the tree is none any more."""
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
    """What tells that two entries of the tree are one device: the guid, or else the path or name."""
    for vdev in vdevs:
        for leaf in vdev.leaves():
            yield leaf.guid if leaf.guid is not None else leaf.path or leaf.name
