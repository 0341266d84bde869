"""Guests in trouble for a single reading: one command where there are none, and no waiting for libvirt."""

from __future__ import annotations

import pytest

from tests.collect.guests.test_read_guests import DB, VIRSH, host
from tests.collect.guests.test_read_statuses import OFF, paused
from tests.doubles.scripted_host import HANG, ScriptedHost, failed
from zconsole.base.clock import ManualClock
from zconsole.collect.guests.guests_in_trouble import with_guests_in_trouble
from zconsole.model.guests.guest import LIBVIRT_SILENT, Guest
from zconsole.model.host.host_state import HostState, Reading

RUNNING = OFF.replace(b"state.state=5", b"state.state=1", 1)  # web01
ROOT = b"uid=0(root) gid=0(root) groups=0(root)\n"


async def found_on(made: ScriptedHost, *pools: str) -> Reading[tuple[Guest, ...]]:
    made.answers["id"] = ROOT
    state = HostState("nas1")
    return (await with_guests_in_trouble(state, made, ManualClock(0), left_s=30.0, pools=pools)).guests


async def test_only_guests_paused_by_an_error_are_read_and_their_disks() -> None:
    found = await found_on(paused())

    assert [("db02", ("tank/db",), "no space")] == [
        (each.name, each.places, each.disks[0].error) for each in found.value or ()
    ]


async def test_where_no_guest_is_in_trouble_one_command_is_enough() -> None:
    made = host()
    made.answers[f"{VIRSH} domstats"] = OFF

    assert () == (await found_on(made)).value
    assert 1 == len(made.commands)


async def test_guests_of_other_pools_are_left_out_where_pools_are_named() -> None:
    assert 1 == len((await found_on(paused(), "tank")).value or ())
    assert () == (await found_on(paused(), "bulk")).value


async def test_where_a_pool_fills_all_that_run_on_it_are_read_for_what_that_does_to_them() -> None:
    async def found(*filling: str) -> Reading[tuple[Guest, ...]]:
        made = host()
        made.answers["id"] = ROOT
        made.answers[f"{VIRSH} domstats"] = RUNNING
        return (
            await with_guests_in_trouble(
                HostState("nas1"), made, ManualClock(0), left_s=30.0, filling=filling
            )
        ).guests

    assert ["web01"] == [each.name for each in (await found("tank")).value or ()]
    assert [] == [each.name for each in (await found("bulk")).value or ()]


async def test_guests_of_a_pool_that_fills_which_cannot_be_read_are_no_problem() -> None:
    made = host()
    made.answers["id"] = ROOT
    made.answers[f"{VIRSH} domstats"] = RUNNING
    made.answers[f"{VIRSH} list --all --uuid"] = HANG

    found = await with_guests_in_trouble(
        HostState("nas1"), made, ManualClock(0), left_s=1.0, filling={"tank"}
    )

    assert ((), "") == (found.guests.value, found.guests.problem)


@pytest.mark.parametrize(
    "answer", [failed("virsh", 127, b"not found"), failed("virsh", 1, b"error: no daemon"), HANG, b"rubbish"]
)
async def test_a_host_whose_libvirt_does_not_answer_has_a_problem_and_no_guests(answer: object) -> None:
    made = paused()
    made.answers[f"{VIRSH} domstats"] = answer

    found = await found_on(made)

    assert (None, True) == (found.value, bool(found.problem))
    assert not any(DB in command for command in made.commands)


@pytest.mark.parametrize(
    ("is_silent", "answer"),
    [(True, HANG), (False, failed("virsh", 1, b"error: no daemon")), (False, failed("virsh", 127, b"none"))],
)
async def test_a_libvirt_that_hangs_is_told_apart_from_one_that_is_not_there(
    answer: object, *, is_silent: bool
) -> None:
    """The latter may be so on purpose."""
    made = paused()
    made.answers[f"{VIRSH} domstats"] = answer

    assert is_silent is (await found_on(made)).problem.startswith(LIBVIRT_SILENT)
