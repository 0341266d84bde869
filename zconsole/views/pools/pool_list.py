"""Pool list of all hosts: pools in trouble on top, with the reasons in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from zconsole.analysis.findings.findings_grouped_by_disk import folded
from zconsole.analysis.findings.slow_disk_and_slow_vdev_rules import SLOW_FINDINGS
from zconsole.base.fixed_width_formatting import bandwidth, count, mib_per_s, percent, size
from zconsole.base.name_lists import shortened
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import LinkState, PoolState
from zconsole.model.pools.iostat import IoRow
from zconsole.model.pools.pool import HEALTHY_STATES, Pool
from zconsole.views.findings.findings_in_short import (
    DEGRADED,
    causes_in_short,
    causes_of,
    device_of,
    line_with_serials,
    told_once,
)
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.serial_in_device_name import with_serials
from zconsole.views.layout.state_age_and_link_phrases import (
    SEVERITY_STYLE,
    WARN,
    ago,
    counted,
    freshness,
    join,
    link_words,
    login_words,
    quiet_words,
    scrub_age,
    state_cell,
)
from zconsole.views.layout.styled_text import Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of

Number = TypeVar("Number", int | None, float | None)
_ONGOING: Final = ("scan-stalled", "scan-restarting", "scan-running", "scrub-paused", "activity-running")
CAUSES_NAMED: Final = 2  # devices of a degraded pool in its row
_SHOWN_ELSEWHERE: Final = frozenset({*_ONGOING, "scrub-overdue", DEGRADED, "data-errors", *SLOW_FINDINGS})


def key_of(host: str, pool: str = "") -> str:
    """The identity of a row: a host, or a pool of a host."""
    return f"{host}\0{pool}"


def host_and_pool(key: str | None) -> tuple[str, str]:
    """The host and pool of a row's identity; an empty pool is the host itself."""
    host, _, pool = (key or "").partition("\0")
    return host, pool


def page(view: View) -> Page:
    """The page of all pools."""
    ranked = sorted(view.hosts, key=lambda host: -_rank(host.worst)) if len(view.hosts) > 1 else view.hosts
    rows = tuple(row for host in ranked for row in _host_rows(host, view, is_alone=len(view.hosts) == 1))
    return Page(_answer(view), _fresh(view), _numbers(view), Table(COLUMNS, rows))


def notes(view: View, key: str | None) -> tuple[Line, ...]:
    """The worst finding on the selected pool or host, in words."""
    name, pool_name = host_and_pool(key)
    host = view.host(name)
    if host is None:
        return ()
    if not pool_name:
        stands_in_the_list = len(view.hosts) == 1 and not host.state.pools
        return () if stands_in_the_list else tuple(_host_notes(host, view))
    found = host.of_pool(pool_name)
    if found:
        return tuple(map(line_with_serials, told_once(folded(found))))
    pool = host.state.pool(pool_name)
    return () if pool is None else (_quiet(pool, view),)


def _rank(severity: Severity | None) -> int:
    return -1 if severity is None else int(severity)


def _quiet(pool: PoolState, view: View) -> Line:
    if pool.pool.value is None:
        return line((f"{pool.name}: its status has not been read yet", "dim"))
    scrubbed = scrub_age(pool.pool.value, view.now)
    scrub = "" if scrubbed is None else f", last scrub {ago(scrubbed)} ago"
    return line((f"{pool.name} is {pool.state}{scrub}; nothing to report.", "dim"))


# The two lines on top


def _answer(view: View) -> Line:
    """The host, the number of pools, and the most important fact."""
    if len(view.hosts) == 1:
        host = view.hosts[0]
        pools = len(host.state.pools)
        name = (host.name, "title")
        if host.state.link.state is not LinkState.UP and not host.state.pools:
            return join([line(name), link_words(host, view)])
        return join(
            [line(name, _production(host)), line(counted(pools, "pool")), *_link(host, view), _worst(view)]
        )
    down = sum(1 for host in view.hosts if host.state.link.state in {LinkState.DOWN, LinkState.REFUSED})
    return join(
        [
            line((counted(len(view.hosts), "host"), "title")),
            line((f"{down} down", "bad")) if down else (),
            _worst(view),
        ]
    )


def _production(host: HostView) -> tuple[str, str]:
    return (" PRODUCTION", "bad") if host.is_production else ("", "dim")


def _link(host: HostView, view: View) -> Iterator[Line]:
    if host.state.link.state is not LinkState.UP:
        yield link_words(host, view)


