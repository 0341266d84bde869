"""The engine runs sessions on a thread of its own and tells its readers what is new."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.doubles.machines import host_of
from tests.doubles.scripted_host import ScriptedHost
from zconsole.base.errors import HostKeyUnknown
from zconsole.collect.host_session import HostSession
from zconsole.model.host.host_state import HostState, LinkState
from zconsole.model.journal import Entry
from zconsole.service.collecting_thread import Engine
from zconsole.storage.crash_report import log_folder
from zconsole.storage.journal import Journal
from zconsole.storage.last_host_states import LastHostStates

PATIENCE_S = 20.0


class KeyedHost(ScriptedHost):
    """A host whose key can be accepted."""

    def __init__(self, other: ScriptedHost) -> None:
        super().__init__(other.label)
        self.__dict__.update(other.__dict__)
        self.accepted: list[str] = []

    async def accept_key(self, fingerprint: str) -> None:
        self.accepted.append(fingerprint)


def wait_for(engine: Engine, holds: Callable[[tuple[HostState, ...]], object]) -> tuple[HostState, ...]:
    """Wait on the engine's own word until its states are so."""
    told = threading.Event()
    leave = engine.subscribe(told.set)
    try:
        while not holds(engine.newest()):
            assert told.wait(PATIENCE_S)
            told.clear()
        return engine.newest()
    finally:
        leave()


def test_states_come_in_the_order_of_the_hosts_and_listeners_hear_from_another_thread() -> None:
    """Reading never blocks; the word comes from the collecting thread."""
    names: list[str] = []
    heard = threading.Event()

    def listen() -> None:
        names.append(threading.current_thread().name)
        heard.set()

    engine = Engine([host_of("2.4", "healthy-mirrors", label=label) for label in ("nas2", "nas1")])
    engine.subscribe(listen)
    engine.start()
    try:
        states = wait_for(engine, lambda states: all(state.pools for state in states))
        assert heard.wait(PATIENCE_S)
    finally:
        engine.stop()

    assert ["nas2", "nas1"] == [state.host for state in states]
    assert {"zconsole-collect"} == set(names)


def test_who_left_hears_nothing_more() -> None:
    """Unsubscribing is final, and does not disturb the others."""
    gone, here = threading.Event(), threading.Event()
    engine = Engine([host_of("2.4", "healthy-mirrors")])
    leave = engine.subscribe(gone.set)
    engine.subscribe(here.set)
    leave()
    engine.start()
    try:
        assert here.wait(PATIENCE_S)
    finally:
        engine.stop()

    assert not gone.is_set()


def test_stopping_closes_every_host_and_the_thread_ends() -> None:
    """Nothing is left behind."""
    host = host_of("2.4", "healthy-mirrors")
    engine = Engine([host])
    engine.start()
    wait_for(engine, lambda states: states[0].pools)

    engine.stop()

    assert 1 == host.closes
    assert not [thread for thread in threading.enumerate() if thread.name == "zconsole-collect"]


def test_an_accepted_key_reaches_its_host_and_the_connection_is_made() -> None:
    """Only the host that was meant gets the fingerprint."""
    host = KeyedHost(host_of("2.4", "healthy-mirrors"))
    host.connect_errors = [HostKeyUnknown("nas1", "SHA256:abc", hint="")]
    engine = Engine([host])
    engine.start()
    try:
        wait_for(engine, lambda states: states[0].link.fingerprint)

        engine.accept_host_key("nas1", "SHA256:abc")

        wait_for(engine, lambda states: states[0].link.state is LinkState.UP)
        assert ["SHA256:abc"] == host.accepted
    finally:
        engine.stop()


