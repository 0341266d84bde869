"""What a user wants, before anything is known of whether it can be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from zconsole.model.names import pool_of

OptionValue = str | bool | int


class TargetKind(Enum):
    """What an action is done to."""

    HOST = "host"
    POOL = "pool"
    VDEV = "vdev"  # a top-level vdev with devices below it
    LEAF = "device"  # a device that serves in a pool
    DISK = "disk"  # a block device of the host, in a pool or not
    FILESYSTEM = "filesystem"
    VOLUME = "volume"
    SNAPSHOT = "snapshot"
    BOOKMARK = "bookmark"
    FILE = "file"  # or folder, in a snapshot


DATASETS = frozenset({TargetKind.FILESYSTEM, TargetKind.VOLUME})


@dataclass(frozen=True, slots=True)
class Target:
    """One object on the screen: what actions are offered for."""

    kind: TargetKind
    pool: str  # "" for the host and for a disk of no pool
    name: str  # the dataset's, snapshot's, pool's or host's name; a vdev's name; a disk's most stable path
    guid: int | None = None
    path: str = ""  # of a file in the snapshot `name`, from the root of its file system


@dataclass(frozen=True, slots=True)
class Intent:
    """An action of the catalogue with its words. Plain values: it is saved with its plan.

    `target` is the first word (a pool, a dataset, a snapshot), `arguments` the further ones in the
    order of the action's specification, `options` name and value of those given, sorted by name.
    """

    action: str
    target: str
    arguments: tuple[str, ...] = ()
    options: tuple[tuple[str, OptionValue], ...] = ()

    @property
    def pool(self) -> str:
        """The pool that the target is, or lives in."""
        return pool_of(self.target)

    def argument(self, index: int) -> str:
        """A further word, or nothing."""
        return self.arguments[index] if index < len(self.arguments) else ""

    def flag(self, name: str) -> bool:
        """Whether an option was given."""
        return bool(dict(self.options).get(name, False))

    def text(self, name: str) -> str | None:
        """An option's value as text, or None."""
        value = dict(self.options).get(name)
        return None if value is None or isinstance(value, bool) else str(value)


def intent(
    action: str, target: str, *arguments: str, options: Mapping[str, OptionValue] | None = None
) -> Intent:
    """Make one; options that are off are the same as options not given."""
    given = {name: value for name, value in (options or {}).items() if value is not False and value != ""}
    return Intent(action, target, arguments, tuple(sorted(given.items())))
