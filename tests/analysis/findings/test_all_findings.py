"""Each finding has a state in which it speaks, and one nearby in which it is silent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.analysis.build import DAY, NOW, disk, group, host, in_class, mirror, pool, scrubbed
from tests.analysis.findings import guest_disk_cases, host_cases
from tests.analysis.findings.care import care_cases, guest_snapshot_cases, replication_cases
from tests.analysis.findings.datasets import cases as dataset_cases
from tests.analysis.slow_disks.streams import HEALTHY, MIRRORS, Did, judge
from tests.doubles.guests_on_storage import guest_on, on_files, on_volume
from zconsole.actions.action_catalogue import spec
from zconsole.analysis.findings.all_findings import (
    RULES,
    filling_pools,
    findings,
    input_of,
    of_pool,
    worst,
)
from zconsole.analysis.findings.datasets.clone_rules import IDS as CLONE_IDS
from zconsole.analysis.findings.datasets.settings_rules import INHERITED
from zconsole.analysis.findings.shared_cause_rules import ID as SHARED_ID
from zconsole.analysis.findings.silenced_findings import UNREAD_IDS
from zconsole.analysis.findings.smart_rules import IDS as DISK_IDS
from zconsole.analysis.replication.coverage_findings import COVERAGE_IDS
from zconsole.analysis.replication.stale_replicas_and_stopped_snapshots import IDS as STALE_IDS
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Finding, Severity
from zconsole.model.guests.guest import (
    PAUSED_BY_IO_ERROR,
    PAUSED_BY_USER,
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestState,
    GuestStatus,
    Image,
    SourceKind,
    StoredDisk,
    StoredImage,
)
from zconsole.model.host.host_settings import HostSettings
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.host.ssh_login import LoginPhase, PhaseTime, SshLogin
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.pool import Count, Pool, PoolActivity, RootSettings, Scan, Vdev, VdevProgress
from zconsole.model.pools.slow_disk import (
    SLOW,
    STALLING,
    WRITE_COLLAPSE,
    Comparison,
    Judgement,
    SlightlySlowerDisk,
    SlowDiskVerdict,
    Stalls,
    Undecided,
)
from zconsole.views.findings.advice import ADVICE

INFO, WARNING, CRITICAL = Severity.INFO, Severity.WARNING, Severity.CRITICAL
MIB = 1024 * 1024
RUNNING = Scan("resilver", "scanning", start=int(NOW) - 700, percent=41.0, to_issue_bytes=100_000 * MIB)
HISTORY = tuple((NOW - 600 + at, at * 10 * MIB) for at in range(0, 601, 5))
STILL = tuple((NOW - 700 + at, 5) for at in range(0, 701, 5))


def judged(state: HostState) -> tuple[Finding, ...]:
    return findings(state, NOW, Thresholds())


def broken(*vdevs: Vdev, **values: object) -> HostState:
    return host(pool(*vdevs, **values))


UNDECIDED = Undecided("sda", "raidz1-0", "too little I/O to tell: 3 operations in 2 of 9 samples")


def test_pools_that_fill_are_those_with_a_finding_on_it() -> None:
    state, now = host(), NOW
    names = frozenset(each.name for each in state.pools)

    assert frozenset() == filling_pools(state, now, Thresholds())
    assert names == filling_pools(state, now, Thresholds(used_warning_percent=0.0))


def verdict_on(disk_name: str, **values: object) -> SlowDiskVerdict:
    verdict = SlowDiskVerdict(
        disk_name, "raidz1-0", "raidz", SLOW, ("read",), 5.4, 0.8, 3, 9, 60, NOW - 60, NOW, True,
        ("sdb", "sdc"),
        compared=(Comparison("read", 54e6, 10e6, 900, 57, 12.0), Comparison("write", 2e7, 1e7, 9, 9, 9.0)),
    )  # fmt: skip
    return replace(verdict, **values)  # type: ignore[arg-type]


def slow(*verdicts: SlowDiskVerdict, findings: tuple[Finding, ...] = ()) -> HostState:
    disks = (disk("sda", guid=7), disk("sdb"), disk("sdc"))
    return host(pool(group("raidz1-0", *disks)), judgement=Judgement("tank", 60, 3, verdicts, (), findings))


def slightly(**values: object) -> HostState:
    one = SlightlySlowerDisk(
        "sda", "raidz1-0", 1.54, 50, 50, 10, 59, NOW - 400, NOW, ("sdb", "sdc"),
        (Comparison("read", 14.3e6, 9.2e6, 900, 50, 22.0),),
    )  # fmt: skip
    judged = Judgement("tank", 60, 3, slightly=(replace(one, **values),))  # type: ignore[arg-type]
    return host(slow().pools[0].pool.value, judgement=judged)


def spare_group(original_state: str, *, resilvering: bool = False) -> Vdev:
    spare = disk("hot", is_resilvering=resilvering)
    return group("mirror-0", group("spare-0", disk("bad", original_state), spare), disk("b"))


def with_guest(
    status: GuestStatus, error: str = "", place: str = "tank/vms", *, has_room: bool = False
) -> HostState:
    disk = StoredDisk(
        GuestDisk("vda", "/a.qcow2", SourceKind.FILE),
        (StoredImage(Image("/a.qcow2"), place), StoredImage(Image("/base.qcow2"), "tank/base")),
        error=error,
    )
    held = pool(usable_used_bytes=1 << 40, usable_available_bytes=1 << 40) if has_room else pool()
    return replace(host(held), guests=Reading((Guest(GuestDefinition("u", "db02"), status, (disk,)),), 0.0))


def sharing(*guests: Guest) -> HostState:
    return replace(host(), guests=Reading(guests, 0.0))


def without_image(disk: StoredDisk) -> StoredDisk:
    return replace(disk, images=tuple(replace(each, is_missing=True) for each in disk.images))


SHUT_OFF = GuestState.SHUT_OFF
PAUSED = GuestStatus("db02", GuestState.PAUSED, PAUSED_BY_IO_ERROR)
NOTHING_REPAIRS = "loses the pool, and of damaged data only what has copies"
SPEAKING: list[tuple[str, Severity, str, HostState]] = [
    (
        "guest-paused-io-error",
        CRITICAL,
        "guest db02 is paused by an I/O error: no space for vda on tank/vms; it stands still until it is",
        with_guest(PAUSED, "no space"),
    ),
    (
        "guest-paused-io-error",
        CRITICAL,
        "guest db02 is paused by an I/O error: its disks are on tank/vms; it stands still",
        with_guest(PAUSED),
    ),
    (
        "guest-paused-io-error",
        CRITICAL,
        "guest db02 is paused by an I/O error: unspecified error for vda on tank/vms; it stands still until",
        with_guest(PAUSED, "unspecified error", has_room=True),
    ),
    (
        "guest-paused-io-error",
        CRITICAL,
        "guest db02 is paused by an I/O error: no space for vda on tank/vms; it stands still until it is",
        with_guest(PAUSED, "no space", has_room=True),
    ),
    (
        "guest-disk-shared",
        CRITICAL,
        "guest a: its disk vda, /dev/zvol/tank/v, is a disk of b too: both running, they destroy its",
        sharing(guest_on("a", on_volume("tank/v")), guest_on("b", on_volume("tank/v"))),
    ),
    (
        "guest-disk-shared",
        WARNING,
        "guest a: its disk vda, /dev/zvol/tank/v, is a disk of b too: never start both, which would destroy",
        sharing(guest_on("a", on_volume("tank/v")), guest_on("b", on_volume("tank/v"), state=SHUT_OFF)),
    ),
    (
        "guest-disk-shared",
        WARNING,
        "guest a: its disk vda, /dev/zvol/tank/v, is its vdb too: QEMU does not start a guest with one disk",
        sharing(guest_on("a", on_volume("tank/v"), on_volume("tank/v", "vdb"), state=SHUT_OFF)),
    ),
    (
        "guest-on-two-hosts",
        CRITICAL,
        "guest a runs here and on vault1: each copy has writes that the other lacks",
        replace(sharing(guest_on("a", on_volume("tank/v"))), guests_elsewhere=(("uuid of a", "vault1"),)),
    ),
    (
        "guest-cannot-start",
        WARNING,
        "guest a cannot start: vda, /dev/zvol/tank/v does not exist",
        sharing(guest_on("a", without_image(on_volume("tank/v")), state=SHUT_OFF)),
    ),
    (
        "guest-cannot-start",
        WARNING,
        "guest a would not start again once it is off: vda, an image below it does not exist",
        sharing(guest_on("a", replace(on_files("tank/vm"), problem="b: No such file or directory"))),
    ),
    (
        "guest-cannot-start",
        INFO,
        "guest a cannot start: vda, its images lead back to themselves",
        sharing(
            guest_on(
                "a",
                replace(on_files("tank/vm", device="cdrom", is_read_only=True), problem="infinite loop"),
                state=SHUT_OFF,
            )
        ),
    ),
    ("pool-suspended", CRITICAL, "SUSPENDED: all I/O waits", host(kstat_state="SUSPENDED")),
    ("pool-suspended", CRITICAL, "SUSPENDED: all I/O waits", broken(state="SUSPENDED")),
    (
        "pool-suspended",
        CRITICAL,
        "SUSPENDED: all I/O waits",
        host(kstat_state="SUSPENDED", pool=Reading(problem="no answer in 10 s")),
    ),
    (
        "pool-unread",
        WARNING,
        "its status cannot be read, the kernel says ONLINE: no answer in 10 s",
        host(pool=Reading(problem="no answer in 10 s")),
    ),
    (
        "pool-unread",
        WARNING,
        "the newest status cannot be read, the kernel says ONLINE: hangs",
        host(pool=Reading(pool(), 0.0, problem="hangs")),
    ),
    (
        "pools-unread",
        WARNING,
        "the list of pools cannot be read: oops",
        replace(host(), pools_problem="oops"),
    ),
    ("pool-faulted", CRITICAL, "FAULTED: the pool cannot be used", broken(state="FAULTED")),
    (
        "pool-faulted",
        CRITICAL,
        "FAULTED: the pool cannot be used, because its log is missing",
        broken(mirror("ONLINE", "ONLINE"), in_class(disk("slog", "UNAVAIL"), "log"), state="FAULTED"),
    ),
    ("pool-unavail", CRITICAL, "UNAVAIL: the pool cannot be used", broken(state="UNAVAIL")),
    (
        "pool-state-unknown",
        WARNING,
        "in state HIBERNATING, which is not known here",
        broken(state="HIBERNATING"),
    ),
    (
        "vdev-lost",
        CRITICAL,
        "mirror-0 has lost 2 devices and can make up for 1",
        broken(mirror("UNAVAIL", "UNAVAIL"), state="UNAVAIL"),
    ),
    (
        "vdev-incomplete",
        CRITICAL,
        "raidz1-0 lacks data of 2 devices and can make up for 1: what all of b and c lack cannot be read",
        broken(
            group("raidz1-0", disk("a"), disk("b", "FAULTED"), disk("c", is_resilvering=True)),
            scan=Scan("resilver", "scanning", percent=12.0),
        ),
    ),
    (
        "vdev-incomplete",
        CRITICAL,
        "raidz1-0 lacks data of 3 devices and can make up for 1: what more than 1 of b, c and d lack",
        broken(
            group(
                "raidz1-0",
                disk("a"),
                disk("b", "FAULTED"),
                disk("c", is_resilvering=True),
                disk("d", is_resilvering=True),
            ),
            scan=Scan("resilver", "scanning", percent=12.0),
        ),
    ),
    (
        "vdev-incomplete",
        CRITICAL,
        "replacing-0 lacks data and has no redundancy: what it lacks cannot be read",
        broken(
            group("replacing-0", disk("old", "UNAVAIL"), disk("new", is_resilvering=True)),
            scan=Scan("resilver", "scanning", percent=12.0),
        ),
    ),
    ("vdev-no-redundancy", CRITICAL, "no redundancy left in mirror-0", broken(mirror("ONLINE", "FAULTED"))),
    (
        "vdev-no-redundancy",
        WARNING,
        "mirror-0 survives at most 1 failure, perhaps none: ZFS does not show whether spare-0 has all data",
        broken(spare_group("FAULTED"), scan=Scan("resilver", "scanning", percent=0.0)),
    ),
    (
        "vdev-no-redundancy",
        CRITICAL,
        "no redundancy left in mirror-1",
        broken(mirror("ONLINE", "ONLINE"), in_class(mirror("ONLINE", "OFFLINE", name="mirror-1"), "special")),
    ),
    (
        "vdev-no-redundancy",
        WARNING,
        "no redundancy left in mirror-0 until it is resilvered",
        broken(group("mirror-0", disk("a"), disk("b", is_resilvering=True))),
    ),
    (
        "pool-degraded",
        WARNING,
        "DEGRADED for 3d4h: mirror-0-1 FAULTED; mirror-0 survives 1 more failure",
        host(pool(mirror("ONLINE", "FAULTED", "ONLINE")), degraded_since=NOW - 76 * 3600),
    ),
    (
        "pool-degraded",
        WARNING,
        "DEGRADED: slog taken OFFLINE by an administrator",
        broken(mirror("ONLINE", "ONLINE"), in_class(disk("slog", "OFFLINE"), "log")),
    ),
    (
        "pool-degraded",
        WARNING,
        "DEGRADED: sd0 UNAVAIL, sd1 UNAVAIL, sd2 UNAVAIL, sd3 UNAVAIL and 1 more",
        broken(group("raidz3-0", *(disk(f"sd{index}", "UNAVAIL") for index in range(5)))),
    ),
    (
        "vdev-without-redundancy",
        WARNING,
        "sdx (special) has no redundancy: losing it loses the whole pool",
        broken(mirror("ONLINE", "ONLINE"), in_class(disk("sdx"), "special")),
    ),
    (
        "vdev-without-redundancy",
        WARNING,
        "sdx has no redundancy: losing it loses the whole pool",
        broken(mirror("ONLINE", "ONLINE"), disk("sdx")),
    ),
    (
        "redundancy-uneven",
        INFO,
        "mirror-1 (special) survives 1 by design, the strongest of the pool 2",
        broken(
            group("raidz2-0", *(disk(f"sd{index}") for index in range(6))),
            in_class(mirror("ONLINE", "ONLINE", name="mirror-1"), "special"),
        ),
    ),
    (
        "device-faulted",
        WARNING,
        "sdb is FAULTED (external device fault)",
        broken(group("mirror-0", disk("sda"), disk("sdb", "FAULTED", note="external device fault"))),
    ),
    (
        "device-faulted",
        WARNING,
        "123 is UNAVAIL (was /dev/sdb1)",
        broken(group("mirror-0", disk("sda"), disk("123", "UNAVAIL", note="was /dev/sdb1"))),
    ),
    (
        "device-faulted",
        WARNING,
        "old is FAULTED; new is replacing it",
        broken(
            group("mirror-0", group("replacing-0", disk("old", "FAULTED"), disk("new")), disk("b")),
            scan=Scan("resilver", "scanning", percent=0.0),
        ),
    ),
    (
        "device-faulted",
        WARNING,
        "old is FAULTED; its replacement by new is not done, and the resilver ended with 3 errors",
        broken(
            group("mirror-0", group("replacing-0", disk("old", "FAULTED"), disk("new")), disk("b")),
            scan=Scan("resilver", "finished", end=int(NOW) - 60, errors=3),
        ),
    ),
    (
        "device-faulted",
        WARNING,
        "old is FAULTED; its replacement by new is not done, and the resilver was canceled",
        broken(
            group("mirror-0", group("replacing-0", disk("old", "FAULTED"), disk("new")), disk("b")),
            scan=Scan("resilver", "canceled", end=int(NOW) - 60),
        ),
    ),
    ("device-faulted", WARNING, "bad is REMOVED; spare hot stands in", broken(spare_group("REMOVED"))),
    (
        "device-degraded",
        WARNING,
        "sdb is DEGRADED (too many errors)",
        broken(group("mirror-0", disk("sda"), disk("sdb", "DEGRADED", note="too many errors"))),
    ),
    (
        "device-offline",
        INFO,
        "hot was taken OFFLINE by an administrator",
        broken(group("mirror-0", disk("a"), disk("hot", "OFFLINE"), disk("c"))),
    ),
    (
        "log-faulted",
        WARNING,
        "log device slog is UNAVAIL",
        broken(mirror("ONLINE", "ONLINE"), in_class(disk("slog", "UNAVAIL"), "log")),
    ),
    (
        "cache-faulted",
        WARNING,
        "cache device l2 is FAULTED",
        broken(mirror("ONLINE", "ONLINE"), in_class(disk("l2", "FAULTED"), "cache")),
    ),
    (
        "spare-faulted",
        WARNING,
        "spare device hot is UNAVAIL",
        broken(mirror("ONLINE", "ONLINE"), in_class(disk("hot", "UNAVAIL"), "spare")),
    ),
    (
        "disk-slow",
        WARNING,
        "sda has 5.4x the read latency of its peers (54 ms against 10 ms)",
        slow(verdict_on("sda")),
    ),
    (
        "disk-slow",
        WARNING,
        "sda and sdb differ: sda has 5.4x the read latency of sdb (54 ms against 10 ms)",
        slow(verdict_on("sda", peers=("sdb",))),
    ),
    (
        "disk-slow",
        WARNING,
        "sda has 12x the write latency of its peers (120 ms against 10 ms) and reads",
        slow(verdict_on("sda", kind=WRITE_COLLAPSE, compared=(Comparison("write", 12e7, 1e7, 9, 9, 9.0),))),
    ),
    (
        "disk-slightly-slower",
        INFO,
        "sda is slightly slower than its peers: 1.5x, in 50 of 50 s (reads 14 ms against 9.2 ms)",
        slightly(),
    ),
    (
        "disk-slightly-slower",
        INFO,
        "sda is slightly slower than sdb: 1.5x, in 50 of 50 s (reads 14 ms against 9.2 ms)",
        slightly(peers=("sdb",)),
    ),
    (
        "disk-stalling",
        WARNING,
        "sda stalls: 3 times it left I/O waiting, once for 4 s or more; its peers answered each time",
        slow(verdict_on("sda", kind=STALLING, stalls=Stalls(3, 4e9, answered=1, peers=1), compared=())),
    ),
    (
        "disk-stalling",
        WARNING,
        "sda did not answer: for 30 s or more; sdb answered",
        slow(verdict_on("sda", kind=STALLING, stalls=Stalls(1, 3e10, answered=1, peers=1), peers=("sdb",))),
    ),
    (
        "disks-not-answering",
        WARNING,
        (
            "all 6 disks hold I/O and complete none of it, at the same time: for 9 s or more, with 18 I/Os "
            "outstanding (no disk answered meanwhile): what they share, or the host, explains that better "
            "than 6 disks that fail at once"
        ),
        slow(findings=judge(MIRRORS, lambda at, _: Did(active=3) if at >= 50 else HEALTHY).findings),
    ),
    *(
        (
            finding_id,
            INFO,
            "as it was said",
            slow(findings=(Finding(finding_id, INFO, "tank", "as it was said", evidence),)),
        )
        for finding_id, evidence in (
            ("mixed-vdev", {"kinds": ("hdd", "ssd")}),
            ("vdev-slow", {}),
            ("half-slow", {}),
        )
    ),
    (
        "device-errors",
        WARNING,
        "sda has 3 read and about 3.3k checksum errors",
        broken(disk("sda", read_errors=Count(3), checksum_errors=Count(3285, is_rounded=True))),
    ),
    (
        "device-errors",
        WARNING,
        "sda has 1 read, 2 write and 3 checksum errors",
        broken(disk("sda", read_errors=Count(1), write_errors=Count(2), checksum_errors=Count(3))),
    ),
    ("device-errors", WARNING, "sda has 1 write error", broken(disk("sda", write_errors=Count(1)))),
    (
        "device-errors",
        WARNING,
        "l2 has 2 checksum errors",
        broken(mirror("ONLINE", "ONLINE"), in_class(disk("l2", checksum_errors=Count(2)), "cache")),
    ),
    (
        "device-errors",
        WARNING,
        "raidz1-0 has 2 checksum errors",
        broken(group("raidz1-0", disk("a"), disk("b"), disk("c"), checksum_errors=Count(2))),
    ),
    (
        "slow-ios",
        INFO,
        "b had 7 slow I/Os",
        broken(group("mirror-0", disk("a"), disk("b", slow_ios=Count(7)))),
    ),
    (
        "slow-ios",
        WARNING,
        "b had 238 slow I/Os (30 s or more each by default), counted since the import or the last clear",
        broken(group("mirror-0", disk("a"), disk("b", slow_ios=Count(238)))),
    ),
    (
        "pool-without-redundancy",
        INFO,
        f"none of its 2 devices has redundancy: losing one {NOTHING_REPAIRS}",
        broken(disk("sda"), disk("sdb")),
    ),
    (
        "pool-without-redundancy",
        INFO,
        f"its only device has no redundancy: losing it {NOTHING_REPAIRS}",
        broken(disk("sda")),
    ),
    ("spare-in-use", INFO, "spare hot stands in for bad", broken(spare_group("FAULTED"))),
    (
        "spare-in-use",
        INFO,
        "spare hot can be detached: bad has all its data again, without an error",
        broken(spare_group("ONLINE")),
    ),
    ("spare-in-use", INFO, "spare hot stands in for bad", broken(spare_group("DEGRADED"))),
    (
        "device-faulted",
        WARNING,
        "draid1-0-0 is FAULTED",
        broken(
            group(
                "draid1:2d:4c:1s-0",
                group("spare-0", disk("a", "OFFLINE"), disk("draid1-0-0", "FAULTED")),
                disk("b"),
                disk("c"),
                disk("d"),
                vdev_type="draid1",
            ),
            state="DEGRADED",
        ),
    ),
    (
        "spare-in-use",
        INFO,
        "spare hot stands in for bad",
        broken(spare_group("FAULTED", resilvering=True), scan=Scan("resilver", "scanning", percent=4.0)),
    ),
    (
        "spare-in-use",
        INFO,
        "spare hot stands in for bad",
        broken(spare_group("ONLINE"), scan=Scan("resilver", "scanning", percent=0.0)),
    ),
    (
        "spare-in-use",
        INFO,
        "spare hot stands in for bad",
        broken(spare_group("ONLINE"), scan=Scan("resilver", "finished", end=int(NOW) - 60, errors=12)),
    ),
    (
        "spare-in-use",
        INFO,
        "spare hot stands in for bad",
        broken(
            spare_group("ONLINE"),
            scan=Scan("resilver", "finished", end=int(NOW) - 60, errors=0),
            checkpoint_created=int(NOW) - DAY,
        ),
    ),
    (
        "spare-in-use",
        INFO,
        "spare hot stands in for bad",
        host(pool(spare_group("ONLINE")), judgement=Judgement("tank", 60, 3, (verdict_on("bad"),))),
    ),
    (
        "spare-in-use",
        INFO,
        "spare draid2-0-0 stands in for a",
        broken(
            group(
                "draid2:2d:6c:2s-0",
                group("spare-0", disk("a"), disk("draid2-0-0", type="dspare")),
                group("spare-1", disk("b", "FAULTED"), disk("draid2-0-1", type="dspare")),
                *map(disk, "cdef"),
                vdev_type="draid2",
            ),
            scan=Scan("resilver", "finished", end=int(NOW) - 600, errors=0),
        ),
    ),
    (
        "pool-suspended",
        CRITICAL,
        "SUSPENDED: multihost writes failed or were late; another host may have the pool",
        broken(
            mirror("ONLINE", "ONLINE"),
            state="SUSPENDED",
            status="The pool is suspended because multihost writes failed or were delayed;",
        ),
    ),
    (
        "device-offline",
        INFO,
        "old was taken OFFLINE by an administrator; new is replacing it",
        broken(
            group("mirror-0", disk("a"), group("replacing-1", disk("old", "OFFLINE"), disk("new"))),
            scan=Scan("resilver", "scanning", percent=4.0),
        ),
    ),
    (
        "log-faulted",
        WARNING,
        "log device hot is UNAVAIL",
        broken(
            mirror("ONLINE", "ONLINE"),
            in_class(
                group("mirror-1", in_class(disk("hot", "UNAVAIL"), "log"), in_class(disk("l"), "log")), "log"
            ),
        ),
    ),
    (
        "device-faulted",
        WARNING,
        "bad is FAULTED; spare hot stood in, and is FAULTED",
        broken(
            group("mirror-0", group("spare-0", disk("bad", "FAULTED"), disk("hot", "FAULTED")), disk("b"))
        ),
    ),
    (
        "vdev-no-redundancy",
        CRITICAL,
        "no redundancy left in raidz2-0, and perhaps not all data can be read",
        broken(
            group(
                "raidz2-0",
                disk("a", is_resilvering=True),
                disk("b", is_resilvering=True),
                disk("c", "FAULTED"),
                disk("d"),
            ),
            scan=RUNNING,
        ),
    ),
    (
        "ashift-below-physical",
        INFO,
        "sda is written in 512 B units, its sectors are 4096 B",
        broken(disk("sda", configured_ashift=9, physical_ashift=12)),
    ),
    (
        "data-errors",
        CRITICAL,
        "855 permanent data errors: a, b, c, ...",
        broken(error_count=855, error_files=("a", "b", "c", "d")),
    ),
    ("data-errors", CRITICAL, "1 permanent data error", broken(error_count=1)),
    ("data-errors", CRITICAL, "1 permanent data error: a", broken(error_count=None, error_files=("a",))),
    (
        "capacity-warning",
        WARNING,
        "80% of 100 B usable space used, 20 B left",
        broken(usable_used_bytes=80, usable_available_bytes=20),
    ),
    (
        "capacity-critical",
        CRITICAL,
        "90% of 100 B usable space used, 10 B left",
        broken(usable_used_bytes=90, usable_available_bytes=10),
    ),
    (
        "capacity-critical",
        CRITICAL,
        "95% of 100 B raw space used, 5 B left",
        broken(usable_used_bytes=None, size_bytes=100, allocated_bytes=95),
    ),
    (
        "pool-read-only",
        INFO,
        "imported read-only: ZFS repairs and resilvers nothing of it",
        broken(readonly="on"),
    ),
    (
        "checkpoint-exists",
        INFO,
        "a checkpoint holds 216 KiB; with it no device can be replaced, attached, detached or removed",
        broken(checkpoint_bytes=216 * 1024),
    ),
    (
        "checkpoint-exists",
        INFO,
        "a checkpoint made 5d ago holds 1.00 MiB",
        broken(checkpoint_bytes=MIB, checkpoint_created=int(NOW) - 5 * DAY),
    ),
    ("scan-running", INFO, "resilver 6%, about 2h40m left", host(pool(scan=RUNNING), scan_history=HISTORY)),
    (
        "scan-running",
        INFO,
        "resilver 41%, restarted",
        host(pool(scan=RUNNING), scan_restarts=1),
    ),
    (
        "scan-stalled",
        WARNING,
        "resilver 0%, stalled for 11m40s",
        host(pool(scan=RUNNING), scan_history=STILL),
    ),
    (
        "scan-restarting",
        WARNING,
        "resilver 6%, about 2h40m left, restarted 3 times",
        host(pool(scan=RUNNING), scan_history=HISTORY, scan_restarts=3),
    ),
    (
        "resilver-errors",
        WARNING,
        "the last resilver ended with 12 errors: what it filled may lack blocks",
        broken(scan=Scan("resilver", "finished", end=int(NOW) - 60, errors=12)),
    ),
    (
        "resilver-errors",
        WARNING,
        "the last resilver was canceled: what it filled may lack blocks",
        broken(scan=Scan("resilver", "canceled", end=int(NOW) - 60)),
    ),
    (
        "resilver-errors",
        WARNING,
        "the last resilver ended with 1 error: what it filled may lack blocks",
        broken(scan=Scan("resilver", "finished", end=int(NOW) - 60, errors=1)),
    ),
    (
        "data-errors",
        CRITICAL,
        "1 permanent data error: <metadata>:<0x3d>",
        broken(error_count=1, error_files=("<metadata>:<0x3d>",)),
    ),
    (
        "device-errors",
        WARNING,
        "hot has 4 read errors",
        broken(
            group("mirror-0", disk("hot", "FAULTED", read_errors=Count(4)), disk("b"), disk("c")),
            state="DEGRADED",
        ),
    ),
    (
        "scrub-errors",
        WARNING,
        "the last scrub ended with 4 errors, and no damaged file is known",
        broken(scan=Scan("scrub", "finished", end=int(NOW) - 60, errors=4, repaired_bytes=0)),
    ),
    (
        "scrub-repaired",
        INFO,
        "the last scrub repaired 1.50 MiB, and no device counts an error now",
        broken(scan=Scan("scrub", "finished", end=int(NOW) - 60, errors=0, repaired_bytes=3 << 19)),
    ),
    (
        "scan-running",
        INFO,
        "scrub 41%",
        broken(
            group("mirror-0", disk("hot", "FAULTED"), disk("b")),
            state="DEGRADED",
            scan=Scan("scrub", "scanning", start=int(NOW) - 700, percent=41.0),
        ),
    ),
    (
        "activity-running",
        INFO,
        "removal of mirror-0, 10%",
        broken(
            group("mirror-0", disk("a"), disk("b")),
            group("mirror-1", disk("hot", "FAULTED"), disk("c")),
            state="DEGRADED",
            activities=(PoolActivity("removal", "mirror-0", "active", 10.0),),
        ),
    ),
    (
        "activity-running",
        INFO,
        "expansion of raidz1-0, 5%, paused for a resilver or clear",
        broken(activities=(PoolActivity("raidz_expand", "raidz1-0", "suspended", 5.0),)),
    ),
    (
        "activity-running",
        INFO,
        "expansion of raidz1-0, 30%",
        broken(
            group("raidz1-0", disk("sda", "FAULTED"), disk("sdb"), disk("sdc")),
            activities=(PoolActivity("raidz_expand", "raidz1-0", "active", 30.0),),
        ),
    ),
    (
        "activity-running",
        INFO,
        "trim, suspended",
        broken(activities=(PoolActivity("trim", None, "suspended"),)),
    ),
    ("scrub-overdue", WARNING, "last scrub 36d ago", broken(scan=scrubbed(days_ago=36.5))),
    (
        "scrub-overdue",
        WARNING,
        "no full scrub for at least 40d",
        broken(scan=scrubbed(days_ago=40.5, function="resilver")),
    ),
    (
        "scrub-overdue",
        WARNING,
        "no full scrub for at least 40d",
        broken(scan=scrubbed(days_ago=40.5, state="canceled")),
    ),
    ("scrub-never", INFO, "never scrubbed", broken(scan=None)),
    ("scrub-never", WARNING, "never scrubbed", broken(scan=None, creation=int(NOW) - 36 * DAY)),
    (
        "scrub-paused",
        INFO,
        "scrub 12%, paused, started 2d ago",
        broken(scan=Scan("scrub", "paused", start=int(NOW) - 2 * DAY, percent=12.0)),
    ),
    (
        "scrub-paused",
        WARNING,
        "scrub 12%, paused, started 36d ago",
        broken(scan=Scan("scrub", "paused", start=int(NOW) - 36 * DAY, percent=12.0)),
    ),
    (
        "activity-running",
        INFO,
        "expansion of mirror-0, 12%",
        broken(activities=(PoolActivity("raidz_expand", "mirror-0", "active", 12.0),)),
    ),
    ("activity-running", INFO, "removal", broken(activities=(PoolActivity("removal", None, "active"),))),
    (
        "activity-running",
        INFO,
        "trim of 2 devices, 11-13%",
        broken(*(disk(f"sd{at}", activities=(VdevProgress("trim", "active", at),)) for at in (11.0, 13.0))),
    ),
    (
        "activity-running",
        INFO,
        "trim of sda, 11%, suspended",
        broken(disk("sda", activities=(VdevProgress("trim", "suspended", 11.0),))),
    ),
]

GIB = 1024 * MIB
FEATURES_OFF = (
    "Some supported and requested features are not enabled on the pool. The pool can still be used, but some "
    "features are unavailable."
)
HOSTID_DIFFERS = (
    "Mismatch between pool hostid and system hostid on imported pool. This pool was previously imported "
    "into a system with a different hostid, and then was verbatim imported into this system."
)


def sized(name: str, size_bytes: int, free_bytes: int, disks: int = 2) -> Vdev:
    return group(
        name,
        *(disk(f"{name}-{at}") for at in range(disks)),
        size_bytes=size_bytes,
        allocated_bytes=size_bytes - free_bytes,
        free_bytes=free_bytes,
    )


def raidz(name: str, disks: int, **values: object) -> Vdev:
    return group(name, *(disk(f"{name}-{at}", **values) for at in range(disks)))


SOUND = RootSettings("lz4", "on", "standard", "off", 1, "on", "on")


def set_to(*vdevs: Vdev, ratio: float | None = 1.0, **settings: object) -> HostState:
    return broken(*vdevs, dedup_ratio=ratio, settings=replace(SOUND, **settings))  # type: ignore[arg-type]


def on_media(**rotational: bool) -> HostState:
    """A pool of mirrors of two, with the kernel's flag of each disk."""
    disks = tuple(Disk(name, f"/dev/{name}", "disk", is_rotational=flag) for name, flag in rotational.items())
    links = tuple((f"/dev/disk/by-id/wwn-{name}", name) for name in rotational)
    tops = (
        group(f"mirror-{at}", *(disk(name, path=f"/dev/disk/by-id/wwn-{name}") for name in pair))
        for at, pair in enumerate(batched_names(tuple(rotational)))
    )
    return replace(broken(*tops), inventory=Reading(Inventory(disks, links)))


