"""Document of a slow disk: mark, summary, reason."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.analysis.slow_disks.slow_disk_identity_and_next_checks import share, who_waits
from zconsole.analysis.slow_disks.verdict_sentence import NARROW, longest_wait, slowness_in_short
from zconsole.base.fixed_width_formatting import latency, latency_after, moment, percent, recent
from zconsole.model.pools.slow_disk import LONG_TAIL, STALLING, STRIPED, WRITE_COLLAPSE, Cost, SlowDiskVerdict
from zconsole.views.layout.escape_measure_cut_text import middle
from zconsole.views.layout.state_age_and_link_phrases import WARN, ago, counted
from zconsole.views.layout.styled_text import Line, line
from zconsole.views.layout.table import Cell

SORT_AS: Final = 3.5  # worse than a disk that was taken offline on purpose
SHORT: Final = 16  # cells of a name in a sentence
_SERIAL: Final = range(4, SHORT - 1)  # characters behind the last `_` of a name that are a serial number


def times(ratio: float) -> str:
    """`5.4x`, `31x`."""
    return f"{ratio:.1f}x" if ratio < 9.95 else f"{min(ratio, 999):.0f}x"


def at_least(verdict: SlowDiskVerdict) -> str:
    """`5.4x`; `\u22653.5x` where what power-of-two buckets hide leaves only a lower bound."""
    low, high = verdict.ratios
    if verdict.kind == LONG_TAIL:
        low, high = max(1.0, verdict.ratio / 2), 2 * verdict.ratio
    return times(verdict.ratio) if high < NARROW * low else f"\u2265{times(low)}"


def short(name: str) -> str:
    """A disk's name for a sentence: its serial number where the name ends in one."""
    if len(name) <= SHORT:
        return name
    serial = name.rpartition("_")[2]
    return f"…{serial}" if len(serial) in _SERIAL else middle(name, SHORT)


def clock(at: float) -> str:
    """A moment of the history, which is the last hour, on the host's clock in UTC."""
    return moment(at, "%H:%M:%S")


def badge(verdict: SlowDiskVerdict, state: str) -> Cell:
    """The disk's state, with a badge: `ONLINE SLOW`."""
    return Cell(f"{state} SLOW", "warn", sort=-SORT_AS - min(verdict.ratio, 400.0) / 1000)


def word(verdict: SlowDiskVerdict) -> str:
    """`SLOW 5.4x`, `TAIL 8.0x`, `STALLS`."""
    if verdict.kind == STALLING:
        return "NO ANSWER" if verdict.stalls is not None and verdict.stalls.count == 1 else "STALLS"
    return f"{'TAIL' if verdict.kind == LONG_TAIL else 'SLOW'} {at_least(verdict)}"


def in_few_words(verdict: SlowDiskVerdict) -> str:
    """`5.4x its peers`, `no answer`, `stalls`: beside the name of a disk."""
    if verdict.kind == STALLING or verdict.measured_ratio is None:
        return word(verdict).lower()
    return f"{at_least(verdict)} its peers"


def headline(verdicts: Sequence[SlowDiskVerdict]) -> Line:
    """The slow disks of a pool in one clause, the slowest first; empty where there are none."""
    if not verdicts:
        return ()
    worst = sorted(verdicts, key=lambda verdict: -verdict.ratio)
    named = ", ".join(f"{short(each.disk)} {_brief(each)}" for each in worst)
    disks = "slow disk" if len(worst) == 1 else f"{len(worst)} slow disks"
    return line((f"{WARN} {disks}: {named}", "warn"))


def _brief(verdict: SlowDiskVerdict) -> str:
    if verdict.kind == STALLING and verdict.stalls is not None:
        if verdict.stalls.count == 1:
            return slowness_in_short(verdict)
        return f"stalled {verdict.stalls.count} times"
    tail = verdict.furthest
    if verdict.kind == LONG_TAIL and tail is not None:
        return f"{at_least(verdict)} {tail.operation} tail latency"
    return f"{at_least(verdict)} {_operations(verdict)} latency"


