"""Every line of I/O finds its vdev, on every layout that was recorded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import CAPTURES
from tests.ui import states
from zconsole.model.host.zfs_version import ZfsVersion
from zconsole.model.pools.iostat import IoRow, IoSample
from zconsole.model.pools.pool import Pool, Vdev
from zconsole.views.pools.vdev_rows import VdevRow, cells_for_serials, io_places, nodes
from zconsole.zfs.status.status import parse_status

VERSION = ZfsVersion("zfs-2.4.4-1")
STATUS, IOSTAT = "zpool_status.json", "zpool_iostat_Hpvlq_since_boot.tsv"
STATES = sorted(
    path.parent for path in (CAPTURES / "2.4").glob(f"*/{IOSTAT}") if (path.parent / STATUS).exists()
)


def pools_of(folder: Path) -> tuple[Pool, ...]:
    text = (folder / STATUS).read_bytes()
    return tuple(parse_status(text, VERSION)) if json.loads(text).get("pools") else ()


def rows_of(folder: Path) -> list[str]:
    text = (folder / IOSTAT).read_text()
    return [line.split("\t")[0] for line in text.split("\n") if line]


def test_captures_were_found() -> None:
    assert len(STATES) > 20


@pytest.mark.parametrize("folder", STATES, ids=lambda path: path.name)
def test_every_line_of_iostat_finds_a_vdev_of_its_name(folder: Path) -> None:
    names = rows_of(folder)
    pools = pools_of(folder)
    starts = [names.index(pool.name) for pool in pools]

    for pool, start, end in zip(pools, starts, [*starts[1:], len(names)][: len(pools)], strict=True):
        rows = tuple(IoRow(name, None, None, 0, 0, 0, 0) for name in names[start:end])
        order = [each for each in nodes(pool) if isinstance(each, VdevRow)]

        places = io_places(order, IoSample(pool.name, 0.0, rows))

        by_key = {node.key: node.vdev.name for node in order}
        assert {key: rows[place].name for key, place in places.items()} == {
            key: by_key[key] for key in places
        }
        found = {rows[place].name for place in places.values()}
        assert {name for name in names[start + 1 : end] if not name.startswith("indirect-")} <= found
        assert len(places) == len(set(places.values()))


def test_one_line_that_is_missing_does_not_shift_the_rest() -> None:
    pool = states.tank()
    order = [each for each in nodes(pool) if isinstance(each, VdevRow)]
    sample = states.sample(pool)
    without = IoSample("tank", 0.0, (*sample.rows[:2], *sample.rows[3:]))

    places = io_places(order, without)

    names = {node.key: node.vdev.name for node in order}
    assert all(without.rows[place].name == names[key] for key, place in places.items())


def test_classes_stand_in_the_order_of_zpool_status() -> None:
    assert ["special", "logs", "cache", "spares"] == [
        each for each in nodes(states.tank()) if isinstance(each, str)
    ]


def test_the_tree_asks_for_cells_in_which_the_longest_serial_number_is_whole() -> None:
    deep = VdevRow("a", leaf_named("ata-WDC_WD40EFRX-68N_WD-WCC7K1234567"), 4, "│ │ │ ├ ")
    flat = VdevRow("b", leaf_named("ata-ST4000NM0035-1V4107_ZC13A0R7"), 2, "│ ├ ")
    unnamed = VdevRow("c", leaf_named("sdq"), 4, "│ │ │ ├ ")

    assert 8 + len("…WD-WCC7K1234567") == cells_for_serials(("logs", deep, flat, unnamed))
    assert 0 == cells_for_serials((unnamed,))


def leaf_named(name: str) -> Vdev:
    return Vdev(name, "disk", "data", "ONLINE")
