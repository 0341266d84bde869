"""`zconsole slow`: which disk, how slow, on what, since when, how sure, at what cost, what to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Final

from zconsole.analysis.slow_disks.advice import DiskIdentity, identify, next_checks, share, spread, who_waits
from zconsole.analysis.slow_disks.peers import LONE
from zconsole.analysis.slow_disks.zfs_agreement import NOTHING, Known, ZfsView, sentences, zfs_view
from zconsole.base.formatting import count, milliseconds, moment
from zconsole.base.harmless_text import visible
from zconsole.model.pools.disk import Inventory
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.slow_disk import (
    LONG_TAIL,
    STALLING,
    SYNC,
    WRITE_COLLAPSE,
    Comparison,
    Cost,
    Judgement,
    SlowDiskVerdict,
)

MOST_NAMED: Final = 8  # disks that are named one by one where there are many
_PERCENT: Final = 100
_NS: Final = 1e9


def slow_lines(
    judgement: Judgement,
    *,
    host: str = "",
    pool: Pool | None = None,
    inventory: Inventory | None = None,
    known: Known = NOTHING,
) -> Iterator[str]:
    """Yield one pool's judgement as lines that no terminal obeys.

    Without `pool` it is of a recording, whose times are not known.
    """
    return map(visible, _lines(judgement, f"{host} {judgement.pool}".strip(), pool, inventory, known))


def _lines(
    judgement: Judgement, where: str, pool: Pool | None, inventory: Inventory | None, known: Known
) -> Iterator[str]:
    yield f"{where}: {_summary(judgement)}."
    for verdict in judgement.verdicts:
        seen = identify(verdict.disk, verdict.vdev, pool, inventory)
        yield f"{verdict.disk} {_sentence(verdict)}."
        view = None if pool is None else zfs_view(verdict, pool, known)
        details = _details(verdict, seen, view, has_times=pool is not None)
        yield from (f"  {title}: {words}" for title, words in details)
    for finding in judgement.findings:
        yield f"Note: {finding.summary}."
    yield from _undecided(judgement)


def _summary(judgement: Judgement) -> str:
    judged = judgement.disks - len(judgement.undecided)
    now = sum(1 for one in judgement.verdicts if one.is_ongoing)
    before = len(judgement.verdicts) - now
    said = []
    if now:
        said.append(f"{now} of {_disks(judgement.disks)} {'is' if now == 1 else 'are'} slow")
    if before:
        said.append(f"{before} {'was' if before == 1 else 'were'} for a while")
    if not said:
        said.append(
            "too little I/O to tell" if judgement.is_too_little else "no disk is slower than its like"
        )
    every = "all " if 1 < judged == judgement.disks else ""
    return f"{', '.join(said)}; {every}{_disks(judged)} judged in {_counted(judgement.samples, 'sample')}"


def _disks(number: int) -> str:
    return _counted(number, "disk")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"


def _sentence(verdict: SlowDiskVerdict) -> str:
    beside = "the disks beside it" if verdict.shape != LONE else "the other disks"
    if verdict.is_pair:
        beside = verdict.peers[0]
    said = "; ".join(
        _compared(one, f" of {beside}" if at == 0 else "") for at, one in enumerate(verdict.compared)
    )
    if verdict.kind == STALLING and verdict.stalls is not None:
        stalls = verdict.stalls
        longest = f"{stalls.longest_ns / _NS:.0f} s"
        stalled = (
            f"stalls: {stalls.count} times it left I/O unanswered, up to {longest}, and {beside} did not"
        )
        return f"{stalled}; {said}" if said else stalled
    tail = verdict.furthest
    if verdict.kind == LONG_TAIL and tail is not None:
        return (
            f"has a long tail: {share(tail.share)} of its {tail.operation}s end within "
            f"{milliseconds(tail.value_ns)} ms, {_times(tail.ratio)} the "
            f"{milliseconds(tail.reference_ns)} ms of {beside}; in the mean it is as fast"
        )
    if verdict.kind == WRITE_COLLAPSE:
        return f"has stopped writing as it did, an SMR drive? {said}; it reads as ever"
    if verdict.is_pair:
        return f"and {verdict.peers[0]} differ, and it is the slower: {said}"
    return f"{'is' if verdict.is_ongoing else 'was'} slow: {said}"


def _compared(one: Comparison, whose: str) -> str:
    return (
        f"its {one.operation}s take {milliseconds(one.mean_ns)} ms, "
        f"{_times(one.ratio)} the {milliseconds(one.reference_ns)} ms{whose}"
    )


def _times(ratio: float) -> str:
    return f"{ratio:.1f} times" if ratio < 9.95 else f"{ratio:.0f} times"


def _details(
    verdict: SlowDiskVerdict, seen: DiskIdentity, view: ZfsView | None, *, has_times: bool
) -> Iterator[tuple[str, str]]:
    known = [each for each in (seen.serial and f"serial {seen.serial}", seen.model, seen.device) if each]
    known += [f"slot {seen.slot}"] if seen.slot else []
    where = f"in {verdict.vdev}" if verdict.vdev != verdict.disk else "a vdev of its own"
    yield "Which", ", ".join([*known, where])
    yield "Since", _since(verdict, has_times=has_times)
    samples = max([one.samples for one in verdict.compared], default=0)
    evidence = f"{_counted(samples, 'sample')} for it" if samples else "each stall speaks for it"
    if verdict.kind == LONG_TAIL:
        evidence = "histograms of some blocks of 5 s for it"
    yield "Sure", f"{_PERCENT * verdict.confidence:.0f} %: {evidence}; held against {_named(verdict.peers)}"
    yield "Seen", _numbers(verdict)
    for operation, quantiles in groupby(verdict.quantiles, lambda one: one.operation):
        yield "Spread", f"its {operation}s ended {spread(tuple(quantiles))}"
    if verdict.kind == LONG_TAIL and verdict.furthest is not None:
        yield "Costs", who_waits(verdict.furthest, verdict)
    if verdict.costs:
        yield "Costs", "; ".join(_cost(one, verdict) for one in verdict.costs)
    for sentence in sentences(view) if view is not None else ():
        yield "ZFS", sentence
    for check in next_checks(verdict, seen):
        yield "Check", check


def _since(verdict: SlowDiskVerdict, *, has_times: bool) -> str:
    first = f"sample {verdict.first_sample}"
    if has_times:
        first = f"{moment(verdict.first_at, '%Y-%m-%d %H:%M:%S')} UTC ({first})"
    end = "still so" if verdict.is_ongoing else f"until sample {verdict.last_sample}"
    return f"{first}, {end}; said from sample {verdict.decided_sample} on"


def _numbers(verdict: SlowDiskVerdict) -> str:
    parts = [f"{count(one.operations)} {one.operation}s" for one in verdict.compared]
    if SYNC in verdict.operations:
        parts.append("synchronous writes among them: somebody waits for each")
    if verdict.busy is not None and verdict.peers_busy is not None:
        own, others = _PERCENT * verdict.busy, _PERCENT * verdict.peers_busy
        parts.append(f"busy {own:.0f} % of the time, its peers {others:.0f} %")
    if verdict.queued is not None and verdict.peers_queued is not None:
        parts.append(f"{verdict.queued:.1f} operations queued, at its peers {verdict.peers_queued:.1f}")
    if verdict.kind == LONG_TAIL:
        number = max((one.operations for one in verdict.quantiles), default=0)
        parts.append(f"{count(number)} I/Os in the last minute of histograms")
    return ", ".join(parts) or "no I/O but the stalls"


def _cost(one: Cost, verdict: SlowDiskVerdict) -> str:
    vdev = verdict.vdev if verdict.vdev != verdict.disk else "it"
    if one.share is not None:
        return (
            f"{share(one.share)} of the {one.operation}s of {vdev} end within "
            f"{milliseconds(one.vdev_with_ns)} ms instead of {milliseconds(one.vdev_without_ns)} ms, "
            f"of the pool {milliseconds(one.pool_with_ns)} ms "
            f"instead of {milliseconds(one.pool_without_ns)} ms"
        )
    return (
        f"a {one.operation} of {vdev} takes {milliseconds(one.vdev_with_ns)} ms instead of "
        f"{milliseconds(one.vdev_without_ns)} ms, of the pool {milliseconds(one.pool_with_ns)} ms instead of "
        f"{milliseconds(one.pool_without_ns)} ms"
    )


def _named(names: Sequence[str]) -> str:
    shown = ", ".join(names[:MOST_NAMED])
    return shown if len(names) <= MOST_NAMED else f"{shown} and {len(names) - MOST_NAMED} more"


def _undecided(judgement: Judgement) -> Iterator[str]:
    for one in judgement.undecided[:MOST_NAMED]:
        yield f"Undecided: {one.disk}: {one.reason}."
    left = len(judgement.undecided) - MOST_NAMED
    if left > 0:
        yield f"Undecided: {left} more."
