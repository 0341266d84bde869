"""What a sentence rests on: the facts without which it is not said, and the command or file of each.

Nothing is declared for a sentence. In a state in which it is said, each known fact is made unknown in turn;
where the sentence is then not said, it rests on that fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, fields, replace
from typing import Any, Final

from zconsole.model.host.host_state import HostState, PoolState, Reading
from zconsole.model.pools.pool import Pool, Vdev

WHOLE: Final = "PoolState.pool"  # of no use beside a part of it
_STATUS: Final = "`zpool status`"
_LIST: Final = "`zpool list`"
_LIST_V: Final = "`zpool list -v`"
_ROOT: Final = "`zfs list` of the root dataset"
SOURCES: Final = {
    "HostState.login": "the phases of the login by SSH, timed by the console",
    "HostState.has_hot_swap": "`hot_swap` of the host in the configuration",
    "HostState.version": "`zfs version`",
    "HostState.pools_at": "the list of pools (`zpool list`)",
    "HostState.pools_problem": "the error of the list of pools",
    "HostState.inventory": "`lsblk`, links below /dev/disk",
    "HostState.smart": "`smartctl`, and what is kept of it",
    "HostState.settings": (
        "/sys/module/zfs/parameters, /proc/spl/kstat/zfs/arcstats, hostid, zed.rc, the process list"
    ),
    "HostState.events": "`zpool events`",
    "HostState.kernel": "`dmesg`",
    "HostState.places": "where the disks were seen last (disk-places.sqlite)",
    "HostState.guests": "libvirt (`virsh domstats`, definitions of guests)",
    "HostState.guests_elsewhere": "libvirt of the other hosts that the console has open",
    "HostState.evidence": "what was known of a disk that is gone (disk-evidence.sqlite)",
    "HostState.read_tests": "the read test of this console",
    "HostState.smart_awaited": "SMART data that is being read",
    "HostState.smart_coverage": "what is kept of `smartctl`",
    "HostState.is_production": "`production` of the host in the configuration",
    "HostState.hostname": "`uname -n`",
    "HostState.machine": "/etc/machine-id, host keys",
    "HostState.events_problem": "the error of `zpool events`",
    "HostState.containers": "control groups and mounts of processes",
    "HostState.replication": "the last comparison of all copies (`zconsole replicas`), kept by this account",
    "HostState.runs": "runs of this console",
    "HostState.marks": "marks of the user",
    "PoolState.samples": "`zpool iostat`",
    "PoolState.io_at": "`zpool iostat`",
    "PoolState.latencies": "`zpool iostat -w`",
    "PoolState.slow_io_rises": "`zpool status -s`, watched",
    "PoolState.datasets": "`zfs list`",
    "PoolState.listing": "`zfs list`",
    "PoolState.sit_outs": "`autosit` and `sit_out` of `zpool get`",
    "PoolState.kstat_state": "/proc/spl/kstat/zfs/POOL/state",
    "PoolState.pool.problem": f"the error of {_STATUS}",
    WHOLE: "`zpool status` as a whole",
    "PoolState.scan_history": f"{_STATUS}, watched: bytes issued by the scan",
    "PoolState.scan_restarts": f"{_STATUS}, watched: restarts of the scan",
    "PoolState.degraded_since": "`zpool events`, or the time at which it was seen",
    "PoolState.settings": "`zfs list` of all datasets (properties)",
    "PoolState.dedup": "`zpool status -D`",
    "PoolState.contents": "/proc/PID/fd of databases, torrents and QEMU; names and sizes of files",
    "PoolState.judgement": "`zpool iostat -l`, second by second ([slow-disks.md](slow-disks.md))",
    "PoolState.forecast": "space samples ([forecast.md](forecast.md))",
    "Pool.state": f"{_STATUS}: state of the pool",
    "Pool.status": f"{_STATUS}: ZFS's remark",
    "Pool.scan": f"{_STATUS}: scan",
    "Pool.scans_beside": f"{_STATUS}: the other scans",
    "Pool.activities": f"{_STATUS}: remove, expand, checkpoint",
    "Pool.error_count": f"{_STATUS}: number of data errors",
    "Pool.error_files": f"{_STATUS} -v: damaged files",
    "Pool.checkpoint_bytes": f"{_LIST}: checkpoint",
    "Pool.checkpoint_created": f"{_STATUS}: checkpoint",
    "Pool.size_bytes": f"{_LIST}: size",
    "Pool.allocated_bytes": f"{_LIST}: allocated",
    "Pool.free_bytes": f"{_LIST}: free",
    "Pool.fragmentation_percent": f"{_LIST}: fragmentation",
    "Pool.dedup_ratio": f"{_LIST}: dedupratio",
    "Pool.expandable_bytes": f"{_LIST}: expandsize",
    "Pool.capacity_percent": f"{_LIST}: capacity",
    "Pool.guid": f"{_LIST}: guid",
    "Pool.altroot": f"{_LIST}: altroot",
    "Pool.readonly": f"{_LIST}: readonly",
    "Pool.ashift": f"{_LIST}: ashift",
    "Pool.usable_used_bytes": f"{_ROOT}: used",
    "Pool.usable_available_bytes": f"{_ROOT}: available",
    "Pool.creation": f"{_ROOT}: creation",
    "Pool.settings": f"{_ROOT}: properties",
    "Pool.autotrim": f"{_LIST}: autotrim",
    "Pool.autoexpand": f"{_LIST}: autoexpand",
    "Pool.failmode": f"{_LIST}: failmode",
    "Vdev.vdev_class": f"{_STATUS}: class of the vdev",
    "Vdev.state": f"{_STATUS}: state of devices",
    "Vdev.guid": f"{_STATUS} -g: guids",
    "Vdev.phys_path": f"{_STATUS} -j, `zdb -C`: place of the disk",
    "Vdev.devid": f"{_STATUS} -j, `zdb -C`: id of the disk",
    "Vdev.enclosure_path": f"{_STATUS} -j, `zdb -C`: bay of the disk",
    "Pool.action": f"{_STATUS}: ZFS's remark",
    "Pool.see": f"{_STATUS}: ZFS's remark",
    "Pool.read_errors": f"{_STATUS}: errors of the pool",
    "Pool.write_errors": f"{_STATUS}: errors of the pool",
    "Pool.checksum_errors": f"{_STATUS}: errors of the pool",
    "Vdev.path": f"{_STATUS} -P: paths",
    "Vdev.read_errors": f"{_STATUS}: read errors",
    "Vdev.write_errors": f"{_STATUS}: write errors",
    "Vdev.checksum_errors": f"{_STATUS}: checksum errors",
    "Vdev.slow_ios": f"{_STATUS} -s: slow I/Os",
    "Vdev.note": f"{_STATUS}: remark on the device",
    "Vdev.is_resilvering": f"{_STATUS}: resilvering",
    "Vdev.is_removing": f"{_STATUS}: removing",
    "Vdev.activities": f"{_STATUS} -it: initialize, trim",
    "Vdev.size_bytes": f"{_LIST_V}: size",
    "Vdev.allocated_bytes": f"{_LIST_V}: allocated",
    "Vdev.free_bytes": f"{_LIST_V}: free",
    "Vdev.fragmentation_percent": f"{_LIST_V}: fragmentation",
    "Vdev.capacity_percent": f"{_LIST_V}: capacity",
    "Vdev.expandable_bytes": f"{_LIST_V}: expandsize",
    "Vdev.physical_bytes": f"{_STATUS}: physical size of disks (from 2.3 on)",
    "Vdev.configured_ashift": f"{_STATUS}: block size of the vdev",
    "Vdev.physical_ashift": f"{_STATUS}: block size of the disk",
}
_STRUCTURE: Final = frozenset(
    {"HostState.host", "HostState.revision", "HostState.link", "HostState.pools", "PoolState.name",
     "Pool.name", "Pool.vdevs", "Vdev.name", "Vdev.type", "Vdev.children"}
)  # fmt: skip
_UNKNOWN: Final[dict[str, object]] = {
    "Pool.state": "ONLINE",
    "Vdev.state": "ONLINE",
    "Vdev.vdev_class": "data",
}


def without_each_fact(state: HostState) -> Iterator[tuple[str, HostState]]:
    """The state without one known fact, for each: the fact's name, as in SOURCES, and the rest."""
    yield from _each(HostState, lambda change: change(state), (state,))
    of_pools = state.pools
    yield from _each(
        PoolState, lambda change: replace(state, pools=tuple(map(change, of_pools))), of_pools, skip={"pool"}
    )
    if any(each.pool.problem for each in of_pools):
        yield "PoolState.pool.problem", replace(state, pools=tuple(map(_without_problem, of_pools)))
    if any(each.pool.value is not None for each in of_pools):
        yield WHOLE, replace(state, pools=tuple(replace(each, pool=Reading()) for each in of_pools))
    pools = tuple(each.pool.value for each in of_pools if each.pool.value is not None)
    yield from _each(Pool, lambda change: _with_pools(state, change), pools)
    vdevs = tuple(vdev for pool in pools for vdev in pool.walk())
    yield from _each(Vdev, lambda change: _with_vdevs(state, change), vdevs)


