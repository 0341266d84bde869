"""Pairs of states on the two sides of each finding's limit: in one it is said, in the other it is not.

A pair differs in as little as the rule allows: by a number near its limit, or by one fact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace

from tests.analysis.build import DAY, NOW, disk, group, host, in_class, mirror, pool, scrubbed
from tests.analysis.findings import host_cases, test_shared_cause_rules, test_smart_rules
from tests.analysis.findings.care import care_cases, guest_snapshot_cases
from tests.analysis.findings.care.replication_cases import CUT, NO_COPY, STALE, STOPPED, finding, seen
from tests.analysis.findings.datasets import cases
from tests.analysis.findings.datasets.cases import FULL, GIB, KIB, MIB, filesystem, listed
from tests.analysis.findings.guest_disk_cases import (
    corrupt,
    on_disk,
    on_read_only,
    on_sized_volume,
    reporting,
)
from tests.analysis.findings.test_all_findings import (
    FEATURES_OFF,
    HISTORY,
    HOSTID_DIFFERS,
    PAUSED,
    ROOM,
    RUNNING,
    STILL,
    broken,
    of_raidz1,
    of_raidz2,
    of_sizes,
    on_media,
    on_ssds,
    raidz,
    reserved,
    set_to,
    sized,
    snapshotted,
    spare_group,
    volume,
    with_guest,
    with_special,
)
from tests.analysis.findings.test_smart_rules import H
from tests.analysis.replication import test_stale_replicas_and_stopped_snapshots as copies
from tests.analysis.replication.lineages import lineage
from tests.analysis.slow_disks.streams import HEALTHY, IDLE, MIRRORS, Act, Did, judge
from tests.analysis.slow_disks.test_exemptions import inventory, mirrors
from tests.doubles import plan_worlds
from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from zconsole.analysis.dependencies.affected_objects import build_graph
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.findings.datasets.clone_rules import clone_findings
from zconsole.analysis.guests.guests_on_two_hosts import with_guests_elsewhere
from zconsole.analysis.replication.coverage_findings import coverage
from zconsole.analysis.replication.replicas_and_send_bases import replicas
from zconsole.analysis.replication.stale_replicas_and_stopped_snapshots import stale
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.dataset_contents import DatasetContents, VolumeMount
from zconsole.model.datasets.replication import ReplicatedHost
from zconsole.model.finding import Finding
from zconsole.model.guests.guest import Guest, GuestState
from zconsole.model.host.connected_machine_and_user import KnownMachine, User
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.host.machine_identity import MachineIdentity
from zconsole.model.host.ssh_login import LoginPhase, PhaseTime, SshLogin
from zconsole.model.pools.dedup_table import DedupTable
from zconsole.model.pools.pool import Count, PoolActivity, Scan, Vdev
from zconsole.model.pools.smart_health import SelfTest

BY_A_WATCHDOG = 6  # VIR_DOMAIN_PAUSED_WATCHDOG
YEARS_S = 20 * 365 * DAY  # a number so near to now is a time, and is compared by its age


@dataclass(frozen=True)
class Edge:
    """A finding, and two states, which are whatever `judge` takes: in the first one it is said."""

    id: str
    speaks: object
    silent: object
    judge: Callable[[object], Iterable[Finding]]


@dataclass(frozen=True)
class Stream:
    """What the disks of three mirrors did: those named took so many times as long as the others."""

    slower: str
    times: float = 1.0
    seconds: int = 60
    pauses: tuple[int, ...] = ()  # seconds at which they begin to answer nothing, for four
    pauses_for: int = 4
    rotating: Mapping[str, bool] | None = None


@dataclass(frozen=True)
class Rhythm:
    """A dataset with hourly snapshots, the newest so old, and a copy that lacks those of so many days."""

    copy_days: float = 0.0
    late_hours: int = 0


def of_host(state: object) -> Iterable[Finding]:
    """All findings of a host."""
    assert isinstance(state, HostState)
    return findings(state, NOW, Thresholds())


def of_stream(stream: object) -> Iterable[Finding]:
    """Those of a pool whose disks were watched."""
    assert isinstance(stream, Stream)
    act = _paused(stream) if stream.pauses else _slow(stream)
    known = None if stream.rotating is None else inventory(**stream.rotating)
    of = mirrors()
    found = judge(MIRRORS, act, stream.seconds, pool=of, inventory=known)
    return findings(host(of, judgement=found), NOW, Thresholds())


def of_clones(entries: object) -> Iterable[Finding]:
    """Those of a listing of datasets and snapshots."""
    assert isinstance(entries, tuple)
    return clone_findings(build_graph(plan_worlds.linked(entries)), NOW)


def of_copies(hosts: object) -> Iterable[Finding]:
    """Those of several hosts whose copies are compared."""
    assert isinstance(hosts, tuple)
    return (*coverage(hosts, replicas(hosts)), *stale(hosts, replicas(hosts), NOW))


def of_rhythm(rhythm: object) -> Iterable[Finding]:
    """Those of a dataset and its copy."""
    assert isinstance(rhythm, Rhythm)
    ages = [age + rhythm.late_hours * copies.HOUR for age in copies.HOURLY]
    behind = [age for age in ages if age > rhythm.copy_days * DAY]
    hosts = (
        ReplicatedHost("nas", (copies.dataset("tank/home", ages, 1),)),
        ReplicatedHost("vault", (copies.dataset("backup/home", behind, 2, created=DAY),)),
    )
    return of_copies(hosts)


def of_erring(disks: object) -> Iterable[Finding]:
    """Those of a pool of which some disks have errors, and their SMART data CRC errors."""
    assert isinstance(disks, tuple)
    return of_host(test_shared_cause_rules.erring(*disks))


def _slow(stream: Stream) -> Act:
    late = Did(30, 10 * stream.times, 30, 12 * stream.times)
    return lambda _, name: late if name in stream.slower else HEALTHY


def _paused(stream: Stream) -> Act:
    def act(number: int, name: str) -> Did:
        for first in stream.pauses:
            if first <= number < first + stream.pauses_for:
                return Did(active=3) if name in stream.slower else IDLE
            if number == first + stream.pauses_for and name in stream.slower:
                return Did(33, 300, 10, 900)
        return HEALTHY

    return act


def both(finding_id: str, speaks: HostState, silent: HostState) -> Edge:
    """Two states of a host."""
    return Edge(finding_id, speaks, silent, of_host)


def smart(finding_id: str, speaks: H, silent: H, before: H | None = None) -> Edge:
    """SMART data of one disk, with that of a week before."""
    states = (test_smart_rules.host(each, before=before) for each in (speaks, silent))
    return both(finding_id, *states)


def of_device(finding_id: str, vdev_class: str, bad: str, good: str) -> Edge:
    """A device beside mirrors, in two states."""
    states = (
        broken(mirror("ONLINE", "ONLINE"), in_class(disk("x", each), vdev_class)) for each in (bad, good)
    )
    return both(finding_id, *states)


def replacing(original_state: str) -> Vdev:
    """The same as of a spare, by a disk that is to stay."""
    top = spare_group(original_state)
    first, *others = top.children
    return replace(top, children=(replace(first, type="replacing"), *others))


def filled(percent: float) -> HostState:
    return broken(usable_used_bytes=int(10 * percent), usable_available_bytes=1000 - int(10 * percent))


def scanning(**state: object) -> HostState:
    return host(pool(scan=RUNNING), scan_history=HISTORY, **state)


def with_login(seconds: float) -> HostState:
    phases = (PhaseTime(LoginPhase.CONNECT, 0.1), PhaseTime(LoginPhase.SESSION, seconds))
    return replace(host(), login=SshLogin("nas1", phases))


def mounted(*mounts: VolumeMount) -> HostState:
    return listed(contents=Reading((DatasetContents("tank/v", mounted=mounts),), 0.0))


def image(own_gib: int, held_gib: int = 40) -> tuple[Dataset, ...]:
    """An image, and a clone with so much of its own; the image's snapshot keeps so much alone."""
    return (
        plan_worlds.filesystem("tank/images", referenced_bytes=GIB),
        plan_worlds.snapshot(
            "tank/images@gold", 20, used_bytes=held_gib * GIB, referenced_bytes=(held_gib + 1) * GIB
        ),
        plan_worlds.filesystem(
            "tank/vm",
            origin="tank/images@gold",
            referenced_bytes=50 * GIB,
            used_by_dataset_bytes=own_gib * GIB,
        ),
    )


