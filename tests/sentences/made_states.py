"""States made for sentences that no capture, exercise or case of a rule makes true."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.analysis.build import DAY, NOW, disk, group, host, in_class, mirror, pool
from tests.analysis.dependencies.machines import machines
from tests.analysis.findings.care.care_cases import dedup_below, of_release
from tests.analysis.findings.datasets import cases as dataset_cases
from tests.analysis.findings.test_all_findings import SLOW_LOGIN, slow, verdict_on, with_guest
from tests.analysis.findings.test_smart_rules import host as host_with_smart
from tests.analysis.replication.lineages import lineage
from tests.analysis.replication.test_stale_replicas_and_stopped_snapshots import HOUR, HOURLY, beside, judged
from tests.doubles.guests_on_storage import guest_on, on_files
from tests.doubles.shelves import blank
from zconsole.analysis.findings.care.known_bad_releases import KNOWN_ERRORS
from zconsole.analysis.findings.datasets.clone_rules import clone_findings
from zconsole.analysis.findings.silenced_findings import why_not_silenced
from zconsole.analysis.replication.coverage_findings import coverage
from zconsole.analysis.replication.replicas_and_send_bases import replicas
from zconsole.model.datasets.replication import ReplicatedHost
from zconsole.model.finding import Finding, Severity
from zconsole.model.guests.guest import (
    LIBVIRT_SILENT,
    PAUSED_BY_IO_ERROR,
    GuestDisk,
    GuestState,
    GuestStatus,
    SourceKind,
    StoredDisk,
)
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.host.ssh_login import LoginPhase, PhaseTime, SshLogin
from zconsole.model.pools.pool import ImportablePool, Scan, Vdev
from zconsole.model.pools.slow_disk import LONG_TAIL, READ, Quantile
from zconsole.model.pools.smart_health import DiskHealth
from zconsole.reports.text.status import status_lines

GIB = 1 << 30
READ_BYTES_PER_S = 10 * 1024 * 1024


def states() -> Iterator[HostState]:
    """States of a host, each for one sentence or some."""
    yield from _releases()
    yield from _disks()
    yield from _scans()
    yield from _devices()
    yield from _slow()
    yield from _others()


def texts() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Sentences on what is in no state of a host: what they rest on, and the sentences."""
    lists = "`zfs list` of file systems, volumes and snapshots (used, referenced, written, origin, creation)"
    yield lists, tuple(each.summary for each in clone_findings(machines(), NOW))
    copies = "`zfs list -t snapshot` (guid, createtxg, creation) of all named hosts"
    ages = [age for age in HOURLY if age > 4 * DAY]
    yield copies, tuple(each.summary for each in (*judged(HOURLY, ages), *judged(ages)))
    renewed = (*beside(4 * DAY, [HOUR] * 3), *beside(4 * DAY, [0] * 3))
    yield copies, tuple(each.summary for each in renewed)
    yield copies, tuple(each.summary for each in _uncovered())
    silent = (Finding(each, Severity.CRITICAL, "x", "x") for each in ("data-errors",))
    unread = (Finding(each, Severity.WARNING, "x", "x") for each in ("pool-unread",))
    yield "the finding that is to be silenced", tuple(map(why_not_silenced, (*silent, *unread)))
    found = ImportablePool("old", 7, "ONLINE", last_host="nas9")
    for importable in ((found,), ()):
        yield "`zpool import`", tuple(status_lines(replace(host(), pools=()), (), NOW, importable))


def _uncovered() -> Iterator[Finding]:
    """Datasets without snapshots and copies, a copy that diverged, a receive that was cut."""
    bare, cut = lineage("tank/a", ""), lineage("tank/cut", "", token="1-2-3-4")
    source, diverged = lineage("tank/home", "abcd"), lineage("backup/home", "abx", created=350)
    near = ReplicatedHost("nas", (bare, cut, source))
    for others in (("backup",), ("backup", "far")):
        pools = tuple(lineage(name, "", size=0) for name in others)
        hosts = [near, ReplicatedHost("vault", (*pools, diverged))]
        yield from coverage(hosts, replicas(hosts))


def _releases() -> Iterator[HostState]:
    for error in KNOWN_ERRORS:
        yield dedup_below(".".join(map(str, error.first)))
        yield of_release(".".join(map(str, error.first)))


