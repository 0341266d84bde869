"""`zfs allow` and `zfs unallow`, and the permission check of every `zfs` command."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from zconsole.model.dataset_names import dataset_of
from zconsole.practice.nicenum_and_times import words
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.dataset_tree_changes import subtree
from zconsole.practice.world.dataset_writes_and_snapshots import sync, tell
from zconsole.practice.world.datasets import GrantedPermissions, PracticeDataset, lineage
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zfs.command_invocation import RunningSubcommand
from zconsole.practice.zfs.dataset_lookup import DATASETS, open_dataset
from zconsole.practice.zfs.properties import SETTABLE

PERMISSIONS: Final = frozenset(
    words("""
        allow bookmark change-key clone create destroy diff hold load-key mount promote receive release
        rename rollback send share snapshot userprop groupquota groupused userquota userused
    """)
) | frozenset(SETTABLE)
_BANNER_WIDTH: Final = 70
_SCOPES: Final = (
    ("Local permissions:", True, False),
    ("Descendent permissions:", False, True),
    ("Local+Descendent permissions:", True, True),
)


def may(world: World, pool: PracticePool, name: str, *permissions: str) -> bool:
    """Whether the user may do all of this to a dataset, there or not yet there, or to a snapshot.

    Permissions on a snapshot are those for what is below its dataset.
    """
    if world.user_id == 0:
        return True
    if pool.properties.get("delegation") == "off":
        return False
    granted: set[str] = set()
    for place in lineage(dataset_of(name)):
        owner = pool.datasets.get(place)
        for given in owner.delegations if owner else ():
            reaches = given.is_local if place == name else given.is_descendent
            if reaches and (given.who == "everyone" or given.name == world.user_name):
                granted |= given.permissions
    return set(permissions) <= granted


def allow(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs allow`."""
    call = RunningSubcommand(world, "allow", args, "cedglsu")
    if len(call.operands) == 1 and not call.options.flags:
        return _listing(call)
    pool, dataset, given = _asked(call, takes_permissions=True)
    for delegation in given:
        _give(dataset, delegation)
    sync(pool)
    tell(world, pool, "permission update", dataset, " ".join(call.operands[:-1]))
    call.changed(pool)
    return call.reply()


def unallow(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs unallow`."""
    call = RunningSubcommand(world, "unallow", args, "cedglrsu")
    pool, dataset, given = _asked(call, takes_permissions=len(call.operands) > 2)
    for owner in subtree(pool, dataset.name) if call.has("r") else [dataset]:
        for delegation in given:
            _take(owner, delegation)
    sync(pool)
    tell(world, pool, "permission remove", dataset, " ".join(call.operands[:-1]))
    call.changed(pool)
    return call.reply()


def _asked(
    call: RunningSubcommand, *, takes_permissions: bool
) -> tuple[PracticePool, PracticeDataset, list[GrantedPermissions]]:
    """The permissions, names and dataset of the command line."""
    everyone = call.has("e")
    wanted = (0 if everyone else 1) + takes_permissions + 1
    if call.has("c", "s") or len(call.operands) != wanted:
        raise call.misused()
    pool, dataset = open_dataset(call, call.operands[-1], DATASETS)
    permissions: frozenset[str] = frozenset()
    if takes_permissions:
        permissions = frozenset(call.operands[-2].split(","))
        if not permissions <= PERMISSIONS:
            raise call.failed(f"cannot set permissions on '{dataset.name}': invalid permission")
    if not may(call.world, pool, dataset.name, "allow", *permissions):
        raise call.failed(f"cannot set permissions on '{dataset.name}': permission denied")
    local, below = call.has("l") or not call.has("d"), call.has("d") or not call.has("l")
    who = "everyone" if everyone else "group" if call.has("g") else "user"
    names = [""] if everyone else call.operands[0].split(",")
    return pool, dataset, [GrantedPermissions(who, name, permissions, local, below) for name in names]


def _give(dataset: PracticeDataset, given: GrantedPermissions) -> None:
    """Add permissions to those of a user or group in this scope."""
    for index, held in enumerate(dataset.delegations):
        if _whose(held) == _whose(given):
            joined = replace(held, permissions=held.permissions | given.permissions)
            dataset.delegations[index] = joined
            return
    dataset.delegations.append(given)


def _take(dataset: PracticeDataset, taken: GrantedPermissions) -> None:
    """Remove permissions of a user or group, or all of them."""
    rest = [
        replace(held, permissions=held.permissions - (taken.permissions or held.permissions))
        if (held.who, held.name) == (taken.who, taken.name)
        else held
        for held in dataset.delegations
    ]
    dataset.delegations = [held for held in rest if held.permissions]


def _whose(held: GrantedPermissions) -> tuple[str, str, bool, bool]:
    return held.who, held.name, held.is_local, held.is_descendent


def _listing(call: RunningSubcommand) -> Reply:
    pool, dataset = open_dataset(call, call.operands[0], DATASETS)
    for place in lineage(dataset.name):
        owner = pool.datasets[place]
        if owner.delegations:
            banner = f"---- Permissions on {place} "
            call.say(banner + "-" * max(0, _BANNER_WIDTH - len(banner)))
            for line in _lines(owner):
                call.say(line)
    return call.reply()


def _lines(owner: PracticeDataset) -> Iterator[str]:
    for title, local, below in _SCOPES:
        given = [held for held in owner.delegations if (held.is_local, held.is_descendent) == (local, below)]
        if not given:
            continue
        yield title
        for who in ("user", "group", "everyone"):
            for held in sorted((held for held in given if held.who == who), key=lambda held: held.name):
                name = f" {held.name}" if held.name else ""
                yield f"\t{who}{name} {','.join(sorted(held.permissions))}"
