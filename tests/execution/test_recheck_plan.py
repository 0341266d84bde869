"""What is refused before anything is sent: the order, and a host that is not as the plan had it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.doubles.practice_runs import HOST, Bench
from tests.execution.confirmed import ANN, DESTROY, HOLD, PASSWD, planned
from zconsole.actions.plan import (
    SAVED_PLAN_LASTS_S,
    SUDO_SECRET,
    RefusalReason,
    Risk,
)
from zconsole.base.user_config_file import Config, HostConfig
from zconsole.model.run import RunState


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.mark.parametrize("typed", ["", "tank/home@a", f"{HOST}:tank/home", f"{HOST}:tank/home@a ", "y"])
async def test_without_the_right_words_nothing_is_run(bench: Bench, typed: str) -> None:
    plan = await planned(bench, DESTROY)
    assert f"{HOST}:tank/home@a" == plan.confirm

    run = await bench.operator.execute(HOST, plan, typed)

    assert RunState.REFUSED is run.state
    assert "must be typed" in run.words
    assert [] == bench.host.changes
    assert () == bench.journal.entries()


async def test_with_the_right_words_it_is(bench: Bench) -> None:
    plan = await planned(bench, DESTROY)

    run = await bench.operator.execute(HOST, plan, plan.confirm or "")

    assert RunState.DONE is run.state
    assert 1 == len(bench.host.changes)


async def test_a_plan_in_a_dialog_has_no_age_and_a_saved_one_lasts_a_quarter_of_an_hour(
    bench: Bench,
) -> None:
    plan = await planned(bench)
    bench.manual.advance(SAVED_PLAN_LASTS_S + 1)

    saved = await bench.operator.execute(HOST, plan, lasts_s=SAVED_PLAN_LASTS_S)
    dialog = await bench.operator.execute(HOST, plan)

    assert RunState.REFUSED is saved.state
    assert "901 s old" in saved.words
    assert RunState.DONE is dialog.state


async def test_a_plan_from_the_future_is_no_plan(bench: Bench) -> None:
    plan = replace(await planned(bench), made_at=bench.clock.now() + 3600)

    assert RunState.REFUSED is (await bench.operator.execute(HOST, plan)).state


async def test_a_refused_plan_stays_refused_whatever_is_typed(bench: Bench) -> None:
    plan = replace(await planned(bench), refusals=(RefusalReason("rule", "it must not be"),))

    run = await bench.operator.execute(HOST, plan, plan.target)

    assert (RunState.REFUSED, "it must not be") == (run.state, run.words)
    assert [] == bench.host.changes


async def test_a_plan_for_another_host_is_refused(bench: Bench) -> None:
    plan = await planned(bench)

    run = await bench.operator.execute(
        HOST, replace(plan, identity=replace(plan.identity, label="elsewhere"))
    )

    assert (RunState.REFUSED, "the plan was made for elsewhere") == (run.state, run.words)


async def test_a_read_only_host_is_held_at_this_layer_too() -> None:
    bench = Bench(config=Config((HostConfig(HOST, HOST, is_production=True),)))
    refused = await bench.operator.prepare(HOST, HOLD)
    bench.policies.unlock(HOST)
    plan = await planned(bench)
    bench.manual.advance(15 * 60)

    run = await bench.operator.execute(HOST, plan, lasts_s=SAVED_PLAN_LASTS_S)

    assert ["read-only"] == [each.rule for each in refused.refusals]
    assert RunState.REFUSED is run.state
    assert "production" in run.words
    assert [] == bench.host.changes


@pytest.mark.parametrize(
    ("line", "difference"),
    [
        ("zfs hold other tank/home@a", "holds on tank/home@a was none, is other"),
        ("zfs destroy tank/home@a", "there is no dataset 'tank/home@a'"),
        ("zfs rename tank/home@a tank/home@b", "there is no dataset 'tank/home@a'"),
    ],
)
async def test_a_host_that_changed_meanwhile_makes_the_plan_stale(
    bench: Bench, line: str, difference: str
) -> None:
    plan = await planned(bench)
    bench.type(line)

    run = await bench.operator.execute(HOST, plan)

    assert RunState.STALE is run.state
    assert any(difference in each for each in run.differences), run.differences
    assert [] == bench.host.changes
    assert () == bench.journal.entries()


async def test_another_snapshot_under_the_same_name_makes_it_stale(bench: Bench) -> None:
    plan = await planned(bench)
    bench.type("zfs destroy tank/home@a", "zfs snapshot tank/home@a")

    run = await bench.operator.execute(HOST, plan)

    assert RunState.STALE is run.state
    assert any("tank/home@a was" in each for each in run.differences)
    assert [] == bench.host.changes


async def test_another_machine_at_the_same_address_makes_it_stale(bench: Bench) -> None:
    plan = await planned(bench)
    bench.world.machine_id = "0" * 32

    run = await bench.operator.execute(HOST, plan)

    assert RunState.STALE is run.state
    assert any(each.startswith("machine-id was") for each in run.differences)


async def test_commands_that_would_be_others_make_it_stale(bench: Bench) -> None:
    plan = await planned(bench)
    (step,) = plan.steps
    forged = replace(plan, steps=(replace(step, argv=("zfs", "destroy", "-r", "tank")),))

    run = await bench.operator.execute(HOST, forged)

    assert RunState.STALE is run.state
    assert ("the commands would be others: zfs hold keep tank/home@a",) == run.differences
    assert [] == bench.host.changes


async def test_an_object_more_that_would_be_lost_makes_it_stale(bench: Bench) -> None:
    plan = await planned(bench, DESTROY)
    shown = replace(plan, destroys=())

    run = await bench.operator.execute(HOST, shown, shown.confirm or "")

    assert ("tank/home@a would be destroyed too",) == run.differences


async def test_what_is_riskier_now_is_stale(bench: Bench) -> None:
    plan = replace(await planned(bench, DESTROY), risk=Risk.ROUTINE)

    run = await bench.operator.execute(HOST, plan)

    assert RunState.STALE is run.state
    assert [] == bench.host.changes


async def test_a_secret_that_is_missing_is_asked_for_again(bench: Bench) -> None:
    bench.host.answers |= {"id": ANN, "sudo -n -l -l": PASSWD}

    run = await bench.operator.execute(HOST, await planned(bench))

    assert (RunState.REFUSED, f"it needs the {SUDO_SECRET}") == (run.state, run.words)
