"""`zfs list`, `zfs get` and `zfs holds`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from typing import Final

from zconsole.model.dataset_names import dataset_of, pool_of
from zconsole.practice.getopt import Options
from zconsole.practice.nicenum_and_times import short_date, words
from zconsole.practice.program_reply import Refusal, Reply, json_head, json_text
from zconsole.practice.world.dataset_tree_changes import subtree
from zconsole.practice.world.datasets import Bookmark, Snapshot
from zconsole.practice.world.host_world import World
from zconsole.practice.zfs.dataset_lookup import look_up
from zconsole.practice.zfs.properties import (
    ALIASES,
    BOOKMARK,
    FILESYSTEM,
    HEADERS,
    ORDER,
    SNAPSHOT,
    VOLUME,
    is_property,
)
from zconsole.practice.zfs.property_values import (
    ListedObject,
    Space,
    Value,
    received_value,
    user_properties,
    value_of,
    written,
)
from zconsole.practice.zpool_show.json_values import json_property
from zconsole.practice.zpool_show.list_get import get_table, known, table

LIST_SHORT: Final = "jHS:d:o:prs:t:"
GET_SHORT: Final = "d:jHo:prs:t:"
HOLDS_SHORT: Final = "Hpr"
LONGS: Final = {"json-int": "json-int"}
_TYPES: Final = {
    "filesystem": (FILESYSTEM,),
    "fs": (FILESYSTEM,),
    "volume": (VOLUME,),
    "vol": (VOLUME,),
    "snapshot": (SNAPSHOT,),
    "snap": (SNAPSHOT,),
    "bookmark": (BOOKMARK,),
    "all": (FILESYSTEM, VOLUME, SNAPSHOT, BOOKMARK),
}
_DEFAULT_COLUMNS: Final = "name,used,available,referenced,mountpoint"
_SPACE: Final = words("name available used usedbysnapshots usedbydataset usedbyrefreservation usedbychildren")
_LEFT: Final = frozenset(["name", "mountpoint", "type", "origin", "clones"])
_LARGEST_INT: Final = (1 << 63) - 1
_ENDLESS: Final = 1 << 30

Row = tuple[str, Value, str]


def zfs_list(world: World, options: Options) -> Reply:
    """Answer `zfs list`."""
    names = _canonical((options.last("o") or _DEFAULT_COLUMNS).split(","))
    items, complaints = _chosen(world, options)
    items = _sorted(items, options)
    status = 1 if complaints else 0
    if "j" in options:
        if complaints:
            return Reply(stderr=complaints, status=status)
        said = "" if items else "no datasets available\n"
        return Reply(_list_json(items, names, options), said)
    if not items:
        return Reply(stderr=complaints or "no datasets available\n", status=status)
    exact = "p" in options
    rows = [[written(name, value_of(item, name)[0], exact=exact) for name in names] for item in items]
    if "H" in options:
        return Reply("".join("\t".join(row) + "\n" for row in rows), complaints, status)
    headers = [HEADERS.get(name, name.upper()) for name in names]
    return Reply(_aligned(rows, headers, names), complaints, status)


def _aligned(rows: list[list[str]], headers: list[str], names: tuple[str, ...]) -> str:
    widths = [max(map(len, column)) for column in zip(headers, *rows, strict=True)]
    lines = []
    for row in (headers, *rows):
        cells = [
            f"{cell:<{width}}" if name in _LEFT else f"{cell:>{width}}"
            for cell, width, name in zip(row, widths, names, strict=True)
        ]
        if names[-1] in _LEFT:
            cells[-1] = row[-1]
        lines.append("  ".join(cells) + "\n")
    return "".join(lines)


def _canonical(names: Iterable[str]) -> tuple[str, ...]:
    full = tuple(ALIASES.get(name, name) for name in names)
    return known(_SPACE if full == ("space",) else full, is_property)


def _kinds(options: Options, default: tuple[str, ...]) -> tuple[str, ...]:
    asked = options.last("t")
    if asked is None:
        return default
    kinds: list[str] = []
    for word in asked.split(","):
        if word not in _TYPES:
            raise Refusal(f"invalid type '{word}'\n", 2)
        kinds.extend(_TYPES[word])
    return tuple(kinds)


def _depth(options: Options) -> int:
    asked = options.last("d")
    if asked is None:
        return _ENDLESS if "r" in options else 0
    if not asked.isdigit():
        raise Refusal(f"{asked} is not an integer\n", 2)
    return int(asked)


def _chosen(
    world: World, options: Options, default: tuple[str, ...] = (FILESYSTEM, VOLUME)
) -> tuple[list[ListedObject], str]:
    """The objects of a command line, and the errors about missing ones."""
    operands = options.operands
    spaces = {pool.name: Space(pool) for pool in world.pools.values()}
    if not operands:
        depth = _depth(options) if "d" in options else _ENDLESS
        kinds = _kinds(options, default)
        found = [item for space in spaces.values() for item in _beneath(space, space.pool.name, depth, kinds)]
        return found, ""
    found, complaints = [], ""
    asked = _kinds(options, default)
    for name in operands:
        base = dataset_of(name)
        space = spaces.get(pool_of(base))
        item = _one(world, space, name) if space is not None else None
        if item is None or space is None:
            complaints += f"cannot open '{name}': dataset does not exist\n"
            continue
        if item.kind in {SNAPSHOT, BOOKMARK}:
            found.append(item)
            continue
        depth = _depth(options)
        below_only = "t" in options and not {FILESYSTEM, VOLUME} & set(asked)
        if below_only and depth == 0:
            depth = 1  # snapshots of the dataset itself
        found.extend(_beneath(space, name, depth, asked))
    return found, complaints


def _one(world: World, space: Space, name: str) -> ListedObject | None:
    thing = look_up(world, name)
    if isinstance(thing, Snapshot):
        return ListedObject(space, thing.dataset, thing)
    if isinstance(thing, Bookmark):
        return ListedObject(space, space.pool.datasets[dataset_of(name)], bookmark=thing)
    return ListedObject(space, thing) if thing is not None else None


def _beneath(space: Space, top: str, depth: int, kinds: tuple[str, ...]) -> Iterator[ListedObject]:
    base = top.count("/")
    for name, dataset in space.pool.datasets.items():
        if name != top and not name.startswith(top + "/"):
            continue
        below = name.count("/") - base
        if below <= depth and dataset.kind in kinds:
            yield ListedObject(space, dataset)
        if below + 1 > depth:
            continue
        if SNAPSHOT in kinds:
            for snapshot in dataset.snapshots:
                yield ListedObject(space, dataset, snapshot)
        if BOOKMARK in kinds:
            for bookmark in dataset.bookmarks:
                yield ListedObject(space, dataset, bookmark=bookmark)


def _order(item: ListedObject) -> tuple[str, bool, int, str]:
    """The sort key: snapshots behind their dataset by age, all others by name."""
    name = item.name
    if item.snapshot is not None:
        return item.dataset.name, True, item.createtxg, name
    return name, False, 0, name


def _sorted(items: list[ListedObject], options: Options) -> list[ListedObject]:
    items = sorted(items, key=_order)
    for letter, reverse in (("s", False), ("S", True)):
        for name in reversed(options.values.get(letter, [])):
            full = _canonical([name])[0]
            if full == "name":
                items.sort(key=_order, reverse=reverse)
                continue
            with_value = [item for item in items if value_of(item, full)[0] is not None]
            without = [item for item in items if value_of(item, full)[0] is None]
            with_value.sort(key=partial(_value_key, full), reverse=reverse)
            items = with_value + without
    return items


def _value_key(name: str, item: ListedObject) -> tuple[int, int, str]:
    value = value_of(item, name)[0]
    return (0, value, "") if isinstance(value, int) else (1, 0, str(value))


def _json_item(item: ListedObject, rows: Iterable[Row], options: Options) -> dict[str, object]:
    as_int, exact = "json-int" in options, "p" in options
    document: dict[str, object] = {
        "name": item.name,
        "type": item.kind.upper(),
        "pool": item.space.pool.name,
        "createtxg": item.createtxg if as_int else str(item.createtxg),
    }
    if item.snapshot is not None:
        document["dataset"] = item.dataset.name
        document["snapshot_name"] = item.snapshot.name
    properties: dict[str, object] = {}
    for name, value, source in rows:
        shown: object = written(name, value, exact=exact or as_int)
        if as_int and isinstance(value, int):
            shown = min(value, _LARGEST_INT)
        kind, _, place = source.partition(" from ")
        where = "NONE" if kind == "-" else kind.upper()
        properties[name] = json_property(shown, where, place or "-")
    document["properties"] = properties
    return document


def _list_json(items: list[ListedObject], names: tuple[str, ...], options: Options) -> str:
    document = json_head("zfs list")
    document["datasets"] = {
        item.name: _json_item(
            item, ((name, *value_of(item, name)) for name in names if name != "name"), options
        )
        for item in items
    }
    return json_text(document)


def _rows(item: ListedObject, names: tuple[str, ...] | None) -> list[Row]:
    """The properties of an item; all that it has when none are named."""
    if names is not None:
        return [(name, *value_of(item, name)) for name in names]
    rows = [(name, *value_of(item, name)) for name in (*ORDER, *user_properties(item))]
    return [row for row in rows if row[1] is not None]


def zfs_get(world: World, options: Options) -> Reply:
    """Answer `zfs get`."""
    if not options.operands:
        raise Refusal("missing property argument\n", 2)
    asked, *operands = options.operands
    names = None if asked == "all" else _canonical(asked.split(","))
    chosen = Options(options.flags, options.values, operands)
    items, complaints = _chosen(world, chosen, _TYPES["all"])
    items = sorted(items, key=_order) if not operands or "r" in options or "d" in options else items
    status = 1 if complaints else 0
    if "j" in options:
        document = json_head("zfs get")
        document["datasets"] = {item.name: _json_item(item, _rows(item, names), options) for item in items}
        return Reply("" if complaints else json_text(document), complaints, status)
    if options.last("o") == "all":
        options.values["o"] = ["name,property,value,received,source"]
    sources = set((options.last("s") or "").split(",")) - {""}
    rows = []
    for item in items:
        for name, value, source in _rows(item, names):
            if sources and source.partition(" ")[0].replace("-", "none") not in sources:
                continue
            shown = written(name, value, exact="p" in options)
            rows.append((item.name, name, shown, source, received_value(item, name)))
    return Reply(get_table(rows, options, ("received",)), complaints, status)


def zfs_holds(world: World, options: Options) -> Reply:
    """Answer `zfs holds`."""
    if not options.operands:
        raise Refusal("missing snapshot argument\n", 2)
    rows: list[list[str]] = []
    complaints = ""
    for name in options.operands:
        base, at, snapshot_name = name.partition("@")
        if not at:
            complaints += f"'{name}' is not a snapshot\n"
            continue
        pool = world.pools.get(pool_of(base))
        datasets = [kept for kept in pool.datasets.values() if kept.name == base] if pool else []
        if pool and "r" in options:
            datasets = subtree(pool, base)
        snapshots = [kept for each in datasets if (kept := each.snapshot(snapshot_name))]
        if not snapshots:
            complaints += f"cannot open '{name}': dataset does not exist\n"
        for snapshot in snapshots:
            for tag, when in sorted(snapshot.holds.items()):
                moment = str(when) if "p" in options else short_date(when)
                rows.append([snapshot.full_name, tag, moment])
    text = table(rows, ["NAME", "TAG", "TIMESTAMP"], scripted="H" in options)
    return Reply(text, complaints, 1 if complaints else 0)
