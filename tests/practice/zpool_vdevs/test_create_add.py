"""`zpool create` and `zpool add`: layouts, dry runs, and what is refused."""

from __future__ import annotations

import json

import pytest

from tests.practice.zpool.bench import GIB, Bench, outline
from zconsole.practice.ready_made_pools import bring
from zconsole.practice.world.foreign_signatures import Holder, Signature
from zconsole.system.lsblk import parse_lsblk

USE_FORCE = "invalid vdev specification\nuse '-f' to override the following errors:\n"


@pytest.mark.parametrize(
    ("words", "layout"),
    [
        ("{2}", "2"),
        ("mirror {2} {3} mirror {4} {5}", "mirror(2 3) mirror(4 5)"),
        ("raidz {2} {3} {4}", "raidz1(2 3 4)"),
        ("raidz3 {2} {3} {4} {5} {6}", "raidz3(2 3 4 5 6)"),
        ("draid2:3d:7c:1s {2} {3} {4} {5} {6} {7} {8}", "draid2(2 3 4 5 6 7 8) spare:draid2-0-0"),
        (
            (
                "mirror {2} {3} special mirror {4} {5} dedup mirror {6} {7}"
                " log mirror {8} {9} cache {10} spare {11}"
            ),
            "mirror(2 3) special:mirror(4 5) dedup:mirror(6 7) log:mirror(8 9) cache:10 spare:11",
        ),
    ],
)
def test_every_layout_can_be_made_and_is_read_back(words: str, layout: str) -> None:
    bench = Bench("mirror 0 1")

    bench.do(f"zpool create data {words}")

    pool = bench.pool("data")
    assert layout.split() == sorted(outline(pool).split(), key=layout.split().index)
    assert "ONLINE" == pool.state
    assert f"zpool create data {words}" == bench.history("data")[-1]
    assert "sysevent.fs.zfs.pool_create" in bench.events()
    assert "ONLINE\n" == bench.do("cat /proc/spl/kstat/zfs/data/state")


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


def test_a_dry_run_prints_the_layout_and_touches_nothing() -> None:
    bench = Bench("mirror 0 1")

    said = bench.do(
        "zpool create -n data raidz2 {2} {3} {4} {5} special mirror {6} {7} {11} log {8} cache {9} spare {10}"
    )

    names = [f"wwn-0x5000c500a00000{number:02x}" for number in range(16)]
    assert said == (
        "would create 'data' with the following layout:\n\n\tdata\n\t  raidz2\n"
        + "".join(f"\t    {names[number]}\n" for number in (2, 3, 4, 5))
        + "\tspecial\n\t  mirror\n"
        + "".join(f"\t    {names[number]}\n" for number in (6, 7, 11))
        + f"\tlogs\n\t  {names[8]}\n\tcache\n\t  {names[9]}\n\tspares\n\t  {names[10]}\n"
    )
    assert ["tank"] == list(bench.world.pools)
    assert not bench.disk(2).is_partitioned


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
    ("signature", "said"),
    [
        (Signature("ext4", "old"), "{2} contains a filesystem of type 'ext4'\n"),
        (Signature("crypto_LUKS"), "{2} contains a filesystem of type 'crypto_LUKS'\n"),
        (Signature("LVM2_member"), "{2} contains a filesystem of type 'LVM2_member'\n"),
        (Signature("linux_raid_member"), "{2} contains a filesystem of type 'linux_raid_member'\n"),
        (Signature("swap", number=3), "/dev/sdc3 contains a filesystem of type 'swap'\n"),
    ],
)
def test_a_foreign_signature_is_named_and_gives_way_to_force(signature: Signature, said: str) -> None:
    bench = Bench("mirror 0 1")
    bench.disk(2).signatures = (signature,)

    assert USE_FORCE + said == bench.refused("zpool create data {2}")
    bench.do("zpool create -f data {2}")

    assert () == bench.disk(2).signatures


@pytest.mark.parametrize(
    ("signature", "kind"),
    [
        (Signature("ext4", mountpoint="/srv"), "ext4"),
        (Signature("swap", mountpoint="[SWAP]"), "swap"),
        (
            Signature("crypto_LUKS", holder=Holder("dm-0", "luks-x", "crypt", 8 * GIB, "xfs", "/x")),
            "crypto_LUKS",
        ),
        (Signature("ext4", mountpoint="/srv", number=1), "unknown"),
    ],
)
def test_what_is_mounted_or_held_does_not_give_way(signature: Signature, kind: str) -> None:
    bench = Bench("mirror 0 1")
    bench.disk(2).signatures = (signature,)

    for line in ("zpool create data {2}", "zpool create -f data {2}", "zpool add -f tank {2}"):
        assert f"{{2}} is in use and contains a {kind} filesystem.\n" == bench.refused(line)
    assert (signature,) == bench.disk(2).signatures


