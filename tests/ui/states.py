"""Hosts made by hand: what the screens are drawn from in tests. Values are frozen, so they are made once."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from zlib import crc32

from tests.analysis.build import wholly_read
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.model.finding import Finding, Severity
from zconsole.model.guests.guest import (
    PAUSED_BY_IO_ERROR,
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestDiskCounters,
    GuestDiskRates,
    GuestState,
    GuestStatus,
    Image,
    SourceKind,
    StoredDisk,
    StoredImage,
)
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, PoolState, Reading
from zconsole.model.host.plan_facts import Hold
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.journal import Entry, StepEntry
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.event import Event
from zconsole.model.pools.iostat import IoRow, IoSample, Latency, Queues
from zconsole.model.pools.pool import Count, Pool, RootSettings, Scan, Vdev, VdevProgress
from zconsole.model.pools.shelf_and_disk_path import Bay, BayLights, Enclosure, Shelves
from zconsole.model.pools.smart_health import DiskHealth, HealthAnswer, HealthRecord, SelfTest, Unreadable
from zconsole.model.run import RunState

NOW = 1_795_000_000.0  # 2026-11-18 11:06:40 UTC
TICKS = 10_000.0
DAY = 86_400
TIB = 1 << 40
GIB = 1 << 30
MS = 1_000_000
ZERO = Count(0)


def disk(
    name: str,
    *,
    state: str = "ONLINE",
    vdev_class: str = "data",
    errors: tuple[int, int, int] = (0, 0, 0),
    note: str = "",
    guid: int | None = None,
    **more: object,
) -> Vdev:
    """A leaf."""
    read, write, checksum = (Count(number) for number in errors)
    values: dict[str, object] = {
        "guid": guid if guid is not None else crc32(name.encode()),
        "path": f"/dev/disk/by-id/{name}-part1",
        "read_errors": read, "write_errors": write, "checksum_errors": checksum, "slow_ios": ZERO,
        "configured_ashift": 12, "physical_ashift": 12, "physical_bytes": 8 * TIB, "note": note,
    }  # fmt: skip
    return Vdev(name, "disk", vdev_class, state, **(values | more))  # type: ignore[arg-type]


def group(name: str, vdev_type: str, *children: Vdev, state: str = "ONLINE", size: int = 7 * TIB) -> Vdev:
    """A mirror, raidz, spare or replacing."""
    return Vdev(
        name, vdev_type, children[0].vdev_class, state, guid=crc32(name.encode()),
        read_errors=ZERO, write_errors=ZERO, checksum_errors=ZERO, slow_ios=ZERO,
        size_bytes=size, allocated_bytes=size * 61 // 100, free_bytes=size * 39 // 100,
        fragmentation_percent=23, capacity_percent=61, configured_ashift=12, children=children,
    )  # fmt: skip


NEWEST = "nvme-INTEL_SSDPE21K_PHKE2"


@cache
def tank() -> Pool:
    """A healthy pool of SSD and HDD mirrors with special, log, cache and spare."""
    return Pool(
        "tank", "ONLINE", guid=11,
        vdevs=(
            group("mirror-0", "mirror",
                  disk("ata-ST8000NM000A-2KE101_ZL2F0A11"), disk("ata-ST8000NM000A-2KE101_ZL2F0B07")),
            group("mirror-1", "mirror",
                  disk("ata-ST8000NM000A-2KE101_ZL2F0C44"), disk("ata-ST8000NM000A-2KE101_ZL2F0D02")),
            group("mirror-2", "mirror", disk("nvme-SAMSUNG_MZQL21T9_S64GNE0T1", vdev_class="special"),
                  disk("nvme-SAMSUNG_MZQL21T9_S64GNE0T2", vdev_class="special"), size=TIB),
            group("mirror-3", "mirror", disk("nvme-INTEL_SSDPE21K_PHKE1", vdev_class="log"),
                  disk(NEWEST, vdev_class="log"), size=TIB // 64),
            disk("nvme-SAMSUNG_MZ1L2_S666", vdev_class="cache"),
            disk("ata-ST8000NM000A-2KE101_ZL2F0E90", vdev_class="spare", state="AVAIL"),
        ),
        read_errors=ZERO, write_errors=ZERO, checksum_errors=ZERO,
        scan=Scan("scrub", "finished", start=int(NOW) - 13 * DAY, end=int(NOW) - 12 * DAY, errors=0),
        error_count=0, size_bytes=15 * TIB, allocated_bytes=9 * TIB, free_bytes=6 * TIB,
        fragmentation_percent=23, capacity_percent=60, ashift=12,
        usable_used_bytes=int(8.8 * TIB), usable_available_bytes=int(5.6 * TIB),
    )  # fmt: skip


@cache
def bulk() -> Pool:
    """A raidz2 without redundancy left, resilvering onto a new disk."""
    replacing = group(
        "replacing-0", "replacing",
        disk("ata-ST12000NM0127_ZL2F0A91", state="FAULTED", errors=(14, 210, 0), note="too many errors"),
        disk("ata-ST12000NM0127_ZL2H7715", is_resilvering=True), state="DEGRADED",
    )  # fmt: skip
    others = [disk(f"ata-ST12000NM0127_ZL2F0B{number}") for number in (21, 33, 48, 52)]
    offline = disk("ata-ST12000NM0127_ZL2F0B17", state="OFFLINE")
    return Pool(
        "bulk", "DEGRADED", guid=22,
        vdevs=(group("raidz2-0", "raidz2", replacing, offline, *others, state="DEGRADED", size=64 * TIB),),
        read_errors=ZERO, write_errors=ZERO, checksum_errors=ZERO,
        scan=Scan("resilver", "scanning", start=int(NOW) - 7200, percent=41.2, to_examine_bytes=20 * TIB,
                  examined_bytes=20 * TIB, issued_bytes=int(8.24 * TIB), to_issue_bytes=20 * TIB),
        status="One or more devices is currently being resilvered. The pool will continue to function, "
        "possibly in a degraded state.",
        action="Wait for the resilver to complete.",
        error_count=2, error_files=("/bulk/media/film one.mkv", "<0x1f>:<0x2a>"),
        size_bytes=64 * TIB, allocated_bytes=45 * TIB, free_bytes=19 * TIB, fragmentation_percent=9,
        capacity_percent=71, ashift=12,
        usable_used_bytes=int(20.7 * TIB), usable_available_bytes=int(8.4 * TIB),
    )  # fmt: skip


@cache
def vault() -> Pool:
    """A small healthy mirror that was scrubbed long ago."""
    return Pool(
        "vault", "ONLINE", guid=33,
        vdevs=(group("mirror-0", "mirror",
                     disk("ata-WDC_WD40EFRX_WCC4E1"), disk("ata-WDC_WD40EFRX_WCC4E2"), size=4 * TIB),),
        scan=Scan("scrub", "finished", start=int(NOW) - 50 * DAY, end=int(NOW) - 49 * DAY, errors=0),
        error_count=0, size_bytes=4 * TIB, allocated_bytes=TIB // 2, free_bytes=7 * TIB // 2,
        fragmentation_percent=1, capacity_percent=12, ashift=12,
        usable_used_bytes=TIB // 2, usable_available_bytes=3 * TIB,
    )  # fmt: skip


def sample(pool: Pool, at: float = NOW, *, slow: str = "ZL2F0C44", scale: float = 1.0) -> IoSample:
    """A second of I/O: every leaf does its share, one is slow."""
    rows = [_row(pool.name, 4, scale, 14.0)]
    busy: list[float | None] = [None]
    for vdev in pool.walk():
        if vdev.vdev_class == "spare":
            continue
        is_slow = vdev.name.endswith(slow)
        wait = 41.0 if is_slow else 0.3 if vdev.name.startswith("nvme") else 8.0
        rows.append(_row(vdev.name, 1 if vdev.is_leaf else 2, scale, wait))
        busy.append((0.97 if is_slow else 0.31) if vdev.is_leaf else None)
    return IoSample(pool.name, at, tuple(rows), tuple(busy))


@cache
def _row(name: str, share: int, scale: float, wait_ms: float) -> IoRow:
    wait = wait_ms * MS
    return IoRow(
        name, GIB * 100 * share, GIB * 60 * share,
        read_ops=103.0 * share * scale, write_ops=441.0 * share * scale,
        read_bytes=12.8 * (1 << 20) * share * scale, write_bytes=48.0 * (1 << 20) * share * scale,
        latency=Latency(wait, wait * 0.6, wait * 0.8, wait * 0.5, 2000.0, 3000.0, wait * 0.1, wait * 0.05),
        queues=Queues(syncq_read_active=1 * share, asyncq_write_pending=12 * share, asyncq_write_active=3),
    )  # fmt: skip


def pool_state(pool: Pool, /, *, seconds: int = 120, **more: object) -> PoolState:
    """A pool that was watched for a while."""
    samples = tuple(
        sample(pool, NOW - seconds + second + 1, scale=1.0 + 0.1 * (second % 5)) for second in range(seconds)
    )
    values: dict[str, object] = {
        "kstat_state": pool.state,
        "pool": Reading(pool, TICKS - 2),
        "samples": samples,
        "io_at": TICKS - 0.5,
    }
    return PoolState(pool.name, **(values | more))  # type: ignore[arg-type]


def inventory(*pools: Pool) -> Inventory:
    """Disks for every leaf, that of the newest in the last bay."""
    disks, links = [], []
    leaves = (leaf for pool in pools for leaf in pool.walk() if leaf.is_leaf)
    for at, leaf in enumerate(sorted(leaves, key=lambda leaf: leaf.name == NEWEST)):
        name = f"sd{chr(97 + at)}"
        model, _, serial = leaf.name.partition("-")[2].rpartition("_")
        disks.append(Disk(
            name, f"/dev/{name}", "disk", size_bytes=8 * TIB, model=model, serial=serial, transport="sas",
            hctl=f"0:0:{at}:0", children=(Disk(f"{name}1", f"/dev/{name}1", "part"),),
        ))  # fmt: skip
        links.append((leaf.path or "", f"{name}1"))
    return Inventory(tuple(disks), tuple(sorted(links)))


def events() -> tuple[Event, ...]:
    """A fault and what came before it."""
    base = NOW - 7300
    return (
        Event(base, "sysevent.fs.zfs.pool_import", "bulk", 1, (("version", "0x0"), ("pool", "bulk"))),
        Event(base + 60, "ereport.fs.zfs.io", "bulk", 2, (
            ("class", "ereport.fs.zfs.io"), ("vdev_path", "/dev/disk/by-id/ata-ST12000NM0127_ZL2F0A91-part1"),
            ("zio_err", "0x5"), ("vdev_read_errors", "0xe"), ("vdev_write_errors", "0xd2"))),
        Event(base + 61, "resource.fs.zfs.statechange", "bulk", 3, (
            ("vdev_path", "/dev/disk/by-id/ata-ST12000NM0127_ZL2F0A91-part1"), ("vdev_state", "FAULTED"),
            ("vdev_laststate", "ONLINE"))),
        Event(base + 100, "sysevent.fs.zfs.resilver_start", "bulk", 4, (("resilver_type", "healing"),)),
        Event(base + 101, "sysevent.fs.zfs.history_event", "bulk", 5, (
            ("history_internal_name", "scan setup"), ("history_internal_str", "func=2 mintxg=3 maxtxg=4"))),
    )  # fmt: skip


def host(name: str, *pools: PoolState, **more: object) -> HostState:
    """A host that is up."""
    known = [pool.pool.value for pool in pools if pool.pool.value is not None]
    values: dict[str, object] = {
        "revision": 1,
        "link": LinkStatus(LinkState.UP, since=TICKS - 1000),
        "hostname": name,
        "version": Reading(ZfsVersion("zfs-2.4.4-1", "zfs-kmod-2.4.4-1"), TICKS - 1000),
        "pools": pools,
        "pools_at": TICKS - 1,
        "inventory": Reading(inventory(*known), TICKS - 100),
    }
    return HostState(name, **(values | more))  # type: ignore[arg-type]


def healthy() -> HostState:
    """One pool, nothing wrong."""
    return host("storage1", pool_state(tank()))


def degraded() -> HostState:
    """Three pools, one in trouble."""
    history = tuple((NOW - 600 + 5 * step, int((7.9 + 0.0029 * step) * TIB)) for step in range(120))
    return host(
        "storage1",
        pool_state(tank()),
        pool_state(bulk(), scan_history=history, degraded_since=NOW - 8 * 3600),
        pool_state(vault()),
        events=events(),
    )


def advised() -> HostState:
    """A pool with a long time since its scrub, settings to think about, and one vdev too wide."""
    wide = group("raidz2-0", "raidz2", *(disk(f"ata-ST8000NM000A-2KE101_ZL2F1A{at:02}") for at in range(13)))
    old = Scan("scrub", "finished", start=int(NOW) - 61 * DAY, end=int(NOW) - 60 * DAY, errors=0)
    settings = RootSettings("off", "on", "disabled", "off", 1, "on", "on")
    made = host(
        "storage1",
        pool_state(tank()),
        pool_state(replace(vault(), name="attic", vdevs=(wide,), scan=old, settings=settings)),
    )
    return replace(wholly_read(made), replication=Reading(taken_at=0.0))


def uncopied() -> HostState:
    """That host, compared: two trees of one pool have no copy."""
    lack = Finding(
        "dataset-no-copy", Severity.INFO, "storage1 attic", "2 datasets without a copy in the other pool",
        {"pool": "attic", "host": "storage1", "datasets": ("attic/a", "attic/vm/x", "attic/vm/y")},
    )  # fmt: skip
    return replace(advised(), replication=Reading(ReplicationSeen("storage1", NOW, (lack,)), 0.0))


def sound() -> HostState:
    """A healthy host, all of which was read."""
    return wholly_read(healthy())


def without_replacing(vdev: Vdev) -> Vdev:
    """The tree once the new disk has taken the place."""
    if vdev.type == "replacing":
        return replace(vdev.children[-1], is_resilvering=False, note="")
    return replace(vdev, children=tuple(map(without_replacing, vdev.children)))


def replaced() -> HostState:
    """The degraded host after the resilver of bulk has ended."""
    state = degraded()
    ended_scan = Scan("resilver", "finished", int(NOW - 900), int(NOW), 100.0, errors=0)

    def ended(pool: Pool) -> Pool:
        return replace(pool, vdevs=tuple(map(without_replacing, pool.vdevs)), scan=ended_scan)

    pools = tuple(
        replace(of, pool=replace(of.pool, value=ended(of.pool.value)))
        if of.name == "bulk" and of.pool.value is not None
        else of
        for of in state.pools
    )
    return replace(state, pools=pools)


def with_guests() -> HostState:
    """Guests on volumes and images, one of them paused because there was no space."""

    def guest(name: str, state: GuestState, reason: int, *disks: StoredDisk, title: str = "") -> Guest:
        made = GuestDefinition(
            f"{crc32(name.encode()):08x}-0000-4000-8000-000000000000", name, title, has_agent_channel=True,
            is_agent_connected=state is GuestState.RUNNING, memory_bytes=4 * GIB, processors=2,
        )  # fmt: skip
        return Guest(made, GuestStatus(name, state, reason), disks)

    def on_volume(name: str, gib: int) -> StoredDisk:
        path = f"/dev/zvol/{name}"
        told = GuestDiskCounters(
            "vda", path, capacity_bytes=gib * GIB, reads=120_000, read_bytes=7 * GIB, read_ns=960 * 10**9,
            writes=810_000, written_bytes=52 * GIB, write_ns=3_240 * 10**9, flushes=9_000,
            flush_ns=45 * 10**9,
        )  # fmt: skip
        configured = GuestDisk("vda", path, SourceKind.BLOCK, format="raw", cache="none", discard="unmap")
        live = GuestDiskRates(
            5.0, 3.2, 118.0, read_bytes_per_s=2_200_000.0, written_bytes_per_s=7_900_000.0, flushes_per_s=2.0,
            mean_read_ns=8.1e6, mean_write_ns=1.9e6, mean_flush_ns=12.4e6,
        )  # fmt: skip
        held = Dataset(name, "volume", volblocksize_bytes=16384, used_by_snapshots_bytes=3 * GIB)
        image = StoredImage(Image(path, "raw"), name, is_volume=True, dataset=held)
        return StoredDisk(configured, (image,), told, rates=live if gib == 100 else None)

    def on_image(target: str, path: str, place: str, error: str = "") -> StoredDisk:
        base = Image("/tank/vm/images/debian-13.qcow2", "qcow2", 64 * GIB, 2 * GIB, 65536)
        held = Dataset(place, "filesystem", recordsize_bytes=131072, used_by_snapshots_bytes=12 * GIB)
        top = Image(path, "qcow2", 64 * GIB, 41 * GIB, 65536, ("before",))
        images = (StoredImage(top, place, dataset=held if place else None),)
        configured = GuestDisk(target, path, SourceKind.FILE, format="qcow2", cache="writeback")
        return StoredDisk(configured, (*images, StoredImage(base, "tank/vm/images")), error=error)

    running, off = GuestState.RUNNING, GuestState.SHUT_OFF
    full = on_image("vdb", "/bulk/vm/db02-data.qcow2", "bulk/vm", "no space")
    found = (
        guest("db01", running, 1, on_volume("tank/vm/db01", 100)),
        guest("db02", GuestState.PAUSED, PAUSED_BY_IO_ERROR, on_volume("tank/vm/db02", 40), full,
              title="orders, replica of db01"),
        guest("installer", running, 1),
        guest("mail01", running, 1, on_image("vda", "/tank/vm/images/mail01.qcow2", "tank/vm/images")),
        guest("web01", running, 1, on_volume("tank/vm/web01", 40)),
        guest("web01-test", off, 1, on_image("vda", "/srv/web01-test.qcow2", "")),
        guest("web02", GuestState.PAUSED, 1, on_volume("tank/vm/web02", 40)),
    )  # fmt: skip
    return replace(healthy(), guests=Reading(found, TICKS - 12))


def with_disks() -> HostState:
    """The disks of the pools in trouble, with an unused and a foreign one, and most of their SMART data."""
    state = degraded()
    found = state.inventory.value or Inventory()
    sectors = {"logical_sector_bytes": 512, "physical_sector_bytes": 4096}
    slots = [f"/dev/disk/by-vdev/A{at:02}" for at in range(len(found.disks) + 2)]
    spare = Disk("sdy", "/dev/sdy", "disk", 12 * TIB, model="ST12000NM0127", serial="ZL2K0001", **sectors)
    foreign = replace(spare, name="sdz", path="/dev/sdz", serial="ZL2K0002", fstype="zfs_member", label="old")
    disks = (*(replace(disk, **sectors) for disk in found.disks), spare, foreign)  # type: ignore[arg-type]
    disks = tuple(replace(disk, links=(slot,)) for disk, slot in zip(disks, slots, strict=True))
    held = [disk.hctl or f"0:0:{18 + at}:0" for at, disk in enumerate(disks)]
    disks = tuple(replace(disk, hctl=hctl) for disk, hctl in zip(disks, held, strict=True))
    lit = {9: BayLights(is_located=True, is_faulted=False, status="OK")}
    bays = tuple(
        Bay(f"Slot {at:02}", f"0:0:40:0/Slot {at:02}", at, tuple(held[at : at + 1]), lit.get(at))
        for at in range(24)
    )
    rack = Enclosure("0:0:40:0", bays, "0x500304801e8b5abf", "LSI", "SAS3x28")
    sound = DiskHealth(
        "ATA", firmware="SN04", is_passing=True, power_on_hours=28_000, temperature_c=34, reallocated=0,
        pending=0, offline_uncorrectable=0, reported_uncorrectable=0, crc_errors=0,
        self_test=SelfTest(True, "Completed without error", 27_900),
    )  # fmt: skip
    answers: dict[str, HealthAnswer] = {disk.serial: sound for disk in disks}
    answers["ZL2F0A91"] = replace(sound, pending=24, reported_uncorrectable=3, temperature_c=41)
    answers["ZL2F0B21"] = replace(sound, crc_errors=12)
    answers["ZL2K0001"] = replace(sound, power_on_hours=3)
    answers["WCC4E2"] = Unreadable.NO_ANSWER
    records = tuple(
        HealthRecord(
            disk_identity(disk), said, NOW - 700, said if isinstance(said, DiskHealth) else None, NOW - 700
        )
        for disk in disks
        for said in (answers[disk.serial],)
    )
    return replace(
        state,
        inventory=Reading(replace(found, disks=disks, shelves=Shelves((rack,))), TICKS - 3),
        smart=Reading(records, TICKS - 700),
    )


def datasets() -> tuple[Dataset, ...]:
    """A small tree: a clone of a clone, a zvol, a locked dataset, a held snapshot, a bookmark."""

    def dataset(name: str, kind: str, used: int, **more: object) -> Dataset:
        values: dict[str, object] = {
            "guid": crc32(name.encode()), "createtxg": 100 + len(name), "creation": int(NOW) - 40 * DAY,
            "used_bytes": used * GIB, "referenced_bytes": used * GIB // 2,
        }  # fmt: skip
        return Dataset(name, kind, **(values | more))  # type: ignore[arg-type]

    space = {"available_bytes": 5 * TIB, "used_by_snapshots_bytes": 12 * GIB}
    return (
        dataset("tank", "filesystem", 900, mountpoint="/tank", is_mounted=True, **space),
        dataset("tank/home", "filesystem", 300, mountpoint="/home", is_mounted=True, **space),
        dataset("tank/home@2026-11-01", "snapshot", 3, creation=int(NOW) - 17 * DAY, holds=1),
        dataset("tank/home@2026-11-17", "snapshot", 1, creation=int(NOW) - DAY, createtxg=900),
        dataset("tank/home#base", "bookmark", 0, used_bytes=None, referenced_bytes=None),
        dataset("tank/images", "filesystem", 20, mountpoint="/tank/images", is_mounted=True, **space),
        dataset("tank/images@gold", "snapshot", 2, clones=("tank/vm1", "tank/vm2")),
        dataset("tank/secret", "filesystem", 5, mountpoint="/secret", is_mounted=False,
                keystatus="unavailable", **space),
        dataset("tank/swap", "volume", 16, **space),
        dataset("tank/vm1", "filesystem", 7, origin="tank/images@gold", mountpoint="/vm1", is_mounted=True,
                **space),
        dataset("tank/vm2", "filesystem", 7, origin="tank/images@gold", mountpoint="/vm2", is_mounted=False,
                **space),
    )  # fmt: skip


def with_datasets() -> HostState:
    """One pool whose datasets were read five seconds ago."""
    pool = replace(
        pool_state(tank()),
        datasets=Reading(datasets(), TICKS - 5),
        holds=Reading((Hold("tank/home@2026-11-01", "backup", int(NOW) - DAY),), TICKS - 5),
    )
    return host("storage1", pool)


def with_guests_on_datasets() -> HostState:
    """The guests, and the datasets and volumes that hold their disks."""
    names = [("tank/vm", "filesystem"), ("tank/vm/images", "filesystem")]
    names += [(f"tank/vm/{name}", "volume") for name in ("db01", "db02", "web01", "web02")]
    held = tuple(
        Dataset(
            name, kind, guid=crc32(name.encode()), used_bytes=40 * GIB, referenced_bytes=38 * GIB,
            available_bytes=5 * TIB, creation=int(NOW) - 20 * DAY, createtxg=500,
            mountpoint=f"/{name}" if kind == "filesystem" else None,
            is_mounted=True if kind == "filesystem" else None,
        )
        for name, kind in names
    )  # fmt: skip
    pool = replace(
        pool_state(tank()), datasets=Reading((*datasets(), *held), TICKS - 5), holds=Reading((), TICKS - 5)
    )
    return replace(host("storage1", pool), guests=with_guests().guests)


def gold() -> HostState:
    """A golden image that was cloned: one clone has little of it left, and keeps it alive."""
    now = int(NOW)

    def made(name: str, kind: str, gib: float, days: int, **more: object) -> Dataset:
        values: dict[str, object] = {
            "used_bytes": int(gib * GIB), "referenced_bytes": int(gib * GIB), "creation": now - days * DAY,
            "createtxg": (1000 - days) * 10, "compress_ratio": 1.62, "written_bytes": int(gib * GIB / 20),
            "is_mounted": True if kind == "filesystem" else None, "mountpoint": f"/{name}",
            "used_by_snapshots_bytes": 0, "holds": 0,
        }  # fmt: skip
        return Dataset(name, kind, **(values | more))  # type: ignore[arg-type]

    listed = (
        made("tank", "filesystem", 640, 900, available_bytes=210 * GIB),
        made("tank/home", "filesystem", 210, 890, used_by_snapshots_bytes=96 * GIB),
        made("tank/home@2026-09-01", "snapshot", 41, 78, holds=1),
        made("tank/home@2026-11-01", "snapshot", 12, 17),
        made("tank/images", "filesystem", 92, 880, used_by_snapshots_bytes=61 * GIB),
        made("tank/images@gold-2024", "snapshot", 61, 700, clones=("tank/vm/build", "tank/vm/web1"),
             referenced_bytes=70 * GIB),
        made("tank/images@gold-2026", "snapshot", 0.2, 60, clones=("tank/vm/web2",)),
        made("tank/vm", "filesystem", 300, 880),
        made("tank/vm/build", "filesystem", 88, 640, origin="tank/images@gold-2024",
             used_by_dataset_bytes=86 * GIB, referenced_bytes=88 * GIB),
        made("tank/vm/web1", "filesystem", 30, 640, origin="tank/images@gold-2024",
             used_by_dataset_bytes=29 * GIB, referenced_bytes=31 * GIB),
        made("tank/vm/web2", "filesystem", 4, 50, origin="tank/images@gold-2026",
             used_by_dataset_bytes=4 * GIB, referenced_bytes=40 * GIB),
    )  # fmt: skip
    holds = (Hold("tank/home@2026-09-01", "audit", now - 70 * DAY),)
    pool = replace(pool_state(tank()), datasets=Reading(listed, TICKS - 5), holds=Reading(holds, TICKS - 5))
    return host("storage1", pool)


def families() -> tuple[Dataset, ...]:
    """A file system with sanoid's snapshots, three hourly ones and the last daily ones missing."""
    now = int(NOW)

    def taken(name: str, creation: int) -> Dataset:
        return Dataset(
            f"tank/home@{name}", "snapshot", 20 << 20, referenced_bytes=TIB >> 3, creation=creation,
            createtxg=creation // 5, written_bytes=30 << 20,
        )  # fmt: skip

    found = [
        Dataset("tank", "filesystem", 900 * GIB, available_bytes=TIB, creation=now - 900 * DAY),
        Dataset(
            "tank/home", "filesystem", 300 * GIB, referenced_bytes=239 * GIB, creation=now - 890 * DAY,
            used_by_snapshots_bytes=61 * GIB, used_by_dataset_bytes=239 * GIB,
        ),
    ]  # fmt: skip
    for hours in (*range(30, 12, -1), *range(9, 0, -1)):
        at = now - hours * 3600 + 60
        found.append(taken(f"autosnap_{datetime.fromtimestamp(at, UTC):%Y-%m-%d_%H:%M:%S}_hourly", at))
    for days in range(30, 3, -1):
        at = now - days * DAY + 60
        found.append(taken(f"autosnap_{datetime.fromtimestamp(at, UTC):%Y-%m-%d_%H:%M:%S}_daily", at))
    found.append(taken("before-upgrade", now - 12 * DAY))
    return tuple(found)


