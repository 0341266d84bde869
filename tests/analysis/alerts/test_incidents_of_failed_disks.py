"""One failed disk is one incident with what its vdev and pool lack; a second trouble is another one."""

from __future__ import annotations

from dataclasses import replace

from tests.analysis.build import group
from tests.analysis.build import host as host_of
from tests.analysis.build import pool as pool_of
from tests.doubles.shelves import leaf
from zconsole.analysis.alerts.damping import Damper, Damping
from zconsole.analysis.alerts.incidents_of_failed_disks import incidents
from zconsole.analysis.alerts.states_and_events_of_host import states_of
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.alert import Alert, AlertPhase
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, Reading
from zconsole.model.pools.pool import Vdev

NOW = 1_795_000_000.0
SERIOUS = {"vdev-no-redundancy", "pool-degraded", "device-faulted", "pool-suspended", "data-errors"}


def host(*tops: Vdev) -> HostState:
    """A host with one pool, DEGRADED where a device of it is out."""
    is_whole = all(each.state == "ONLINE" for top in tops for each in top.walk())
    return host_of(pool_of(*tops, name="tank", state="ONLINE" if is_whole else "DEGRADED"))


def mirror(index: int, *states: str) -> Vdev:
    """A mirror of disks in these states; their numbers go on from one mirror to the next."""
    leaves = [leaf(2 * index + at, each) for at, each in enumerate(states)]
    is_whole = set(states) == {"ONLINE"}
    made = group(f"mirror-{index}", *leaves, guid=500 + index)
    return replace(made, state="ONLINE" if is_whole else "DEGRADED")


def found(state: HostState, *more: Finding) -> list[Finding]:
    """What is told of it."""
    every = (*findings(state, NOW, Thresholds()), *more)
    return [each for each in every if each.id in SERIOUS and each.severity > Severity.INFO]


def ids(state: HostState, *more: Finding) -> list[tuple[str, ...]]:
    """The ids of each incident, the worst first."""
    return [(each.worst.id, *each.other_ids) for each in incidents(state, found(state, *more))]


ONE = ("vdev-no-redundancy", "pool-degraded", "device-faulted")
BROKEN = host(mirror(0, "ONLINE", "FAULTED"), mirror(1, "ONLINE", "ONLINE"))


def test_one_failed_disk_is_one_incident_that_names_all_of_it() -> None:
    (incident,) = incidents(BROKEN, found(BROKEN))

    assert ONE == (incident.worst.id, *incident.other_ids)
    assert "tank/1001" == incident.disk
    assert incident.sentence.startswith("tank: no redundancy left in mirror-0; DEGRADED")
    assert 1 == incident.sentence.count("tank: ")
    assert "is FAULTED" in incident.sentence


def test_a_disk_taken_offline_is_one_incident_too_though_nothing_is_wrong_with_it() -> None:
    state = host(mirror(0, "ONLINE", "OFFLINE"), mirror(1, "ONLINE", "ONLINE"))

    assert [ONE[:2]] == ids(state)


def test_a_second_failed_disk_is_a_second_incident() -> None:
    state = host(mirror(0, "ONLINE", "FAULTED"), mirror(1, "UNAVAIL", "ONLINE"))

    assert [ONE, ("vdev-no-redundancy", "device-faulted")] == sorted(ids(state), key=len, reverse=True)


def test_what_no_disk_is_the_cause_of_stands_alone() -> None:
    data = Finding("data-errors", Severity.CRITICAL, "tank", "2 errors", {"pool": "tank"})
    hung = Finding(
        "pool-suspended", Severity.CRITICAL, "tank", "late", {"pool": "tank", "is_multihost": True}
    )
    other = Finding("pool-degraded", Severity.WARNING, "vault", "DEGRADED", {"pool": "vault"})

    assert {("data-errors",), ("pool-suspended",), ("pool-degraded",), ONE} == set(
        ids(BROKEN, data, hung, other)
    )


def taken(damper: Damper, state: HostState, now: float) -> list[tuple[str, AlertPhase, Severity]]:
    """What is told of a host in this state."""
    up = replace(state, link=LinkStatus(LinkState.UP), pools_at=0.0)
    told = damper.take(states_of(up, found(up), now, lambda _: ""), now)
    return [(each.key.about, each.phase, each.severity) for each in told]


def test_it_is_told_once_as_its_worst_and_over_once() -> None:
    damper = Damper(Damping())

    assert [("tank/1001", AlertPhase.RAISED, Severity.CRITICAL)] == taken(damper, BROKEN, NOW)
    assert [] == taken(damper, BROKEN, NOW + 600)
    whole = host(mirror(0, "ONLINE", "ONLINE"), mirror(1, "ONLINE", "ONLINE"))
    assert [] == taken(damper, whole, NOW + 601)
    assert [("tank/1001", AlertPhase.OVER, Severity.CRITICAL)] == taken(damper, whole, NOW + 700)


def test_a_second_failure_is_told_though_the_first_was_acknowledged() -> None:
    damper = Damper(Damping())
    taken(damper, BROKEN, NOW)
    damper.acknowledge(tuple(damper.states), NOW + 1)
    both = host(mirror(0, "ONLINE", "FAULTED"), mirror(1, "FAULTED", "ONLINE"))

    assert [("tank/1002", AlertPhase.RAISED, Severity.CRITICAL)] == taken(damper, both, NOW + 10)


def test_what_was_told_by_itself_and_is_now_part_of_an_incident_is_not_over() -> None:
    damper = Damper(Damping())
    whole = host(mirror(0, "ONLINE", "ONLINE"), mirror(1, "ONLINE", "ONLINE"))
    degraded = Finding("pool-degraded", Severity.WARNING, "tank", "DEGRADED", {"pool": "tank"})
    up = replace(whole, link=LinkStatus(LinkState.UP), pools_at=0.0)

    def told(now: float) -> tuple[Alert, ...]:
        return damper.take(states_of(up, [degraded], now, lambda _: ""), now)

    told(NOW)
    assert [AlertPhase.RAISED] == [each.phase for each in told(NOW + 60)]
    assert [AlertPhase.RAISED] == [phase for _, phase, _ in taken(damper, BROKEN, NOW + 120)]
    assert [] == taken(damper, BROKEN, NOW + 300)


def test_of_a_pool_that_is_not_read_nothing_is_guessed() -> None:
    unread = replace(BROKEN, pools=(replace(BROKEN.pools[0], pool=Reading(problem="zpool hangs")),))
    known = found(BROKEN)

    assert 3 == len(incidents(unread, known))
