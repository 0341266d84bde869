"""How often a pool is read again: rarely where ZFS's events and the I/O stream tell of changes."""

from __future__ import annotations

from typing import Final

from zconsole.model.host.host_state import PoolState
from zconsole.model.pools.pool import SUSPENDED, Pool

CHANGING_EVERY_S: Final = 5.0  # a scan proceeds; or nobody would tell of a change
DRIFTING_EVERY_S: Final = 30.0  # allocation moves by less than is seen in the digits that are shown
UNTOLD_EVERY_S: Final = 30.0  # sizes where nobody tells of quotas and properties, and allocation stays
CALM_EVERY_S: Final = 120.0  # whatever changes is told: by an event, by kstat, by the I/O stream
VISIBLE_DRIFT: Final = 1 / 2000  # of the pool's size
UNFINISHED: Final = "active"


def status_every_s(state: PoolState, *, is_told: bool) -> float:
    """Seconds between two readings of a pool's status; `is_told`: ZFS's events are followed."""
    pool = state.pool.value
    if not is_told or pool is None or state.pool.problem or state.kstat_state == SUSPENDED:
        return CHANGING_EVERY_S
    return CHANGING_EVERY_S if is_changing(pool) else CALM_EVERY_S


def space_every_s(state: PoolState, *, is_told: bool) -> float:
    """Seconds between two readings of a pool's sizes; its I/O stream tells when allocation has moved."""
    pool, sample = state.pool.value, state.sample
    if pool is None or not pool.size_bytes or sample is None or state.io_problem:
        return CHANGING_EVERY_S
    drift = _drift(pool, sample.rows[0].allocated_bytes if sample.rows else None)
    if drift is None or drift > VISIBLE_DRIFT * pool.size_bytes:
        return CHANGING_EVERY_S
    if drift:
        return DRIFTING_EVERY_S
    return CALM_EVERY_S if is_told else UNTOLD_EVERY_S


def is_changing(pool: Pool) -> bool:
    """Whether something proceeds of which no event tells before its end: a scan, removal, expansion, trim."""
    return (
        (pool.scan is not None and pool.scan.is_running)
        or any(each.state == UNFINISHED for each in pool.activities)
        or any(vdev.is_resilvering or vdev.is_removing for vdev in pool.walk())
        or any(each.state == UNFINISHED for vdev in pool.walk() for each in vdev.activities)
    )


def _drift(pool: Pool, allocated_bytes: int | None) -> int | None:
    """Bytes by which allocation has moved since the sizes were read, up or down."""
    if allocated_bytes is None or pool.allocated_bytes is None:
        return None
    return abs(allocated_bytes - pool.allocated_bytes)