def batched_names(names: tuple[str, ...]) -> list[tuple[str, ...]]:
    return [names[at : at + 2] for at in range(0, len(names), 2)]


def on_ssds(trimmed_days_ago: int | None = None, kind: str = "complete", **values: object) -> HostState:
    """A mirror of two SSDs; `kind` is the state of their trim."""
    state = on_media(sda=False, sdb=False)
    of = state.pools[0].pool.value
    assert of is not None
    at = None if trimmed_days_ago is None else int(NOW) - trimmed_days_ago * DAY
    trims = () if at is None else (VdevProgress("trim", kind, 100.0, at),)
    tops = tuple(
        replace(top, children=tuple(replace(leaf, activities=trims) for leaf in top.children))
        for top in of.vdevs
    )
    values = {"autotrim": "off", "creation": int(NOW) - 400 * DAY, **values}
    grown = replace(of, vdevs=tops, **values)  # type: ignore[arg-type]
    return replace(host(grown), inventory=state.inventory)


def of_sizes(*terabytes: float, autoexpand: str = "off") -> HostState:
    disks = tuple(disk(f"sd{at}", physical_bytes=int(each * 10**12)) for at, each in enumerate(terabytes))
    return broken(group("raidz2-0", *disks), autoexpand=autoexpand)


SLOW_LOGIN = SshLogin(
    "nas1",
    (
        PhaseTime(LoginPhase.CONNECT, 0.1),
        PhaseTime(LoginPhase.KEY_EXCHANGE, 0.2),
        PhaseTime(LoginPhase.SESSION, 25.1),
    ),
)


