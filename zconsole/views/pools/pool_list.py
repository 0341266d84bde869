"""Pool list of all hosts: pools in trouble on top, with the reasons in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from enum import IntEnum
from functools import partial
from typing import Final

from zconsole.analysis.findings.findings_grouped_by_disk import folded
from zconsole.base.fixed_width_formatting import bandwidth, count, size, used_percent
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.finding import Severity
from zconsole.model.host.host_state import LinkState, PoolState
from zconsole.model.pools.iostat import IoRow
from zconsole.views.findings.findings_in_short import line_with_serials, told_once
from zconsole.views.findings.not_judged.unread_or_old_readings import is_advice_partial
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
    nothing_but,
    quiet_words,
    recalled_words,
    scrub_age,
)
from zconsole.views.layout.styled_text import Line, line, line_width
from zconsole.views.layout.table import Column, Row, RowsOnDemand, Table, cells_of
from zconsole.views.pools.host_and_group_rows import HostsRowFacts, row_cells
from zconsole.views.pools.pool_columns import BAR_CELLS, NAME_CELLS, PoolRowFacts, columns

GUEST_PAUSED: Final = "guest-paused-io-error"
UNGROUPED: Final = "no group"
REST: Final = "\0rest"  # behind the key of a group: its hosts of which nothing is wrong
LEAST_REST: Final = 2  # hosts of a group without trouble that are one row
MakeRow = Callable[[], Row]  # of hundreds of hosts, forty rows are visible


def group_key(name: str) -> str:
    """The identity of a group's row."""
    return f"\0group\0{name}"


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
    rows: int | None = None  # beyond which hosts are folded; None folds none
    unfolded: frozenset[str] = frozenset()  # hosts and keys of groups that the user has unfolded
    cells: int | None = None  # of the first line
    name_cells: int = NAME_CELLS
    snapshot_bytes: Mapping[tuple[str, str], int] = field(default_factory=dict)  # by host and pool


EVERY_ROW: Final = ListRoom()
ROOM_FOR_NAME: Final = 50  # cells of the first line from which on it begins with the host


def page(view: View, room: ListRoom = EVERY_ROW) -> Page:
    """The page of all pools."""
    rows = list(_rows(view, room))
    return Page(
        _answer(view, room.cells),
        _fresh(view),
        _numbers(view),
        Table(_columns(room), RowsOnDemand(len(rows), lambda at: rows[at]())),
    )


class _Fold(IntEnum):
    """How much is folded where not all rows fit."""

    NOTHING = 0
    QUIET_HOSTS = 1  # a host of which nothing is wrong is one row
    HOSTS = 2  # each host is one row
    QUIET_GROUPS = 3  # and so is a group of which nothing is wrong


def _rows(view: View, room: ListRoom) -> Iterator[MakeRow]:
    """The rows of all hosts, the worst first, in the groups of the configuration; folded as far as needed."""
    if len(view.hosts) == 1:
        yield from _host_rows(view.hosts[0], view, room, is_alone=True)
        return
    groups = _ranked_groups(view)
    fold = _how_to_fold(groups, room)
    for group, hosts in groups:
        yield from _rows_of_group(group if len(groups) > 1 else "", hosts, view, room, fold)


def _how_to_fold(groups: Sequence[tuple[str, Sequence[HostView]]], room: ListRoom) -> _Fold:
    """As little as makes all rows fit; without groups, trouble stays in full up to half of the rows."""
    if room.rows is None:
        return _Fold.NOTHING
    for fold in (_Fold.NOTHING, _Fold.QUIET_HOSTS, _Fold.HOSTS):
        if _count(groups, room, fold) <= room.rows:
            return fold
    if len(groups) > 1:
        return _Fold.QUIET_GROUPS
    in_trouble = sum(
        1 + len(each.state.pools) for _, hosts in groups for each in hosts if not _may_fold(each)
    )
    return _Fold.QUIET_HOSTS if in_trouble <= room.rows // 2 else _Fold.HOSTS


def _rows_of_group(
    group: str, hosts: Sequence[HostView], view: View, room: ListRoom, fold: _Fold
) -> Iterator[MakeRow]:
    """The rows of a group, and of all hosts where there are no groups."""
    is_folded = _folds_group(group, hosts, room, fold)
    told, rest = _told_and_rest(group, hosts, room, fold)
    if group:
        yield partial(_group_row, group, hosts, view, room, is_folded=is_folded)
    for host in () if is_folded else told:
        if _folds_host(host, room, fold):
            yield partial(_host_row, host, view, room, is_folded=True)
        else:
            yield from _host_rows(host, view, room, is_alone=False)
    if rest and not is_folded:
        yield partial(_rest_row, group, rest, view, room)


