"""Datasets, snapshots and bookmarks by name, and the errors of libzfs about names."""

from __future__ import annotations

import re
from typing import Final

from zconsole.model.dataset_names import parent_of
from zconsole.practice.world.datasets import Bookmark, PracticeDataset, Snapshot
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zfs.command_invocation import RunningSubcommand

Thing = PracticeDataset | Snapshot | Bookmark
Kinds = frozenset[str]

DATASETS: Final[Kinds] = frozenset({"filesystem", "volume"})
FILESYSTEMS: Final[Kinds] = frozenset({"filesystem"})
SNAPSHOTS: Final[Kinds] = frozenset({"snapshot"})
DATASETS_AND_SNAPSHOTS: Final[Kinds] = DATASETS | SNAPSHOTS
_LONGEST: Final = 255
_FOREIGN: Final = re.compile(r"[^A-Za-z0-9_.: /@#%-]")
NOT_APPLICABLE: Final = "operation not applicable to datasets of this type"


def fault_of(name: str, kinds: Kinds, *, is_new: bool = False) -> str | None:
    """The error of libzfs about a name."""
    base, mark, rest = _split(name)
    if len(name) > _LONGEST:
        return "name is too long"
    if name.startswith("/"):
        return "leading slash in name"
    foreign = _FOREIGN.search(name)
    if foreign or (is_new and "%" in name):
        return f"invalid character '{foreign[0]}' in name" if foreign else "invalid character % in name"
    if mark and re.search(r"[@#]", rest):
        return "multiple '@' and/or '#' delimiters in name"
    if base.endswith("/") and not mark:
        return "trailing slash in name"
    parts = base.split("/")
    if "" in parts or (mark and not rest) or "/" in rest:
        return "empty component or misplaced '@' or '#' delimiter in name"
    if not base[0].isalpha():
        return "pool doesn't begin with a letter"
    if ".." in parts:
        return "parent reference, '..' is found in name"
    if "." in parts:
        return "self reference, '.' is found in name"
    return _misplaced(mark, kinds)


def _misplaced(mark: str, kinds: Kinds) -> str | None:
    if mark == "@" and "snapshot" not in kinds:
        return "snapshot delimiter '@' is not expected here"
    if mark == "#" and "bookmark" not in kinds:
        return "bookmark delimiter '#' is not expected here"
    if kinds == SNAPSHOTS and mark != "@":
        return "missing '@' delimiter in snapshot name"
    if kinds == {"bookmark"} and mark != "#":
        return "missing '#' delimiter in bookmark name"
    return None


def _split(name: str) -> tuple[str, str, str]:
    found = re.search(r"[@#]", name)
    return (name[: found.start()], found[0], name[found.end() :]) if found else (name, "", "")


def pool_of(world: World, name: str) -> PracticePool | None:
    """The pool that a name is in."""
    return world.pools.get(re.split(r"[/@#]", name, maxsplit=1)[0])


def look_up(world: World, name: str) -> Thing | None:
    """The dataset, snapshot or bookmark of a name."""
    base, mark, rest = _split(name)
    pool = pool_of(world, name)
    dataset = pool.datasets.get(base) if pool else None
    if dataset is None or not mark:
        return dataset
    return dataset.snapshot(rest) if mark == "@" else dataset.bookmark(rest)


def kind_of(thing: Thing) -> str:
    """Filesystem, volume, snapshot or bookmark."""
    if isinstance(thing, PracticeDataset):
        return thing.kind
    return "snapshot" if isinstance(thing, Snapshot) else "bookmark"


def name_of(thing: PracticeDataset | Snapshot) -> str:
    """The full name."""
    return thing.full_name if isinstance(thing, Snapshot) else thing.name


def open_thing(call: RunningSubcommand, name: str, kinds: Kinds) -> tuple[PracticePool, Thing]:
    """The thing of a name; raises the error of `zfs_open`."""
    fault = fault_of(name, kinds)
    thing = look_up(call.world, name)
    pool = pool_of(call.world, name)
    if fault is None and (thing is None or pool is None):
        fault = "dataset does not exist"
    if thing is not None and kind_of(thing) not in kinds:
        fault = fault or NOT_APPLICABLE
    if fault is not None or thing is None or pool is None:
        raise call.failed(f"cannot open '{name}': {fault}")
    return pool, thing


def open_dataset(
    call: RunningSubcommand, name: str, kinds: Kinds = DATASETS
) -> tuple[PracticePool, PracticeDataset]:
    """A filesystem or volume by name."""
    pool, thing = open_thing(call, name, kinds)
    assert isinstance(thing, PracticeDataset)  # noqa: S101 - `kinds` holds datasets only
    return pool, thing


def open_snapshot(call: RunningSubcommand, name: str) -> tuple[PracticePool, Snapshot]:
    """A snapshot by name."""
    pool, thing = open_thing(call, name, SNAPSHOTS)
    assert isinstance(thing, Snapshot)  # noqa: S101 - `kinds` holds snapshots only
    return pool, thing


def place_for(call: RunningSubcommand, name: str, action: str, kinds: Kinds = DATASETS) -> PracticePool:
    """The pool for a new dataset name; raises the error of libzfs, with `action` in front."""
    fault = fault_of(name, kinds, is_new=True)
    pool = pool_of(call.world, name)
    if fault is None and "/" not in name:
        fault = "missing dataset name"
    if fault is None and pool is None:
        fault = f"no such pool '{name.partition('/')[0]}'"
    if fault is not None or pool is None:
        raise call.failed(f"{action}: {fault}")
    parent = pool.datasets.get(parent_of(name))
    if parent is None:
        raise call.failed(f"{action}: parent does not exist")
    if parent.kind != "filesystem":
        raise call.failed(f"{action}: parent is not a filesystem")
    return pool


def missing_ancestors(world: World, name: str) -> list[str]:
    """The datasets that are missing above a name, topmost first."""
    parts = name.split("/")
    above = ["/".join(parts[:count]) for count in range(2, len(parts))]
    return [place for place in above if look_up(world, place) is None]


def properties_of(call: RunningSubcommand, given: list[str] | None = None) -> dict[str, str]:
    """Words of the form property=value; those of -o where no others are given."""
    found: dict[str, str] = {}
    for word in call.options.values.get("o", []) if given is None else given:
        name, equals, value = word.partition("=")
        if not equals:
            raise call.misused("missing '=' for property=value argument")
        if name in found:
            raise call.failed(f"property '{name}' specified multiple times")
        found[name] = value
    return found
