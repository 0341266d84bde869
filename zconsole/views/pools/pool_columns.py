"""Columns of the list of pools: name, state, capacity, forecast, copies, traffic, scrub, trouble."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeVar

from zconsole.base.fixed_width_formatting import (
    UNKNOWN,
    count,
    duration,
    megabytes_per_s,
    percent,
    size,
    used_percent,
)
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import shortened
from zconsole.model.dataset_names import pool_of
from zconsole.model.finding import SLOW_FINDINGS, Finding, Severity
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.iostat import IoRow
from zconsole.model.pools.pool import HEALTHY_STATES, Pool
from zconsole.views.findings.findings_in_short import DEGRADED, causes_in_short, causes_of, device_of
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.serial_in_device_name import with_serials
from zconsole.views.layout.state_age_and_link_phrases import (
    SEVERITY_STYLE,
    WARN,
    ago,
    counted,
    scrub_age,
    state_cell,
    state_rank,
)
from zconsole.views.layout.styled_text import STRIP
from zconsole.views.layout.table import Cell, Column
from zconsole.views.pools.capacity_bar import MARKED_AT, capacity_bar

if TYPE_CHECKING:  # not needed by the first frame
    from zconsole.model.forecast import LevelReached

Number = TypeVar("Number", int | None, float | None)
NAME_CELLS: Final = 9
WIDEST_NAME: Final = 15
BAR_CELLS: Final = 12
WIDE_BAR_CELLS: Final = 24
WIDE: Final = 120  # cells of a terminal from which on the bar is wide
NOW_CELLS: Final = (30, 50)  # beside a narrow and a wide bar
SERIAL_END: Final = 4  # letters of a serial in a row that is too narrow for all of it
CAUSES_NAMED: Final = 2  # devices of a degraded pool in its row
ONGOING: Final = ("scan-stalled", "scan-restarting", "scan-running", "scrub-paused", "activity-running")
_SHOWN_ELSEWHERE: Final = frozenset({*ONGOING, "scrub-overdue", DEGRADED, "data-errors", *SLOW_FINDINGS})
_SOON_S: Final = 90 * 86_400.0
_LEVEL: Final = 80  # percent of usable space


@dataclass(frozen=True, slots=True)
class PoolRowFacts:
    """Facts for the row of a pool."""

    state: PoolState
    value: Pool | None
    found: tuple[Finding, ...]
    view: View
    depth: int
    is_old: bool
    host: HostState
    bar_cells: int = BAR_CELLS
    snapshot_bytes: int | None = None  # in all of its snapshots, where known
    silenced: tuple[Finding, ...] = ()  # they count for nothing, and what was measured stays

    @property
    def style(self) -> str:
        """The style of values from the status."""
        return "dim" if self.is_old else "text"


def _name(shown: PoolRowFacts) -> Cell:
    return Cell(shown.state.name, shown.style, sort=shown.state.name, lead="  " * shown.depth)


def _state(shown: PoolRowFacts) -> Cell:
    pool, worst = shown.state, max((finding.severity for finding in shown.found), default=None)
    if shown.host.recalled_at is not None:
        return Cell(pool.state, "dim", sort=-state_rank(pool.state))
    cell = state_cell(pool.state, severity=worst)
    if pool.state in HEALTHY_STATES and worst is not None and worst > Severity.INFO:
        return Cell(pool.state, "text", sort=cell.sort)
    return cell


def _of_status(
    get: Callable[[Pool], Number],
    write: Callable[[Number], str],
    style: Callable[[PoolRowFacts], str] = lambda shown: shown.style,
) -> Callable[[PoolRowFacts], Cell]:
    """The facts of a pool's status, once it is read."""

    def cell(shown: PoolRowFacts) -> Cell:
        if shown.value is None:
            return Cell("·", "dim")
        value = get(shown.value)
        return Cell(write(value), style(shown), sort=value)

    return cell


def _used_style(shown: PoolRowFacts) -> str:
    full = next((each for each in shown.found if each.id.startswith("capacity-")), None)
    return shown.style if full is None else SEVERITY_STYLE[full.severity]


def _errors_style(shown: PoolRowFacts) -> str:
    return "bad" if shown.value is not None and shown.value.error_count else shown.style


def _traffic(get: Callable[[IoRow], float]) -> Callable[[PoolRowFacts], Cell]:
    def cell(shown: PoolRowFacts) -> Cell:
        sample = shown.state.sample
        value = get(sample.rows[0]) if sample is not None and sample.rows else None
        is_dim = value is None or shown.is_old or shown.view.io_age(shown.state) is not None
        return Cell(megabytes_per_s(value), "dim" if is_dim else "text", sort=value)

    return cell


