"""Pool view: its state in a line, its vdev tree with live numbers, and the selected vdev in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from zconsole.analysis.vdevs.latency_quantiles import Spreads
from zconsole.analysis.vdevs.share_of_next_writes import next_shares, written_shares
from zconsole.base.lazy_dataclass import dataclass, fast_dataclass
from zconsole.model.finding import SLOW_FINDINGS, Finding, Severity
from zconsole.model.host.host_state import LinkState, PoolState
from zconsole.model.pools.disk_and_inventory import Disk, Inventory
from zconsole.model.pools.iostat import IoSample
from zconsole.model.pools.pool import HEALTHY_STATES, Pool, Vdev
from zconsole.model.pools.slow_disk import SlowDiskVerdict
from zconsole.views.findings import slow_disk_phrases as slow_disk
from zconsole.views.findings.not_judged.unread_or_old_readings import is_advice_partial
from zconsole.views.host_states_with_findings import HostView, View
from zconsole.views.layout.escape_measure_cut_text import width
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.serial_in_device_name import serial_at_end, with_serials
from zconsole.views.layout.state_age_and_link_phrases import (
    BAD,
    BUSY,
    SEVERITY_GLYPH,
    SEVERITY_STYLE,
    freshness,
    join,
    link_words,
    quiet_words,
    state_cell,
    state_rank,
    state_style_and_glyph,
)
from zconsole.views.layout.styled_text import Line, line
from zconsole.views.layout.table import Cell, Column, ColumnSet, Row, RowsOnDemand, Table, cells_of
from zconsole.views.pools import pool_condition_phrases as condition
from zconsole.views.pools.latency_heatmap import NO_STRIP, Heat
from zconsole.views.pools.vdev_columns import IDENTITY, VdevFacts, columns
from zconsole.views.pools.vdev_rows import (
    VdevRow,
    busy_of,
    cells_for_names,
    cells_for_serials,
    io_places,
    nodes,
    row_of,
)

MOST_SERIAL: Final = 24  # cells of serial numbers; those of disks have at most 20 characters
ROOT: Final = "pool"  # the key of the pool's own row
Verdicts = Mapping[tuple[str, str], tuple[SlowDiskVerdict, ...]]  # by top-level vdev and disk, newest last


@fast_dataclass
class FixedParts:
    """What a row has that live numbers do not change."""

    name: Cell
    state: Cell
    disk: Disk | None
    device: str | None
    words: str
    verdicts: tuple[SlowDiskVerdict, ...]
    verdict: SlowDiskVerdict | None


@dataclass(frozen=True, slots=True)
class ShownPool:
    """Pool of a host, with its tree laid out once for the whole view."""

    host: HostView
    state: PoolState
    pool: Pool
    order: tuple[VdevRow | str, ...]
    places: Mapping[str, int]
    by_vdev: Mapping[str, tuple[Finding, ...]]
    verdicts: Verdicts
    fixed: dict[tuple[str, str], FixedParts]  # by key and style; made when a row is first looked at
    columns: dict[
        tuple[int, str | None, int], tuple[Column[VdevFacts], ...]
    ]  # by id of the set, title of the strip, cells of the serial numbers

    @property
    def sample(self) -> IoSample | None:
        """The newest I/O."""
        return self.state.sample

    @property
    def found(self) -> tuple[Finding, ...]:
        """All findings of the pool."""
        return self.host.of_pool(self.state.name)

    def node(self, key: str) -> VdevRow | None:
        """The vdev of a row."""
        return next((each for each in self.order if isinstance(each, VdevRow) and each.key == key), None)

    def verdicts_on(self, node: VdevRow) -> tuple[SlowDiskVerdict, ...]:
        """All verdicts on a disk since the console watches it."""
        return self.verdicts.get((node.top, node.vdev.name), ())

    def verdict_on(self, node: VdevRow) -> SlowDiskVerdict | None:
        """The current verdict on a disk."""
        return next((each for each in reversed(self.verdicts_on(node)) if each.is_ongoing), None)


@dataclass(frozen=True, slots=True)
class VdevHistory:
    """History that columns keep between two moments, beyond the newest sample."""

    heat: Heat | None = None
    spreads: Spreads | None = None
    strip_title: str | None = None


def subject(view: View, host_name: str, pool_name: str, before: ShownPool | None = None) -> ShownPool | None:
    """The pool as it is now; None when it does not exist or was never read.

    `before` is the previous view: the tree of an unchanged status is not laid out again.
    """
    host = view.host(host_name)
    state = host.state.pool(pool_name) if host is not None else None
    if host is None or state is None or state.pool.value is None:
        return None
    is_same = before is not None and before.pool is state.pool.value
    order = before.order if before is not None and is_same else tuple(nodes(state.pool.value))
    places = _places(order, state, before if is_same else None)
    found, verdicts = _by_vdev(host.of_pool(pool_name)), _verdicts(state)
    fixed = before.fixed if before is not None and is_same and _is_told_alike(before, host, verdicts) else {}
    placed = before.columns if before is not None and is_same else {}
    return ShownPool(host, state, state.pool.value, order, places, found, verdicts, fixed, placed)


def _is_told_alike(before: ShownPool, host: HostView, verdicts: Verdicts) -> bool:
    """Whether findings, disks and verdicts are those of the previous view."""
    return (
        before.host.findings is host.findings
        and before.host.state.inventory.value is host.state.inventory.value
        and before.verdicts == verdicts
    )


def _places(order: Sequence[VdevRow | str], state: PoolState, before: ShownPool | None) -> Mapping[str, int]:
    """The index of each vdev in a sample; reused for a sample with the same rows."""
    if state.sample is None:
        return {}
    known = before.sample if before is not None else None
    if before is not None and known is not None and known.names == state.sample.names:
        return before.places
    return io_places([each for each in order if isinstance(each, VdevRow)], state.sample)


def _verdicts(state: PoolState) -> Verdicts:
    grouped: dict[tuple[str, str], tuple[SlowDiskVerdict, ...]] = {}
    for verdict in state.judgement.verdicts if state.judgement is not None else ():
        key = (verdict.vdev, verdict.disk)
        grouped[key] = (*grouped.get(key, ()), verdict)
    return grouped


def _by_vdev(found: Sequence[Finding]) -> Mapping[str, tuple[Finding, ...]]:
    """Findings by the name of their vdev."""
    grouped: dict[str, tuple[Finding, ...]] = {}
    for finding in found:
        name = finding.evidence.get("vdev")
        if isinstance(name, str):
            grouped[name] = (*grouped.get(name, ()), finding)
    return grouped


def troubled(about: ShownPool) -> list[str]:
    """The keys of the vdevs with findings, in the order of the tree."""
    return [
        each.key
        for each in about.order
        if isinstance(each, VdevRow)
        and (
            about.verdict_on(each) is not None
            or each.vdev.state not in HEALTHY_STATES
            or any(finding.severity > Severity.INFO for finding in about.by_vdev.get(each.vdev.name, ()))
        )
    ]


def first_slow_disk(view: View, host: str, pool: str) -> tuple[ShownPool, VdevRow | None] | None:
    """A pool with its first disk that is slow now, else the first one that was; None for an unread pool."""
    about = subject(view, host, pool)
    return None if about is None else (about, _first_slow(about))


def _first_slow(about: ShownPool) -> VdevRow | None:
    disks = [each for each in about.order if isinstance(each, VdevRow) and about.verdicts_on(each)]
    return next((each for each in disks if about.verdict_on(each) is not None), next(iter(disks), None))


def page(about: ShownPool, view: View, chosen: ColumnSet[VdevFacts], drawn: VdevHistory) -> Page:
    """The page of one pool."""
    rows = RowsOnDemand(1 + len(about.order), _Rows(about, view, chosen, drawn).row)
    fresh = freshness(view, about.host, (about.state,))
    serial_cells = _longest_serial(about) if chosen.id == IDENTITY.id else 0
    shown = about.columns.get((id(chosen), drawn.strip_title, serial_cells))
    if shown is None:
        wide, widest = cells_for_serials(about.order), cells_for_names(about.order)
        shown = columns(
            chosen, drawn.strip_title, name_cells=wide, most_cells=widest, serial_cells=serial_cells
        )
        about.columns[id(chosen), drawn.strip_title, serial_cells] = shown
    return Page(_answer(about, view), fresh, _numbers(about, view), Table(shown, rows))


def _longest_serial(about: ShownPool) -> int:
    """Cells of the longest serial number of the pool's disks; of those of no disk at most so many."""
    inventory = about.host.state.inventory.value
    disks = (disk_of(inventory, each.vdev)[0] for each in about.order if isinstance(each, VdevRow))
    return min(MOST_SERIAL, max((width(each.serial) for each in disks if each is not None), default=0))


