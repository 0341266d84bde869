"""Sender of all states that hold to Alertmanager, again and again: it ends what it is not sent any more."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.alerts.damping import DampedState
from zconsole.base.errors import ZConsoleError
from zconsole.model.alert import Alert, AlertPhase
from zconsole.model.finding import Severity

SENT_EVERY_S: Final = 60.0
VALID_S: Final = 300.0  # so that a few failures in a row end no alert
OVER_SENT_FOR_S: Final = 600.0
Send = Callable[[Sequence[DampedState], Sequence[Alert], float, float], None]


class AlertmanagerSync:
    """One Alertmanager. `send` is given what holds, what is over lately, the time, and its validity."""

    def __init__(
        self, name: str, least: Severity, send: Send, say: Callable[[str], None], over: Sequence[Alert] = ()
    ) -> None:
        """`over` is what was told as over before this program was started."""
        self._name, self._least = name, least
        self._send = send
        self._say = say
        self._lock = threading.Lock()
        self._holding: tuple[DampedState, ...] = ()
        self._over = [each for each in over if each.phase is AlertPhase.OVER]
        self._sent: tuple[Alert, ...] = ()  # as holding, last time
        self._wake = threading.Event()
        self._is_ended = threading.Event()
        self._is_failing = False

    def start(self) -> None:
        """Begin, in a daemon thread: a send may hang at the end."""
        threading.Thread(target=self._run, name=f"zconsole-{self._name}", daemon=True).start()

    def stop(self) -> None:
        """End; Alertmanager keeps the alerts while they are valid."""
        self._is_ended.set()
        self._wake.set()

    def take(self, holding: Sequence[DampedState], told: Sequence[Alert]) -> None:
        """Learn what holds, and what was told just now; the latter is sent at once."""
        with self._lock:
            self._holding = tuple(each for each in holding if each.alert.severity >= self._least)
            fresh = [each for each in told if each.severity >= self._least]
            self._over += [each for each in fresh if each.phase is AlertPhase.OVER]
        if fresh:
            self._wake.set()

    def send_now(self, now: float) -> bool:
        """Send everything; whether that worked. A failure is said once."""
        with self._lock:
            holding = self._holding
            held = {_labels(each.alert) for each in holding}
            self._over += _ended(self._sent, held, now)
            self._over = [each for each in self._over if now - each.at < OVER_SENT_FOR_S]
            self._sent = tuple(each.alert for each in holding)
            over = list({_labels(each): each for each in self._over if _labels(each) not in held}.values())
        try:
            if holding or over:
                self._send(holding, over, now, VALID_S)
        except ZConsoleError as error:
            if not self._is_failing:
                self._say(f"{self._name}: {error.message}; again each {SENT_EVERY_S:g} s")
            self._is_failing = True
            return False
        self._is_failing = False
        return True

    def _run(self) -> None:
        while not self._is_ended.is_set():
            self._wake.clear()
            self.send_now(time.time())
            self._wake.wait(SENT_EVERY_S)


def _labels(alert: Alert) -> tuple[object, ...]:
    """By what Alertmanager knows it: another finding of a disk, or another severity, is another alert."""
    return (alert.id, alert.severity, alert.key.host, alert.pool, alert.subject)


def _ended(sent: Iterable[Alert], held: set[tuple[object, ...]], now: float) -> list[Alert]:
    """What was sent with labels that nothing has any more; it would hold there until its time is up."""
    return [
        replace(each, phase=AlertPhase.OVER, since=each.since or each.at, at=now)
        for each in sent
        if _labels(each) not in held
    ]