def _scrub(shown: PoolRowFacts) -> Cell:
    value, found, view = shown.value, shown.found, shown.view
    if value is None:
        return Cell("·", "dim")
    due = next((f for f in found if f.id in {"scrub-overdue", "scrub-never"}), None)
    is_due = due is not None and due.severity > Severity.INFO
    style, tail = ("warn", f" {WARN}") if is_due else ("text", "")
    age = scrub_age(value, view.now)
    if age is not None:
        return Cell(ago(age), style, sort=age, tail=tail)
    if value.scan is not None and value.scan.function == "scrub" and value.scan.end is None:
        return Cell("now" if value.scan.is_running else value.scan.state, "info")
    if value.scan is not None and not is_due:  # ZFS keeps the last scan alone: it is no `never`
        return Cell("resilver" if value.scan.function == "resilver" else value.scan.state, "dim")
    return Cell("never" if value.scan is None else "·", style if is_due else "dim", tail=tail)


def _now(shown: PoolRowFacts) -> Cell:
    """The current activity of the pool, and the number of further findings."""
    pool, value, found = shown.state, shown.value, shown.found
    if value is None:
        return Cell(pool.pool.problem or "reading", "warn" if pool.pool.problem else "dim")
    measured = (*found, *shown.silenced)
    causes = causes_in_short(measured)
    parts = [shortened(causes, CAUSES_NAMED)] if causes else []
    parts += [f.summary for wanted in ONGOING for f in measured if f.id == wanted]
    if value.error_count:
        parts.append(counted(value.error_count, "data error"))
    told = {device_of(each) for f in measured if f.id == DEGRADED for each in causes_of(f)}
    rest = [f for f in found if f.id not in _SHOWN_ELSEWHERE and f.severity > Severity.INFO]
    rest = [f for f in rest if not f.disk or f.evidence.get("vdev") not in told]
    if pool.slow:
        parts.append(f"{counted(len(pool.slow), 'slow disk')} {WARN}")
    if rest:
        more = f" +{len(rest) - 1}" if len(rest) > 1 else ""
        parts.append(with_serials(rest[0].summary) + more)
    worst = max((f.severity for f in found), default=Severity.INFO)
    if pool.slow:
        worst = max(worst, Severity.WARNING)
    is_trouble = bool(rest or pool.slow or value.error_count) or any(f.id == "scan-stalled" for f in found)
    brief = [shortened(_with_ends_of_serials(causes), CAUSES_NAMED), *parts[1:]] if causes else []
    style = SEVERITY_STYLE[worst] if is_trouble else "info"
    return Cell(", ".join(parts), style, whole=len(parts[0]) if brief else 0, briefer=", ".join(brief))


def _with_ends_of_serials(causes: Sequence[str]) -> Sequence[str]:
    """The causes with the last letters of each serial, if these are distinct: a state is worth more."""
    parts = [each.partition(" ") for each in causes]
    ends = [name if len(name) <= SERIAL_END + 1 else f"…{name[-SERIAL_END:]}" for name, _, _ in parts]
    if len(set(ends)) < len(ends):
        return causes
    return [f"{end} {state}" for end, (_, _, state) in zip(ends, parts, strict=True)]


def _bar(shown: PoolRowFacts) -> Cell:
    value = shown.value
    if value is None or not value.usable_bytes or value.usable_used_bytes is None:
        return Cell("·", "dim")
    used = value.usable_used_bytes / value.usable_bytes
    style = "dim" if shown.is_old else _used_style(shown)
    held = (shown.snapshot_bytes or 0) / value.usable_bytes
    return Cell(
        spans=capacity_bar(used, held, shown.bar_cells, STRIP if style == "text" else style), sort=used
    )


def filled(pool: PoolState) -> Cell:
    """The time until 80 % is used, by the forecast from what is kept, or the last one of the planner."""
    forecast = pool.forecast.value
    passings = () if forecast is None or forecast.trend is None else forecast.trend.passings
    passing = next((each for each in passings if each.percent == _LEVEL), None)
    if forecast is None or passing is None:
        return Cell(UNKNOWN, "dim")
    return _passing(passing, forecast.at)


def _passing(passing: LevelReached, at: float) -> Cell:
    if passing.is_reached:
        return Cell("above", "warn", sort=0.0, tail=f" {WARN}")
    if passing.likely is None:
        return Cell(">10y", "dim")
    left = passing.likely - at
    is_soon = left < _SOON_S
    return Cell(duration(left), "warn" if is_soon else "text", sort=left, tail=f" {WARN}" if is_soon else "")


