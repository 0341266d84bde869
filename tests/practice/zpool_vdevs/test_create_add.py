"""`zpool create` and `zpool add`: layouts, dry runs, and what is refused."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import Bench, outline

USE_FORCE = "invalid vdev specification\nuse '-f' to override the following errors:\n"


def test_properties_and_the_mountpoint_are_kept() -> None:
    bench = Bench("")

    bench.do(
        "zpool create -o ashift=13 -o autotrim=on -o comment=rack7 -O compression=zstd -m /srv/data data {0}"
    )

    assert (
        "13\ton\track7\n"
        == "\t".join(bench.do("zpool get -Hpo value ashift,autotrim,comment data").split("\n")[:3]) + "\n"
    )
    assert "zstd\n/srv/data\n" == bench.do("zfs get -Ho value compression,mountpoint data")
    assert 13 == bench.practice("data").root.children[0].ashift


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("zpool create", 2, "missing pool name argument\nusage:\n\tcreate "),
        ("zpool create data", 2, "missing vdev specification\nusage:\n"),
        ("zpool create -Z data {2}", 2, "invalid option 'Z'\nusage:\n"),
        (
            "zpool create a/b {2}",
            1,
            "cannot create 'a/b': invalid character '/' in pool name\nuse 'zfs create'",
        ),
        ("zpool create 1st {2}", 1, "cannot create '1st': name must begin with a letter\npool name may have"),
        ("zpool create mirrored {2}", 1, "cannot create 'mirrored': name is reserved\npool name may have"),
        (
            "zpool create data mirror {2}",
            1,
            "invalid vdev specification: mirror requires at least 2 devices\n",
        ),
        (
            "zpool create data raidz2 {2} {3}",
            1,
            "invalid vdev specification: raidz2 requires at least 3 devices\n",
        ),
        ("zpool create data nosuch", 1, "cannot open 'nosuch': no such device in /dev\nmust be a full path"),
        ("zpool create data /dev/nosuch", 1, "cannot resolve path '/dev/nosuch'\n"),
        (
            "zpool create data {2} {2}",
            1,
            "cannot create 'data': one or more vdevs refer to the same device, or",
        ),
        ("zpool create tank {2}", 1, "cannot create 'tank': pool already exists\n"),
        ("zpool create -o ashift=7 data {2}", 1, "invalid 'ashift=7' property: only values between 9 and 16"),
        ("zpool create -o nosuch=1 data {2}", 1, "property 'nosuch' is not a valid pool or vdev property\n"),
        ("zpool create -O nosuch=1 data {2}", 1, "property 'nosuch' is not a valid filesystem property\n"),
        (
            "zpool create -m x data {2}",
            1,
            "invalid mountpoint 'x': must be an absolute path, 'legacy', or 'none'",
        ),
        (
            "zpool create data cache {2}",
            1,
            USE_FORCE + "at least one general top-level vdev must be specified\n",
        ),
        ("zpool create data {0}", 1, "{0} is in use and contains a unknown filesystem.\n"),
        ("zpool create -f data {0}", 1, "{0} is in use and contains a unknown filesystem.\n"),
        (
            "zpool create data {2} mirror {3} {4}",
            1,
            USE_FORCE + "mismatched replication level: both disk and mirror",
        ),
        (
            "zpool create data raidz {2} {3} {4} raidz2 {5} {6} {7}",
            1,
            USE_FORCE
            + "mismatched replication level: raidz and raidz vdevs with different redundancy, 1 vs. 2",
        ),
        (
            "zpool create data mirror {2} {3} mirror {4} {5} {6}",
            1,
            USE_FORCE + "mismatched replication level: both 2-way and 3-way mirror vdevs are present\n",
        ),
        (
            "zpool create data draid2:9d {2} {3} {4} {5}",
            1,
            "requested number of dRAID data disks per group 9",
        ),
    ],
)
def test_what_cannot_be_created_is_refused_in_zfs_words(line: str, status: int, said: str) -> None:
    bench = Bench("mirror 0 1")

    reply = bench.run(line)

    assert status == reply.status
    assert bench.short(reply.stderr).startswith(said)
    assert ["tank"] == list(bench.world.pools)


@pytest.mark.parametrize(
    ("words", "layout"),
    [
        ("mirror {9} {10}", "mirror(0 1) mirror(2 3) mirror(9 10)"),
        ("log {9}", "mirror(0 1) mirror(2 3) log:9"),
        ("cache {9}", "mirror(0 1) mirror(2 3) cache:9"),
        ("spare {9} {10}", "mirror(0 1) mirror(2 3) spare:9 spare:10"),
        ("special mirror {9} {10}", "mirror(0 1) mirror(2 3) special:mirror(9 10)"),
        ("dedup mirror {9} {10}", "mirror(0 1) mirror(2 3) dedup:mirror(9 10)"),
        ("raidz {9} {10} {11}", "mirror(0 1) mirror(2 3) raidz1(9 10 11)"),
    ],
)
def test_vdevs_of_every_class_can_be_added(words: str, layout: str) -> None:
    bench = Bench("mirror 0 1 mirror 2 3")
    before = bench.pool().size_bytes

    bench.do(f"zpool add tank {words}")

    pool = bench.pool()
    assert layout == outline(pool)
    assert f"zpool add tank {words}" == bench.history()[-1]
    assert "sysevent.fs.zfs.vdev_add" in bench.events()
    grows = not words.startswith(("log", "cache", "spare"))
    assert grows == ((pool.size_bytes or 0) > (before or 0))


def test_a_device_that_writes_more_at_once_than_the_pool_is_told() -> None:
    bench = Bench("")
    bench.disk(0).sectors = (512, 4096)

    bench.do("zpool create -o ashift=9 data {0}")

    assert "configured to use a non-native block size" in bench.pool("data").status
    assert "block size: 512B configured, 4096B native" in bench.do("zpool status data")


def test_a_disk_is_a_spare_of_its_pool_once() -> None:
    bench = Bench("mirror 0 1")
    bench.do("zpool add tank spare {3}")

    refused = bench.start("zpool add tank spare {3} {5}")

    assert "cannot add to 'tank': one or more vdevs refer to the same device" in refused.stderr  # type: ignore[union-attr]
    assert 1 == len(bench.practice("tank").spares)
