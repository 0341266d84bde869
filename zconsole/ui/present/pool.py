"""One pool: its state in a line, its vdev tree with live numbers, and the selected vdev in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from zconsole.base.units import percent, size
from zconsole.model.disk import Disk, Inventory
from zconsole.model.finding import Finding, Severity
from zconsole.model.host_state import LinkState, PoolState
from zconsole.model.io import IoSample
from zconsole.model.pool import HEALTHY_STATES, Pool, Vdev
from zconsole.ui.present.cells import Line, line
from zconsole.ui.present.columns import ColumnSet, Facts, columns, draw
from zconsole.ui.present.history import History
from zconsole.ui.present.page import Page
from zconsole.ui.present.table import Cell, Row, Table
from zconsole.ui.present.tree import Node, busy_of, io_places, nodes, row_of
from zconsole.ui.present.view import HostView, View
from zconsole.ui.present.words import (
    BAD,
    BUSY,
    SEVERITY_GLYPH,
    SEVERITY_STYLE,
    ago,
    counted,
    freshness,
    join,
    link_words,
    scrub_age,
    state_cell,
    state_look,
    state_rank,
)

ROOT: Final = "pool"  # the key of the pool's own row
_STATES_SHOWN: Final = frozenset({"vdev-lost", "pool-suspended", "pool-faulted", "pool-unavail"})


@dataclass(frozen=True, slots=True)
class Subject:
    """A pool of a host, with its tree laid out once for all that is said of it."""

    host: HostView
    state: PoolState
    pool: Pool
    order: tuple[Node | str, ...]
    places: Mapping[str, int]
    by_vdev: Mapping[str, tuple[Finding, ...]]

    @property
    def sample(self) -> IoSample | None:
        """The newest I/O."""
        return self.state.sample

    @property
    def found(self) -> tuple[Finding, ...]:
        """All findings of the pool."""
        return self.host.of_pool(self.state.name)

    def node(self, key: str) -> Node | None:
        """The vdev of a row."""
        return next((each for each in self.order if isinstance(each, Node) and each.key == key), None)


def subject(view: View, host_name: str, pool_name: str, before: Subject | None = None) -> Subject | None:
    """The pool as it is now; None when it is not there or was never read.

    `before` is what it was a moment ago: the tree of the same status is not laid out again.
    """
    host = view.host(host_name)
    state = host.state.pool(pool_name) if host is not None else None
    if host is None or state is None or state.pool.value is None:
        return None
    is_same = before is not None and before.pool is state.pool.value
    order = before.order if before is not None and is_same else tuple(nodes(state.pool.value))
    vdevs = [each for each in order if isinstance(each, Node)]
    places = io_places(vdevs, state.sample) if state.sample is not None else {}
    return Subject(host, state, state.pool.value, order, places, _by_vdev(host.of_pool(pool_name)))


def _by_vdev(found: Sequence[Finding]) -> Mapping[str, tuple[Finding, ...]]:
    """Findings by the name of their vdev."""
    grouped: dict[str, tuple[Finding, ...]] = {}
    for finding in found:
        name = finding.evidence.get("vdev")
        if isinstance(name, str):
            grouped[name] = (*grouped.get(name, ()), finding)
    return grouped


def page(about: Subject, view: View, chosen: ColumnSet, history: History | None) -> Page:
    """What the screen of one pool says now."""
    if history is not None:
        history.take_in(about.state.samples, view.interval_s)
    rows = tuple(_rows(about, view, chosen, history))
    fresh = freshness(view, about.host, (about.state,))
    return Page(_answer(about, view), fresh, _numbers(about, view), Table(columns(chosen), rows))


# The two lines on top


def _answer(about: Subject, view: View) -> Line:
    state = about.state.state
    style, glyph = state_look(state)
    worst = max(about.found, key=lambda finding: finding.severity, default=None)
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
    if worst is None:
        return join([head, link, line(("nothing to report", "dim"))])
    return join(
        [head, link, line((worst.summary.removeprefix(f"{state}: "), SEVERITY_STYLE[worst.severity]))]
    )


def _numbers(about: Subject, view: View) -> Line:
    """Space, fragmentation, the last scrub, and what runs."""
    pool = about.pool
    style = "dim" if view.status_age(about.state, about.host.state.slack) is not None else "text"
    parts = []
    if pool.used_percent is not None:
        parts.append(line((f"{percent(pool.used_percent)} of {size(pool.usable_bytes)} usable", style)))
    elif pool.capacity_percent is not None:
        parts.append(line((f"{percent(pool.capacity_percent)} of {size(pool.size_bytes)} raw", style)))
    if pool.fragmentation_percent is not None:
        parts.append(line((f"frag {percent(pool.fragmentation_percent)}", style)))
    parts.append(_scan(about, view))
    if pool.error_count:
        parts.append(line((counted(pool.error_count, "data error"), "bad")))
    if pool.checkpoint_bytes:
        parts.append(line(("checkpoint", "info")))
    return join(parts)


def _scan(about: Subject, view: View) -> Line:
    running = [
        f for f in about.found if f.id in {"scan-running", "scan-stalled", "scan-restarting", "scrub-paused"}
    ]
    if running:
        return line((f"{BUSY} {running[0].summary}", SEVERITY_STYLE[running[0].severity]))
    scan = about.pool.scan
    if scan is None:
        return line(("never scrubbed", "dim"))
    age = scrub_age(about.pool, view.now)
    errors = (
        "" if scan.errors is None else ", clean" if scan.errors == 0 else f", {counted(scan.errors, 'error')}"
    )
    if age is not None:
        return line(f"scrub {ago(age)} ago{errors}")
    when = "" if scan.end is None else f" {ago(view.now - scan.end)} ago"
    return line(f"{scan.function} {scan.state}{when}{errors}")


def absent(view: View, host_name: str, pool_name: str, chosen: ColumnSet) -> Page:
    """Why there is nothing to show."""
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


def _rows(about: Subject, view: View, chosen: ColumnSet, history: History | None) -> Iterator[Row]:
    is_io_old = view.io_age(about.state) is not None or about.host.state.link.state is not LinkState.UP
    old = (
        view.status_age(about.state, about.host.state.slack) is not None
        or about.host.state.link.state is not LinkState.UP
    )
    style, io_style = "dim" if old else "text", "dim" if is_io_old else "text"
    inventory = about.host.state.inventory.value
    root = Facts(
        _as_vdev(about.pool),
        row_of(about.sample, 0),
        history=history.strip(0) if history is not None else (),
        io_style=io_style,
        style=style,
    )
    yield Row(
        ROOT,
        (Cell(about.pool.name, "title", sort=about.pool.name), _pool_state(about), *draw(chosen, root)),
    )
    for each in about.order:
        if isinstance(each, str):
            yield Row(f"class {each}", line=line((each, "section")), is_selectable=False)
            continue
        place = about.places.get(each.key)
        disk, device = disk_of(inventory, each.vdev)
        facts = Facts(
            each.vdev,
            row_of(about.sample, place),
            busy_of(about.sample, place),
            history.strip(place) if history is not None and place is not None else (),
            disk,
            device,
            io_style,
            style,
        )
        name = Cell(each.vdev.name, style, sort=each.vdev.name, lead=each.branches)
        cells = (name, vdev_state(each.vdev, about), *draw(chosen, facts))
        yield Row(each.key, cells, depth=each.depth, words=_words(each.vdev, disk))


def _words(vdev: Vdev, disk: Disk | None) -> str:
    """What a filter finds besides what is shown."""
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


def _pool_state(about: Subject) -> Cell:
    worst = max((f.severity for f in about.found), default=None)
    return state_cell(about.state.state, severity=worst)


def vdev_state(vdev: Vdev, about: Subject) -> Cell:
    """A vdev's state; where it is healthy by its word, what was found in it."""
    found = about.by_vdev.get(vdev.name, ())
    worst = max((f.severity for f in found), default=None)
    if vdev.is_resilvering and vdev.state in HEALTHY_STATES:
        return Cell("resilver", "info", sort=state_rank(vdev.state) + 0.5, tail=f" {BUSY}")
    if vdev.state in HEALTHY_STATES and worst is not None and worst > Severity.INFO:
        sort = state_rank(vdev.state) + int(worst)
        return Cell(vdev.state, SEVERITY_STYLE[worst], sort=sort, tail=f" {SEVERITY_GLYPH[worst]}")
    return state_cell(vdev.state, severity=worst)


def disk_of(inventory: Inventory | None, vdev: Vdev) -> tuple[Disk | None, str | None]:
    """The disk that a leaf stands on, and the kernel's name of the part that it uses."""
    if inventory is None or vdev.path is None or not vdev.is_leaf:
        return None, None
    device = inventory.kernel_name(vdev.path)
    return (inventory.disk_of(device) if device is not None else None), device
