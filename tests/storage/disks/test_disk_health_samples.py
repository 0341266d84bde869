"""SMART data kept over the years: the newest of each disk, one a day, and growth told from a week before."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from zconsole.model.pools.smart_health import DiskHealth, PowerMode, SelfTest
from zconsole.storage.disks.disk_health_samples import DAY_S, KEPT_S, DiskHealthStore, DiskHealthStoreError

NOW = 1_800_000_000.0
DISK = ("wwn", "0x5000c500a0000000")
OTHER = ("serial", "ST4000NM", 'S"\0é')
FULL = DiskHealth(
    "NVMe", "m", "s", "f", PowerMode.ACTIVE, is_passing=False, verdict_words="w",
    failing_attributes=("a", "b"), power_on_hours=3, temperature_c=40, temperature_limit_c=70, reallocated=1,
    pending=2, offline_uncorrectable=3, reported_uncorrectable=4, crc_errors=5, critical_warning=6,
    available_spare=99, spare_threshold=10, wear=7, self_test=SelfTest(True, "passed", 2),
)  # fmt: skip


@pytest.fixture
def store(tmp_path: Path) -> DiskHealthStore:
    return DiskHealthStore(tmp_path / "kept" / "disk-health.sqlite")


def test_what_is_kept_comes_back_whole(store: DiskHealthStore) -> None:
    store.add([(DISK, FULL), (OTHER, DiskHealth())], NOW)

    found = store.known([DISK, OTHER, ("wwn", "0x2")])

    assert {DISK: FULL, OTHER: DiskHealth()} == {name: each.health for name, each in found.items()}
    assert {NOW} == {each.at for each in found.values()}


def test_nothing_is_known_and_no_file_made_before_the_first(store: DiskHealthStore) -> None:
    assert {} == store.known([DISK])
    assert not store.path.exists()


def test_growth_is_told_from_a_week_before_or_else_from_the_oldest(store: DiskHealthStore) -> None:
    for day in range(12):
        store.add([(DISK, DiskHealth(pending=day))], NOW + day * DAY_S)
        if day == 3:
            young = store.known([DISK])[DISK].earlier

    old = store.known([DISK])[DISK].earlier

    assert young is not None
    assert old is not None
    assert (0, 3 * DAY_S) == (young.health.pending, young.age_s)
    assert (4, 7 * DAY_S) == (old.health.pending, old.age_s)


def test_readings_of_one_hour_tell_no_growth(store: DiskHealthStore) -> None:
    store.add([(DISK, DiskHealth(pending=1))], NOW)
    store.add([(DISK, DiskHealth(pending=2))], NOW + 60)

    found = store.known([DISK])[DISK]

    assert (2, None) == (found.health.pending, found.earlier)


@pytest.mark.slow
def test_what_is_kept_is_bounded(store: DiskHealthStore) -> None:
    for at in range(0, KEPT_S + 60 * DAY_S, DAY_S):
        store.add([(DISK, DiskHealth())], NOW + at)

    with sqlite3.connect(store.path) as connection:
        (rows,) = connection.execute("SELECT count(*) FROM days").fetchone()
    assert KEPT_S // DAY_S // 7 + 15 >= rows > 100


@pytest.mark.parametrize("data", ["{", '{"pending": "x"}', b"\xff", "[]"])
def test_damaged_data_is_a_sentence(store: DiskHealthStore, data: object) -> None:
    store.add([(DISK, DiskHealth())], NOW)
    with sqlite3.connect(store.path) as connection:
        connection.execute("UPDATE disks SET data = ?", (data,))
    connection.close()

    with pytest.raises(DiskHealthStoreError, match="cannot be read"):
        store.known([DISK])
