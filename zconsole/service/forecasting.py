"""Forecast of one pool, from the best available history."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from zconsole.analysis.forecast.estimated_history import DOUBT, guess
from zconsole.analysis.forecast.growing_datasets import growing
from zconsole.analysis.forecast.trend import lacks, trend
from zconsole.base.config import Config
from zconsole.base.errors import HostError, ParseError, ZConsoleError
from zconsole.base.harmless_text import decoded
from zconsole.collect.ask import Asker, in_words
from zconsole.model.forecast import Forecast, HistorySource, Outlook, PoolHistory, SpaceHistory
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.space_samples import SpaceSample
from zconsole.service.space_sampling import dataset_uses_of, sample_of
from zconsole.storage.run_in_thread import patiently
from zconsole.storage.space_samples import DAY_S, SpaceStore
from zconsole.zfs.listing.dataset_space import dataset_traces, parse_dataset_traces
from zconsole.zfs.listing.history import HistoryRecord, history, parse_history

MUCH_LONGER: Final = 1.5  # times as long as ours, and a history of others is taken
RECKONED_WITHIN_S: Final = 120.0  # a second of computing, on a machine that has others to do
USES_S: Final = 100 * DAY_S  # of the past of datasets

Elsewhere = Callable[[SpaceSample], Awaitable[PoolHistory | None]]  # such as Prometheus; raises ZConsoleError


def elsewhere_of(config: Config, host: str) -> Elsewhere | None:
    """Where metrics of a host are, if the configuration says so."""
    known = config.reached_as(host)
    if config.prometheus_url is None or known is None or known.prometheus_selector is None:
        return None
    from zconsole.service.prometheus_history import Metrics  # noqa: PLC0415  # loads the client

    return Metrics(config.prometheus_url, known.prometheus_selector)


async def read_outlook(  # noqa: PLR0913 - the last two are sources
    asker: Asker,
    pool: Pool,
    host: str,
    now: float,
    *,
    store: SpaceStore | None = None,
    elsewhere: Elsewhere | None = None,
) -> Outlook:
    """The forecast of a pool, and what its datasets take. Raises HostError where there is no forecast."""
    found = await read_forecast(asker, pool, host, now, store=store, elsewhere=elsewhere)
    try:
        return Outlook(found, await dataset_uses_of(asker, pool.name))
    except (HostError, ParseError):
        return Outlook(found)


async def read_forecast(  # noqa: PLR0913 - the last two are sources
    asker: Asker,
    pool: Pool,
    host: str,
    now: float,
    *,
    store: SpaceStore | None = None,
    elsewhere: Elsewhere | None = None,
) -> Forecast:
    """When `pool`, whose state was just read, is full. Raises HostError where it does not tell its space.

    `host` is what the host calls itself. A source that fails is a note; the others serve.
    """
    sample = sample_of(pool, host, now)
    notes: list[str] = []
    pasts: list[PoolHistory] = []
    for read in (
        None if store is None else _stored(store, sample),
        None if elsewhere is None else elsewhere(sample),
    ):
        try:
            past = None if read is None else await read
        except ZConsoleError as error:
            notes.append(in_words(error))
            continue
        if past is not None:
            pasts.append(past)
    past = _best(pasts, now)
    if past is None:
        try:
            past = await _guessed(asker, pool.name, sample)
        except (HostError, ParseError) as error:
            notes.append(in_words(error))
    if past is None and pasts:
        past = max(pasts, key=lambda each: each.history.span_s)
    return await patiently(forecast_of, sample, past, tuple(notes), within_s=RECKONED_WITHIN_S)


def forecast_of(sample: SpaceSample, past: PoolHistory | None, notes: tuple[str, ...] = ()) -> Forecast:
    """What a history says of a pool as it is now."""
    found = Forecast(sample.host, sample.pool, sample.at, sample.used_bytes, sample.usable_bytes, notes=notes)
    if past is None:
        return replace(found, too_little="nothing is known of how full it was before")
    found = replace(found, history=past.history, growing=growing(past.uses, sample.at))
    if too_little := lacks(past.history, sample.at):
        return replace(found, too_little=too_little)
    return replace(
        found,
        trend=trend(
            past.history,
            now=sample.at,
            used=sample.used_bytes,
            usable=sample.usable_bytes,
            doubt=DOUBT if past.history.basis is HistorySource.GUESS else 0.0,
        ),
    )


def _best(pasts: list[PoolHistory], now: float) -> PoolHistory | None:
    """Our own history, unless another is much longer; none that is too short for a date."""
    best: PoolHistory | None = None
    for past in pasts:
        if lacks(past.history, now):
            continue
        if best is None or past.history.span_s > MUCH_LONGER * best.history.span_s:
            best = past
    return best


async def _stored(store: SpaceStore, sample: SpaceSample) -> PoolHistory | None:
    """What was sampled here, and how full it is now."""
    samples = await patiently(store.samples, sample.host, sample.guid)
    if not samples:
        return None
    uses = await patiently(lambda: store.uses(sample.host, sample.guid, since=sample.at - USES_S))
    earlier = [each for each in samples if each.at < sample.at]
    points = tuple((each.at, float(each.used_bytes)) for each in (*earlier, sample))
    evidence = [f"{len(samples)} samples that zconsole took"]
    grown = {each.usable_bytes for each in earlier[-1:]} - {sample.usable_bytes}
    if grown:
        evidence.append("what files can use is another size than at the last sample")
    return PoolHistory(SpaceHistory(HistorySource.SAMPLES, points, tuple(evidence)), uses)


async def _guessed(asker: Asker, pool: str, sample: SpaceSample) -> PoolHistory:
    """What datasets and snapshots tell of the time before anybody looked; raises HostError, ParseError."""
    answer, deeds = await read_traces(asker, pool)
    traces = list(parse_dataset_traces(decoded(answer)))
    found = guess(traces, deeds, now=sample.at, used=float(sample.used_bytes))
    return PoolHistory(found.history, found.uses)


async def read_traces(asker: Asker, pool: str) -> tuple[bytes, tuple[HistoryRecord, ...] | None]:
    """What a guess is made from: the datasets and snapshots, and the pool's history where it may be read."""
    answer = await asker.ask(dataset_traces(pool), kind="traces", pool=pool)
    return answer, await _deeds(asker, pool)


async def _deeds(asker: Asker, pool: str) -> tuple[HistoryRecord, ...] | None:
    """The pool's history, where it may be read."""
    try:
        answer = await asker.ask(history(pool), kind="history", pool=pool)
        return parse_history(decoded(answer))
    except (HostError, ParseError):
        return None
