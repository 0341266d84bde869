"""Expansions move on, wait and end."""

from __future__ import annotations

from tests.practice.zpool.bench import GIB, Bench, outline


def test_a_raidz_becomes_wider_and_is_scrubbed() -> None:
    """Its deflate ratio stays that of the old width."""
    bench = Bench("raidz1 0 1 2", allocated=3 * GIB)
    before = bench.pool()
    ratio = bench.practice().root.children[0].ratio

    bench.do("zpool attach tank raidz1-0 {3}")

    during = bench.pool()
    assert ["raidz_expand"] == [work.kind for work in during.activities if work.state == "active"]
    assert before.size_bytes == during.size_bytes
    assert "cannot checkpoint 'tank': raidz expansion in progress\n" == bench.refused("zpool checkpoint tank")
    assert "cannot attach {4} to raidz1-0: raidz expansion in progress\n" == bench.refused(
        "zpool attach tank raidz1-0 {4}"
    )
    bench.go(100)
    after = bench.pool()
    assert "raidz1(0 1 2 3)" == outline(after)
    assert (after.size_bytes or 0) > (before.size_bytes or 0)
    assert ratio == bench.practice().root.children[0].ratio
    assert after.scan is not None
    assert "scrub" == after.scan.function
    assert "raidz vdev expansion completed tank vdev 0 new width 4" in bench.internal()


def test_an_expansion_waits_for_a_disk_that_is_away() -> None:
    bench = Bench("raidz1 0 1 2", allocated=3 * GIB)
    bench.do("zpool attach tank raidz1-0 {3}", "zpool offline tank {0}")

    bench.go(100)

    assert "paused for resilver or clear" in bench.do("zpool status tank")
    bench.do("zpool online tank {0}")
    bench.go(200)
    assert "expand: expanded raidz1-0 copied 3G in " in bench.do("zpool status tank")
