"""Metrics of the disks of a host by their SMART data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from zconsole.analysis.vdevs.host_disks import HostDisk, host_disks
from zconsole.model.host.host_state import HostState
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.reports.prometheus.metric_family_and_sample import MetricFamily, MetricSample

OLDEST_S: Final = 86400.0  # of SMART data, which is read rarely, so that no disk is woken
_OF_DISK: Final = ("host", "disk", "serial", "pool")


def _of(name: str, words: str, *, is_counter: bool = False) -> MetricFamily:
    return MetricFamily(f"zconsole_disk_{name}", words, _OF_DISK, is_counter=is_counter)


READ_AT: Final = _of("smart_read_timestamp_seconds", "When SMART data was read last, in epoch seconds.")
PASSING: Final = _of("smart_passing", "The disk's own verdict on its health: 1 or 0.")
TEMPERATURE: Final = _of("temperature_celsius", "Temperature of the disk.")
HOURS: Final = _of("power_on_seconds", "Time of operation of the disk.", is_counter=True)
REALLOCATED: Final = _of("reallocated_sectors", "Sectors that were replaced by spare ones.")
PENDING: Final = _of("pending_sectors", "Sectors that could not be read and wait to be written.")
UNCORRECTABLE: Final = _of("reported_uncorrectable_errors", "Errors that the host was told of.")
CRC: Final = _of("crc_errors", "Errors on the cable of the disk.", is_counter=True)
WEAR: Final = _of("wear_ratio", "Used part of the rated endurance; may be more than 1.")

DISK_FAMILIES: Final = (READ_AT, PASSING, TEMPERATURE, HOURS, REALLOCATED, PENDING, UNCORRECTABLE, CRC, WEAR)


def disk_samples(state: HostState, now: float) -> Iterator[MetricSample]:
    """SMART data of each disk that has some which is not older than a day."""
    if state.smart.value is None:
        return
    for disk in host_disks(state):
        known, at = disk.known, disk.known_at
        if disk.disk is not None and known is not None and at is not None and now - at <= OLDEST_S:
            yield READ_AT.of(at, *_labels(state, disk))
            yield from _of_health(known, _labels(state, disk))


def _labels(state: HostState, disk: HostDisk) -> tuple[str, ...]:
    name = disk.disk.name if disk.disk is not None else ""
    serial = disk.disk.serial if disk.disk is not None else ""
    return state.host, name, serial, disk.pool.name if disk.pool is not None else ""


def _of_health(health: DiskHealth, labels: tuple[str, ...]) -> Iterator[MetricSample]:
    known = (
        (PASSING, health.is_passing),
        (TEMPERATURE, health.temperature_c),
        (HOURS, None if health.power_on_hours is None else health.power_on_hours * 3600),
        (REALLOCATED, health.reallocated),
        (PENDING, health.pending),
        (UNCORRECTABLE, health.reported_uncorrectable),
        (CRC, health.crc_errors),
        (WEAR, None if health.wear is None else health.wear / 100),
    )
    for family, value in known:
        if value is not None:
            yield family.of(value, *labels)
