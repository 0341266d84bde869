"""Alertmanager is sent what holds, again and again, and the end of what held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from zconsole.analysis.alerts.damping import DampedState
from zconsole.base.errors import HostError
from zconsole.model.alert import Alert, AlertKey, AlertPhase
from zconsole.model.finding import Severity
from zconsole.service.notifications.alertmanager_sync import OVER_SENT_FOR_S, AlertmanagerSync

CRITICAL = Alert(AlertKey("nas1", "x", "tank"), Severity.CRITICAL, "bad", 10.0, "x", "tank")
WARNING = Alert(AlertKey("nas1", "y", "tank"), Severity.WARNING, "so so", 10.0, "y", "tank")
OVER = replace(CRITICAL, phase=AlertPhase.OVER, at=50.0)


class Sent:
    def __init__(self) -> None:
        self.calls: list[tuple[list[str], list[str]]] = []
        self.is_down = False

    def __call__(
        self, holding: Sequence[DampedState], over: Sequence[Alert], now: float, valid_s: float
    ) -> None:
        if self.is_down:
            raise HostError("no route")
        self.calls.append(([each.alert.id for each in holding], [each.id for each in over]))


def test_what_holds_is_sent_each_time_and_its_end_for_a_while() -> None:
    sent, said = Sent(), list[str]()
    sync = AlertmanagerSync("am", Severity.CRITICAL, sent, said.append)
    sync.take([DampedState(CRITICAL, 1.0), DampedState(WARNING, 1.0)], [CRITICAL, WARNING])
    sync.send_now(20.0)
    sync.send_now(40.0)
    sync.take([], [OVER])
    sync.send_now(60.0)
    sync.send_now(60.0 + OVER_SENT_FOR_S)

    assert [(["x"], []), (["x"], []), ([], ["x"])] == sent.calls
    assert [] == said


def test_the_end_that_was_told_before_a_restart_is_sent_and_not_of_what_holds_again() -> None:
    sent = Sent()
    AlertmanagerSync("am", Severity.WARNING, sent, lambda _: None, [CRITICAL, OVER]).send_now(60.0)
    again = AlertmanagerSync("am", Severity.WARNING, sent, lambda _: None, [OVER])
    again.take([DampedState(CRITICAL, 55.0)], [])
    again.send_now(60.0)

    assert [([], ["x"]), (["x"], [])] == sent.calls


def test_a_failure_is_said_once_and_sent_later() -> None:
    sent, said = Sent(), list[str]()
    sync = AlertmanagerSync("am", Severity.WARNING, sent, said.append)
    sync.take([DampedState(CRITICAL, 1.0)], [])
    sent.is_down = True
    assert [False, False] == [sync.send_now(20.0), sync.send_now(80.0)]
    sent.is_down = False
    assert sync.send_now(140.0)

    assert ["am: no route; again each 60 s"] == said
    assert [(["x"], [])] == sent.calls


def test_what_is_worse_or_another_finding_of_the_disk_ends_what_was_sent_before() -> None:
    """Alertmanager knows an alert by its labels: the earlier one would go on there."""
    sent = Sent()
    sync = AlertmanagerSync("am", Severity.WARNING, sent, lambda _: None)
    sync.take([DampedState(WARNING, 1.0)], [WARNING])
    sync.send_now(20.0)
    worse = replace(WARNING, severity=Severity.CRITICAL)
    sync.take([DampedState(worse, 1.0)], [worse])
    sync.send_now(30.0)
    other = replace(worse, id="z")
    sync.take([DampedState(other, 1.0)], [other])
    sync.send_now(40.0)
    sync.take([DampedState(WARNING, 1.0)], [])
    sync.send_now(50.0)

    assert [(["y"], []), (["y"], ["y"]), (["z"], ["y", "y"]), (["y"], ["y", "z"])] == sent.calls


def test_what_is_less_than_the_channel_wants_ends_there_at_once() -> None:
    sent = Sent()
    sync = AlertmanagerSync("am", Severity.CRITICAL, sent, lambda _: None)
    sync.take([DampedState(CRITICAL, 1.0)], [CRITICAL])
    sync.send_now(20.0)
    sync.take([DampedState(replace(CRITICAL, severity=Severity.WARNING), 1.0)], [])
    sync.send_now(30.0)

    assert [(["x"], []), ([], ["x"])] == sent.calls
