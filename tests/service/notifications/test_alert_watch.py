"""What a watch tells of readings, and that neither a restart nor a full disk changes it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.reports.captured import captured
from zconsole.analysis.alerts.damping import Damping
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus
from zconsole.service.notifications.alert_watch import WATCHER, AlertWatch
from zconsole.storage.alerts.alert_store import AlertStore, AlertStoreError

CRITICAL = Finding(
    "vdev-no-redundancy", Severity.CRITICAL, "tank mirror-0", "no redundancy", {"pool": "tank"}
)
WARNING = Finding("pool-degraded", Severity.WARNING, "tank", "DEGRADED", {"pool": "tank"})
CHANNELS = {"mail.all": Severity.WARNING, "command.page": Severity.CRITICAL}


def state() -> HostState:
    return captured("2.4", "healthy-mirrors")


@pytest.fixture
def store(tmp_path: Path) -> AlertStore:
    return AlertStore(tmp_path / "alerts.sqlite")


def watch(store: AlertStore, grace_s: float = 0.0) -> AlertWatch:
    return AlertWatch(
        store, Damping(grace_s=grace_s), CHANNELS, lambda *_: lambda finding: f"do {finding.id}"
    )


def take(of: AlertWatch, now: float, *found: Finding, host: HostState | None = None) -> list[tuple[str, str]]:
    return [(each.id, each.phase.value) for each in of.take([(host or state(), found)], now)]


def test_each_channel_gets_what_is_bad_enough_for_it(store: AlertStore) -> None:
    watching = watch(store)
    assert [("vdev-no-redundancy", "raised")] == take(watching, 0.0, CRITICAL, WARNING)
    assert [("pool-degraded", "raised")] == take(watching, 60.0, CRITICAL, WARNING)

    assert 2 == store.waiting(["mail.all"])
    assert 1 == store.waiting(["command.page"])
    queued = store.due("command.page", 60.0)
    assert queued is not None
    assert "do vdev-no-redundancy" == queued.alert.what_to_do


def test_what_is_silenced_is_told_neither_as_new_nor_as_over(store: AlertStore) -> None:
    watching = watch(store)
    take(watching, 0.0, CRITICAL, WARNING)
    assert [("pool-degraded", "raised")] == take(watching, 60.0, CRITICAL, WARNING)

    quiet = {state().host: [WARNING]}
    for now in (100.0, 200.0, 300.0):
        assert () == watching.take([(state(), [CRITICAL])], now, silenced=quiet)
    assert ["vdev-no-redundancy"] == [each.alert.id for each in watching.active()]
    take(watching, 310.0, CRITICAL, WARNING)
    assert [("pool-degraded", "raised")] == take(watching, 371.0, CRITICAL, WARNING)


def test_a_restart_tells_nothing_twice_and_the_end_once(store: AlertStore) -> None:
    take(watch(store), 0.0, CRITICAL)

    again = watch(store, grace_s=300)
    assert [] == take(again, 10.0)
    assert [] == take(again, 20.0, CRITICAL)
    third = watch(store, grace_s=300)
    assert [] == take(third, 1000.0)
    assert [] == take(third, 1350.0)
    assert [("vdev-no-redundancy", "over")] == take(third, 1420.0)
    assert [] == take(watch(store), 1500.0)
    assert 2 == store.waiting(["command.page"])


def test_a_warning_that_waits_goes_on_waiting_after_a_restart(store: AlertStore) -> None:
    assert [] == take(watch(store), 0.0, WARNING)
    assert [("pool-degraded", "raised")] == take(watch(store), 70.0, WARNING)


def test_what_could_not_be_kept_is_told_with_the_next_reading(
    store: AlertStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    watching = watch(store)

    def full(*_: object) -> None:
        raise AlertStoreError("no space")

    with monkeypatch.context() as spoilt:
        spoilt.setattr(store, "keep", full)
        with pytest.raises(AlertStoreError):
            take(watching, 0.0, CRITICAL)
    assert [("vdev-no-redundancy", "raised")] == take(watching, 5.0, CRITICAL)


def test_an_acknowledged_state_is_not_reminded_of(store: AlertStore) -> None:
    watching, day = watch(store), 86_400.0
    take(watching, 0.0, CRITICAL)
    assert [("vdev-no-redundancy", "reminder")] == take(watching, day, CRITICAL)

    (told,) = watching.active()
    AlertStore(store.path).acknowledge([told.alert.key], day + 10)
    assert [] == take(watching, 3 * day, CRITICAL)


def test_a_lost_link_ends_nothing(store: AlertStore) -> None:
    watching = watch(store)
    take(watching, 0.0, CRITICAL)
    lost = replace(state(), link=LinkStatus(LinkState.DOWN, "gone"))

    assert [] == take(watching, 100.0, host=lost)
    assert [("link-lost", "raised")] == take(watching, 300.0, host=lost)
    assert [] == take(watching, 400.0, CRITICAL)
    assert [("link-lost", "over")] == take(watching, 500.0, CRITICAL)


def test_a_state_at_rest_is_not_written_again(store: AlertStore) -> None:
    watching, writes = watch(store), []
    keep = store.keep
    store.keep = lambda *words: writes.append(words) or keep(*words)  # type: ignore[method-assign,func-returns-value]
    for at in range(0, 250, 5):
        take(watching, float(at), replace(CRITICAL, summary=f"for {at} s"))

    assert 1 == len(writes)
    assert 1 == len(store.states(WATCHER))
