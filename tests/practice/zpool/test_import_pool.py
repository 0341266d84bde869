"""`zpool import` of pools on the drives."""

from __future__ import annotations

import pytest

from tests.practice.laboratory import captured, mirrors, run
from tests.practice.zpool.bench import Bench
from zconsole.practice.ready_made_pools import bring
from zconsole.practice.world.vdev_states_and_drive_unplugging import unplug


def test_nothing_is_importable() -> None:
    reply = run(mirrors(), "zpool import")

    assert (captured("zpool_import.txt"), captured("zpool_import.txt.err"), 0) == (
        reply.stdout,
        reply.stderr,
        reply.status,
    )


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
