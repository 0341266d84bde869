"""States in which the rules on the care of a host and its pools speak, and some in which they do not."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import DAY, NOW, host, mirror, pool, scrubbed
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.finding import Severity
from zconsole.model.forecast import Forecast, HistorySource, LevelReached, SpaceHistory, Trend
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.pool import Pool, RootSettings, Scan

MIB = 1 << 20
INFO, WARNING, CRITICAL = Severity.INFO, Severity.WARNING, Severity.CRITICAL
GIB = 1 << 30
ON_ROOT = RootSettings("lz4", "on", "standard", "on", 1, "off", "on")


def of_release(release: str, module: str = "", **values: object) -> HostState:
    """A host with commands of a release, and a kernel module of the same unless told."""
    version = ZfsVersion(f"zfs-{release}", f"zfs-kmod-{module or release}")
    return replace(host(pool(**values)), version=Reading(version, 0.0))


def dedup_below(release: str) -> HostState:
    """A host that deduplicates one dataset and not its root."""
    state = of_release(release)
    settings = Reading((DatasetSettings("tank/a", "filesystem", dedup="on"),), 0.0)
    return replace(state, pools=(replace(state.pools[0], settings=settings),))


def used(percent: int) -> Pool:
    """A pool of 100 GiB, so full."""
    return pool(usable_used_bytes=percent * GIB, usable_available_bytes=(100 - percent) * GIB)


def scanning(days: float, function: str = "scrub", **values: object) -> Pool:
    """A scan that began so long ago and runs."""
    return pool(scan=replace(Scan(function, "scanning", start=int(NOW - days * DAY)), **values))  # type: ignore[arg-type]


def fragmented(percent: int | None) -> HostState:
    """Two mirrors, one of them fragmented."""
    return host(
        pool(
            replace(mirror("ONLINE", "ONLINE"), fragmentation_percent=12),
            replace(mirror("ONLINE", "ONLINE", name="mirror-1"), fragmentation_percent=percent),
        )
    )


def beside(own: Scan | None, other: Scan | None, **values: object) -> HostState:
    """A pool with its last scan, and another one on the host with another."""
    state, second = host(pool(scan=own, **values)), host(replace(pool(scan=other), name="bulk"))
    return replace(state, pools=(*state.pools, *second.pools))


def began(days_ago: float, **values: object) -> Scan:
    """A scrub that ended within an hour, so long ago."""
    scan = replace(scrubbed(days_ago=days_ago), start=int(NOW - days_ago * DAY) - 3600)
    return replace(scan, **values)  # type: ignore[arg-type]


def sibling(name: str, taken_days_ago: float | None, **values: object) -> DatasetSettings:
    """A file system of 100 MiB, a month old; its newest snapshot is so old."""
    at = None if taken_days_ago is None else int(NOW - taken_days_ago * DAY)
    given = {
        "own_bytes": 100 * MIB,
        "by_snapshots_bytes": 0,
        "creation": int(NOW) - 30 * DAY,
        "tells_snapshots_changed": True,
        **values,
    }
    return DatasetSettings(name, "filesystem", snapshots_changed=at, **given)  # type: ignore[arg-type]


def family(*members: DatasetSettings) -> HostState:
    """A pool with these file systems."""
    return host(settings=Reading(members, 0.0))


def nearly_full(free_percent: float, version: str = "2.4.4-1", **values: object) -> HostState:
    """A mirror with little free space beside one that is half free."""
    full = replace(
        mirror("ONLINE", "ONLINE"),
        size_bytes=1000 * GIB,
        free_bytes=int(10 * free_percent * GIB),
        **{"fragmentation_percent": 64, **values},
    )
    other = mirror("ONLINE", "ONLINE", name="mirror-1")
    state = of_release(version)
    made = pool(replace(full, name="mirror-0"), other)
    return replace(state, pools=(replace(state.pools[0], pool=Reading(made, 0.0)),))


HAVE = (sibling("tank/home", 1), sibling("tank/mail", 2))


def grows(
    likely: float, latest: float | None, basis: HistorySource = HistorySource.SAMPLES, **full: object
) -> HostState:
    """A pool with a forecast: full in so many days, likely and at the latest."""
    last = None if latest is None else NOW + latest * DAY
    passing = LevelReached(100, 100 * GIB, False, NOW + likely * DAY / 2, NOW + likely * DAY, last)
    trend = Trend(2.0 * GIB, GIB, 3.0 * GIB, (replace(passing, **full),), ())  # type: ignore[arg-type]
    history = SpaceHistory(basis, ((NOW - 9 * DAY, 1.0), (NOW, 2.0)))
    found = Forecast("nas1", "tank", NOW, 50 * GIB, 100 * GIB, history=history, trend=trend)
    return host(forecast=Reading(found))


ZEROS = "a file that is copied while it is written may get zeros in its copy"
SPEAKING: list[tuple[str, Severity, str, HostState]] = [
    (
        "release-known-bad",
        WARNING,
        "the kernel module is OpenZFS 0.7.7, with which files that are created or copied in large numbers",
        of_release("0.7.7-1"),
    ),
    (
        "release-known-bad",
        WARNING,
        f"the kernel module is OpenZFS 2.1.10, with which {ZEROS} (openzfs/zfs#14753, fixed in ",
        of_release("2.1.10-1"),
    ),
    (
        "release-known-bad",
        INFO,
        f"the kernel module is OpenZFS 2.1.13, with which {ZEROS}, very seldom (openzfs/zfs#15526",
        of_release("2.1.13-1"),
    ),
    (
        "release-known-bad",
        WARNING,
        f"the kernel module is OpenZFS 2.2.0, with which {ZEROS}, more often with block cloning",
        of_release("2.2.0-1"),
    ),
    (
        "release-known-bad",
        WARNING,
        f"the kernel module is OpenZFS 2.2.1, with which {ZEROS} (openzfs/zfs#15526, fixed in 2.2.2)",
        of_release("2.2.1-1"),
    ),
    (
        "release-known-bad",
        INFO,
        "the kernel module is OpenZFS 2.3.6, with which a file that is truncated and then cloned into",
        of_release("2.3.6-1"),
    ),
    (
        "release-known-bad",
        WARNING,
        "the kernel module is OpenZFS 2.4.3, with which data that is written with dedup on may be read as",
        of_release("2.4.3-1", settings=ON_ROOT),
    ),
    (
        "release-known-bad",
        WARNING,
        "the kernel module is OpenZFS 2.4.1, with which data that is written with dedup on may be read as",
        dedup_below("2.4.1-1"),
    ),
    (
        "versions-differ",
        INFO,
        "the ZFS commands are zfs-2.4.4-1, the kernel module is zfs-kmod-2.3.9-1",
        of_release("2.4.4-1", "2.3.9-1"),
    ),
    (
        "capacity-critical",
        CRITICAL,
        ("96% of 100 GiB usable space used, 4.00 GiB left; when it is used up writes fail: 3.23 GiB more "
        "are kept for deletes"),
        host(used(96)),
    ),
    (
        "full-soon",
        INFO,
        "full likely on 2027-02-14 (in 30d), range 2027-01-30 to 2027-03-26, with +2.00 GiB a day",
        grows(30, 70),
    ),
    ("full-soon", WARNING, "full likely on 2027-01-25 (in 10d), range 2027-01-20 to", grows(10, 30)),
    (
        "fragmentation",
        INFO,
        "its free space lies in pieces of 64 KiB or less on average, too small for large records: fragme",
        fragmented(71),
    ),
    (
        "scrub-skipped",
        INFO,
        "it was left out when bulk was scrubbed: its timer does not name it, or passed it over",
        beside(began(40), began(10)),
    ),
    (
        "scrub-skipped",
        INFO,
        "it was left out when bulk was scrubbed",
        beside(None, began(10), creation=int(NOW) - 100 * DAY),
    ),
    (
        "scrub-skipped",
        INFO,
        "its last scrub was canceled 3d ago, and none has begun since",
        host(pool(scan=scrubbed(days_ago=3, state="canceled"))),
    ),
    (
        "snapshots-left-out",
        INFO,
        "no snapshot of tank/db is known, now or before (100 MiB); tank/home, tank/mail beside it have",
        family(*HAVE, sibling("tank/db", None)),
    ),
    (
        "metaslabs-full",
        INFO,
        (
            "ZFS searches nearly full metaslabs for a place that fits each write on mirror-0 (3.0% "
            "free in pieces of about 128 KiB)"
        ),
        nearly_full(3),
    ),
    (
        "metaslabs-full",
        INFO,
        (
            "ZFS searches nearly full metaslabs for a place that fits each write on mirror-0 (3.0% "
            "free in pieces of about 64.0 KiB)"
        ),
        nearly_full(3, "2.3.0-1"),
    ),
    (
        "scan-too-slow",
        WARNING,
        "the scrub has run for 40d and has not ended: a pool should be scrubbed within 35d",
        host(scanning(40)),
    ),
    (
        "scan-too-slow",
        WARNING,
        "the resilver has run for 20d, and needs ",
        host(
            scanning(20, "resilver", to_issue_bytes=20_000_000 << 20),
            scan_history=tuple((NOW - 600 + at, at * (10 << 20)) for at in range(0, 601, 5)),
        ),
    ),
    (
        "scan-too-slow",
        INFO,
        "the scrub took 36d: a pool should be scrubbed within 35d",
        host(pool(scan=replace(scrubbed(days_ago=1), start=int(NOW - 37 * DAY)))),
    ),
    (
        "scrub-overdue",
        WARNING,
        "no full scrub for at least 90d; the last one was canceled; some timers skip a pool that is DEG",
        host(pool(mirror("ONLINE", "ONLINE", "FAULTED"), scan=scrubbed(days_ago=90, state="canceled"))),
    ),
]  # fmt: skip
SILENT: list[tuple[str, HostState]] = [
    ("two packages of one release", of_release("2.4.4-1", "2.4.4-0ubuntu2")),
    *((f"release {each}", of_release(each)) for each in (
        "0.7.8-1", "2.1.4-1", "2.1.14-1", "2.2.2-1", "2.2.11-1", "2.3.7-1", "2.3.9-1", "2.4.4-1",
    )),
    ("2.4.3 without dedup", of_release("2.4.3-1", settings=replace(ON_ROOT, dedup="off"))),
    ("Debian's patched 2.1.11", of_release("2.1.11-1+deb12u1")),
    ("a pool that is full in a season", grows(91, 100)),
    ("a forecast of too wide a range", grows(30, 181)),
    ("a forecast without an end", grows(30, None)),
    ("a forecast from a guess", grows(30, 70, HistorySource.GUESS)),
    ("a forecast of a full pool", grows(30, 70, is_reached=True)),
    ("a forecast without a trend", host(forecast=Reading(Forecast("nas1", "tank", NOW, 1, 2)))),
    ("free space in pieces of 128 KiB", fragmented(70)),
    ("a vdev whose fragmentation is not known", fragmented(None)),
    ("a scrub of a month", host(pool(scan=replace(scrubbed(days_ago=1), start=int(NOW - 35 * DAY))))),
    ("two pools scrubbed in one month", beside(began(30), began(2.5))),
    ("a scrub canceled yesterday", host(pool(scan=scrubbed(days_ago=1, state="canceled")))),
    ("a new dataset beside others with snapshots", family(
        *HAVE, sibling("tank/db", None, creation=int(NOW) - 6 * DAY)
    )),
    ("a small dataset beside others with snapshots", family(*HAVE, sibling("tank/db", None, own_bytes=MIB))),
    ("a copy beside others with snapshots", family(*HAVE, sibling("tank/db", None, is_read_only=True))),
    ("what nobody keeps beside others with snapshots", family(
        *HAVE, *(sibling(f"tank/{name}", None) for name in ("tmp", "vm-swap", "Cache", "scratch_2", "a" * 64))
    )),
    ("below a dataset that nobody keeps", family(
        sibling("tank/scratch/a", 1), sibling("tank/scratch/b", 1), sibling("tank/scratch/c", None)
    )),
    ("more datasets without snapshots than with", family(
        sibling("tank/home", 1), *(sibling(f"tank/ct-{at}", None) for at in range(2))
    )),
    ("a dataset whose snapshots were destroyed", family(*HAVE, sibling("tank/db", 300))),
    ("siblings of a ZFS that does not tell", family(
        *(replace(each, tells_snapshots_changed=False) for each in (*HAVE, sibling("tank/db", None)))
    )),
    ("a vdev with 4% free", nearly_full(4)),
    ("a full vdev that is removed", nearly_full(3, is_removing=True)),
]  # fmt: skip