def listed(*settings: DatasetSettings, of: Pool | None = None) -> HostState:
    """A pool with its file systems and volumes."""
    return host(of or pool(), settings=Reading(settings, 0.0))


def filesystem(name: str = "tank/a", **values: object) -> DatasetSettings:
    return DatasetSettings(name, "filesystem", **values)  # type: ignore[arg-type]


def volume(name: str = "tank/v", **values: object) -> DatasetSettings:
    return DatasetSettings(name, "volume", **values)  # type: ignore[arg-type]


def of_raidz2(disks: int = 8) -> Pool:
    return pool(raidz("raidz2-0", disks), ashift=12)


def snapshotted(days_ago: int | None, **values: object) -> HostState:
    """A pool with 2 GiB of data, and a snapshot so long ago."""
    at = None if days_ago is None else int(NOW) - days_ago * DAY
    old = int(NOW) - 400 * DAY
    given = {"creation": old, "tells_snapshots_changed": True, "own_bytes": 2 * GIB, **values}
    return listed(filesystem(snapshots_changed=at, **given))


def of_raidz1(disk_bytes: int, *, is_rotational: bool | None) -> HostState:
    """A pool of one raidz1 of four disks of a kind."""
    names = tuple(f"raidz1-0-{at}" for at in range(4))
    tops = group("raidz1-0", *(disk(name, path=f"/dev/{name}", physical_bytes=disk_bytes) for name in names))
    disks = tuple(Disk(name, f"/dev/{name}", "disk", is_rotational=is_rotational) for name in names)
    return replace(broken(tops), inventory=Reading(Inventory(disks, ())))


