"""Calls for the user: new findings, lost links, ends of scans and runs, and steps of repairs.

Each rings the bell, and stays on a line until the user has seen it on the Alerts screen; the terminal's title
has the worst of them and of the states that hold. What happened while the terminal was elsewhere, or no
console was open, is summed up.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import replace
from functools import cached_property, partial
from time import time
from typing import TYPE_CHECKING, Final, Protocol

from zconsole.analysis.alerts.damping import DampedState, Damper, Damping
from zconsole.analysis.alerts.states_and_events_of_host import (
    RUN_ENDED,
    SCAN_FINISHED,
    events_between,
    scan_end_alert,
    states_of,
)
from zconsole.base.errors import ZConsoleError
from zconsole.model.alert import Alert, AlertKey, AlertPhase
from zconsole.model.finding import Finding, Severity, place_of
from zconsole.model.host.host_state import HostState, LinkState
from zconsole.views.alerts.console_calls import (
    REPAIR,
    ConsoleCall,
    call_of,
    line_of_absence,
    line_of_calls,
    seen_by_a_later_end,
    title_of_calls,
)
from zconsole.views.layout.screen_key_registry import is_in
from zconsole.views.layout.styled_text import Line

if TYPE_CHECKING:
    from zconsole.storage.alerts.alert_store import AlertStore
    from zconsole.ui.screens_by_name import FrontScreen
    from zconsole.ui.terminal.bell_and_title import Attention
    from zconsole.views.host_states_with_findings import HostView, View
    from zconsole.views.repair.news_between_two_readings import RepairNews

WATCHER: Final = "console"
DAMPING: Final = Damping(hold_warning_s=5.0, hold_link_s=10.0, clear_s=10.0, remind_s=0.0)
MOST_CALLS: Final = 500
SAME_END_S: Final = 30.0  # a resilver whose end the repair has told already
ABSENT_AFTER_S: Final = 30.0  # without a tick: the program was stopped, or the machine slept


class AlertedApp(Protocol):
    """App as seen by the calls."""

    def view(self) -> View:
        """The newest states with findings."""

    def front(self) -> FrontScreen | None:
        """The screen in front, or below the dialogs in front."""

    def attention(self) -> Attention | None:
        """Bell, title and notifications of the terminal, where there is one."""

    def in_background(self, work: Coroutine[object, object, None]) -> None:
        """Do something that takes a while."""

    def has_dialog(self) -> bool:
        """Whether a dialog is in front."""


class AlertCalls:
    """All calls of this console, and of those before it, oldest first."""

    def __init__(self, app: AlertedApp, open_store: Callable[[], AlertStore] | None) -> None:
        """`open_store` opens what keeps what was told, for the next start; None keeps nothing."""
        self._app = app
        self._open_store = open_store
        self.calls: tuple[ConsoleCall, ...] = ()
        self._damper = Damper(DAMPING)
        self._before: dict[str, HostState] = {}
        self._judged: dict[str, tuple[object, ...]] = {}
        self._is_read = open_store is None
        self._is_reading = False
        self._left_at: float | None = None  # epoch seconds of the last look, of an earlier console
        self.real_time: Callable[[], float] = time  # the time of a practice host may go faster
        self._ticked_at: tuple[float, float] | None = None
        self._away_since: float | None = None
        self._absence: tuple[float, float] | None = None

    # What is shown

    def line(self, place: str, told: Sequence[str] = ()) -> Line:
        """The line that stays, on a screen whose details say `told`; empty for none."""
        if self._absence is not None and not self._waits_for_repair():
            missed = line_of_absence(self.calls, *self._absence, told)
            if missed:
                return missed
        many = len(self._app.view().hosts) > 1
        now_true = tuple(map(self._in_newest_words, self.calls))
        has_key = is_in(place, "repair")
        return line_of_calls(now_true, are_many_hosts=many, has_repair_key=has_key, told=told)

    def _in_newest_words(self, call: ConsoleCall) -> ConsoleCall:
        """A call for a state that still holds with its numbers of now, as the lists of findings have them."""
        known = self._damper.states.get(call.key) if call.key is not None and not call.is_seen else None
        if known is None or not known.is_holding or call.phase is AlertPhase.OVER:
            return call
        return replace(call, words=call_of(replace(known.alert, phase=call.phase), call.number).words)

    def _waits_for_repair(self) -> bool:
        """Whether a repair has a next step that nobody has seen: its line comes before what was missed."""
        return any(each.is_of_repair and not each.is_seen for each in self.calls)

    def look(self) -> None:
        """The user looks at the list: all calls are seen, but for those of repairs."""
        self._see(lambda call: not call.is_of_repair)

    def see_repair(self, host: str, pool: str) -> None:
        """The user looks at the repair of a pool."""
        self._see(lambda call: call.is_of_repair and (call.host, call.pool) == (host, pool))

    def acknowledge(self, numbers: Sequence[int]) -> int:
        """Mark calls as seen, for `zconsole watch` too; how many states that were."""
        wanted = frozenset(numbers)
        keys = [each.key for each in self.calls if each.number in wanted and each.key is not None]
        self._see(lambda call: call.number in wanted)
        self.acknowledge_held(keys)
        return len(keys)

    def acknowledge_held(self, keys: Sequence[AlertKey]) -> None:
        """Acknowledge states that hold, called for or not, for `zconsole watch` too."""
        now = self._app.view().now
        self._damper.acknowledge(keys, now)
        if self._store is not None and keys:
            self._app.in_background(self._in_thread(partial(self._store.acknowledge, keys, now)))

    def _see(self, wanted: Callable[[ConsoleCall], bool]) -> None:
        calls = tuple(
            replace(each, is_seen=True) if not each.is_seen and wanted(each) else each for each in self.calls
        )
        if calls == self.calls:
            return
        self.calls = calls
        if all(each.is_seen for each in calls):
            self._absence = None
        self._show_title()

    def _show_title(self) -> None:
        attention = self._app.attention()
        if attention is None:
            return
        title = title_of_calls(self.calls, self._holding())
        if title:
            attention.title(title)
        else:
            attention.settle()

    def _holding(self) -> list[Alert]:
        """The states that hold on the hosts that were read, told or there from the start, worst first."""
        states = [
            each.alert
            for key, each in self._damper.states.items()
            if each.is_holding and each.told is not None and key.host in self._before
        ]
        return sorted(states, key=lambda each: place_of(each.severity, each.id))

    def not_called_for(self) -> tuple[ConsoleCall, ...]:
        """The states that hold and are in no call of the list, worst first; their number is 0."""
        called = frozenset(each.key for each in self.calls)
        held = [each for each in self._holding() if each.severity > Severity.INFO and each.key not in called]
        return tuple(replace(call_of(each, 0), is_seen=self._is_acknowledged(each.key)) for each in held)

    def _is_acknowledged(self, key: AlertKey) -> bool:
        known = self._damper.states.get(key)
        return known is not None and known.acknowledged_at is not None

    # What is called for

    def call_for_repair(self, news: RepairNews, now: float) -> None:
        """Call the user for the next step of a repair."""
        severity = {"bad": Severity.CRITICAL, "warn": Severity.WARNING}.get(news.style, Severity.INFO)
        about = (news.host, news.pool)
        self.calls = tuple(  # the newest says what is next
            replace(each, is_seen=True) if each.is_of_repair and (each.host, each.pool) == about else each
            for each in self.calls
        )
        self._add(ConsoleCall(0, now, *about, news.words, news.style, severity, REPAIR))
        self._ring()

    def tick(self, view: View) -> None:
        """Look at the newest states, each second."""
        if not self._is_read:
            self._read()
            return
        real = self.real_time()
        if self._ticked_at is not None and min(view.now - self._ticked_at[0], real - self._ticked_at[1]) >= (
            ABSENT_AFTER_S
        ):
            self._absence = (self._ticked_at[0], view.now)
        self._ticked_at = (view.now, real)
        told = [alert for host in view.hosts for alert in self._of_host(host, view.now)]
        fresh = [self._as_call(each) for each in told]
        for alert, call in zip(told, fresh, strict=True):
            self.calls = seen_by_a_later_end(self.calls, alert)
            self._add(call)
        if any(not each.is_seen for each in fresh):
            self._ring()
        else:
            self._show_title()
        if told:
            self._keep(told, view.now)

    def went_away(self, now: float) -> None:
        """The terminal is not in front any more, as far as it tells."""
        attention = self._app.attention()
        if attention is not None:
            attention.has_focus = False
        self._away_since = now
        self._absence = None

    def came_back(self, now: float) -> None:
        """The terminal is in front again."""
        attention = self._app.attention()
        if attention is not None:
            attention.has_focus = True
        if self._away_since is not None:
            self._absence = (self._away_since, now)
            self._away_since = None
            self._redraw()

    def _of_host(self, host: HostView, now: float) -> tuple[Alert, ...]:
        state, before = host.state, self._before.get(host.state.host)
        if before is None:
            if state.link.state is LinkState.CONNECTING or (
                state.link.state is LinkState.UP and not _is_read_whole(state)
            ):
                return ()
            self._before[state.host] = state
            return self._at_the_start(host, now)
        facts = (state.link, host.findings, host.silenced, state.pools_problem)
        told: list[Alert] = []
        if facts != self._judged.get(state.host) or now >= self._damper.due_at(state.host):
            self._judged[state.host] = facts
            quiet = [each.finding for each in host.silenced]
            seen = states_of(state, host.findings, now, _no_advice, quiet)
            self._see(lambda call: call.key in seen.silenced | seen.told_within)
            told += self._damper.take(seen, now)
        if state is not before:
            self._before[state.host] = state
            told += events_between(before, state, now)
        return tuple(told)

    def _at_the_start(self, host: HostView, now: float) -> tuple[Alert, ...]:
        """States that hold when the console is opened are seen on the screen, and are not called for.

        But those are that another console did not know when it was left.
        """
        state = host.state
        seen = states_of(state, host.findings, now, _no_advice)
        told: list[Alert] = []
        for key, alert in seen.holding.items():
            known = self._damper.states.get(key)
            ids = (alert.id, *alert.others)
            if self._left_at is not None and not _is_told(known, alert):
                told.append(replace(alert, at=now, since=None))
            since = known.since if known is not None else now
            self._damper.states[key] = DampedState(alert, since, alert.severity, now, ids)
        for key in [each for each in self._damper.states if each.host == state.host]:
            if key not in seen.holding and seen.is_known:
                del self._damper.states[key]
        told += self._scans_ended_since_left(state, now)
        if told and self._left_at is not None:
            self._absence = (self._left_at, now)
        return tuple(told)

    def _scans_ended_since_left(self, state: HostState, now: float) -> Iterator[Alert]:
        left_at = self._left_at
        for of in state.pools if left_at is not None else ():
            scan = of.pool.value.scan if of.pool.value is not None else None
            if scan is not None and scan.state == "finished" and (scan.end or 0) > (left_at or 0):
                yield scan_end_alert(state.host, of.name, scan, now)

    def _as_call(self, alert: Alert) -> ConsoleCall:
        """The call; it is seen already where the user has just been told otherwise."""
        call = call_of(alert, 0)
        is_told = alert.id == SCAN_FINISHED and any(
            each.is_of_repair
            and (each.host, each.pool) == (call.host, call.pool)
            and call.at - each.at < SAME_END_S
            for each in self.calls
        )
        attention = self._app.attention()
        is_watched = (
            alert.id == RUN_ENDED
            and self._app.has_dialog()
            and not (attention is not None and attention.has_focus is False)
        )
        return replace(call, is_seen=is_told or is_watched)

    def _add(self, call: ConsoleCall) -> None:
        """Add a call; an earlier one on the same state counts as seen."""
        number = self.calls[-1].number + 1 if self.calls else 1
        calls = (
            replace(each, is_seen=True) if call.key is not None and each.key == call.key else each
            for each in self.calls
        )
        self.calls = (*calls, replace(call, number=number))[-MOST_CALLS:]

    def _ring(self) -> None:
        attention = self._app.attention()
        if attention is not None:
            title = title_of_calls(self.calls, self._holding())
            attention.call(title, notification=title_of_calls(self.calls))
        self._redraw()

    def _redraw(self) -> None:
        front = self._app.front()
        if front is not None:
            front.show(self._app.view())

    # What is kept for the next start

    @cached_property
    def _store(self) -> AlertStore | None:
        """What is kept; opened behind the first frame."""
        return None if self._open_store is None else self._open_store()

    def leave(self, now: float) -> None:
        """The console ends: what holds now is known to its user."""
        if self._store is None or not self._is_read:
            return
        try:
            self._store.keep(WATCHER, self._damper.states, (), {}, now)
            self._store.look(WATCHER, now)
        except ZConsoleError:
            return  # the next start tells of more than was new

    def _read(self) -> None:
        if not self._is_reading:
            self._is_reading = True
            self._app.in_background(self._learn())

    async def _learn(self) -> None:
        store = self._store
        assert store is not None  # noqa: S101  # nothing is read without one
        try:
            states, logged, left_at = await asyncio.to_thread(
                lambda: (store.states(WATCHER), store.logged(WATCHER), store.looked(WATCHER))
            )
        except ZConsoleError as error:
            self._complain(error)
        else:
            self._damper.states = states
            self._left_at = left_at
            calls = (call_of(each, at) for at, each in enumerate(logged[-MOST_CALLS:], start=1))
            before = [replace(each, is_seen=True, is_from_before=True) for each in calls]
            own = [replace(each, number=len(before) + at) for at, each in enumerate(self.calls, start=1)]
            self.calls = (*before, *own)
        self._is_read = True

    def _keep(self, told: Sequence[Alert], now: float) -> None:
        if self._store is not None:
            states = dict(self._damper.states)
            self._app.in_background(
                self._in_thread(partial(self._store.keep, WATCHER, states, tuple(told), {}, now))
            )

    async def _in_thread(self, work: partial[None]) -> None:
        try:
            await asyncio.to_thread(work)
        except ZConsoleError as error:
            self._complain(error)

    def _complain(self, error: ZConsoleError) -> None:
        front = self._app.front()
        if front is not None:
            front.say(f"alerts are not kept: {error.message}", "warn")


def _is_read_whole(state: HostState) -> bool:
    """Whether each pool was read, or cannot be: findings before that are not all."""
    return state.pools_at is not None and all(
        each.pool.value is not None or each.pool.problem or each.kstat_state == "SUSPENDED"
        for each in state.pools
    )


def _is_told(known: DampedState | None, alert: Alert) -> bool:
    """Whether an earlier console told this of a state, or worse."""
    if known is None or known.told is None or alert.severity > known.told:
        return False
    return {alert.id, *alert.others} <= set(known.told_ids)


def _no_advice(_finding: Finding) -> str:
    return ""
