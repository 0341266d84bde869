"""Disks that completed nothing while their peers went on, in a recording that has no queues.

Whether such a disk held I/O is not known: it may not have been asked. Only seconds in which most of its peers
completed I/O count, and only where it had a share of the I/O before by which it would have got twenty
operations meanwhile (by chance it gets none of them in e^-20 of such times).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import replace
from statistics import median
from typing import Final

from zconsole.analysis.slow_disks.bucket_resolution import MOST_BELOW
from zconsole.analysis.slow_disks.sample_comparison import STALL_NS, STALL_RATIO
from zconsole.analysis.slow_disks.sample_peers_load_and_exclusions import SampleContext
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.slow_disk import QuietDisk

LEAST_S: Final = 3.0
SURE_S: Final = 8.0  # with late answers behind it
_EXPECTED: Final = 20.0  # operations


@dataclass(slots=True)
class _Quiet:
    operations: float = 0.0  # until it fell silent, and those of a peer meanwhile
    peers_operations: float = 0.0
    samples: int = 0  # of the present silence, with a peer's operations in it
    missed: float = 0.0
    first: int = 0
    idle: int = 0  # consecutive samples in which it completed nothing, whatever its peers did,
    since: int = 0  # from here
    told: QuietDisk | None = None  # the longest


class QuietDisks:
    """Silences of the disks of one pool, beside peers with I/O."""

    def __init__(self) -> None:
        self._quiet: dict[Hashable, _Quiet] = {}

    def take_in(self, moment: SampleContext) -> None:
        """Add one sample."""
        work, layout = moment.work, moment.layout
        for at, member in enumerate(layout.members):
            state = self._quiet.setdefault(member.key, _Quiet())
            if at in work.idle:
                state.since = state.since if state.idle else moment.number
                state.idle += 1
                continue
            if state.idle:
                self._end(moment, at, state)
            state.idle, state.samples, state.missed = 0, 0, 0.0
        for group in layout.siblings:
            did = {at: (work.reads[at] + work.writes[at]) * moment.interval_s for at in group}
            done = [at for at in group if work.has_completed(at)]
            if 2 * len(done) <= len(group) or len(group) < 2:
                continue
            usual = median(did[at] for at in done)
            for at in group:
                state = self._quiet[layout.members[at].key]
                if at not in done:
                    state.first = state.first if state.samples else moment.number
                    state.samples += 1
                    state.missed += usual
                    self._tell(moment, at, state, len(done))
                    continue
                state.operations += did[at]
                state.peers_operations += usual

    def known(self) -> Iterator[QuietDisk]:
        """The longest silence of each disk that is worth a word."""
        yield from (one.told for one in self._quiet.values() if one.told is not None)

    def _tell(self, moment: SampleContext, at: int, state: _Quiet, peers: int) -> None:
        seconds = state.samples * moment.interval_s
        share = state.operations / state.peers_operations if state.peers_operations else 0.0
        is_longer = state.told is None or seconds > state.told.seconds
        if seconds < LEAST_S or share * state.missed < _EXPECTED or not is_longer:
            return
        member = moment.layout.members[at]
        state.told = QuietDisk(member.disk, member.vdev, seconds, peers, state.missed, state.first)

    def _end(self, moment: SampleContext, at: int, state: _Quiet) -> None:
        """The first operations after a silence: late ones were held in it."""
        work, member = moment.work, moment.layout.members[at]
        for took in (work.read_ns, work.write_ns):
            latency = took[at]
            known = [other for peer in moment.peers(at) if (other := took[peer]) is not None]
            if latency is None or not known or latency < STALL_NS or latency < STALL_RATIO * median(known):
                continue
            told, seconds = state.told, state.idle * moment.interval_s
            if told is not None and told.first_sample >= state.since:
                late = max(told.late_ns, latency / MOST_BELOW)
                state.told = replace(told, late_ns=late, is_sure=told.seconds >= SURE_S and told.peers > 0)
            elif told is None and seconds >= LEAST_S:
                state.told = QuietDisk(
                    member.disk, member.vdev, seconds, 0, 0.0, state.since, latency / MOST_BELOW
                )
