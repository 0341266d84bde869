"""Pool list of all hosts: pools in trouble on top, with the reasons in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from zconsole.analysis.findings.findings_grouped_by_disk import folded
from zconsole.base.fixed_width_formatting import bandwidth, count, size, used_percent
from zconsole.base.name_lists import shortened
from zconsole.model.finding import LAST, Place, Severity
from zconsole.model.host.host_state import LinkState, PoolState
from zconsole.model.pools.iostat import IoRow
from zconsole.views.findings.findings_in_short import line_with_serials, told_once
from zconsole.views.findings.not_judged.unread_or_old_readings import is_advice_partial
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.serial_in_device_name import with_serials
from zconsole.views.layout.state_age_and_link_phrases import (
    BAD,
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
from zconsole.views.pools.folded_hosts_and_groups import (
    LOST,
    REST,
    UNGROUPED,
    Fold,
    ListRoom,
    as_one_row,
    folds_group,
    folds_host,
    group_key,
    how_to_fold,
    is_lost,
    ranked_groups,
    ranked_hosts,
)
from zconsole.views.pools.host_and_group_rows import HostsRowFacts, row_cells
from zconsole.views.pools.pool_columns import PoolRowFacts, columns, empty_columns

GUEST_PAUSED: Final = "guest-paused-io-error"
LOST_NAMED: Final = 8
MakeRow = Callable[[], Row]  # of hundreds of hosts, forty rows are visible


def key_of(host: str, pool: str = "") -> str:
    """The identity of a row: a host, or a pool of a host."""
    return f"{host}\0{pool}"


def host_and_pool(key: str | None) -> tuple[str, str]:
    """The host and pool of a row's identity; an empty pool is the host itself."""
    host, _, pool = (key or "").partition("\0")
    return host, pool


EVERY_ROW: Final = ListRoom()
ROOM_FOR_NAME: Final = 50  # cells of the first line from which on it begins with the host


def page(view: View, room: ListRoom = EVERY_ROW) -> Page:
    """The page of all pools."""
    room = replace(room, left_out=empty_columns(view))
    rows = list(_rows(view, room))
    return Page(
        _answer(view, room.cells),
        _fresh(view),
        _numbers(view),
        Table(_columns(room), RowsOnDemand(len(rows), lambda at: rows[at]())),
    )


def _rows(view: View, room: ListRoom) -> Iterator[MakeRow]:
    """The rows of all hosts, the worst first, in the groups of the configuration; folded as far as needed."""
    if len(view.hosts) == 1:
        yield from _host_rows(view.hosts[0], view, room, is_alone=True)
        return
    groups = ranked_groups(view)
    fold = how_to_fold(groups, room)
    for group, hosts in groups:
        yield from _rows_of_group(group if len(groups) > 1 else "", hosts, view, room, fold)


def _rows_of_group(
    group: str, hosts: Sequence[HostView], view: View, room: ListRoom, fold: Fold
) -> Iterator[MakeRow]:
    """The rows of a group, and of all hosts where there are no groups."""
    folds = folds_group(group, hosts, room, fold)
    if group:
        yield partial(_group_row, group, hosts, view, room, is_folded=folds)
    if folds:
        return
    lost, quiet = as_one_row(group, hosts, room, fold)
    together = frozenset(each.state.host for each in (*lost, *quiet))
    if lost:
        yield partial(_rest_row, f"{group_key(group)}{LOST}", f"{len(lost)} down", lost, view, room)
    for host in hosts:
        if host.state.host in together:
            continue
        if folds_host(host, room, fold):
            yield partial(_host_row, host, view, room, is_folded=True)
        else:
            yield from _host_rows(host, view, room, is_alone=False)
    if quiet:
        yield partial(_rest_row, f"{group_key(group)}{REST}", f"{len(quiet)} quiet", quiet, view, room)


