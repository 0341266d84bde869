"""The selected vdev or pool in words: its full name, what stands behind it, and how it compares."""

from __future__ import annotations

from collections.abc import Iterator

from zconsole.base.units import milliseconds, percent, size
from zconsole.model.io import IoRow
from zconsole.model.pool import Vdev
from zconsole.ui.present.cells import Line, line
from zconsole.ui.present.pool import ROOT, Subject, disk_of
from zconsole.ui.present.tree import Node, busy_of, row_of
from zconsole.ui.present.words import SEVERITY_GLYPH, SEVERITY_STYLE, counted, join

FILES_SHOWN = 20


def notes(about: Subject | None, key: str | None) -> tuple[Line, ...]:
    """What is said of the selected row, most important first."""
    if about is None or key is None:
        return ()
    if key == ROOT:
        return tuple(_of_pool(about))
    node = about.node(key)
    return () if node is None else tuple(_of_vdev(about, node))


def _of_pool(about: Subject) -> Iterator[Line]:
    """The findings, then what ZFS itself says and advises."""
    for finding in about.found:
        yield line(
            (f"{SEVERITY_GLYPH[finding.severity]} ", SEVERITY_STYLE[finding.severity]), finding.summary
        )
    if about.state.io_problem:
        yield line(("no live I/O: ", "warn"), about.state.io_problem)
    if about.state.pool.problem:
        yield line(("old status: ", "warn"), about.state.pool.problem)
    if about.pool.status:
        yield line(("ZFS says: ", "dim"), about.pool.status)
    if about.pool.action:
        yield line(("and advises: ", "dim"), about.pool.action)
    for path in about.pool.error_files[:FILES_SHOWN]:
        yield line(("damaged: ", "bad"), path)
    if not (about.found or about.pool.status):
        yield line((f"{about.pool.name} is {about.state.state}; nothing to report.", "dim"))


def _of_vdev(about: Subject, node: Node) -> Iterator[Line]:
    vdev = node.vdev
    yield join([line((vdev.name, "title")), *_identity(about, vdev)])
    for finding in about.by_vdev.get(vdev.name, ()):
        yield line(
            (f"{SEVERITY_GLYPH[finding.severity]} ", SEVERITY_STYLE[finding.severity]), finding.summary
        )
    condition = join(list(_condition(about, node)))
    if condition:
        yield condition


def _identity(about: Subject, vdev: Vdev) -> Iterator[Line]:
    """Path, disk, slot: what is needed to find the thing."""
    if not vdev.is_leaf:
        yield line(f"{vdev.type} of {len(vdev.children)}")
    disk, device = disk_of(about.host.state.inventory.value, vdev)
    if disk is not None:
        parts = (disk.model, disk.serial, size(disk.size_bytes) if disk.size_bytes else "")
        yield line(" ".join(part for part in parts if part))
    if device is not None:
        yield line(device)
    if disk is not None and disk.hctl:
        yield line(disk.hctl)
    if vdev.path is not None and not vdev.path.rpartition("/")[2].startswith(vdev.name):
        yield line((vdev.path, "dim"))


def _condition(about: Subject, node: Node) -> Iterator[Line]:
    """State, note, errors, how busy, and how long reads and writes take beside its siblings."""
    vdev = node.vdev
    yield line(vdev.state)
    if vdev.note:
        yield line(vdev.note)
    counts = (("read", vdev.read_errors), ("write", vdev.write_errors), ("checksum", vdev.checksum_errors))
    bad = ", ".join(f"{each.value} {kind}" for kind, each in counts if each)
    if bad:
        yield line((f"errors: {bad}", "bad"))
    if vdev.slow_ios:
        yield line(counted(vdev.slow_ios.value, "slow I/O"))
    for each in vdev.activities:
        yield line(f"{each.kind} {percent(each.percent)} {each.state}")
    place = about.places.get(node.key)
    busy = busy_of(about.sample, place)
    if busy is not None:
        yield line(f"busy {percent(100 * busy)}")
    yield from _waits(about, node, place)


def _waits(about: Subject, node: Node, place: int | None) -> Iterator[Line]:
    row = row_of(about.sample, place)
    if row is None:
        return
    peers = _peer_rows(about, node)
    for kind, own, others in (
        ("reads", row.latency.total_read, [p.latency.total_read for p in peers]),
        ("writes", row.latency.total_write, [p.latency.total_write for p in peers]),
    ):
        if own is None:
            continue
        known = sorted(other for other in others if other is not None)
        beside = ""
        if known:
            low, high = milliseconds(known[0]), milliseconds(known[-1])
            span = low if low == high else f"{low}-{high}"
            beside = f" ({counted(len(known), 'sibling')} {span})"
        yield line(f"{kind} {milliseconds(own)} ms{beside}")


def _peer_rows(about: Subject, node: Node) -> list[IoRow]:
    keys = [
        each.key
        for each in about.order
        if isinstance(each, Node) and each.siblings is node.siblings and each.key != node.key
    ]
    rows = [row_of(about.sample, about.places.get(key)) for key in keys]
    return [row for row in rows if row is not None]
