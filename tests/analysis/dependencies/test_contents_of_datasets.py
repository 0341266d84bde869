"""What lives on datasets, from what was seen; what cannot be told is left out."""

from __future__ import annotations

import pytest

from zconsole.analysis.dependencies.contents_of_datasets import (
    HeldFile,
    contents_of_datasets,
    held_files,
    kind_of_file,
    mounted_volumes,
    sample_of,
)
from zconsole.model.datasets.dataset_contents import (
    ContentKind,
    DatasetContents,
    FileSample,
    ProgramFiles,
    VolumeMount,
)
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.system.file_sizes import SampledPlace, SizedFile
from zconsole.system.mounts_and_boot_pools import Mount
from zconsole.system.open_files import OpenFile

MIB = 1 << 20
INNODB, PG = ContentKind.INNODB, ContentKind.POSTGRESQL
TABLE = "/var/lib/mysql/shop/orders.ibd"


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("ibdata1", INNODB),
        ("shop/orders.ibd", INNODB),
        ("undo_001", INNODB),
        ("ib_logfile0", None),
        ("17/main/base/5/2619", PG),
        ("base/5/2619_fsm", PG),
        ("base/5/2619.1", PG),
        ("pg_wal/000000010000000000000001", None),
        ("data-base/5/x", None),
        ("films/a.MKV", ContentKind.MEDIA),
        ("vm/disk.qcow2", ContentKind.IMAGES),
        ("mysql", None),
        ("film.mkv/readme", None),
    ],
)
def test_a_file_has_a_kind_where_its_name_tells_it(path: str, kind: ContentKind | None) -> None:
    assert kind == kind_of_file(path)


def _process(number: int, program: str, *paths: str, root: str = "/") -> tuple[OpenFile, ...]:
    return (
        OpenFile(number, "exe", program),
        OpenFile(number, "root", root),
        *(OpenFile(number, "fd", path) for path in paths),
    )


def test_a_program_holds_files_of_its_kind_each_once() -> None:
    files = (
        *_process(7, "/usr/sbin/mariadbd (deleted)", TABLE, "/var/log/mysql/error.log", f"{TABLE} (deleted)"),
        *_process(8, "/usr/sbin/mariadbd", TABLE),
    )

    assert (HeldFile(INNODB, "mariadbd", 7, TABLE),) == held_files(files)


@pytest.mark.parametrize(
    "files",
    [
        _process(7, "/usr/bin/rsync", TABLE),  # a backup reads it
        _process(7, "/usr/sbin/mysqld", TABLE, root="/srv/chroot"),
        _process(7, "/usr/bin/rtorrent", "/home/a/rtorrent.log", "/dev/pts/0"),
    ],
    ids=["another program", "a root of its own", "files beside torrents"],
)
def test_what_does_not_tell_is_left_out(files: tuple[OpenFile, ...]) -> None:
    assert () == held_files(files)


def test_files_are_on_what_their_own_process_has_mounted() -> None:
    """In a container the same path is on another dataset than on the host."""
    held = (HeldFile(INNODB, "mysqld", 7, TABLE), HeldFile(INNODB, "mysqld", 8, TABLE))
    inside = (Mount("tank/containers/a", "/", "zfs"), Mount("tank/db", "/var/lib/mysql", "zfs"))
    unseen = (Mount("overlay", "/", "overlay"),)

    found = contents_of_datasets(held, {7: inside, 8: unseen}, {})

    assert (DatasetContents("tank/db", (ProgramFiles(INNODB, "mysqld", 7, 1, TABLE),)),) == found


def test_a_process_that_has_ended_tells_nothing() -> None:
    assert () == contents_of_datasets((HeldFile(INNODB, "mysqld", 7, TABLE),), {}, {})


def test_a_sample_counts_what_files_take() -> None:
    files = (SizedFile("a.mkv", 9 * MIB, 5 * MIB), SizedFile("b", 10, 512), SizedFile("c.iso", MIB - 1, MIB))

    sample = sample_of(SampledPlace(files, is_whole=True))

    assert FileSample(3, 6 * MIB + 512, 5 * MIB, True, ((ContentKind.MEDIA, 6 * MIB),)) == sample
    assert not sample_of(SampledPlace(files, is_whole=False)).is_whole


def test_a_volume_that_the_host_has_mounted_is_told_with_its_mountpoint() -> None:
    mounts = (
        Mount("/dev/zd0p1", "/srv/old", "ext4"),
        Mount("/dev/zd16", "/mnt", "xfs"),
        Mount("/dev/sda1", "/boot", "ext4"),
        Mount("tank/a", "/tank/a", "zfs"),
    )

    found = mounted_volumes(mounts, {"zd0": "tank/v", "zd16": "tank/w", "zd32": "tank/x"}, Inventory())

    assert (
        DatasetContents("tank/v", mounted=(VolumeMount("/srv/old", "ext4"),)),
        DatasetContents("tank/w", mounted=(VolumeMount("/mnt", "xfs"),)),
    ) == found
