"""Hosts that are set up well, as installers and experienced people do it: nothing is advised there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.analysis.build import DAY, NOW, disk, group, host, in_class, pool
from tests.analysis.findings.host_cases import SOUND as SOUND_HOST
from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.guests.guest import Guest
from zconsole.model.host.host_settings import HostSettings
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import Pool, RootSettings, Vdev

KIB, MIB, GIB, TIB = 1 << 10, 1 << 20, 1 << 30, 1 << 40
MADE = int(NOW) - 500 * DAY
A_DAY_AGO = int(NOW) - DAY
DEFAULTS_OF_2_4 = RootSettings("on", "on", "standard", "off", 1, "on", "on")


def leaves(vdev: str, number: int, size: int, *, sector: int = 12) -> tuple[Vdev, ...]:
    """Disks by their lasting names."""
    return tuple(
        disk(
            f"wwn-{vdev}-{at}",
            path=f"/dev/disk/by-id/wwn-{vdev}-{at}-part1",
            physical_bytes=size,
            configured_ashift=12,
            physical_ashift=sector,
        )
        for at in range(number)
    )


def top(name: str, number: int, size: int, *, full: int = 55, frag: int = 12, sector: int = 12) -> Vdev:
    """A vdev of so many disks of a size, so full in percent."""
    total = size * number
    return group(
        name,
        *leaves(name, number, size, sector=sector),
        configured_ashift=12,
        size_bytes=total,
        allocated_bytes=total * full // 100,
        free_bytes=total - total * full // 100,
        fragmentation_percent=frag,
    )


def of(*vdevs: Vdev, usable: int, **values: object) -> Pool:
    """A pool of two years with the settings of a new one, half full."""
    given = {
        "ashift": 12,
        "dedup_ratio": 1.0,
        "creation": MADE,
        "settings": DEFAULTS_OF_2_4,
        "autotrim": "on",
        "autoexpand": "off",
        "failmode": "wait",
        "usable_used_bytes": usable // 2,
        "usable_available_bytes": usable - usable // 2,
        **values,
    }
    return pool(*vdevs, **given)


def dataset(name: str, used: int = GIB, **values: object) -> DatasetSettings:
    """A file system with the defaults of 2.4 and a snapshot of yesterday."""
    given = {
        "used_bytes": used,
        "own_bytes": used,
        "referenced_bytes": used,
        "by_snapshots_bytes": used // 10,
        "recordsize_bytes": 128 * KIB,
        "compression": "on",
        "checksum": "on",
        "sync": "standard",
        "dedup": "off",
        "copies": 1,
        "atime": "on",
        "relatime": "on",
        "has_directory_xattrs": False,
        "acltype": "posix",
        "primarycache": "all",
        "special_small_blocks_bytes": 0,
        "creation": MADE,
        "snapshots_changed": A_DAY_AGO,
        "tells_snapshots_changed": True,
        **values,
    }
    return DatasetSettings(name, "filesystem", **given)  # type: ignore[arg-type]


def volume(name: str, size: int, written: int, *, thick: bool, block: int = 16 * KIB) -> DatasetSettings:
    """A volume; a thick one with a reservation for all of it, of which a snapshot of yesterday has most."""
    unused = size - written // 10 if thick else 0
    return replace(
        dataset(name),
        type="volume",
        recordsize_bytes=None,
        atime=None,
        relatime=None,
        acltype=None,
        has_directory_xattrs=None,
        special_small_blocks_bytes=None,
        volsize_bytes=size,
        volblocksize_bytes=block,
        own_bytes=written,
        referenced_bytes=written,
        by_snapshots_bytes=0,
        used_bytes=written + unused,
        refreservation_bytes=size if thick else None,
        available_bytes=50 * GIB + unused,
    )


def running(
    of_pool: Pool,
    *settings: DatasetSettings,
    guests: tuple[Guest, ...] = (),
    on: HostSettings = SOUND_HOST,
    transport: str = "sas",
    rotates: bool = False,
    release: str = "2.4.4-1",
) -> HostState:
    """The host of a pool, with all that is read of it."""
    names = [leaf.name for each in of_pool.vdevs for leaf in each.leaves()]
    disks = tuple(
        Disk(each, f"/dev/{each}", "disk", is_rotational=rotates, transport=transport) for each in names
    )
    links = tuple((f"/dev/disk/by-id/{each}-part1", each) for each in names)
    made = host(of_pool, settings=Reading(settings, 0.0))
    return replace(
        made,
        version=Reading(ZfsVersion(f"zfs-{release}", f"zfs-kmod-{release}"), 0.0),
        settings=Reading(on, 0.0),
        inventory=Reading(Inventory(disks, links), 0.0),
        guests=Reading(guests, 0.0),
    )


def with_channel(guest: Guest) -> Guest:
    """A guest as virt-install makes it, with a channel for its agent."""
    return replace(guest, definition=replace(guest.definition, has_agent_channel=True))


def hypervisor() -> HostState:
    """Proxmox as its installer makes it: a mirror, a limit of the ARC, uncached thick volumes."""
    made = of(top("mirror-0", 2, TIB), usable=900 * GIB, autotrim="off", creation=int(NOW) - 20 * DAY)
    limit = 16 * GIB
    settings = replace(
        SOUND_HOST,
        parameters=tuple(
            ("zfs_arc_max", str(limit)) if name == "zfs_arc_max" else (name, value)
            for name, value in SOUND_HOST.parameters
        ),
        arc_max_bytes=limit,
        memory_bytes=512 * GIB,
    )
    return running(
        made,
        dataset("tank/ROOT/pve-1", 9 * GIB),
        dataset("tank/data", 96 * KIB),
        dataset("tank/data/subvol-101-disk-0", 3 * GIB, refquota_bytes=8 * GIB),
        volume("tank/data/vm-100-disk-0", 64 * GIB, 40 * GIB, thick=True),
        dataset("tank/var-lib-vz", 20 * GIB),
        guests=(
            with_channel(guest_on("web", on_volume("tank/data/vm-100-disk-0", cache="none"))),
            with_channel(guest_on("old", on_files("tank/var-lib-vz", cluster=2 * MIB))),
        ),
        on=settings,
        transport="nvme",
    )


def laptop() -> HostState:
    """Root on one NVMe partition, encrypted, by its kernel name, without a hostid; copies of what matters."""
    leaf = disk(
        "nvme0n1p4", path="/dev/nvme0n1p4", physical_bytes=TIB, configured_ashift=12, physical_ashift=9
    )
    return replace(
        running(
            of(leaf, usable=900 * GIB),
            dataset("tank/home", 90 * GIB, copies=2),
            dataset("tank/swap", 4 * GIB, compression="zle"),
            on=replace(SOUND_HOST, hostid=0),
            release="2.4.4-0ubuntu1",
        ),
        inventory=Reading(
            Inventory(
                (Disk("nvme0n1p4", "/dev/nvme0n1p4", "disk", is_rotational=False, transport="nvme"),), ()
            ),
            0.0,
        ),
        version=Reading(ZfsVersion("zfs-2.4.4-0ubuntu1", "zfs-kmod-2.4.4-0ubuntu4"), 0.0),
    )


def storage_server() -> HostState:
    """A raidz2 of eight disks of 4 KiB sectors, with media, homes with quotas, and a volume for iSCSI."""
    data = top("raidz2-0", 8, 16 * 10**12)
    return running(
        of(data, usable=80 * TIB, autotrim="off"),
        dataset("tank/media", 30 * TIB, recordsize_bytes=MIB, atime="off"),
        dataset("tank/home", TIB, quota_bytes=4 * TIB),
        dataset("tank/reserved", 96 * KIB, reservation_bytes=8 * TIB, snapshots_changed=None),
        volume("tank/iscsi", TIB, 600 * GIB, thick=False),
        rotates=True,
    )


def database() -> HostState:
    """Mirrors of SSDs, small records cached by the database, and free space in pieces of that size."""
    tops = tuple(top(f"mirror-{at}", 2, 2 * TIB, frag=75) for at in range(4))
    small = dataset("tank/db", 2 * TIB, recordsize_bytes=16 * KIB, primarycache="metadata", atime="off")
    return running(
        of(*tops, usable=7 * TIB),
        replace(small, name="tank"),
        small,
        replace(small, name="tank/wal", recordsize_bytes=64 * KIB, used_bytes=GIB),
        transport="nvme",
    )


def backup_target() -> HostState:
    """Copies that are read-only, with the settings of their sources, and little of them in the ARC."""
    copy = {
        "is_read_only": True,
        "primarycache": "metadata",
        "sync": "disabled",
        "relatime": "off",
        "has_directory_xattrs": True,
    }
    data = top("raidz3-0", 11, 18 * 10**12)
    return running(
        of(data, usable=120 * TIB, autotrim="off"),
        dataset("tank/copies", 96 * KIB),
        dataset("tank/copies/nas1", 40 * TIB, quota_bytes=41 * TIB, **copy),
        dataset("tank/copies/nas2", 9 * TIB, recordsize_bytes=MIB, **copy),
        rotates=True,
    )


def declustered() -> HostState:
    """A draid2 with distributed spares, large blocks on volumes, and a special class as safe as the data."""
    data = group(
        "draid2:8d:24c:2s-0", *leaves("d", 24, 16 * 10**12), vdev_type="draid2:8d:24c:2s",
        configured_ashift=12, fragmentation_percent=5,
    )  # fmt: skip
    special = in_class(top("mirror-1", 3, TIB, full=80), "special")
    spares = tuple(in_class(disk(f"draid2-0-{at}", "AVAIL"), "spare") for at in range(2))
    made = running(
        of(data, special, *spares, usable=200 * TIB, autotrim="off"),
        dataset("tank/archive", 90 * TIB, recordsize_bytes=MIB),
        volume("tank/lun", 10 * TIB, 6 * TIB, thick=False, block=128 * KIB),
        rotates=True,
    )
    return replace(made, inventory=Reading(None))


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (hypervisor(), ()),
        (laptop(), ("pool-without-redundancy",)),  # which is so, and no advice can change it
        (storage_server(), ()),
        (database(), ()),
        (backup_target(), ()),
        (declustered(), ()),
    ],
    ids=["hypervisor", "laptop", "storage server", "database", "backup target", "draid"],
)
def test_what_is_sound_is_left_alone(made: HostState, said: tuple[str, ...]) -> None:
    assert said == tuple(each.id for each in findings(made, NOW, Thresholds())), findings(
        made, NOW, Thresholds()
    )
