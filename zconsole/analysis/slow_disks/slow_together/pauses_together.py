"""Periods in which several disks hold I/O at the same time and complete none: what they share, or the host.

A pause of a pool without I/O at its disks, as between two transaction groups, is none of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Final

from zconsole.analysis.slow_disks.peer_groups import MIRROR, JudgedDisk, PeerGroups
from zconsole.analysis.slow_disks.sample_peers_load_and_exclusions import SampleContext
from zconsole.analysis.slow_disks.stalled_disks import (
    LEAST_COUNTED_NS,
    LEAST_STALLS,
    LEAST_TOLD_NS,
    TOGETHER_S,
    WINDOW_S,
    outstanding,
)
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import joined_by_and
from zconsole.model.pools.slow_disk import Pause

OFTEN: Final = 5  # pauses, however far apart
SURE_NS: Final = 8e9  # of one pause: as long as it takes to name a single disk
_PAIR: Final = 2
_KEPT: Final = 64  # periods
_MOST_VDEVS_NAMED: Final = 4

Key = tuple[str, str]


@dataclass(slots=True)
class _Period:
    """Consecutive samples in which several disks left all of their I/O unanswered."""

    first: int
    last: int
    first_at: float
    last_at: float
    waited_ns: dict[Key, float] = field(default_factory=dict)
    outstanding: dict[Key, int] = field(default_factory=dict)  # when it had waited for so long
    answered: set[Key] = field(default_factory=set)  # that completed I/O meanwhile
    starts: set[int] = field(default_factory=set)  # of stretches without an I/O, one after the other

    @property
    def disks(self) -> frozenset[Key]:
        """Those that waited for half of the longest time or more: of others the pause is another one."""
        longest = max(self.waited_ns.values())
        return frozenset(key for key, waited in self.waited_ns.items() if 2 * waited >= longest)

    @property
    def longest_ns(self) -> float:
        """Time for which none of these disks answered, at least."""
        return min(self.waited_ns[key] for key in self.disks)


class PausesTogether:
    """Pauses that disks of one pool have at the same time."""

    def __init__(self) -> None:
        self._periods: list[_Period] = []

    def take_in(self, moment: SampleContext, waits: Mapping[int, float]) -> None:
        """Record a sample; `waits` are the nanoseconds for which disks left all I/O unanswered."""
        if len(waits) < _PAIR:
            return
        members, work = moment.layout.members, moment.work
        keys = {members[at].key for at in waits}
        period = self._periods[-1] if self._periods else None
        if (
            period is None
            or moment.number - period.last > moment.samples(TOGETHER_S)
            or len(keys & period.waited_ns.keys()) < _PAIR
        ):
            waited = min(moment.disks[at].silent for at in waits) - 1
            first_at = moment.at - waited * moment.interval_s
            period = _Period(max(0, moment.number - waited), moment.number, first_at, moment.at)
            self._periods.append(period)
            del self._periods[:-_KEPT]
        period.last, period.last_at = moment.number, moment.at
        long = [moment.disks[at].silent for at in waits if waits[at] >= LEAST_COUNTED_NS]
        if len(long) >= _PAIR:
            period.starts.add(moment.number - min(long))
        for at, waited_ns in waits.items():
            if waited_ns >= period.waited_ns.get(members[at].key, 0.0):
                period.waited_ns[members[at].key] = waited_ns
                period.outstanding[members[at].key] = outstanding(moment, at)
        period.answered.update(member.key for at, member in enumerate(members) if work.has_completed(at))

    def known(self, layout: PeerGroups, now: int, window: float, interval_s: float) -> Iterator[Pause]:
        """Pauses whose end is at most `window` samples ago, those of about the same disks as one."""
        groups: list[list[_Period]] = []
        for period in self._periods:
            if now - period.last > window or len(period.disks) < _PAIR or period.longest_ns < LEAST_TOLD_NS:
                continue
            alike = (each for each in groups if _are_alike(each[0].disks, period.disks))
            group = next(alike, None)
            if group is None:
                groups.append([period])
            else:
                group.append(period)
        yield from (_pause(group, layout, now, WINDOW_S / interval_s) for group in groups)


def _are_alike(these: frozenset[Key], those: frozenset[Key]) -> bool:
    return 2 * len(these & those) >= len(these | those)


def _pause(periods: Sequence[_Period], layout: PeerGroups, now: int, window: float) -> Pause:
    longest = max(periods, key=lambda one: one.longest_ns)
    disks = frozenset().union(*(one.disks for one in periods))
    answered = set().union(*(one.answered for one in periods)) - disks
    members = [member for member in layout.members if member.key in disks]
    first, last = periods[0], periods[-1]
    return Pause(
        tuple(member.disk for member in members),
        _which(members, layout.members),
        sum(max(1, len(one.starts)) for one in periods),
        longest.longest_ns,
        sum(longest.outstanding[key] for key in longest.disks),
        first.first,
        last.last,
        first.first_at,
        last.last_at,
        is_ongoing=last.last >= now - 1,
        is_sure=longest.longest_ns >= SURE_NS or _are_many(periods, window),
        answered=tuple(member.disk for member in layout.members if member.key in answered),
    )


def _are_many(periods: Sequence[_Period], window: float) -> bool:
    """Whether there were three within a minute, or so many that one more is to be expected."""
    long = [one for one in periods if one.longest_ns >= LEAST_COUNTED_NS]
    starts = sorted(start for one in long for start in one.starts or {one.first})
    pairs = zip(starts, starts[LEAST_STALLS - 1 :], strict=False)
    return len(starts) >= OFTEN or any(last - first <= window for first, last in pairs)


def _which(paused: Sequence[JudgedDisk], members: Sequence[JudgedDisk]) -> str:
    """The disks by what they have in common: `all 6 disks`, `one disk of each of mirror-0 and mirror-1`."""
    if len(paused) == len(members):
        return f"all {len(members)} disks"
    of, sizes = Counter(one.vdev for one in paused), Counter(one.vdev for one in members)
    vdevs = joined_by_and([*of]) if len(of) <= _MOST_VDEVS_NAMED else f"{len(of)} vdevs"
    if all(of[vdev] == sizes[vdev] for vdev in of):
        return f"all {len(paused)} disks of {vdevs}"
    if len(of) > 1 and {*of.values()} == {1} and all(one.shape == MIRROR for one in paused):
        return f"one disk of each of {vdevs}"
    if len(of) == 1:
        return f"{len(paused)} of {sizes[paused[0].vdev]} disks of {paused[0].vdev}"
    return f"{len(paused)} of {len(members)} disks"
