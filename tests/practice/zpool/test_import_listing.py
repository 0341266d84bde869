"""The list of pools that `zpool import` prints, beside real ones."""

from __future__ import annotations

import re

from tests.conftest import CAPTURES
from tests.practice.zpool.bench import Bench
from zconsole.practice.world.vdev_states_and_drive_unplugging import unplug


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
