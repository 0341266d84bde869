"""All that is known of a slow disk, in full: what it rests on, what ZFS says, what to look at next."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from zconsole.analysis.slow_disks.advice import DiskIdentity, identify, next_checks, share, spread, who_waits
from zconsole.analysis.slow_disks.zfs_agreement import known_of, sentences, zfs_view
from zconsole.base.formatting import count, milliseconds, percent
from zconsole.model.pools.slow_disk import LONG_TAIL, SYNC, WRITE_COLLAPSE, Comparison, Cost, SlowDiskVerdict
from zconsole.views.findings.slow_disk import clock, times, why
from zconsole.views.layout.phrases import counted
from zconsole.views.layout.styled_text import Line, Span, line, wrap
from zconsole.views.pools.pool import ShownPool
from zconsole.views.pools.vdev_rows import VdevRow

_AGREES: Final = {True: "ZFS sees it too", False: "ZFS does not see it", None: "what ZFS sees is not known"}
TITLE_CELLS: Final = 8  # in front of a line
_NS: Final = 1e9


def page(about: ShownPool, node: VdevRow, cells: int) -> Iterator[Line]:
    """What is said of a disk, and all that it rests on, in lines of at most so many cells."""
    verdict = about.verdicts_on(node)[-1]
    for each in details(about, verdict):
        title = each[0] if each and each[0].width == TITLE_CELLS else None
        if title is None:
            yield from wrap(each, cells) if each else (each,)
            continue
        for at, piece in enumerate(wrap(each[1:], cells - TITLE_CELLS)):
            yield (title if at == 0 else Span(" " * TITLE_CELLS), *piece)


def details(about: ShownPool, verdict: SlowDiskVerdict) -> Iterator[Line]:
    """The verdict, its evidence, and what to do, line by line."""
    seen = identify(verdict.disk, verdict.vdev, about.pool, about.host.state.inventory.value)
    yield why(verdict)
    yield ()
    yield from _evidence(verdict, seen)
    for cost in verdict.costs:
        yield _titled("costs", _cost(cost, verdict, about.pool.name))
    if verdict.kind == LONG_TAIL and verdict.furthest is not None:
        yield _titled("costs", who_waits(verdict.furthest, verdict))
    view = zfs_view(verdict, about.pool, known_of(about.host.state, about.state))
    yield _titled("agrees", _AGREES[view.agrees])
    yield ()
    yield line(("What to look at", "section"))
    for number, check in enumerate(next_checks(verdict, seen), start=1):
        yield _titled(str(number), check)
    yield ()
    yield line(("What ZFS itself says", "section"))
    for each in sentences(view):
        yield _titled("ZFS", each)


def _evidence(verdict: SlowDiskVerdict, seen: DiskIdentity) -> Iterator[Line]:
    known = [each for each in (seen.serial and f"serial {seen.serial}", seen.model, seen.device) if each]
    known += [f"slot {seen.slot}"] if seen.slot else []
    yield _titled("which", ", ".join([verdict.disk, f"in {verdict.vdev}", *known]))
    end = "still so" if verdict.is_ongoing else f"until {clock(verdict.last_at)}"
    yield _titled("since", f"{clock(verdict.first_at)} UTC, {end}")
    yield _titled("sure", percent(100 * verdict.confidence))
    yield _titled("peers", ", ".join(verdict.peers) or "none")
    if verdict.is_pair:
        yield _titled("", "there is only one: these two differ, and this one is the slower")
    for each in verdict.compared:
        yield _titled(f"{each.operation}s", _compared(each))
    for operation, quantiles in groupby(verdict.quantiles, lambda one: one.operation):
        yield _titled(f"{operation}s", spread(tuple(quantiles)))
    if verdict.kind == LONG_TAIL:
        yield _titled("", "it is as fast as its peers in the mean: only the slowest of its I/Os are not")
    if SYNC in verdict.operations:
        yield _titled("", "among the writes are such as somebody waits for")
    if verdict.kind == WRITE_COLLAPSE:
        yield _titled("", "it reads as ever, and stopped writing as it did: an SMR drive?")
    if verdict.stalls is not None:
        longest_s = verdict.stalls.longest_ns / _NS
        unanswered = counted(verdict.stalls.count, "time")
        yield _titled("stalls", f"{unanswered} it gave no answer while others did, up to {longest_s:.1f} s")
    if verdict.busy is not None and verdict.peers_busy is not None:
        own, others = percent(100 * verdict.busy), percent(100 * verdict.peers_busy)
        yield _titled("busy", f"{own} of the time, its peers {others}")
    if verdict.queued is not None and verdict.peers_queued is not None:
        yield _titled("queue", f"{verdict.queued:.1f} operations, at its peers {verdict.peers_queued:.1f}")


def _titled(title: str, words: str) -> Line:
    return line((f"{title:<{TITLE_CELLS}}", "dim"), words)


def _compared(each: Comparison) -> str:
    return (
        f"{milliseconds(each.mean_ns)} ms in the mean of {count(each.operations)}, its peers "
        f"{milliseconds(each.reference_ns)} ms: {times(each.ratio)}, in {counted(each.samples, 'sample')}"
    )


def _cost(cost: Cost, verdict: SlowDiskVerdict, pool: str) -> str:
    if cost.share is not None:
        return _tail_cost(cost, cost.share, verdict, pool)
    of_pool = f"of {pool} {milliseconds(cost.pool_with_ns)} ms, without {milliseconds(cost.pool_without_ns)}"
    if verdict.vdev == verdict.disk:
        return f"a {cost.operation} {of_pool}"
    with_it, without = milliseconds(cost.vdev_with_ns), milliseconds(cost.vdev_without_ns)
    return f"a {cost.operation} of {verdict.vdev} takes {with_it} ms, without this disk {without}; {of_pool}"


def _tail_cost(cost: Cost, quantile: float, verdict: SlowDiskVerdict, pool: str) -> str:
    of = "" if verdict.vdev == verdict.disk else f"of {verdict.vdev} "
    return (
        f"{share(quantile)} of the {cost.operation}s {of}end within {milliseconds(cost.vdev_with_ns)} ms, "
        f"without this disk {milliseconds(cost.vdev_without_ns)}; "
        f"of {pool} {milliseconds(cost.pool_with_ns)} ms, without {milliseconds(cost.pool_without_ns)}"
    )
