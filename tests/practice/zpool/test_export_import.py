"""`zpool export`, `zpool destroy`, `zpool import`, `zpool split` and `zpool labelclear`."""

from __future__ import annotations

import re

import pytest

from tests.conftest import CAPTURES
from tests.practice.zpool.bench import Bench, outline
from zconsole.practice.ready_made_pools import bring
from zconsole.practice.world.vdev_states import unplug
from zconsole.zfs.listing.device_label import parse_label, read_label


def test_a_pool_is_exported_and_imported_again() -> None:
    bench = Bench()
    before = bench.practice().guid, outline(bench.pool())
    bench.do("zfs create tank/home")

    bench.do("zpool export tank")

    assert "no pools available\n" == bench.do("zpool list")
    assert 0 != bench.run("cat /proc/spl/kstat/zfs/tank/state").status
    (found,) = bench.importable()
    assert (before[0], "ONLINE", "tank") == (found.guid, found.state, found.name)
    bench.do(f"zpool import {before[0]}")
    assert before == (bench.practice().guid, outline(bench.pool()))
    assert "yes\n" == bench.do("zfs get -Ho value mounted tank/home")
    assert ["zpool export tank", f"zpool import {before[0]}"] == bench.history()[-2:]
    assert {"sysevent.fs.zfs.pool_export", "sysevent.fs.zfs.pool_import"} <= set(bench.events())
    assert () == bench.importable()


def test_an_import_can_rename_leave_unmounted_and_set_properties() -> None:
    bench = Bench("mirror 0 1")
    bench.do("zfs create tank/home", "zpool export tank", "zpool import -N -R /mnt -o comment=x tank pond")

    assert ["pond", "pond/home"] == bench.do("zfs list -Ho name").split()
    assert "no\n" == bench.do("zfs get -Ho value mounted pond/home")
    assert "/mnt\nx\n" == bench.do("zpool get -Ho value altroot,comment pond")


def test_a_pool_imported_read_only_refuses_changes() -> None:
    bench = Bench("mirror 0 1")
    bench.do("zpool export tank", "zpool import -o readonly=on tank")

    assert "on\n" == bench.do("zpool get -Ho value readonly tank")
    for line in (
        "zpool scrub tank",
        "zpool offline tank {0}",
        "zpool set comment=x tank",
        "zpool attach tank {0} {2}",
        "zpool add tank mirror {3} {4}",
    ):
        assert bench.refused(line).endswith(": pool is read-only\n")
    bench.do("zpool export tank")


def test_a_busy_mount_keeps_its_pool() -> None:
    """The words of a real pool."""
    bench = Bench("mirror 0 1")
    bench.do("zfs create tank/home")
    bench.practice().datasets["tank/home"].is_busy = True

    assert "cannot unmount '/tank/home': pool or dataset is busy\n" == bench.refused("zpool export tank")
    assert (
        "cannot unmount '/tank/home': pool or dataset is busy\n"
        "could not destroy 'tank': could not unmount datasets\n" == bench.refused("zpool destroy -f tank")
    )
    assert "yes\n" == bench.do("zfs get -Ho value mounted tank/home")


def test_an_open_volume_keeps_its_pool() -> None:
    bench = Bench("mirror 0 1")
    bench.do("zfs create -s -V 1G tank/vol")
    bench.practice().datasets["tank/vol"].is_busy = True

    assert "cannot export 'tank': pool is busy\n" == bench.refused("zpool export tank")
    assert "cannot destroy 'tank': pool is busy\n" == bench.refused("zpool destroy tank")


def test_a_destroyed_pool_can_be_had_back_until_its_disks_are_used() -> None:
    bench = Bench("mirror 0 1")

    bench.do("zpool destroy tank")

    assert () == bench.importable()
    (found,) = bench.importable("-D")
    assert found.is_destroyed
    bench.do("zpool import -D tank")
    assert "ONLINE" == bench.pool().state
    bench.do("zpool destroy tank", "zpool create other mirror {0} {1}")
    assert () == bench.importable("-D")


def test_a_pool_of_another_host_says_whose_it_is_and_wants_force() -> None:
    bench = Bench("mirror 0 1")
    bring(bench.world, "old", ["mirror", "LAB0002", "LAB0003"], host="attic", days_ago=3)

    (found,) = bench.importable()

    assert found.is_of_another_host
    said = bench.refused("zpool import old")
    assert said.startswith(
        "cannot import 'old': pool was previously in use from another system.\n"
        "Last accessed by attic (hostid="
    )
    assert said.endswith("The pool can be imported, use 'zpool import -f' to import the pool.\n")
    bench.do("zpool import -f old")
    assert "mirror(2 3)" == outline(bench.pool("old"))
    bench.do("zpool export old", "zpool import old")


