"""Counters of a host's ARC, write throttle, intent log and transaction groups, with history and meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, TypeVar

from zconsole.analysis.vdevs.latency_quantiles import spread
from zconsole.base.fixed_width_formatting import UNKNOWN, bandwidth, count, milliseconds, size
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.size_units import in_megabytes
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.kernel_counters import ArcSample, Hits, L2Arc, ThrottleSample, ZilSample
from zconsole.views.layout import sparklines
from zconsole.views.layout.sparklines import Scale, over_time

RECENT_TXGS: Final = 20  # period of the means
LONG_SYNC_NS: Final = 5e9  # a group begins every 5 s: a slower one delays the next
HELD_UP: Final = 1.0  # delayed writes a second, and their part of all: above both, a warning is shown
HELD_UP_SHARE: Final = 0.01
FEW_HITS: Final = 0.8  # of all lookups
_NS: Final = 1e9
T = TypeVar("T", ArcSample, ThrottleSample, ZilSample)


@dataclass(frozen=True, slots=True)
class CounterRow:
    """Counter with its history. `more` stands beside it, `words` explain it when it is selected."""

    key: str
    title: str
    now: str
    more: str = ""
    past: Sequence[float | None] = ()
    scale: Scale | None = None
    high_from: float | None = None  # history values that are highlighted
    is_bad: bool = False
    words: tuple[str, ...] = ()


def items(state: HostState, cells: int) -> Iterator[CounterRow | str]:
    """All counters, with headings between; `cells` is the width of a strip."""
    if state.arc.value:
        yield "cache (ARC)"
        yield from _cache(state.arc.value, cells)
    if state.throttle.value or state.zil.value:
        yield "writes"
    if state.throttle.value:
        yield _throttle(state.throttle.value, cells)
    if state.zil.value:
        yield from _zil(state.zil.value, cells)
    if state.pools:
        yield "transaction groups"
        for pool in state.pools:
            yield _txgs(pool, cells)
    l2 = state.arc.value[-1].l2 if state.arc.value else None
    if state.arc.value and l2 is not None:
        yield "second level (L2ARC)"
        yield from _second(state.arc.value, l2, cells)


def held_up(now: ThrottleSample) -> float:
    """Delayed writes a second."""
    waited = now.dirty_delay + now.dirty_throttle + now.dirty_over_max
    return waited + now.memory + now.suspended + (now.log_delay or 0.0)


def is_held_up(now: ThrottleSample) -> bool:
    """Whether more writes are delayed than a busy pool usually has."""
    return held_up(now) >= max(HELD_UP, HELD_UP_SHARE * now.assigned)


def mean_sync_ns(pool: PoolState) -> float | None:
    """Mean sync time of the last transaction groups; None when none has ended."""
    recent = [each.sync_ns for each in pool.txgs.value or () if each.state == "C"][-RECENT_TXGS:]
    return sum(recent) / len(recent) if recent else None


def _past(samples: Sequence[T], get: Callable[[T], float | None], cells: int) -> list[float | None]:
    return over_time(((each.at, get(each)) for each in reversed(samples)), cells)


def _cache(samples: Sequence[ArcSample], cells: int) -> Iterator[CounterRow]:
    now = samples[-1]
    yield _cache_size(samples, cells)
    yield _hits("total", "hits", samples, lambda each: each.total, cells)
    for key, title, get in _KINDS:
        yield _hits(key, title, samples, get, cells)
    ghosts = now.mru_ghost_hits + now.mfu_ghost_hits
    yield CounterRow(
        "ghosts",
        "ghost hits",
        f"{count(ghosts)}/s",
        f"recent {count(now.mru_ghost_hits)}/s, frequent {count(now.mfu_ghost_hits)}/s",
        _past(samples, lambda each: each.mru_ghost_hits + each.mfu_ghost_hits, cells),
        sparklines.RATE,
        words=("Misses of what was in the cache not long ago: with more memory they would be hits.",),
    )
    is_short = now.memory_available_bytes is not None and now.memory_available_bytes < 0
    grows = "The cache may grow." if now.may_grow else "The cache may not grow: the host needs the memory."
    yield CounterRow(
        "memory",
        "memory free",
        size(now.memory_free_bytes),
        f"{size(now.memory_available_bytes)} for the cache",
        is_bad=is_short,
        words=(
            f"The host has {size(now.memory_bytes)}.",
            grows,
            "If what is left for the cache is negative, it shrinks.",
        ),
    )


def _cache_size(samples: Sequence[ArcSample], cells: int) -> CounterRow:
    now = samples[-1]
    most = max(1, now.max_bytes)
    parts = (
        ("data", now.data_bytes),
        ("metadata", now.metadata_bytes),
        ("headers", now.header_bytes),
        ("dnodes", now.dnode_bytes),
        ("dbufs", now.dbuf_bytes),
    )
    held = f"{size(now.uncompressed_bytes)} in {size(now.compressed_bytes)}"
    return CounterRow(
        "size",
        "size",
        size(now.size_bytes),
        f"of {size(now.target_bytes)} target",
        _past(samples, lambda each: min(1.0, each.size_bytes / most), cells),
        sparklines.SHARE,
        words=(
            ", ".join(f"{name} {size(value)}" for name, value in parts) + ".",
            f"It holds {held}. The target moves between {size(now.min_bytes)} and {size(now.max_bytes)}.",
            f"The history is relative to {size(now.max_bytes)}.",
        ),
    )


_KINDS: Final[tuple[tuple[str, str, Callable[[ArcSample], Hits]], ...]] = (
    ("demand-data", "  data", lambda each: each.demand_data),
    ("demand-metadata", "  metadata", lambda each: each.demand_metadata),
    ("prefetch-data", "  prefetch data", lambda each: each.prefetch_data),
    ("prefetch-metadata", "  prefetch metadata", lambda each: each.prefetch_metadata),
)
_MEANT: Final = {
    "total": "All lookups. A cold cache, or one pass over all data, has few hits: that is no fault.",
    "demand-data": "Demand reads of file data.",
    "demand-metadata": "Demand reads of metadata.",
    "prefetch-data": "File data that ZFS reads ahead of demand.",
    "prefetch-metadata": "Metadata that ZFS reads ahead of demand.",
}


def _hits(
    key: str, title: str, samples: Sequence[ArcSample], get: Callable[[ArcSample], Hits], cells: int
) -> CounterRow:
    now = get(samples[-1])
    ratios = ((each.at, get(each).ratio) for each in reversed(samples))
    return CounterRow(
        key,
        title,
        _percent(now.ratio),
        f"{count(now.hits)}/s hits, {count(now.misses)}/s misses",
        over_time(ratios, cells, min),
        sparklines.SHARE,
        is_bad=key == "total" and now.ratio is not None and now.ratio < FEW_HITS,
        words=(_MEANT[key], f"{count(now.io_hits)}/s were on their way from disk already."),
    )


def _percent(ratio: float | None) -> str:
    return UNKNOWN if ratio is None else f"{100 * ratio:.1f}%"


def _second(samples: Sequence[ArcSample], now: L2Arc, cells: int) -> Iterator[CounterRow]:
    ratios = ((each.at, None if each.l2 is None else each.l2.lookups.ratio) for each in reversed(samples))
    yield CounterRow(
        "l2-hits",
        "hits",
        _percent(now.lookups.ratio),
        f"{count(now.lookups.hits)}/s hits, {count(now.lookups.misses)}/s misses",
        over_time(ratios, cells, min),
        sparklines.SHARE,
        words=("Of what the cache in memory did not have.",),
    )
    yield CounterRow(
        "l2-size",
        "size",
        size(now.size_bytes),
        f"{size(now.stored_bytes)} on the devices",
        words=(f"Its headers take {size(now.header_bytes)} of memory.",),
    )
    yield CounterRow(
        "l2-traffic",
        "read",
        bandwidth(now.read_bytes),
        f"{bandwidth(now.write_bytes)} written",
        _past(samples, lambda each: 0.0 if each.l2 is None else in_megabytes(each.l2.read_bytes), cells),
        sparklines.MEGABYTES,
    )
    yield CounterRow(
        "l2-errors",
        "errors",
        str(now.errors),
        "since ZFS was loaded",
        is_bad=now.errors > 0,
        words=("Of the cache devices. What they cannot give is read from the pool.",),
    )


def _throttle(samples: Sequence[ThrottleSample], cells: int) -> CounterRow:
    now = samples[-1]
    reasons = (
        ("delayed", now.dirty_delay),
        ("for the next group", now.dirty_throttle),
        ("for room", now.dirty_over_max),
        ("for memory", now.memory),
        ("for a suspended pool", now.suspended),
        ("by the intent log", now.log_delay or 0.0),
    )
    told = ", ".join(f"{count(value)}/s {why}" for why, value in reasons if value)
    return CounterRow(
        "throttle",
        "write throttle",
        f"{count(held_up(now))}/s",
        told or f"{count(now.assigned)}/s not delayed",
        _past(samples, held_up, cells),
        sparklines.RATE,
        high_from=max(HELD_UP, HELD_UP_SHARE * now.assigned),
        is_bad=is_held_up(now),
        words=(
            "Writes that had to wait, since more came than the disks take in. All pools of the host.",
            f"{count(now.assigned)}/s were not delayed, {count(now.frees_delay)}/s deletes waited.",
            f"At most {size(now.dirty_max_bytes)} may wait to be written.",
        ),
    )


def _zil(samples: Sequence[ZilSample], cells: int) -> Iterator[CounterRow]:
    now = samples[-1]
    yield CounterRow(
        "zil",
        "log commits",
        f"{count(now.commits)}/s",
        f"{bandwidth(now.slog_bytes)} to log devices",
        _past(samples, lambda each: each.commits, cells),
        sparklines.RATE,
        words=(
            f"Synchronous writes that somebody waits for. {count(now.writers)}/s wrote the log themselves.",
            f"Log blocks on data vdevs: {bandwidth(now.normal_bytes)}. {count(now.records)}/s records.",
        ),
    )
    if now.errors:
        yield CounterRow(
            "zil-errors",
            "log failures",
            f"{count(now.errors)}/s",
            "waited for a whole group",
            is_bad=True,
            words=("Commits whose log could not be written.",),
        )


def _txgs(pool: PoolState, cells: int) -> CounterRow:
    make = partial(CounterRow, f"txg {pool.name}", pool.name)
    mean_ns = mean_sync_ns(pool)
    if mean_ns is None:
        why = pool.txgs.problem or "none has ended yet"
        return make(UNKNOWN, why, words=(why,))
    committed = [each for each in pool.txgs.value or () if each.state == "C"]
    recent = committed[-RECENT_TXGS:]
    written = sum(each.dirty_bytes for each in recent) / len(recent)
    open_s = sum(each.open_ns for each in recent) / len(recent) / _NS
    longest_s = max(each.sync_ns for each in recent) / _NS
    past: list[float | None] = [each.sync_ns / _NS for each in committed[-cells:]]
    return make(
        f"{mean_ns / _NS:.2f} s",
        f"to write {size(round(written))}",
        [None] * (cells - len(past)) + past,
        sparklines.SECONDS,
        high_from=LONG_SYNC_NS / _NS,
        is_bad=mean_ns >= LONG_SYNC_NS,
        words=(
            f"The last {len(recent)} groups: open for {open_s:.1f} s, written in {longest_s:.2f} s at most.",
            *_waits(pool),
            "Each cell of the strip is one group.",
        ),
    )


def _waits(pool: PoolState) -> Iterator[str]:
    found = spread(pool.assign_waits.value) if pool.assign_waits.value is not None else None
    if found is not None:
        half, tail = milliseconds(found.median), milliseconds(found.tail)
        yield f"Half of all writes waited up to {half} ms for a group, 99% up to {tail} ms."
