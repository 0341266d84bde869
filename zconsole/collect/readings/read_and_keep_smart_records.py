"""SMART answers as records: what was known before stays known, and growth is told from what was kept."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from zconsole.analysis.vdevs.disk_identity_and_links import BY_NAME, disk_identity
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.smart_data import SmartTimeLimit, read_disk_health
from zconsole.model.pools.disk_and_inventory import Disk
from zconsole.model.pools.smart_health import (
    DiskHealth,
    EarlierHealth,
    HealthAnswer,
    HealthRecord,
    PowerMode,
)
from zconsole.storage.run_in_thread import patiently

if TYPE_CHECKING:
    from zconsole.storage.disks.disk_health_samples import DiskHealthStore

Identity = tuple[str, ...]


def recorded(disk: Identity, answer: HealthAnswer, at: float, before: HealthRecord | None) -> HealthRecord:
    """Record of an answer. A disk that sleeps or is silent keeps the data that it gave before."""
    if isinstance(answer, DiskHealth) and answer.power_mode is PowerMode.ACTIVE:
        earlier = before.earlier if before is not None else None
        return HealthRecord(disk, answer, at, answer, at, earlier, _crc_since(answer, at, before))
    if before is None:
        return HealthRecord(disk, answer, at)
    return replace(before, answer=answer, at=at)


def _crc_since(answer: DiskHealth, at: float, before: HealthRecord | None) -> float | None:
    """Time since which the number of CRC errors is the same, as far as it was read."""
    if answer.crc_errors is None or before is None or before.known is None:
        return None
    if before.known.crc_errors != answer.crc_errors:
        return at
    return before.crc_since if before.crc_since is not None else before.known_at


async def stored_records(store: DiskHealthStore, disks: Iterable[Identity]) -> tuple[HealthRecord, ...]:
    """Records of what was kept of disks. Raises DiskHealthStoreError, TookTooLong."""
    kept = await patiently(store.known, tuple(disks))
    return tuple(
        HealthRecord(disk, each.health, each.at, each.health, each.at, each.earlier)
        for disk, each in kept.items()
    )


async def keep(
    store: DiskHealthStore, found: Iterable[tuple[Identity, HealthAnswer]], at: float
) -> dict[Identity, EarlierHealth | None]:
    """Keep the answers with data, and return what growth is told from. Raises as `stored_records`.

    A disk that is known by its kernel name alone is another one after the next boot.
    """
    lasting = [
        (disk, answer)
        for disk, answer in found
        if isinstance(answer, DiskHealth) and answer.power_mode is PowerMode.ACTIVE and disk[0] != BY_NAME
    ]
    if not lasting:
        return {}
    await patiently(store.add, lasting, at)
    kept = await patiently(store.known, tuple(disk for disk, _ in lasting))
    return {disk: each.earlier for disk, each in kept.items()}


async def read_health_records(
    asker: Asker,
    disks: Sequence[Disk],
    at: float,
    store: DiskHealthStore | None,
    limit: SmartTimeLimit | None = None,
) -> tuple[HealthRecord, ...]:
    """SMART data of disks once, with what was kept; of a disk that was not asked in time, that alone.

    Raises HostError, and as `stored_records`.
    """
    names = {disk.name: disk_identity(disk) for disk in disks}
    before = {}
    if store is not None:
        before = {each.disk: each for each in await stored_records(store, names.values())}
    answers = await read_disk_health(asker, disks, limit=limit)
    found = [(names[name], answer) for name, answer in answers.items()]
    earlier = {} if store is None else await keep(store, found, at)
    asked = {disk for disk, _ in found}
    fresh = (
        replace(each, earlier=earlier.get(each.disk, each.earlier))
        for disk, answer in found
        for each in (recorded(disk, answer, at, before.get(disk)),)
    )
    return (*fresh, *(each for disk, each in before.items() if disk not in asked))
