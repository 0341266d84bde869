"""Remaining time of a scrub or resilver: a range from recent rates, or why it is unknown; how it ended."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from zconsole.base.fixed_width_formatting import duration
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.pools.pool import Scan

WINDOW_S: Final = 1200.0  # long enough to average bursts, short enough to follow load changes
SHORTEST_SPAN_S: Final = 60.0  # below it a rate is not reliable
FEWEST_SAMPLES: Final = 4
SLICES: Final = 4  # number of parts of the window, whose variation gives the range
SLOWEST_SHARE: Final = 0.25  # a slice without progress counts as a quarter of the mean
STALLED_S: Final = 600.0
STALLED_WHILE_EXAMINING_S: Final = 3600.0  # a sorted scan reads metadata for long before it issues
_WHOLE: Final = 100.0
_NEARLY_ALL: Final = 99.5  # per cent; rounded to whole numbers it would read as finished
UNKNOWN_TIME: Final = "time left not known"
_MINUTE, _HOUR, _DAY = 60, 3600, 86400

Sample = tuple[float, int]  # epoch seconds, bytes done so far


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimate of a running scan; seconds, and bytes per second. None is "not yet known".

    `percent` is above 100 where more was issued than ZFS had estimated, as `zpool status` prints it.
    """

    percent: float | None
    low_s: float | None = None
    high_s: float | None = None
    rate: float | None = None
    is_stalled: bool = False
    stalled_for_s: float = 0.0
    restarts: int = 0  # seen in the history
    is_open: bool = False  # what was to do, or the time that it takes at most, is over, and it still runs


def estimate(
    history: Sequence[Sample],
    to_issue_bytes: int | None,
    now: float,
    *,
    stalled_after_s: float = STALLED_S,
) -> Estimate | None:
    """Judge a running scan by its samples, oldest first; None without data.

    A decrease of issued bytes is a restart; earlier samples are dropped.
    """
    if not history:
        return None
    current, restarts = _since_last_restart(history)
    last_at, issued = current[-1]
    percent = 100 * issued / to_issue_bytes if to_issue_bytes else None
    still_s = last_at - _last_progress(current)
    if still_s >= stalled_after_s:
        return Estimate(percent, rate=0.0, is_stalled=True, stalled_for_s=still_s, restarts=restarts)
    window = [sample for sample in current if sample[0] >= last_at - WINDOW_S]
    rates = _rates(window)
    if rates is None or to_issue_bytes is None:
        return Estimate(percent, restarts=restarts)
    slow, mean, fast = rates
    remaining, waited_s = to_issue_bytes - issued, max(0.0, now - last_at)
    high_s = remaining / slow - waited_s
    if high_s <= 0:
        return Estimate(percent, rate=mean, restarts=restarts, is_open=True)
    return Estimate(
        percent,
        low_s=max(0.0, remaining / fast - waited_s),
        high_s=high_s,
        rate=mean,
        restarts=restarts,
    )


def estimate_scan(
    scan: Scan, history: Sequence[Sample], now: float, *, stalled_after_s: float = STALLED_S
) -> Estimate | None:
    """Judge a scan as ZFS describes it; tolerant while it reads metadata, None when it is not running."""
    if not scan.is_running:
        return None
    examined, total = scan.examined_bytes, scan.to_examine_bytes
    if examined is not None and total is not None and examined < total:
        stalled_after_s = max(stalled_after_s, STALLED_WHILE_EXAMINING_S)
    return estimate(history, scan.to_do_bytes, now, stalled_after_s=stalled_after_s)


def in_words(scan: Scan, judged: Estimate | None, *, restarts: int = 0) -> str:
    """Clause on a scan: `resilver 41%, 1h50m-2h40m left`; without a time if it was not watched."""
    percent = judged.percent if judged is not None and judged.percent is not None else percent_of(scan)
    if scan.state == "finished":
        return f"{scan.function} finished"
    start = scan.function if percent is None else f"{scan.function} {unfinished(percent)}"
    if not scan.is_running:
        return f"{start}, {scan.state}"
    restarts += judged.restarts if judged is not None else 0
    is_past = percent is not None and percent > _WHOLE
    if judged is not None:
        parts = [start, _time_left(judged)]
    else:
        parts = [start, UNKNOWN_TIME] if is_past else [start]
    if restarts:
        parts.append("restarted" if restarts == 1 else f"restarted {restarts} times")
    return ", ".join(parts)