def _ranked_pools(host: HostView) -> Sequence[PoolState]:
    return sorted(host.state.pools, key=lambda pool: (_pool_place(host, pool), _is_whole(pool)))


def ranked(view: View) -> Iterator[tuple[HostView, PoolState]]:
    """All pools in the order of their rows, the worst of the worst host first."""
    for host in ranked_hosts(view):
        for pool in _ranked_pools(host):
            yield host, pool


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
        return tuple(line_with_serials(each, host=name) for each in told_once(folded(found)))
    pool = host.state.pool(pool_name)
    return () if pool is None else (_quiet(host, pool, view),)


def _group_notes(key: str | None, view: View) -> tuple[Line, ...]:
    """The worst findings of each host of a group."""
    hosts = [
        host
        for host in view.hosts
        if key is not None and key.removesuffix(REST).removesuffix(LOST) == group_key(host.group or UNGROUPED)
    ]
    return (
        *_lost_words([host for host in hosts if is_lost(host)], view),
        *(
            (*line((f"{host.name} ", "dim")), *line_with_serials(finding, host=host.state.host))
            for host in hosts
            for finding in told_once(folded(host.findings))
            if finding.severity > Severity.INFO
        ),
    )


def _lost_words(hosts: Sequence[HostView], view: View) -> Iterator[Line]:
    """Which hosts cannot be reached, and what the first one says of it."""
    if hosts:
        names = shortened([host.name for host in hosts], LOST_NAMED)
        yield line((f"{BAD} ", "bad"), f"{counted(len(hosts), 'host')} down: {names}")
        yield (*line((f"{hosts[0].name} ", "dim")), *link_words(hosts[0], view))


def _quiet(host: HostView, pool: PoolState, view: View) -> Line:
    if host.state.recalled_at is not None:
        return recalled_words(host, view)
    if pool.pool.value is None:
        return line((f"{pool.name}: its status has not been read yet", "dim"))
    scrubbed = scrub_age(pool.pool.value, view.now)
    scrub = "" if scrubbed is None else f", last scrub {ago(scrubbed)} ago"
    return line(
        (f"{pool.name} is {pool.state}{scrub}; {nothing_but(len(host.silenced_in(pool.name)))}.", "dim")
    )


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
    down = sum(map(is_lost, view.hosts))
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
    finding, host = min(found, key=lambda item: item[0].place)
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
    return columns(room.bar_cells, room.name_cells, room.left_out)


def _is_whole(pool: PoolState) -> bool:
    """Whether ZFS calls it ONLINE: of two pools with equal findings one that lacks a device is first."""
    return pool.pool.value is None or pool.pool.value.state == "ONLINE"


def _pool_place(host: HostView, pool: PoolState) -> Place:
    """The place of its worst finding; advice moves no row: nothing is wrong."""
    found = (each.place for each in host.of_pool(pool.name) if not each.is_advice)
    return min(found, default=LAST)


def _group_row(name: str, hosts: Sequence[HostView], view: View, room: ListRoom, *, is_folded: bool) -> Row:
    shown = HostsRowFacts(
        name, hosts, view, is_folded, bar_cells=room.bar_cells, snapshot_bytes=room.snapshot_bytes
    )
    return Row(group_key(name), row_cells(shown, _columns(room)), words=name)


def _rest_row(key: str, name: str, hosts: Sequence[HostView], view: View, room: ListRoom) -> Row:
    shown = HostsRowFacts(
        name, hosts, view, is_folded=True, bar_cells=room.bar_cells, snapshot_bytes=room.snapshot_bytes
    )
    return Row(key, row_cells(shown, _columns(room)), words=" ".join(host.name for host in hosts))


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
    yield from (line_with_serials(each, host=host.state.host) for each in told_once(folded(host.findings)))


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
        silenced=host.silenced_in(pool.name),
    )
    cells = cells_of(_columns(room), shown)
    return Row(key_of(host.state.host, pool.name), cells, depth=depth, words=host.name)
