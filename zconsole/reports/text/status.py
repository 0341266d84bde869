"""`zconsole status`: the same facts in plain sentences, one a line, worst first; made to be read aloud.

Below a finding is what to do about it.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.actions.action_usage_and_plan_command import with_host
from zconsole.analysis.findings.findings_grouped_by_disk import folded
from zconsole.analysis.findings.scan_rules import STANDS_STILL
from zconsole.analysis.vdevs.redundancy import in_words, is_vital, redundancy_in_pool
from zconsole.analysis.vdevs.scan_eta import in_words as scan_in_words
from zconsole.base.escape_control_characters import visible
from zconsole.base.fixed_width_formatting import MINUTE, duration, moment
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState, PoolState
from zconsole.model.pools.pool import SUSPENDED, ImportablePool, Pool, Scan, Vdev
from zconsole.reports.json.status import activities
from zconsole.views.findings.findings_in_short import in_points, partial_advice
from zconsole.views.guests.libvirt_without_answer import WHAT_TO_DO, unanswered
from zconsole.views.pools import pool_condition_phrases as condition
from zconsole.views.repair.due_step import what_to_do_line
from zconsole.views.repair.remedy_of_finding import remedies

IN_USE_HERE: Final = "currently in use"  # note of a spare that serves in this pool


def status_lines(
    state: HostState,
    found: Sequence[Finding],
    now: float,
    importable: Sequence[ImportablePool] | None = None,
    where: Sequence[str] = (),
) -> Iterator[str]:
    """Yield a host's facts as lines without control sequences; `where` selects the host in a command."""
    return map(visible, _host(state, folded(found), now, importable, where))


def _host(
    state: HostState,
    found: Sequence[Finding],
    now: float,
    importable: Sequence[ImportablePool] | None,
    where: Sequence[str],
) -> Iterator[str]:
    yield f"{state.host}: {_version(state)}{_pools(len(state.pools))}; {_verdict(found, where)}."
    remedy_of = remedies(state, now)
    told = [(finding, remedy_of(finding)) for finding in in_points(found)]
    for at, (finding, action) in enumerate(told):
        repaired = finding.repaired_pool
        procedure = f"; next: {shlex.join(('zconsole', 'repair', repaired, *where))}" if repaired else ""
        kind = "advice" if finding.is_advice else finding.severity.word
        yield f"{kind.capitalize()}: {finding.sentence}{procedure}."
        is_said_again = at + 1 < len(told) and told[at + 1][1] == action
        if action and not is_said_again:
            yield f"  {what_to_do_line(with_host(action, where))}"
    if silent := unanswered(state):
        yield f"Guests: {silent}."
        yield f"  What to do: {WHAT_TO_DO}."
    yield from _smart(state, now, where)
    for pool in state.pools:
        yield from _pool(pool, now)
    for one in importable or ():
        last = f", last used by {one.last_host}" if one.last_host else ""
        yield f"Pool {one.name} is not imported; zpool import finds it: {one.state}{last}, guid {one.guid}."
    if importable is not None and not importable:
        yield "zpool import finds no other pool."


def _smart(state: HostState, now: float, where: Sequence[str]) -> Iterator[str]:
    """The age of the SMART data that was judged, and whether it is all."""
    records = state.smart.value
    if records is None:
        return
    ages = [now - each.known_at for each in records if each.known_at is not None]
    if ages:
        newest, oldest = duration(min(ages)), duration(max(ages))
        age = newest if newest == oldest else f"{newest} to {oldest}"
        yield f"SMART data of {len(ages)} disks is {age} old, and was not read for this."
    if state.smart.problem:
        read = with_host("zconsole disks", where)
        yield f"{state.smart.problem[:1].upper()}{state.smart.problem[1:]}; {read} reads it."


def _version(state: HostState) -> str:
    version = state.version.value
    return "" if version is None else f"OpenZFS {version.userland.removeprefix('zfs-')}, "


def _pools(number: int) -> str:
    return {0: "no pool is imported", 1: "1 pool"}.get(number, f"{number} pools")


