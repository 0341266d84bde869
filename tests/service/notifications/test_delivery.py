"""Queued messages are sent once, in order, later when that fails, and none delays another channel."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from zconsole.base.errors import HostError
from zconsole.model.alert import Alert, AlertKey
from zconsole.model.finding import Severity
from zconsole.service.notifications.delivery import GIVEN_UP_AFTER_S, Deliveries, MessageChannel, retry_s
from zconsole.storage.alerts.alert_store import AlertStore


def alert(number: int) -> Alert:
    key = AlertKey("nas1", "test", str(number))
    return Alert(key, Severity.WARNING, f"words {number}", float(number), "test", str(number))


@pytest.fixture
def store(tmp_path: Path) -> AlertStore:
    made = AlertStore(tmp_path / "alerts.sqlite")
    made.keep("watch", {}, [], {"a": [alert(1), alert(2)], "b": [alert(1)]}, 100.0)
    return made


class Sender:
    def __init__(self, failures: int = 0) -> None:
        self.sent: list[int] = []
        self.failures = failures

    def __call__(self, found: Alert) -> None:
        if self.failures:
            self.failures -= 1
            raise HostError("no route")
        self.sent.append(int(found.at))


def test_everything_is_sent_once_and_in_order(store: AlertStore) -> None:
    first, second, said = Sender(), Sender(), list[str]()
    for _ in range(2):
        Deliveries(
            store, [MessageChannel("a", first), MessageChannel("b", second)], said.append, lambda: 100.0
        ).send_all_due()

    assert ([1, 2], [1]) == (first.sent, second.sent)
    assert [] == said


def test_what_fails_is_sent_later_and_keeps_its_place(store: AlertStore) -> None:
    sender, said, now = Sender(failures=2), list[str](), [100.0]
    deliveries = Deliveries(store, [MessageChannel("a", sender)], said.append, lambda: now[0])

    for now[0] in (100.0, 104.0, 105.0, 114.0, 115.0):
        deliveries.send_all_due()
        assert [] == sender.sent or now[0] >= 115.0
    assert [1, 2] == sender.sent
    assert ["a: no route; again in 5 s", "a: no route; again in 10 s"] == said


def test_a_restart_goes_on_where_it_was(store: AlertStore) -> None:
    failing, sender = Sender(failures=9), Sender()
    Deliveries(store, [MessageChannel("a", failing)], lambda _: None, lambda: 100.0).send_all_due()

    later = Deliveries(AlertStore(store.path), [MessageChannel("a", sender)], lambda _: None, lambda: 200.0)
    later.send_all_due()
    assert [1, 2] == sender.sent


def test_what_fails_for_days_is_given_up_and_said(store: AlertStore) -> None:
    sender, said = Sender(failures=2), list[str]()
    late = 100.0 + GIVEN_UP_AFTER_S
    Deliveries(store, [MessageChannel("a", sender)], said.append, lambda: late).send_all_due()

    assert ["a: given up after 1 attempts: no route"] * 2 == said
    assert 0 == store.waiting(["a"])


def test_a_channel_that_hangs_delays_no_other(store: AlertStore) -> None:
    hangs, is_sent = threading.Event(), threading.Event()
    channels = [
        MessageChannel("a", lambda _: hangs.wait(60) and None),
        MessageChannel("b", lambda _: is_sent.set()),
    ]
    deliveries = Deliveries(store, channels, lambda _: None, lambda: 100.0)
    deliveries.start()
    try:
        assert is_sent.wait(30)
        assert 2 == store.waiting(["a"])
    finally:
        hangs.set()
        deliveries.stop()


def test_the_wait_grows_to_a_quarter_of_an_hour() -> None:
    assert [5, 10, 20, 40, 900, 900] == [retry_s(each) for each in (0, 1, 2, 3, 9, 10_000)]