def _told_and_rest(
    group: str, hosts: Sequence[HostView], room: ListRoom, fold: _Fold
) -> tuple[Sequence[HostView], Sequence[HostView]]:
    """The hosts of a group with rows of their own, and those of which nothing is wrong as one row."""
    if not group or fold is not _Fold.QUIET_GROUPS or group_key(group) in room.unfolded:
        return hosts, ()
    quiet = [host for host in hosts if _may_fold(host) and host.state.host not in room.unfolded]
    return (hosts, ()) if len(quiet) < LEAST_REST else ([each for each in hosts if each not in quiet], quiet)


def _ranked_groups(view: View) -> list[tuple[str, list[HostView]]]:
    """The groups of the configuration with their hosts, the worst first."""
    groups: dict[str, list[HostView]] = {}
    for host in _ranked_hosts(view):
        groups.setdefault(host.group, []).append(host)
    ranked_groups = sorted(
        groups.items(), key=lambda group: (-_rank(group[1][0].worst), not group[0], group[0])
    )
    return [(name or UNGROUPED, hosts) for name, hosts in ranked_groups]


def _folds_group(name: str, hosts: Sequence[HostView], room: ListRoom, fold: _Fold) -> bool:
    if not name or fold is not _Fold.QUIET_GROUPS or group_key(name) in room.unfolded:
        return False
    return all(map(_may_fold, hosts))


def _folds_host(host: HostView, room: ListRoom, fold: _Fold) -> bool:
    if fold is _Fold.NOTHING or host.state.host in room.unfolded:
        return False
    return fold >= _Fold.HOSTS or _may_fold(host)


def _count(groups: Sequence[tuple[str, Sequence[HostView]]], room: ListRoom, fold: _Fold) -> int:
    """The number of rows with hosts folded as far as that."""
    headings = len(groups) if len(groups) > 1 else 0
    return headings + sum(
        1 if _folds_host(each, room, fold) else 1 + len(each.state.pools)
        for _, hosts in groups
        for each in hosts
    )


def _ranked_hosts(view: View) -> Sequence[HostView]:
    return sorted(view.hosts, key=lambda host: -_rank(host.worst)) if len(view.hosts) > 1 else view.hosts


def _ranked_pools(host: HostView) -> Sequence[PoolState]:
    return sorted(host.state.pools, key=lambda pool: (-_pool_rank(host, pool), _is_whole(pool)))


def ranked(view: View) -> Iterator[tuple[HostView, PoolState]]:
    """All pools in the order of their rows, the worst of the worst host first."""
    for host in _ranked_hosts(view):
        for pool in _ranked_pools(host):
            yield host, pool


def _may_fold(host: HostView) -> bool:
    """Whether nothing is lost by one row: it is connected, was read, and nothing is wrong."""
    is_read = bool(host.state.pools) and all(pool.pool.value is not None for pool in host.state.pools)
    return host.state.link.state is LinkState.UP and is_read and _rank(host.worst) < Severity.WARNING


def notes(view: View, key: str | None) -> tuple[Line, ...]:
    """The worst finding on the selected pool or host, in words."""
    name, pool_name = host_and_pool(key)
    host = view.host(name)
    if host is None:
        return _group_notes(key, view)
    if not pool_name:
        stands_in_the_list = len(view.hosts) == 1 and not host.state.pools
        return () if stands_in_the_list else tuple(_host_notes(host, view))
    found = host.of_pool(pool_name)
    if found:
        return tuple(map(line_with_serials, told_once(folded(found))))
    pool = host.state.pool(pool_name)
    return () if pool is None else (_quiet(host, pool, view),)


def _group_notes(key: str | None, view: View) -> tuple[Line, ...]:
    """The worst findings of each host of a group."""
    hosts = [
        host
        for host in view.hosts
        if key is not None and key.removesuffix(REST) == group_key(host.group or UNGROUPED)
    ]
    return tuple(
        (*line((f"{host.name} ", "dim")), *line_with_serials(finding))
        for host in hosts
        for finding in told_once(folded(host.findings))
        if finding.severity > Severity.INFO
    )


def _rank(severity: Severity | None) -> int:
    return -1 if severity is None else int(severity)


def _quiet(host: HostView, pool: PoolState, view: View) -> Line:
    if host.state.recalled_at is not None:
        return recalled_words(host, view)
    if pool.pool.value is None:
        return line((f"{pool.name}: its status has not been read yet", "dim"))
    scrubbed = scrub_age(pool.pool.value, view.now)
    scrub = "" if scrubbed is None else f", last scrub {ago(scrubbed)} ago"
    return line((f"{pool.name} is {pool.state}{scrub}; {nothing_but(host.silenced_of(pool.name))}.", "dim"))


# The two lines on top


