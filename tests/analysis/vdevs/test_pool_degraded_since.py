"""Since when a pool is degraded."""

from __future__ import annotations

from zconsole.analysis.vdevs.pool_degraded_since import STATE_CHANGE, degraded_since
from zconsole.model.pools.event import Event
from zconsole.model.pools.pool import Pool, Vdev

FAULTED = Vdev("sda", "disk", "data", "FAULTED", guid=7)
OFFLINE = Vdev("sdb", "disk", "data", "OFFLINE", guid=8)
HEALTHY = Vdev("sdc", "disk", "data", "ONLINE", guid=9)


def changed(guid: int, at: float, pool: str = "tank") -> Event:
    return Event(at, STATE_CHANGE, pool, 1, (("vdev_guid", hex(guid)),))


def pool(*vdevs: Vdev, state: str = "DEGRADED") -> Pool:
    return Pool("tank", state, vdevs=vdevs)


def test_the_last_change_of_an_ailing_disk_tells() -> None:
    """A disk that came back in between failed when it failed last."""
    events = [changed(7, 100.0), changed(7, 250.0)]

    assert 250.0 == degraded_since(pool(FAULTED, HEALTHY), events)


def test_the_first_of_two_standing_faults_tells() -> None:
    """The pool has been degraded since the first of the faults that still stand."""
    events = [changed(8, 400.0), changed(7, 300.0)]

    assert 300.0 == degraded_since(pool(FAULTED, OFFLINE), events)


def test_changes_of_healthy_disks_and_other_pools_tell_nothing() -> None:
    """Only what ails now, here, counts; otherwise it is unknown."""
    events = [changed(9, 100.0), changed(7, 50.0, pool="bulk")]

    assert degraded_since(pool(FAULTED, HEALTHY), events) is None


def test_a_healthy_pool_is_not_degraded() -> None:
    assert degraded_since(pool(HEALTHY, state="ONLINE"), [changed(9, 1.0)]) is None
