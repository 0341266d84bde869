"""Sentence on a slow disk, the same in findings, on screens and on the command line."""

from __future__ import annotations

import math
from typing import Final

from zconsole.analysis.slow_disks.bucket_resolution import bucket_around
from zconsole.base.fixed_width_formatting import latency
from zconsole.model.pools.slow_disk import (
    AFTER_REST,
    LONG_TAIL,
    STALLING,
    TRIM,
    WRITE_COLLAPSE,
    AllSlow,
    Comparison,
    EpisodicDisk,
    Pause,
    QuietDisk,
    SlightlySlowerDisk,
    SlowDiskVerdict,
    Stalls,
)

NARROW: Final = 1.05  # ratio of a range's ends below which it is one number
HIDDEN_AT_MOST: Final = 4.0  # times, of latencies in two neighbouring buckets
_NS: Final = 1e9


def worst_comparison(verdict: SlowDiskVerdict) -> Comparison | None:
    """The operation with the largest ratio to the peers."""
    return max(verdict.compared, key=lambda one: one.ratio, default=None)


def verdict_sentence(verdict: SlowDiskVerdict) -> str:
    """Disk, slowness and peers; in the past tense for an ended verdict."""
    beside = verdict.peers[0] if verdict.is_pair else "its peers"
    is_now = verdict.is_ongoing
    if verdict.kind == STALLING and verdict.stalls is not None:
        waited = f"{longest_wait(verdict.stalls)}{_outstanding(verdict.stalls.outstanding)}"
        if verdict.stalls.count == 1:
            does = "does" if verdict.stalls.is_now else "did"
            return f"{verdict.disk} {does} not answer: {waited}{_others(verdict.stalls, beside)}"
        stalls = "stalls" if is_now else "stalled"
        times = f"{verdict.stalls.count} times it left I/O waiting"
        return f"{verdict.disk} {stalls}: {times}, {waited}{_others(verdict.stalls, beside)}"
    tail = verdict.furthest
    if verdict.kind == LONG_TAIL and tail is not None:
        has, takes = ("has", "takes") if is_now else ("had", "took")
        return (
            f"{verdict.disk} {has} a long tail: 1 in {tail.one_in} of its {tail.operation}s {takes} "
            f"{latency(tail.value_ns / 2)} or more, of {beside} {latency(tail.reference_ns)} or less"
        )
    verb = "is" if is_now else "was"
    worst = worst_comparison(verdict)
    if worst is None:
        return f"{verdict.disk} {verb} slower than {beside}"
    numbers = f"{latency(worst.mean_ns)} against {latency(worst.reference_ns)}"
    has = "has" if is_now else "had"
    seconds = f" in {worst.samples} of {worst.seconds} s" if worst.seconds else ""
    ratio = times_range(*worst.ratios)
    compared = f"{has} {ratio} the {worst.operation} latency of {beside}{seconds} ({numbers})"
    if verdict.kind == WRITE_COLLAPSE:
        return f"{verdict.disk} {compared} and reads normally: an SMR drive?"
    if verdict.is_pair:
        return f"{verdict.disk} and {beside} differ: {verdict.disk} {compared}"
    return f"{verdict.disk} {compared}"


def slowness_in_short(verdict: SlowDiskVerdict) -> str:
    """`5.4x the latency of its peers`; of a disk that did not answer how long, since there is no latency."""
    if verdict.stalls is not None and (verdict.kind == STALLING or verdict.measured_ratio is None):
        if verdict.stalls.count == 1:
            answers = "does not answer" if verdict.stalls.is_now else "did not answer"
            return f"{answers} {longest_wait(verdict.stalls)}"
        return f"stalls, {longest_wait(verdict.stalls)}"
    tail = verdict.furthest
    if verdict.kind == LONG_TAIL and tail is not None:
        return f"1 in {tail.one_in} {tail.operation}s takes {latency(tail.value_ns / 2)} or more"
    return f"{times_range(*verdict.ratios)} the latency of its peers"


def times_range(low: float, high: float) -> str:
    """`5.4x`, or the range where what power-of-two buckets hide matters: `3x to 11x`."""
    return _times(high) if high < NARROW * low else f"{_times(low)} to {_times(high)}"


def _others(stalls: Stalls, beside: str) -> str:
    """Whether the peers completed I/O meanwhile: of those without any it proves nothing."""
    if not stalls.peers:
        return ""
    each = " each time" if stalls.count > 1 else ""
    verb = "answer" if stalls.is_now else "answered"
    if stalls.answered == stalls.peers:
        return f"; {beside} {'answers' if stalls.is_now and stalls.peers == 1 else verb}{each}"
    if stalls.answered:
        return f"; {stalls.answered} of its {stalls.peers} peers {verb}{each}"
    return "; no peer completed I/O each time" if stalls.count > 1 else "; no peer completed I/O meanwhile"


def pause_sentence(pause: Pause) -> str:
    """Disks that held I/O and completed none of it: how long, how often, how many I/Os."""
    if pause.what == TRIM:
        has = "holds" if pause.is_ongoing else "held"
        waited = f"for {_seconds(pause.longest_ns)} s or more{_outstanding(pause.outstanding)}"
        return f"{pause.which} {has} a TRIM and completed none {waited}"
    once = f"{pause.times} times, once " if pause.times > 1 else ""
    waited = f"{once}for {_seconds(pause.longest_ns)} s or more{_outstanding(pause.outstanding)}"
    if not pause.is_of_several:
        first = " its first I/O after a minute without any" if pause.what == AFTER_REST else " I/O"
        waiting = f"left{first} waiting {'' if once else 'once, '}{waited}"
        return f"{pause.which} {waiting} ({_answered(pause)})"
    has = "hold I/O and complete" if pause.is_ongoing else "held I/O and completed"
    return f"{pause.which} {has} none of it, at the same time: {waited} ({_answered(pause)})"


