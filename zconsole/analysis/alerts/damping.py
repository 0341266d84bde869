"""Damping of alerts: a state is told once it has held for a time, and one that comes and goes as one message.

The state machine of one state, by key:

    waiting -> told -> clearing -> over, told
       |        ^         |
       v        +---------+  it holds again: counted, and not told
     gone, never told

What the first SMART data of a disk adds to a state that was told is not told: nothing has become worse, only
somebody has looked. That it is of a higher severity is told.

A state that came back `FLAPS` times within `FLAPS_WITHIN_S`, told or not, is told as flapping, and then
nothing of it until it has held, or not held, for `SETTLED_AFTER_S`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, replace
from math import inf
from typing import Final

from zconsole.analysis.alerts.states_and_events_of_host import LINK_LOST, HostAlerts
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.alert import Alert, AlertKey, AlertPhase
from zconsole.model.finding import Place, Severity, place_of

FLAPS: Final = 3
FLAPS_WITHIN_S: Final = 3600.0
SETTLED_AFTER_S: Final = 900.0
DAY_S: Final = 86400.0


@dataclass(frozen=True, slots=True)
class Damping:
    """Times in seconds. `grace_s` is how long after the start no told state is taken as over."""

    hold_critical_s: float = 0.0
    hold_warning_s: float = 60.0
    hold_link_s: float = 120.0
    clear_s: float = 60.0
    remind_s: float = DAY_S  # of a critical state that nobody acknowledged; 0: never
    grace_s: float = 0.0

    def hold_s(self, alert: Alert) -> float:
        """How long a state must hold before it is told."""
        if alert.key.kind == LINK_LOST:
            return self.hold_link_s
        return self.hold_critical_s if alert.severity is Severity.CRITICAL else self.hold_warning_s


@dataclass(frozen=True, slots=True)
class DampedState:
    """What is kept of one state. Times in epoch seconds; `told` is None until it was told."""

    alert: Alert  # as it was last
    since: float  # it has held, of the present or last time
    told: Severity | None = None
    told_at: float | None = None
    told_ids: tuple[str, ...] = ()  # the findings that were told of it: a disk may get others
    gone_since: float | None = None  # it holds no more
    returns: tuple[float, ...] = ()  # when it came back, lately
    flapping_since: float | None = None
    acknowledged_at: float | None = None
    worse_since: float | None = None  # it has been worse than was told, or something else

    @property
    def is_holding(self) -> bool:
        """Whether it holds now, as far as known."""
        return self.gone_since is None


@dataclass(slots=True)
class Damper:
    """States of all hosts by key. The time is an argument, and `states` can be kept and brought back."""

    damping: Damping
    states: dict[AlertKey, DampedState] = field(default_factory=dict)
    began: float | None = None  # epoch seconds of the first call, for the grace
    _taken: dict[str, float] = field(default_factory=dict)  # the last call, by host
    _first_smart: dict[tuple[str, str], int] = field(default_factory=dict)  # by host and serial number

    def take(self, seen: HostAlerts, now: float, *, but: Iterable[str] = ()) -> tuple[Alert, ...]:
        """What is to be told, worst first, given what holds on a host; findings with the ids `but` stay."""
        self.began = now if self.began is None else min(self.began, now)
        self._taken[seen.host] = now
        told: list[Alert] = []
        left_out = frozenset(but)
        for serial, at in seen.smart_at.items():
            self._first_smart.setdefault((seen.host, serial), at)
        for key in seen.silenced | seen.told_within:
            self.states.pop(key, None)  # it is not over, and is told within another one, or not at all
        for key, alert in seen.holding.items():
            if alert.id not in left_out:
                self._learn(key, alert, seen)
                told += self._holds(key, alert, now)
        for key in [each for each in self.states if each.host == seen.host and each not in seen.holding]:
            if self.states[key].alert.id not in left_out and self._is_known_gone(key, seen, now):
                told += self._is_gone(key, now)
        return tuple(
            sorted(told, key=lambda each: (-each.severity, each.phase is AlertPhase.OVER, _place(each)))
        )

    def due_at(self, host: str) -> float:
        """The earliest time at which `take` can tell something of a host if it is given the same again."""
        times = [self._due_at(each) for key, each in self.states.items() if key.host == host]
        taken = self._taken.get(host, inf)
        if self.began is not None and taken < (grace_ends := self.began + self.damping.grace_s):
            # What was due and not told waits for the end of the grace: it is not seen, nor known to be gone.
            times = [grace_ends, *(each if each > taken else grace_ends for each in times)]
        return min(times, default=inf)

    def acknowledge(self, keys: Iterable[AlertKey], now: float) -> None:
        """Tell nothing more of states that hold, but that they get worse or are over."""
        for key in keys:
            if key in self.states:
                self.states[key] = replace(self.states[key], acknowledged_at=now)

    def active(self) -> Iterator[DampedState]:
        """The states that were told and are not over, worst first."""
        told = [each for each in self.states.values() if each.told is not None]
        return iter(sorted(told, key=lambda each: (_place(each.alert), each.since)))

    def _due_at(self, known: DampedState) -> float:
        damping, hold_s = self.damping, self.damping.hold_s(known.alert)
        if known.gone_since is not None:
            if known.told is None:
                return known.gone_since + FLAPS_WITHIN_S
            return known.gone_since + (damping.clear_s if known.flapping_since is None else SETTLED_AFTER_S)
        if known.flapping_since is not None:
            return max(known.since, known.flapping_since) + SETTLED_AFTER_S
        if known.told is None:
            return known.since + hold_s
        if known.worse_since is not None:
            return known.worse_since + hold_s
        is_reminded = known.acknowledged_at is None and known.alert.severity is Severity.CRITICAL
        if is_reminded and damping.remind_s > 0 and known.told_at is not None:
            return known.told_at + damping.remind_s
        return inf

    def _is_known_gone(self, key: AlertKey, seen: HostAlerts, now: float) -> bool:
        """Whether what is not seen is gone, and not merely unknown."""
        if self.began is not None and now - self.began < self.damping.grace_s:
            return False
        if key.kind == LINK_LOST:
            return seen.is_known
        return seen.is_known and self.states[key].alert.pool not in seen.unknown_pools

    def _learn(self, key: AlertKey, alert: Alert, seen: HostAlerts) -> None:
        """Take for told what the first SMART data of a disk adds to a state that was told as bad."""
        known = self.states.get(key)
        if known is None or known.told is None or not known.is_holding or alert.severity > known.told:
            return
        first = tuple(
            each.id
            for each in seen.by_smart.get(key, ())
            if each.at == self._first_smart.get((seen.host, each.serial))
        )
        if not set(first) <= set(known.told_ids):
            self.states[key] = replace(known, told_ids=tuple(dict.fromkeys((*known.told_ids, *first))))

    def _holds(self, key: AlertKey, alert: Alert, now: float) -> Iterator[Alert]:
        known = self.states.get(key) or DampedState(alert, since=now)
        if known.gone_since is not None:
            returns = (*(each for each in known.returns if now - each < FLAPS_WITHIN_S), now)
            known = replace(known, gone_since=None, returns=returns)
            if known.told is None or known.flapping_since is not None:
                known = replace(known, since=now)
        known = replace(known, alert=replace(alert, at=known.since, since=known.since))
        if known.flapping_since is None and len(known.returns) >= FLAPS:
            yield from self._keep(key, replace(known, flapping_since=now), AlertPhase.FLAPPING, now)
            return
        if known.flapping_since is not None:
            if now - max(known.since, known.flapping_since) < SETTLED_AFTER_S:
                self.states[key] = known
                return
            known = replace(known, flapping_since=None, returns=(), told=None, told_ids=())
        yield from self._told_if_due(key, known, now)

    def _told_if_due(self, key: AlertKey, known: DampedState, now: float) -> Iterator[Alert]:
        alert, hold_s = known.alert, self.damping.hold_s(known.alert)
        if known.told is None:
            if now - known.since >= hold_s:
                yield from self._keep(key, known, AlertPhase.RAISED, now)
                return
        elif alert.severity > known.told or not {alert.id, *alert.others} <= set(known.told_ids):
            since = now if known.worse_since is None else known.worse_since
            known = replace(known, worse_since=since)
            if now - since >= hold_s:
                again = replace(known, worse_since=None, acknowledged_at=None)
                yield from self._keep(key, again, AlertPhase.WORSE, now)
                return
        else:
            known = replace(known, worse_since=None)
            if self._is_to_be_reminded(known, now):
                yield from self._keep(key, known, AlertPhase.REMINDER, now)
                return
        self.states[key] = known

    def _is_to_be_reminded(self, known: DampedState, now: float) -> bool:
        return (
            self.damping.remind_s > 0
            and known.alert.severity is Severity.CRITICAL
            and known.acknowledged_at is None
            and known.told_at is not None
            and now - known.told_at >= self.damping.remind_s
        )

    def _is_gone(self, key: AlertKey, now: float) -> Iterator[Alert]:
        known = self.states[key]
        gone = known if known.gone_since is not None else replace(known, gone_since=now)
        self.states[key] = gone
        gone_s = now - (gone.gone_since if gone.gone_since is not None else now)
        if known.told is None:
            if gone_s >= FLAPS_WITHIN_S:
                del self.states[key]
            return
        is_flapping = known.flapping_since is not None
        if gone_s >= (SETTLED_AFTER_S if is_flapping else self.damping.clear_s):
            returns = () if is_flapping else known.returns
            self.states[key] = DampedState(
                known.alert, known.since, gone_since=gone.gone_since, returns=returns
            )
            yield replace(known.alert, severity=known.told, at=now, phase=AlertPhase.OVER, since=known.since)

    def _keep(self, key: AlertKey, known: DampedState, phase: AlertPhase, now: float) -> Iterator[Alert]:
        ids = tuple(dict.fromkeys((*known.told_ids, known.alert.id, *known.alert.others)))
        severity = max(known.alert.severity, known.told or Severity.INFO)
        self.states[key] = replace(known, told=severity, told_at=now, told_ids=ids)
        yield replace(known.alert, at=now, phase=phase, since=known.since)


def with_acknowledged(
    states: Mapping[AlertKey, DampedState], acknowledged: Mapping[AlertKey, float]
) -> dict[AlertKey, DampedState]:
    """States with what was acknowledged elsewhere since they began."""
    return {
        key: replace(each, acknowledged_at=acknowledged[key])
        if key in acknowledged and acknowledged[key] >= (each.told_at or each.since)
        else each
        for key, each in states.items()
    }


def _place(alert: Alert) -> Place:
    return place_of(alert.severity, alert.id)
