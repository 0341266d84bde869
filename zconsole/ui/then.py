"""Hosts as they were at a moment that is over, judged as they would have been then."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from zconsole.base.config import Config
from zconsole.live.source import Source
from zconsole.model.histograms import HistogramSample
from zconsole.model.host_state import HostState, Link, LinkState, PoolState, Reading
from zconsole.model.past import Past
from zconsole.ui.judged import Judge
from zconsole.ui.present.view import View

NOT_KEPT: Final = "nothing is kept of then"
NO_HISTOGRAMS: Final = "Histograms are not kept. The columns of the pool have the means of this moment."
GONE_S: Final = 15.0  # a pool that is not there any more, and of which no sample came for so long, was gone


def view_then(
    source: Source, config: Config, of: Mapping[str, str | None], at: float, interval_s: float
) -> View | None:
    """All that is known of a moment of some hosts, of one pool or of all; None where nothing is kept.

    What is not kept is left out: events that came later, the connection, histograms, datasets. Which disks
    there are is what is known of them now.
    """
    states, pasts = [], []
    for state in source.states():
        if state.host in of:
            found = dict(_pasts(source, state, of[state.host], at))
            pasts += [past for past in found.values() if past is not None]
            states.append(_host_then(state, found, at, source.monotonic() - (source.now() - at)))
    if not pasts:
        return None
    monotonic = pasts[0].monotonic + at - pasts[0].at
    return View(Judge(config).hosts(states, at, monotonic), at, monotonic, interval_s)


def _pasts(
    source: Source, state: HostState, only: str | None, at: float
) -> Iterator[tuple[str, Past | None]]:
    """Each pool that there was, and each that there is and of which nothing is known."""
    present = [pool.name for pool in state.pools]
    known = dict.fromkeys((*present, *source.times(state.host))) if only is None else (only,)
    for name in known:
        past = source.at(state.host, name, at)
        if past is not None and past.at > at:
            past = None
        if name in present or name == only or (past is not None and at - past.at <= GONE_S):
            yield name, past


def _host_then(state: HostState, pasts: Mapping[str, Past | None], at: float, monotonic: float) -> HostState:
    return HostState(
        state.host,
        revision=state.revision,
        slack=state.slack,
        link=Link(LinkState.UP),  # while samples came there was one, and their age tells where none did
        hostname=state.hostname,
        version=state.version,
        pools=tuple(_pool_then(name, past) for name, past in pasts.items()),
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
