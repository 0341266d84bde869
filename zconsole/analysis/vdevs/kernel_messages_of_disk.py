"""Kernel messages of one disk, and what they say of the disk and of the way to it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from zconsole.analysis.vdevs.smart_assessment import Blame
from zconsole.model.pools.disk import Disk
from zconsole.model.pools.kernel_message import KernelMessage, MessageKind
from zconsole.model.pools.shelf import DiskPath

_NVME: Final = re.compile(r"(nvme\d+)n\d+", re.ASCII)
_TROUBLE: Final = (
    *(MessageKind.MEDIUM, MessageKind.HARDWARE, MessageKind.CRC, MessageKind.RESET),
    *(MessageKind.TIMEOUT, MessageKind.IO, MessageKind.GONE),
)
_OF_THE_DISK: Final = frozenset({MessageKind.MEDIUM, MessageKind.HARDWARE})
_OF_THE_WAY: Final = frozenset({MessageKind.CRC, MessageKind.RESET, MessageKind.GONE})
FEW: Final = 2  # a reset or two come with a boot or a plug


@dataclass(frozen=True, slots=True)
class KernelEvidence:
    """Trouble in the kernel's messages of a disk. `blame` is None where they do not tell."""

    messages: tuple[KernelMessage, ...]  # of the disk that is there now, oldest first
    counts: tuple[tuple[MessageKind, int], ...]  # of trouble, worst first
    first_at: float  # epoch seconds
    last_at: float
    blame: Blame | None = None


class KernelLog:
    """Messages of a host, looked up by the names of a disk."""

    def __init__(self, messages: Sequence[KernelMessage]) -> None:
        self._messages = messages
        self._places: defaultdict[str, list[int]] = defaultdict(list)
        for at, each in enumerate(messages):
            for name in each.names:
                self._places[name].append(at)

    def of(self, disk: Disk, path: DiskPath | None) -> tuple[KernelMessage, ...]:
        """Messages of a disk since it was attached: its kernel name was another disk's before."""
        places = sorted({at for name in _names(disk, path) for at in self._places.get(name, ())})
        found = [self._messages[at] for at in places]
        arrivals = [
            at
            for at, each in enumerate(found)
            if each.kind is MessageKind.ARRIVED and disk.name in each.names
        ]
        return tuple(found[arrivals[-1] :] if arrivals else found)

    def evidence(self, disk: Disk, path: DiskPath | None) -> KernelEvidence | None:
        """What the messages say of a disk; None where they tell of no trouble."""
        own = self.of(disk, path)
        trouble = [each for each in own if each.kind in _TROUBLE]
        counted = Counter(each.kind for each in trouble)
        if not trouble or (counted.keys() == {MessageKind.RESET} and len(trouble) <= FEW):
            return None
        counts = tuple((kind, counted[kind]) for kind in _TROUBLE if counted[kind])
        return KernelEvidence(own, counts, trouble[0].at, trouble[-1].at, _blame(counted))


def _blame(counted: Counter[MessageKind]) -> Blame | None:
    """The disk if it says so itself; the way to it by damaged transfers or resets without that."""
    if any(counted[kind] for kind in _OF_THE_DISK):
        return Blame.DISK
    if counted[MessageKind.CRC] or sum(counted[kind] for kind in _OF_THE_WAY) > FEW:
        return Blame.CABLE
    return None


def _names(disk: Disk, path: DiskPath | None) -> Iterator[str]:
    yield disk.name
    if disk.hctl:
        yield disk.hctl
    if path is not None and path.ata_port:
        yield path.ata_port
    if found := _NVME.fullmatch(disk.name):
        yield found[1]
