"""Pool list of all hosts: pools in trouble on top, with the reasons in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from zconsole.analysis.findings.findings_grouped_by_disk import folded
from zconsole.base.fixed_width_formatting import bandwidth, count, percent, size
from zconsole.model.finding import Severity
from zconsole.model.host.host_state import LinkState, PoolState
from zconsole.model.pools.iostat import IoRow
from zconsole.views.findings.findings_in_short import line_with_serials, told_once
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
)
from zconsole.views.layout.styled_text import Line, Span, line
from zconsole.views.layout.table import Row, Table, cells_of
from zconsole.views.pools.pool_columns import BAR_CELLS, PoolRowFacts, columns

FOLDED: Final = "▸"


def key_of(host: str, pool: str = "") -> str:
    """The identity of a row: a host, or a pool of a host."""
    return f"{host}\0{pool}"


def host_and_pool(key: str | None) -> tuple[str, str]:
    """The host and pool of a row's identity; an empty pool is the host itself."""
    host, _, pool = (key or "").partition("\0")
    return host, pool


@dataclass(frozen=True, slots=True)
class ListRoom:
    """What the list of pools may take, and what is known beside the states."""

    bar_cells: int = BAR_CELLS
    rows: int | None = None  # beyond which hosts without trouble are folded; None folds none
    unfolded: frozenset[str] = frozenset()  # hosts that the user has unfolded
    snapshot_bytes: Mapping[tuple[str, str], int] = field(default_factory=dict)  # by host and pool


EVERY_ROW: Final = ListRoom()


def page(view: View, room: ListRoom = EVERY_ROW) -> Page:
    """The page of all pools."""
    rows = tuple(_rows(view, room, folds=False))
    if room.rows is not None and len(rows) > room.rows and len(view.hosts) > 1:
        rows = tuple(_rows(view, room, folds=True))
    return Page(_answer(view), _fresh(view), _numbers(view), Table(columns(room.bar_cells), rows))


def _rows(view: View, room: ListRoom, *, folds: bool) -> Iterator[Row]:
    """The rows of all hosts, the worst first; hosts without trouble are one row each where they fold."""
    if len(view.hosts) == 1:
        yield from _host_rows(view.hosts[0], view, room, is_alone=True)
        return
    for host in _ranked_hosts(view):
        if folds and _may_fold(host) and host.state.host not in room.unfolded:
            yield Row(key_of(host.state.host), line=_folded_line(host, view), words=host.name)
        else:
            yield from _host_rows(host, view, room, is_alone=False)


def _ranked_hosts(view: View) -> Sequence[HostView]:
    return sorted(view.hosts, key=lambda host: -_rank(host.worst)) if len(view.hosts) > 1 else view.hosts


def _ranked_pools(host: HostView) -> Sequence[PoolState]:
    return sorted(host.state.pools, key=lambda pool: -_pool_rank(host, pool))


def ranked(view: View) -> Iterator[tuple[HostView, PoolState]]:
    """All pools in the order of their rows, the worst of the worst host first."""
    for host in _ranked_hosts(view):
        for pool in _ranked_pools(host):
            yield host, pool


def _may_fold(host: HostView) -> bool:
    """Whether nothing is lost by one row: it is connected, was read, and nothing is wrong."""
    is_read = bool(host.state.pools) and all(pool.pool.value is not None for pool in host.state.pools)
    return host.state.link.state is LinkState.UP and is_read and _rank(host.worst) < Severity.WARNING


def _folded_line(host: HostView, view: View) -> Line:
    """A host in one line: how many pools, and how full the fullest is."""
    known = [(pool.pool.value.used_percent or 0.0, pool.name) for pool in host.state.pools if pool.pool.value]
    used, name = max(known)
    fullest = f"{name} " if len(known) > 1 else ""
    parts = [
        _host_line(host, view),
        line((f"{fullest}{percent(used)} used", "dim")),
        line(("Enter unfolds", "dim")),
    ]
    return (Span(f"{FOLDED} ", "dim"), *join(parts))


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


def _host_rows(host: HostView, view: View, room: ListRoom, *, is_alone: bool) -> Iterator[Row]:
    pools = _ranked_pools(host)
    depth = 0 if is_alone else 1
    if not is_alone:
        yield Row(key_of(host.state.host), line=_host_line(host, view), words=host.name)
    elif not pools:
        yield from _sentences(host, view)
    for pool in pools:
        yield _pool_row(host, pool, view, depth, room)


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


def _pool_row(host: HostView, pool: PoolState, view: View, depth: int, room: ListRoom) -> Row:
    found = host.of_pool(pool.name)
    is_up = host.state.link.state is LinkState.UP
    is_old = view.status_age(pool, host.state.slack) is not None or not is_up
    shown = PoolRowFacts(
        pool,
        pool.pool.value,
        found,
        view,
        depth,
        is_old=is_old,
        host=host.state,
        bar_cells=room.bar_cells,
        snapshot_bytes=room.snapshot_bytes.get((host.state.host, pool.name)),
    )
    cells = cells_of(columns(room.bar_cells), shown)
    return Row(key_of(host.state.host, pool.name), cells, depth=depth, words=host.name)