def test_a_pool_that_another_host_exported_needs_no_force() -> None:
    bench = Bench("mirror 0 1")
    bring(bench.world, "old", ["LAB0002"], host="attic", days_ago=3, exported=True)

    bench.do("zpool import old")

    assert "2" == outline(bench.pool("old"))


def test_a_pool_with_missing_disks_is_degraded_or_cannot_be_imported() -> None:
    bench = Bench("mirror 0 1")
    bring(
        bench.world,
        "half",
        ["mirror", "LAB0002", "LAB0003"],
        host="a",
        days_ago=1,
        exported=True,
        missing=["LAB0003"],
    )
    bring(
        bench.world, "lost", ["LAB0004", "LAB0005"], host="a", days_ago=1, exported=True, missing=["LAB0005"]
    )

    half, lost = bench.importable()

    assert ("DEGRADED", "UNAVAIL") == (half.state, lost.state)
    assert "cannot import 'lost': no such pool or dataset\n" == bench.refused("zpool import lost")
    bench.do("zpool import half")
    assert "DEGRADED" == bench.pool("half").state
    assert bench.do("zpool status half").split("config:")[1].count("  was " + bench.path(3) + "-part1\n") == 1


def test_a_disk_whose_label_is_gone_is_told_from_one_that_is_gone() -> None:
    bench = Bench("mirror 0 1")
    bench.do("zpool create lone {2} {3}", "zpool export lone", "zpool labelclear -f {3}-part1")

    (lone,) = bench.importable()

    assert "UNAVAIL" == lone.state
    assert "  UNAVAIL  invalid label\n" in bench.do("zpool import")
    assert "cannot import 'lone': one or more devices is currently unavailable\n" == bench.refused(
        "zpool import lone"
    )


def test_what_could_be_imported_is_listed_as_zfs_lists_it() -> None:
    bench = Bench("mirror 15 16", disks=17)
    bench.do(
        "zpool create exported mirror {0} {1} log {2} cache {3} spare {4}",
        "zpool create elsewhere raidz1 {5} {6} {7}",
        "zpool create short mirror {8} {9} mirror {10} {11}",
        "zpool create nolog mirror {12} {13} log {14}",
    )
    for name in ("exported", "elsewhere", "short", "nolog"):
        bench.do(f"zpool export {name}")
    for number in (9, 10, 11, 14):
        unplug(bench.world, bench.disk(number))

    assert paragraphs(captured("zpool_import.txt")) == paragraphs(bench.do("zpool import"))
    assert captured("zpool_import_short.txt") == bench.run("zpool import short").stdout
    assert captured("zpool_import_short.txt.err") == bench.run("zpool import short").stderr
    assert captured("zpool_import_nolog.txt") == bench.run("zpool import nolog").stdout
    bench.do("zpool import exported", "zpool destroy exported")
    assert paragraphs(captured("zpool_import_D.txt")) == paragraphs(bench.do("zpool import -D"))


def captured(name: str) -> str:
    return (CAPTURES / "2.4" / "importable" / name).read_text(encoding="utf-8")


def paragraphs(text: str) -> list[str]:
    """What is told of each pool, by name, without the guids; the order is that of the drives found."""
    masked = re.sub(r"(?m)^    id: \d+$", "    id: 0", text)
    return sorted(part.strip("\n") for part in re.split(r"(?m)^  pool: ", masked) if part)


def test_a_lost_log_must_be_given_up_by_name() -> None:
    bench = Bench("mirror 0 1 log 2")
    bench.do("zpool export tank")
    unplug(bench.world, bench.disk(2))

    reply = bench.run("zpool import tank")

    assert "use '-m' to import the pool anyway:\n\t    wwn-0x5000c500a0000002 [log]\n" in reply.stdout
    assert "cannot import 'tank': one or more devices is currently unavailable\n" == reply.stderr
    bench.do("zpool import -m tank")
    assert "DEGRADED" == bench.pool().state


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("zpool import nosuch", "cannot import 'nosuch': no such pool available\n"),
        (
            "zpool import tank",
            "cannot import 'tank': a pool with that name already exists\nuse the form 'zpool",
        ),
        ("zpool import old tank", "cannot import 'old' as 'tank': pool already exists\n"),
        (
            "zpool import twin",
            "cannot import 'twin': more than one matching pool\nimport by numeric ID instead\n",
        ),
    ],
)
def test_what_cannot_be_imported_is_refused_in_zfs_words(line: str, said: str) -> None:
    bench = Bench("mirror 0 1")
    for name, number in (("old", 2), ("twin", 3), ("twin", 4)):
        bring(bench.world, name, [f"LAB{number:04d}"], host="attic", days_ago=3, exported=True)

    assert bench.refused(line).startswith(said)


