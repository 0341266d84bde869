"""What a screen can ask of the engine: plans, runs, datasets, what was run, and what is forbidden."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from tests.service.test_collecting_thread import PATIENCE_S, wait_for
from zconsole.actions.intent import intent
from zconsole.base.errors import HostError, UsageError
from zconsole.base.user_config_file import Config, HostConfig
from zconsole.hosts.host import Effect
from zconsole.model.forecast import Forecast, Trend
from zconsole.model.host.host_state import LinkState
from zconsole.model.journal import Entry
from zconsole.model.run import RunState
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.service.collecting_thread import Engine
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal, JournalError, journal_path

HOLD = intent("hold", "tank/home@a", "keep")


@pytest.fixture
def engine() -> Iterator[Engine]:
    worlds = [create_world("mirror 0 1", disks=2, seed=seed) for seed in (1, 2)]
    for world in worlds:
        for line in ("zfs create tank/home", "zfs snapshot tank/home@a"):
            answer(world, line.split())
    config = Config((HostConfig("nas2", "nas2", is_production=True, protected=("tank/*",)),))
    hosts = [PracticeHost(label, world=world) for label, world in zip(("nas1", "nas2"), worlds, strict=True)]
    engine = Engine(hosts, config=config)
    engine.start()
    wait_for(engine, lambda states: all(state.pools for state in states))
    yield engine
    engine.stop()


def test_a_plan_is_prepared_and_carried_out_on_the_other_thread(engine: Engine) -> None:
    plan = engine.service.operations.prepare("nas1", HOLD).result(PATIENCE_S)

    run = engine.service.operations.execute("nas1", plan, "", {}).result(PATIENCE_S)

    assert RunState.DONE is run.state
    states = wait_for(engine, lambda states: states[0].runs)
    assert (run,) == states[0].runs
    assert () == states[1].runs
    assert [run.id] == [entry.id for entry in Journal(journal_path()).entries()]


def test_what_acts_is_loaded_in_no_thread_that_others_wait_for(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither screens nor samples stand still when a cursor rests on a dataset for the first time."""
    makers: list[str] = []

    class Noted(Operator):
        def __init__(self, *hosts: Any, **parts: Any) -> None:
            makers.append(threading.current_thread().name)
            super().__init__(*hosts, **parts)

    monkeypatch.setattr("zconsole.service.prepare_execute_and_recover_plans.Operator", Noted)

    asked = [engine.service.queries.dataset_details("nas1", "tank/home", None) for _ in range(3)]

    assert ["tank/home"] * 3 == [each.result(PATIENCE_S).name for each in asked]
    assert 1 == len(makers)
    assert not {threading.current_thread().name, "zconsole-collect"} & {*makers}