def _each(
    kind: type[Any],
    made: Callable[[Callable[[Any], Any]], HostState],
    values: tuple[object, ...],
    skip: set[str] | None = None,
) -> Iterator[tuple[str, HostState]]:
    for field in fields(kind):
        name = f"{kind.__name__}.{field.name}"
        unknown = _UNKNOWN[name] if name in _UNKNOWN else _default(field)
        is_known = any(getattr(each, field.name) != unknown for each in values)
        if is_known and name not in _STRUCTURE and field.name not in (skip or ()):
            yield name, made(_changing(field.name, unknown))


def _changing(name: str, unknown: object) -> Callable[[Any], Any]:
    return lambda value: replace(value, **{name: unknown})


def _default(field: Field[Any]) -> object:
    return None if field.default is MISSING else field.default


def _without_problem(state: PoolState) -> PoolState:
    return replace(state, pool=replace(state.pool, problem=""))


def _with_pools(state: HostState, change: Callable[[Pool], Pool]) -> HostState:
    def changed(each: PoolState) -> PoolState:
        value: Reading[Pool] = each.pool
        return each if value.value is None else replace(each, pool=replace(value, value=change(value.value)))

    return replace(state, pools=tuple(map(changed, state.pools)))


def _with_vdevs(state: HostState, change: Callable[[Vdev], Vdev]) -> HostState:
    def below(vdev: Vdev) -> Vdev:
        return change(replace(vdev, children=tuple(map(below, vdev.children))))

    return _with_pools(state, lambda pool: replace(pool, vdevs=tuple(map(below, pool.vdevs))))
