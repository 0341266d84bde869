"""Plans of storage under guests that the screens know: what has changed since then is seen all the same."""

from __future__ import annotations

from typing import Final

from tests.bench.plan_sessions import DATASET, add_guest, set_up, shown
from tests.bench.repair_plan import FarHost
from tests.practice.exercises.learner import Learner
from zconsole.actions.intent import intent
from zconsole.actions.plan import Plan
from zconsole.base.user_config_file import Config
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.model.host.host_state import HostState
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import SHUT_OFF
from zconsole.service.prepare_execute_and_recover_plans import Operator

DESTROY: Final = intent("destroy", DATASET, options={"recursive": True})


def console(learner: Learner, state: HostState | None) -> tuple[FarHost, Operator]:
    host = FarHost(learner.host, 0)
    operator = Operator(
        [host], clock=learner.clock, policies=Policies(Config()), state_of=lambda _: state
    )  # fmt: skip
    return host, operator


def in_the_way(made: Plan) -> set[str]:
    return {each.name for each in made.dependents if each.kind == "guest"}


async def test_it_is_the_plan_that_is_made_without_knowing_anything() -> None:
    learner = await set_up(3)
    state = await shown(learner)

    known = await console(learner, state)[1].prepare(learner.host.label, DESTROY)
    read = await console(learner, None)[1].prepare(learner.host.label, DESTROY)

    assert {"web0", "web1", "web2"} == in_the_way(known)
    assert read.basis == known.basis
    assert read.refusals == known.refusals
    assert read.alternatives == known.alternatives


async def test_a_guest_that_is_new_is_in_the_way() -> None:
    learner = await set_up(1)
    state = await shown(learner)
    await add_guest(learner, "new", f"{DATASET}/new")

    made = await console(learner, state)[1].prepare(learner.host.label, DESTROY)

    assert {"web0", "new"} == in_the_way(made)
    assert made.is_refused


async def test_a_guest_that_has_moved_to_another_disk_is_not_in_the_way() -> None:
    learner = await set_up(1)
    state = await shown(learner)
    learner.host.world.guests[0].disks[0].source = "/dev/zvol/tank/vm"

    made = await console(learner, state)[1].prepare(learner.host.label, DESTROY)

    assert set() == in_the_way(made)


async def test_guests_that_are_gone_or_off_are_not_in_the_way() -> None:
    learner = await set_up(2)
    state = await shown(learner)
    learner.host.world.guests.pop()
    learner.host.world.guests[0].state = SHUT_OFF

    made = await console(learner, state)[1].prepare(learner.host.label, DESTROY)

    assert set() == in_the_way(made)
    assert {"web0"} == {each.name for each in made.dependents if each.kind == "stopped guest"}


async def test_that_libvirt_is_away_is_not_taken_for_a_user_who_may_not_change_guests() -> None:
    learner = await set_up(1)
    host, operator = console(learner, await shown(learner))
    learner.host.world.lacking |= {"virsh"}
    await operator.prepare(learner.host.label, DESTROY)
    learner.host.world.lacking -= {"virsh"}
    asked = ("virsh", "-q", "-c", "qemu:///system", "uri")

    times = []
    for _ in range(2):
        host.begin_anew()
        await operator.prepare(learner.host.label, DESTROY)
        times.append([each.argv for each in host.commands].count(asked))

    assert [1, 0] == times


async def test_its_run_asks_everything_again() -> None:
    learner = await set_up(1)
    host, operator = console(learner, await shown(learner))
    words = intent("destroy", DATASET, options={"shut-down-guests": True, "recursive": True})
    made = await operator.prepare(learner.host.label, words)
    assert not made.is_refused, made.refusals
    host.begin_anew()
    await add_guest(learner, "new", f"{DATASET}/new")

    run = await operator.execute(learner.host.label, made, made.confirm or "")

    assert RunState.DONE is not run.state
    assert any("dumpxml" in " ".join(each.argv) for each in host.commands)
