"""Media of mirrors told by their reads, where nobody says what the disks are, as in a recording.

ZFS reads a mirror of an SSD and a disk that rotates from the SSD. It balances two disks of one kind by their
queues, and a slow one still gets its share. So where every mirror of a pool has a side that is hardly read,
its disks are of two kinds, and are compared with their like only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from zconsole.analysis.slow_disks.disk_memory import DiskMemory
from zconsole.analysis.slow_disks.peer_groups import MIRROR, PeerGroups

READ_FROM: Final = "disks that ZFS reads from"
SPARED: Final = "disks that it hardly reads"
SPARED_SHARE: Final = 0.04  # of the reads of a mirror; a disk ten times slower has twice that
LEAST_READS: Final = 100.0  # of a mirror
_Key = tuple[str, str]


def media_by_reads(layout: PeerGroups, disks: Sequence[DiskMemory]) -> Mapping[_Key, str]:
    """The kinds of the disks in mirrors of unknown media, by their keys; empty where they are alike.

    Mirrors with few reads say nothing.
    """
    kinds: dict[_Key, str] = {}
    for vdev in layout.vdevs:
        members = [layout.members[at] for at in vdev]
        if members[0].shape != MIRROR or len(vdev) == 1:
            continue
        reads = [disks[at].tracks[0].operations for at in vdev]
        if sum(reads) < LEAST_READS:
            continue
        spared = [each < SPARED_SHARE * sum(reads) for each in reads]
        if not any(spared) or any(member.kind or member.exemption for member in members):
            return {}
        for member, is_spared in zip(members, spared, strict=True):
            kinds[member.key] = SPARED if is_spared else READ_FROM
    return kinds