def _disks() -> Iterator[HostState]:
    for bit in range(6):
        yield host_with_smart(DiskHealth(protocol="NVMe", critical_warning=1 << bit))
    old = DiskHealth(pending=24)
    yield host_with_smart(old, before=old)
    yield host_with_smart(DiskHealth(is_passing=False), disk=blank(2))
    unread = host_with_smart(DiskHealth(is_passing=True))
    yield replace(unread, smart=replace(unread.smart, problem="2 disks have no SMART data of the last 7 d"))


def _scans() -> Iterator[HostState]:
    running = Scan("resilver", "scanning", start=int(NOW) - 700, percent=41.0, to_issue_bytes=2 << 40)
    begun = ((NOW - 20, 0), (NOW - 15, READ_BYTES_PER_S))
    uneven = tuple((NOW - 1200 + at, at * at * 1024 * 40) for at in range(0, 1201, 5))
    for history in (begun, uneven):
        yield host(pool(scan=running), scan_history=history)
    yield host(pool(scan=None, creation=int(NOW) - 3 * DAY))


def _devices() -> Iterator[HostState]:
    for kind in ("spare", "replacing"):
        newcomer = disk("new", "FAULTED")
        yield host(pool(group("mirror-0", group(f"{kind}-0", disk("old", "FAULTED"), newcomer), disk("b"))))
    yield host(pool(disk("sda", "FAULTED"), state="UNAVAIL"))
    yield replace(host(), pools=())
    nowhere = with_guest(GuestStatus("db02", GuestState.PAUSED, PAUSED_BY_IO_ERROR))
    guests = tuple(replace(each, disks=()) for each in nowhere.guests.value or ())
    yield replace(nowhere, guests=Reading(guests, 0.0))
    above = on_files("top", "base")
    base = GuestDisk("vda", above.images[1].image.path, SourceKind.FILE, format="qcow2")
    golden = guest_on("golden", StoredDisk(base, above.images[1:]), state=GuestState.SHUT_OFF)
    yield replace(host(), guests=Reading((golden, guest_on("web", above)), 0.0))


def _slow() -> Iterator[HostState]:
    tail = Quantile(READ, 0.99, 4e8, 1e7, 900, is_far=True)
    yield slow(verdict_on("sda", kind=LONG_TAIL, compared=(), quantiles=(tail,)))
    yield slow(verdict_on("sda", compared=()))


def _others() -> Iterator[HostState]:
    fast = in_class(mirror("ONLINE", "ONLINE", name="mirror-9"), "dedup")
    table = dataset_cases.deduplicated(3.0, dataset_cases.TABLE)
    tops: tuple[Vdev, ...] = (mirror("ONLINE", "ONLINE"), fast)
    (state,) = table.pools
    assert state.pool.value is not None
    yield replace(table, pools=(replace(state, pool=Reading(replace(state.pool.value, vdevs=tops), 0.0)),))
    off = replace(dataset_cases.SETTINGS, sync="disabled")
    below = (
        dataset_cases.filesystem("tank/a", sync="standard"),
        dataset_cases.filesystem("tank/a/b", sync="disabled"),
    )
    yield dataset_cases.listed(*below, of=pool(settings=off))
    yield dataset_cases.listed(
        *(dataset_cases.filesystem(f"tank/{each}", sync="disabled") for each in ("a", "b", "c", "d"))
    )
    part = replace(dataset_cases.sample(dataset_cases.PG, 95), is_whole=False)
    yield dataset_cases.holding(dataset_cases.filesystem(recordsize_bytes=1 << 20), sample=part)
    sizes = {"size_bytes": 100 * GIB, "fragmentation_percent": 80}
    left = (("mirror-0", 3), ("mirror-1", 40))
    full = (
        replace(mirror("ONLINE", "ONLINE", name=name), free_bytes=free * GIB, **sizes) for name, free in left
    )
    yield host(pool(*full))
    jump = SshLogin("jump1", SLOW_LOGIN.phases)
    given_up = replace(
        SLOW_LOGIN, phases=(PhaseTime(LoginPhase.SESSION, 25.0, has_ended=False),), jumps=(jump,)
    )
    yield replace(host(), login=given_up)
    yield replace(host(), guests=Reading(problem=f"{LIBVIRT_SILENT} on nas1 within 20 s"))
