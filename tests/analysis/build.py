"""Short ways to say a pool, a vdev, a host in a test."""

from __future__ import annotations

from dataclasses import replace

from zconsole.model.host.host_settings import HostSettings
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, PoolState, Reading
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import Count, Pool, Scan, Vdev

NOW = 1_800_000_000.0
DAY = 86400


def disk(name: str = "sda", state: str = "ONLINE", **values: object) -> Vdev:
    """One device."""
    zero = Count(0)
    made = Vdev(name, "disk", "data", state, read_errors=zero, write_errors=zero, checksum_errors=zero)
    return replace(made, **values)  # type: ignore[arg-type]


def group(name: str, *children: Vdev, vdev_type: str | None = None, **values: object) -> Vdev:
    """A mirror, raidz, spare or replacing, named as ZFS names it; DEGRADED when a child is not ONLINE."""
    kind = vdev_type or name.partition("-")[0].partition(":")[0]
    healthy = all(child.state == "ONLINE" for child in children)
    zero = Count(0)
    made = Vdev(
        name,
        kind,
        "data",
        "ONLINE" if healthy else "DEGRADED",
        read_errors=zero,
        write_errors=zero,
        checksum_errors=zero,
        children=children,
    )
    return replace(made, **values)  # type: ignore[arg-type]


def mirror(*states: str, name: str = "mirror-0") -> Vdev:
    """A mirror of devices in these states."""
    return group(name, *(disk(f"{name}-{index}", state) for index, state in enumerate(states)))


def in_class(vdev: Vdev, vdev_class: str) -> Vdev:
    """The same vdev and all below it in another class."""
    children = tuple(in_class(child, vdev_class) for child in vdev.children)
    return replace(vdev, vdev_class=vdev_class, children=children)


def pool(*vdevs: Vdev, **values: object) -> Pool:
    """A pool in which all is well, unless a vdev or a value says otherwise."""
    vdevs = vdevs or (mirror("ONLINE", "ONLINE"),)
    made = Pool(
        "tank",
        "ONLINE" if all(vdev.state in {"ONLINE", "AVAIL", "INUSE"} for vdev in vdevs) else "DEGRADED",
        guid=2**63 + 1,
        vdevs=vdevs,
        error_count=0,
        scan=scrubbed(days_ago=3),
        usable_used_bytes=50,
        usable_available_bytes=50,
    )
    return replace(made, **values)  # type: ignore[arg-type]


def scrubbed(*, days_ago: float, function: str = "scrub", state: str = "finished") -> Scan:
    """A scan that ended so long ago."""
    end = int(NOW - days_ago * DAY)
    return Scan(function, state, start=end - 3600, end=end, percent=100.0, repaired_bytes=0, errors=0)


def host(of: Pool | None = None, **values: object) -> HostState:
    """A host with one pool that was read well; `values` change the PoolState."""
    of = of or pool()
    state = PoolState(of.name, kstat_state=of.state, pool=Reading(of, taken_at=0.0))
    return HostState(
        "nas1",
        link=LinkStatus(LinkState.UP),
        version=Reading(ZfsVersion("zfs-2.4.4-1", "zfs-kmod-2.4.4-1"), taken_at=0.0),
        pools=(replace(state, **values),),  # type: ignore[arg-type]
    )


def wholly_read(state: HostState) -> HostState:
    """The host with settings that were read as well, in which nothing is set, and what lives on the pools."""
    pools = tuple(replace(each, settings=Reading((), 0.0), contents=Reading((), 0.0)) for each in state.pools)
    return replace(state, pools=pools, settings=Reading(HostSettings(), 0.0))