def with_families() -> HostState:
    """A pool with snapshots that a tool takes."""
    return host("storage1", replace(pool_state(tank()), datasets=Reading(families(), TICKS - 5)))


def entries() -> tuple[Entry, ...]:
    """What two administrators did: one run done, one whose end nobody saw."""
    done = Entry(
        "run-1", NOW - DAY, "1", "alice", "alice@desk from 192.0.2.7", "storage1", "destroy",
        '{"action": "destroy"}', "destroy snapshot tank/home@old", "tank/home@old", "destructive", "ab" * 32,
        state=RunState.DONE, words="done", ended=NOW - DAY + 2, hostname="storage1.example.net",
        machine_id="cd" * 16, destroys=("tank/home@old",),
        steps=(StepEntry(("zfs", "destroy", "tank/home@old"), state="done", sent=NOW - DAY,
                         sent_argv=("sudo", "-n", "zfs", "destroy", "tank/home@old"),
                         ended=NOW - DAY + 2, status=0),),
    )  # fmt: skip
    unknown = replace(
        done, id="run-2", started=NOW - 3600, ended=NOW - 3500, who="bob", action="replace",
        title="replace a in tank", target="a", risk="caution", state=RunState.UNKNOWN, destroys=(),
        words="the link was lost, and the host has not been reached since",
        steps=(StepEntry(("zpool", "replace", "tank", "1", "/dev/disk/by-id/b"), state="unknown",
                         sent=NOW - 3600, settled="look at zpool status tank and zpool history tank"),),
    )  # fmt: skip
    return done, unknown