def test_a_fault_of_ours_in_one_session_leaves_the_others_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broken one says so on its place on the screen; the other host goes on."""
    run = HostSession.run

    async def break_nas2(self: HostSession) -> None:
        if self.host.label == "nas2":
            async with asyncio.TaskGroup():
                raise RuntimeError("a bug")
        await run(self)

    monkeypatch.setattr(HostSession, "run", break_nas2)
    engine = Engine([host_of("2.4", "healthy-mirrors", label=label) for label in ("nas1", "nas2")])
    engine.start()
    try:
        states = wait_for(engine, lambda s: s[0].pools and s[1].link.state is LinkState.REFUSED)

        assert LinkState.UP is states[0].link.state
        assert "zconsole itself failed here: RuntimeError: a bug" == states[1].link.reason
        (report,) = log_folder().glob("crash-*.log")
        assert str(report) in states[1].link.hint
        assert "in break_nas2" in report.read_text()
    finally:
        engine.stop()


def test_what_was_left_unknown_is_looked_for_each_time_that_the_host_is_there_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = threading.Semaphore(0)

    def unsettled(_: Journal) -> tuple[Entry, ...]:
        looked.release()
        return ()

    monkeypatch.setattr(Journal, "unsettled", unsettled)
    host = host_of("2.4", "healthy-mirrors")
    engine = Engine([host])
    engine.start()
    try:
        assert looked.acquire(timeout=PATIENCE_S)
        wait_for(engine, lambda states: states[0].pools)

        engine._calls.soon(host.cut)
        wait_for(engine, lambda states: states[0].link.state is LinkState.DOWN)
        engine.refresh(host.label)

        assert looked.acquire(timeout=PATIENCE_S)
    finally:
        engine.stop()


def test_nothing_is_asked_of_a_host_before_the_first_frame_and_no_wish_is_lost(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wanted: list[bool] = []
    monkeypatch.setattr(HostSession, "want_disks", lambda _, *, is_wanted: wanted.append(is_wanted))
    host = host_of("2.4", "healthy-mirrors")
    engine = Engine([host])
    engine.start(behind_first_frame=True)
    try:
        engine.want_disks(host.label, is_wanted=True)
        engine.refresh()
        assert LinkState.CONNECTING is engine.newest()[0].link.state
        assert [] == list(host.commands)
        engine.begin()
        (state,) = wait_for(engine, lambda states: states[0].pools and wanted)
    finally:
        engine.stop()

    assert state.pools
    assert [True] == wanted


def test_who_leaves_before_the_first_frame_does_not_wait() -> None:
    engine = Engine([host_of("2.4", "healthy-mirrors")])
    engine.start(behind_first_frame=True)

    assert () == engine.stop()

    assert engine._thread is not None
    assert not engine._thread.is_alive()


def test_pools_of_the_last_console_are_shown_until_the_host_answers(tmp_path: Path) -> None:
    def engine_of_now() -> Engine:
        host = host_of("2.4", "healthy-mirrors")
        return Engine([host], last_states=lambda: LastHostStates(tmp_path / "last"))

    first = engine_of_now()
    first.recall()
    first.start()
    wait_for(first, lambda states: states[0].pools and all(of.pool.value for of in states[0].pools))
    first.stop()

    second = engine_of_now()
    second.recall()
    (recalled,) = second.newest()
    assert [of.name for of in first.newest()[0].pools] == [of.name for of in recalled.pools]
    assert recalled.recalled_at is not None
    assert recalled.pools_at is None
    assert LinkState.CONNECTING is recalled.link.state

    second.start()
    try:
        (live,) = wait_for(second, lambda states: states[0].pools_at is not None)
    finally:
        second.stop()
    assert live.recalled_at is None


def test_an_engine_without_a_console_keeps_no_state(tmp_path: Path) -> None:
    engine = Engine(
        [host_of("2.4", "healthy-mirrors")], last_states=lambda: LastHostStates(tmp_path / "last")
    )
    engine.start()
    wait_for(engine, lambda states: states[0].pools and all(of.pool.value for of in states[0].pools))
    engine.stop()

    assert not (tmp_path / "last").exists()
