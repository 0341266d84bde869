"""The samples of how full pools were: whole after any end of their writer, bounded, and never made anew."""

from __future__ import annotations

import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from zconsole.model.pools.space_samples import DatasetUse, SpaceSample, UsePoint
from zconsole.storage import sqlite_file
from zconsole.storage.space_samples import (
    DAY_S,
    FORMAT,
    HOUR_S,
    MOST_DATASETS,
    SpaceStore,
    SpaceStoreError,
    store_path,
)

NOW = 1_795_000_000
GUID = 2**64 - 5  # more than SQLite's integers hold
SAMPLE = SpaceSample(
    float(NOW), "storage1", "tank", GUID, used_bytes=700, available_bytes=300,
    size_bytes=2000, allocated_bytes=1400, free_bytes=600,
    datasets=(DatasetUse("tank/home", 400, 100), DatasetUse("tank/vm", 200, None)),
)  # fmt: skip
KILLED_WRITER = """
import os, signal, sqlite3, sys
from pathlib import Path
from tests.storage.test_space_samples import NOW, SAMPLE
from zconsole.storage import space_samples
from dataclasses import replace

left = int(sys.argv[2])

def count(statement):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)

connect = sqlite3.connect

def traced(*args, **kwargs):
    connection = connect(*args, **kwargs)
    connection.set_trace_callback(count)
    return connection

sqlite3.connect = traced
store = space_samples.SpaceStore(Path(sys.argv[1]))
for number in range(3):
    store.add(replace(SAMPLE, at=NOW + 900.0 * number))
    print(number, flush=True)
"""


@pytest.fixture
def store(tmp_path: Path) -> SpaceStore:
    return SpaceStore(tmp_path / "data" / "samples.sqlite")


def at(*moments: float) -> list[SpaceSample]:
    return [replace(SAMPLE, at=float(moment)) for moment in moments]


def test_what_is_written_is_read_back(store: SpaceStore) -> None:
    store.add(SAMPLE)

    again = SpaceStore(store.path)
    assert (replace(SAMPLE, datasets=()),) == again.samples("storage1", GUID)
    assert replace(SAMPLE, datasets=()) == again.newest("storage1", GUID)
    assert {
        "tank/home": (UsePoint(float(NOW), 400, 100),),
        "tank/vm": (UsePoint(float(NOW), 200, None),),
    } == again.uses("storage1", GUID)


def test_pools_are_told_apart_by_host_and_guid_and_may_change_their_name(store: SpaceStore) -> None:
    store.add(SAMPLE)
    store.add(replace(SAMPLE, host="storage2", used_bytes=1))
    store.add(replace(SAMPLE, at=SAMPLE.at + 900, pool="renamed"))

    assert ["renamed", "renamed"] == [sample.pool for sample in store.samples("storage1", GUID)]
    assert [1] == [sample.used_bytes for sample in store.samples("storage2", GUID)]
    assert () == store.samples("storage1", GUID + 1)


def test_a_second_sample_of_the_same_second_takes_the_place_of_the_first(store: SpaceStore) -> None:
    store.add(SAMPLE)
    store.add(replace(SAMPLE, used_bytes=701))

    assert [701] == [sample.used_bytes for sample in store.samples("storage1", GUID)]


def test_there_is_nothing_where_nothing_was_written(store: SpaceStore) -> None:
    assert () == store.samples("storage1", GUID)
    assert store.newest("storage1", GUID) is None
    assert not store.path.exists()


@pytest.mark.slow
def test_what_is_old_is_thinned(store: SpaceStore) -> None:
    """All of two days, one an hour of two months, one a day of ten years."""
    start = NOW // DAY_S * DAY_S
    for sample in at(*range(start - 3 * DAY_S, start, 600)):
        store.add(sample)

    ages = [(start - sample.at) / HOUR_S for sample in store.samples("storage1", GUID)]
    fine = [age for age in ages if age <= 47]
    hourly = [age for age in ages if age > 49]
    assert 47 * 6 == len(fine)
    assert len(hourly) in {23, 24}

    later = start + 70 * DAY_S
    store.add(replace(SAMPLE, at=later))
    store.add(replace(SAMPLE, at=later + 60.0))  # thins by the one before it
    kept = store.samples("storage1", GUID)
    assert [start - 3 * DAY_S, start - 2 * DAY_S, start - DAY_S, later, later + 60] == [
        sample.at for sample in kept
    ]
    assert {start - 3.0 * DAY_S, start - 2.0 * DAY_S, start - 1.0 * DAY_S, float(later), later + 60.0} == {
        point.at for point in store.uses("storage1", GUID)["tank/home"]
    }

    store.add(replace(SAMPLE, at=start + 3700 * DAY_S))
    store.add(replace(SAMPLE, at=start + 3700 * DAY_S + 60))
    assert [later, start + 3700 * DAY_S, start + 3700 * DAY_S + 60] == [
        sample.at for sample in store.samples("storage1", GUID)
    ]


def test_a_clock_that_was_far_ahead_once_ages_nothing(store: SpaceStore) -> None:
    moments = range(NOW - 20 * 900, NOW, 900)
    for sample in at(*moments, NOW + 3000 * DAY_S, NOW):
        store.add(sample)

    assert [*moments, NOW, NOW + 3000 * DAY_S] == [sample.at for sample in store.samples("storage1", GUID)]


