"""Forecasts by recorded growth, as if it were of a pool, and of practice pools that fill."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from tests.analysis.forecast.recorded_histories import growth
from tests.conftest import CAPTURES
from tests.sentences.practised.reading import EPOCH, NOTHING_KEPT, Practised, do, host_of, read
from zconsole.base.clock import ManualClock
from zconsole.cli.readings_for_findings import KeptSamples
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.read_host import gather
from zconsole.model.forecast import Forecast, HistorySource, PoolHistory, SpaceHistory
from zconsole.model.guests.guest import Guest
from zconsole.model.pools.space_samples import SpaceSample
from zconsole.practice.libvirt.guests import ZVOL, PracticeGuest, PracticeGuestDisk
from zconsole.practice.practice_host import PracticeHost
from zconsole.practice.ready_made_pools import create_world
from zconsole.practice.world.dataset_writes_and_snapshots import append
from zconsole.service.forecasting import forecast_of, read_forecast
from zconsole.service.space_sampling import dataset_uses_of, sample_of
from zconsole.storage.space_samples import SpaceStore
from zconsole.views.capacity.forecast import forecast_lines, pace_words, summary_line
from zconsole.views.layout.styled_text import plain

SPACE = "space samples, or ages and sizes of datasets and snapshots ([forecast.md](forecast.md))"
DAY = 86_400.0
GIB = 1 << 30
SCALE = 1000  # a file of a source tree stands for so many
RECORDED = (  # days of history, and usable space as a multiple of what is used
    ("curl", "live", ((3, 1.5), (25, 1.5), (100, 1.0), (1500, 1.5), (1500, 60.0))),
    ("curl", "kept", ((500, 60.0),)),
    ("flask", "kept", ((1500, 1.5),)),
    ("numpy", "kept", ((200, 1.5), (1500, 1.5))),
    ("prometheus", "live", ((1500, 60.0),)),
    ("tmux", "live", ((500, 1.5),)),
)


async def scenes() -> AsyncIterator[Practised]:
    """Each scene."""
    for name, kind, lengths in RECORDED:
        values = growth(CAPTURES / "growth" / f"{name}.tsv.gz", kind)
        texts = [words for days, room in lengths for words in _texts(_forecast(values[-days - 1 :], room))]
        if name == "curl":
            texts += _texts(_forecast(values[-61::10], 1.5, every=10))
        yield Practised(f"growth/{name}", texts=tuple(texts), basis=SPACE)
    clock = ManualClock(EPOCH)
    host = PracticeHost(clock=clock)
    await host.connect()
    for of in (await gather(host, clock)).pools:
        assert of.pool.value is not None
        found = await read_forecast(Asker(host), of.pool.value, "storage1", clock.now())
        yield Practised(f"practice: the datasets of {of.name}", texts=_texts(found), basis=SPACE)
    with tempfile.TemporaryDirectory() as folder:
        async for each in _filling(SpaceStore(Path(folder) / "space.sqlite")):
            yield each


async def _filling(store: SpaceStore) -> AsyncIterator[Practised]:
    """A pool whose guest writes a little more than a GiB a day, sampled for a month, and when it is full."""
    world = create_world("mirror 0 1", disk_size=64 * GIB)
    world.lacking -= {"virsh", "qemu-img"}
    clock = ManualClock(EPOCH)
    host = await host_of(world, clock)
    await do(host, "zfs create -s -V 60G tank/a", "zfs create tank/home")
    world.guests.append(PracticeGuest("mail", [PracticeGuestDisk("vda", f"{ZVOL}tank/a")]))
    pool = world.pools["tank"]
    for at in range(31):
        append(pool, pool.datasets["tank/a"], GIB + at % 5 * (GIB // 16), ratio=1.0)
        if at % 10 == 3:
            await do(host, f"zfs snapshot tank/a@{at}")
        (of,) = (await gather(host, clock)).pools
        assert of.pool.value is not None
        uses = await dataset_uses_of(Asker(host), "tank")
        store.add(sample_of(of.pool.value, "storage24", clock.now(), uses))
        if at == 1:
            yield await _forecasted("practice: two samples of a pool", store, clock, host)
        clock.advance(DAY)
    yield await _forecasted("practice: samples of a pool that fills", store, clock, host)
    state = await read(host, clock, KeptSamples(None, store))
    yield Practised("practice: a pool that is full soon", state, clock.now())
    append(pool, pool.datasets["tank/a"], 25 * GIB, ratio=1.0)
    yield await _forecasted("practice: samples of a pool that is full", store, clock, host)


async def _forecasted(name: str, store: SpaceStore, clock: ManualClock, host: PracticeHost) -> Practised:
    state = await read(host, clock, NOTHING_KEPT)
    (of,) = state.pools
    assert of.pool.value is not None
    found = await read_forecast(Asker(host), of.pool.value, "storage24", clock.now(), store=store)
    return Practised(name, texts=_texts(found, state.guests.value or ()), basis=SPACE)


def _forecast(values: list[int], room: float, every: int = 1) -> Forecast:
    points = tuple((at * every * DAY, float(value) * SCALE) for at, value in enumerate(values))
    at, used = points[-1]
    sample = SpaceSample(at, "nas1", "tank", 1, round(used), round(used * (room - 1)))
    return forecast_of(sample, PoolHistory(SpaceHistory(HistorySource.SAMPLES, points), {}))


def _texts(forecast: Forecast, guests: Sequence[Guest] = ()) -> tuple[str, ...]:
    shown = (summary_line(forecast), *forecast_lines(forecast, 79, 9, guests))
    return (*map(plain, shown), pace_words(forecast))
