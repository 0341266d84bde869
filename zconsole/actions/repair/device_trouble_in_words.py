"""State, errors and begin of a device's trouble in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.repair.device_facts_of_pool import PoolFacts
from zconsole.analysis.slow_disks.verdict_sentence import NARROW, slowness_in_short, times_range
from zconsole.base.fixed_width_formatting import MINUTE, count, duration, latency, moment, recent
from zconsole.model.pools.pool import Count, Vdev
from zconsole.model.pools.slow_disk import SLOW
from zconsole.model.pools.smart_health import DiskHealth

TIME: Final = MINUTE


def device_in_words(facts: PoolFacts, leaf: Vdev) -> str:
    """`VLGX4P7Y is FAULTED: too many errors; since ... (3h02m): 486 write errors within 3m10s`."""
    note = f": {leaf.note}" if leaf.note else ""
    begun, since, errors = "", facts.since(leaf), ", ".join(_counted(facts, leaf))
    if since is not None:
        begun = f"since {moment(since, TIME)} UTC ({duration(max(0.0, facts.now - since))})"
    told = ": ".join(filter(None, (begun, errors)))
    return f"{facts.identity(leaf).label} is {leaf.state}{note}" + (f"; {told}" if told else "")


def errors_in_words(vdev: Vdev) -> str:
    """`486 write errors`; empty without an error."""
    kinds = (("read", vdev.read_errors), ("write", vdev.write_errors), ("checksum", vdev.checksum_errors))
    named = [f"{_number(errors)} {kind}" for kind, errors in kinds if errors]
    total = sum(errors.value for _, errors in kinds if errors)
    return f"{', '.join(named)} error{'s' if total != 1 else ''}" if named else ""


def slow_in_words(facts: PoolFacts, leaf: Vdev) -> str:
    """`slow: reads 85 ms, peers 8.3 ms (10.2x), since 16:33 UTC`; empty for a disk as fast as its peers."""
    slow = facts.of_leaf(leaf).slow
    if slow is None:
        return ""
    since = f"since {recent(slow.first_at, facts.now, has_seconds=False)} UTC"
    worst = max(slow.compared, key=lambda each: each.ratio, default=None)
    if worst is None or slow.kind != SLOW:  # it stalls, or only its slowest I/Os are far slower
        return f"slow: {slowness_in_short(slow)}, {since}"
    own, peers = latency(worst.mean_ns), latency(worst.reference_ns)
    low, high = worst.ratios
    ratio = f"{worst.ratio:.1f}x" if high < NARROW * low else times_range(low, high)
    return f"slow: {worst.operation}s {own}, peers {peers} ({ratio}), {since}"


def _counted(facts: PoolFacts, leaf: Vdev) -> Iterator[str]:
    """`486 write errors`, `14 error reports within 3m10s`."""
    if errors := errors_in_words(leaf):
        yield errors
    elif errors := errors_in_words(facts.of_leaf(leaf).counted):
        yield f"{errors} before it was gone"
    reports = facts.errors_of(leaf)
    if reports is not None and reports.count > 1:
        yield f"{reports.count} error reports within {duration(max(1.0, reports.last - reports.first))}"


def _number(errors: Count) -> str:
    return f"about {count(errors.value)}" if errors.is_rounded else str(errors.value)


def known_before(facts: PoolFacts, leaf: Vdev) -> str:
    """When the disk of a device was seen last, and of when its SMART data is; empty for one that is there."""
    known = facts.of_leaf(leaf)
    if known.before is None:
        return ""
    seen = f"last seen {_dated(facts, known.before.at)}"
    if known.known_at is None:
        return f"{seen}; no SMART data of it was read"
    return f"{seen}; its SMART data is of {_dated(facts, known.known_at)}"


def crc_stands_still(facts: PoolFacts, leaf: Vdev) -> str:
    """`no new CRC error for 12m (53)`: what a new cable has to show; empty where that is not known."""
    known = facts.of_leaf(leaf)
    health, since, read = known.health, known.crc_since, known.known_at
    if not isinstance(health, DiskHealth) or not health.crc_errors or since is None or read is None:
        return ""
    return f"no new CRC error for {duration(read - since)} ({health.crc_errors})" if read > since else ""


def _dated(facts: PoolFacts, at: float) -> str:
    """`2026-11-23 02:14 UTC (20m ago)`."""
    return f"{moment(at, TIME)} UTC ({duration(max(0.0, facts.now - at))} ago)"
