"""States of a host in which advice on it speaks, and some in which it is silent."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import host
from zconsole.model.host.host_settings import HostSettings
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.zfs.settings.parameter_defaults import PARAMETERS

GIB = 1 << 30
DEFAULTS = tuple((each.name, each.default) for each in PARAMETERS)
SOUND = HostSettings(
    (*DEFAULTS, ("zfs_arc_max", "0")),
    hostid=0x37D844D0,
    arc_max_bytes=32 * GIB,
    memory_bytes=64 * GIB,
    is_zed_running=True,
    zed_set=("ZED_EMAIL_ADDR",),
    has_mailer=True,
)


def set_to(**values: object) -> HostState:
    """A sound host but for some settings."""
    return replace(host(), settings=Reading(replace(SOUND, **values), 0.0))  # type: ignore[arg-type]


def with_parameter(name: str, value: str, **values: object) -> HostState:
    """A host with one parameter that is set."""
    others = tuple(each for each in SOUND.parameters if each[0] != name)
    return set_to(parameters=(*others, (name, value)), **values)


def on_disks_of_its_own(state: HostState) -> HostState:
    """The host with an inventory in which each of its disks is on NVMe."""
    of = state.pools[0].pool.value
    assert of is not None
    leaves = [leaf for leaf in of.walk() if leaf.is_leaf]
    tops = tuple(
        replace(top, children=tuple(replace(leaf, path=f"/dev/{leaf.name}") for leaf in top.children))
        for top in of.vdevs
    )
    disks = tuple(Disk(leaf.name, f"/dev/{leaf.name}", "disk", transport="nvme") for leaf in leaves)
    pools = (replace(state.pools[0], pool=Reading(replace(of, vdevs=tops), 0.0)),)
    return replace(state, pools=pools, inventory=Reading(Inventory(disks, ()), 0.0))


SPEAKING: list[tuple[str, str, HostState]] = [
    ("zed-not-running", "the event daemon (zed) does not run: no hot spare", set_to(is_zed_running=False)),
    (
        "zed-tells-nobody",
        "the event daemon (zed) cannot tell of a fault: no program to mail with is installed",
        set_to(has_mailer=False),
    ),
    (
        "zed-tells-nobody",
        "the event daemon (zed) cannot tell of a fault: no address or service is set in zed.rc",
        set_to(zed_set=("ZED_USE_ENCLOSURE_LEDS",)),
    ),
    ("hostid-zero", "it has no hostid: ZFS cannot tell that a pool is in use", set_to(hostid=0)),
    (
        "arc-limit-ignored",
        "zfs_arc_max=1048576 is not in effect: the ARC may take 32.0 GiB of 64.0 GiB",
        with_parameter("zfs_arc_max", "1048576"),
    ),
    (
        "arc-small",
        "the ARC may take only 512 MiB of 64.0 GiB memory",
        with_parameter("zfs_arc_max", str(GIB // 2), arc_max_bytes=GIB // 2),
    ),
    (
        "parameter-changed",
        "zfs_txg_timeout=30, not 5: data waits longer or shorter for its disks",
        with_parameter("zfs_txg_timeout", "30"),
    ),
    (
        "parameter-unsafe",
        "zfs_nocacheflush=1, not 0: disks are never told to flush: with volatile caches a power failure may",
        with_parameter("zfs_nocacheflush", "1"),
    ),
]
SILENT: list[tuple[str, HostState]] = [
    ("a sound host", set_to()),
    ("a host of which nothing is known", replace(host(), settings=Reading(HostSettings(), 0.0))),
    ("zed with a service and no mail", set_to(zed_set=("ZED_NTFY_TOPIC",), has_mailer=False)),
    ("a zed.rc that cannot be read", set_to(zed_set=None, has_mailer=None)),
    (
        "an ARC of a sixteenth of little memory",
        with_parameter("zfs_arc_max", str(GIB // 2), arc_max_bytes=GIB // 2, memory_bytes=8 * GIB),
    ),
    (
        "the limit that an installer of hypervisors gives a large host",
        with_parameter("zfs_arc_max", str(16 * GIB), arc_max_bytes=16 * GIB, memory_bytes=512 * GIB),
    ),
    ("an ARC that is kept small for guests", with_parameter("zfs_arc_max", str(GIB), arc_max_bytes=GIB)),
    ("a host without a hostid whose disks nobody else reaches", on_disks_of_its_own(set_to(hostid=0))),
    ("a host with little memory", set_to(arc_max_bytes=GIB // 8, memory_bytes=4 * GIB - 1)),
    ("a host without pools", replace(set_to(hostid=0, is_zed_running=False), pools=())),
]
