"""States in which advice on file systems, volumes and clones speaks, and some in which it is silent."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import DAY, NOW, disk, group, host, pool
from tests.analysis.findings.host_cases import SOUND
from zconsole.model.datasets.dataset_contents import (
    ContentKind,
    DatasetContents,
    FileSample,
    ProgramFiles,
    VolumeMount,
)
from zconsole.model.datasets.dataset_settings import DatasetSettings
from zconsole.model.guests.guest import (
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
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.dedup_table import DedupTable
from zconsole.model.pools.pool import Pool, RootSettings

KIB, MIB, GIB = 1 << 10, 1 << 20, 1 << 30
OLD = int(NOW) - 400 * DAY
SETTINGS = RootSettings("lz4", "on", "standard", "off", 1, "on", "on")
ROOM = pool(usable_used_bytes=10 * GIB, usable_available_bytes=90 * GIB)
FULL = pool(usable_used_bytes=80 * GIB, usable_available_bytes=20 * GIB)
RAIDZ2 = pool(group("raidz2-0", *(disk(f"sd{at}") for at in range(8))), ashift=12)


def filesystem(name: str = "tank/a", **values: object) -> DatasetSettings:
    given = {"recordsize_bytes": 128 * KIB, "referenced_bytes": 20 * GIB, "creation": OLD, **values}
    return DatasetSettings(name, "filesystem", **given)  # type: ignore[arg-type]


def volume_named(name: str) -> DatasetSettings:
    return DatasetSettings(name, "volume")


def listed(*settings: DatasetSettings, of: Pool | None = None, **state: object) -> HostState:
    """A pool with its file systems and volumes, on a sound host."""
    made = host(of or pool(), settings=Reading(settings, 0.0), **state)
    return replace(made, settings=Reading(SOUND, 0.0))


def deduplicated(ratio: float | None, table: DedupTable | None = None, dedup: str = "on") -> HostState:
    of = pool(dedup_ratio=ratio, settings=replace(SETTINGS, dedup=dedup))
    return listed(of=of, dedup=Reading(table, 0.0))


def holding(settings: DatasetSettings, *, of: Pool | None = None, **contents: object) -> HostState:
    """A file system, and what was seen of it."""
    seen = DatasetContents(settings.name, **contents)  # type: ignore[arg-type]
    return listed(settings, of=of, contents=Reading((seen,), 0.0))


def opened(kind: ContentKind, program: str, files: int = 3, example: str = "/srv/x") -> tuple[ProgramFiles]:
    return (ProgramFiles(kind, program, 812, files, example),)


def sample(kind: ContentKind, share: int, *, of_bytes: int = 19 * GIB, large: int = 100) -> FileSample:
    """A sample of which these percentages are of the kind, and in large files."""
    kinds = ((kind, (of_bytes * share + 99) // 100),)
    return FileSample(900, of_bytes, of_bytes * large // 100, is_whole=True, kinds=kinds)


def with_image(format_: str, cluster: int | None, record: int, *, read_only: bool = False) -> HostState:
    """A guest with an image on a file system."""
    image = StoredImage(Image("/tank/a/x", format_, cluster_bytes=cluster), "tank/a")
    disk_ = GuestDisk("vda", "/tank/a/x", SourceKind.FILE, is_read_only=read_only)
    guest = Guest(
        GuestDefinition("u", "web01"),
        GuestStatus("web01", GuestState.RUNNING),
        (StoredDisk(disk_, (image,)),),
    )
    return replace(listed(filesystem(recordsize_bytes=record)), guests=Reading((guest,), 0.0))


def cloned(*, origin_days: int = 400, clone_days: int = 200, held: int = 2 * GIB) -> HostState:
    """A clone, and its origin."""
    created = int(NOW) - origin_days * DAY
    clone = filesystem(
        "tank/vm",
        creation=int(NOW) - clone_days * DAY,
        origin="tank/images@gold",
        origin_created=created,
        origin_used_bytes=held,
    )
    return listed(filesystem("tank/images"), clone)


TABLE = DedupTable(12_345_678, 6 * GIB, 9 * GIB)
SMALL_TABLE = DedupTable(1000, MIB, MIB)
PG, INNODB = ContentKind.POSTGRESQL, ContentKind.INNODB
MEDIA, TORRENTS, IMAGES = ContentKind.MEDIA, ContentKind.TORRENTS, ContentKind.IMAGES
PG_FILE = "/var/lib/postgresql/17/main/base/5/2619"
ON_ROOT = "on its root dataset, and where that is inherited"
SPEAKING: list[tuple[str, str, HostState]] = [
    (
        "dedup-on",
        f"dedup=verify {ON_ROOT}; the ratio of the pool is 1.04",
        deduplicated(1.04, dedup="verify"),
    ),
    (
        "dedup-table-large",
        (
            "its deduplication table of 12,345,678 entries takes 9.00 GiB of memory when all of it is "
            "loaded, 28% of the 32.0 GiB that the ARC may have; what is not loaded is read from the data "
            "vdevs before a block is written or freed"
        ),
        deduplicated(3.0, TABLE),
    ),
    (
        "dedup-quota-near",
        "its deduplication table has 950 MiB, 95% of its quota of 0.98 GiB: beyond it new blocks are not",
        deduplicated(3.0, DedupTable(9, 950 * MIB, MIB, quota_bytes=1000 * MIB)),
    ),
    (
        "recordsize-database",
        (
            "recordsize=128 KiB on tank/a, for PostgreSQL tables with pages of 8.00 KiB (postgres [812] has "
            f"{PG_FILE} and 2 more open): a write of one page may rewrite 16"
        ),
        holding(filesystem(), programs=opened(PG, "postgres", example=PG_FILE)),
    ),
    (
        "recordsize-database",
        (
            "recordsize=8.00 KiB on tank/a, for InnoDB tables with pages of 16.0 KiB (by their names 80% "
            "of the 19.0 GiB in 900 files): a page takes 2 records"
        ),
        holding(filesystem(recordsize_bytes=8 * KIB), sample=sample(INNODB, 80)),
    ),
    (
        "recordsize-large-files",
        (
            "recordsize=128 KiB on tank/a, where media files are (by their names 95% of the 19.0 GiB in 900 "
            "files): in records of 1.00 MiB they have 8 times fewer blocks"
        ),
        holding(filesystem(), sample=sample(MEDIA, 95)),
    ),
    (
        "recordsize-large-files",
        "recordsize=16.0 KiB on tank/a, where torrents are (rtorrent [812] has /srv/x open)",
        holding(
            filesystem(recordsize_bytes=16 * KIB),
            sample=sample(MEDIA, 0),
            programs=opened(TORRENTS, "rtorrent", files=1),
        ),
    ),
    (
        "recordsize-image",
        "recordsize=256 KiB on tank/a, for disk images of web01: a small write rewrites a record",
        with_image("qcow2", 2 * MIB, 256 * KIB),
    ),
    (
        "recordsize-image",
        "recordsize=1.00 MiB on tank/a, for disk images of web01: a small write rewrites a record",
        with_image("raw", None, MIB),
    ),
    (
        "volume-mounted-on-host",
        "the host has the ext4 of its own volume tank/v mounted on /srv/old",
        listed(
            contents=Reading((DatasetContents("tank/v", mounted=(VolumeMount("/srv/old", "ext4"),)),), 0.0)
        ),
    ),
    (
        "clone-long-lived",
        (
            "is 400d old and cannot be destroyed while tank/vm needs it; it keeps 2.00 GiB that its own "
            "dataset does not need"
        ),
        cloned(),
    ),
    (
        "reservation-unused",
        "reservation=20.0 GiB of tank/a, which has 1.00 GiB: 19.0 GiB are kept from all others, 19% of a",
        listed(filesystem(used_bytes=GIB, reservation_bytes=20 * GIB), of=FULL),
    ),
    (
        "reservation-unused",
        "refreservation=20.0 GiB of tank/a, which has 9.00 GiB: 11.0 GiB are kept",
        listed(filesystem(own_bytes=9 * GIB, refreservation_bytes=20 * GIB), of=FULL),
    ),
    (
        "reservation-used-up",
        "reservation=10.0 GiB of tank/a is nearly used up, by 9.00 GiB, in a pool that is 80% full",
        listed(filesystem(used_bytes=9 * GIB, reservation_bytes=10 * GIB), of=FULL),
    ),
    (
        "quotas-overcommitted",
        "its quotas allow 21.0 GiB more, and the pool has 20.0 GiB: tank/b, tank/a",
        listed(
            filesystem(used_bytes=GIB, quota_bytes=9 * GIB),
            filesystem("tank/a/within", used_bytes=0, quota_bytes=90 * GIB),
            filesystem("tank/b", used_bytes=GIB, quota_bytes=14 * GIB),
            of=FULL,
        ),
    ),
]
SILENT: list[tuple[str, HostState]] = [
    ("deduplication that pays, with a small table", deduplicated(2.0, SMALL_TABLE)),
    ("deduplication that pays, with a table that was not read", deduplicated(3.0)),
    ("a table that was left behind", deduplicated(1.5, SMALL_TABLE, dedup="off")),
    (
        "a table with room in its quota",
        deduplicated(2.0, replace(SMALL_TABLE, disk_bytes=899, quota_bytes=1000)),
    ),
    (
        "a database in records of 64 KiB",
        holding(filesystem(recordsize_bytes=64 * KIB), programs=opened(PG, "postgres")),
    ),
    (
        "a database in records of a page",
        holding(filesystem(recordsize_bytes=16 * KIB), programs=opened(INNODB, "mysqld")),
    ),
    ("tables among other files", holding(filesystem(), sample=sample(INNODB, 79))),
    ("tables in a part of the data", holding(filesystem(), sample=sample(INNODB, 99, of_bytes=9 * GIB))),
    ("media in large records", holding(filesystem(recordsize_bytes=MIB), sample=sample(MEDIA, 99))),
    ("media among other files", holding(filesystem(), sample=sample(MEDIA, 79))),
    ("small media files", holding(filesystem(), sample=sample(MEDIA, 99, large=79))),
    ("a copy with media", holding(filesystem(is_read_only=True), sample=sample(MEDIA, 99))),
    (
        "media beside the images of guests",
        holding(filesystem(), sample=sample(MEDIA, 99), programs=opened(IMAGES, "qemu-system-x86_64")),
    ),
    (
        "a client of torrents without large files",
        holding(filesystem(), programs=opened(TORRENTS, "rtorrent")),
    ),
    (
        "an image with the default clusters in records of the default",
        with_image("qcow2", 64 * KIB, 128 * KIB),
    ),
    ("an image with small clusters", with_image("qcow2", 4 * KIB, 64 * KIB)),
    ("a raw image in records of the default", with_image("raw", None, 128 * KIB)),
    (
        "media beside the image of a guest that does not run",
        replace(
            holding(filesystem(), sample=sample(MEDIA, 99)), guests=with_image("raw", None, 128 * KIB).guests
        ),
    ),
    ("an image that is only read", with_image("qcow2", 64 * KIB, MIB, read_only=True)),
    ("a young clone", cloned(clone_days=179)),
    ("a clone of a young snapshot", cloned(origin_days=364)),
    ("a clone of a snapshot that holds little", cloned(held=GIB - 1)),
    (
        "a reservation without use in a pool with room",
        listed(filesystem(used_bytes=GIB, reservation_bytes=20 * GIB), of=ROOM),
    ),
    (
        "a reservation that is used up in a pool with room",
        listed(filesystem(used_bytes=9 * GIB, reservation_bytes=10 * GIB), of=ROOM),
    ),
    ("quotas beyond a pool with room", listed(filesystem(used_bytes=0, quota_bytes=95 * GIB), of=ROOM)),
]
