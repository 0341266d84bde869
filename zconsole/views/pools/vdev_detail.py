"""Details of the selected vdev or pool: full name, device, comparison."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from zconsole.analysis.guests.guests_and_containers import guests_and_containers
from zconsole.analysis.slow_disks.zfs_slow_disk_evidence import known_of
from zconsole.base.fixed_width_formatting import milliseconds, percent, size
from zconsole.model.finding import SLOW_FINDINGS
from zconsole.model.guests.guest import Guest
from zconsole.model.pools.iostat import IoRow
from zconsole.model.pools.pool import Vdev
from zconsole.model.pools.slow_disk import SlowDiskVerdict
from zconsole.views.findings import slow_disk_phrases as slow_disk
from zconsole.views.findings.findings_in_short import line_with_serials, told_once
from zconsole.views.findings.slow_disk_document import verdict_lines
from zconsole.views.guests.guests_on_dataset import running_and_others
from zconsole.views.layout.state_age_and_link_phrases import counted, join, nothing_but
from zconsole.views.layout.styled_text import Line, line
from zconsole.views.pools.pool_page import ROOT, ShownPool, disk_of
from zconsole.views.pools.vdev_rows import VdevRow, busy_of, row_of

FILES_SHOWN = 20


def notes(about: ShownPool | None, key: str | None) -> tuple[Line, ...]:
    """The details of the selected row, most important first."""
    if about is None or key is None:
        return ()
    if key == ROOT:
        return tuple(_of_pool(about))
    node = about.node(key)
    return () if node is None else tuple(_of_vdev(about, node))


def slow_disk_lines(about: ShownPool, node: VdevRow, guests: Sequence[Guest]) -> Iterator[Line]:
    """The latest verdict on a disk with all its evidence; not wrapped yet. `guests` are all of the host."""
    return verdict_lines(
        about.verdicts_on(node)[-1],
        about.pool.name,
        of=about.pool,
        inventory=about.host.state.inventory.value,
        known=known_of(about.host.state, about.state),
        guests=guests,
    )


def _of_pool(about: ShownPool) -> Iterator[Line]:
    """The findings, then the message and advice of ZFS."""
    found_slow = {finding.id for finding in about.found} & SLOW_FINDINGS
    if about.state.slow and not found_slow:
        yield slow_disk.headline(about.state.slow)
    for finding in told_once(about.found):
        yield line_with_serials(finding, finding.summary, host=about.host.state.host)
    guests = running_and_others(guests_and_containers(about.host.state), about.state.name)
    if guests:
        yield line(("guests on it: ", "dim"), guests)
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
    is_recalled = about.host.state.recalled_at is not None
    if not (about.found or about.pool.status or about.state.slow or is_recalled):
        rest = nothing_but(len(about.host.silenced_in(about.pool.name)))
        yield line((f"{about.pool.name} is {about.state.state}; {rest}.", "dim"))
    yield from _judged(about)


def _judged(about: ShownPool) -> Iterator[Line]:
    """The number of disks with a verdict on their speed."""
    judgement = about.state.judgement
    if judgement is not None and judgement.undecided:
        of = counted(judgement.disks, "disk")
        yield line((f"Slow or not: {len(judgement.undecided)} of {of} had too little I/O to tell.", "dim"))


def _of_vdev(about: ShownPool, node: VdevRow) -> Iterator[Line]:
    vdev, verdicts = node.vdev, about.verdicts_on(node)
    yield join([line((vdev.name, "title")), *_identity(about, vdev)])
    if verdicts:
        yield from _slow(about, node, verdicts[-1])
    for finding in about.by_vdev.get(vdev.name, ()):
        if not (verdicts and finding.id in SLOW_FINDINGS):
            yield line_with_serials(finding, finding.summary, host=about.host.state.host)
    condition = join(list(_condition(about, node)))
    if condition:
        yield condition
    for each in about.state.undecided:
        if (each.vdev, each.disk) == (node.top, vdev.name):
            yield line(("slow or not: ", "dim"), (each.reason, "dim"))


def _slow(about: ShownPool, node: VdevRow, verdict: SlowDiskVerdict) -> Iterator[Line]:
    """Why the disk is called slow, since when, the cost, and the next steps: three lines of 78 cells."""
    now = about.sample.at if about.sample is not None else verdict.last_at
    yield join([slow_disk.why(verdict), slow_disk.since(verdict, now)])
    if not verdict.is_ongoing:
        return
    yield join([slow_disk.costs(verdict, about.pool.name), slow_disk.busy(verdict), slow_disk.sure(verdict)])
    disk, _ = disk_of(about.host.state.inventory.value, node.vdev)
    keys = line(("w", "key"), " why  ", ("R", "key"), " replace")
    yield join([slow_disk.next_steps(verdict, disk.path if disk is not None else ""), keys])


def _identity(about: ShownPool, vdev: Vdev) -> Iterator[Line]:
    """Path, disk, slot: the physical location of the device."""
    if not vdev.is_leaf:
        yield line(f"{vdev.type} of {len(vdev.children)}")
    disk, device = disk_of(about.host.state.inventory.value, vdev)
    if disk is not None:
        told = [part for part in (disk.model, disk.serial) if part not in vdev.name]
        yield line(" ".join([*told, *([size(disk.size_bytes)] if disk.size_bytes else [])]))
    if device is not None:
        yield line(device)
    if disk is not None and disk.hctl:
        yield line(disk.hctl)
    if vdev.path is not None and not vdev.path.rpartition("/")[2].startswith(vdev.name):
        yield line((vdev.path, "dim"))


def _condition(about: ShownPool, node: VdevRow) -> Iterator[Line]:
    """State, note, errors, utilization, and read and write times beside its siblings."""
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


def _waits(about: ShownPool, node: VdevRow, place: int | None) -> Iterator[Line]:
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


def _peer_rows(about: ShownPool, node: VdevRow) -> list[IoRow]:
    keys = [
        each.key
        for each in about.order
        if isinstance(each, VdevRow) and each.siblings is node.siblings and each.key != node.key
    ]
    rows = [row_of(about.sample, about.places.get(key)) for key in keys]
    return [row for row in rows if row is not None]
