"""Vdevs as a command line names them."""

from __future__ import annotations

import pytest

from tests.practice.zpool.bench import Bench, outline


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