def test_only_the_largest_datasets_are_kept(store: SpaceStore) -> None:
    many = tuple(DatasetUse(f"tank/{number}", 1000 - number, 0) for number in range(100))
    store.add(replace(SAMPLE, datasets=many))

    assert {use.name for use in many[:MOST_DATASETS]} == set(store.uses("storage1", GUID))


@pytest.mark.parametrize("statements", range(0, 72, 2))
def test_it_is_whole_after_a_kill_between_any_two_writes(tmp_path: Path, statements: int) -> None:
    """What was acknowledged is there, and each sample is there with all of its datasets or not at all."""
    path = tmp_path / "samples.sqlite"

    writer = subprocess.run(
        [sys.executable, "-c", KILLED_WRITER, str(path), str(statements)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )

    assert writer.returncode in {0, -signal.SIGKILL}, writer.stderr
    acknowledged = len(writer.stdout.split())
    store = SpaceStore(path)
    samples = [sample.at for sample in store.samples("storage1", GUID)]
    assert len(samples) in {acknowledged, acknowledged + 1}
    assert {name: samples for name in ("tank/home", "tank/vm") if samples} == {
        name: [point.at for point in points] for name, points in store.uses("storage1", GUID).items()
    }
    store.add(replace(SAMPLE, at=NOW + 9000.0))  # and it goes on
    assert [*samples, NOW + 9000.0] == [sample.at for sample in store.samples("storage1", GUID)]


def test_the_kills_reached_every_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of statements above is that of all of them."""
    counted: list[str] = []
    connect = sqlite3.connect

    def traced(path: Path, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(path, **options)  # type: ignore[call-overload]
        connection.set_trace_callback(counted.append)
        return connection

    monkeypatch.setattr(sqlite3, "connect", traced)
    store = SpaceStore(tmp_path / "samples.sqlite")
    for number in range(3):
        store.add(replace(SAMPLE, at=NOW + 900.0 * number))

    assert 50 < len(counted) <= 72


def test_a_damaged_file_is_a_sentence_and_stays_as_it_is(store: SpaceStore) -> None:
    store.path.parent.mkdir()
    store.path.write_bytes(b"once upon a time " * 500)

    with pytest.raises(SpaceStoreError, match="cannot be written: file is not a database") as caught:
        store.add(SAMPLE)
    assert "Move it away" in caught.value.hint
    with pytest.raises(SpaceStoreError, match="cannot be read"):
        store.samples("storage1", GUID)
    assert b"once upon a time " * 500 == store.path.read_bytes()


def test_a_page_that_is_damaged_is_a_sentence(store: SpaceStore) -> None:
    for sample in at(*range(NOW - 100 * 900, NOW, 900)):
        store.add(sample)
    whole = store.path.read_bytes()
    store.path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))

    with pytest.raises(SpaceStoreError, match="malformed"):
        store.samples("storage1", GUID)


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        (f"PRAGMA user_version = {FORMAT + 1}", "of a newer zconsole"),
        ("PRAGMA application_id = 7", "of another program"),
    ],
)
def test_a_newer_file_and_one_of_another_program_are_left_alone(
    store: SpaceStore, statement: str, says: str
) -> None:
    store.add(SAMPLE)
    other = sqlite3.connect(store.path)
    other.execute(statement)
    other.commit()
    other.close()

    for use in (lambda: store.add(SAMPLE), lambda: store.newest("storage1", GUID)):
        with pytest.raises(SpaceStoreError, match=says):
            use()


def test_a_file_that_another_holds_is_a_sentence(store: SpaceStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sqlite_file, "BUSY_TIMEOUT_S", 0.01)
    store.add(SAMPLE)
    other = sqlite3.connect(store.path, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")

    with pytest.raises(SpaceStoreError, match="database is locked"):
        store.add(replace(SAMPLE, at=SAMPLE.at + 900))
    assert 1 == len(store.samples("storage1", GUID))
    other.execute("ROLLBACK")
    other.close()

    store.add(replace(SAMPLE, at=SAMPLE.at + 900))
    assert 2 == len(store.samples("storage1", GUID))


def test_many_may_write_at_once(store: SpaceStore) -> None:
    def write(start: int) -> None:
        for number in range(10):
            SpaceStore(store.path).add(replace(SAMPLE, at=float(NOW + start + 100 * number)))

    threads = [threading.Thread(target=write, args=(start,)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert 40 == len(store.samples("storage1", GUID))


def test_only_its_user_may_read_it(store: SpaceStore) -> None:
    store.add(SAMPLE)

    assert 0o600 == stat.S_IMODE(store.path.stat().st_mode)
    assert 0o700 == stat.S_IMODE(store.path.parent.stat().st_mode)
    assert "zconsole" == store_path().parent.name


def test_a_folder_that_cannot_be_made_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    with pytest.raises(SpaceStoreError, match="cannot be written"):
        SpaceStore(tmp_path / "file" / "samples.sqlite").add(SAMPLE)
