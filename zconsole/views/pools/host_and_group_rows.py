"""Rows of hosts and of groups of hosts in the list of pools: their pools together, in the same columns."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Final

from zconsole.analysis.findings.findings_grouped_by_disk import folded
from zconsole.base.fixed_width_formatting import count, megabytes_per_s, percent, size, used_percent
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import LinkState, PoolState
from zconsole.model.pools.iostat import IoRow
from zconsole.model.pools.pool import Pool
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.serial_in_device_name import with_serials
from zconsole.views.layout.state_age_and_link_phrases import (
    BAD,
    SEVERITY_STYLE,
    ago,
    counted,
    join,
    login_words,
    scrub_age,
    state_cell,
    state_rank,
)
from zconsole.views.layout.styled_text import STRIP, Line, line
from zconsole.views.layout.table import Cell, Column
from zconsole.views.pools.capacity_bar import capacity_bar
from zconsole.views.pools.pool_columns import PoolRowFacts, copies, filled

FOLDED: Final = "▸ "
_EMPTY: Final = Cell("")
_UNKNOWN: Final = Cell("·", "dim")
_COPIES: Final = {"warn": 2, "text": 1}  # rank of the style of copies
_LOST: Final = frozenset({LinkState.DOWN, LinkState.REFUSED})


@dataclass(frozen=True, slots=True)
class HostsRowFacts:
    """Hosts whose pools are one row: a single one, or those of a group."""

    name: str
    hosts: Sequence[HostView]
    view: View
    is_folded: bool
    depth: int = 0
    bar_cells: int = 0
    snapshot_bytes: Mapping[tuple[str, str], int] = field(default_factory=dict)

    @property
    def pools(self) -> list[tuple[HostView, PoolState, Pool]]:
        """The pools whose status is known."""
        return [
            (host, pool, pool.pool.value)
            for host in self.hosts
            for pool in host.state.pools
            if pool.pool.value is not None
        ]

    @property
    def found(self) -> list[Finding]:
        """What is wrong there, worst first."""
        found = [each for host in self.hosts for each in folded(host.findings) if not each.is_advice]
        return sorted(found, key=lambda each: each.place)

    @property
    def style(self) -> str:
        """The style of values; old ones are dim."""
        return "dim" if all(host.state.link.state is not LinkState.UP for host in self.hosts) else "text"


def row_cells(shown: HostsRowFacts, columns: Sequence[Column[PoolRowFacts]]) -> tuple[Cell, ...]:
    """The cells of the row, in the columns of pools; what has no sum is empty."""
    return tuple(_CELLS[column.id](shown) if column.id in _CELLS else _EMPTY for column in columns)


def _name(shown: HostsRowFacts) -> Cell:
    lead = "  " * shown.depth + (FOLDED if shown.is_folded else "")
    return Cell(shown.name, "section", sort=shown.name, lead=lead)


def _state(shown: HostsRowFacts) -> Cell:
    lost = sum(1 for host in shown.hosts if host.state.link.state in _LOST)
    if lost:
        return Cell("DOWN" if len(shown.hosts) == 1 else f"{lost} down", "bad", tail=f" {BAD}")
    states = [pool.state for _, pool, _ in shown.pools]
    if not states:
        return _UNKNOWN
    worst = max((each.severity for each in shown.found), default=None)
    return state_cell(max(states, key=state_rank), severity=worst)


def _space(shown: HostsRowFacts) -> tuple[int, int, int]:
    """Bytes used, usable, and in snapshots as far as known."""
    used = usable = held = 0
    for host, pool, value in shown.pools:
        if value.usable_bytes is not None and value.usable_used_bytes is not None:
            used, usable = used + value.usable_used_bytes, usable + value.usable_bytes
            held += shown.snapshot_bytes.get((host.state.host, pool.name), 0)
    return used, usable, held


def _bar(shown: HostsRowFacts) -> Cell:
    used, usable, held = _space(shown)
    if not usable:
        return _UNKNOWN
    style = STRIP if shown.style == "text" else "dim"
    return Cell(spans=capacity_bar(used / usable, held / usable, shown.bar_cells, style), sort=used / usable)


def _used(shown: HostsRowFacts) -> Cell:
    used, usable, _ = _space(shown)
    return Cell(used_percent(100 * used / usable), shown.style) if usable else _UNKNOWN


def _usable(shown: HostsRowFacts) -> Cell:
    _, usable, _ = _space(shown)
    return Cell(size(usable), shown.style) if usable else _UNKNOWN


def _errors(shown: HostsRowFacts) -> Cell:
    known = [value.error_count for _, _, value in shown.pools if value.error_count is not None]
    return Cell(count(sum(known)), "bad" if sum(known) else shown.style) if known else _UNKNOWN


def _traffic(get: Callable[[IoRow], float]) -> Callable[[HostsRowFacts], Cell]:
    def cell(shown: HostsRowFacts) -> Cell:
        live = [
            get(pool.sample.rows[0])
            for host, pool, _ in shown.pools
            if host.state.link.state is LinkState.UP
            and pool.sample is not None
            and pool.sample.rows
            and shown.view.io_age(pool) is None
        ]
        return Cell(megabytes_per_s(sum(live)), "text") if live else _UNKNOWN

    return cell


def _scrub(shown: HostsRowFacts) -> Cell:
    """The oldest scrub."""
    ages = [age for _, _, value in shown.pools if (age := scrub_age(value, shown.view.now)) is not None]
    return Cell(ago(max(ages)), shown.style) if ages else _UNKNOWN


def _now(shown: HostsRowFacts) -> Cell:
    """The worst finding where its pools are folded away, and what is known of the host itself."""
    parts: list[Line] = []
    if len(shown.hosts) > 1:
        parts.append(line((counted(len(shown.hosts), "host"), "dim")))
    elif shown.hosts and shown.hosts[0].is_production:
        parts.append(line(("PRODUCTION", "bad")))
    parts.append(line((counted(sum(len(host.state.pools) for host in shown.hosts), "pool"), "dim")))
    worst = next((each for each in shown.found if each.severity > Severity.INFO), None)
    if shown.is_folded and worst is not None:
        pool = worst.evidence.get("pool")
        words = with_serials(f"{pool}: {worst.summary}" if pool else worst.summary)
        parts.insert(0, line((words, SEVERITY_STYLE[worst.severity])))
    elif len(shown.hosts) == 1:
        version = shown.hosts[0].state.version.value
        parts += [line((version.userland if version else "", "dim")), login_words(shown.hosts[0])]
    return Cell(spans=join(parts))


def _filled(shown: HostsRowFacts) -> Cell:
    """The pool that is filled to 80 % first."""
    known = [cell for _, pool, _ in shown.pools if (cell := filled(pool)).text != _UNKNOWN.text]
    return min(known, key=lambda cell: _number(cell.sort, math.inf)) if known else _UNKNOWN


def _copies(shown: HostsRowFacts) -> Cell:
    """The pool whose copies are worst: late, diverged or cut before current, and these before none."""
    cells = [copies(host.state, pool.name) for host, pool, _ in shown.pools]
    known = [cell for cell in cells if cell.text != _UNKNOWN.text]
    if not known:
        return _UNKNOWN
    return max(known, key=lambda cell: (_COPIES.get(cell.style, 0), _number(cell.sort, 0.0)))


def _number(sort: object, unknown: float) -> float:
    return float(sort) if isinstance(sort, int | float) else unknown


def _fragmentation(shown: HostsRowFacts) -> Cell:
    """The most fragmented pool."""
    known = [
        value.fragmentation_percent for _, _, value in shown.pools if value.fragmentation_percent is not None
    ]
    return Cell(percent(max(known)), shown.style) if known else _UNKNOWN


_CELLS: Final[Mapping[str, Callable[[HostsRowFacts], Cell]]] = {
    "pool": _name,
    "state": _state,
    "capacity": _bar,
    "used": _used,
    "usable": _usable,
    "filled": _filled,
    "frag": _fragmentation,
    "copies": _copies,
    "errors": _errors,
    "read": _traffic(lambda row: row.read_bytes),
    "write": _traffic(lambda row: row.write_bytes),
    "scrub": _scrub,
    "now": _now,
}
