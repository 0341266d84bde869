"""Whether all disks of a pool take far longer than such media do: disks slow alike have no slow peer.

N operations that come at once to a disk that serves one after the other take (1 + N) / 2 services each.
So a second with N operations of a mean latency L has shown a service of 2 L / (1 + N) or more, whatever the
queue, but for I/O of the second before. Of the printed mean the lower edge of its buckets counts.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from zconsole.analysis.slow_disks.bucket_resolution import MOST_BELOW
from zconsole.analysis.slow_disks.peer_groups import SOLID
from zconsole.analysis.slow_disks.sample_peers_load_and_exclusions import SampleContext
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.slow_disk import AllSlow

SERVICE_NS: Final = 5e7  # of an operation of a disk that rotates, or of an unknown one: two strokes and turns
SOLID_SERVICE_NS: Final = 1e7
LONG_NS: Final = 1e8  # a mean that is told though a queue may explain it
SOLID_LONG_NS: Final = 1e7
BYTES_PER_NS: Final = 0.05  # 50 MB/s: the inner tracks of an old disk
LEAST_SAMPLES: Final = 10
MOST_SAMPLES: Final = 0.8  # share of the samples with I/O that have to show it


@dataclass(slots=True)
class _Took:
    samples: int = 0
    beyond: int = 0  # of these, beyond what a queue explains
    operations: float = 0.0
    total_ns: float = 0.0
    is_solid: bool = False


class AllSlowAlike:
    """Sums of each disk of one pool."""

    def __init__(self) -> None:
        self._took: dict[Hashable, _Took] = {}

    def take_in(self, moment: SampleContext) -> None:
        """Add one sample."""
        work = moment.work
        for at, member in enumerate(moment.layout.members):
            if at in moment.left_out or not work.has_completed(at):
                continue
            seconds = moment.interval_s
            reads, writes = (
                0.0 if took is None else rate * seconds or 1.0
                for rate, took in ((work.reads[at], work.read_ns[at]), (work.writes[at], work.write_ns[at]))
            )
            operations = reads + writes
            total = (reads * (work.read_ns[at] or 0.0) + writes * (work.write_ns[at] or 0.0)) / MOST_BELOW
            size = (work.read_bytes[at] + work.write_bytes[at]) * seconds / operations
            took = self._took.setdefault(member.key, _Took(is_solid=member.kind in SOLID))
            service = SOLID_SERVICE_NS if took.is_solid else SERVICE_NS
            took.samples += 1
            took.beyond += 2 * total / operations / (1 + operations) > service + size / BYTES_PER_NS
            took.operations += operations
            took.total_ns += total

    def known(self, disks: int, seconds: float) -> AllSlow | None:
        """What is said of all disks; None where one of them is as fast as its kind, or did too little."""
        each = self._took.values()
        if len(each) < max(1, disks) or any(one.samples < LEAST_SAMPLES for one in each):
            return None
        if any(one.total_ns / one.operations < (SOLID_LONG_NS if one.is_solid else LONG_NS) for one in each):
            return None
        total, operations = sum(one.total_ns for one in each), sum(one.operations for one in each)
        return AllSlow(
            disks,
            total * MOST_BELOW / operations,
            total * MOST_BELOW / seconds / 1e9 / disks,
            all(one.is_solid for one in each),
            all(one.beyond >= MOST_SAMPLES * one.samples for one in each),
        )
