"""Metrics of the vdevs of a pool: state, errors, latency, slow disks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.vdevs.disk_places_now_and_last_seen import serial_of_leaf
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.iostat import IoRow
from zconsole.model.pools.pool import HEALTHY_STATES, Vdev
from zconsole.reports.prometheus.metric_family_and_sample import MetricFamily, MetricSample
from zconsole.reports.prometheus.pool_metrics import is_fresh
from zconsole.views.host_states_with_findings import View
from zconsole.views.pools.pool_page import disk_of
from zconsole.views.pools.vdev_rows import VdevRow, busy_of, io_places, nodes, row_of

SPARE_IN_USE: Final = "INUSE"
NS: Final = 1e9  # nanoseconds in a second
_OF_VDEV: Final = ("host", "pool", "vdev", "serial")


def _of(name: str, words: str, *labels: str, is_counter: bool = False) -> MetricFamily:
    return MetricFamily(f"zconsole_vdev_{name}", words, (*_OF_VDEV, *labels), is_counter=is_counter)


STATE: Final = _of("state", "State of the vdev, 1: there is a sample of the one that it has.", "state")
HEALTHY: Final = _of("healthy", "Whether the vdev is ONLINE, or an available or used spare: 1 or 0.")
READ_ERRORS: Final = _of("read_errors", "Read errors since the last zpool clear.", is_counter=True)
WRITE_ERRORS: Final = _of("write_errors", "Write errors since the last zpool clear.", is_counter=True)
CHECKSUM_ERRORS: Final = _of(
    "checksum_errors", "Checksum errors since the last zpool clear.", is_counter=True
)
SLOW_IOS: Final = _of(
    "slow_ios", "I/Os that took longer than zio_slow_io_ms, since the last zpool clear.", is_counter=True
)
READ_LATENCY: Final = _of("read_latency_seconds", "Mean time of the disk for a read, in the last interval.")
WRITE_LATENCY: Final = _of(
    "write_latency_seconds", "Mean time of the disk for a write, in the last interval."
)
BUSY: Final = _of("busy_ratio", "Part of the last interval in which the disk was busy, 0 to 1.")
SLOW: Final = _of(
    "slow",
    "Whether zconsole judges the disk slower than its peers: 1 or 0; without enough I/O, and while it "
    "completes none together with others, no sample.",
)
SLOWER: Final = _of(
    "slow_latency_ratio",
    "Latency of a slow disk as a multiple of its peers'; no sample of one that completes nothing.",
)
RESILVERING: Final = _of("resilvering", "Whether the vdev is being resilvered: 1 or 0.")

VDEV_FAMILIES: Final = (
    STATE, HEALTHY, READ_ERRORS, WRITE_ERRORS, CHECKSUM_ERRORS, SLOW_IOS, READ_LATENCY, WRITE_LATENCY, BUSY,
    SLOW, SLOWER, RESILVERING,
)  # fmt: skip


def vdev_samples(state: HostState, of: PoolState, view: View) -> Iterator[MetricSample]:
    """The metrics of every vdev; a top-level vdev has an empty serial number."""
    pool = of.pool.value
    if pool is None or not is_fresh(state, of, view.monotonic):
        return
    order = [each for each in nodes(pool) if isinstance(each, VdevRow)]
    sample = of.sample if view.io_age(of) is None else None
    places = {} if sample is None else io_places(order, sample)
    for node in order:
        vdev, place = node.vdev, places.get(node.key)
        if vdev.state == SPARE_IN_USE:  # it is also where it serves
            continue
        where = (state.host, of.name, vdev.name, _serial(state, vdev))
        yield from _of_status(vdev, where)
        if vdev.is_leaf:
            yield from _of_io(row_of(sample, place), busy_of(sample, place), where)
            yield from _of_judgement(of, vdev, where)


def _serial(state: HostState, vdev: Vdev) -> str:
    if not vdev.is_leaf:
        return ""
    disk, _ = disk_of(state.inventory.value, vdev)
    return (disk.serial if disk is not None else "") or serial_of_leaf(vdev)


def _of_status(vdev: Vdev, where: tuple[str, ...]) -> Iterator[MetricSample]:
    yield STATE.of(1, *where, vdev.state)
    yield HEALTHY.of(vdev.state in HEALTHY_STATES, *where)
    if vdev.vdev_class != "spare":
        yield RESILVERING.of(vdev.is_resilvering, *where)
    counts = (
        (READ_ERRORS, vdev.read_errors),
        (WRITE_ERRORS, vdev.write_errors),
        (CHECKSUM_ERRORS, vdev.checksum_errors),
        (SLOW_IOS, vdev.slow_ios),
    )
    for family, count in counts:
        if count is not None:
            yield family.of(count.value, *where)


def _of_io(row: IoRow | None, busy: float | None, where: tuple[str, ...]) -> Iterator[MetricSample]:
    """The last interval; a disk without I/O has no latency."""
    if row is not None:
        if row.latency.disk_read is not None:
            yield READ_LATENCY.of(row.latency.disk_read / NS, *where)
        if row.latency.disk_write is not None:
            yield WRITE_LATENCY.of(row.latency.disk_write / NS, *where)
    if busy is not None:
        yield BUSY.of(busy, *where)


def _of_judgement(of: PoolState, vdev: Vdev, where: tuple[str, ...]) -> Iterator[MetricSample]:
    """The verdict on the speed of a disk; none where it could not be judged."""
    if of.judgement is None or any(each.disk == vdev.name for each in of.undecided):
        return
    verdict = next((each for each in of.slow if each.disk == vdev.name), None)
    if verdict is None and (
        of.judgement.is_too_little or vdev.vdev_class not in {"data", "special", "dedup"}
    ):
        return
    if verdict is None and vdev.name in of.judgement.without_answer:
        return  # it completes nothing at present, with others: neither slow nor well
    yield SLOW.of(verdict is not None, *where)
    if verdict is not None and verdict.measured_ratio is not None:
        yield SLOWER.of(verdict.measured_ratio, *where)
