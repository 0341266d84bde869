"""Watch of all hosts: what is told of each new reading, kept together with the messages on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from zconsole.analysis.alerts.damping import DampedState, Damper, Damping, with_acknowledged
from zconsole.analysis.alerts.states_and_events_of_host import events_between, states_of
from zconsole.model.alert import Alert, AlertKey
from zconsole.model.finding import Finding, Severity
from zconsole.model.host.host_state import HostState
from zconsole.storage.alerts.alert_store import AlertStore

WATCHER: Final = "watch"
UNCHANGED_WRITTEN_AFTER_S: Final = 300.0


class AlertWatch:
    """What is told of readings. `channels` are their names with the least severity that is sent there.

    `remedies` tell what to do about the findings of a host at a time.
    """

    def __init__(
        self,
        store: AlertStore,
        damping: Damping,
        channels: Mapping[str, Severity],
        remedies: Callable[[HostState, float], Callable[[Finding], str]],
    ) -> None:
        self._store = store
        self._channels = channels
        self._remedies = remedies
        self._damper = Damper(damping, store.states(WATCHER))
        self._before: dict[str, HostState] = {}
        self._written: Mapping[AlertKey, DampedState] = {}
        self._written_at: float | None = None

    def take(
        self,
        hosts: Iterable[tuple[HostState, Sequence[Finding]]],
        now: float,
        *,
        but: Iterable[str] = (),
        silenced: Mapping[str, Sequence[Finding]] | None = None,
    ) -> tuple[Alert, ...]:
        """What is told of readings; findings with the ids `but` are as they were. Raises AlertStoreError.

        Of the `silenced` findings of a host nothing is told, and no end either.
        """
        damper = self._damper
        told: list[Alert] = []
        damper.states = with_acknowledged(damper.states, self._store.acknowledged())
        before = dict(damper.states)
        for state, found in hosts:
            quiet = (silenced or {}).get(state.host, ())
            told += damper.take(states_of(state, found, now, self._remedies(state, now), quiet), now, but=but)
            told += events_between(self._before.get(state.host), state, now)
        try:
            self._keep(told, now)
        except BaseException:
            damper.states = before  # it is told with the next reading
            raise
        for state, _ in hosts:
            self._before[state.host] = state
        return tuple(told)

    def active(self) -> tuple[DampedState, ...]:
        """What was told and is not over, worst first."""
        return tuple(self._damper.active())

    def _keep(self, told: Sequence[Alert], now: float) -> None:
        states = self._damper.states
        is_late = self._written_at is None or now - self._written_at >= UNCHANGED_WRITTEN_AFTER_S
        if not told and not is_late and _without_words(states) == _without_words(self._written):
            return
        queues = {
            channel: [each for each in told if _is_for(each, least)]
            for channel, least in self._channels.items()
        }
        self._store.keep(WATCHER, states, told, queues, now)
        self._written, self._written_at = dict(states), now


def _is_for(alert: Alert, least: Severity) -> bool:
    """Whether a channel gets an alert; the end of a state has the severity that was told."""
    return alert.severity >= least


def _without_words(states: Mapping[AlertKey, DampedState]) -> dict[AlertKey, DampedState]:
    """The states without what changes all the time, such as the progress of a resilver."""
    return {
        key: replace(each, alert=Alert(key, each.alert.severity, "", 0.0, each.alert.id, each.alert.subject))
        for key, each in states.items()
    }
