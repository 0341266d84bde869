"""`zpool attach`, `zpool replace` and `zpool detach`: resilvers that take their time, and what is refused."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import GIB, Bench, outline

IN_USE = "is in use and contains a unknown filesystem.\n"


def test_a_mirror_gets_another_side_that_resilvers() -> None:
    bench = Bench("mirror 0 1", allocated=2 * GIB)

    bench.do("zpool attach tank {0} {2}")

    pool = bench.pool()
    assert "mirror(0 1 2)" == outline(pool)
    assert pool.scan is not None
    assert ("resilver", "scanning") == (pool.scan.function, pool.scan.state)
    assert [False, False, True] == [leaf.is_resilvering for leaf in pool.vdevs[0].children]
    bench.go(60)
    pool = bench.pool()
    assert pool.scan is not None
    assert ("finished", 2 * GIB) == (pool.scan.state, pool.scan.repaired_bytes)
    assert ["zpool attach tank {0} {2}"] == bench.history()[1:]
    assert "vdev attach attach vdev={2}-part1 to vdev={0}-part1" in bench.internal()
    told = [event.rpartition(".")[2] for event in bench.events()]
    assert ["vdev_attach", "resilver_start", "resilver_finish"] == [
        name for name in told if name.startswith(("vdev_", "resilver_"))
    ]


def test_a_single_disk_becomes_a_mirror() -> None:
    bench = Bench("0")

    bench.do("zpool attach tank {0} {1}")

    assert "mirror(0 1)" == outline(bench.pool())


def test_a_replaced_disk_leaves_when_the_new_one_holds_everything() -> None:
    bench = Bench("mirror 0 1", allocated=3 * GIB)
    guid = bench.practice().root.children[0].children[1].guid

    bench.do(f"zpool replace tank {guid} {{2}}")

    assert "mirror(0 replacing(1 2))" == outline(bench.pool())
    assert "1 is part" not in bench.refused("zpool add tank {1}")
    bench.go(120)
    assert "mirror(0 2)" == outline(bench.pool())
    assert "detach vdev={1}-part1" in bench.internal()
    bench.do("zpool attach tank {0} {1}")  # the drive is free again


def test_waiting_ends_with_the_replacement() -> None:
    bench = Bench("mirror 0 1", allocated=3 * GIB)

    reply = bench.wait("zpool replace -w tank {1} {2}")

    assert 0 == reply.status
    assert "mirror(0 2)" == outline(bench.pool())


def test_a_draid_uses_its_distributed_spare() -> None:
    bench = Bench("")
    bench.do("zpool create tank draid2:3d:7c:1s {0} {1} {2} {3} {4} {5} {6}", "zpool offline -f tank {2}")

    bench.do("zpool replace -s tank {2} draid2-0-0")
    bench.go(60)

    pool = bench.pool()
    assert "draid2(0 1 spare(2 draid2-0-0) 3 4 5 6) spare:draid2-0-0" == outline(pool)
    assert "INUSE" == pool.vdevs[1].state
    bench.do("zpool replace tank {2} {7}")
    bench.go(60)
    assert "draid2(0 1 7 3 4 5 6) spare:draid2-0-0" == outline(bench.pool())
    assert "AVAIL" == bench.pool().vdevs[1].state


def test_a_hot_spare_steps_in_and_goes_back() -> None:
    bench = Bench("mirror 0 1 spare 2", allocated=GIB)
    bench.do("zpool offline -f tank {0}")

    bench.do("zpool replace tank {0} {2}")
    bench.go(60)

    assert "mirror(spare(0 2) 1) spare:2" == outline(bench.pool())
    assert "INUSE" == bench.pool().vdevs[-1].state
    assert "cannot remove {2}: Pool busy; removal may already be in progress\n" == bench.refused(
        "zpool remove tank {2}"
    )
    bench.do("zpool clear tank {0}")
    bench.go(60)
    assert "mirror(0 1) spare:2" == outline(bench.pool())
    assert "AVAIL" == bench.pool().vdevs[-1].state


def test_a_spare_stays_when_what_it_stands_in_for_is_detached() -> None:
    bench = Bench("mirror 0 1 spare 2", allocated=GIB)
    bench.do("zpool offline -f tank {0}", "zpool replace tank {0} {2}")
    bench.go(60)

    bench.do("zpool detach tank {0}")

    assert "mirror(2 1)" == outline(bench.pool())


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("zpool attach tank {0} {1}", 1, "{1} " + IN_USE),
        ("zpool attach -f tank {0} {1}", 1, "{1} " + IN_USE),
        ("zpool replace tank {0} {0}", 1, "{0} " + IN_USE),
        ("zpool replace tank {0}", 1, "{0} " + IN_USE),
        ("zpool replace tank nosuch {9}", 255, "cannot replace nosuch with {9}: no such device in pool\n"),
        ("zpool attach tank nosuch {9}", 255, "cannot attach {9} to nosuch: no such device in pool\n"),
        ("zpool attach tank {7} {9}", 255, "cannot attach {9} to {7}: device is in use as a cache\n"),
        ("zpool attach tank {8} {9}", 255, "cannot attach {9} to {8}: device is reserved as a hot spare\n"),
        (
            "zpool attach tank mirror-0 {9}",
            255,
            "cannot attach {9} to mirror-0: can only attach to mirrors and top-level disks\n",
        ),
        ("zpool replace tank {0} {10}", 255, "cannot replace {0} with {10}: device is too small\n"),
        (
            "zpool replace tank {0} {11}",
            1,
            (
                "invalid vdev specification\nuse '-f' to override the following errors:\n"
                "/dev/sdl1 is part of exported pool 'other'\n"
            ),
        ),
        ("zpool attach nosuch {0} {9}", 1, "cannot open 'nosuch': no such pool\n"),
        ("zpool attach tank {0}", 2, "missing <new_device> specification\nusage:\n\tattach "),
        ("zpool detach tank {6}", 255, "cannot detach {6}: only applicable to mirror and replacing vdevs\n"),
        (
            "zpool detach tank mirror-0",
            255,
            "cannot detach mirror-0: only applicable to mirror and replacing",
        ),
        ("zpool detach tank {7}", 255, "cannot detach {7}: device is in use as a cache\n"),
        ("zpool detach tank {8}", 255, "cannot detach {8}: device is reserved as a hot spare\n"),
        ("zpool detach tank nosuch", 255, "cannot detach nosuch: no such device in pool\n"),
    ],
)
def test_what_cannot_be_attached_or_detached_is_refused_in_zfs_words(
    line: str, status: int, said: str
) -> None:
    bench = Bench()
    bench.disk(10).size = 4 * GIB
    bench.do("zpool create other {11}", "zpool export other")
    before = outline(bench.pool())

    reply = bench.run(line)

    assert status == reply.status
    assert bench.short(reply.stderr).startswith(said)
    assert before == outline(bench.pool())


def test_the_last_replica_cannot_be_detached() -> None:
    bench = Bench("mirror 0 1")
    bench.do("zpool offline tank {0}")

    assert "cannot detach {1}: no valid replicas\n" == bench.refused("zpool detach tank {1}")
    bench.do("zpool detach tank {0}")
    assert "1" == outline(bench.pool())


def test_a_side_that_still_resilvers_is_no_replica() -> None:
    bench = Bench("mirror 0 1", allocated=6 * GIB)
    bench.do("zpool detach tank {1}", "zpool attach tank {0} {2}")

    assert "cannot detach {0}: no valid replicas\n" == bench.refused("zpool detach tank {0}")
    assert "cannot offline {0}: no valid replicas\n" == bench.refused("zpool offline tank {0}")
    bench.go(100)
    bench.do("zpool detach tank {0}")


@pytest.mark.parametrize("command", ["attach", "replace"])
def test_a_device_of_coarser_sectors_is_refused(command: str) -> None:
    bench = Bench("")
    bench.do("zpool create -o ashift=9 tank {0}")
    bench.disk(1).sectors = (4096, 4096)

    said = bench.refused(f"zpool {command} tank {{0}} {{1}}")

    assert said.endswith(
        ": The new device cannot have a higher alignment requirement than the top-level vdev.\n"
    )


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("zpool attach tank {0} {9}", 255),
        ("zpool replace tank {0} {9}", 255),
        ("zpool detach tank {0}", 255),
        ("zpool remove tank mirror-1", 1),
        ("zpool remove tank {7}", 1),
        ("zpool split tank other", 1),
        ("zpool checkpoint tank", 1),
    ],
)
def test_a_checkpoint_forbids_changes_of_the_layout(line: str, status: int) -> None:
    bench = Bench()
    bench.do("zpool checkpoint tank")

    reply = bench.run(line)

    assert status == reply.status
    assert reply.stderr.endswith(": checkpoint exists\n")


def test_a_refused_device_has_been_partitioned_all_the_same() -> None:
    """As ZFS does: the label is written before the kernel looks at the size."""
    bench = Bench("mirror 0 1")
    bench.disk(2).size = 4 * GIB

    bench.refused("zpool attach tank {0} {2}")

    assert bench.disk(2).is_partitioned
