"""The last minutes of all pools for the first screen: asked for when a stretch of ten seconds is over."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import islice
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.size_units import used_units
from zconsole.model.finding import Finding
from zconsole.model.host.host_state import LinkState, PoolState
from zconsole.model.past_states_and_latency_strips import STRETCH_S, Bandwidth, Strips
from zconsole.model.pools.iostat import IoSample
from zconsole.model.repair import Repair
from zconsole.service.screen_protocols import States
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.styled_text import Line
from zconsole.views.layout.table import Row
from zconsole.views.overview.bandwidth_and_latency_graphs import MOST_CELLS, NARROWEST, graph_cells
from zconsole.views.overview.disk_wall import Shown, Wall, leaf_words, wall_of
from zconsole.views.overview.pool_overview import PoolOverview
from zconsole.views.overview.pools_that_match import is_among, of_pools
from zconsole.views.overview.sections_below_pools import NAME_CELLS, NOTHING_TOLD, Room, ToldBelow, sections
from zconsole.views.pools.pool_list import ranked

CELLS_S: Final = (1.0, 2.0, 5.0, STRETCH_S)  # of a graph: more when its history is longer
MOST_PACE_S: Final = 5.0  # between two drawings of graphs with short cells, for two of them at a time


@dataclass(slots=True)
class _Kept:
    """What was asked for of one pool, and for which stretch and status."""

    stretch: tuple[float, int] | None = None  # its end, and how many before it
    drawn: tuple[float, int, float] | None = None  # the same of the graphs, and the seconds of their cells
    is_unread: bool = True  # whether no sample fell into the last stretch
    by_stretch: Bandwidth | None = None
    bandwidth: Bandwidth | None = None  # as it is drawn
    strips: Strips | None = None
    sample: IoSample | None = None
    wall: Wall = field(default_factory=lambda: Wall((), {}))
    of: tuple[object, object] = (None, None)  # the status, and the names of its I/O rows

    def shown(self, pool: PoolState) -> Shown:
        """What its leaves are drawn from."""
        return Shown(self.wall, pool, self.strips, sample=self.sample, is_unread=self.is_unread)


class LastMinutes:
    """Last minutes of all pools, and the sections drawn from them."""

    def __init__(self, states: States, repairs_in: Callable[[View, str], Sequence[Repair]]) -> None:
        """`repairs_in` are those of a host, by its name, in a view."""
        self._states = states
        self._repairs_in = repairs_in
        self._kept: dict[tuple[str, str], _Kept] = {}
        self._stretch_s = STRETCH_S  # of what the disks are drawn from, and of the longest cells
        self._cell_s: float | None = None  # seconds of a cell of the graphs; None before there is a history
        self._remedies: dict[str, tuple[object, Callable[[Finding], str]]] = {}  # by host
        self._drawn: tuple[list[object], tuple[Row, ...]] = ([], ())

    @property
    def is_drawn(self) -> bool:
        """Whether there was room for sections."""
        return bool(self._drawn[1])

    def rows(
        self,
        view: View,
        room: Room,
        chosen: tuple[str, str, str] | None,
        below: ToldBelow = NOTHING_TOLD,
    ) -> tuple[Row, ...]:
        """The sections in the room below the list, without the findings that are told `below`.

        `chosen` is a leaf as `words` takes it.
        """
        wanted = (
            (host, pool)
            for host, pool in _in_order(view, room)
            if is_among(host.state.host, pool.name, room.only)
            and pool.pool.value is not None
            and host.state.link.state is LinkState.UP
        )
        listed = tuple(islice(wanted, room.rows))
        self._stretch_s = stretch_of(view.interval_s)
        self._fold(view, listed, room.cells)
        pools = tuple(self._pools(listed, view, room.cells, chosen))
        basis: list[object] = [room, chosen, below, view.hosts and view.hosts[0].name, *_basis(view, pools)]
        if not _are_same(basis, self._drawn[0]):
            self._drawn = (
                basis,
                sections(of_pools(view, room.only), pools, room, below, partial(self._remedies_of, view)),
            )
        return self._drawn[1]

    def _remedies_of(self, view: View, host: HostView) -> Callable[[Finding], str]:
        """What to do about each finding of a host; derived anew for other ones, at most once a stretch."""
        known = (view.now // STRETCH_S, tuple((each.id, each.subject) for each in host.findings))
        kept = self._remedies.get(host.state.host)
        if kept is None or kept[0] != known:
            from zconsole.views.repair.remedy_of_finding import (  # noqa: PLC0415  # of tall terminals
                remedies_of,
            )

            derived = partial(self._repairs_in, view, host.state.host)
            kept = self._remedies[host.state.host] = known, remedies_of(derived)
        return kept[1]

    def wall(self, host: str, pool: str) -> Wall:
        """The wall of a pool, as it was drawn last."""
        kept = self._kept.get((host, pool))
        return Wall((), {}) if kept is None else kept.wall

    def words(self, pool: PoolState, chosen: tuple[str, str, str]) -> Line | None:
        """What is known of a leaf, which is chosen by host, pool and its key."""
        kept = self._kept.get(chosen[:2])
        if kept is None:
            return None
        leaf = next((each for each in kept.wall.leaves if each.key == chosen[2]), None)
        return None if leaf is None else leaf_words(leaf, kept.shown(pool))

    def _pools(
        self,
        of: Iterable[tuple[HostView, PoolState]],
        view: View,
        cells: int,
        chosen: tuple[str, str, str] | None,
    ) -> Iterator[PoolOverview]:
        for host, pool in of:
            kept = self._take_in(host, pool, MOST_CELLS if cells >= NARROWEST else 1)
            is_chosen = chosen is not None and chosen[:2] == (host.state.host, pool.name)
            leaf = chosen[2] if chosen is not None and is_chosen else None
            shown = replace(kept.shown(pool), chosen=leaf, is_old=view.io_age(pool) is not None)
            yield PoolOverview(host, shown, kept.bandwidth)

    def _take_in(self, host: HostView, pool: PoolState, columns: int) -> _Kept:
        kept = self._kept.setdefault((host.state.host, pool.name), _Kept())
        sample, value = pool.sample, pool.pool.value
        of = (value, None if sample is None else sample.names)
        if value is not None and (kept.of[0] is not value or kept.of[1] != of[1]):
            kept.wall, kept.of = wall_of(value, sample), of
        if sample is None:
            return kept
        name, states = host.state.host, self._states
        seconds = self._stretch_s
        stretch = (sample.at // seconds * seconds, columns)
        if stretch != kept.stretch:
            kept.stretch, until, kept.sample = stretch, stretch[0], sample
            past = states.bandwidth(name, pool.name, until=until, seconds=seconds, columns=columns)
            kept.is_unread = past is None or not past.reads or past.reads[-1] is None
            kept.by_stretch = past
            kept.strips = states.strips(name, pool.name, until=until, seconds=seconds, columns=columns)
        cell_s = self._cell_s or seconds
        pace = max(cell_s, min(2 * cell_s, MOST_PACE_S))
        drawn = (sample.at // pace * pace, columns, cell_s)
        if cell_s >= seconds:
            kept.bandwidth = kept.by_stretch
        elif drawn != kept.drawn:
            kept.drawn = drawn
            kept.bandwidth = states.bandwidth(
                name, pool.name, until=drawn[0], seconds=cell_s, columns=columns
            )
        return kept

    def _fold(self, view: View, pools: Sequence[tuple[HostView, PoolState]], cells: int) -> None:
        """Let each cell of the graphs stand for more seconds, as soon as the history fills them.

        In the first minutes there are too few stretches for them; all graphs have one scale of time.
        """
        if self._cell_s is not None and self._cell_s >= self._stretch_s:
            return
        spans = [self._states.span(host.state.host, pool.name) for host, pool in pools]
        longest = max((each.last - each.first for each in spans if each is not None), default=None)
        if longest is not None:
            wide = max(1, graph_cells(cells, NAME_CELLS + 1))
            enough = (
                each
                for each in (*CELLS_S, self._stretch_s)
                if view.interval_s <= each <= self._stretch_s and each * wide > longest
            )
            self._cell_s = max(self._cell_s or 0.0, next(enough, self._stretch_s))


def stretch_of(interval_s: float) -> float:
    """The seconds of a stretch into which a sample falls for sure, also where it is late by half a stretch.

    The usual one as long as two samples fall into it; of a fast exercise a multiple.
    """
    if interval_s <= STRETCH_S / 2:
        return STRETCH_S
    return STRETCH_S * math.ceil(interval_s / STRETCH_S + 0.5)


def _in_order(view: View, room: Room) -> Iterable[tuple[HostView, PoolState]]:
    """All pools in the order of their rows."""
    places = {pool: at for at, pool in enumerate(room.order)}
    found = ranked(view)
    return (
        sorted(found, key=lambda each: places.get((each[0].state.host, each[1].name), -1))
        if places
        else found
    )


def _basis(view: View, pools: tuple[PoolOverview, ...]) -> Iterator[object]:
    """All that the sections are drawn from; each part is another object when it changes."""
    yield used_units()
    for host in view.hosts:
        yield from (host.findings, host.state.events, host.state.runs)
    for pool in pools:
        yield from (pool.state.pool.value, pool.disks.wall, pool.bandwidth, pool.disks.strips)
        yield str(pool.disks.is_old)
        yield from ((each.disk, round(each.ratio, 1)) for each in pool.state.slow)


def _are_same(these: list[object], those: list[object]) -> bool:
    return len(these) == len(those) and all(
        one is other or (isinstance(one, str | tuple | Room | ToldBelow) and one == other)
        for one, other in zip(these, those, strict=True)
    )