def percent_of(scan: Scan) -> float | None:
    """How far it is by its bytes: above 100 where more was done than ZFS had estimated."""
    done, total = scan.done_bytes, scan.to_do_bytes
    if done is not None and total and done > total:
        return 100 * done / total
    return scan.percent


def how_it_ended(scan: Scan) -> str:
    """`was canceled`, `ended with 12 errors`, `ended`."""
    if scan.state == "canceled":
        return "was canceled"
    return f"ended with {scan.errors} error{'s' if scan.errors != 1 else ''}" if scan.errors else "ended"


def unfinished(percent: float) -> str:
    """Percentage that is 100 only at the end: `41%`, `99.9%`; beyond 100 it is one of an estimate."""
    if percent > _WHOLE:
        return f"{max(percent, _WHOLE + 1):.0f}% of ZFS's estimate"
    if percent < _NEARLY_ALL:
        return f"{percent:.0f}%"
    return f"{min(99.9, math.floor(percent * 10) / 10):.1f}%"


def _time_left(judged: Estimate) -> str:
    if judged.is_stalled:
        return f"stalled for {duration(judged.stalled_for_s)}"
    if judged.low_s is None:
        return UNKNOWN_TIME if judged.is_open else "estimating time left"
    return time_left(judged.low_s, judged.high_s or 0.0)


def time_left(low_s: float, high_s: float) -> str:
    """Range of time: `about 25m left`, `1h50m-2h40m left`."""
    low, high = _coarse(low_s), _coarse(high_s)
    return f"about {low} left" if low == high else f"{low}-{high} left"


def left_at_mean_rate(scan: Scan, now: float) -> str:
    """`about 7m left` at the mean rate since its start; empty where it is not known, or too early to say."""
    done, total, start = scan.done_bytes, scan.to_do_bytes, scan.start
    if not scan.is_running or done is None or total is None or start is None:
        return ""
    if not 0 < done < total or now - start < SHORTEST_SPAN_S:
        return ""
    left_s = (total - done) * (now - start) / done
    return time_left(left_s, left_s)


def _coarse(seconds: float) -> str:
    """Rounded time in steps of some per cent: `40s`, `25m`, `1h50m`, `3d4h`."""
    if seconds < _MINUTE:
        return duration(max(10, round(seconds / 10) * 10))
    minutes = round(seconds / _MINUTE)
    if minutes >= 60 and seconds < _DAY:
        minutes = round(minutes / 10) * 10
    return duration(minutes * _MINUTE if seconds < _DAY else round(seconds / _HOUR) * _HOUR)


def _since_last_restart(history: Sequence[Sample]) -> tuple[Sequence[Sample], int]:
    falls = [index for index, (one, other) in enumerate(pairwise(history), start=1) if other[1] < one[1]]
    return (history[falls[-1] :] if falls else history), len(falls)


def _last_progress(samples: Sequence[Sample]) -> float:
    """Time at which issued bytes last grew; the first sample if never."""
    grown = [other[0] for one, other in pairwise(samples) if other[1] > one[1]]
    return grown[-1] if grown else samples[0][0]


def _rates(window: Sequence[Sample]) -> tuple[float, float, float] | None:
    """Slowest, mean and fastest rate in a window; None when it is too short."""
    (first_at, first), (last_at, last) = window[0], window[-1]
    span_s = last_at - first_at
    if len(window) < FEWEST_SAMPLES or span_s < SHORTEST_SPAN_S or last <= first:
        return None
    mean = (last - first) / span_s
    edges = [_at_or_before(window, first_at + span_s * part / SLICES) for part in range(SLICES)] + [
        window[-1]
    ]
    slices = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in pairwise(edges) if b[0] > a[0]]
    # the clock may have been set back
    return max(min(slices), mean * SLOWEST_SHARE), mean, max(mean, *slices)


def _at_or_before(window: Sequence[Sample], at: float) -> Sample:
    return next(sample for sample in reversed(window) if sample[0] <= at or sample is window[0])
