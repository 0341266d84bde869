"""`zpool offline`, `zpool online` and `zpool clear`."""

from __future__ import annotations

from tests.practice.zpool.bench import GIB, Bench
from zconsole.practice.world.vdev_states_and_drive_unplugging import plug, unplug


def test_a_device_goes_offline_and_comes_back() -> None:
    bench = Bench("mirror 0 1", allocated=GIB)

    bench.do("zpool offline tank {0}")

    assert ("DEGRADED", ["OFFLINE", "ONLINE"]) == states(bench)
    bench.do("zpool online tank {0}")
    bench.go(10)
    assert ("ONLINE", ["ONLINE", "ONLINE"]) == states(bench)
    assert ["zpool offline tank {0}", "zpool online tank {0}"] == bench.history()[1:]
    assert "sysevent.fs.zfs.vdev_online" in bench.events()


def states(bench: Bench) -> tuple[str, list[str]]:
    pool = bench.pool()
    return pool.state, [leaf.state for top in pool.vdevs for leaf in top.leaves()]


def test_a_log_and_a_cache_may_go_offline_and_a_spare_may_not() -> None:
    bench = Bench()

    bench.do("zpool offline tank {6}", "zpool offline tank {7}")

    assert "cannot offline {8}: device is reserved as a hot spare\n" == bench.refused(
        "zpool offline tank {8}"
    )
    assert "cannot offline mirror-0: operation not supported on this type of pool\n" == bench.refused(
        "zpool offline tank mirror-0"
    )


def test_forced_offline_faults_and_clear_mends() -> None:
    bench = Bench("mirror 0 1", allocated=GIB)

    bench.do("zpool offline -f tank {0}")

    assert ("DEGRADED", ["FAULTED", "ONLINE"]) == states(bench)
    assert "external device fault" in bench.do("zpool status tank")
    assert "onlined, but remains in faulted state\nuse 'zpool clear' to restore" in bench.do(
        "zpool online tank {0}"
    )
    bench.do("zpool clear tank {0}")
    bench.go(10)
    assert ("ONLINE", ["ONLINE", "ONLINE"]) == states(bench)
    assert "sysevent.fs.zfs.vdev_clear" in bench.events()


def test_forced_offline_of_the_last_replica_only_degrades_it() -> None:
    bench = Bench("mirror 0 1")
    bench.do("zpool offline tank {0}", "zpool offline -f tank {1}")

    assert ("DEGRADED", ["OFFLINE", "DEGRADED"]) == states(bench)


def test_a_temporary_state_is_forgotten_by_an_export() -> None:
    bench = Bench("raidz2 0 1 2 3")
    bench.do("zpool offline -t tank {0}", "zpool offline tank {1}")

    bench.do("zpool export tank", "zpool import tank")

    assert ["ONLINE", "OFFLINE", "ONLINE", "ONLINE"] == states(bench)[1]


def test_clearing_forgets_the_errors() -> None:
    bench = Bench("mirror 0 1")
    leaf = next(bench.practice().root.leaves())
    leaf.read_errors, leaf.checksum_errors = 3, 9

    bench.do("zpool clear tank")

    assert not any(vdev.has_errors for vdev in bench.pool().walk())
    assert "" == bench.pool().status


def test_a_suspended_pool_goes_on_when_its_disks_are_back_and_it_is_cleared() -> None:
    bench = Bench("mirror 0 1")
    for number in (0, 1):
        unplug(bench.world, bench.disk(number))
    assert "SUSPENDED" == bench.pool().state
    assert "cannot clear errors for tank: I/O error\n" == bench.refused("zpool clear tank")

    for number in (0, 1):
        bench.disk(number).is_present = True
    bench.do("zpool clear tank")

    assert "ONLINE" == bench.pool().state


def test_a_disk_that_is_gone_cannot_be_brought_online() -> None:
    bench = Bench("mirror 0 1")
    unplug(bench.world, bench.disk(0))

    said = bench.do("zpool online tank {0}")

    assert "use 'zpool replace' to replace devices that are no longer present\n" in said
    plug(bench.world, bench.disk(0))
    bench.do("zpool online tank {0}")
    assert ("ONLINE", ["ONLINE", "ONLINE"]) == states(bench)
