"""Calls on findings, links, scans and runs: a line that stays, the title, a list, and what was missed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.ui import states
from tests.ui.frames import frame, make_app, source_of
from zconsole.analysis.alerts.damping import DampedState
from zconsole.analysis.vdevs.disk_identity_and_links import disk_identity
from zconsole.model.alert import AlertPhase
from zconsole.model.finding import Severity
from zconsole.model.host.host_state import HostState, LinkState, LinkStatus, Reading
from zconsole.storage.alerts.alert_store import AlertStore
from zconsole.ui.alert_calls import WATCHER
from zconsole.ui.app import ZConsoleApp
from zconsole.ui.screens.alerts import AlertsScreen
from zconsole.ui.screens.pool import PoolScreen
from zconsole.ui.terminal.bell_and_title import BELL, BRING_BACK_TITLE, Attention
from zconsole.views.layout.styled_text import plain

SIZE = (80, 24)


def see(app: ZConsoleApp, state: HostState, seconds: float) -> None:
    """The console has a state so many seconds after its start, and looks at it."""
    source_of(app).replace(state, now=states.NOW + seconds, monotonic=states.TICKS + seconds)
    app.alerts.tick(app.view())


def with_data_errors(number: int) -> HostState:
    """The sound host, of which ZFS has found so many data errors."""
    healthy = states.healthy()
    pools = tuple(
        replace(each, pool=replace(each.pool, value=replace(each.pool.value, error_count=number)))
        if each.name == "tank" and each.pool.value is not None
        else each
        for each in healthy.pools
    )
    return replace(healthy, pools=pools)


def lost(state: HostState) -> HostState:
    return replace(state, link=LinkStatus(LinkState.DOWN, "no route to host"))


async def test_what_holds_when_the_console_is_opened_calls_nobody() -> None:
    app = make_app(states.degraded())
    async with app.run_test(size=SIZE) as pilot:
        for at in range(20):
            see(app, states.degraded(), at)
        await pilot.press("exclamation_mark")

        assert () == app.alerts.calls
        assert "Nothing new since this console was opened" in frame(app)


def with_smart(read_s: float | None, *sound: str) -> HostState:
    """The host with a failed disk; its SMART data read then, in which the disks `sound` have no trouble."""
    state = states.with_disks()
    records = state.smart.value or ()
    good = next(each for each in records if each.known is not None and not each.known.pending)
    read = tuple(
        replace(
            each if each.disk[-1] not in sound else replace(good, disk=each.disk),
            at=states.NOW + (read_s or 0),
            known_at=states.NOW + (read_s or 0),
        )
        for each in records
    )
    return replace(state, smart=Reading(read if read_s is not None else None, states.TICKS))


def _wwn_of(serial: str) -> str:
    """The identity of a disk that has SMART data, in its last part."""
    inventory = states.with_disks().inventory.value
    assert inventory is not None
    return disk_identity(next(each for each in inventory.disks if each.serial == serial))[-1]


async def test_what_a_first_look_adds_to_a_known_finding_calls_nobody() -> None:
    app = make_app(with_smart(None))
    async with app.run_test(size=SIZE):
        see(app, with_smart(None), 0)
        for at in range(1, 20):
            see(app, with_smart(5), at)

        assert any("24 pending" in each.words for each in app.view().hosts[0].findings)
        assert () == app.alerts.calls


async def test_what_a_later_look_adds_to_a_known_finding_is_called_for() -> None:
    failed = _wwn_of("ZL2F0A91")
    app = make_app(with_smart(None))
    async with app.run_test(size=SIZE):
        see(app, with_smart(None), 0)
        for at in range(1, 20):
            see(app, with_smart(5, failed), at)
        assert () == app.alerts.calls
        for at in range(20, 40):
            see(app, with_smart(20), at)

        (call,) = app.alerts.calls
        assert "24 pending" in call.words
        assert AlertPhase.WORSE is call.phase


async def test_the_line_has_the_numbers_of_now_and_the_list_those_of_the_call() -> None:
    app = make_app(states.healthy())
    async with app.run_test(size=(160, 50)):
        see(app, states.healthy(), 0)
        for at in range(1, 20):
            see(app, with_data_errors(2), at)
        assert "tank: 2 permanent data errors" in plain(app.alerts.line("pools"))

        see(app, with_data_errors(5), 21)
        assert "tank: 5 permanent data errors" in plain(app.alerts.line("pools"))
        assert any("tank: 2 permanent data errors" in call.words for call in app.alerts.calls)

        see(app, states.healthy(), 22)
        for at in range(23, 40):
            see(app, states.healthy(), at)
        assert "ended: tank: 5 permanent data errors" in " ".join(call.words for call in app.alerts.calls)


async def test_new_findings_stay_on_a_line_until_the_list_was_worked_off() -> None:
    app = make_app(states.healthy())
    async with app.run_test(size=SIZE) as pilot:
        see(app, states.healthy(), 0)
        for at in range(1, 20):
            see(app, states.degraded(), at)
        await pilot.pause()
        told = {call.id: call for call in app.alerts.calls}
        assert "DEGRADED" in told["vdev-no-redundancy"].words
        assert "! bulk: " in frame(app)

        await pilot.press("enter")
        assert "! bulk: " in frame(app), "on every screen"
        await pilot.press("exclamation_mark")
        assert isinstance(app.screen, AlertsScreen)
        assert "WHEN" in frame(app)
        await pilot.press("Z")
        assert all(call.is_seen for call in app.alerts.calls)
        await pilot.press("escape")
        assert "! bulk: " not in frame(app)


async def test_enter_goes_to_the_pool_of_the_alert_and_acknowledges_it() -> None:
    app = make_app(states.healthy())
    async with app.run_test(size=SIZE) as pilot:
        see(app, states.healthy(), 0)
        for at in range(1, 20):
            see(app, states.degraded(), at)
        await pilot.press("exclamation_mark", "enter")
        await pilot.pause()

        assert isinstance(app.screen, PoolScreen)
        assert 1 == sum(call.is_seen for call in app.alerts.calls)


async def test_a_lost_link_is_called_for_when_it_stays_lost_and_when_it_is_back() -> None:
    app, state = make_app(states.healthy()), states.healthy()
    async with app.run_test(size=SIZE) as pilot:
        see(app, state, 0)
        for at in range(1, 9):
            see(app, lost(state), at)
        assert () == app.alerts.calls, "a moment is none"
        for at in range(9, 14):
            see(app, lost(state), at)
        for at in range(14, 40):
            see(app, state, at)
        await pilot.pause()

        assert [AlertPhase.RAISED, AlertPhase.OVER] == [call.phase for call in app.alerts.calls]
        assert "the link is lost: no route to host" == app.alerts.calls[0].words
        assert "ended: the link is lost" in frame(app)


async def test_what_happened_while_the_terminal_was_elsewhere_is_summed_up() -> None:
    app = make_app(states.healthy())
    async with app.run_test(size=SIZE) as pilot:
        see(app, states.healthy(), 0)
        app.alerts.went_away(states.NOW + 1)
        for at in range(2, 200):
            see(app, states.degraded(), at)
        app.alerts.came_back(states.NOW + 200)
        await pilot.pause()

        assert "! while you were away (3m19s): " in frame(app)
        await pilot.press("exclamation_mark", "Z", "escape")
        assert "while you were away" not in frame(app)


async def test_a_stop_of_the_program_counts_as_away() -> None:
    app = make_app(states.healthy())
    async with app.run_test(size=SIZE) as pilot:
        app.alerts.real_time = app.states.now
        see(app, states.healthy(), 0)
        for at in range(7200, 7220):
            see(app, states.degraded(), at)
        await pilot.pause()

        assert "! while you were away (2h): " in frame(app)


async def test_a_practice_host_whose_time_goes_faster_is_no_absence() -> None:
    """At --speed 20 three seconds with a briefing in front are a minute of the practice host."""
    app = make_app(states.healthy())
    async with app.run_test(size=SIZE) as pilot:
        app.alerts.real_time = lambda: app.states.now() / 20
        see(app, states.healthy(), 0)
        for at in range(60, 80):
            see(app, states.degraded(), at)
        await pilot.pause()

        assert "! bulk: " in frame(app)
        assert "while you were away" not in frame(app)


async def test_the_title_has_the_worst_state_from_the_first_reading_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a row of tabs; bell, notification and line are for what is new."""
    sent: list[str] = []
    app = make_app(states.degraded())
    attention = Attention(sent.append, "xterm-256color", notification="osc9")
    monkeypatch.setattr(app, "attention", lambda: attention)
    async with app.run_test(size=SIZE) as pilot:
        for at in range(20):
            see(app, states.degraded(), at)
        await pilot.pause()
        titles = [each for each in sent if each.startswith("\x1b]2;")]

        assert 1 == len(titles)
        assert titles[0].startswith("\x1b]2;CRITICAL zconsole storage1 bulk: no redundancy left")
        assert BELL not in sent
        assert not [each for each in sent if each.startswith("\x1b]9;")]
        assert "! bulk" not in frame(app)

        for at in range(20, 60):
            see(app, states.healthy(), at)
        await pilot.press("exclamation_mark", "Z")
        assert BRING_BACK_TITLE == sent[-1], "nothing is wrong"


