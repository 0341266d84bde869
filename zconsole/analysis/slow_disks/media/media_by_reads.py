"""Media of mirrors told by their reads, where nobody says what the disks are, as in a recording.

ZFS reads a mirror of an SSD and a disk that rotates from the SSD. It balances disks of one kind by their
queues: one that is so many times slower gets so many times fewer reads. So where every mirror of a pool has a
side that answers as flash does and another one that is hardly read, its disks are of two kinds, and are
compared with their like only. Disks that are read and take longer than flash are compared with all others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from zconsole.analysis.slow_disks.accumulated_evidence import READS
from zconsole.analysis.slow_disks.disk_memory import DiskMemory
from zconsole.analysis.slow_disks.media.media_by_latency import FASTEST_ROTATING_NS
from zconsole.analysis.slow_disks.peer_groups import MIRROR, PeerGroups
from zconsole.base.fixed_width_formatting import latency
from zconsole.base.name_lists import shortened
from zconsole.model.finding import Finding, Severity

READ_FROM: Final = "disks that ZFS reads from"
SPARED: Final = "disks that it hardly reads"
SPARED_TIMES: Final = 24.0  # fewer reads than the disk of its mirror with the most, in a mirror of any width
LEAST_READS: Final = 100.0  # of a mirror
_MOST_NAMED: Final = 8
_Key = tuple[str, str]


def media_by_reads(layout: PeerGroups, disks: Sequence[DiskMemory]) -> Mapping[_Key, str]:
    """The kinds of the disks in mirrors of unknown media, by their keys; empty where they are alike.

    Mirrors with few reads say nothing, and neither does a disk that has completed nothing: it may hang.
    """
    kinds: dict[_Key, str] = {}
    for vdev in layout.vdevs:
        members = [layout.members[at] for at in vdev]
        if members[0].shape != MIRROR or len(vdev) == 1:
            continue
        reads = [disks[at].tracks[READS].operations for at in vdev]
        if sum(reads) < LEAST_READS:
            continue
        spared = [SPARED_TIMES * each < max(reads) for each in reads]
        if not any(spared) or any(member.kind or member.exemption for member in members):
            return {}
        for at, is_spared in zip(vdev, spared, strict=True):
            if not (disks[at].is_known if is_spared else _reads_as_flash(disks[at])):
                return {}
            kinds[layout.members[at].key] = SPARED if is_spared else READ_FROM
    return kinds


def hardly_read(
    pool: str, layout: PeerGroups, disks: Sequence[DiskMemory], kinds: Mapping[_Key, str]
) -> Iterator[Finding]:
    """What else it can be than two kinds of disks, for each mirror: a side that is far slower."""
    for vdev in layout.vdevs:
        sides: dict[str, list[int]] = {SPARED: [], READ_FROM: []}
        for at in vdev:
            if (kind := kinds.get(layout.members[at].key)) in sides:
                sides[str(kind)].append(at)
        if not all(sides.values()):
            continue
        spared, read_from = (
            tuple(layout.members[at].disk for at in sides[kind]) for kind in (SPARED, READ_FROM)
        )
        name = layout.members[vdev[0]].vdev
        took_ns = max(disks[at].tracks[READS].last_ns or 0.0 for at in sides[READ_FROM])
        yield Finding(
            "mixed-vdev",
            Severity.INFO,
            f"{pool} {name}",
            f"{name} has {READ_FROM} ({shortened(read_from, _MOST_NAMED)}: {latency(took_ns)}, as flash "
            f"answers) beside {SPARED} ({shortened(spared, _MOST_NAMED)}{_taking(disks, sides[SPARED])}): it "
            "writes as slowly as the slowest of them, and they are not compared. What they are is not known; "
            "if all are of one kind, the latter are slow",
            {"pool": pool, "vdev": name, "kinds": (READ_FROM, SPARED), "slow": spared, "fast": read_from},
        )


def _reads_as_flash(state: DiskMemory) -> bool:
    took_ns = state.tracks[READS].last_ns
    return took_ns is not None and took_ns < FASTEST_ROTATING_NS


def _taking(disks: Sequence[DiskMemory], spared: Sequence[int]) -> str:
    """`: reads 8.0 ms`, of the slowest of them; nothing where none was read of late."""
    took = [ns for at in spared if (ns := disks[at].tracks[READS].last_ns) is not None]
    return f": reads {latency(max(took))}" if took else ""
