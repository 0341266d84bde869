"""Guests are started, shut down, paused and resumed as every other change: planned, guarded, settled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.actions.pool.test_practice import BEGAN, Acting
from tests.doubles.faulty_host import DrivenClock
from tests.doubles.guests_on_storage import guest_on
from tests.doubles.plan_worlds import host
from zconsole.actions.guest.guest_steps import SHUTDOWN_WITHIN_S
from zconsole.actions.guest.start_shutdown_suspend_resume import guest_named, why_not_start
from zconsole.actions.plan import SAVED_PLAN_LASTS_S, Plan, Risk
from zconsole.base.clock import ManualClock
from zconsole.base.errors import UsageError
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.model.guests.guest import SESSION, Guest, GuestDefinition, GuestState, GuestStatus
from zconsole.model.run import Run, RunState
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.libvirt.guests import (
    IO_ERROR,
    PAUSED,
    RUNNING,
    SHUT_OFF,
    ZVOL,
    PracticeGuest,
    PracticeGuestDisk,
)
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.world.dataset_writes_and_snapshots import write
from zconsole.service.prepare_execute_and_recover_plans import Operator
from zconsole.storage.journal import Journal
from zconsole.views.changes.plan import PlanForm, document


@pytest.fixture
def nas(tmp_path: Path) -> Acting:
    """A host with a guest on a volume."""
    manual = ManualClock(BEGAN)
    clock = DrivenClock(manual)
    host = PracticeHost("nas", manual, world=create_world("mirror 0 1"))
    host.world.lacking -= {"virsh"}
    answer(host.world, ("zfs", "create", "-V", "64M", "tank/web01"))
    host.world.guests.append(PracticeGuest("web01", [PracticeGuestDisk("vda", f"{ZVOL}tank/web01")]))
    journal = Journal(tmp_path / "journal.sqlite")
    return Acting(host, Operator([host], clock=clock, policies=Policies(clock=clock), journal=journal))


def web01(nas: Acting) -> PracticeGuest:
    return nas.host.world.guests[0]


async def run(nas: Acting, plan: Plan, typed: str | None = None) -> Run:
    return await nas.operator.execute("nas", plan, plan.confirm or "" if typed is None else typed,
                                      lasts_s=SAVED_PLAN_LASTS_S)  # fmt: skip


async def test_a_running_guest_is_shut_down_and_started_again(nas: Acting) -> None:
    made = await nas.do("guest-shutdown", "web01")
    assert SHUT_OFF == web01(nas).state
    assert (Risk.CAUTION, "web01", "web01") == (made.risk, made.target, made.confirm)
    assert "its disks are on tank/web01" in made.notes
    assert "if it still runs after 2m, it is left running, and the plan has failed" in made.notes

    made = await nas.do("guest-start", "web01")
    assert RUNNING == web01(nas).state
    assert Risk.ROUTINE is made.risk


async def test_a_running_guest_is_paused_and_resumed(nas: Acting) -> None:
    assert Risk.CAUTION is (await nas.do("guest-suspend", "web01")).risk
    assert PAUSED == web01(nas).state

    assert Risk.ROUTINE is (await nas.do("guest-resume", "web01")).risk
    assert RUNNING == web01(nas).state


async def test_it_is_selected_by_its_uuid(nas: Acting) -> None:
    """A name may look like an option, and another guest may get it."""
    made = await nas.plan("guest-shutdown", "web01")
    assert ("virsh", "-q", "-c", "qemu:///system", "shutdown", web01(nas).uuid) == made.steps[0].argv


async def test_a_guest_that_ignores_the_request_is_left_running(nas: Acting) -> None:
    web01(nas).shuts_down_in_s = None

    ended = await run(nas, await nas.plan("guest-shutdown", "web01", within="30s"))

    assert RunState.FAILED is ended.state
    assert "after 30s guest web01 is still running; it was asked, and may still do it" == ended.words
    assert "failed" == ended.steps[0].state
    assert RUNNING == web01(nas).state


async def test_the_deadline_is_waited_for_and_no_longer(nas: Acting) -> None:
    web01(nas).shuts_down_in_s = SHUTDOWN_WITHIN_S - 1
    assert RunState.DONE is (await run(nas, await nas.plan("guest-shutdown", "web01"))).state

    await nas.do("guest-start", "web01")
    web01(nas).shuts_down_in_s = SHUTDOWN_WITHIN_S + 5
    assert RunState.FAILED is (await run(nas, await nas.plan("guest-shutdown", "web01"))).state


async def test_a_guest_that_changed_meanwhile_makes_the_plan_stale(nas: Acting) -> None:
    made = await nas.plan("guest-shutdown", "web01")
    web01(nas).state = PAUSED

    ended = await run(nas, made)

    assert RunState.STALE is ended.state
    assert ("state of guest web01 was running, is paused",) == ended.differences


async def test_a_new_guest_of_the_same_name_is_another_one(
    nas: Acting, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = await nas.plan("guest-shutdown", "web01")
    other = "00000000-0000-4000-8000-000000000001"
    monkeypatch.setattr(PracticeGuest, "uuid", property(lambda _: other))

    ended = await run(nas, made)

    assert RunState.STALE is ended.state
    assert any(other in each for each in ended.differences)


async def test_it_is_not_confirmed_without_its_name(nas: Acting) -> None:
    ended = await run(nas, await nas.plan("guest-shutdown", "web01"), "")
    assert RunState.REFUSED is ended.state
    assert RUNNING == web01(nas).state


@pytest.mark.parametrize(
    ("action", "state", "words"),
    [
        ("guest-start", RUNNING, "web01: it is running"),
        ("guest-start", PAUSED, "web01: it is paused: resume it"),
        ("guest-shutdown", SHUT_OFF, "web01: it is shut off"),
        ("guest-shutdown", PAUSED, "web01: it is paused, and hears nothing: resume it first"),
        ("guest-suspend", PAUSED, "web01: it is paused"),
        ("guest-resume", RUNNING, "web01: it is running"),
        ("guest-resume", SHUT_OFF, "web01: it is shut off"),
    ],
)
async def test_what_its_state_does_not_allow_is_refused(
    nas: Acting, action: str, state: int, words: str
) -> None:
    web01(nas).state = state

    refused = [(each.rule, each.reason) for each in (await nas.plan(action, "web01")).refusals]

    assert [("guest-state", words)] == refused


async def test_a_guest_paused_by_an_io_error_is_resumed(nas: Acting) -> None:
    web01(nas).state, web01(nas).reason = PAUSED, IO_ERROR

    made = await nas.do("guest-resume", "web01")

    assert "an I/O error has paused it" in made.notes[1]
    assert RUNNING == web01(nas).state


def fill(nas: Acting) -> None:
    """Have no space left in the pool, but what a snapshot holds."""
    pool = nas.host.world.pools["tank"]
    for words in (
        ("create", "tank/old"), ("create", "-s", "-V", "1T", "tank/thin"),
    ):  # fmt: skip
        assert 0 == answer(nas.host.world, ("zfs", *words)).status
    write(pool, pool.datasets["tank/old"], 64 << 20)
    assert 0 == answer(nas.host.world, ("zfs", "snapshot", "tank/old@a")).status
    write(pool, pool.datasets["tank/old"], available(nas, "tank"))
    web01(nas).disks[0].source = f"{ZVOL}tank/thin"
    web01(nas).state, web01(nas).reason = PAUSED, IO_ERROR
    web01(nas).disks[0].error = "no space"


def available(nas: Acting, name: str) -> int:
    return int(answer(nas.host.world, ("zfs", "get", "-Hpo", "value", "available", name)).stdout)


async def test_a_guest_whose_disk_has_no_space_left_is_not_resumed_and_reclaim_is_the_next_command(
    nas: Acting,
) -> None:
    fill(nas)
    assert 1 << 20 > available(nas, "tank/thin")

    made = await nas.plan("guest-resume", "web01")

    (refusal,) = made.refusals
    assert "full" == refusal.rule
    assert "the next write would pause web01 again" in refusal.reason
    assert ("zconsole", "reclaim", "tank", "--need", "10G") == refusal.command
    lines = document(made, PlanForm.SHORT, ["--demo"])
    shown = "\n".join("".join(part.text for part in each) for each in lines)
    assert "free space in tank; then resume web01" in shown
    assert "zconsole reclaim tank --need 10G --demo" in shown


async def test_once_there_is_space_again_the_guest_is_resumed(nas: Acting) -> None:
    fill(nas)
    assert 0 == answer(nas.host.world, ("zfs", "destroy", "-r", "tank/old")).status

    made = await nas.do("guest-resume", "web01")

    assert any(each.startswith("tank/thin has ") for each in made.notes)
    assert RUNNING == web01(nas).state


async def test_a_guest_paused_at_a_quota_needs_space_below_it(nas: Acting) -> None:
    for words in (("create", "-o", "quota=32M", "tank/vms"), ("create", "tank/vms/a")):
        assert 0 == answer(nas.host.world, ("zfs", *words)).status
    pool = nas.host.world.pools["tank"]
    write(pool, pool.datasets["tank/vms/a"], available(nas, "tank/vms/a"))
    web01(nas).disks[0].source = "/tank/vms/a/web01.raw"
    web01(nas).disks[0].error = "unspecified error"
    web01(nas).state, web01(nas).reason = PAUSED, IO_ERROR

    (refusal,) = (await nas.plan("guest-resume", "web01")).refusals

    assert ("zconsole", "reclaim", "tank/vms/a", "--need", "10G") == refusal.command


async def test_no_guest_runs_on_a_suspended_pool(nas: Acting) -> None:
    web01(nas).state, web01(nas).reason = PAUSED, IO_ERROR
    nas.host.world.pools["tank"].is_suspended = True

    assert "suspended" in await nas.refused("guest-resume", "web01")


async def test_an_unknown_guest_is_told_with_the_nearest(nas: Acting) -> None:
    with pytest.raises(UsageError) as told:
        await nas.plan("guest-shutdown", "web1")
    assert "Did you mean web01?" == told.value.hint


@pytest.mark.parametrize("within", ["0s", "2h", "soon"])
async def test_a_deadline_has_bounds(nas: Acting, within: str) -> None:
    with pytest.raises(UsageError):
        await nas.plan("guest-shutdown", "web01", within=within)


async def test_without_libvirt_it_is_refused(nas: Acting) -> None:
    nas.host.world.lacking |= {"virsh"}
    assert {"no-libvirt"} == await nas.refused("guest-shutdown", "web01")


async def test_a_member_of_the_group_needs_no_root(nas: Acting) -> None:
    nas.host.world.user_id = 1000
    assert {"permission"} == await nas.refused("guest-shutdown", "web01")

    nas.host.world.groups = ("libvirt",)
    await nas.do("guest-shutdown", "web01")

    assert SHUT_OFF == web01(nas).state


async def test_a_guest_with_the_name_of_a_pool_is_not_taken_for_it(nas: Acting) -> None:
    web01(nas).name = "tank"
    made = await nas.plan("guest-shutdown", "tank")
    assert "guid of tank" not in dict(made.basis.parts)


def test_a_name_that_two_libvirts_have_is_asked_for_by_uuid() -> None:
    system = guest_on("web01")
    own = replace(system, definition=replace(system.definition, uuid="uuid of mine", connection=SESSION))
    facts = replace(host(), guests=(system, own))

    with pytest.raises(UsageError) as told:
        guest_named("web01", facts)

    assert "uuid of web01 (qemu:///system) and uuid of mine (qemu:///session)" in told.value.message
    assert own == guest_named("uuid of mine", facts)


async def test_a_guest_whose_disk_is_gone_is_not_started_and_the_way_is_told(nas: Acting) -> None:
    web01(nas).state = SHUT_OFF
    answer(nas.host.world, ("zfs", "rename", "tank/web01", "tank/other"))

    made = await nas.plan("guest-start", "web01")

    assert ["gone"] == [each.rule for each in made.refusals]
    assert "vda of web01 is /dev/zvol/tank/web01, which does not exist" == made.refusals[0].reason
    assert not any("its disks are on" in note for note in made.notes)


async def test_a_guest_that_goes_on_from_a_saved_memory_is_started_with_caution(nas: Acting) -> None:
    web01(nas).state, web01(nas).has_saved_memory = SHUT_OFF, True

    made = await nas.plan("guest-start", "web01")

    assert (Risk.CAUTION, False) == (made.risk, made.is_reversible)
    assert any("it goes on from its saved memory" in each for each in made.warnings)
    assert any("virsh managedsave-remove" in each for each in made.notes)


def test_a_crashed_guest_has_a_process_and_is_not_started() -> None:
    one = guest_on("web01", state=GuestState.CRASHED)

    assert one.status.state.is_active
    assert "virsh destroy" in why_not_start(one)


def test_a_guest_that_could_not_be_looked_at_is_there_and_is_not_changed() -> None:
    unread = Guest(GuestDefinition("", "late"), GuestStatus("late", GuestState.RUNNING), unread="no time")
    facts = host((), guests=(guest_on("tank/a"), unread))

    with pytest.raises(UsageError, match="late cannot be changed on storage1 now: no time"):
        guest_named("late", facts)
    with pytest.raises(UsageError, match="among those that could be looked at; 1 could not"):
        guest_named("13c10541-efa1-5d96-8afb-d5e2d9f13dce", facts)