def _worst(view: View) -> Line:
    """The worst finding of all, or the statement that there is none, where all hosts could be read."""
    told = [(finding, host) for host in view.hosts for finding in folded(host.findings)]
    found = [(finding, host) for finding, host in told if not finding.is_advice]
    if not found:
        unread = any(pool.pool.value is None for host in view.hosts for pool in host.state.pools)
        is_read = any(host.state.pools_at is not None for host in view.hosts)
        if unread or not is_read or not any(host.state.pools for host in view.hosts):
            return ()
        return quiet_words(len(told))
    finding, host = max(found, key=lambda item: item[0].severity)
    where = f"{host.name} " if len(view.hosts) > 1 else ""
    return line((where + with_serials(finding.sentence), SEVERITY_STYLE[finding.severity]))


def _fresh(view: View) -> Line:
    """The freshness: of the single host, or of all connected hosts."""
    up = [host for host in view.hosts if host.state.link.state is LinkState.UP] or list(view.hosts)
    lines = [freshness(view, host, host.state.pools) for host in up]
    late = [each for each in lines if each and each[0].style == "warn"]
    return (late or lines or [()])[0]


def _numbers(view: View) -> Line:
    """Total space and traffic, where known."""
    pools = [pool for host in view.hosts for pool in host.state.pools]
    known = [pool.pool.value for pool in pools if pool.pool.value is not None]
    spaces = [(p.usable_used_bytes, p.usable_bytes) for p in known]
    used = sum(u for u, total in spaces if u is not None and total is not None)
    usable = sum(total for _, total in spaces if total is not None)
    live = [row for host in view.hosts for pool in host.state.pools if (row := _live_row(host, pool, view))]
    parts = []
    if usable:
        parts.append(line(f"{percent(100 * used / usable)} of {size(usable)} usable"))
    if live:
        reads, writes = sum(row.read_ops for row in live), sum(row.write_ops for row in live)
        parts.append(line(f"read {count(reads)}/s {bandwidth(sum(row.read_bytes for row in live))}"))
        parts.append(line(f"write {count(writes)}/s {bandwidth(sum(row.write_bytes for row in live))}"))
    versions = {host.state.version.value.userland for host in view.hosts if host.state.version.value}
    if len(versions) == 1:
        parts.append(line((versions.pop(), "dim")))
    if len(view.hosts) == 1:
        parts.append(login_words(view.hosts[0]))
    return join(parts)


def _live_row(host: HostView, pool: PoolState, view: View) -> IoRow | None:
    """The pool's own I/O, while samples are live."""
    if host.state.link.state is not LinkState.UP or view.io_age(pool) is not None:
        return None
    return pool.sample.rows[0] if pool.sample is not None and pool.sample.rows else None


# The rows


def _host_rows(host: HostView, view: View, *, is_alone: bool) -> Iterator[Row]:
    pools = sorted(host.state.pools, key=lambda pool: -_pool_rank(host, pool))
    depth = 0 if is_alone else 1
    if not is_alone:
        yield Row(key_of(host.state.host), line=_host_line(host, view), words=host.name)
    elif not pools:
        yield from _sentences(host, view)
    for pool in pools:
        yield _pool_row(host, pool, view, depth)


def _pool_rank(host: HostView, pool: PoolState) -> int:
    """Advice moves no row: nothing is wrong."""
    found = (each.severity for each in host.of_pool(pool.name) if not each.is_advice)
    return _rank(max(found, default=None))


def _host_line(host: HostView, view: View) -> Line:
    """Heading of a host: its name, its connection, its software."""
    name = line((host.name, "section"), _production(host))
    if host.state.link.state is not LinkState.UP:
        return join([name, link_words(host, view)])
    version = host.state.version.value
    pools = counted(len(host.state.pools), "pool") if host.state.pools_at is not None else "reading"
    software = line((version.userland if version else "", "dim"))
    return join([name, line((pools, "dim")), software, login_words(host)])


def _sentences(host: HostView, view: View) -> Iterator[Row]:
    """Sentences in place of the pools of the only host."""
    for at, sentence in enumerate(_host_notes(host, view)):
        yield Row(key_of(host.state.host) if at == 0 else f"{key_of(host.state.host)}\0{at}", line=sentence)


def _host_notes(host: HostView, view: View) -> Iterator[Line]:
    """Details of a host: why it cannot be read, and what to do."""
    link = host.state.link
    if link.state is not LinkState.UP:
        yield link_words(host, view)
        for hint in link.hint.split("\n"):
            yield line(hint)
        if link.fingerprint is not None:
            yield line(("Its key: ", "dim"), link.fingerprint, ("  K to compare and accept it", "key"))
        return
    if host.state.pools_problem:
        yield line((f"{WARN} ", "warn"), f"the pools cannot be listed: {host.state.pools_problem}")
    elif host.state.pools_at is None:
        yield line(("Reading the pools ...", "dim"))
    elif not host.state.pools:
        yield line(f"No pool is imported on {host.name}.")
        yield line(("zpool import lists the pools that its disks hold.", "dim"))
    yield from map(line_with_serials, told_once(folded(host.findings)))