def test_lsblk_shows_what_is_on_each_drive() -> None:
    bench = Bench("mirror 0 1")
    bench.disk(2).signatures = (
        Signature("crypto_LUKS", holder=Holder("dm-0", "luks-x", "crypt", 8 * GIB, "xfs", "/x")),
    )
    bench.disk(3).signatures = (
        Signature("ext4", "root", "/", number=1),
        Signature("swap", "", "[SWAP]", number=2),
    )
    bring(bench.world, "old", ["LAB0004"], host="attic", days_ago=900)

    document = json.loads(bench.do("lsblk -J -b -o NAME,TYPE,FSTYPE,LABEL,MOUNTPOINTS"))

    by_name = {item["name"]: item for item in document["blockdevices"]}
    assert "crypto_LUKS" == by_name["sdc"]["fstype"]
    assert ("luks-x", "crypt", "xfs", ["/x"]) == tuple(
        by_name["sdc"]["children"][0][key] for key in ("name", "type", "fstype", "mountpoints")
    )
    assert [("ext4", ["/"]), ("swap", ["[SWAP]"])] == [
        (part["fstype"], part["mountpoints"]) for part in by_name["sdd"]["children"]
    ]
    assert ("zfs_member", "old") == tuple(by_name["sde"]["children"][0][key] for key in ("fstype", "label"))
    assert ("zfs_member", "tank") == tuple(by_name["sda"]["children"][0][key] for key in ("fstype", "label"))
    assert "children" not in by_name["sdf"]
    assert len(bench.world.disks) == len(parse_lsblk(bench.do("lsblk -J -b -O")))


@pytest.mark.parametrize(("exported", "word"), [(True, "exported"), (False, "potentially active")])
def test_the_label_of_another_pool_is_named(exported: bool, word: str) -> None:
    bench = Bench("mirror 0 1")
    bring(bench.world, "old", ["LAB0002"], host="attic", days_ago=900, exported=exported)

    assert f"{USE_FORCE}/dev/sdc1 is part of {word} pool 'old'\n" == bench.refused("zpool add tank {2}")
    bench.do("zpool add -f tank {2}")

    assert [] == bench.world.importable
    assert "mirror(0 1) 2" == outline(bench.pool())


def test_drives_of_different_size_and_tiny_ones_are_refused() -> None:
    bench = Bench("mirror 0 1")
    bench.disk(2).size, bench.disk(4).size = 4 * GIB, 50 << 20

    assert USE_FORCE + "mirror contains devices of different sizes\n" == bench.refused(
        "zpool create data mirror {2} {3}"
    )
    assert "cannot create 'data': one or more devices is less than the minimum size (64M)\n" == bench.refused(
        "zpool create data {4}"
    )


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


def test_a_dry_run_of_add_prints_the_whole_pool() -> None:
    bench = Bench()

    said = bench.do("zpool add -n tank mirror {9} {10} log {11}")

    lines = [line.strip("\t") for line in said.split("\n")]
    assert "would update 'tank' to the following configuration:" == lines[0]
    assert ["  mirror-0", "  mirror-1", "  mirror"] == [
        line for line in lines if line.startswith("  mirror")
    ][:3]
    assert ["tank", "special", "logs", "cache", "spares"] == [
        line for line in lines[1:] if line and not line.startswith(" ")
    ]
    assert ["  wwn-0x5000c500a0000006", "  wwn-0x5000c500a000000b"] == lines[lines.index("logs") + 1 :][:2]
    assert 3 == len(bench.pool().of_class("data") + bench.pool().of_class("special"))


def test_adding_below_the_redundancy_of_the_pool_is_refused_without_the_flag() -> None:
    """The words of a real pool."""
    bench = Bench()

    said = bench.refused("zpool add -n tank {9}")

    assert USE_FORCE + "mismatched replication level: pool uses mirror and new vdev is disk\n" == said
    assert "pool uses 2-way mirror and new vdev uses 3-way mirror" in bench.refused(
        "zpool add tank mirror {9} {10} {11}"
    )
    bench.do("zpool add --allow-replication-mismatch tank {9}")
    assert "mirror(0 1) mirror(2 3) 9 " in outline(bench.pool())


def test_adding_drives_of_another_sector_size_is_refused_without_the_flag() -> None:
    bench = Bench("mirror 0 1")
    for number in (2, 3):
        bench.disk(number).sectors = (4096, 4096)
    bench.do("zpool create -o ashift=9 data {4}")

    said = bench.refused("zpool add data {2}")

    assert (
        "cannot add to 'data': adding devices with different physical sector sizes is not allowed\n" == said
    )
    bench.do("zpool add --allow-ashift-mismatch data {3}")
    assert [9, 12] == [top.ashift for top in bench.practice("data").root.children]


def test_a_device_that_writes_more_at_once_than_the_pool_is_told() -> None:
    bench = Bench("")
    bench.disk(0).sectors = (512, 4096)

    bench.do("zpool create -o ashift=9 data {0}")

    assert "configured to use a non-native block size" in bench.pool("data").status
    assert "block size: 512B configured, 4096B native" in bench.do("zpool status data")