def hosts_of(*copy: object, **source: object) -> tuple[ReplicatedHost, ...]:
    """A host with one dataset, and one with its copy."""
    near = lineage("tank/home", **source)  # type: ignore[arg-type]
    return ReplicatedHost("nas", (near,)), ReplicatedHost("vault", tuple(copy))  # type: ignore[arg-type]


def two_on_one(other: str) -> HostState:
    guests: tuple[Guest, ...] = (guest_on("a", on_volume("tank/v")), guest_on("b", on_volume(other)))
    return replace(host(), guests=Reading(guests, 0.0))


def on_two_hosts(there: GuestState) -> HostState:
    """A guest of two machines, one of which moves it while it runs, or does not."""
    one, other = (
        replace(
            on_disk(on_volume("tank/v", cache="none"), state=state),
            host=name,
            machine=KnownMachine(MachineIdentity(name, machine_id=name), User("root", 0)),
        )
        for name, state in (("nas1", GuestState.RUNNING), ("vault1", there))
    )
    return with_guests_elsewhere((one, other))[0]


def without_image(policy: str) -> HostState:
    """A guest that is off, whose medium is not there."""
    disk = on_files("tank/iso", device="cdrom", is_read_only=True, startup_policy=policy)
    disk = replace(disk, images=tuple(replace(each, is_missing=True) for each in disk.images))
    return on_disk(disk, state=GuestState.SHUT_OFF)


