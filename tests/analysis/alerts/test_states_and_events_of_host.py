"""What of a host a person is told of."""

from __future__ import annotations

from dataclasses import replace

from tests.reports.captured import RECORDED_AT, captured
from zconsole.analysis.alerts.states_and_events_of_host import HostAlerts, events_between, states_of
from zconsole.analysis.findings.all_findings import findings
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.alert import Alert, AlertPhase
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, Reading
from zconsole.model.pools.pool import Scan
from zconsole.model.run import Run, RunState


def states(state: HostState, *more: Finding) -> HostAlerts:
    found = findings(state, RECORDED_AT, Thresholds())
    return states_of(state, (*found, *more), RECORDED_AT, lambda finding: f"do {finding.id}")


def with_scan(scan: Scan | None) -> HostState:
    state = captured("2.4", "healthy-mirrors")
    pool = state.pools[0].pool.value
    assert pool is not None
    return replace(state, pools=(replace(state.pools[0], pool=Reading(replace(pool, scan=scan), 0.0)),))


def events(before: HostState | None, after: HostState) -> list[Alert]:
    return list(events_between(before, after, RECORDED_AT))


def test_a_disk_is_silenced_once_nothing_of_it_speaks() -> None:
    state = captured("2.4", "healthy-mirrors")
    slow = Finding("slow-ios", Severity.WARNING, "tank sda", "slow", {"pool": "tank"}, disk="tank/7")
    smart = Finding("smart-defects", Severity.WARNING, "tank sda", "bad", {"pool": "tank"}, disk="tank/7")

    half = states_of(state, [smart], RECORDED_AT, lambda _: "", [slow])
    whole = states_of(state, [], RECORDED_AT, lambda _: "", [slow, smart])

    assert frozenset() == half.silenced
    assert frozenset(half.holding) == whole.silenced


def test_warnings_and_worse_are_told_with_what_to_do_and_advice_is_not() -> None:
    advice = Finding("raidz-wide", Severity.WARNING, "tank", "wide", {"pool": "tank"}, is_advice=True)
    note = Finding("scan-running", Severity.INFO, "tank", "runs", {"pool": "tank"})
    found = states(captured("2.4", "disk-faulted"), advice, note)

    (alert,) = found.holding.values()
    assert ("vdev-no-redundancy", ("pool-degraded", "device-faulted")) == (alert.id, alert.others)
    assert ("tank", "do vdev-no-redundancy") == (alert.pool, alert.what_to_do)
    assert found.is_known


def test_of_a_host_whose_link_is_lost_nothing_else_is_known() -> None:
    lost = replace(captured("2.4", "disk-faulted"), link=LinkStatus(LinkState.DOWN, "no route to host"))
    found = states(lost)

    assert ["link-lost"] == [key.kind for key in found.holding]
    assert "the link is lost: no route to host" == next(iter(found.holding.values())).words
    assert not found.is_known
    assert not states(HostState("nas1")).holding, "while it is connecting"


def test_a_pool_that_cannot_be_read_now_is_named() -> None:
    state = captured("2.4", "healthy-mirrors")
    hung = replace(state.pools[0], pool=replace(state.pools[0].pool, problem="zpool hangs"))

    assert {"tank"} == states(replace(state, pools=(hung,))).unknown_pools
    assert not states(replace(state, pools_problem="no kstat")).is_known


def test_the_end_of_a_scan_is_told_once() -> None:
    running = Scan("scrub", "scanning", start=1000)
    clean = Scan("scrub", "finished", start=1000, end=8200, errors=0)
    broken = Scan("resilver", "finished", start=1000, end=8200, errors=3)

    (end,) = events(with_scan(running), with_scan(clean))
    assert "tank: the scrub finished after 2h with no errors" == end.words
    assert (AlertPhase.HAPPENED, Severity.INFO) == (end.phase, end.severity)
    (end,) = events(with_scan(clean), with_scan(broken))
    assert (Severity.WARNING, True) == (end.severity, "the resilver finished" in end.words)
    assert [] == events(with_scan(clean), with_scan(clean))
    assert [] == events(None, with_scan(clean))
    assert [] == events(with_scan(None), with_scan(running))


def test_the_end_of_a_run_is_told_with_its_outcome() -> None:
    run = Run("1", "nas1", "scrub tank", "tank", RunState.RUNNING)
    state = captured("2.4", "healthy-mirrors")

    def of(found: RunState, words: str = "") -> HostState:
        return replace(state, runs=(replace(run, state=found, words=words),))

    (end,) = events(of(RunState.RUNNING), of(RunState.DONE))
    assert ("scrub tank: done", Severity.INFO) == (end.words, end.severity)
    (end,) = events(of(RunState.RUNNING), of(RunState.FAILED, "zpool said no"))
    assert ("scrub tank: failed: zpool said no", Severity.WARNING) == (end.words, end.severity)
    assert [] == events(of(RunState.DONE), of(RunState.DONE))
    assert [] == events(of(RunState.RUNNING), of(RunState.SETTLING))


def test_all_findings_of_a_disk_are_one_state_of_its_worst() -> None:
    on_disk = [
        Finding("device-faulted", Severity.WARNING, "tank sda", "FAULTED", {"pool": "tank"}, disk="tank/7"),
        Finding(
            "device-errors",
            Severity.WARNING,
            "tank sda",
            "errs",
            {"pool": "tank"},
            disk="tank/7",
            brief="9 errors",
        ),
    ]
    found = states_of(captured("2.4", "healthy-mirrors"), on_disk, RECORDED_AT, lambda _: "")

    (alert,) = found.holding.values()
    assert ("device-faulted", "tank: FAULTED; also 9 errors") == (alert.id, alert.words)
    errors = states_of(captured("2.4", "healthy-mirrors"), on_disk[1:], RECORDED_AT, lambda _: "")
    assert found.holding.keys() == errors.holding.keys(), "it is the same state when another finding is worst"
