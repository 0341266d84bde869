"""`zfs snapshot`, `hold`, `release` and `bookmark`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.model.dataset_names import dataset_of, short_of
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.dataset_tree_changes import subtree
from zconsole.practice.world.dataset_writes_and_snapshots import (
    destroy_if_deferred,
    is_full,
    shortage,
    sync,
    take_snapshots,
    tell,
)
from zconsole.practice.world.datasets import Bookmark, PracticeDataset, Snapshot
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.world.snapshot_space import chain
from zconsole.practice.zfs.allow_and_permission_check import may
from zconsole.practice.zfs.command_invocation import RunningSubcommand
from zconsole.practice.zfs.dataset_lookup import (
    DATASETS,
    SNAPSHOTS,
    fault_of,
    look_up,
    open_dataset,
    pool_of,
    properties_of,
)
from zconsole.practice.zfs.property_validation import BadValue, checked

_LONGEST_TAG: Final = 255
_NOTHING: Final = "no snapshots were created"


def snapshot(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs snapshot`: all that are named, or none."""
    call = RunningSubcommand(world, "snapshot", args, "ro:")
    given = properties_of(call)
    if not call.operands:
        raise call.misused("missing snapshot argument")
    wanted = list(_wanted(call))
    try:
        values = {name: checked(name, text, "s") for name, text in given.items()}
    except BadValue as error:
        raise call.failed(f"cannot create snapshots : {error.words}\n{_NOTHING}") from error
    pools = {pool.name: pool for pool, _, _ in wanted}
    reasons = list(_reasons(world, wanted))
    if reasons:
        raise call.failed("\n".join([*reasons, _NOTHING]))
    pool = pools.popitem()[1]
    take_snapshots(world, pool, [(dataset, name) for _, dataset, name in wanted], values)
    call.changed(pool)
    return call.reply()


def _wanted(call: RunningSubcommand) -> Iterator[tuple[PracticePool, PracticeDataset, str]]:
    """Each snapshot that is to be taken."""
    for operand in call.operands:
        base, at, name = operand.partition("@")
        if not at:
            raise call.misused()
        fault = fault_of(base, DATASETS) or (None if look_up(call.world, base) else "dataset does not exist")
        if fault is not None:
            raise call.misused(f"cannot open '{base}': {fault}")
        pool, dataset = open_dataset(call, base)
        for kept in subtree(pool, base) if call.has("r") else [dataset]:
            yield pool, kept, name


def _reasons(world: World, wanted: list[tuple[PracticePool, PracticeDataset, str]]) -> Iterator[str]:
    """The errors of libzfs against the snapshots."""
    for _, dataset, name in wanted:
        fault = fault_of(f"{dataset.name}@{name}", SNAPSHOTS, is_new=True)
        if fault is not None:
            yield f"cannot create snapshot '{dataset.name}@{name}': {fault}"
            return
    if not all(may(world, pool, dataset.name, "snapshot") for pool, dataset, _ in wanted):
        yield "cannot create snapshots : permission denied"
        return
    if (
        len({dataset for _, dataset, _ in wanted}) < len(wanted)
        or len({pool.name for pool, _, _ in wanted}) > 1
    ):
        yield "cannot create snapshots : multiple snapshots of same fs not allowed"
        return
    if is_full(wanted[0][0]):
        yield "cannot create snapshots : out of space"
        return
    existing = [f"{dataset.name}@{name}" for _, dataset, name in wanted if dataset.snapshot(name)]
    yield from (f"cannot create snapshot '{name}': dataset already exists" for name in existing)
    if not existing:
        short = shortage(wanted[0][0], [dataset for _, dataset, _ in wanted])
        if short is not None:
            name = next(name for _, dataset, name in wanted if dataset is short)
            yield f"cannot create snapshot '{short.name}@{name}': out of space"