def _answer(view: View, cells: int | None) -> Line:
    """The host, the number of pools, and the most important fact, which gives way to the name of the host.

    On a very small terminal that fact stands alone.
    """
    worst = _worst(view)
    if len(view.hosts) == 1:
        host = view.hosts[0]
        pools = len(host.state.pools)
        name = (host.name, "title")
        if host.state.link.state is not LinkState.UP and not host.state.pools:
            return join([line(name), link_words(host, view)])
        link = list(_link(host, view))
        parts = [line(name, _production(host)), line(counted(pools, "pool")), *link, worst]
        named = [line(name, _production(host)), *link, worst]
        alone = [[*link, worst]] if cells is not None and cells < ROOM_FOR_NAME else []
        return _shortened(parts, [named, *alone], cells)
    down = sum(1 for host in view.hosts if host.state.link.state in {LinkState.DOWN, LinkState.REFUSED})
    lost = line((f"{down} down", "bad")) if down else ()
    hosts = line((counted(len(view.hosts), "host"), "title"))
    return _shortened([hosts, lost, worst], [[lost, worst]], cells)


def _shortened(parts: list[Line], shorter: Sequence[list[Line]], cells: int | None) -> Line:
    """The parts, or the first shorter choice that fits; the last one where none does."""
    choices = [join(each) for each in (parts, *(each for each in shorter if any(each)))]
    if cells is None:
        return choices[0]
    return next((each for each in choices if line_width(each) <= cells), choices[-1])


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
        is_lost = any(host.state.link.state is not LinkState.UP for host in view.hosts)
        if unread or is_lost or not is_read or not any(host.state.pools for host in view.hosts):
            return ()
        is_partial = is_advice_partial([host.state for host in view.hosts])
        silenced = sum(len(host.silenced) for host in view.hosts)
        return quiet_words((finding for finding, _ in told), is_partial=is_partial, silenced=silenced)
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
        parts.append(line(f"{used_percent(100 * used / usable)} used of {size(usable)}"))
    paused = sum(finding.id == GUEST_PAUSED for host in view.hosts for finding in host.findings)
    if paused:
        parts.append(line((f"{counted(paused, 'guest')} paused", "bad")))
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


def _host_rows(host: HostView, view: View, room: ListRoom, *, is_alone: bool) -> Iterator[MakeRow]:
    pools = _ranked_pools(host)
    depth = 0 if is_alone else 1
    if not is_alone:
        yield partial(_host_row, host, view, room, is_folded=False)
    elif not pools:
        yield from (partial(_same, row) for row in _sentences(host, view))
    for pool in pools:
        yield partial(_pool_row, host, pool, view, depth, room)


def _same(row: Row) -> Row:
    return row


def _columns(room: ListRoom) -> tuple[Column[PoolRowFacts], ...]:
    return columns(room.bar_cells, room.name_cells)


def _is_whole(pool: PoolState) -> bool:
    """Whether ZFS calls it ONLINE: of two pools with equal findings one that lacks a device is first."""
    return pool.pool.value is None or pool.pool.value.state == "ONLINE"


def _pool_rank(host: HostView, pool: PoolState) -> int:
    """Advice moves no row: nothing is wrong."""
    found = (each.severity for each in host.of_pool(pool.name) if not each.is_advice)
    return _rank(max(found, default=None))


def _group_row(name: str, hosts: Sequence[HostView], view: View, room: ListRoom, *, is_folded: bool) -> Row:
    shown = HostsRowFacts(
        name, hosts, view, is_folded, bar_cells=room.bar_cells, snapshot_bytes=room.snapshot_bytes
    )
    return Row(group_key(name), row_cells(shown, _columns(room)), words=name)


def _rest_row(group: str, hosts: Sequence[HostView], view: View, room: ListRoom) -> Row:
    name = f"{len(hosts)} quiet"
    shown = HostsRowFacts(
        name, hosts, view, is_folded=True, bar_cells=room.bar_cells, snapshot_bytes=room.snapshot_bytes
    )
    return Row(group_key(group) + REST, row_cells(shown, _columns(room)), words=group)


def _host_row(host: HostView, view: View, room: ListRoom, *, is_folded: bool) -> Row:
    """A host as one row: its pools together; one that cannot be read in words."""
    key = key_of(host.state.host)
    is_read = any(pool.pool.value is not None for pool in host.state.pools)
    if room.rows is None or host.state.link.state is not LinkState.UP or not is_read:
        return Row(key, line=_host_line(host, view), words=host.name)
    shown = HostsRowFacts(
        host.name, (host,), view, is_folded, bar_cells=room.bar_cells, snapshot_bytes=room.snapshot_bytes
    )
    return Row(key, row_cells(shown, _columns(room)), words=host.name)


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
    cells = cells_of(_columns(room), shown)
    return Row(key_of(host.state.host, pool.name), cells, depth=depth, words=host.name)