def down() -> HostState:
    """A host that cannot be reached any more; what was known of it is old."""
    return replace(
        host("storage2", pool_state(vault(), io_at=TICKS - 95, pool=Reading(vault(), TICKS - 97))),
        link=LinkStatus(
            LinkState.DOWN,
            "the connection was lost: no answer for 4 s",
            retry_at=TICKS + 12,
            since=TICKS - 90,
        ),
    )


def unknown_key() -> HostState:
    """A host whose key is unknown."""
    return HostState(
        "storage3",
        link=LinkStatus(
            LinkState.REFUSED,
            "its host key is not known",
            hint="Compare the fingerprint with the host's own.",
            fingerprint="SHA256:uNiVztksCsDhcc0u9e8BgrJXVGwgnVVMHmsuMHhVvEs",
        ),
    )


def without_zfs() -> HostState:
    """A host without ZFS."""
    return HostState(
        "desktop",
        link=LinkStatus(
            LinkState.REFUSED,
            "there is no ZFS on desktop: no zfs command",
            hint="Name a host (zconsole HOST; --all: those of config.toml), or try --demo.",
        ),
    )


def progress(vdev: Vdev, kind: str, percent: float) -> Vdev:
    """The vdev with an activity under way."""
    return replace(vdev, activities=(VdevProgress(kind, "active", percent, int(NOW) - 60),))


def connecting() -> HostState:
    """Nothing is known yet."""
    return HostState("storage1")


def empty() -> HostState:
    """ZFS without a pool."""
    return host("storage1")


def suspended() -> HostState:
    """A pool whose devices are gone: the kernel says so while zpool hangs; another pool goes on."""
    stuck = Reading(tank(), TICKS - 240, "zpool status did not answer within 10 s")
    return host(
        "storage1",
        pool_state(tank(), pool=stuck, kstat_state="SUSPENDED", io_at=TICKS - 241),
        pool_state(vault()),
        PoolState("fresh", kstat_state="SUSPENDED"),
    )
