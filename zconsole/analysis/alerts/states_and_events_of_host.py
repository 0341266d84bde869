"""States of a host that a person is told of while they hold, and events between two readings of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Final

from zconsole.analysis.alerts.incidents_of_failed_disks import Incident, incidents
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.base.durations_in_words import lasting
from zconsole.base.escape_control_characters import visible
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.alert import Alert, AlertKey, AlertPhase
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState, LinkState, PoolState
from zconsole.model.pools.pool import Scan
from zconsole.model.run import Run, RunState

LINK_LOST: Final = "link-lost"
DISK: Final = "disk"  # all findings of one disk are one state, with what its vdev and pool lack by it
SCAN_FINISHED: Final = "scan-finished"
RUN_ENDED: Final = "run-ended"
BY_SAMPLES: Final = frozenset(  # findings that need samples: a single reading cannot tell
    {
        "disk-slow",
        "disk-stalling",
        "disk-slightly-slower",
        "vdev-slow",
        "half-slow",
        "disks-not-answering",
        "scan-stalled",
    }
)
_DOWN: Final = frozenset({LinkState.DOWN, LinkState.REFUSED})
_ENDED_WELL: Final = frozenset({RunState.DONE})


@dataclass(frozen=True, slots=True)
class BySmart:
    """What SMART data says of a disk that a state is about, and the time of that data."""

    id: str
    serial: str
    at: int


@dataclass(frozen=True, slots=True)
class HostAlerts:
    """The states of a host that hold now. With `is_known` False its findings are not known now."""

    host: str
    holding: Mapping[AlertKey, Alert] = field(default_factory=dict)
    is_known: bool = True
    unknown_pools: frozenset[str] = frozenset()  # whose status cannot be read now
    silenced: frozenset[AlertKey] = frozenset()  # states that hold, of which a user wants to hear nothing
    told_within: frozenset[AlertKey] = frozenset()  # states that hold, and are part of another one here
    smart_at: Mapping[str, int] = field(default_factory=dict)  # the time of each disk's SMART data, by serial
    by_smart: Mapping[AlertKey, tuple[BySmart, ...]] = field(default_factory=dict)


def states_of(
    state: HostState,
    found: Iterable[Finding],
    now: float,
    what_to_do: Callable[[Finding], str],
    silenced: Iterable[Finding] = (),
) -> HostAlerts:
    """The findings of a host that are warnings or worse, one an incident, and its lost link; no advice."""
    holding: dict[AlertKey, Alert] = {}
    if state.link.state in _DOWN:
        key = AlertKey(state.host, LINK_LOST, state.host)
        why = f": {state.link.reason}" if state.link.reason else ""
        words = visible(f"the link is lost{why}")
        holding[key] = Alert(
            key, Severity.CRITICAL, words, now, LINK_LOST, state.host, what_to_do=state.link.hint
        )
    if state.link.state is not LinkState.UP or state.pools_at is None or state.pools_problem:
        return HostAlerts(state.host, holding, is_known=False)
    told = [each for each in found if each.severity > Severity.INFO and not each.is_advice]
    within: set[AlertKey] = set()
    by_smart: dict[AlertKey, tuple[BySmart, ...]] = {}
    for incident in incidents(state, told):
        alert = _of_incident(state.host, incident, now, what_to_do(incident.worst))
        within.update(_key_of(state.host, each) for each in incident.findings)
        known = holding.get(alert.key)
        if known is None or known.severity < alert.severity:
            holding[alert.key] = alert
            by_smart[alert.key] = tuple(_by_smart(incident))
    unread = frozenset(each.name for each in state.pools if each.pool.value is None or each.pool.problem)
    quiet = frozenset(_key_of(state.host, each) for each in silenced) - holding.keys()
    return HostAlerts(
        state.host,
        holding,
        unknown_pools=unread,
        silenced=quiet,
        told_within=frozenset(within - holding.keys()),
        smart_at=_smart_at(state),
        by_smart=by_smart,
    )


def _by_smart(incident: Incident) -> Iterator[BySmart]:
    for each in (of for finding in incident.findings for of in (finding, *finding.folded)):
        serial, at = each.evidence.get("serial"), each.evidence.get("smart_data_of")
        if isinstance(serial, str) and isinstance(at, int):
            yield BySmart(each.id, serial, at)


def _smart_at(state: HostState) -> dict[str, int]:
    """The time of the SMART data of each disk, by its serial number."""
    inventory, records = state.inventory.value, {each.disk: each for each in state.smart.value or ()}
    if inventory is None or not records:
        return {}
    read = ((disk.serial, records.get(disk_identity(disk))) for disk in inventory.disks if disk.serial)
    return {
        serial: int(each.known_at) for serial, each in read if each is not None and each.known_at is not None
    }


def _of_incident(host: str, incident: Incident, now: float, what_to_do: str) -> Alert:
    worst = incident.worst
    pool = worst.evidence.get("pool")
    return Alert(
        AlertKey(host, DISK, visible(incident.disk)) if incident.disk else _key_of(host, worst),
        worst.severity,
        visible(incident.sentence),
        now,
        worst.id,
        visible(worst.subject),
        pool if isinstance(pool, str) else "",
        what_to_do=what_to_do,
        others=incident.other_ids,
    )


def _key_of(host: str, finding: Finding) -> AlertKey:
    kind, about = (DISK, finding.disk) if finding.disk else (finding.id, finding.subject)
    return AlertKey(host, kind, visible(about))


def events_between(before: HostState | None, after: HostState, now: float) -> Iterator[Alert]:
    """Scans that finished and runs that ended since the reading before."""
    if before is None:
        return
    for of in after.pools:
        was = before.pool(of.name)
        if was is not None:
            yield from _scan_end(after.host, was, of, now)
    ended = {run.id for run in before.runs if run.state.is_end}
    for run in after.runs:
        if run.state.is_end and run.id not in ended:
            yield _run_end(run, now)


def _scan_end(host: str, was: PoolState, of: PoolState, now: float) -> Iterator[Alert]:
    old, new = (each.pool.value.scan if each.pool.value is not None else None for each in (was, of))
    if was.pool.value is None or of.pool.value is None or new is None or new.state != "finished":
        return
    if was.pool.value.guid != of.pool.value.guid or _is_same_end(old, new):
        return
    yield scan_end_alert(host, of.name, new, now)


def scan_end_alert(host: str, pool: str, scan: Scan, now: float) -> Alert:
    """The alert on a scan that finished."""
    is_timed = scan.end is not None and scan.start is not None
    took = f" after {lasting((scan.end or 0) - (scan.start or 0))}" if is_timed else ""
    errors = "an unknown number of" if scan.errors is None else scan.errors or "no"
    return Alert(
        AlertKey(host, SCAN_FINISHED, pool),
        Severity.WARNING if scan.errors else Severity.INFO,
        f"{pool}: the {scan.function} finished{took} with {errors} errors",
        now,
        SCAN_FINISHED,
        pool,
        pool,
        phase=AlertPhase.HAPPENED,
        since=scan.start,
    )


def _is_same_end(old: Scan | None, new: Scan) -> bool:
    return old is not None and old.state == "finished" and (old.function, old.end) == (new.function, new.end)


def _run_end(run: Run, now: float) -> Alert:
    said = f": {run.words}" if run.words not in {"", run.state.value} else ""
    return Alert(
        AlertKey(run.host, RUN_ENDED, run.id),
        Severity.INFO if run.state in _ENDED_WELL else Severity.WARNING,
        visible(f"{run.title}: {run.state.value}{said}"),
        now,
        RUN_ENDED,
        visible(run.title),
        run.target.split("/", 1)[0].split("@", 1)[0].split(" ", 1)[0],
        phase=AlertPhase.HAPPENED,
        since=run.started,
    )