# The two lines on top


def _answer(about: ShownPool, view: View) -> Line:
    state = about.state.state
    style, glyph = state_style_and_glyph(state)
    found = [finding for finding in about.found if not finding.is_advice]
    worst = max(found, key=lambda finding: finding.severity, default=None)
    if worst is not None and worst.severity is Severity.CRITICAL and style == "warn":
        style, glyph = "bad", BAD
    head = line(
        (about.host.name, "title"),
        (" PRODUCTION" if about.host.is_production else "", "bad"),
        (" · ", "dim"),
        (about.pool.name, "title"),
        f" {state}" if style == "text" else (f" {state} {glyph}", style),
    )
    link = link_words(about.host, view)
    slow_disks = slow_disk.headline(about.state.slow)
    if slow_disks and (worst is None or worst.severity is not Severity.CRITICAL or worst.id in SLOW_FINDINGS):
        return join([head, link, slow_disks])
    if about.host.state.recalled_at is not None:
        return join([head, link])
    if worst is None:
        silenced = len(about.host.silenced_in(about.pool.name))
        is_partial = is_advice_partial([about.host.state])
        return join([head, link, quiet_words(about.found, is_partial=is_partial, silenced=silenced)])
    words = with_serials(worst.summary.removeprefix(f"{state}: "))
    told = words.removeprefix(f"{state} ")
    style = SEVERITY_STYLE[worst.severity]
    if told != words and not link:  # the state stands before it
        return (*head, *line((f" {told}", style)))
    return join([head, link, line((words, style))])


