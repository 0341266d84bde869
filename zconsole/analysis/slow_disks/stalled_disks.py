"""Detection of stalled disks, with repeated pauses or a permanent hang.

A disk that had work at the end of two intervals and completed nothing between made a program wait longer than
an interval, whatever the means say. In a mirror or raidz it stalls the whole pool.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import Final

from zconsole.analysis.slow_disks.accumulated_evidence import READS, WRITES
from zconsole.analysis.slow_disks.bucket_resolution import MOST_BELOW
from zconsole.analysis.slow_disks.disk_memory import DiskMemory, Stall
from zconsole.analysis.slow_disks.peer_groups import MIRROR, PeerGroups
from zconsole.analysis.slow_disks.peer_score import MOST
from zconsole.analysis.slow_disks.sample_comparison import STALL_NS, Round
from zconsole.analysis.slow_disks.sample_peers_load_and_exclusions import SampleContext
from zconsole.analysis.slow_disks.slow_episodes import is_beyond_chance
from zconsole.model.pools.slow_disk import AFTER_REST, STRIPED, TRIM, Pause
from zconsole.zfs.iostat.read_disk_performance_as_columns import queued

TOGETHER_S: Final = 5.0  # stalls closer than this are one
WINDOW_S: Final = 60.0
LEAST_STALLS: Final = 3  # within the window; one or two can happen to any disk
LEAST_PAUSE_NS: Final = STALL_NS
LEAST_TOLD_NS: Final = STALL_NS / MOST_BELOW  # as a lower bound, of a pause that is no verdict
LEAST_COUNTED_NS: Final = 2e9  # of a pause that counts as one of several
LEAST_TRIM_NS: Final = 1e10  # a TRIM may take seconds
HANGS_NS: Final = 4e9  # longer than any pause below 5 s can show: from here each sample is evidence
QUIET_S: Final = 20.0  # without any I/O, while most of its vdev has some
BUSY_OPERATIONS: Final = 10.0  # recent ones of a disk
_KEPT: Final = 32  # stalls kept per disk
_UNKNOWN_NS: Final = 1e7  # assumed latency when nothing is known of the peers


def watch(moment: SampleContext, rounds: Sequence[Round]) -> Mapping[int, float]:
    """Record stalls in this sample; `rounds` are its comparisons of reads and writes.

    Returns all disks that left all of their I/O unanswered for a second or more, with the nanoseconds.
    """
    everything = _waits(moment)
    waits = {disk: waited for disk, waited in everything.items() if disk not in moment.waking}
    common = _in_common(moment, waits)
    for disk, waited in everything.items():
        is_excused = disk in common or disk in moment.waking
        stalls = moment.disks[disk].excused if is_excused else moment.disks[disk].stalls
        _note(moment, disk, stalls, waited, _reference_ns(moment, disk), outstanding(moment, disk))
        if disk in moment.waking:
            moment.disks[disk].rested = stalls[-1]
        elif waited >= HANGS_NS and not is_excused:
            _blame(moment, rounds, disk)
    late = {disk: (took / MOST_BELOW, reference) for each in rounds for disk, took, reference in each.late}
    for disk in late.keys() - _in_common(moment, late):
        _note(moment, disk, moment.disks[disk].stalls, *late[disk], 0)
    _note_trims(moment)
    return waits


def outstanding(moment: SampleContext, disk: int) -> int:
    """I/Os that a disk has, or that are queued for it."""
    return queued(moment.sample.rows[moment.layout.places[disk]])


def hang(state: DiskMemory) -> Stall | None:
    """The last stall, if it was so long that each of its samples was evidence."""
    return state.stalls[-1] if state.stalls and state.stalls[-1].longest_ns >= HANGS_NS else None


def paused_alone(
    layout: PeerGroups, disks: Sequence[DiskMemory], at: Collection[int], now: int
) -> Iterator[Pause]:
    """Of these disks, those that left I/O waiting, too seldom for a verdict or with an excuse."""
    for disk in at:
        state, name = disks[disk], layout.members[disk].disk
        stalls = state.stalls or state.excused
        longest = max(stalls, key=lambda one: one.longest_ns, default=None)
        if longest is None or longest.longest_ns < LEAST_TOLD_NS:
            continue
        first, last = stalls[0], stalls[-1]
        long = {other: _long(disks[other]) for other in layout.kin[layout.kin_of[disk]]}
        is_sure = is_beyond_chance(long[disk], sum(long.values()), len(long))
        yield Pause(
            (name,),
            name,
            len(stalls),
            longest.longest_ns,
            longest.outstanding,
            first.first,
            last.last,
            first.first_at,
            last.last_at,
            is_ongoing=bool(disks[disk].silent) and last.last >= now - 1,
            is_sure=is_sure,
            answered=tuple(sorted(set.intersection(*(one.answered for one in stalls)))),
            what=AFTER_REST if longest is state.rested else "",
        )


def trims_held(layout: PeerGroups, disks: Sequence[DiskMemory], now: int) -> Iterator[Pause]:
    """Disks that held a TRIM for long and completed none."""
    for at, state in enumerate(disks):
        held, name = state.trim, layout.members[at].disk
        if held is not None and held.longest_ns >= LEAST_TRIM_NS:
            is_now = bool(state.trims) and held.last >= now - 1
            span = (held.first, held.last, held.first_at, held.last_at)
            yield Pause((name,), name, 1, held.longest_ns, held.outstanding, *span, is_now, what=TRIM)


def _note_trims(moment: SampleContext) -> None:
    """Note the disks with a TRIM at them that completed none in this sample."""
    holding = moment.work.holding_trim
    for at, state in enumerate(moment.disks):
        if at not in holding:
            state.trims = 0
            continue
        state.trims += 1
        waited = (state.trims - 1) * moment.interval_s * 1e9
        if state.trim is None or waited >= state.trim.longest_ns:
            first = max(0, moment.number - state.trims + 1)
            first_at = moment.at - (moment.number - first) * moment.interval_s
            active = moment.sample.rows[moment.layout.places[at]].queues.trim_active
            state.trim = Stall(first, moment.number, first_at, moment.at, waited, 0.0, active)


def _long(state: DiskMemory) -> int:
    return sum(1 for stall in state.stalls if stall.longest_ns >= LEAST_COUNTED_NS)


def recent(stalls: Sequence[Stall], now: float, window: float) -> Sequence[Stall]:
    """Stalls for a verdict: from the first of three or more within a window on.

    `now` and `window` are in samples; empty when the last is older than a window.
    """
    if not stalls or now - stalls[-1].last > window:
        return ()
    for at in range(len(stalls) - LEAST_STALLS + 1):
        if stalls[at + LEAST_STALLS - 1].first - stalls[at].first <= window:
            return stalls[at:]
    return ()


def _waits(moment: SampleContext) -> dict[int, float]:
    """Minimum time for which disks have left all work unanswered; nanoseconds."""
    found: dict[int, float] = {}
    work = moment.work
    waiting = (work.reading | work.writing) - moment.layout.exempt
    for at, disk in enumerate(moment.disks):
        if disk.silent and at not in waiting:
            disk.silent = 0
    for at in sorted(waiting):
        disk = moment.disks[at]
        disk.silent += 1
        waited = (disk.silent - 1) * moment.interval_s * 1e9
        if waited >= LEAST_PAUSE_NS:
            found[at] = waited
    return found


def _in_common(moment: SampleContext, disks: Iterable[int]) -> set[int]:
    """Those that are half of their kind or more: a shared cause, or the host."""
    by_kin: dict[int, set[int]] = {}
    for disk in disks:
        by_kin.setdefault(moment.layout.kin_of[disk], set()).add(disk)
    common: set[int] = set()
    for kin, found in by_kin.items():
        if len(found) > 1 and 2 * len(found) >= len(moment.layout.kin[kin]):
            common |= found
    return common


def _note(  # noqa: PLR0913, PLR0917 - what is known of it
    moment: SampleContext,
    disk: int,
    stalls: list[Stall],
    waited_ns: float,
    reference_ns: float,
    waiting: int,
) -> None:
    """Record a stall, or extend the last one; `waiting` I/Os are outstanding, 0 if some were completed."""
    began, work = moment.number - moment.disks[disk].silent, moment.work
    answered = {moment.layout.members[peer].disk for peer in moment.peers(disk) if work.has_completed(peer)}
    if stalls and moment.number - stalls[-1].last <= moment.samples(TOGETHER_S):
        stall = stalls[-1]
        stall.last, stall.last_at = moment.number, moment.at
        if waited_ns >= stall.longest_ns:
            stall.longest_ns, stall.outstanding = waited_ns, waiting
        stall.answered |= answered
        return
    first = max(0, min(began + 1, moment.number))
    first_at = moment.at - (moment.number - first) * moment.interval_s
    span = (first, moment.number, first_at, moment.at)
    stalls.append(Stall(*span, waited_ns, reference_ns, waiting, answered))
    del stalls[:-_KEPT]


def _blame(moment: SampleContext, rounds: Sequence[Round], disk: int) -> None:
    """Count a sample without an answer as the clearest evidence."""
    state = moment.disks[disk]
    kind = READS if disk in moment.work.reading else WRITES
    suspicion = state.tracks[kind].add(moment.number, moment.at, MOST * moment.pace)
    if suspicion is None:
        return
    if suspicion.samples == 1:
        suspicion.first = max(0, moment.number - state.silent + 1)
        suspicion.first_at = moment.at - (moment.number - suspicion.first) * moment.interval_s
    rounds[kind].note_unanswered(suspicion, disk, moment.pace)


def _reference_ns(moment: SampleContext, disk: int) -> float:
    """Last latency of the peers."""
    known = [
        took
        for peer in moment.peers(disk)
        for track in moment.disks[peer].tracks
        if (took := track.last_ns) is not None
    ]
    return median(known) if known else _UNKNOWN_NS


def nothing_done(
    layout: PeerGroups, disks: Sequence[DiskMemory], at: int, number: int, interval_s: float
) -> str:
    """Why a disk is not judged that does nothing while its vdev works; empty for any other.

    A raidz and a draid write to all of their disks. One that was never asked, or is out, has no I/O to wait
    for: no stall is seen.
    """
    if layout.members[at].shape == MIRROR:
        return _not_written(layout, disks, at, number, interval_s)
    if not layout.members[at].shape.startswith(STRIPED):
        return ""
    quiet_s = (number - 1 - _last(disks[at])) * interval_s
    beside = [other for other in layout.siblings[layout.siblings_of[at]] if other != at]
    busy = [other for other in beside if disks[other].carried(number - 1)[0] >= BUSY_OPERATIONS]
    if quiet_s < QUIET_S or len(beside) < 2 or 2 * len(busy) <= len(beside):
        return ""
    return (
        f"no I/O in the last {quiet_s:.0f} s, while the others of {layout.members[at].vdev} had some: see "
        "whether it answers"
    )


def _not_written(
    layout: PeerGroups, disks: Sequence[DiskMemory], at: int, number: int, interval_s: float
) -> str:
    """The same of a mirror: each write goes to all of its disks, and a read to one of them."""
    quiet_s = (number - 1 - max(disks[at].last_passed, disks[at].tracks[WRITES].last_sample)) * interval_s
    beside = [disks[other].tracks[WRITES] for other in layout.vdevs[layout.vdev_of[at]] if other != at]
    if quiet_s < QUIET_S or not any(one.carried(number - 1)[0] >= BUSY_OPERATIONS for one in beside):
        return ""
    return (
        f"no write in the last {quiet_s:.0f} s, while {layout.members[at].vdev} was written: it is out, or "
        "see whether it answers"
    )


def _last(state: DiskMemory) -> int:
    return max(state.last_passed, *(track.last_sample for track in state.tracks))