def _operations(verdict: SlowDiskVerdict) -> str:
    """The slow operations: `read`, `read and write`."""
    compared = sorted(verdict.compared, key=lambda each: -each.ratio)
    return " and ".join(each.operation for each in compared) or "I/O"


def why(verdict: SlowDiskVerdict) -> Line:
    """The measurement, and in brackets the reference."""
    measured = []
    if verdict.stalls is not None:
        times_said = counted(verdict.stalls.count, "time")
        measured.append(f"no answer {times_said}, {longest_wait(verdict.stalls)}")
    for at, each in enumerate(verdict.compared):
        whose = "" if at else f"{beside(verdict)} "
        measured.append(f"{each.operation}s {_against(each.mean_ns, each.reference_ns, whose)}")
    tail = verdict.furthest
    if tail is not None and not verdict.compared:
        measured.append(
            f"{share(tail.share)} of {tail.operation}s within "
            f"{_against(tail.value_ns, tail.reference_ns, f'{beside(verdict)} ')}"
        )
    head = f"{WARN} {word(verdict)}" if verdict.is_ongoing else f"was {word(verdict)}"
    return line((f"{head}: ", "warn" if verdict.is_ongoing else "dim"), ", ".join(measured))


def _against(own_ns: float, reference_ns: float, whose: str) -> str:
    """`41 ms (peers 7.7)`."""
    own = latency(own_ns)
    return f"{own} ({whose}{latency_after(own, reference_ns)})"


def beside(verdict: SlowDiskVerdict) -> str:
    """The reference disks; a single one by its name."""
    return short(verdict.peers[0]) if verdict.is_pair else "peers"


def since(verdict: SlowDiskVerdict, now: float) -> Line:
    """The time range of the slowness; `now` is on the host's clock."""
    begun = recent(verdict.first_at, now, has_seconds=not verdict.is_ongoing)
    if verdict.is_ongoing:
        return line(f"since {begun}, {ago(now - verdict.first_at)}")
    return line(f"{begun} to {recent(verdict.last_at, now)}, {ago(now - verdict.last_at)} ago")


def costs(verdict: SlowDiskVerdict, pool: str) -> Line:
    """The delay that this disk adds to an operation of the vdev and of the pool, at its highest.

    Of a long tail, the operations that wait for it.
    """
    means = (cost for cost in verdict.costs if cost.share is None)
    worst = max(means, key=lambda cost: cost.pool_with_ns - cost.pool_without_ns, default=None)
    if worst is not None:
        return line(_cost(worst, verdict, pool))
    return line(who_waits(verdict.furthest, verdict)) if verdict.furthest is not None else ()


def _cost(cost: Cost, verdict: SlowDiskVerdict, pool: str) -> str:
    of_vdev, of_pool = cost.vdev_with_ns - cost.vdev_without_ns, cost.pool_with_ns - cost.pool_without_ns
    vdev = "" if verdict.vdev == verdict.disk else f"{short(verdict.vdev)} {latency(max(0, of_vdev))}, "
    most = "up to " if verdict.shape.startswith(STRIPED) else ""
    return f"costs {most}{vdev}{short(pool)} {latency(max(0, of_pool))} a {cost.operation}"


def busy(verdict: SlowDiskVerdict) -> Line:
    """The utilization of the disk."""
    if verdict.busy is None or verdict.peers_busy is None:
        return ()
    return line(f"busy {percent(100 * verdict.busy)} (peers {percent(100 * verdict.peers_busy)})")


def sure(verdict: SlowDiskVerdict) -> Line:
    """The strength of the evidence, which is no probability."""
    return line(f"score {verdict.confidence:.2f}")


def next_steps(verdict: SlowDiskVerdict, device: str) -> Line:
    """The next steps of an investigation, in a few words."""
    steps = [f"smartctl -x {device or 'DEVICE'}", "cable and slot"]
    if verdict.kind == STALLING:
        steps.insert(0, "dmesg")
    if verdict.kind == WRITE_COLLAPSE:
        steps.insert(0, "is it an SMR drive")
    return line(("next: ", "dim"), ", ".join(steps))