ALL_KNOWN = {"a": True, "b": True, "c": True, "d": True, "e": True, "f": True}
PLAIN = (mirror("ONLINE", "ONLINE"), mirror("ONLINE", "ONLINE", name="mirror-1"))
EDGES: tuple[Edge, ...] = (
    # The state of the pool
    both("pool-suspended", broken(state="SUSPENDED"), broken(state="ONLINE")),
    both("pool-faulted", broken(state="FAULTED"), broken(state="ONLINE")),
    both("pool-unavail", broken(state="UNAVAIL"), broken(state="ONLINE")),
    both("pool-state-unknown", broken(state="HIBERNATING"), broken(state="ONLINE")),
    both("pool-degraded", broken(mirror("ONLINE", "OFFLINE")), broken(mirror("ONLINE", "ONLINE"))),
    both("pool-unread", host(pool=Reading(pool(), 0.0, problem="hangs")), host(pool=Reading(pool(), 0.0))),
    both("pools-unread", replace(host(), pools_problem="oops"), host()),
    # Redundancy
    both(
        "vdev-lost",
        broken(mirror("UNAVAIL", "UNAVAIL"), state="UNAVAIL"),
        broken(mirror("ONLINE", "UNAVAIL"), state="DEGRADED"),
    ),
    both(
        "vdev-incomplete",
        broken(group("raidz1-0", disk("a"), disk("b", "FAULTED"), disk("c", is_resilvering=True))),
        broken(group("raidz1-0", disk("a"), disk("b"), disk("c", is_resilvering=True))),
    ),
    both(
        "vdev-no-redundancy",
        broken(mirror("ONLINE", "FAULTED")),
        broken(mirror("ONLINE", "FAULTED", "ONLINE")),
    ),
    # Data and devices
    both("data-errors", broken(error_count=1), broken(error_count=0)),
    of_device("device-faulted", "special", "FAULTED", "ONLINE"),
    of_device("device-degraded", "data", "DEGRADED", "ONLINE"),
    of_device("device-offline", "log", "OFFLINE", "ONLINE"),
    of_device("log-faulted", "log", "UNAVAIL", "ONLINE"),
    of_device("cache-faulted", "cache", "FAULTED", "ONLINE"),
    of_device("spare-faulted", "spare", "UNAVAIL", "AVAIL"),
    both("device-errors", broken(disk("sda", read_errors=Count(1))), broken(disk("sda"))),
    Edge("shared-cause", (1, 3), (1,), of_erring),
    both("slow-ios", broken(disk("sda", slow_ios=Count(1))), broken(disk("sda", slow_ios=Count(0)))),
    both("spare-in-use", broken(spare_group("REMOVED")), broken(replacing("REMOVED"))),
    # SMART data
    smart("smart-failing", H(is_passing=False), H(is_passing=True)),
    smart("smart-attribute", H(failing_attributes=("Spin_Retry_Count",)), H()),
    smart("pending-sectors", H(pending=1), H(pending=0)),
    smart("uncorrectable-sectors", H(offline_uncorrectable=1), H(offline_uncorrectable=0)),
    smart("uncorrectable-errors", H(reported_uncorrectable=2), H(reported_uncorrectable=1)),
    smart("reallocated-sectors", H(reallocated=50), H(reallocated=49)),
    smart("nvme-warning", H("NVMe", critical_warning=1), H("NVMe", critical_warning=0)),
    smart(
        "spare-blocks",
        H("NVMe", available_spare=15, spare_threshold=10),
        H("NVMe", available_spare=16, spare_threshold=10),
    ),
    smart("worn", H("NVMe", wear=100), H("NVMe", wear=99)),
    smart("crc-errors", H(crc_errors=10), H(crc_errors=9), before=H(crc_errors=9)),
    smart("hot", H(temperature_c=60), H(temperature_c=59)),
    smart(
        "self-test-failed",
        H(self_test=SelfTest(False, "Completed", 28000)),
        H(self_test=SelfTest(True, "Completed", 28000)),
    ),
    # Slow disks, watched for a minute; one that is a little slower for six and a half
    Edge("disk-slow", Stream("c", 1.8), Stream("c", 1.5), of_stream),
    Edge("disk-stalling", Stream("c", pauses=(15, 28, 41)), Stream("c", pauses=(15, 28)), of_stream),
    Edge("disk-slightly-slower", Stream("c", 1.5, 390), Stream("c", 1.2, 390), of_stream),
    Edge("vdev-slow", Stream("cd", 1.8), Stream("cd", 1.5), of_stream),
    Edge(
        "disks-not-answering",
        Stream("ace", pauses=(15,), pauses_for=9),
        Stream("ace", pauses=(15,), pauses_for=8),
        of_stream,
    ),
    Edge("half-slow", Stream("bdf", 1.8), Stream("bdf", 1.5), of_stream),
    Edge(
        "mixed-vdev",
        Stream("", rotating=ALL_KNOWN | {"c": False}),
        Stream("", rotating=ALL_KNOWN),
        of_stream,
    ),
    # Space
    both("capacity-critical", filled(90), filled(89.9)),
    both("capacity-warning", filled(80), filled(79.9)),
    both("full-soon", care_cases.grows(90, 180), care_cases.grows(91, 180)),
    both("pool-read-only", broken(readonly="on"), broken(readonly="off")),
    both("checkpoint-exists", broken(checkpoint_bytes=1), broken(checkpoint_bytes=0)),
    both("metaslabs-full", care_cases.nearly_full(3.9), care_cases.nearly_full(4)),
    both("fragmentation", care_cases.fragmented(71), care_cases.fragmented(70)),
    # Scrubs, resilvers and other work
    both(
        "scan-running", scanning(), host(pool(scan=replace(RUNNING, state="finished")), scan_history=HISTORY)
    ),
    both(
        "scan-stalled",
        host(pool(scan=RUNNING), scan_history=STILL),
        host(pool(scan=RUNNING), scan_history=(*STILL[:-1], (STILL[-1][0], STILL[-1][1] + 1))),
    ),
    both(
        "resilver-errors",
        host(pool(scan=Scan("resilver", "finished", end=int(NOW) - 60, errors=1))),
        host(pool(scan=Scan("resilver", "finished", end=int(NOW) - 60, errors=0))),
    ),
    both(
        "scrub-errors",
        host(pool(scan=Scan("scrub", "finished", end=int(NOW) - 60, errors=1))),
        host(pool(scan=Scan("scrub", "finished", end=int(NOW) - 60, errors=1), error_count=1)),
    ),
    both(
        "scrub-repaired",
        host(pool(scan=Scan("scrub", "finished", end=int(NOW) - 44 * DAY, errors=0, repaired_bytes=1))),
        host(pool(scan=Scan("scrub", "finished", end=int(NOW) - 46 * DAY, errors=0, repaired_bytes=1))),
    ),
    both("scan-restarting", scanning(scan_restarts=3), scanning(scan_restarts=2)),
    both(
        "activity-running",
        broken(activities=(PoolActivity("removal", None, "active"),)),
        broken(activities=(PoolActivity("removal", None, "finished"),)),
    ),
    both("scrub-overdue", broken(scan=scrubbed(days_ago=35.1)), broken(scan=scrubbed(days_ago=34.9))),
    both(
        "scrub-never",
        broken(scan=None, creation=int(NOW) - 36 * DAY),
        broken(scan=None, creation=int(NOW) - 34 * DAY),
    ),
    both(
        "scrub-paused",
        broken(scan=Scan("scrub", "paused", start=int(NOW) - 2 * DAY, percent=12.0)),
        broken(scan=Scan("scrub", "scanning", start=int(NOW) - 2 * DAY, percent=12.0)),
    ),
    both(
        "scrub-skipped",
        care_cases.beside(care_cases.began(36), care_cases.began(30)),
        care_cases.beside(care_cases.began(34), care_cases.began(30)),
    ),
    both("scan-too-slow", host(care_cases.scanning(35.1)), host(care_cases.scanning(34.9))),
    # How the pool is built
    both("pool-without-redundancy", broken(disk("sda")), broken(mirror("ONLINE", "ONLINE"))),
    both(
        "vdev-without-redundancy",
        broken(mirror("ONLINE", "ONLINE"), in_class(disk("x"), "special")),
        broken(mirror("ONLINE", "ONLINE"), in_class(disk("x"), "cache")),
    ),
    of_device("log-without-redundancy", "log", "ONLINE", "UNAVAIL"),
    both(
        "log-without-redundancy",
        broken(mirror("ONLINE", "ONLINE"), in_class(disk("x"), "log")),
        broken(mirror("ONLINE", "ONLINE"), in_class(disk("x"), "cache")),
    ),
    both(
        "redundancy-uneven",
        broken(raidz("raidz2-0", 6), in_class(mirror("ONLINE", "ONLINE", name="mirror-1"), "special")),
        broken(
            raidz("raidz2-0", 6), in_class(mirror("ONLINE", "ONLINE", "ONLINE", name="mirror-1"), "special")
        ),
    ),
    both(
        "vdevs-uneven",
        broken(sized("mirror-0", 8 * GIB, 4 * GIB), sized("mirror-1", 12 * GIB, 6 * GIB)),
        broken(sized("mirror-0", 8 * GIB, 4 * GIB), sized("mirror-1", 12 * GIB - 1, 6 * GIB)),
    ),
    both(
        "vdevs-uneven",
        broken(sized("mirror-0", 100 * GIB, 30 * GIB), sized("mirror-1", 100 * GIB, 50 * GIB)),
        broken(sized("mirror-0", 100 * GIB, 30 * GIB), sized("mirror-1", 100 * GIB, 49 * GIB)),
    ),
    both(
        "layout-mixed",
        broken(raidz("raidz2-0", 6), raidz("raidz2-1", 7)),
        broken(raidz("raidz2-0", 6), raidz("raidz2-1", 6)),
    ),
    both(
        "ashift-mixed",
        broken(*(replace(top, configured_ashift=at) for top, at in zip(PLAIN, (12, 13), strict=True))),
        broken(*(replace(top, configured_ashift=at) for top, at in zip(PLAIN, (12, 12), strict=True))),
    ),
    both(
        "ashift-below-physical",
        broken(disk("sda", configured_ashift=11, physical_ashift=12)),
        broken(disk("sda", configured_ashift=12, physical_ashift=12)),
    ),
    both(
        "raidz1-large-disks",
        of_raidz1(8 * 10**12, is_rotational=True),
        of_raidz1(75 * 10**11, is_rotational=True),
    ),
    both("raidz-wide", broken(raidz("raidz2-0", 13)), broken(raidz("raidz2-0", 12))),
    both(
        "special-full",
        with_special(2 * GIB, small_blocks=32768),
        with_special(2 * GIB + 1, small_blocks=32768),
    ),
    both(
        "media-mixed",
        on_media(sda=True, sdb=True, sdc=False, sdd=False),
        on_media(sda=True, sdb=True, sdc=True, sdd=False),
    ),
    both(
        "spare-missing",
        broken(*(raidz(f"raidz2-{at}", 8) for at in range(3))),
        broken(raidz("raidz2-0", 8), raidz("raidz2-1", 8), raidz("raidz2-2", 7)),
    ),
    both(
        "names-of-kernel",
        broken(group("mirror-0", disk("a", path="/dev/sda1"), disk("b", path="/dev/disk/by-id/wwn-0x5"))),
        broken(
            group(
                "mirror-0",
                disk("a", path="/dev/disk/by-id/wwn-0x4"),
                disk("b", path="/dev/disk/by-id/wwn-0x5"),
            )
        ),
    ),
    both("space-not-expanded", broken(expandable_bytes=1), broken(expandable_bytes=0)),
    both("features-off", broken(status=FEATURES_OFF), broken(status="")),
    both("hostid-differs", broken(status=HOSTID_DIFFERS), broken(status="")),
    # Properties of the pool
    both("autotrim-off", on_ssds(36), on_ssds(34)),
    both("autoexpand-off", of_sizes(4, 4.41, 4, 4.41), of_sizes(4, 4.39, 4, 4.39)),
    both("failmode", broken(failmode="continue"), broken(failmode="wait")),
    # Settings of datasets
    both("checksum-off", set_to(checksum="off"), set_to(checksum="on")),
    both("sync-disabled", set_to(sync="disabled"), set_to(sync="standard")),
    both("compression-off", set_to(compression="off"), set_to(compression="lz4")),
    both("compression-slow", set_to(compression="gzip-7"), set_to(compression="gzip-6")),
    both("copies-many", set_to(copies=2), set_to(copies=1)),
    both("atime-on", set_to(atime="on", relatime="off"), set_to(atime="on", relatime="on")),
    both(
        "acl-in-directories",
        listed(filesystem(acltype="posix", has_directory_xattrs=True)),
        listed(filesystem(acltype="posix", has_directory_xattrs=False)),
    ),
    both(
        "cache-off",
        listed(filesystem(primarycache="metadata", recordsize_bytes=64 * KIB)),
        listed(filesystem(primarycache="metadata", recordsize_bytes=32 * KIB)),
    ),
    both("dedup-on", cases.deduplicated(1.99, cases.SMALL_TABLE), cases.deduplicated(2.0, cases.SMALL_TABLE)),
    both(
        "dedup-table-large",
        cases.deduplicated(3.0, DedupTable(9, 8 * GIB, 8 * GIB)),
        cases.deduplicated(3.0, DedupTable(9, 8 * GIB - 1, 8 * GIB - 1)),
    ),
    both(
        "dedup-quota-near",
        cases.deduplicated(3.0, DedupTable(9, 900, 900, quota_bytes=1000)),
        cases.deduplicated(3.0, DedupTable(9, 899, 899, quota_bytes=1000)),
    ),
    both(
        "recordsize-database",
        cases.holding(filesystem(recordsize_bytes=128 * KIB), programs=cases.opened(cases.PG, "postgres")),
        cases.holding(filesystem(recordsize_bytes=64 * KIB), programs=cases.opened(cases.PG, "postgres")),
    ),
    both(
        "recordsize-database",
        cases.holding(filesystem(), sample=cases.sample(cases.INNODB, 80)),
        cases.holding(filesystem(), sample=cases.sample(cases.INNODB, 79)),
    ),
    both(
        "recordsize-large-files",
        cases.holding(filesystem(recordsize_bytes=128 * KIB), sample=cases.sample(cases.MEDIA, 90)),
        cases.holding(filesystem(recordsize_bytes=256 * KIB), sample=cases.sample(cases.MEDIA, 90)),
    ),
    both(
        "recordsize-image",
        cases.with_image("qcow2", 64 * KIB, 256 * KIB),
        cases.with_image("qcow2", 64 * KIB, 128 * KIB),
    ),
    # Volumes, clones, reservations and quotas
    both(
        "volblocksize-small",
        listed(volume(volblocksize_bytes=8 * KIB), of=of_raidz2()),
        listed(volume(volblocksize_bytes=16 * KIB), of=of_raidz2()),
    ),
    both(
        "volumes-overcommitted",
        listed(volume(volsize_bytes=91 * GIB, referenced_bytes=0), of=ROOM),
        listed(volume(volsize_bytes=90 * GIB, referenced_bytes=0), of=ROOM),
    ),
    both("volume-no-snapshot", reserved(left=8 * GIB - 1), reserved(left=8 * GIB)),
    both("volume-mounted-on-host", mounted(VolumeMount("/srv/old", "ext4")), mounted()),
    both("clone-long-lived", cases.cloned(clone_days=180), cases.cloned(clone_days=179)),
    both("clone-long-lived", cases.cloned(origin_days=365), cases.cloned(origin_days=364)),
    Edge("clone-diverged", image(46), image(44), of_clones),
    both(
        "reservation-unused",
        listed(filesystem(used_bytes=GIB, reservation_bytes=11 * GIB), of=FULL),
        listed(filesystem(used_bytes=GIB, reservation_bytes=11 * GIB - 1), of=FULL),
    ),
    both(
        "reservation-used-up",
        listed(filesystem(used_bytes=90, reservation_bytes=100), of=FULL),
        listed(filesystem(used_bytes=89, reservation_bytes=100), of=FULL),
    ),
    both(
        "quotas-overcommitted",
        listed(filesystem(used_bytes=0, quota_bytes=20 * GIB + 1), of=FULL),
        listed(filesystem(used_bytes=0, quota_bytes=20 * GIB), of=FULL),
    ),
    both(
        "quota-near",
        listed(filesystem(used_bytes=90, quota_bytes=100)),
        listed(filesystem(used_bytes=89, quota_bytes=100)),
    ),
    both(
        "quota-beyond-pool",
        listed(filesystem(quota_bytes=100 * GIB + 1), of=ROOM),
        listed(filesystem(quota_bytes=100 * GIB), of=ROOM),
    ),
    # Snapshots and copies
    both("snapshots-missing", snapshotted(36), snapshotted(34)),
    both(
        "snapshots-left-out",
        care_cases.family(*care_cases.HAVE, care_cases.sibling("tank/db", None, own_bytes=64 * MIB)),
        care_cases.family(*care_cases.HAVE, care_cases.sibling("tank/db", None, own_bytes=64 * MIB - 1)),
    ),
    Edge(
        "dataset-no-snapshots",
        hosts_of(guids="", size=MIB),
        hosts_of(guids="", size=MIB - 1),
        of_copies,
    ),
    Edge(
        "dataset-no-copy",
        hosts_of(lineage("backup/home", "d", created=350, size=0), guids="b"),
        hosts_of(lineage("backup/home", "b", created=350, size=0), guids="b"),
        of_copies,
    ),
    Edge(
        "replica-diverged",
        hosts_of(lineage("backup/home", "abx", created=350), guids="abc"),
        hosts_of(lineage("backup/home", "ab", created=350), guids="abc"),
        of_copies,
    ),
    Edge(
        "receive-cut",
        hosts_of(guids="ab", token="1-2-3-4"),
        hosts_of(guids="ab", token=""),
        of_copies,
    ),
    Edge("replica-stale", Rhythm(3.1), Rhythm(3.0), of_rhythm),
    Edge("snapshots-stopped", Rhythm(late_hours=24), Rhythm(late_hours=23), of_rhythm),
    both("replica-stale", seen(STALE), seen()),
    both("snapshots-stopped", seen(STOPPED), seen()),
    both("receive-cut", seen(CUT), seen()),
    both("dataset-no-copy", seen(NO_COPY), seen(finding("dataset-no-copy", datasets=("tank/cache/z",)))),
    both(
        "replicas-not-compared",
        seen(days_ago=7.1, received=(("tank/copy", int(NOW) - 10 * DAY),)),
        seen(days_ago=6.9, received=(("tank/copy", int(NOW) - 10 * DAY),)),
    ),
    both(
        "replicas-unverified",
        seen(received=(("tank/copy", int(NOW) - 36 * DAY),), of=pool(scan=None)),
        seen(received=(("tank/copy", int(NOW) - 34 * DAY),), of=pool(scan=None)),
    ),
    # The host
    both("release-known-bad", care_cases.of_release("2.2.1-1"), care_cases.of_release("2.2.2-1")),
    both(
        "versions-differ",
        care_cases.of_release("2.4.4-1", "2.3.9-1"),
        care_cases.of_release("2.4.4-1", "2.4.4-2"),
    ),
    both("zed-not-running", host_cases.set_to(is_zed_running=False), host_cases.set_to(is_zed_running=True)),
    both("zed-tells-nobody", host_cases.set_to(has_mailer=False), host_cases.set_to(has_mailer=True)),
    both("hostid-zero", host_cases.set_to(hostid=0), host_cases.set_to(hostid=1)),
    both(
        "arc-limit-ignored",
        host_cases.with_parameter("zfs_arc_max", str(32 * GIB - 1)),
        host_cases.with_parameter("zfs_arc_max", str(32 * GIB)),
    ),
    both(
        "arc-small",
        host_cases.with_parameter("zfs_arc_max", str(GIB - 1), arc_max_bytes=GIB - 1),
        host_cases.with_parameter("zfs_arc_max", str(GIB), arc_max_bytes=GIB),
    ),
    both(
        "parameter-changed",
        host_cases.with_parameter("zfs_txg_timeout", "6"),
        host_cases.with_parameter("zfs_txg_timeout", "5"),
    ),
    both(
        "parameter-unsafe",
        host_cases.with_parameter("zfs_nocacheflush", "1"),
        host_cases.with_parameter("zfs_nocacheflush", "0"),
    ),
    both("ssh-login-slow", with_login(3.0), with_login(2.9)),
    # Guests
    both("guest-paused-io-error", with_guest(PAUSED), with_guest(replace(PAUSED, reason=BY_A_WATCHDOG))),
    both("guest-image-corrupt", on_disk(corrupt()), on_disk(corrupt(is_corrupt=False))),
    both(
        "guest-errors-ignored",
        on_disk(on_files("tank/vm", error_policy="ignore")),
        on_disk(on_files("tank/vm", error_policy="stop")),
    ),
    both(
        "guest-errors-reported",
        on_disk(on_files("tank/vm", error_policy="report")),
        on_disk(on_files("tank/vm", error_policy="enospace")),
    ),
    both(
        "guest-errors-reported",
        reporting(on_files("tank/b", target="vdb")),
        reporting(on_files("", target="vdb")),
    ),
    both(
        "guest-cache-unsafe",
        on_disk(on_files("tank/vm", cache="unsafe")),
        on_disk(on_files("tank/vm", cache="writeback")),
    ),
    both(
        "guest-volume-page-cache",
        on_disk(on_volume("tank/v", cache="writeback")),
        on_disk(on_volume("tank/v", cache="none")),
    ),
    both(
        "guest-volume-page-cache",
        on_disk(on_volume("tank/v", cache="writeback")),
        on_disk(on_volume("tank/v", cache="unsafe")),
    ),
    both("guest-storage-read-only", on_read_only(), on_read_only(is_read_only=False)),
    both("guest-storage-read-only", on_read_only(), on_read_only(state=GuestState.SHUT_OFF)),
    both("guest-storage-read-only", on_read_only(), on_read_only(device="cdrom")),
    *(both(guest_snapshot_cases.UNFROZEN, *states) for states in guest_snapshot_cases.UNFROZEN_EDGES),
    both(
        "guest-discard-off",
        on_disk(on_files("tank/vm"), percent=80),
        on_disk(on_files("tank/vm"), percent=79),
    ),
    both("guest-discard-off", on_sized_volume(8 * GIB - 1), on_sized_volume(8 * GIB)),
    both("guest-discard-off", on_sized_volume(None), on_sized_volume(None, discard="unmap")),
    *(both(guest_snapshot_cases.LEFT_OUT, *states) for states in guest_snapshot_cases.EDGES),
    both("guest-disk-shared", two_on_one("tank/v"), two_on_one("tank/w")),
    both("guest-on-two-hosts", on_two_hosts(GuestState.RUNNING), on_two_hosts(GuestState.PAUSED)),
    both("guest-cannot-start", without_image("requisite"), without_image("optional")),
)


def differences(one: object, other: object) -> tuple[tuple[object, object], ...]:
    """Values in which two states differ; what only one of them has is one difference."""
    if is_dataclass(one) and type(one) is type(other):
        pairs = [(getattr(one, each.name), getattr(other, each.name)) for each in fields(one)]
    elif isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        pairs = [(one[key], other[key]) for key in one]
    elif _is_listing(one) and _is_listing(other):
        shared = min(len(one), len(other))  # type: ignore[arg-type]
        pairs = list(zip(one[:shared], other[:shared], strict=True))  # type: ignore[index]
        pairs += [(each, None) for each in (*one[shared:], *other[shared:])]  # type: ignore[index]
    else:
        return () if one == other else ((one, other),)
    return tuple(found for pair in pairs for found in differences(*pair))


def is_near(one: object, other: object, percent: float) -> bool:
    """Whether two values are near one another; words always are, and numbers that differ by 1."""
    if not (isinstance(one, int | float) and isinstance(other, int | float)):
        return True
    ages = [abs(NOW - each) if abs(NOW - each) < YEARS_S else abs(each) for each in (one, other)]
    return max(ages) - min(ages) <= max(1.0, max(ages) * percent / 100)


def _is_listing(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)