def _verdict(found: Sequence[Finding], where: Sequence[str]) -> str:
    counts = {severity: sum(1 for finding in found if finding.severity is severity) for severity in Severity}
    named = [
        f"{counts[severity]} {word}{'s' if counts[severity] != 1 and severity is Severity.WARNING else ''}"
        for severity, word in ((Severity.CRITICAL, "critical"), (Severity.WARNING, "warning"))
        if counts[severity]
    ]
    if not named:
        infos = sum(1 for finding in found if finding.severity is Severity.INFO and not finding.is_advice)
        named = [f"no warnings, {infos} info" if infos else "no findings"]
    advised = partial_advice(found, where)
    return ", ".join((*named, *filter(None, (advised,))))


def _pool(state: PoolState, now: float) -> Iterator[str]:
    pool = state.pool.value
    if pool is None:
        kernel = f"; the kernel says {state.kstat_state}" if state.kstat_state else ""
        yield f"Pool {state.name} could not be read: {state.pool.problem}{kernel}."
        return
    yield f"Pool {pool.name} is {state.state}{_space(pool)}."
    if pool.scan is not None:
        waits = (
            "; it waits until the pool is cleared" if state.state == SUSPENDED and pool.running_scans else ""
        )
        yield f"Pool {pool.name}: {_scan(pool.scan, now)}{_still(pool)}{waits}."
    for scan in pool.scans_beside:
        if scan.is_running or scan is pool.last_scrub:
            of = f" of {scan.vdev}" if scan.vdev else ""
            yield f"Pool {pool.name}, beside it: {_scan(scan, now)}{of}."
    for activity in activities(pool):
        yield f"Pool {pool.name}: {condition.activity_in_words(activity)}."
    if pool.error_count is not None:
        yield f"Pool {pool.name}: {condition.data_errors(pool)}."
    for name in pool.error_files:
        yield f"Damaged: {name}"
    for vdev in pool.vdevs:
        yield from _vdev(pool, vdev)


def _space(pool: Pool) -> str:
    parts = (
        condition.used(pool),
        condition.free(pool),
        condition.fragmentation(pool),
        condition.checkpoint(pool),
    )
    return "".join(f", {part}" for part in parts if part)


def _still(pool: Pool) -> str:
    is_still = pool.is_read_only and pool.scan is not None and pool.scan.is_running
    return f", {STANDS_STILL}" if is_still else ""


def _scan(scan: Scan, now: float) -> str:
    at = scan.end if scan.end is not None else scan.start
    words = scan_in_words(scan, None) if scan.end is None else condition.ended_scan(scan, now)
    verb = "started " if scan.end is None else ""
    return words if at is None else f"{words} ({verb}{moment(at, MINUTE)} UTC)"


def _vdev(pool: Pool, top: Vdev) -> Iterator[str]:
    role = "" if top.vdev_class == "data" else f"{top.vdev_class.capitalize()} "
    redundancy = redundancy_in_pool(pool, top) if is_vital(top) or not top.is_leaf else None
    verdict = "" if redundancy is None else f"; {in_words(redundancy)}"
    yield f"{role}{top.name} is {top.state}{_remarks(top)}{verdict}."
    for vdev in top.walk():
        if vdev is not top:
            yield f"{vdev.name} in {top.name} is {vdev.state}{_remarks(vdev)}."


def _remarks(vdev: Vdev) -> str:
    kinds = (
        ("read error", vdev.read_errors),
        ("write error", vdev.write_errors),
        ("checksum error", vdev.checksum_errors),
        ("slow I/O", vdev.slow_ios),
    )
    counted = [
        f"{'about ' if each.is_rounded else ''}{each.value} {kind}{'s' if each.value != 1 else ''}"
        for kind, each in kinds
        if each
    ]
    # An unhealthy state is explained beside it; the state of a spare says that it is in use in this pool.
    notes = [
        "" if vdev.note == IN_USE_HERE else vdev.note,
        "resilvering" if vdev.is_resilvering else "",
        "removing" if vdev.is_removing else "",
    ]
    return "".join(f", {part}" for part in (*notes, *counted) if part)
