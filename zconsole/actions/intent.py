"""Intent of a user, before anything is known of its feasibility."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Final

from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import pool_of
from zconsole.model.finding import ProposedAction
from zconsole.model.pools.pool import Pool, Vdev

OptionValue = str | bool | int
OF_GUESTS: Final = "guest-"  # how the actions begin whose target is a guest, and no object of ZFS


class TargetKind(Enum):
    """Type of an action's target."""

    HOST = "host"
    POOL = "pool"
    VDEV = "vdev"  # a top-level vdev with devices
    LEAF = "device"  # a device of a pool
    DISK = "disk"  # a block device of the host, in a pool or not
    FILESYSTEM = "filesystem"
    VOLUME = "volume"
    SNAPSHOT = "snapshot"
    BOOKMARK = "bookmark"
    FILE = "file"  # file or folder in a snapshot
    GUEST = "guest"  # a virtual machine of libvirt


DATASETS = frozenset({TargetKind.FILESYSTEM, TargetKind.VOLUME})


@dataclass(frozen=True, slots=True)
class Target:
    """Object on the screen for which actions are offered."""

    kind: TargetKind
    pool: str  # "" for the host, for an unused disk and for a guest
    name: str  # name of dataset, snapshot, pool, host, vdev or guest; most stable path of a disk
    guid: int | None = None
    path: str = ""  # of a file in the snapshot `name`, relative to the root of its file system


@dataclass(frozen=True, slots=True)
class Intent:
    """Action with its words. Plain values, saved with its plan.

    `target` is the first word (a pool, a dataset, a snapshot), `arguments` the further ones in the order of
    the action's specification, `options` names and values of the given ones, sorted by name.
    """

    action: str
    target: str
    arguments: tuple[str, ...] = ()
    options: tuple[tuple[str, OptionValue], ...] = ()

    @property
    def pool(self) -> str:
        """The pool that is the target or contains it; "" for a guest."""
        return "" if self.action.startswith(OF_GUESTS) else pool_of(self.target)

    def argument(self, index: int) -> str:
        """A further word, or an empty string."""
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
    """Make an intent; options that are off count as not given."""
    given = {name: value for name, value in (options or {}).items() if value is not False and value != ""}
    return Intent(action, target, arguments, tuple(sorted(given.items())))


def proposed_intent(action: ProposedAction) -> Intent:
    """The intent of an action that advice proposes; its last arguments may be missing."""
    return Intent(action.action, action.target, action.arguments, tuple(sorted(action.options)))


def target_of_pool(pool: str) -> Target:
    """The pool itself."""
    return Target(TargetKind.POOL, pool, pool)


def target_of_vdev(pool: Pool, vdev: Vdev) -> Target:
    """A vdev of a pool."""
    return Target(TargetKind.LEAF if vdev.is_leaf else TargetKind.VDEV, pool.name, vdev.name, vdev.guid)


def refuse_surplus_arguments(intent: Intent, most: int) -> None:
    """Raise UsageError for surplus words."""
    if len(intent.arguments) > most:
        raise UsageError(f"{intent.action} does not take the argument {intent.arguments[most]!r}")
