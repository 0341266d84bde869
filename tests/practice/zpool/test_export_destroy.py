"""`zpool export` and `zpool destroy`."""

from __future__ import annotations

from tests.practice.zpool.bench import Bench, outline


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
