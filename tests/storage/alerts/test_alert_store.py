"""What was told, what waits, what was acknowledged: kept as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from zconsole.analysis.alerts.damping import DampedState
from zconsole.model.alert import Alert, AlertKey, AlertPhase
from zconsole.model.finding import Severity
from zconsole.storage.alerts.alert_store import MOST_LOGGED, MOST_QUEUED, AlertStore, AlertStoreError

KEY = AlertKey("nas\t1", "disk", "tank/7")
ALERT = Alert(KEY, Severity.CRITICAL, "tänk\x1b is bad", 5.0, "device-faulted", "tank sda", "tank")
STATE = DampedState(ALERT, 1.0, Severity.WARNING, 2.0, ("pending-sectors",), returns=(1.0, 2.5))


@pytest.fixture
def store(tmp_path: Path) -> AlertStore:
    return AlertStore(tmp_path / "state" / "alerts.sqlite")


def test_states_log_and_queues_come_back_as_they_were(store: AlertStore) -> None:
    assert {} == store.states("watch")
    store.keep("watch", {KEY: STATE}, [ALERT], {"mail.a": [ALERT], "webhook.b": []}, 9.0)

    again = AlertStore(store.path)
    assert {KEY: STATE} == again.states("watch")
    assert {} == again.states("console")
    assert (ALERT,) == again.logged("watch")
    queued = again.due("mail.a", 9.0)
    assert queued is not None
    assert (ALERT, 0, 9.0) == (queued.alert, queued.attempts, queued.made)
    assert again.due("webhook.b", 9.0) is None


def test_a_channel_keeps_its_order_and_waits_for_the_oldest(store: AlertStore) -> None:
    for at in range(3):
        store.keep("watch", {}, [], {"a": [Alert(KEY, Severity.INFO, "x", at, "x", "x")]}, 1.0)
    first = store.due("a", 1.0)
    assert first is not None
    assert 0.0 == first.alert.at

    store.put_off(first.number, 50.0)
    assert store.due("a", 49.0) is None
    again = store.due("a", 50.0)
    assert again is not None
    assert (first.number, 1) == (again.number, again.attempts)
    assert 3 == store.waiting(["a"])
    store.sent(first.number)
    second = store.due("a", 50.0)
    assert second is not None
    assert 1.0 == second.alert.at


def test_log_and_queue_are_bounded(store: AlertStore) -> None:
    for start in range(0, 2000, 500):
        many = [
            Alert(KEY, Severity.INFO, "x", start + n, "x", "x", phase=AlertPhase.HAPPENED) for n in range(500)
        ]
        store.keep("watch", {}, many, {"a": many}, 1.0)

    assert MOST_LOGGED == len(store.logged("watch"))
    assert 1999 == store.logged("watch")[-1].at
    assert MOST_QUEUED == store.waiting(["a"])


def test_an_acknowledgement_is_of_all_watchers(store: AlertStore) -> None:
    store.acknowledge([KEY], 7.0)
    store.acknowledge([KEY], 8.0)
    assert {KEY: 8.0} == AlertStore(store.path).acknowledged()


def test_when_somebody_looked_is_kept(store: AlertStore) -> None:
    assert store.looked("console") is None
    store.look("console", 5.0)
    store.look("console", 6.0)
    assert 6.0 == store.looked("console")


def test_a_damaged_file_is_an_error_and_left_as_it_is(store: AlertStore) -> None:
    store.path.parent.mkdir()
    store.path.write_bytes(b"no database" * 500)
    with pytest.raises(AlertStoreError, match="cannot be read"):
        store.states("watch")
    with pytest.raises(AlertStoreError, match="cannot be written"):
        store.keep("watch", {}, [], {}, 1.0)
    assert store.path.read_bytes().startswith(b"no database")
