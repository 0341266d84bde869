"""Kernel messages of one disk, and what they say of the disk and of the way to it."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Container, Iterator, Sequence
from itertools import pairwise
from typing import Final

from zconsole.analysis.vdevs.smart_assessment import Blame
from zconsole.base.fixed_width_formatting import MINUTE, moment
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.kernel_message import KernelMessage, MessageKind
from zconsole.model.pools.shelf_and_disk_path import DiskPath

_NVME: Final = re.compile(r"(nvme\d+)n\d+", re.ASCII)
_TROUBLE: Final = (
    *(MessageKind.MEDIUM, MessageKind.HARDWARE, MessageKind.CRC, MessageKind.RESET),
    *(MessageKind.TIMEOUT, MessageKind.IO, MessageKind.GONE),
)
_TAG: Final = re.compile(r"\btag#(\d{1,9})\b", re.ASCII)  # of a command in the SCSI layer's messages
_OF_BLOCK_LAYER: Final = re.compile(
    r"(?:critical \w{1,20} error|I/O error|Buffer I/O error on),? dev ", re.ASCII
)
_OF_PAGE: Final = "Buffer I/O error"
_TOGETHER_S: Final = 1.0  # messages of one failed command follow each other at once
_OF_THE_DISK: Final = frozenset({MessageKind.MEDIUM, MessageKind.HARDWARE})
OF_THE_WAY: Final = frozenset({MessageKind.CRC, MessageKind.RESET, MessageKind.GONE})
FEW: Final = 2  # a reset or two come with a boot or a plug
QUIET_S: Final = 86_400.0  # trouble after a pause so long is told for itself
RECENT_S: Final = 7 * 86_400.0  # older trouble is no evidence on what happens now
_TIME: Final = MINUTE


@dataclass(frozen=True, slots=True)
class KernelEvidence:
    """Trouble in the kernel's messages of a disk. `blame` is None where they do not tell."""

    messages: tuple[KernelMessage, ...]  # of the disk that is there now, oldest first
    counts: tuple[tuple[MessageKind, int], ...]  # of trouble, worst first
    first_at: float  # epoch seconds
    last_at: float
    blame: Blame | None = None

    def recent(self, now: float) -> KernelEvidence | None:
        """The same since the last day without trouble; None where all of it is old."""
        times = [each.at for each in self.messages if each.kind in _TROUBLE]
        begins = [at for before, at in pairwise(times) if at - before > QUIET_S]
        since = begins[-1] if begins else self.first_at
        return (
            evidence_in([each for each in self.messages if each.at >= since])
            if self._is_recent(now)
            else None
        )

    def _is_recent(self, now: float) -> bool:
        return now - self.last_at <= RECENT_S

    def counted(self, kinds: Container[MessageKind]) -> Iterator[str]:
        """`5 link resets`, of some kinds of trouble."""
        return (_counted(kind, number) for kind, number in self.counts if kind in kinds)

    @property
    def in_words(self) -> str:
        """`3 medium errors, 1 link reset, 2026-11-23 02:08 to 02:14 UTC`."""
        counts = ", ".join(_counted(kind, number) for kind, number in self.counts)
        first, last = moment(self.first_at, _TIME), moment(self.last_at, _TIME)
        if first == last:
            return f"{counts}, {first} UTC"
        until = last[-5:] if first[:10] == last[:10] else last
        return f"{counts}, {first} to {until} UTC"


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
        return evidence_in(self.of(disk, path))


def evidence_in(own: Sequence[KernelMessage]) -> KernelEvidence | None:
    """What messages of one disk say of it; None where they tell of no trouble."""
    trouble = [each for each in own if each.kind in _TROUBLE]
    if not trouble:
        return None
    counted = Counter(_events(own))
    if counted.keys() == {MessageKind.RESET} and counted[MessageKind.RESET] <= FEW:
        return None
    counts = tuple((kind, counted[kind]) for kind in _TROUBLE if counted[kind])
    return KernelEvidence(tuple(own), counts, trouble[0].at, trouble[-1].at, _blame(counted))


def _counted(kind: MessageKind, number: int) -> str:
    if kind is MessageKind.GONE:
        return "the disk was lost" + (f" {number} times" if number > 1 else "")
    return f"{number} {kind.value}{'s' if number != 1 else ''}"


def _events(messages: Sequence[KernelMessage]) -> Iterator[MessageKind]:
    """The kind of each trouble: the worst of the messages about one failed command."""
    of_command: list[KernelMessage] = []
    for each in messages:
        if of_command and not _continues(of_command, each):
            yield from _worst(of_command)
            of_command = []
        of_command.append(each)
    yield from _worst(of_command)


def _worst(messages: Sequence[KernelMessage]) -> Iterator[MessageKind]:
    kinds = {each.kind for each in messages}
    yield from [kind for kind in _TROUBLE if kind in kinds][:1]


def _continues(before: Sequence[KernelMessage], message: KernelMessage) -> bool:
    """Whether a message is about the same command: the SCSI layer tells of it, then the block layer."""
    if message.at - before[-1].at > _TOGETHER_S:
        return False
    first, tag = _TAG.search(before[0].text), _TAG.search(message.text)
    is_told = any(_OF_BLOCK_LAYER.search(each.text) for each in before)
    if _OF_BLOCK_LAYER.search(message.text):
        return is_told if message.text.startswith(_OF_PAGE) else first is not None and not is_told
    return first is not None and tag is not None and first[1] == tag[1] and not is_told


def _blame(counted: Counter[MessageKind]) -> Blame | None:
    """The disk if it says so itself; else the way to it, by damaged transfers or by resets without timeouts.

    The kernel resets a disk that does not answer in time, whatever the reason is.
    """
    if any(counted[kind] for kind in _OF_THE_DISK):
        return Blame.DISK
    is_reset = not counted[MessageKind.TIMEOUT] and sum(counted[kind] for kind in OF_THE_WAY) > FEW
    return Blame.CABLE if counted[MessageKind.CRC] or is_reset else None


def _names(disk: Disk, path: DiskPath | None) -> Iterator[str]:
    yield disk.name
    if disk.hctl:
        yield disk.hctl
    if path is not None and path.ata_port:
        yield path.ata_port
    if found := _NVME.fullmatch(disk.name):
        yield found[1]