def copies(host: HostState, pool: str) -> Cell:
    """The copies of a pool's datasets elsewhere, as they were compared last."""
    seen = host.replication.value
    if seen is None:
        return Cell("·", "dim")
    found = {each.id: each for each in seen.findings if _is_of(each, pool, seen.host)}
    if (late := found.get("replica-stale")) is not None:
        behind = late.evidence.get("behind_s")
        known = behind if isinstance(behind, int | float) else None
        return Cell("behind" if known is None else f"{duration(known)} late", "warn", sort=known)
    if "replica-diverged" in found:
        return Cell("diverged", "warn")
    if "receive-cut" in found:
        return Cell("cut", "warn")
    sent = any(pool_of(name) == pool for name in seen.sent)
    return Cell("current" if sent else "none", "text" if sent else "dim")


def seconds_late(host: HostState, pool: str) -> float | None:
    """How far the latest copy of a pool's datasets lags, 0 where none is late; None where unknown."""
    seen = host.replication.value
    if seen is None or not any(pool_of(name) == pool for name in seen.sent):
        return None
    late = [each for each in seen.findings if each.id == "replica-stale" and _is_of(each, pool, seen.host)]
    known = [each.evidence.get("behind_s") for each in late]
    seconds = [each for each in known if isinstance(each, int | float)]
    return None if len(seconds) < len(late) else max(seconds, default=0.0)


def _is_of(found: Finding, pool: str, host: str) -> bool:
    return found.evidence.get("pool") == pool and found.evidence.get("host", host) == host


def _bar_title(cells: int) -> str:
    """The title of the bars, with what their mark stands for above it."""
    return f"{'CAPACITY':<{round(MARKED_AT * cells) - 1}}{MARKED_AT:.0%}"


def name_cells(names: Iterable[str]) -> int:
    """The width of the first column for names of hosts, which are unlike at their end."""
    return min(WIDEST_NAME, max(NAME_CELLS, *(len(each) + len("▸ ") for each in names)))


def empty_columns(view: View) -> frozenset[str]:
    """Columns of which no cell could tell anything: nothing was forecast, no copies were compared."""
    pools = [pool for host in view.hosts for pool in host.state.pools]
    is_forecast = any(filled(pool).text != UNKNOWN for pool in pools)
    is_compared = any(host.state.replication.value is not None for host in view.hosts)
    return frozenset(
        name for name, is_known in (("filled", is_forecast), ("copies", is_compared)) if not is_known
    )


@lru_cache(maxsize=8)
def columns(
    bar_cells: int = BAR_CELLS, names: int = NAME_CELLS, left_out: frozenset[str] = frozenset()
) -> tuple[Column[PoolRowFacts], ...]:
    """The columns, with a bar and with names of that many cells."""
    now = NOW_CELLS[bar_cells == WIDE_BAR_CELLS] - (names - NAME_CELLS)
    every: tuple[Column[PoolRowFacts], ...] = (
        Column("pool", "POOL", names, _name, need=100, is_right=False, grows_to=24, cuts_middle=True),
        Column("state", "STATE", 11, _state, need=95, is_right=False),
        Column("capacity", _bar_title(bar_cells), bar_cells, _bar, need=88, is_right=False),
        Column(
            "used", "USED", 4, _of_status(lambda pool: pool.used_percent, used_percent, _used_style), need=93
        ),
        Column("usable", "OF USABLE", 9, _of_status(lambda pool: pool.usable_bytes, size), need=60),
        Column("filled", f"{_LEVEL}% IN", 9, lambda shown: filled(shown.state), need=55),
        Column("frag", "FRAG", 4, _of_status(lambda pool: pool.fragmentation_percent, percent), need=30),
        Column("cap", "RAW CAP", 7, _of_status(lambda pool: pool.capacity_percent, percent), need=20),
        Column(
            "errors", "ERRORS", 6, _of_status(lambda pool: pool.error_count, count, _errors_style), need=25
        ),
        Column("read", "R MiB/s", 7, _traffic(lambda row: row.read_bytes), need=15),
        Column("write", "W MiB/s", 7, _traffic(lambda row: row.write_bytes), need=14),
        Column("copies", "COPIES", 11, lambda shown: copies(shown.host, shown.state.name), need=40),
        Column("scrub", "SCRUBBED", 8, _scrub, need=70),
        Column("now", "NOW", now, _now, need=92, is_right=False, grows_to=120),
    )
    return tuple(replace(each, is_blank=each.id in left_out) for each in every)
