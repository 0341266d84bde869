"""`zfs program`: channel programs, and the `zfs.*` functions that they call.

The text is run as it is given (`lua.py`), whoever wrote it. In `zfs.list`, `zfs.check` and `zfs.sync` errors
are numbers, as in the kernel, and nothing that was done before an error is undone.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from zconsole.practice.channel_program.lua import run
from zconsole.practice.channel_program.lua_values_calls_and_operators import LuaError, LuaTable, iterator
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.dataset_tree_changes import (
    beneath,
    destroy_dataset,
    overdrawn_by_promotion,
    promote,
    promotion_conflict,
)
from zconsole.practice.world.dataset_writes_and_snapshots import destroy_snapshot, roll_back
from zconsole.practice.world.datasets import Bookmark, PracticeDataset, Snapshot, clones_of
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zfs.command_invocation import RunningSubcommand
from zconsole.practice.zfs.dataset_lookup import kind_of, look_up, pool_of
from zconsole.practice.zfs.property_values import ListedObject, Space, value_of

_ARGUMENTS: Final = 2  # a pool and a file; what follows is the program's
_FAILED: Final = "Channel program execution failed:"
_FRAMES: Final = "stack traceback:\n\t[C]: in function 'error'"
_GUIDS: Final = 1 << 64
_SIGN: Final = 1 << 63
_UNKNOWN_DATASET: Final = "no such dataset"


def program(world: World, args: Sequence[str]) -> Reply:
    """Answer `zfs program`."""
    call = RunningSubcommand(world, "program", args, "jnt:m:")
    if len(call.operands) < _ARGUMENTS:
        raise call.misused("invalid number of arguments")
    pool_name, file, *words = call.operands
    for letter in ("t", "m"):
        limit = call.options.last(letter)
        if limit is not None and not limit.isdigit():
            raise call.misused(f"invalid argument '{limit}': expected integer")
    if file != "-":
        raise call.failed(f"cannot open '{file}': No such file or directory")
    pool = world.pools.get(pool_name)
    if pool is None:
        raise call.failed(f"cannot open '{pool_name}': no such pool\ncannot open pool '{pool_name}'")
    if world.user_id != 0 or not world.runs_programs:
        raise call.failed(f"{_FAILED}\nPermission denied. Channel programs must be run as root.")
    text = world.stdin.decode("utf-8", "replace")
    given = LuaTable({"argv": LuaTable(dict(enumerate(words, start=1)))})
    library = _Library(world, pool, is_rehearsal=call.has("n"))
    try:
        values = run(text, given, library.names())
    except LuaError as error:
        if error.words.startswith("[string"):
            raise call.failed(f"{_FAILED}\n{error.words}") from error
        if library.has_changed:
            world.note(pool, " ".join(("zfs", "program", *args)))
        raise call.failed(f"{_FAILED}\n{error.words}\n{_FRAMES}") from error
    call.changed(pool)
    if call.has("j"):
        call.say(json.dumps({"return": values[0]} if values else {}))
    else:
        call.say(
            "Channel program fully executed" + (" with return value:" if values else " with no return value.")
        )
        for value in values:
            call.say(f"    return: {value}")
    return call.reply()


class _Library:
    """The functions of the table `zfs`, and `error`, `tonumber`, `tostring`."""

    def __init__(self, world: World, pool: PracticePool, *, is_rehearsal: bool) -> None:
        self._world = world
        self._pool = pool
        self._is_rehearsal = is_rehearsal
        self.has_changed = False

    def names(self) -> dict[str, Any]:
        """The global names."""
        checks = {
            "destroy": self._check_destroy,
            "rollback": self._check_rollback,
            "promote": self._check_promote,
        }
        acts = {"destroy": self._destroy, "rollback": self._roll_back, "promote": self._promote}
        lists = {
            "children": self._children,
            "snapshots": lambda name: [each.full_name for each in self._dataset(name).snapshots],
            "bookmarks": lambda name: [f"{name}#{each.name}" for each in self._dataset(name).bookmarks],
            "clones": self._clones,
        }
        zfs = {
            "exists": lambda name: (self._find(name) is not None,),
            "get_prop": self._get_prop,
            "check": LuaTable(dict(checks)),
            "sync": LuaTable({name: self._acting(checks[name], act) for name, act in acts.items()}),
            "list": LuaTable({name: _listing(found) for name, found in lists.items()}),
        }
        return {"zfs": LuaTable(dict(zfs)), "error": _error, "tonumber": _to_number, "tostring": _to_string}

    def _find(self, name: str) -> PracticeDataset | Snapshot | None:
        found = look_up(self._world, name) if pool_of(self._world, name) is self._pool else None
        return None if isinstance(found, Bookmark) else found

    def _dataset(self, name: str) -> PracticeDataset:
        found = self._find(name)
        if not isinstance(found, PracticeDataset):
            raise LuaError(f"{_UNKNOWN_DATASET} '{name}'")
        return found

    def _children(self, name: str) -> Iterable[str]:
        return [each.name for each in beneath(self._pool, self._dataset(name).name)]

    def _clones(self, name: str) -> Iterable[str]:
        found = self._find(name)
        clones = clones_of(self._pool.datasets)
        return [each.name for each in clones.get(found, [])] if isinstance(found, Snapshot) else []

    def _get_prop(self, name: str, key: str) -> tuple[Any, ...]:
        found = self._find(name)
        if found is None:
            raise LuaError(f"{_UNKNOWN_DATASET} '{name}'")
        if key == "type":
            return (kind_of(found),)
        value, source = value_of(self._item(found), key)
        if value is None or value == "-":
            return (None,)
        if isinstance(value, int) and value >= _SIGN:
            value -= _GUIDS
        return (value, source if source != "-" else None)

    def _item(self, found: PracticeDataset | Snapshot) -> ListedObject:
        if isinstance(found, Snapshot):
            return ListedObject(Space(self._pool), found.dataset, snapshot=found)
        return ListedObject(Space(self._pool), found)

    def _acting(
        self, check: Callable[[str], tuple[int]], act: Callable[[str], None]
    ) -> Callable[[str], tuple[int]]:
        def do(name: str) -> tuple[int]:
            why = check(name)
            if why[0] == 0 and not self._is_rehearsal:
                act(name)
                self.has_changed = True
            return why

        return do

    def _check_destroy(self, name: str) -> tuple[int]:
        found = self._find(name)
        if found is None:
            return (errno.ENOENT,)
        if isinstance(found, Snapshot):
            if found.holds:
                return (errno.EBUSY,)
            return (errno.EEXIST if found in clones_of(self._pool.datasets) else 0,)
        if _is_owned(found) or found.snapshots:
            return (errno.EBUSY,)
        return (errno.EEXIST if beneath(self._pool, name) else 0,)

    def _destroy(self, name: str) -> None:
        found = self._find(name)
        if isinstance(found, Snapshot):
            destroy_snapshot(self._world, self._pool, found)
        elif found is not None:
            destroy_dataset(self._world, self._pool, found)

    def _check_rollback(self, name: str) -> tuple[int]:
        found = self._find(name)
        if not isinstance(found, PracticeDataset):
            return (errno.EINVAL if found is not None else errno.ENOENT,)
        newest = found.newest
        if newest is None:
            return (errno.ESRCH,)
        if any(each.createtxg > newest.createtxg for each in found.bookmarks):
            return (errno.EEXIST,)
        return (errno.EBUSY if _is_owned(found) else 0,)

    def _roll_back(self, name: str) -> None:
        newest = self._dataset(name).newest
        if newest is not None:
            roll_back(self._world, self._pool, newest)

    def _check_promote(self, name: str) -> tuple[int]:
        found = self._find(name)
        if not isinstance(found, PracticeDataset) or found.origin is None:
            return (errno.EINVAL if found is not None else errno.ENOENT,)
        if promotion_conflict(found, found.origin) is not None:
            return (errno.EEXIST,)
        return (errno.ENOSPC if overdrawn_by_promotion(self._pool, found, found.origin) else 0,)

    def _promote(self, name: str) -> None:
        found = self._dataset(name)
        if found.origin is not None:
            promote(self._world, self._pool, found, found.origin)


def _is_owned(dataset: PracticeDataset) -> bool:
    """Whether it is mounted, or open as a device."""
    return dataset.is_busy or (dataset.kind == "filesystem" and dataset.is_mounted)


def _listing(found: Callable[[str], Iterable[str]]) -> Callable[[str], tuple[Any, ...]]:
    return lambda name: (iterator(list(found(name))),)


def _error(words: object, _level: object = None) -> tuple[()]:
    raise LuaError(str(words))


def _to_number(word: object) -> tuple[int | None]:
    if isinstance(word, int) and not isinstance(word, bool):
        return (word,)
    return (int(word),) if isinstance(word, str) and word.lstrip("-").isdigit() else (None,)


def _to_string(value: object) -> tuple[str]:
    return ("nil" if value is None else str(value).lower() if isinstance(value, bool) else str(value),)
