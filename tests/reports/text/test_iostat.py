"""`iostat` gives each vdev its row, its place in the tree and its guid, live."""

from __future__ import annotations

import json

import pytest

from tests.reports.captured import captured
from tests.reports.schema import SAMPLE, mismatch
from zconsole.model.pools.iostat import IoRow, IoSample, Latency
from zconsole.model.pools.pool import Pool
from zconsole.reports.json.json_line import as_line
from zconsole.reports.text.iostat import sample_document, sample_lines
from zconsole.zfs.iostat.iostat_stream import expected_rows, row_names

AT = 1_795_220_000.0


def pool_of(series: str, state: str) -> Pool:
    found = captured(series, state).pools[0].pool.value
    assert found is not None
    return found


def sample_of(pool: Pool, *, busy: float | None = 0.25) -> IoSample:
    rows = tuple(
        IoRow(name, 4096 * at, None, at, 2.0 * at, 1024.0 * 1024 * at, 512.0, Latency(total_read=8_400_000))
        for at, name in enumerate(row_names(pool))
    )
    return IoSample(pool.name, AT, rows, tuple(busy for _ in rows))


@pytest.mark.parametrize(
    ("series", "state"),
    [
        (series, state)
        for series in ("2.1", "2.3", "2.4")
        for state in ("healthy-mirrors", "spare-in-use", "draid-spare-in-use")
    ],
)
def test_a_sample_has_the_documented_shape_and_the_guids_of_status(series: str, state: str) -> None:
    pool = pool_of(series, state)

    document = json.loads(as_line(sample_document("nas1", pool, sample_of(pool), 1.0)))

    assert "" == mismatch(document, SAMPLE)
    expected = [None if vdev is None or vdev.guid is None else str(vdev.guid) for vdev in expected_rows(pool)]
    assert expected == [row["guid"] for row in document["vdevs"]]


def test_the_tree_is_told_by_depth_and_class() -> None:
    pool = pool_of("2.4", "spare-in-use")

    document = json.loads(as_line(sample_document("nas1", pool, sample_of(pool), 1.0)))

    assert [
        ("tank", 0, None),
        ("mirror-0", 1, "data"),
        ("spare-0", 2, "data"),
        ("wwn-0x5000c500a0000000", 3, "data"),
    ] == [(row["name"], row["depth"], row["class"]) for row in document["vdevs"][:4]]
    assert {"special", "log", "cache"} <= {row["class"] for row in document["vdevs"]}


def test_rows_that_status_does_not_know_have_no_guid() -> None:
    pool = pool_of("2.4", "healthy-mirrors")
    strange = IoSample(
        pool.name, AT, (IoRow(pool.name, 1, 1, 0, 0, 0, 0), IoRow("new-disk", 1, 1, 0, 0, 0, 0))
    )

    document = json.loads(as_line(sample_document("nas1", pool, strange, 1.0)))

    assert "" == mismatch(document, SAMPLE)
    assert ("new-disk", None, None) == tuple(document["vdevs"][1][key] for key in ("name", "guid", "busy"))


def test_the_table_is_aligned_and_has_its_units_in_the_heading() -> None:
    pool = pool_of("2.4", "healthy-mirrors")

    at, heading, *rows = sample_lines(pool, sample_of(pool))

    assert "2026-11-21 00:13:20 UTC" == at
    assert "VDEV" == heading.split("  ")[0]
    assert {len(heading)} == {len(row) for row in rows}
    assert ["mirror-0", "1", "2", "1.00", "0.00", "8.4", "·", "25%"] == rows[1].split()
    assert any(row.startswith("  mirror-2 (special)") for row in rows)


def test_a_long_name_moves_the_columns_and_is_not_cut() -> None:
    pool = pool_of("2.4", "healthy-mirrors")
    name = "ata-" + "x" * 60
    long = IoSample(pool.name, AT, (IoRow(name, None, None, 0, 0, 0, 0),))

    _, heading, row = sample_lines(pool, long)

    assert row.startswith(f"{name} ")
    assert len(heading) == len(row)


def test_hostile_names_are_spelled_out() -> None:
    pool = pool_of("2.4", "healthy-mirrors")
    hostile = IoSample(pool.name, AT, (IoRow("ta\x1b[2Jnk", None, None, 0, 0, 0, 0),))

    assert all(line.isprintable() for line in sample_lines(pool, hostile))
