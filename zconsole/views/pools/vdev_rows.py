"""Vdevs of a pool as a flat list in the order of `zpool status`, each with its row of I/O."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.iostat import IoRow, IoSample
from zconsole.model.pools.pool import CLASSES, Pool, Vdev
from zconsole.views.layout.serial_in_device_name import serial_at_end

TITLES: Final = {"special": "special", "dedup": "dedup", "log": "logs", "cache": "cache", "spare": "spares"}
_WITHOUT_IO: Final = frozenset({"spare"})


@dataclass(frozen=True, slots=True)
class VdevRow:
    """Vdev in the flat list. `depth` 0 is the pool, `branches` is the prefix drawn in front of the name."""

    key: str
    vdev: Vdev
    depth: int
    branches: str
    siblings: tuple[Vdev, ...] = ()
    top: str = ""  # the top-level vdev itself, or the ancestor


def nodes(pool: Pool) -> Iterator[VdevRow | str]:
    """Every vdev; in front of each class but data, its title."""
    for vdev_class in classes(pool):
        if vdev_class != "data":
            yield TITLES.get(vdev_class, vdev_class)
        members = pool.of_class(vdev_class)
        for at, vdev in enumerate(members):
            node = VdevRow(f"{vdev_class}/{at}", vdev, 1, _branch("", at, members), members, vdev.name)
            yield from _below(node)


def cells_for_serials(order: Sequence[VdevRow | str]) -> int:
    """Cells that the tree needs, so that no serial number at the end of a name is cut."""
    return max(
        (len(each.branches) + len(serial) + 1 for each in order if isinstance(each, VdevRow)
         if (serial := serial_at_end(each.vdev.name)[0])),
        default=0,
    )  # fmt: skip


def cells_for_names(order: Sequence[VdevRow | str]) -> int:
    """Cells that the tree needs, so that no name is cut."""
    return max(
        (len(each.branches) + len(each.vdev.name) for each in order if isinstance(each, VdevRow)), default=0
    )


def classes(pool: Pool) -> tuple[str, ...]:
    """The classes that the pool has, in the order of `zpool status`; unknown ones last."""
    present = {vdev.vdev_class for vdev in pool.vdevs}
    known = tuple(each for each in CLASSES if each in present)
    return known + tuple(sorted(present - set(known)))


def _below(node: VdevRow) -> Iterator[VdevRow]:
    """The vdev and all below it."""
    yield node
    lead = node.branches[:-2] + ("  " if node.branches.endswith("└ ") else "│ ")
    children = node.vdev.children
    for at, child in enumerate(children):
        branches = _branch(lead, at, children)
        yield from _below(VdevRow(f"{node.key}/{at}", child, node.depth + 1, branches, children, node.top))


def _branch(lead: str, at: int, siblings: Sequence[Vdev]) -> str:
    """The tree prefix of a name: the lines from above, and its own corner."""
    return lead + ("└ " if at == len(siblings) - 1 else "├ ")


def io_places(order: Sequence[VdevRow], sample: IoSample) -> dict[str, int]:
    """The index in a sample of each vdev, by key.

    Both run in nearly the same order; names decide, so that a missing row does not shift the rest.
    """
    waiting = [node for node in order if node.vdev.vdev_class not in _WITHOUT_IO]
    places: dict[str, int] = {}
    at = 0
    for index, name in enumerate(sample.names[1:], start=1):
        found = _next_named(waiting, name, at)
        if found is not None:
            places[waiting[found].key] = index
            at = found + 1
    return places


def _next_named(waiting: Sequence[VdevRow], name: str, start: int) -> int | None:
    for index in chain(range(start, len(waiting)), range(start)):
        if waiting[index].vdev.name == name:
            return index
    return None


def busy_of(sample: IoSample | None, place: int | None) -> float | None:
    """The utilization of the disk of a row."""
    if sample is None or place is None or place >= len(sample.busy):
        return None
    return sample.busy[place]


def row_of(sample: IoSample | None, place: int | None) -> IoRow | None:
    """The row of a sample at an index."""
    return None if sample is None or place is None or place >= len(sample.rows) else sample.rows[place]
