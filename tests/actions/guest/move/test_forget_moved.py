"""The old copy of a moved guest is forgotten only while the new one runs on a copy of its storage."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.doubles.guests_moving_between_hosts import MovingBetweenHosts
from tests.doubles.moving_guests import GUEST, NEW, OLD
from zconsole.actions.guest.move.forget_moved import FORGET
from zconsole.actions.intent import intent
from zconsole.actions.plan import Plan, Risk
from zconsole.base.errors import UsageError
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import RUNNING, SHUT_OFF

Changed = Callable[[MovingBetweenHosts], object]


async def planned(moving: MovingBetweenHosts) -> Plan:
    return await moving.operator.prepare("nas1", intent(FORGET, GUEST, options={"to": "vault1"}))


async def test_it_is_undefined_and_its_storage_is_kept_until_a_plan_of_its_own() -> None:
    moving = MovingBetweenHosts()
    await moving.moved()

    made = await planned(moving)
    run = await moving.carried_out(made)

    assert RunState.DONE is run.state, run.words
    assert ([], Risk.CAUTION, ()) == (moving.nas_world.guests, made.risk, made.destroys)
    assert OLD in moving.nas_world.pools["tank"].datasets
    assert () == made.alternatives
    assert f"afterwards {OLD} can be destroyed, in a plan of its own" in made.notes
    left = await moving.operator.prepare("nas1", intent("destroy", OLD, options={"recursive": True}))
    assert "guest" not in {each.kind for each in left.dependents}


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        (lambda m: setattr(m.there, "state", SHUT_OFF), "not-running-there"),
        (lambda m: m.vault_world.guests.clear(), "not-running-there"),
        (lambda m: setattr(m.guest, "state", RUNNING), "guest-state"),
        (lambda m: m.type(f"zfs set readonly=off {OLD}"), "not-moved"),
        (lambda m: m.type(f"zfs destroy {NEW}@%", world=m.vault_world), "no-copy"),
    ],
)
async def test_anything_else_than_the_rest_of_a_move_is_refused(change: Changed, rule: str) -> None:
    moving = MovingBetweenHosts()
    await moving.moved()
    change(moving)

    assert rule in [each.rule for each in (await planned(moving)).refusals]


async def test_without_the_other_host_it_is_refused() -> None:
    with pytest.raises(UsageError, match="needs the host"):
        await MovingBetweenHosts().operator.prepare("nas1", intent(FORGET, GUEST))
