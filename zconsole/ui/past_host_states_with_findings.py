"""States of hosts at a past time, with their findings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeVar

from zconsole.base.user_config_file import Config
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, PoolState, Reading
from zconsole.model.past_states_and_latency_strips import Past
from zconsole.model.pools.dataset_io import DatasetIoSample
from zconsole.model.pools.histograms import HistogramSample
from zconsole.model.pools.kernel_counters import ArcSample, ThrottleSample, Txg, ZilSample
from zconsole.service.screen_protocols import States
from zconsole.ui.findings_cache import Judge
from zconsole.views.host_states_with_findings import View

NOT_KEPT: Final = "nothing is kept of that time"
NO_HISTOGRAMS: Final = "Histograms are not kept. The columns of the pool have the means of this moment."
GONE_S: Final = 15.0  # a missing pool without a sample for this long was gone
Sampled = TypeVar("Sampled", ArcSample, ThrottleSample, ZilSample)


def view_then(
    known: States, config: Config, of: Mapping[str, str | None], at: float, interval_s: float
) -> View | None:
    """Return the state at a moment of some hosts, of one pool or of all; None where the history has none.

    Parts without history are left out: later events, the connection, histograms, datasets. The disks are
    those known now.
    """
    states, pasts = [], []
    for state in known.newest():
        if state.host in of:
            found = dict(_pasts(known, state, of[state.host], at))
            pasts += [past for past in found.values() if past is not None]
            pools = tuple(_pool_then(name, past) for name, past in found.items())
            states.append(_host_then(state, pools, at, _monotonic(known, at)))
    if not pasts:
        return None
    monotonic = pasts[0].monotonic + at - pasts[0].at
    return View(Judge(config).hosts(states, at, monotonic), at, monotonic, interval_s)


def load_then(
    known: States, config: Config, of: tuple[str, str], sample: DatasetIoSample | None, at: float
) -> View | None:
    """Return a pool with its dataset I/O at a moment, from `sample`; None without the host."""
    host, name = of
    state = next((state for state in known.newest() if state.host == host), None)
    if state is None:
        return None
    monotonic = _monotonic(known, at)
    reading = Reading(sample, monotonic - (at - sample.at)) if sample is not None else Reading()
    pool = PoolState(name, dataset_io=reading)
    return _view(config, _host_then(state, (pool,), at, monotonic), at, monotonic)


def arc_then(known: States, config: Config, state: HostState, at: float, lasts_s: float) -> View:
    """Return a host with its ARC and write statistics at a moment, if a reading is still valid."""
    monotonic = _monotonic(known, at)
    arc = _until(state.arc, at, lasts_s, monotonic)
    newest = arc.value[-1] if arc.value else None
    pools = tuple(
        PoolState(pool.name, txgs=_txgs_until(pool.txgs, newest.at_ns if newest is not None else None))
        for pool in state.pools
    )
    then = replace(
        _host_then(state, pools, at, monotonic),
        arc=arc,
        throttle=_until(state.throttle, at, lasts_s, monotonic),
        zil=_until(state.zil, at, lasts_s, monotonic),
    )
    return _view(config, then, at, monotonic)


def _monotonic(known: States, at: float) -> float:
    """Convert a past moment to the reader's clock."""
    return known.monotonic() - (known.now() - at)


def _view(config: Config, state: HostState, at: float, monotonic: float) -> View:
    return View(Judge(config).hosts((state,), at, monotonic), at, monotonic)


def _until(
    reading: Reading[tuple[Sampled, ...]], at: float, lasts_s: float, monotonic: float
) -> Reading[tuple[Sampled, ...]]:
    """Return the last reading until a moment; nothing where it is too old."""
    until = tuple(sample for sample in reading.value or () if sample.at <= at)
    if not until or at - until[-1].at > lasts_s:
        return Reading()
    return Reading(until, monotonic - (at - until[-1].at))


def _txgs_until(reading: Reading[tuple[Txg, ...]], at_ns: int | None) -> Reading[tuple[Txg, ...]]:
    """Return the groups written by a moment, on the clock of their birth times."""
    if at_ns is None or reading.value is None:
        return Reading(problem=reading.problem or NOT_KEPT)
    return replace(reading, value=tuple(txg for txg in reading.value if txg.ended_ns <= at_ns))


def _pasts(known: States, state: HostState, only: str | None, at: float) -> Iterator[tuple[str, Past | None]]:
    """Return each pool with history, and each current pool without."""
    present = [pool.name for pool in state.pools]
    names = dict.fromkeys((*present, *known.times(state.host))) if only is None else (only,)
    for name in names:
        past = known.at(state.host, name, at)
        if past is not None and past.at > at:
            past = None
        if name in present or name == only or (past is not None and at - past.at <= GONE_S):
            yield name, past


def _host_then(state: HostState, pools: tuple[PoolState, ...], at: float, monotonic: float) -> HostState:
    return HostState(
        state.host,
        revision=state.revision,
        slack=state.slack,
        link=LinkStatus(LinkState.UP),  # samples came, so it was up; their age tells where none did
        hostname=state.hostname,
        version=state.version,
        pools=pools,
        pools_at=monotonic,
        inventory=state.inventory,
        events=tuple(event for event in state.events if event.at is not None and event.at <= at),
        marks=state.marks,
    )


def _pool_then(name: str, past: Past | None) -> PoolState:
    if past is None:
        return PoolState(name, pool=Reading(problem=NOT_KEPT))
    missing: Reading[tuple[HistogramSample, ...]] = Reading(problem=NO_HISTOGRAMS)
    return replace(past.state, latencies=missing, sizes=missing)
