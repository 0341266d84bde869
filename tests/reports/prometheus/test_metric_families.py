"""What Prometheus is told: what was read, and no zero for what was not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.captured import RECORDED_AT, captured
from zconsole.analysis.findings.all_findings import findings
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.base.finding_thresholds import Thresholds
from zconsole.model.datasets.replication import ReplicationSeen
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, PoolState, Reading
from zconsole.model.pools.smart_health import DiskHealth, HealthRecord
from zconsole.views.host_states_with_findings import HostView, View

pytest.importorskip("prometheus_client", reason="pip install 'zconsole[exporter]'")

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from zconsole.hosts.metrics_endpoint import _Collector
from zconsole.reports.prometheus.host_metrics import FAMILIES, MOST_FINDINGS
from zconsole.reports.prometheus.metric_families import LONGEST_LABEL, metric_families

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def judged(state: HostState, *more: Finding) -> HostView:
    return HostView(state, (*findings(state, RECORDED_AT, Thresholds()), *more))


def view_of(*hosts: HostView, monotonic: float = 0.0) -> View:
    return View(hosts, RECORDED_AT, monotonic)


def exposed(view: View) -> str:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_Collector(lambda: metric_families(view)))
    return generate_latest(registry).decode()


def samples(view: View) -> Samples:
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(exposed(view))
        for sample in family.samples
    }


def values(view: View, name: str, **labels: str) -> list[float]:
    wanted = labels.items()
    return [value for (each, of), value in samples(view).items() if each == name and wanted <= of]


def test_a_failed_disk_is_told_with_its_serial_number_and_its_errors() -> None:
    view = view_of(judged(captured("2.4", "disk-faulted")))

    assert [1.0] == values(view, "zconsole_pool_state", state="DEGRADED")
    assert [0.0] == values(view, "zconsole_pool_state", state="ONLINE")
    assert 1.0 in values(view, "zconsole_vdev_state", state="FAULTED")
    assert 0.0 in values(view, "zconsole_vdev_healthy")
    assert {"device-faulted"} <= {
        dict(of)["finding"] for (name, of), _ in samples(view).items() if name == "zconsole_finding"
    }
    assert all(value >= 1 for value in values(view, "zconsole_findings", severity="critical"))


def test_what_is_not_known_has_no_sample() -> None:
    unread = replace(captured("2.4", "healthy-mirrors"), pools=(PoolState("tank", kstat_state="ONLINE"),))
    view = view_of(HostView(unread))

    told = {name for name, _ in samples(view) if name.startswith(("zconsole_pool_", "zconsole_vdev_"))}
    assert set() == told
    assert [1.0] == values(view, "zconsole_host_up")


def test_a_status_that_is_too_old_is_not_told_but_for_its_time() -> None:
    state = captured("2.4", "healthy-mirrors")
    fresh, old = view_of(judged(state), monotonic=30.0), view_of(judged(state), monotonic=3600.0)

    assert [1.0] == values(fresh, "zconsole_pool_state", state="ONLINE")
    assert [] == values(old, "zconsole_pool_state")
    assert [] == values(old, "zconsole_pool_size_bytes")
    assert [RECORDED_AT - 3600.0] == values(old, "zconsole_pool_status_read_timestamp_seconds")


def test_a_host_that_does_not_answer_is_down_and_nothing_else_is_told_of_it() -> None:
    lost = replace(captured("2.4", "disk-faulted"), link=LinkStatus(LinkState.DOWN, "no route"))
    view = view_of(judged(lost))

    assert [0.0] == values(view, "zconsole_host_up")
    assert [] == values(view, "zconsole_findings")
    assert [] == values(view, "zconsole_pool_state")
    assert [] == values(view_of(HostView(HostState("nas1"))), "zconsole_host_up"), "while it is connecting"


def test_a_suspended_pool_is_told_although_its_status_is_old() -> None:
    state = captured("2.4", "healthy-mirrors")
    pool = replace(state.pools[0], kstat_state="SUSPENDED")
    view = view_of(HostView(replace(state, pools=(pool,))), monotonic=3600.0)

    assert [1.0] == values(view, "zconsole_pool_state", state="SUSPENDED")
    assert [] == values(view, "zconsole_pool_used_ratio")


def test_advice_is_no_finding_and_their_number_is_bounded() -> None:
    advice = Finding("raidz-wide", Severity.WARNING, "tank", "wide", {"pool": "tank"}, is_advice=True)
    many = [Finding("quota-near", Severity.WARNING, f"tank/{number}", "near") for number in range(900)]
    view = view_of(HostView(captured("2.4", "healthy-mirrors"), (advice, *many)))

    assert MOST_FINDINGS == len(values(view, "zconsole_finding"))
    assert [900.0] == values(view, "zconsole_findings", severity="warning")
    assert [] == values(view, "zconsole_finding", finding="raidz-wide")


def test_findings_of_one_disk_are_counted_as_one_as_by_the_console() -> None:
    disk = [
        Finding(name, Severity.WARNING, "tank sdz", f"sdz {name}", {"pool": "tank"}, disk="tank/77")
        for name in ("device-errors", "smart-defects", "slow-ios")
    ]
    before = values(view_of(judged(captured("2.4", "disk-faulted"))), "zconsole_findings", severity="warning")
    view = view_of(judged(captured("2.4", "disk-faulted"), *disk))

    assert [before[0] + 1] == values(view, "zconsole_findings", severity="warning")
    assert 3 == len(values(view, "zconsole_finding", subject="tank sdz"))


def test_a_finding_is_told_in_its_words() -> None:
    view = view_of(judged(captured("2.4", "disk-faulted")))

    assert [1.0] == values(view, "zconsole_finding_info", text="tank: no redundancy left in mirror-1")


def test_copies_are_late_by_what_was_compared_last_and_unknown_before() -> None:
    state = captured("2.4", "healthy-mirrors")
    late = Finding(
        "replica-stale", Severity.WARNING, "vault/tank", "late", {"pool": "tank", "behind_s": 7200}
    )

    def known(*found: Finding, sent: tuple[str, ...] = ("tank/home",)) -> list[float]:
        seen = ReplicationSeen(state.host, RECORDED_AT - 60, found, sent=sent)
        view = view_of(judged(replace(state, replication=Reading(seen, 0.0))))
        assert [RECORDED_AT - 60] == values(view, "zconsole_host_copies_compared_timestamp_seconds")
        return values(view, "zconsole_pool_copies_late_seconds", pool="tank")

    assert [] == values(view_of(judged(state)), "zconsole_pool_copies_late_seconds")
    assert [0.0] == known()
    assert [7200.0] == known(late)
    assert [] == known(replace(late, evidence={"pool": "tank"})), "late by an unknown time"
    assert [] == known(sent=()), "a pool without copies"


def test_smart_data_is_told_for_a_day() -> None:
    state = captured("2.4", "healthy-mirrors")
    disk = state.inventory.value.disks[0] if state.inventory.value is not None else None
    assert disk is not None
    health = DiskHealth(temperature_c=41, pending=8)

    def told(at: float) -> View:
        record = HealthRecord(disk_identity(disk), health, at, health, at)
        return view_of(HostView(replace(state, smart=Reading((record,), 0.0))))

    assert [41.0] == values(told(RECORDED_AT - 3600), "zconsole_disk_temperature_celsius")
    assert [8.0] == values(told(RECORDED_AT - 3600), "zconsole_disk_pending_sectors")
    assert [] == values(told(RECORDED_AT - 3600), "zconsole_disk_reallocated_sectors")
    assert [] == values(told(RECORDED_AT - 100_000), "zconsole_disk_temperature_celsius")


@given(name=st.text(max_size=400), host=st.text(min_size=1, max_size=40))
def test_no_name_breaks_the_format_or_ends_a_label(name: str, host: str) -> None:
    state = HostState(host, link=LinkStatus(LinkState.UP), pools_at=0.0)
    finding = Finding("quota-near", Severity.WARNING, name, "near", {"pool": name})
    view = view_of(HostView(state, (finding,)))

    text = exposed(view)
    (labels,) = [dict(of) for (each, of) in samples(view) if each == "zconsole_finding"]
    assert ("quota-near", "warning") == (labels["finding"], labels["severity"])
    assert len(labels["subject"]) <= LONGEST_LABEL + len("...")
    assert [] == [char for char in text if char != "\n" and not char.isprintable()]


def test_names_are_those_of_conventions() -> None:
    assert len(FAMILIES) == len({each.name for each in FAMILIES})
    for family in FAMILIES:
        assert family.name.startswith("zconsole_")
        assert not family.name.endswith("_total")
        assert family.help.endswith(".")
        assert set(family.labels) <= {
            "host", "pool", "vdev", "serial", "disk", "state", "function", "finding", "severity", "subject",
            "text", "version",
        }  # fmt: skip
