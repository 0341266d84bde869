"""The text of a named kstat, as /proc/spl/kstat shows it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from zconsole.practice.world.host_world import World

BYTES_PER_ENTRY: Final = 272
OF_MODULE_NS: Final = 74_293_149_921  # when the kstats of the module were made
OF_POOL_NS: Final = 177_003_631_744
SIGNED: Final = 3  # the type of a signed number, and of an unsigned one
UNSIGNED: Final = 4


def now_ns(world: World) -> int:
    """Nanoseconds since the host started."""
    return int((world.uptime + world.elapsed) * 1e9)


def head(world: World, number: int, entries: int, *, size: int = 0, created_ns: int = OF_MODULE_NS) -> str:
    """The two lines above the entries."""
    now, size = now_ns(world), size or entries * BYTES_PER_ENTRY
    return f"{number} 1 0x01 {entries} {size} {min(now, created_ns)} {now}\n{'name':<31} type data\n"


def rows(names: Iterable[str], values: Mapping[str, int], signed: Collection[str] = ()) -> str:
    """A line for each name; a name without a value is 0."""
    return "".join(
        f"{name:<31} {SIGNED if name in signed else UNSIGNED}    {values.get(name, 0)}\n" for name in names
    )