def hold(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs hold`."""
    call = RunningSubcommand(world, "hold", args, "r")
    tag = _tag(call)
    if tag.startswith("."):
        raise call.misused("tag may not start with '.'")
    for pool, dataset, name in _named(call):
        kept = list(_of_name(call, pool, dataset, name))
        words = f"cannot hold snapshot '{dataset.name}@{name}'"
        if not kept:
            call.complain(f"{words}: dataset does not exist")
        elif not all(may(world, pool, one.dataset.name, "hold") for one in kept):
            call.complain("cannot hold: permission denied")
        elif len(tag) > _LONGEST_TAG:
            call.complain(f"cannot hold snapshot '{kept[0].full_name}': tag too long")
        elif any(tag in one.holds for one in kept):
            for one in (one for one in kept if tag in one.holds):
                call.complain(f"cannot hold snapshot '{one.full_name}': tag already exists on this dataset")
        else:
            sync(pool)
            for one in kept:
                one.holds = {**one.holds, tag: int(world.now)}
                tell(world, pool, "hold", one, f"tag={tag} temp=0 refs={len(one.holds)}")
            call.changed(pool)
    return call.reply()


def release(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs release`."""
    call = RunningSubcommand(world, "release", args, "r")
    tag = _tag(call)
    for pool, dataset, name in _named(call):
        kept = list(_of_name(call, pool, dataset, name))
        held = [one for one in kept if tag in one.holds]
        if not held:
            reason = "no such tag on this dataset" if kept else "dataset does not exist"
            call.complain(f"cannot release hold from snapshot '{dataset.name}@{name}': {reason}")
        elif not all(may(world, pool, one.dataset.name, "release") for one in held):
            call.complain("cannot release: permission denied")
        else:
            sync(pool)
            for one in held:
                one.holds = {each: at for each, at in one.holds.items() if each != tag}
                tell(world, pool, "release", one, f"tag={tag} refs={len(one.holds)}")
                destroy_if_deferred(world, pool, one)
            call.changed(pool)
    return call.reply()


def _tag(call: RunningSubcommand) -> str:
    if len(call.operands) < 2:
        raise call.misused()
    return call.operands.pop(0)


def _named(call: RunningSubcommand) -> Iterator[tuple[PracticePool, PracticeDataset, str]]:
    """The datasets that are named, each with the name of the snapshot."""
    for operand in call.operands:
        base, at, name = operand.partition("@")
        dataset, pool = look_up(call.world, base), pool_of(call.world, base)
        if not at:
            call.complain(f"'{operand}' is not a snapshot")
        elif not isinstance(dataset, PracticeDataset) or pool is None:
            call.complain(f"cannot open '{base}': dataset does not exist")
        else:
            yield pool, dataset, name


def _of_name(
    call: RunningSubcommand, pool: PracticePool, dataset: PracticeDataset, name: str
) -> Iterator[Snapshot]:
    for kept in subtree(pool, dataset.name) if call.has("r") else [dataset]:
        found = kept.snapshot(name)
        if found is not None:
            yield found


def bookmark(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs bookmark`."""
    call = RunningSubcommand(world, "bookmark", args, "")
    source, target = call.exactly("missing source argument", "missing bookmark argument")
    if "@" not in source and "#" not in source:
        raise call.misused(f"invalid source name '{source}': must contain a '@' or '#'")
    if "#" not in target:
        raise call.misused(f"invalid bookmark name '{target}': must contain a '#'")
    if target.startswith("#"):
        target = dataset_of(source) + target
    elif source.startswith(("@", "#")):
        source = dataset_of(target) + source
    found = look_up(world, source)
    if not isinstance(found, Snapshot | Bookmark):
        raise call.misused(f"cannot open '{source}': dataset does not exist")
    pool = pool_of(world, target)
    owner = look_up(world, dataset_of(target))
    reason = _why_no_bookmark(world, source, target, found)
    if reason is not None or pool is None or not isinstance(owner, PracticeDataset):
        raise call.failed(f"cannot create bookmark '{target}': {reason}")
    name = short_of(target)
    owner.bookmarks.append(Bookmark.of(found, name))
    owner.bookmarks.sort(key=lambda kept: kept.createtxg)
    sync(pool)
    text = f"name={name} creation_txg={found.createtxg} source_guid={found.guid}"
    tell(world, pool, "bookmark", owner, text)
    call.changed(pool)
    return call.reply()


def _why_no_bookmark(world: World, source: str, target: str, found: Snapshot | Bookmark) -> str | None:
    base, _, name = target.partition("#")
    pool, owner = pool_of(world, target), look_up(world, base)
    if pool is not pool_of(world, source):
        return "bookmark is in a different pool"
    if not isinstance(owner, PracticeDataset) or pool is None:
        return "dataset does not exist"
    if fault_of(target, frozenset({"bookmark"}), is_new=True) is not None:
        return "invalid argument"
    if owner.bookmark(name) is not None:
        return "bookmark exists"
    if not may(world, pool, base, "bookmark"):
        return "permission denied"
    if is_full(pool):
        return "out of space"
    is_own = found in chain(owner) if isinstance(found, Snapshot) else found in owner.bookmarks
    return None if is_own else "source is not an ancestor of the new bookmark's dataset"