def _numbers(about: ShownPool, view: View) -> Line:
    """Space, fragmentation, the last scrub, and current activities."""
    pool = about.pool
    style = "dim" if view.status_age(about.state, about.host.state.slack) is not None else "text"
    parts = [line((words, style)) for words in (condition.used(pool), condition.fragmentation(pool)) if words]
    parts.append(_scan(about, view))
    if pool.error_count:
        parts.append(line((condition.data_errors(pool), "bad")))
    parts.append(line((condition.checkpoint(pool), "info")))
    return join(parts)


def _scan(about: ShownPool, view: View) -> Line:
    running = [
        f for f in about.found if f.id in {"scan-running", "scan-stalled", "scan-restarting", "scrub-paused"}
    ]
    if running:
        return line((f"{BUSY} {running[0].summary}", SEVERITY_STYLE[running[0].severity]))
    style = "dim" if about.pool.scan is None else "text"
    return line((condition.last_scan(about.pool, view.now), style))


def absent(view: View, host_name: str, pool_name: str, chosen: ColumnSet[VdevFacts]) -> Page:
    """The reason why no pool is shown."""
    host = view.host(host_name)
    state = host.state.pool(pool_name) if host is not None else None
    head = line((host.name if host is not None else host_name, "title"), (" · ", "dim"), (pool_name, "title"))
    if host is None:
        words = [line("This host is no longer watched.")]
    elif state is None:
        words = [
            line(f"{pool_name} is not imported on {host.name} (any more)."),
            line(("Esc goes back.", "dim")),
        ]
    else:
        kernel = f"The kernel says {state.kstat_state}." if state.kstat_state else ""
        words = [line(kernel), line(state.pool.problem or "Reading its status ...")]
    if host is not None and host.state.link.state is not LinkState.UP:
        words.insert(0, link_words(host, view))
    rows = tuple(Row(str(at), line=each, is_selectable=False) for at, each in enumerate(words) if each)
    fresh = freshness(view, host, (state,) if state is not None else ()) if host is not None else ()
    return Page(head, fresh, (), Table(columns(chosen), rows))


# The rows


class _Rows:
    """Rows of one moment: the pool's own first, then its vdevs with headings between."""

    def __init__(
        self, about: ShownPool, view: View, chosen: ColumnSet[VdevFacts], drawn: VdevHistory
    ) -> None:
        self._about = about
        self._columns = chosen.columns
        self._drawn = drawn
        self._inventory = about.host.state.inventory.value
        is_down = about.host.state.link.state is not LinkState.UP
        is_old = view.status_age(about.state, about.host.state.slack) is not None
        self._style = "dim" if is_old or is_down else "text"
        shows_shares = any(column.id == "next" for column in chosen.columns)
        version, samples = about.host.state.version.value, about.state.samples
        self._next = next_shares(about.pool, version) if shows_shares else {}
        self._written = written_shares(about.pool, samples) if shows_shares else {}
        self._io_style = "dim" if view.io_age(about.state) is not None or is_down else "text"

    def row(self, at: int) -> Row:
        """The row at an index."""
        if at == 0:
            return self._root()
        each = self._about.order[at - 1]
        if isinstance(each, str):
            return Row(f"class {each}", line=line((each, "section")), is_selectable=False)
        return self._of(each)

    def _root(self) -> Row:
        about = self._about
        name = Cell(about.pool.name, "title", sort=about.pool.name)
        fixed = FixedParts(name, _pool_state(about), None, None, "", (), None)
        facts = self._facts(_as_vdev(about.pool), 0, fixed)
        return Row(ROOT, cells_of(self._columns, facts))

    def _of(self, node: VdevRow) -> Row:
        about, style = self._about, self._style
        fixed = about.fixed.get((node.key, style))
        if fixed is None:
            fixed = about.fixed[node.key, style] = self._fixed(node)
        facts = self._facts(node.vdev, about.places.get(node.key), fixed, node)
        return Row(node.key, cells_of(self._columns, facts), depth=node.depth, words=fixed.words)

    def _fixed(self, node: VdevRow) -> FixedParts:
        about, vdev = self._about, node.vdev
        disk, device = disk_of(self._inventory, vdev)
        name = Cell(vdev.name, self._style, sort=vdev.name, lead=node.branches)
        told, verdict = about.verdicts_on(node), about.verdict_on(node)
        return FixedParts(name, vdev_state(node, about), disk, device, _words(vdev, disk), told, verdict)

    def _facts(
        self, vdev: Vdev, place: int | None, fixed: FixedParts, node: VdevRow | None = None
    ) -> VdevFacts:
        sample, strip, spread = self._about.sample, NO_STRIP, None
        row = row_of(sample, place)
        if row is not None and place is not None:
            if self._drawn.heat is not None:
                strip = self._drawn.heat.strip(place, row.name, fixed.verdicts)
            if self._drawn.spreads is not None:
                spread = partial(self._drawn.spreads.of, place, row.name)
        return VdevFacts(
            vdev,
            fixed.name,
            fixed.state,
            row,
            busy_of(sample, place),
            strip,
            spread,
            fixed.verdict,
            fixed.disk,
            fixed.device,
            self._io_style,
            self._style,
            *self._shares(node),
        )

    def _shares(self, node: VdevRow | None) -> tuple[float | None, float | None]:
        """Of the next writes and of the last ones; of a top-level vdev with data only."""
        if node is None or node.vdev.vdev_class != "data" or node.vdev.name not in self._next:
            return None, None
        return self._next[node.vdev.name], self._written.get(node.vdev.name)