async def test_at_the_next_start_what_is_new_is_told_and_what_was_known_is_not(tmp_path: Path) -> None:
    store = AlertStore(tmp_path / "alerts.sqlite")
    first = make_app(states.healthy(), open_alerts=partial(AlertStore, store.path))
    async with first.run_test(size=SIZE) as pilot:
        first.alerts.tick(first.view())
        await first.workers.wait_for_complete()
        see(first, states.healthy(), 0)
        await pilot.pause()
    assert store.looked(WATCHER) is not None

    for is_known in (False, True):
        second = make_app(states.degraded(), open_alerts=partial(AlertStore, store.path))
        async with second.run_test(size=SIZE) as pilot:
            second.alerts.tick(second.view())
            await second.workers.wait_for_complete()
            see(second, states.degraded(), 600)
            await second.workers.wait_for_complete()
            await pilot.pause()
            shown = frame(second)
        fresh = [call for call in second.alerts.calls if not call.is_from_before]
        assert bool(fresh) is not is_known
        assert ("! while you were away (10m): " in shown) is not is_known
    assert [call for call in second.alerts.calls if call.is_from_before]


async def test_an_acknowledgement_reaches_the_watch(tmp_path: Path) -> None:
    store = AlertStore(tmp_path / "alerts.sqlite")
    app = make_app(states.healthy(), open_alerts=partial(AlertStore, store.path))
    async with app.run_test(size=SIZE) as pilot:
        app.alerts.tick(app.view())
        await app.workers.wait_for_complete()
        see(app, states.healthy(), 0)
        for at in range(1, 20):
            see(app, states.degraded(), at)
        await pilot.press("exclamation_mark", "z")
        await app.workers.wait_for_complete()

        keys = {call.key for call in app.alerts.calls if call.is_seen}
        assert keys == store.acknowledged().keys()
        assert isinstance(next(iter(app.alerts._damper.states.values())), DampedState)
        assert max(call.severity for call in app.alerts.calls) >= Severity.WARNING
