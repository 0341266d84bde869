"""An hour of datasets' I/O: the busiest of each reading, found by time, in bounded memory."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from zconsole.history.dataset_load_history import KEPT_ROWS, MAX_BYTES, LoadHistory, busiest
from zconsole.model.pools.dataset_io import DatasetIo, DatasetIoSample, OtherDatasets

HOUR_S = 3600.0
RATES = st.integers(0, 1 << 40).map(lambda whole: whole / 8)
ROWS = st.builds(
    DatasetIo,
    st.just(""), RATES, RATES, RATES, RATES, RATES, st.one_of(st.none(), RATES),
)  # fmt: skip


def sample_of(at: float, *rows: DatasetIo) -> DatasetIoSample:
    return DatasetIoSample(at, 2.0, rows or (DatasetIo("tank/a", at, 0.0, 0.0, 0.0),))


def kept_of(*moments: float, keep_s: float = HOUR_S, max_bytes: int = MAX_BYTES) -> LoadHistory:
    kept = LoadHistory(keep_s=keep_s, max_bytes=max_bytes)
    for at in moments:
        kept.add("nas1", "tank", sample_of(at))
    return kept


def told(row: DatasetIo) -> tuple[float, ...]:
    return (row.read_ops, row.write_ops, row.read_bytes, row.write_bytes, row.unlinked)


@given(st.lists(ROWS, max_size=KEPT_ROWS))
def test_what_comes_out_is_what_went_in(rows: list[DatasetIo]) -> None:
    """Within the seven digits of 32-bit numbers; who did nothing is counted."""
    named = [replace(row, name=f"tank/{at}") for at, row in enumerate(rows)]
    kept = LoadHistory(keep_s=HOUR_S)
    kept.add("nas1", "tank", DatasetIoSample(1000.25, 2.5, tuple(named)))

    (found,) = kept.until("nas1", "tank", 2000, 5)

    active = [row for row in named if row.is_active]
    assert (1000.25, 2.5) == (found.at, found.interval_s)
    assert [row.name for row in active] == [row.name for row in found.rows]
    assert OtherDatasets(idle=len(named) - len(active)) == found.others
    for row, back in zip(active, found.rows, strict=True):
        assert told(row) == pytest.approx(told(back), rel=1e-6)
        assert (row.commits is None) == (back.commits is None)
        assert (row.commits or 0.0) == pytest.approx(back.commits or 0.0, rel=1e-6)


@given(st.lists(ROWS, max_size=12), st.integers(1, 12))
@example([DatasetIo("", 0.0, 0.0, 0.0, 1 / 8)] * 2, 1)
def test_the_busiest_are_kept_and_nothing_of_the_sum_is_lost(rows: list[DatasetIo], most: int) -> None:
    sample = DatasetIoSample(1.0, 2.0, tuple(replace(row, name=f"{at}") for at, row in enumerate(rows)))

    found = busiest(sample, most)

    assert found.others is not None
    assert len(rows) == len(found.rows) + found.others.active + found.others.idle
    assert len(found.rows) == most or not found.others.active
    for kind in ("read_ops", "write_ops", "read_bytes", "write_bytes"):
        before = sum(getattr(row, kind) for row in sample.rows)
        assert before == pytest.approx(
            sum(getattr(row, kind) for row in found.rows) + getattr(found.others, kind)
        )


def test_who_moves_most_and_who_asks_most_are_both_busy() -> None:
    few_large = DatasetIo("backup", 1.0, 0.0, 1e9, 0.0)
    many_small = DatasetIo("database", 900.0, 0.0, 1e6, 0.0)
    others = [DatasetIo(f"home{at}", 9.0, 0.0, 2e6, 0.0) for at in range(9)]

    found = busiest(DatasetIoSample(1.0, 2.0, (few_large, *others, many_small)), 2)

    assert (few_large, many_small) == found.rows
    assert OtherDatasets(active=9, read_ops=81.0, read_bytes=18e6) == found.others


@pytest.mark.parametrize(
    ("epoch", "most", "expected"),
    [(1006, 2, [1004, 1006]), (1005.9, 9, [1000, 1002, 1004]), (9999, 1, [1008]), (5, 3, [])],
)
def test_readings_are_found_by_time(epoch: float, most: int, expected: list[float]) -> None:
    kept = kept_of(1000, 1002, 1004, 1006, 1008)

    assert expected == [each.at for each in kept.until("nas1", "tank", epoch, most)]
    assert [1000, 1002, 1004, 1006, 1008] == list(kept.times("nas1", "tank"))


def test_each_pool_of_each_host_has_its_own() -> None:
    kept = kept_of(1000)
    kept.add("nas2", "tank", sample_of(1002))

    assert [[1000], [1002], []] == [
        list(kept.times(*whose)) for whose in (("nas1", "tank"), ("nas2", "tank"), ("nas1", "bulk"))
    ]
    assert () == kept.until("nas1", "bulk", 2000, 1)


def test_an_hour_is_kept_and_no_more() -> None:
    """Also of a pool that nobody looks at any more."""
    kept = kept_of(1000, 1002, 1050, keep_s=100)
    kept.add("nas2", "bulk", sample_of(1101.5))
    assert [1002, 1050] == list(kept.times("nas1", "tank"))

    kept.add("nas2", "bulk", sample_of(1200))
    assert [] == list(kept.times("nas1", "tank"))
    assert [1101.5, 1200] == list(kept.times("nas2", "bulk"))


def test_who_wants_no_history_gets_none() -> None:
    assert 0 == kept_of(1000, keep_s=0).size_bytes


def test_an_hour_of_two_thousand_busy_datasets_has_room() -> None:
    """No number comes twice, and other datasets are among the busiest each time."""
    dice = random.Random(3)  # noqa: S311
    names = [f"tank/virtual/machine-{at:04}/disk-{at % 7}" for at in range(2000)]

    def reading() -> tuple[DatasetIo, ...]:
        return tuple(
            DatasetIo(name, *(dice.random() * 1e4 for _ in range(5)), commits=dice.random() * 99)
            for name in sorted(dice.sample(names, 60))
        )

    readings = [reading() for _ in range(60)]
    kept = LoadHistory(keep_s=HOUR_S)
    for at in range(0, 3600, 2):
        kept.add("nas1", "tank", DatasetIoSample(at, 2.0, readings[at // 2 % len(readings)]))

    assert 0 == kept.times("nas1", "tank")[0]
    assert kept.size_bytes < MAX_BYTES


def test_the_oldest_goes_where_there_is_no_room() -> None:
    """Of all hosts together, whoever it is of."""
    kept = kept_of(*range(1000, 1100), max_bytes=20_000)
    for at in range(1100, 1200):
        kept.add("nas2", "tank", sample_of(at))
    whole = [*kept.times("nas1", "tank"), *kept.times("nas2", "tank")]

    assert kept.size_bytes <= 20_000
    assert whole == list(range(1200 - len(whole), 1200))
    assert 20 < len(whole) < 200


def test_names_of_datasets_that_came_and_went_are_let_go() -> None:
    kept = LoadHistory(keep_s=20)
    sizes = []
    for at in range(1000, 1600):
        rows = (DatasetIo(f"tank/docker/{at}-{number}", 1.0, 0.0, 1.0, 0.0) for number in range(40))
        kept.add("nas1", "tank", DatasetIoSample(at, 1.0, tuple(rows)))
        sizes.append(kept.size_bytes)

    assert max(sizes[300:]) < 1.1 * max(sizes[:300])
    assert "tank/docker/1599-7" in {row.name for row in kept.until("nas1", "tank", 1599, 1)[0].rows}