def _pool_row(host: HostView, pool: PoolState, view: View, depth: int) -> Row:
    found = host.of_pool(pool.name)
    is_up = host.state.link.state is LinkState.UP
    is_old = view.status_age(pool, host.state.slack) is not None or not is_up
    shown = _ShownPool(pool, pool.pool.value, found, view, depth, is_old=is_old)
    return Row(key_of(host.state.host, pool.name), cells_of(COLUMNS, shown), depth=depth, words=host.name)


@dataclass(frozen=True, slots=True)
class _ShownPool:
    """Facts for the row of a pool."""

    state: PoolState
    value: Pool | None
    found: tuple[Finding, ...]
    view: View
    depth: int
    is_old: bool

    @property
    def style(self) -> str:
        """The style of values from the status."""
        return "dim" if self.is_old else "text"


def _name(shown: _ShownPool) -> Cell:
    return Cell(shown.state.name, shown.style, sort=shown.state.name, lead="  " * shown.depth)


def _state(shown: _ShownPool) -> Cell:
    pool, worst = shown.state, max((finding.severity for finding in shown.found), default=None)
    cell = state_cell(pool.state, severity=worst)
    if pool.state in HEALTHY_STATES and worst is not None and worst > Severity.INFO:
        return Cell(pool.state, "text", sort=cell.sort)
    return cell


def _of_status(
    get: Callable[[Pool], Number],
    write: Callable[[Number], str],
    style: Callable[[_ShownPool], str] = lambda shown: shown.style,
) -> Callable[[_ShownPool], Cell]:
    """The facts of a pool's status, once it is read."""

    def cell(shown: _ShownPool) -> Cell:
        if shown.value is None:
            return Cell("·", "dim")
        value = get(shown.value)
        return Cell(write(value), style(shown), sort=value)

    return cell


def _used_style(shown: _ShownPool) -> str:
    full = next((each for each in shown.found if each.id.startswith("capacity-")), None)
    return shown.style if full is None else SEVERITY_STYLE[full.severity]


def _errors_style(shown: _ShownPool) -> str:
    return "bad" if shown.value is not None and shown.value.error_count else shown.style


def _traffic(get: Callable[[IoRow], float]) -> Callable[[_ShownPool], Cell]:
    def cell(shown: _ShownPool) -> Cell:
        sample = shown.state.sample
        value = get(sample.rows[0]) if sample is not None and sample.rows else None
        is_dim = value is None or shown.is_old or shown.view.io_age(shown.state) is not None
        return Cell(mib_per_s(value), "dim" if is_dim else "text", sort=value)

    return cell


def _scrub(shown: _ShownPool) -> Cell:
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
    return Cell("never" if value.scan is None else "·", style if is_due else "dim", tail=tail)


def _now(shown: _ShownPool) -> Cell:
    """The current activity of the pool, and the number of further findings."""
    pool, value, found = shown.state, shown.value, shown.found
    if value is None:
        return Cell(pool.pool.problem or "reading", "warn" if pool.pool.problem else "dim")
    causes = causes_in_short(found)
    parts = [shortened(causes, CAUSES_NAMED)] if causes else []
    parts += [f.summary for wanted in _ONGOING for f in found if f.id == wanted]
    if value.error_count:
        parts.append(counted(value.error_count, "data error"))
    told = {device_of(each) for f in found if f.id == DEGRADED for each in causes_of(f)}
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
    return Cell(", ".join(parts), SEVERITY_STYLE[worst] if is_trouble else "info")


COLUMNS: Final[tuple[Column[_ShownPool], ...]] = (
    Column("pool", "POOL", 9, _name, need=100, is_right=False, grows_to=24, cuts_middle=True),
    Column("state", "STATE", 11, _state, need=95, is_right=False),
    Column("used", "USED", 4, _of_status(lambda pool: pool.used_percent, percent, _used_style), need=90),
    Column("usable", "OF USABLE", 9, _of_status(lambda pool: pool.usable_bytes, size), need=60),
    Column("frag", "FRAG", 4, _of_status(lambda pool: pool.fragmentation_percent, percent), need=30),
    Column("cap", "CAP", 4, _of_status(lambda pool: pool.capacity_percent, percent), need=20),
    Column("errors", "ERRORS", 6, _of_status(lambda pool: pool.error_count, count, _errors_style), need=25),
    Column("read", "R MiB/s", 7, _traffic(lambda row: row.read_bytes), need=15),
    Column("write", "W MiB/s", 7, _traffic(lambda row: row.write_bytes), need=14),
    Column("scrub", "LAST SCRUB", 10, _scrub, need=70),
    Column("now", "NOW", 30, _now, need=92, is_right=False, grows_to=120),
)