def test_the_journal_is_read_off_the_thread_that_asks_and_off_the_one_that_collects(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that hangs holds up neither the screens nor the hosts."""
    engine.service.operations.execute(
        "nas1", engine.service.operations.prepare("nas1", HOLD).result(PATIENCE_S), "", {}
    ).result(PATIENCE_S)
    disk_answers = threading.Event()
    readers: list[str] = []
    entries = Journal.entries

    def slowly(journal: Journal) -> tuple[Entry, ...]:
        readers.append(threading.current_thread().name)
        assert disk_answers.wait(PATIENCE_S)
        return entries(journal)

    monkeypatch.setattr(Journal, "entries", slowly)

    journal = engine.service.queries.journal()
    refused = engine.service.operations.prepare("nas1", HOLD).result(PATIENCE_S)
    is_waiting = not journal.done()
    disk_answers.set()

    assert is_waiting
    assert refused.is_refused
    assert ["hold"] == [entry.action for entry in journal.result(PATIENCE_S)]
    assert threading.current_thread().name not in readers
    assert "zconsole-collect" not in readers


@pytest.fixture
def damaged_journal() -> None:
    """A journal that is no database, there before the engine begins."""
    journal_path().parent.mkdir(parents=True, exist_ok=True)
    journal_path().write_bytes(b"no database" * 100)


def test_a_journal_that_cannot_be_read_is_an_error_of_its_own(damaged_journal: None, engine: Engine) -> None:
    error = engine.service.queries.journal().exception(PATIENCE_S)

    assert isinstance(error, JournalError)
    assert "cannot be read" in str(error)


def test_words_that_make_no_sense_come_back_as_what_they_are(engine: Engine) -> None:
    with pytest.raises(UsageError, match="there is no dataset 'tank/nowhere@a'"):
        engine.service.operations.prepare("nas1", intent("hold", "tank/nowhere@a", "keep")).result(PATIENCE_S)
    with pytest.raises(UsageError, match="there is no host 'nas9'"):
        engine.service.operations.prepare("nas9", HOLD).result(PATIENCE_S)


def test_the_commands_that_ran_can_be_read(engine: Engine) -> None:
    plan = engine.service.operations.prepare("nas1", HOLD).result(PATIENCE_S)
    engine.service.operations.execute("nas1", plan, "", {}).result(PATIENCE_S)

    ran = engine.service.queries.commands("nas1")

    assert [("zfs", "hold", "keep", "tank/home@a")] == [
        each.argv for each in ran if each.effect is Effect.CHANGE
    ]
    assert any(each.argv[:2] == ("zpool", "status") for each in ran)
    assert not any(each.effect is Effect.CHANGE for each in engine.service.queries.commands("nas2"))
    assert () == engine.service.queries.commands("nas9")


def test_a_production_host_is_read_only_until_it_is_unlocked(engine: Engine) -> None:
    refused = engine.service.operations.prepare("nas2", HOLD).result(PATIENCE_S)

    until = engine.service.operations.unlock("nas2")

    assert "read-only" in {each.rule for each in refused.refusals}
    assert until > engine.now()
    assert not engine.service.operations.prepare("nas2", HOLD).result(PATIENCE_S).is_refused
    assert ("tank/*",) == engine.service.operations.policy("nas2").protected
    assert () == engine.service.operations.policy("nas1").protected


def test_datasets_are_read_while_somebody_looks_at_them_and_after_events(engine: Engine) -> None:
    assert engine.newest()[0].pools[0].datasets.value is None

    engine.want_datasets("nas1", "tank", is_wanted=True)

    states = wait_for(engine, lambda states: states[0].pools[0].datasets.value)
    names = {dataset.name for dataset in states[0].pools[0].datasets.value or ()}
    assert {"tank", "tank/home", "tank/home@a"} == names
    assert () == states[0].pools[0].holds.value

    plan = engine.service.operations.prepare("nas1", HOLD).result(PATIENCE_S)
    engine.service.operations.execute("nas1", plan, "", {}).result(PATIENCE_S)

    states = wait_for(engine, lambda states: states[0].pools[0].holds.value)
    (hold,) = states[0].pools[0].holds.value or ()
    assert ("tank/home@a", "keep") == (hold.snapshot, hold.tag)
    assert states[1].pools[0].datasets.value is None


def test_after_the_end_nothing_is_begun(engine: Engine) -> None:
    engine.stop()

    for asked in (engine.service.operations.prepare("nas1", HOLD), engine.service.queries.journal()):
        assert isinstance(asked.exception(PATIENCE_S), HostError)


async def test_the_loop_of_a_screen_can_wait_for_a_plan(engine: Engine) -> None:
    plan = await asyncio.wrap_future(engine.service.operations.prepare("nas1", HOLD))

    assert "hold" == plan.intent.action
    assert LinkState.UP is engine.newest()[0].link.state


def test_an_outlook_is_a_forecast_and_what_datasets_take(engine: Engine) -> None:
    """A pool that was just made has no history, and it says so; an unknown one is refused."""
    wait_for(engine, lambda states: states[0].pools[0].pool.value)
    found = engine.service.queries.outlook("nas1", "tank").result(PATIENCE_S)

    assert "tank" == found.forecast.pool
    assert found.forecast.trend is None
    assert found.forecast.too_little
    assert ["tank", "tank/home"] == [use.name for use in found.uses or ()]
    for host, pool in (("nas1", "none"), ("nas9", "tank")):
        with pytest.raises(HostError):
            engine.service.queries.outlook(host, pool).result(PATIENCE_S)


def test_what_was_forecast_for_a_user_is_kept_in_the_state_if_it_has_dates(engine: Engine) -> None:
    """The first screen tells what the planner has found, without a command of its own."""
    wait_for(engine, lambda states: states[0].pools[0].pool.value)
    without = Forecast("nas1", "tank", 1.0, 5, 10, too_little="nothing is known")
    dated = replace(without, too_little="", trend=Trend(1.0, 0.5, 2.0, (), ()))

    for found in (without, dated, without):
        engine._calls.keep_forecast("nas1", "tank", found)

    assert dated == engine.newest()[0].pools[0].forecast.value


def test_what_is_forbidden_on_a_machine_is_known_by_its_other_name() -> None:
    """Before anything is planned: the screens grey what cannot be done, and say PRODUCTION."""
    world = create_world("mirror 0 1", disks=2)
    config = Config((HostConfig("nas2", "nas2", is_production=True, protected=("tank/*",)),))
    engine = Engine([PracticeHost(label, world=world) for label in ("nas1", "nas2")], config=config)
    engine.start()
    try:
        wait_for(engine, lambda states: all(state.is_production for state in states))
        policy = engine.service.operations.policy("nas1")
    finally:
        engine.stop()

    assert ("tank/*",) == policy.protected
    assert "nas1 has the machine-id of nas2, which is a production host" in policy.read_only