def quiet_sentence(one: QuietDisk) -> str:
    """A disk that completed nothing while its peers did; that it held I/O is known where it was late."""
    held = "whether it held I/O is not known without queues (-q)"
    if one.late_ns:
        held = f"then its I/O took a mean of {latency(one.late_ns)} or more, its peers' a 20th or less"
    if not one.peers:
        return f"{one.disk} completed nothing for {one.seconds:.0f} s; {held}"
    return (
        f"{one.disk} completed nothing in {one.seconds:.0f} s in which {one.peers} peers completed "
        f"{one.peers_operations:.0f} I/Os each; {held}"
    )


def all_slow_sentence(one: AllSlow) -> str:
    """All disks take far longer than such media do, or only as long as their queues explain."""
    which = "the disk takes" if one.disks == 1 else f"all {one.disks} disks take"
    took = f"{which} {latency(one.mean_ns)} an I/O in the mean"
    if one.is_sure:
        kind = "flash" if one.is_solid else "a hard disk"
        return f"{took}, more than {kind} does, and a queue does not explain it"
    return f"{took}; with {one.outstanding:.1f} I/Os at a disk at a time a queue may explain it: no verdict"


def _answered(pause: Pause) -> str:
    """Whether the other disks of the pool went on."""
    when = "each time" if pause.times > 1 and not pause.is_of_several else "meanwhile"
    if not pause.answered:
        return f"no disk answered {when}" if pause.is_of_several else f"no peer answered {when}"
    if len(pause.answered) == 1:
        return f"{pause.answered[0]} answered {when}"
    return f"{len(pause.answered)} others answered {when}"


def _outstanding(number: int) -> str:
    return f", with {number} I/O{'s' if number > 1 else ''} outstanding" if number else ""


def _seconds(nanoseconds: float) -> str:
    return f"{math.floor(10 * nanoseconds / _NS) / 10:g}"


def longest_wait(stalls: Stalls) -> str:
    """`once for 1.1 s or more`: a mean of a second, and whole seconds without an answer, are lower bounds."""
    once = "once " if stalls.count > 1 else ""
    return f"{once}for {_seconds(stalls.longest_ns)} s or more"


def slightly_slower_sentence(one: SlightlySlowerDisk) -> str:
    """Disk, ratio, the seconds that show it, and the latencies."""
    beside = one.peers[0] if one.is_pair else "the other vdevs" if one.is_vdev else "its peers"
    is_or_was = "as a whole is" if one.is_vdev else "is" if one.is_ongoing else "was"
    at = f" at {one.alone}s" if one.alone else ""
    numbers = ", ".join(
        f"{each.operation}s {latency(each.mean_ns)} against {latency(each.reference_ns)}"
        for each in one.compared
    )
    return (
        f"{one.disk} {is_or_was} slightly slower than {beside}{at}: {_times(one.ratio)}, in "
        f"{one.slower_seconds} of {one.seconds} s ({numbers})"
    )


def episodes_sentence(one: EpisodicDisk) -> str:
    """A disk that is slow for short times: how often, for how long, and by how much."""
    doubt = "" if one.is_sure else ": too few times to be sure, watch for longer"
    ratio = times_range(one.ratio / 2, 2 * one.ratio)
    return (
        f"{one.disk} took {ratio} as long as its peers in {one.far_seconds} of {one.seconds} s "
        f"({latency(one.mean_ns)} against {latency(one.reference_ns)}), {one.episodes} times, about every "
        f"{one.every_samples:.0f} s{doubt}"
    )


def perhaps_slower_sentence(one: SlightlySlowerDisk) -> str:
    """A disk that was slower in all of a few seconds."""
    beside = one.peers[0] if one.is_pair else "its peers"
    numbers = ", ".join(
        f"{each.operation}s {latency(each.mean_ns)} against {latency(each.reference_ns)}"
        for each in one.compared
    )
    return (
        f"{one.disk} took {_times(one.ratio)} as long as {beside} in each of the {one.seconds} s with I/O "
        f"({numbers}), which are too few to be sure: watch for longer"
    )


def hidden_difference_sentence(one: SlightlySlowerDisk) -> str:
    """A disk one bucket above its peers: that it is slower is known, and by how much is not."""
    most = HIDDEN_AT_MOST if one.at_most is None else min(HIDDEN_AT_MOST, math.ceil(10 * one.at_most) / 10)
    beside = one.peers[0] if one.is_pair else "its peers"
    numbers = ", ".join(
        f"{each.operation}s {_bucket_of(each.mean_ns)} against {_bucket_of(each.reference_ns)}"
        for each in one.compared
    )
    return (
        f"{one.disk} is slower than {beside} by something from {_times(1.0)} to {_times(most)}: nearly all "
        f"latencies are in one of ZFS's power-of-two buckets each, next to each other ({numbers}), "
        f"in {one.slower_seconds} of {one.seconds} s"
    )


def _bucket_of(mean_ns: float) -> str:
    low = bucket_around(mean_ns)
    return f"{latency(low)} to {latency(2 * low)}"


def _times(ratio: float) -> str:
    return f"{ratio:.1f}x" if ratio < 9.95 else f"{ratio:.0f}x"
