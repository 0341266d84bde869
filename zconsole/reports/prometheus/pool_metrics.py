"""Metrics of a pool: state, space, scan, forecast, bandwidth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.vdevs.pool_used_percent import fill
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.pool import SUSPENDED, Pool, Scan
from zconsole.reports.prometheus.metric_family_and_sample import MetricFamily, MetricSample
from zconsole.views.host_states_with_findings import View
from zconsole.views.pools.pool_columns import seconds_late

LEAST_FRESH_S: Final = 60.0
PACES_FRESH: Final = 3.0  # as many times the pace at which a status is read
STATES: Final = ("ONLINE", "DEGRADED", "FAULTED", "OFFLINE", "UNAVAIL", "REMOVED", SUSPENDED)
SCANS: Final = ("scrub", "resilver")
FULL_PERCENT: Final = 100
_OF_POOL: Final = ("host", "pool")


def _of(name: str, words: str, *labels: str) -> MetricFamily:
    return MetricFamily(f"zconsole_pool_{name}", words, (*_OF_POOL, *labels))


STATE: Final = _of("state", "State of the pool: 1 for the one that it has, 0 for the others.", "state")
STATUS_READ_AT: Final = _of(
    "status_read_timestamp_seconds", "When the status of the pool was read last, in epoch seconds."
)
SIZE: Final = _of("size_bytes", "Size of the pool as in zpool list: parity included.")
ALLOCATED: Final = _of("allocated_bytes", "Allocated space as in zpool list: parity included.")
FREE: Final = _of("free_bytes", "Free space as in zpool list: parity included.")
USED: Final = _of("usable_used_bytes", "Used space after parity: USED of the root dataset.")
AVAILABLE: Final = _of("usable_available_bytes", "Available space after parity: AVAIL of the root dataset.")
USED_RATIO: Final = _of("used_ratio", "Used part of the space that can be used, 0 to 1.")
FRAGMENTATION: Final = _of("fragmentation_ratio", "Fragmentation of the free space, 0 to 1.")
DEDUP: Final = _of("dedup_ratio", "Ratio of deduplication.")
DATA_ERRORS: Final = _of("data_errors", "Known data errors of the pool.")
SCAN_RUNNING: Final = _of("scan_running", "Whether a scan runs, 1 or 0; a paused one does not.", "function")
SCAN_RATIO: Final = _of("scan_progress_ratio", "Part of the scan that is done, 0 to 1.", "function")
SCAN_ENDED: Final = _of(
    "scan_end_timestamp_seconds", "When the last scan finished, in epoch seconds.", "function"
)
SCAN_ERRORS: Final = _of("scan_errors", "Errors that the running or last scan found.", "function")
FULL_AT: Final = _of(
    "full_timestamp_seconds", "When the pool is likely to be full by its forecast, in epoch seconds."
)
COPIES_LATE: Final = _of(
    "copies_late_seconds",
    "How far the copy that is furthest behind lags, where it is later than it should be; else 0.",
)
READ: Final = _of("read_bytes_per_second", "Bandwidth of reads in the last interval.")
WRITE: Final = _of("write_bytes_per_second", "Bandwidth of writes in the last interval.")
READ_OPS: Final = _of("read_operations_per_second", "Reads in the last interval.")
WRITE_OPS: Final = _of("write_operations_per_second", "Writes in the last interval.")

POOL_FAMILIES: Final = (
    STATE, STATUS_READ_AT, SIZE, ALLOCATED, FREE, USED, AVAILABLE, USED_RATIO, FRAGMENTATION, DEDUP,
    DATA_ERRORS, SCAN_RUNNING, SCAN_RATIO, SCAN_ENDED, SCAN_ERRORS, FULL_AT, COPIES_LATE, READ, WRITE,
    READ_OPS, WRITE_OPS,
)  # fmt: skip


def status_times(state: HostState, view: View) -> Iterator[MetricSample]:
    """When the status of each pool was read last, however long ago that is."""
    for of in state.pools:
        if of.pool.value is not None and of.pool.taken_at is not None:
            yield STATUS_READ_AT.of(view.now - (view.monotonic - of.pool.taken_at), state.host, of.name)


def fresh_pools(state: HostState, monotonic: float) -> Iterator[PoolState]:
    """The pools of which something is known that still holds."""
    for pool in state.pools:
        if pool.kstat_state == SUSPENDED or is_fresh(state, pool, monotonic):
            yield pool


def is_fresh(state: HostState, pool: PoolState, monotonic: float) -> bool:
    """Whether the status of a pool was read a short time ago."""
    age = pool.pool.age(monotonic)
    return age is not None and age <= max(LEAST_FRESH_S, PACES_FRESH * pool.status_every_s * state.slack)


def pool_samples(state: HostState, of: PoolState, view: View) -> Iterator[MetricSample]:
    """The metrics of one pool that is fresh, or suspended: then only its state is known."""
    where = state.host, of.name
    for name in dict.fromkeys((*STATES, of.state)):
        yield STATE.of(name == of.state, *where, name)
    pool = of.pool.value
    if pool is None or not is_fresh(state, of, view.monotonic):
        return
    yield from _space(pool, *where)
    if pool.error_count is not None:
        yield DATA_ERRORS.of(pool.error_count, *where)
    yield from _scan(pool.scan, *where)
    yield from _forecast(of, *where)
    if (late_s := seconds_late(state, of.name)) is not None:
        yield COPIES_LATE.of(late_s, *where)
    sample = of.sample
    if sample is not None and sample.rows and view.io_age(of) is None:
        row = sample.rows[0]
        yield READ.of(row.read_bytes, *where)
        yield WRITE.of(row.write_bytes, *where)
        yield READ_OPS.of(row.read_ops, *where)
        yield WRITE_OPS.of(row.write_ops, *where)


def _space(pool: Pool, host: str, name: str) -> Iterator[MetricSample]:
    full = fill(pool)
    known = (
        (SIZE, pool.size_bytes),
        (ALLOCATED, pool.allocated_bytes),
        (FREE, pool.free_bytes),
        (USED, pool.usable_used_bytes),
        (AVAILABLE, pool.usable_available_bytes),
        (USED_RATIO, None if full is None else full.percent / 100),
        (FRAGMENTATION, None if pool.fragmentation_percent is None else pool.fragmentation_percent / 100),
        (DEDUP, pool.dedup_ratio),
    )
    for family, value in known:
        if value is not None:
            yield family.of(value, host, name)


def _scan(scan: Scan | None, host: str, pool: str) -> Iterator[MetricSample]:
    """The running or last scan; ZFS tells nothing of those before."""
    function = scan.function if scan is not None else ""
    for name in dict.fromkeys((*SCANS, *filter(None, (function,)))):
        yield SCAN_RUNNING.of(scan is not None and name == function and scan.is_running, host, pool, name)
    if scan is None:
        return
    if scan.percent is not None and (scan.is_running or scan.state == "paused"):
        yield SCAN_RATIO.of(scan.percent / 100, host, pool, function)
    if scan.end is not None and scan.state == "finished":
        yield SCAN_ENDED.of(scan.end, host, pool, function)
    if scan.errors is not None:
        yield SCAN_ERRORS.of(scan.errors, host, pool, function)


def _forecast(of: PoolState, host: str, pool: str) -> Iterator[MetricSample]:
    forecast = of.forecast.value
    passings = forecast.trend.passings if forecast is not None and forecast.trend is not None else ()
    for passing in passings:
        if passing.percent == FULL_PERCENT and passing.likely is not None:
            yield FULL_AT.of(passing.likely, host, pool)