def _words(vdev: Vdev, disk: Disk | None) -> str:
    """Text that a filter finds beyond the visible cells."""
    found = (vdev.vdev_class, vdev.type, vdev.name, vdev.path or "", vdev.note)
    return " ".join((*found, disk.serial, disk.model) if disk is not None else found)


def _as_vdev(pool: Pool) -> Vdev:
    """The pool's own values in the form of a vdev's, for the first row."""
    return Vdev(
        name=pool.name,
        type="root",
        vdev_class="data",
        state=pool.state,
        read_errors=pool.read_errors,
        write_errors=pool.write_errors,
        checksum_errors=pool.checksum_errors,
        size_bytes=pool.size_bytes,
        allocated_bytes=pool.allocated_bytes,
        free_bytes=pool.free_bytes,
        fragmentation_percent=pool.fragmentation_percent,
        capacity_percent=pool.capacity_percent,
        expandable_bytes=pool.expandable_bytes,
        configured_ashift=pool.ashift,
        children=pool.vdevs,
    )


def _pool_state(about: ShownPool) -> Cell:
    worst = max((f.severity for f in about.found), default=None)
    return state_cell(about.state.state, severity=worst)


def vdev_state(node: VdevRow, about: ShownPool) -> Cell:
    """A vdev's state; of a healthy vdev, its finding."""
    vdev, verdict = node.vdev, about.verdict_on(node)
    if verdict is not None and vdev.state in HEALTHY_STATES:
        return slow_disk.badge(verdict, vdev.state)
    found = about.by_vdev.get(vdev.name, ())
    worst = max((f.severity for f in found), default=None)
    if vdev.is_resilvering and vdev.state in HEALTHY_STATES:
        return Cell("resilver", "info", sort=-state_rank(vdev.state) - 0.5, tail=f" {BUSY}")
    if vdev.state in HEALTHY_STATES and worst is not None and worst > Severity.INFO:
        sort = -state_rank(vdev.state) - int(worst)
        return Cell(vdev.state, SEVERITY_STYLE[worst], sort=sort, tail=f" {SEVERITY_GLYPH[worst]}")
    return state_cell(vdev.state, severity=worst)


def serial_of(about: ShownPool, node: VdevRow) -> str:
    """The serial number of the disk of a row; empty for others."""
    return serial_of_leaf(about.host.state.inventory.value, node.vdev) if node.vdev.is_leaf else ""


def serial_of_leaf(inventory: Inventory | None, leaf: Vdev) -> str:
    """The serial number of a leaf, as its disk or its name has it."""
    disk, _ = disk_of(inventory, leaf)
    return disk.serial if disk is not None and disk.serial else serial_at_end(leaf.name)[0]


def disk_of(inventory: Inventory | None, vdev: Vdev) -> tuple[Disk | None, str | None]:
    """The disk of a leaf, and the kernel's name of the partition that it uses."""
    if inventory is None or vdev.path is None or not vdev.is_leaf:
        return None, None
    device = inventory.kernel_name(vdev.path)
    return (inventory.disk_of(device) if device is not None else None), device
