"""`zpool remove`: what leaves at once, what is evacuated, and what can never leave."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import GIB, Bench, outline


def test_a_mirror_is_evacuated_and_leaves_an_indirect_vdev() -> None:
    bench = Bench("mirror 0 1 mirror 2 3", allocated=2 * GIB)

    bench.do("zpool remove tank mirror-1")

    during = bench.pool()
    assert [("removal", "active")] == [(work.kind, work.state) for work in during.activities]
    assert [False, True] == [top.is_removing for top in during.vdevs]
    bench.go(120)
    after = bench.pool()
    assert "mirror(0 1)" == outline(after)
    assert 4 * GIB == after.allocated_bytes
    assert "remove: Removal of vdev 1 copied 2G in 0h0m, completed on " in bench.do("zpool status tank")
    assert ["mirror", "indirect"] == [top.kind for top in bench.practice().root.children]
    assert {"vdev remove started tank vdev 1 -", "vdev remove completed tank vdev 1"} <= set(bench.internal())
    bench.do("zpool create other mirror {2} {3}")


def test_a_removal_can_be_stopped_and_waited_for() -> None:
    bench = Bench("mirror 0 1 mirror 2 3", allocated=2 * GIB)
    bench.do("zpool remove tank mirror-1")
    bench.go(1)

    bench.do("zpool remove -s tank")

    assert "mirror(0 1) mirror(2 3)" == outline(bench.pool())
    assert "cannot cancel removal: operation is not in progress\n" == bench.refused("zpool remove -s tank")
    assert 0 == bench.wait("zpool remove -w tank mirror-1").status
    assert "mirror(0 1)" == outline(bench.pool())


def test_logs_caches_and_spares_leave_at_once() -> None:
    bench = Bench()

    bench.do("zpool remove tank {6}", "zpool remove tank {7} {8}")

    assert "mirror(0 1) mirror(2 3) special:mirror(4 5)" == outline(bench.pool())
    assert {
        "vdev remove tank vdev 3 (log) {6}-part1",
        "vdev remove tank vdev (l2cache) {7}-part1",
        "vdev remove tank vdev (spare) {8}-part1",
    } <= set(bench.internal())
    assert 2 == bench.events().count("sysevent.fs.zfs.vdev_remove_aux")


def test_the_number_of_a_removed_log_is_given_again() -> None:
    bench = Bench("mirror 0 1 log 2 mirror 3 4")

    bench.do("zpool remove tank {2}", "zpool add tank mirror {5} {6}")

    assert [0, 1, 2] == [top.vdev_id for top in bench.practice().root.children]


def test_a_dry_run_tells_the_memory() -> None:
    bench = Bench("mirror 0 1 mirror 2 3", allocated=2 * GIB)

    assert "Memory that will be used after removing mirror-1: 48K\n" == bench.do(
        "zpool remove -n tank mirror-1"
    )
    assert "mirror-1 49152\n" == bench.do("zpool remove -np tank mirror-1")
    assert not bench.pool().activities


@pytest.mark.parametrize(
    ("layout", "line", "said"),
    [
        ("mirror 0 1", "zpool remove tank nosuch", "cannot remove nosuch: no such device in pool\n"),
        ("mirror 0 1", "zpool remove tank mirror-0", "cannot remove mirror-0: out of space\n"),
        (
            "mirror 0 1 mirror 2 3",
            "zpool remove tank {2}",
            "cannot remove {2}: operation not supported on this type of pool\n",
        ),
        (
            "raidz 0 1 2 raidz 3 4 5",
            "zpool remove tank raidz1-1",
            (
                "cannot remove raidz1-1: invalid config; all top-level vdevs must have the same sector size"
                " and not be raidz.\n"
            ),
        ),
        (
            "raidz 0 1 2 special mirror 3 4",
            "zpool remove tank mirror-1",
            (
                "cannot remove mirror-1: invalid config; all top-level vdevs must have the same sector size"
                " and not be raidz.\n"
            ),
        ),
        (
            "mirror 0 1",
            "zpool remove tank draid1-0-0",
            "cannot remove draid1-0-0: dRAID spares cannot be removed\n",
        ),
    ],
)
def test_what_cannot_be_removed_is_refused_in_zfs_words(layout: str, line: str, said: str) -> None:
    bench = Bench(layout)

    reply = bench.run(line)

    assert (1, said) == (reply.status, bench.short(reply.stderr))
    assert not bench.pool().activities


def test_a_vdev_that_is_not_whole_cannot_be_removed() -> None:
    bench = Bench("mirror 0 1 mirror 2 3")
    bench.do("zpool offline tank {2}")

    assert "cannot remove mirror-1: Pool busy; removal may already be in progress\n" == bench.refused(
        "zpool remove tank mirror-1"
    )


def test_after_a_removal_no_raidz_can_be_added() -> None:
    bench = Bench("mirror 0 1 mirror 2 3")
    bench.do("zpool remove tank mirror-1")
    bench.go(5)

    said = bench.refused("zpool add -f tank raidz {4} {5} {6}")

    assert said.startswith(
        "cannot add to 'tank': invalid config; a pool with removing/removed vdevs does not"
    )


def test_a_full_pool_cannot_take_what_another_vdev_holds() -> None:
    bench = Bench("mirror 0 1 mirror 2 3", allocated=6 * GIB)

    assert "cannot remove mirror-1: out of space\n" == bench.refused("zpool remove tank mirror-1")