def test_all_pools_can_be_imported_at_once() -> None:
    bench = Bench("mirror 0 1")
    bench.do("zpool create other {2}", "zpool export -a", "zpool import -a")

    assert ["other", "tank"] == list(bench.world.pools)


def test_a_mirrored_pool_is_split() -> None:
    bench = Bench("mirror 0 1 mirror 2 3")
    bench.do("zfs create tank/home")

    layout = bench.do("zpool split -n tank copy")
    assert "would create 'copy' with the following layout:\n\n\tcopy\n\t  wwn-0x5000c500a0000001\n" in layout
    bench.do("zpool split tank copy {0}")

    assert "1 2" == outline(bench.pool())
    (found,) = bench.importable()
    assert "copy" == found.name
    bench.do("zpool import copy")
    assert "0 3" == outline(bench.pool("copy"))
    assert ["copy", "copy/home"] == bench.do("zfs list -Ho name -r copy").split()
    assert "split new pool copy from pool tank" in bench.internal()


@pytest.mark.parametrize(
    ("layout", "line", "said"),
    [
        (
            "raidz 0 1 2",
            "zpool split tank x",
            "Unable to split tank: Source pool must be composed only of mirrors\n",
        ),
        (
            "mirror 0 1",
            "zpool split tank x {0} {1}",
            "Unable to split tank: Device list must include at most one",
        ),
        ("mirror 0 1", "zpool split tank tank", "Unable to split tank: pool already exists\n"),
        ("mirror 0 1", "zpool split tank", "Missing new pool name\nusage:\n\tsplit "),
    ],
)
def test_what_cannot_be_split_is_refused_in_zfs_words(layout: str, line: str, said: str) -> None:
    assert Bench(layout).refused(line).startswith(said)


def test_a_label_is_cleared_only_from_what_serves_no_pool() -> None:
    bench = Bench("mirror 0 1")
    bring(bench.world, "old", ["LAB0002"], host="attic", days_ago=3)

    assert '{0}-part1 is a member (ACTIVE) of pool "tank"' == bench.refused("zpool labelclear {0}-part1")
    assert bench.refused("zpool labelclear -f {0}-part1").endswith(
        "Offline the disk first to clear its label."
    )
    assert (
        "use '-f' to override the following error:\n"
        '{2}-part1 is a member of potentially active pool "old"\n'
        == bench.refused("zpool labelclear {2}-part1")
    )
    assert "failed to read label from {3}-part1\n" == bench.refused("zpool labelclear -f {3}-part1")
    bench.do("zpool labelclear -f {2}-part1")
    assert () == bench.importable()
    bench.do("zpool add -f tank {2}")


def test_the_label_of_a_device_is_read() -> None:
    bench = Bench("mirror 0 1 spare 4")
    pool = bring(bench.world, "old", ["LAB0002"], host="attic", days_ago=3)

    def label(number: int) -> object:
        path = bench.path(number) + "-part1"
        return parse_label(path, bench.run(" ".join(read_label(path).argv)).stdout)

    found = parse_label("x", bench.run("zdb -l -u {2}-part1").stdout)
    assert found is not None
    assert ("old", pool.guid, "active", "attic", pool.accessed_at) == (
        found.pool,
        found.pool_guid,
        found.state,
        found.hostname,
        found.last_written,
    )
    assert label(0) is not None
    assert label(3) is None
    spare = parse_label("x", bench.run("zdb -l -u {4}-part1").stdout)
    assert spare is not None
    assert "spare" == spare.state
    bench.do("zpool destroy tank")
    gone = parse_label("x", bench.run("zdb -l {0}-part1").stdout)
    assert gone is not None
    assert "destroyed" == gone.state


def test_a_pool_gets_another_guid_and_syncs() -> None:
    bench = Bench("mirror 0 1")
    before = bench.practice().guid

    bench.do("zpool reguid tank", "zpool sync", "zpool reopen tank")

    assert before != bench.practice().guid
    assert "sysevent.fs.zfs.pool_reguid" in bench.events()
