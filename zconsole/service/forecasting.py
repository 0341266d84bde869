"""Forecast of one pool, from the best available history."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from zconsole.analysis.forecast.estimated_history import DOUBT, guess
from zconsole.analysis.forecast.growing_datasets import growing
from zconsole.analysis.forecast.trend import lacks, trend
from zconsole.base.errors import HostError, ParseError, ZConsoleError
from zconsole.base.user_config_file import Config
from zconsole.collect.read_command_runner import Asker, in_words
from zconsole.model.forecast import Forecast, HistorySource, Outlook, PoolHistory, SpaceHistory
from zconsole.model.pools.pool import Pool
from zconsole.model.pools.space_samples import SpaceSample
from zconsole.service.space_sampling import dataset_uses_of, sample_of
from zconsole.storage.run_in_thread import patiently
from zconsole.storage.space_samples import DAY_S, SpaceStore
from zconsole.zfs.listing.history import HistoryRecord, history, parse_history
from zconsole.zfs.listing.space_now_and_at_snapshots import dataset_traces, parse_dataset_traces

MUCH_LONGER: Final = 1.5  # another history this many times as long as ours is preferred
RECKONED_WITHIN_S: Final = 120.0  # takes about a second of CPU on an idle machine
USES_S: Final = 100 * DAY_S  # history of datasets

Elsewhere = Callable[[SpaceSample], Awaitable[PoolHistory | None]]  # such as Prometheus; raises ZConsoleError


def elsewhere_of(config: Config, host: str) -> Elsewhere | None:
    """Configured metrics source of a host, or None."""
    known = config.reached_as(host)
    if config.prometheus_url is None or known is None or known.prometheus_selector is None:
        return None
    from zconsole.service.space_history_from_prometheus import Metrics  # noqa: PLC0415  # loads the client

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
    """Forecast of a pool, and space used by its datasets. Raises HostError where no forecast is possible."""
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
    """Forecast of when `pool`, just read, is full. Raises HostError where its space is unknown.

    `host` is the host's own name. A failed source becomes a note; the others are used.
    """
    sample = sample_of(pool, host, now)
    notes: list[str] = []
    pasts: list[PoolHistory] = []
    for read in (
        None if store is None else history_of_samples(store, sample),
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
    """Forecast of a pool from a history and its present state."""
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
    """Our own history, or another that is much longer; None when all are too short for a date."""
    best: PoolHistory | None = None
    for past in pasts:
        if lacks(past.history, now):
            continue
        if best is None or past.history.span_s > MUCH_LONGER * best.history.span_s:
            best = past
    return best


async def history_of_samples(store: SpaceStore, sample: SpaceSample) -> PoolHistory | None:
    """History of the stored samples and the present one."""
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
    """History estimated from datasets and snapshots, without samples; raises HostError, ParseError."""
    answer, deeds = await read_traces(asker, pool)
    traces = list(parse_dataset_traces(answer))
    found = guess(traces, deeds, now=sample.at, used=float(sample.used_bytes))
    return PoolHistory(found.history, found.uses)


async def read_traces(asker: Asker, pool: str) -> tuple[bytes, tuple[HistoryRecord, ...] | None]:
    """Basis of the estimate: datasets, snapshots, and the pool's history where readable."""
    answer = await asker.ask(dataset_traces(pool), kind="traces", pool=pool)
    return answer, await _deeds(asker, pool)


async def _deeds(asker: Asker, pool: str) -> tuple[HistoryRecord, ...] | None:
    """Records of `zpool history`, where readable."""
    try:
        completed = await asker.run(history(pool), kind="history", pool=pool)
        return parse_history(completed.stdout, is_cut=completed.is_cut) if completed.is_done else None
    except (HostError, ParseError):
        return None
