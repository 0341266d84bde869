"""The table of `iostat`: aligned, with its units, and safe."""

from __future__ import annotations

from tests.reports.iostat_samples import AT, pool_of, sample_of
from zconsole.model.pools.iostat import IoRow, IoSample
from zconsole.reports.text.iostat import sample_lines


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