def with_special(free: int, *, small_blocks: int | None) -> HostState:
    """A pool with a special vdev of 8 GiB, and what of it is free."""
    of = pool(mirror("ONLINE", "ONLINE"), in_class(sized("mirror-1", 8 * GIB, free), "special"))
    if small_blocks is None:
        return host(of)
    return listed(filesystem(special_small_blocks_bytes=small_blocks), volume(), of=of)


def reserved(*, left: int, written: int = 8 * GIB, snapshots: bool = True) -> HostState:
    """A volume of 9 GiB with a reservation, what was written since a snapshot, and what is left."""
    unused = 9 * GIB - written
    thick = volume(
        own_bytes=8 * GIB,
        by_snapshots_bytes=0,
        used_bytes=8 * GIB + unused,
        refreservation_bytes=9 * GIB,
        volsize_bytes=9 * GIB,
        referenced_bytes=8 * GIB,
        available_bytes=left + unused,
    )
    other = filesystem("tank/home", by_snapshots_bytes=GIB if snapshots else 0)
    return listed(thick, other, volume("tank/sparse", own_bytes=80 * GIB), of=ROOM)


ROOM = pool(usable_used_bytes=10 * GIB, usable_available_bytes=90 * GIB)
ADVISED: list[tuple[str, str, HostState]] = [
    (
        "log-without-redundancy",
        "its log is on slog alone: a crash in which that device fails loses synchronous writes of the last",
        broken(mirror("ONLINE", "ONLINE"), in_class(disk("slog"), "log")),
    ),
    (
        "vdevs-uneven",
        "its vdevs are not equally large: writes are as fast as about 1.4 of its 2 vdevs: by their free",
        broken(sized("mirror-0", 8 * GIB, 5 * GIB), sized("mirror-1", 16 * GIB, 14 * GIB)),
    ),
    (
        "vdevs-uneven",
        "its vdevs are not equally full: writes are as fast as about 1.2 of its 2 vdevs: by their free",
        broken(sized("mirror-0", 8 * GIB, 2 * GIB), sized("mirror-1", 8 * GIB, 8 * GIB)),
    ),
    (
        "layout-mixed",
        "its vdevs are built differently: mirror-0 of 2 and raidz1-1 of 3 disks",
        broken(mirror("ONLINE", "ONLINE"), raidz("raidz1-1", 3)),
    ),
    (
        "layout-mixed",
        "its vdevs are built differently: raidz2-0 of 6 and raidz2-1 of 8 disks",
        broken(raidz("raidz2-0", 6), raidz("raidz2-1", 8)),
    ),
    (
        "ashift-mixed",
        (
            "its vdevs differ in ashift, and so no data, special or dedup vdev of it can be removed: "
            "mirror-0 9, mirror-1 12"
        ),
        broken(
            replace(mirror("ONLINE", "ONLINE"), configured_ashift=9),
            replace(mirror("ONLINE", "ONLINE", name="mirror-1"), configured_ashift=12),
        ),
    ),
    (
        "ashift-mixed",
        "its vdevs differ in ashift, and so mirror-1 cannot be removed: mirror-0 12, mirror-1 13",
        broken(
            replace(mirror("ONLINE", "ONLINE"), configured_ashift=12),
            in_class(replace(mirror("ONLINE", "ONLINE", name="mirror-1"), configured_ashift=13), "special"),
        ),
    ),
    (
        "raidz1-large-disks",
        "raidz1-0 survives one failure, and its disks have 7.28 TiB",
        of_raidz1(8 * 10**12, is_rotational=True),
    ),
    ("raidz-wide", "raidz2-0 has 13 disks, more than 12", broken(raidz("raidz2-0", 13))),
    (
        "special-full",
        "its special class is 75% full: small blocks go to the data vdevs now, and metadata when it is full",
        with_special(2 * GIB, small_blocks=32768),
    ),
    (
        "special-full",
        "its special class is 80% full: small blocks go to the data vdevs now",
        replace(
            with_special(GIB * 8 // 5, small_blocks=32768),
            settings=Reading(HostSettings((("zfs_special_class_metadata_reserve_pct", "20"),)), 0.0),
        ),
    ),
    (
        "special-full",
        "its special class is 90% full: metadata goes to the data vdevs when it is full",
        with_special(GIB * 8 // 10, small_blocks=0),
    ),
    (
        "media-mixed",
        "data is on hard disks (mirror-0) and on SSDs (mirror-1)",
        on_media(sda=True, sdb=True, sdc=False, sdd=False),
    ),
    ("spare-missing", "no hot spare for 24 disks", broken(*(raidz(f"raidz2-{at}", 8) for at in range(3)))),
    (
        "names-of-kernel",
        "devices of it are known by names that may change at the next boot: /dev/sda1, /dev/nvme0n1p1",
        broken(group("mirror-0", disk("sda", path="/dev/sda1"), disk("nvme0n1", path="/dev/nvme0n1p1"))),
    ),
    ("features-off", "features of the ZFS of this host are not enabled on it", broken(status=FEATURES_OFF)),
    (
        "hostid-differs",
        "it was imported with another hostid than its host has now",
        broken(status=HOSTID_DIFFERS),
    ),
    (
        "autotrim-off",
        "autotrim=off, and of its SSDs 2 are not trimmed otherwise: sda, sdb; never trimmed",
        on_ssds(),
    ),
    (
        "autotrim-off",
        "autotrim=off, and of its SSDs 2 are not trimmed otherwise: sda, sdb; the last trim was 36d ago",
        on_ssds(36),
    ),
    (
        "autoexpand-off",
        "autoexpand=off, and 2 of 4 disks of raidz2-0 are larger than 3.64 TiB: when the last one is",
        of_sizes(4, 8, 4, 8),
    ),
    (
        "failmode",
        "failmode=continue: new writes fail with EIO when its devices are lost",
        broken(failmode="continue"),
    ),
    ("failmode", "failmode=panic: the host crashes when its devices are lost", broken(failmode="panic")),
    (
        "sync-disabled",
        f"sync=disabled {INHERITED}: a crash loses writes that programs believe stored",
        set_to(sync="disabled"),
    ),
    ("compression-off", f"compression=off {INHERITED}", set_to(compression="off")),
    ("compression-slow", f"compression=gzip-9 {INHERITED}", set_to(compression="gzip-9")),
    ("copies-many", f"copies=2 {INHERITED}: its vdevs have redundancy as well", set_to(copies=2)),
    (
        "copies-many",
        f"copies=3 {INHERITED}: losing one of its devices loses the pool all the same",
        set_to(disk("sda"), disk("sdb"), copies=3),
    ),
    (
        "atime-on",
        f"atime=on without relatime {INHERITED}: each read of a file writes",
        set_to(relatime="off"),
    ),
    (
        "sync-disabled",
        "sync=disabled on tank/a: a crash loses writes that programs believe stored",
        listed(
            filesystem("tank", sync="standard"),
            filesystem(sync="disabled"),
            volume("tank/a/v", sync="disabled"),
        ),
    ),
    (
        "acl-in-directories",
        "acltype=posix with xattr=dir on tank/a: each ACL takes objects of its own",
        listed(filesystem(acltype="posix", has_directory_xattrs=True)),
    ),
    (
        "cache-off",
        "primarycache=metadata on tank/a: each read goes to the disks",
        listed(filesystem(primarycache="metadata", recordsize_bytes=131072)),
    ),
    (
        "cache-off",
        "primarycache=none on tank/v: each read goes to the disks",
        listed(volume(primarycache="none")),
    ),
    (
        "volblocksize-small",
        "volblocksize=8.00 KiB of tank/v on raidz2-0: 1 GiB of data takes 3.00 GiB of its disks, 113% more",
        listed(volume(volblocksize_bytes=8192), of=of_raidz2()),
    ),
    (
        "volumes-overcommitted",
        "2 sparse volumes may still take 110 GiB, and the pool has 90.0 GiB: tank/v, tank/w",
        listed(
            volume(volsize_bytes=100 * GIB, referenced_bytes=10 * GIB),
            volume("tank/w", volsize_bytes=30 * GIB, referenced_bytes=0, refreservation_bytes=10 * GIB),
            of=ROOM,
        ),
    ),
    (
        "volume-no-snapshot",
        "no snapshot of tank/v can be taken: with its reservation it needs 8.00 GiB, and there are 7.00 GiB",
        reserved(left=7 * GIB),
    ),
    (
        "quota-near",
        "tank/b has used 19.0 GiB, 95% of refquota=20.0 GiB",
        listed(
            filesystem(used_bytes=9 * GIB, quota_bytes=10 * GIB),
            filesystem("tank/b", referenced_bytes=19 * GIB, refquota_bytes=20 * GIB),
        ),
    ),
    (
        "quota-near",
        "tank/a has used 9.00 GiB, 90% of quota=10.0 GiB; at it the writes of mail01 fail",
        replace(
            listed(filesystem(used_bytes=9 * GIB, quota_bytes=10 * GIB)),
            guests=Reading((guest_on("mail01", on_volume("tank/a/v")),), 0.0),
        ),
    ),
    (
        "quota-beyond-pool",
        "quota=101 GiB of tank/a is larger than the pool, which has 100 GiB",
        listed(filesystem(quota_bytes=101 * GIB), of=ROOM),
    ),
    ("snapshots-missing", "no snapshot is known of tank/a", snapshotted(None)),
    ("snapshots-missing", "none was taken for 36d of tank/a", snapshotted(36)),
    (
        "space-not-expanded",
        "its devices have 2.00 GiB more than it uses",
        broken(replace(mirror("ONLINE", "ONLINE"), expandable_bytes=2 * GIB), expandable_bytes=2 * GIB),
    ),
]
SPEAKING.append(
    ("checksum-off", WARNING, f"checksum=off {INHERITED}: damaged data is neither", set_to(checksum="off"))
)
ADVISED.append(
    (
        "ssh-login-slow",
        "the login by SSH took 25.4 s, 25.1 s of it the opening of the session; 3 s is slow for one phase",
        replace(host(), login=SLOW_LOGIN),
    )
)
ADVISED += host_cases.SPEAKING
ADVISED += dataset_cases.SPEAKING
SPEAKING += care_cases.SPEAKING + replication_cases.SPEAKING + guest_disk_cases.SPEAKING
SPEAKING += guest_snapshot_cases.SPEAKING
SPEAKING += [(finding_id, INFO, summary, state) for finding_id, summary, state in ADVISED]

SILENT: list[tuple[str, HostState]] = [
    (
        "vdevs of nearly one size and fullness",
        broken(sized("mirror-0", 8 * GIB, 3 * GIB), sized("mirror-1", 11 * GIB, 6 * GIB)),
    ),
    (
        "a new vdev beside one that is hardly used",
        broken(sized("mirror-0", 8 * GIB, 5 * GIB), sized("mirror-1", 8 * GIB, 8 * GIB)),
    ),
    ("a vdev whose size is unknown", broken(sized("mirror-0", 8 * GIB, GIB), mirror("ONLINE", "ONLINE"))),
    ("sound settings", set_to()),
    (
        "gzip-6, sync=always, no times of access",
        set_to(compression="gzip-6", sync="always", atime="off", relatime="off"),
    ),
    ("copies that are unknown", set_to(copies=None)),
    ("raidz of one width", broken(raidz("raidz2-0", 6), raidz("raidz2-1", 6))),
    (
        "ashifts that agree, and one that is unknown",
        broken(
            *(
                replace(mirror("ONLINE", "ONLINE", name=f"mirror-{at}"), configured_ashift=ashift)
                for at, ashift in enumerate((12, 12, None))
            )
        ),
    ),
    ("a raidz1 of small disks", broken(raidz("raidz1-0", 4, physical_bytes=6 * 10**12))),
    ("a raidz2 of large disks", broken(raidz("raidz2-0", 6, physical_bytes=20 * 10**12))),
    ("a raidz of 12", broken(raidz("raidz2-0", 12))),
    ("a special vdev with space for small blocks", with_special(3 * GIB, small_blocks=32768)),
    ("a special vdev of metadata alone that is 87% full", with_special(GIB, small_blocks=0)),
    ("a special vdev, and settings that were not read", with_special(GIB, small_blocks=None)),
    (
        "another ashift of special in a pool with raidz, of which nothing can be removed",
        broken(
            replace(raidz("raidz1-0", 3), configured_ashift=12),
            in_class(replace(mirror("ONLINE", "ONLINE", name="mirror-1"), configured_ashift=13), "special"),
        ),
    ),
    ("a raidz1 of large SSDs", of_raidz1(8 * 10**12, is_rotational=False)),
    ("a raidz1 of large disks whose kind is not known", of_raidz1(8 * 10**12, is_rotational=None)),
    (
        "data of a copy that is read-only",
        listed(
            filesystem("tank", sync="standard"),
            filesystem(
                sync="disabled",
                atime="on",
                relatime="off",
                is_read_only=True,
                primarycache="metadata",
                recordsize_bytes=MIB,
                acltype="posix",
                has_directory_xattrs=True,
                quota_bytes=100,
                used_bytes=99,
            ),
        ),
    ),
    (
        "blocks that are no larger than a sector, and not compressed",
        listed(
            volume(compression="off", volblocksize_bytes=4096),
            of=pool(replace(mirror("ONLINE", "ONLINE"), configured_ashift=12), ashift=12),
        ),
    ),
    ("SSDs with autotrim", on_ssds(autotrim="on")),
    ("SSDs trimmed a month ago", on_ssds(34)),
    ("SSDs that take no trim", on_ssds(400, "unsupported")),
    ("a young pool of SSDs", on_ssds(creation=int(NOW) - 34 * DAY)),
    ("disks of several makers", of_sizes(4, 4.0007, 4.1, 4.3)),
    ("larger disks with autoexpand", of_sizes(4, 8, 4, 8, autoexpand="on")),
    ("failmode=wait", broken(failmode="wait")),
    (
        "settings of datasets that are as they should be",
        listed(
            filesystem(sync="always", compression="zstd", acltype="posix", has_directory_xattrs=False),
            filesystem("tank/b", acltype="off", has_directory_xattrs=True, primarycache="all", copies=1),
            filesystem("tank/db", primarycache="metadata", recordsize_bytes=16384),
            volume("tank/swap", primarycache="metadata", dedup="off", checksum="on"),
        ),
    ),
    ("large blocks of a volume", listed(volume(volblocksize_bytes=65536), of=of_raidz2())),
    ("small blocks of a volume on mirrors", listed(volume(volblocksize_bytes=4096))),
    ("small blocks of a raidz2 of six", listed(volume(volblocksize_bytes=16384), of=of_raidz2(6))),
    (
        "volumes that the pool can keep",
        listed(
            volume(volsize_bytes=100 * GIB, referenced_bytes=10 * GIB),
            volume("tank/w", volsize_bytes=30 * GIB, referenced_bytes=0, refreservation_bytes=31 * GIB),
            volume("tank/copy", volsize_bytes=500 * GIB, referenced_bytes=GIB, is_read_only=True),
            of=ROOM,
        ),
    ),
    ("a volume whose snapshot just fits", reserved(left=8 * GIB)),
    ("a volume of which little was written since its last snapshot", reserved(left=GIB, written=GIB)),
    ("a volume in a pool where nobody takes snapshots", reserved(left=GIB, snapshots=False)),
    (
        "quotas with room",
        listed(filesystem(used_bytes=89, quota_bytes=100, refquota_bytes=100, referenced_bytes=89)),
    ),
    ("a quota of the whole pool", listed(filesystem(quota_bytes=100 * GIB), of=ROOM)),
    ("a snapshot of a month ago", snapshotted(34)),
    ("little data without snapshots", snapshotted(None, own_bytes=GIB - 1)),
    ("new data without snapshots", snapshotted(None, creation=int(NOW) - 34 * DAY)),
    ("snapshots of a time before ZFS remembered them", snapshotted(None, by_snapshots_bytes=1)),
    ("a ZFS that does not tell of snapshots", snapshotted(None, tells_snapshots_changed=False)),
    ("hard disks only", on_media(sda=True, sdb=True, sdc=True, sdd=True)),
    (
        "a shelf with a spare",
        broken(*(raidz(f"raidz2-{at}", 8) for at in range(3)), in_class(disk("hot", "AVAIL"), "spare")),
    ),
    ("22 disks without a spare", broken(raidz("raidz2-0", 11), raidz("raidz2-1", 11))),
    (
        "names that last",
        broken(group("mirror-0", disk("a", path="/dev/disk/by-id/wwn-0x5"), disk("b", path="/dev/mapper/b"))),
    ),
    ("a remark of ZFS on something else", broken(status="This pool has a compatibility list specified.")),
    ("all is well", host()),
    ("a guest that its user has paused", with_guest(replace(PAUSED, reason=PAUSED_BY_USER))),
    ("a guest that runs", with_guest(GuestStatus("db02", GuestState.RUNNING, 1))),
    ("a raidz2", broken(group("raidz2-0", *(disk(f"sd{index}") for index in range(6))))),
    (
        "a mirrored log, a cache and a spare beside mirrors",
        broken(
            mirror("ONLINE", "ONLINE"),
            in_class(mirror("ONLINE", "ONLINE", name="mirror-1"), "log"),
            in_class(disk("l2"), "cache"),
            in_class(disk("hot", "AVAIL"), "spare"),
        ),
    ),
    (
        "a spare in use by another pool",
        broken(mirror("ONLINE", "ONLINE"), in_class(disk("h", "INUSE"), "spare")),
    ),
    (
        "what a removal left",
        broken(mirror("ONLINE", "ONLINE"), Vdev("indirect-1", "indirect", "data", "ONLINE")),
    ),
    ("just below the first limit", broken(usable_used_bytes=799, usable_available_bytes=201)),
    ("unknown space", broken(usable_used_bytes=None)),
    ("unknown counters", broken(group("mirror-0", disk("sda", read_errors=None, slow_ios=None), disk("b")))),
    ("unknown errors", broken(error_count=None)),
    ("a scrub of 34 days ago", broken(scan=scrubbed(days_ago=34))),
    ("a recent resilver hides the last scrub", broken(scan=scrubbed(days_ago=1, function="resilver"))),
    ("a young pool without a scrub", broken(scan=None, creation=int(NOW) - 3 * DAY)),
    (
        "a trim that ended",
        broken(
            group("mirror-0", disk("sda", activities=(VdevProgress("trim", "complete", 100.0),)), disk("b"))
        ),
    ),
    ("a removal that ended", broken(activities=(PoolActivity("removal", "indirect-0", "finished", 100.0),))),
    ("an expansion that ended", broken(activities=(PoolActivity("raidz_expand", "raidz2-0", "finished"),))),
    (
        "sectors as they should be",
        broken(group("mirror-0", disk("sda", configured_ashift=12, physical_ashift=9), disk("b"))),
    ),
    ("no pools", replace(host(), pools=())),
    ("no checkpoint", broken(checkpoint_bytes=0)),
    ("a disk that was slow", slow(replace(verdict_on("sda"), is_ongoing=False))),
    ("a disk that was a little slower for a minute", slightly(first_at=NOW - 60)),
    ("disks with too little I/O to tell", host(judgement=Judgement("tank", 9, 2, undecided=(UNDECIDED,)))),
    ("unknown version", replace(host(), version=Reading())),
]


@pytest.mark.parametrize(
    ("finding_id", "severity", "summary", "state"),
    SPEAKING,
    ids=[f"{finding_id}: {summary}" for finding_id, _, summary, _ in SPEAKING],
)
def test_a_finding_speaks(finding_id: str, severity: Severity, summary: str, state: HostState) -> None:
    found = [finding for finding in judged(state) if finding.id == finding_id]

    assert found, judged(state)
    assert severity == found[0].severity
    assert found[0].summary.startswith(summary)


SILENT += (
    guest_disk_cases.SILENT
    + host_cases.SILENT
    + care_cases.SILENT
    + guest_snapshot_cases.SILENT
    + replication_cases.SILENT
    + dataset_cases.SILENT
)


@pytest.mark.parametrize("state", [state for _, state in SILENT], ids=[name for name, _ in SILENT])
def test_where_all_is_well_nothing_is_said(state: HostState) -> None:
    assert () == judged(state)


def test_a_paused_guest_is_a_finding_on_the_pool_that_takes_its_writes() -> None:
    (found,) = judged(with_guest(PAUSED, "no space"))
    (elsewhere,) = judged(with_guest(PAUSED, "no space", place=""))

    assert ("tank db02", "tank", ("tank/vms",)) == (
        found.subject,
        found.evidence["pool"],
        found.evidence["places"],
    )
    assert ("db02", None) == (elsewhere.subject, elsewhere.evidence["pool"])
    assert "I/O error: no space for vda; it" in elsewhere.summary


def test_a_suspended_pool_is_said_once() -> None:
    graph = host(kstat_state="SUSPENDED", pool=Reading(pool(), 0.0, problem="no answer"))

    assert ["pool-suspended"] == [finding.id for finding in judged(graph)]


def test_an_offline_log_is_no_fault_and_named_as_a_persons_doing() -> None:
    found = judged(broken(mirror("ONLINE", "ONLINE"), in_class(disk("slog", "OFFLINE"), "log")))

    assert {"pool-degraded", "device-offline"} == {finding.id for finding in found}


def test_errors_are_said_of_the_device_and_not_again_of_its_group() -> None:
    guilty = disk("a", checksum_errors=Count(2))
    found = judged(broken(group("raidz1-0", guilty, disk("b"), disk("c"), checksum_errors=Count(2))))

    assert ["a has 2 checksum errors"] == [finding.summary for finding in found]


def test_the_worst_comes_first() -> None:
    bad = disk("sdb", "FAULTED", checksum_errors=Count(9), slow_ios=Count(1))
    found = judged(broken(group("mirror-0", disk("sda"), bad), scan=None, usable_used_bytes=450))

    assert ["vdev-no-redundancy", "capacity-critical"] == [finding.id for finding in found[:2]]
    severities = [finding.severity for finding in found]
    assert sorted(severities, reverse=True) == severities
    assert CRITICAL == worst(found)


def test_nothing_found_is_no_severity() -> None:
    assert worst(()) is None


def test_findings_can_be_told_by_pool_and_carry_guids_as_text() -> None:
    two = replace(
        host(pool(mirror("ONLINE", "FAULTED"))),
        pools=(
            *host(pool(mirror("ONLINE", "FAULTED"))).pools,
            *host(
                pool(group("mirror-0", disk("x", slow_ios=Count(1), guid=2**64 - 1), disk("y")), name="other")
            ).pools,
        ),
    )

    other = of_pool(judged(two), "other")

    assert ["slow-ios"] == [finding.id for finding in other]
    assert str(2**64 - 1) == other[0].evidence["vdev_guid"]
    assert "other x" == other[0].subject


def test_a_slow_disk_is_named_with_the_numbers_that_this_rests_on() -> None:
    (found,) = judged(slow(verdict_on("sda")))

    assert ("tank sda", "7", "sda", "tank") == (
        found.subject,
        found.evidence["vdev_guid"],
        found.evidence["vdev"],
        found.evidence["pool"],
    )
    assert (5.4, 0.8, NOW - 60) == tuple(found.evidence[name] for name in ("ratio", "confidence", "since"))
    assert (54_000_000, 10_000_000) == (found.evidence["mean_ns"], found.evidence["peers_mean_ns"])
    assert (("read",), ("sdb", "sdc")) == (found.evidence["operations"], found.evidence["peers"])


def test_a_slow_disk_that_has_just_left_the_tree_is_still_named() -> None:
    (found,) = judged(host(pool(), judgement=Judgement("tank", 9, 1, (verdict_on("sda"),))))

    assert ("tank sda", None) == (found.subject, found.evidence["vdev_guid"])


def test_what_is_said_of_a_vdev_is_of_that_vdev() -> None:
    said = Finding("vdev-slow", INFO, "x", "all of it", {"pool": "x", "vdev": "raidz1-0", "mean_ns": 5.0})

    (found,) = judged(slow(findings=(said,)))

    assert ("tank raidz1-0", "tank", 5.0) == (
        found.subject,
        found.evidence["pool"],
        found.evidence["mean_ns"],
    )


def test_thresholds_are_obeyed() -> None:
    strict = Thresholds(used_warning_percent=10, used_critical_percent=20, scrub_overdue_days=1)

    found = findings(host(pool(scan=scrubbed(days_ago=2))), NOW, strict)

    assert ["capacity-critical", "scrub-overdue"] == [finding.id for finding in found]


def test_every_rule_is_reached_by_a_speaking_case() -> None:
    """A rule that no case makes speak is a rule that nobody tested."""
    silent: list[Callable[..., object]] = list(RULES)
    for _, _, _, state in SPEAKING:
        for reading in state.pools:
            if reading.pool.value is None:
                continue
            facts = _facts(state, reading.pool.value)
            silent = [rule for rule in silent if not list(rule(facts))]  # type: ignore[call-overload]

    names = [getattr(rule, "__name__", "") for rule in silent]
    assert [] == names, f"add a case to SPEAKING for {names}"


def test_advice_is_told_apart_comes_last_and_is_never_a_warning() -> None:
    tops = sized("mirror-0", 8 * GIB, 5 * GIB), sized("mirror-1", 16 * GIB, 14 * GIB)
    running = PoolActivity("removal", None, "active")

    found = judged(broken(*tops, status=FEATURES_OFF, activities=(running,)))

    assert [("activity-running", False), ("vdevs-uneven", True), ("features-off", True)] == [
        (each.id, each.is_advice) for each in found
    ]


def test_what_advice_says_of_its_evidence_is_what_it_has() -> None:
    spoken = [each for _, _, _, state in SPEAKING for each in judged(state)]
    assert set(ADVICE) == {each.id for each in spoken if each.advised is not None}
    for found in (each for each in spoken if each.advised is not None):
        told = ADVICE[found.id]
        assert bool(told.risk) is not found.is_advice
        assert found.severity in (told.risk or (INFO,))
        assert {*told.evidence} == {*found.evidence} - {"pool", "vdev", "vdev_guid"}
        assert found.advised.found
        assert found.advised.limit


def test_an_action_that_advice_proposes_is_in_the_catalogue_and_on_the_pool_of_the_advice() -> None:
    proposed = [
        (found, found.advised.action)
        for _, _, _, state in SPEAKING
        for found in judged(state)
        if found.advised is not None and found.advised.action is not None
    ]

    assert {"set", "scrub", "attach", "add", "upgrade", "online", "trim"} <= {at.action for _, at in proposed}
    for found, action in proposed:
        known = spec(action.action)
        assert found.evidence["pool"] == pool_of(action.target)
        assert {name for name, _ in action.options} <= {option.name for option in known.options}


def test_no_two_findings_have_an_id_and_an_object_in_common() -> None:
    """A silence is given for these two: it must never be one for something else."""
    for *_, state in SPEAKING:
        keys = [(each.id, each.subject) for each in judged(state)]

        assert sorted(set(keys)) == sorted(keys)


def test_every_finding_is_in_the_manual() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "findings.md").read_text()

    spoken = {finding_id for finding_id, *_ in SPEAKING} | UNREAD_IDS | CLONE_IDS | COVERAGE_IDS | DISK_IDS
    spoken |= {SHARED_ID, *STALE_IDS}
    assert set() == {finding_id for finding_id in spoken if f"\n### {finding_id}\n" not in manual}
    documented = {line.removeprefix("### ") for line in manual.splitlines() if line.startswith("### ")}
    assert documented == spoken, "docs/findings.md and SPEAKING name different findings"


def _facts(state: HostState, of: Pool) -> object:
    return input_of(state.pools[0], of, state, NOW, Thresholds())
