"""Where a forecast's history comes from: samples, elsewhere, or a guess; and what fails is a note."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.doubles.machines import host_of
from tests.doubles.scripted_host import ScriptedHost, failed
from zconsole.base.clock import ManualClock
from zconsole.base.errors import CommandFailed
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.model.forecast import HistorySource, PoolHistory, SpaceHistory
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.space_samples import DatasetUse, SpaceSample
from zconsole.service.forecasting import read_forecast
from zconsole.service.space_sampling import sample_of
from zconsole.storage.space_samples import DAY_S, SpaceStore

NOW = 1_795_300_000.0
TRACES = "zfs list -Hp -t filesystem,volume,snapshot -o name,type,creation,referenced,written"
MIB = 1 << 20


def trace(name: str, days_ago: float, size: int) -> str:
    is_snapshot = "@" in name
    own = "-" if is_snapshot else str(size)
    kind = "snapshot" if is_snapshot else "filesystem"
    return f"{name}\t{kind}\t{int(NOW - days_ago * DAY_S)}\t{size}\t{size}\t{own}\t{own}\t-\t-\n"


@pytest.fixture
def host() -> ScriptedHost:
    host = host_of("2.4", "healthy-mirrors")
    host.answers[TRACES] = (
        trace("tank", 100, 10 * MIB)
        + "".join(trace(f"tank@{days}", days, (100 - days) * MIB // 10) for days in range(90, 0, -3))
    ).encode()
    host.answers["zpool history"] = failed("zpool history", 1, b"permission denied")
    return host


@pytest.fixture
def store(tmp_path: Path) -> SpaceStore:
    return SpaceStore(tmp_path / "samples.sqlite")


async def pool_of(host: ScriptedHost) -> Pool:
    state = await gather(host, ManualClock(NOW))
    assert state.pools[0].pool.value is not None
    return state.pools[0].pool.value


def fill(store: SpaceStore, pool: Pool, days: int) -> None:
    now = sample_of(pool, "storage24", NOW)
    for day in range(days, 0, -1):
        uses = (DatasetUse("tank/a", 100 * MIB - day * MIB, 5 * MIB),)
        used = max(0, now.used_bytes - day * MIB)
        store.add(replace(now, at=NOW - day * DAY_S, used_bytes=used, datasets=uses))


async def test_on_the_first_day_it_is_a_guess(host: ScriptedHost, store: SpaceStore) -> None:
    found = await read_forecast(Asker(host), await pool_of(host), "storage24", NOW, store=store)

    assert found.history is not None
    assert HistorySource.GUESS is found.history.basis
    assert found.trend is not None
    assert found.growing is not None
    assert any("may not be read" in sentence for sentence in found.history.evidence)


async def test_samples_that_suffice_are_taken_and_no_guess_is_made(
    host: ScriptedHost, store: SpaceStore
) -> None:
    pool = await pool_of(host)
    fill(store, pool, 40)
    found = await read_forecast(Asker(host), pool, "storage24", NOW, store=store)

    assert found.history is not None
    assert HistorySource.SAMPLES is found.history.basis
    assert found.trend is not None
    assert MIB == pytest.approx(found.trend.bytes_per_day, rel=0.02)
    assert found.growing is not None
    assert ["tank/a"] == [each.name for each in found.growing.datasets]
    assert not [line for line in host.commands if line.startswith(TRACES)]


async def test_of_another_history_the_much_longer_one_is_taken(host: ScriptedHost, store: SpaceStore) -> None:
    pool = await pool_of(host)
    fill(store, pool, 40)

    def elsewhere(days: int) -> PoolHistory:
        points = tuple((NOW - day * DAY_S, 1000.0 * MIB - day * MIB) for day in range(days, -1, -1))
        return PoolHistory(SpaceHistory(HistorySource.PROMETHEUS, points), {})

    for days, basis in ((50, HistorySource.SAMPLES), (300, HistorySource.PROMETHEUS)):

        async def read(_sample: SpaceSample, days: int = days) -> PoolHistory | None:
            return elsewhere(days)

        found = await read_forecast(Asker(host), pool, "storage24", NOW, store=store, elsewhere=read)
        assert found.history is not None
        assert basis is found.history.basis


async def test_what_fails_is_a_note_and_the_others_serve(host: ScriptedHost, store: SpaceStore) -> None:
    async def broken(_sample: SpaceSample) -> PoolHistory | None:
        raise CommandFailed("Prometheus does not answer")

    store.path.write_bytes(b"no database" * 99)
    found = await read_forecast(
        Asker(host), await pool_of(host), "storage24", NOW, store=store, elsewhere=broken
    )

    assert found.trend is not None
    assert 2 == len(found.notes)
    assert "Prometheus does not answer" in found.notes


async def test_without_any_history_it_says_so(host: ScriptedHost) -> None:
    host.answers[TRACES] = failed("zfs list", 1, b"no")
    found = await read_forecast(Asker(host), await pool_of(host), "storage24", NOW)

    assert (None, None) == (found.trend, found.history)
    assert "nothing is known" in found.too_little
    assert 1 == len(found.notes)


async def test_a_young_pool_is_too_young(host: ScriptedHost) -> None:
    host.answers[TRACES] = trace("tank", 2, 10 * MIB).encode()
    found = await read_forecast(Asker(host), await pool_of(host), "storage24", NOW)

    assert found.trend is None
    assert "spans 2.0d" in found.too_little
