"""Snapshots of frozen guests: planned, guarded, taken, and told of as they were, on the practice host."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.actions.guest.test_start_shutdown_suspend_resume import nas, run, web01  # noqa: F401
from tests.actions.pool.test_practice import Acting
from tests.doubles.plan_worlds import filesystem, host, volume
from zconsole.actions.action_spec import Needs
from zconsole.actions.guest.freeze_guests_for_snapshot import (
    FREEZE_GUESTS,
    agents_to_ask,
    deadline_of,
    why_not_frozen,
    written_places,
)
from zconsole.actions.intent import intent
from zconsole.actions.make_plan import plan
from zconsole.actions.plan import Plan, Risk
from zconsole.base.errors import UsageError
from zconsole.model.guests.guest import (
    Guest,
    GuestDefinition,
    GuestDisk,
    GuestState,
    GuestStatus,
    Image,
    SourceKind,
    StoredDisk,
    StoredImage,
)
from zconsole.model.guests.guest_agent import AgentReading
from zconsole.model.host.plan_facts import PlanFacts, PrivilegeMode, Privileges
from zconsole.model.run import RunState
from zconsole.practice.containers.practice_container import PracticeContainer
from zconsole.practice.libvirt.guests import PAUSED, SHUT_OFF, ZVOL, PracticeGuest, PracticeGuestDisk
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.system.libvirt.frozen_snapshot_script import FROZEN_GUESTS, guests_in

UUID = "8f14e45f-ceea-467f-a0e0-000000000001"
SNAPSHOT = "tank/web01@a"


def add_db02(nas: Acting) -> PracticeGuest:  # noqa: F811
    """A second guest, with one disk below tank and one on another volume of it."""
    for name in ("tank/db", "tank/db/02"):
        answer(nas.host.world, ("zfs", "create", *(("-V", "64M") if name[-1] == "2" else ()), name))
    guest = PracticeGuest("db02", [PracticeGuestDisk("vda", f"{ZVOL}tank/db/02")], file_systems=3)
    nas.host.world.guests.append(guest)
    return guest


async def property_of(nas: Acting, snapshot: str = SNAPSHOT) -> str:  # noqa: F811
    return await nas.said("zfs", "get", "-Hpo", "value", FROZEN_GUESTS, snapshot)


async def test_the_guest_is_frozen_for_it_and_the_snapshot_says_so(nas: Acting) -> None:  # noqa: F811
    made = await nas.plan("snapshot", SNAPSHOT, freeze_guests=True)

    assert Risk.ROUTINE is made.risk, made.refusals
    assert ((web01(nas).uuid, "web01"),) == guests_in(made.steps[0].argv)
    assert ("zfs", "snapshot", SNAPSHOT) == made.steps[0].argv[-3:]
    told = "web01, on tank/web01: running, its agent answers; its file systems are frozen meanwhile"
    assert told in made.notes
    assert any(
        "after 10 s a process on the host thaws what is frozen whatever happens" in each
        for each in made.notes
    )

    done = await run(nas, made)

    assert RunState.DONE is done.state, done.words
    assert "the file systems of web01 were frozen for it, and are thawed" in done.words
    assert "web01" == await property_of(nas)
    assert not web01(nas).is_frozen


async def test_recursion_freezes_the_guests_below_and_no_others(nas: Acting) -> None:  # noqa: F811
    add_db02(nas)

    below = await nas.plan("snapshot", "tank/db@a", freeze_guests=True, recursive=True)
    only = await nas.plan("snapshot", "tank/db@a", freeze_guests=True)
    all_ = await nas.plan("snapshot", "tank@a", freeze_guests=True, recursive=True)

    assert ["db02"] == [name for _, name in guests_in(below.steps[0].argv)]
    assert () == guests_in(only.steps[0].argv)
    assert "no running guest lives on it: nothing is frozen" in only.notes
    assert ["db02", "web01"] == [name for _, name in guests_in(all_.steps[0].argv)]
    done = await run(nas, all_)
    assert "the file systems of db02 and web01 were frozen for it" in done.words.replace(", ", " and ")
    assert "db02,web01" == await property_of(nas, "tank@a")


def no_agent(guest: PracticeGuest) -> None:
    guest.has_agent = False


def stopped(guest: PracticeGuest) -> None:
    guest.is_agent_connected = False


def hangs(guest: PracticeGuest) -> None:
    guest.does_agent_answer = False


def paused(guest: PracticeGuest) -> None:
    guest.state = PAUSED


@pytest.mark.parametrize(
    ("trouble", "why", "remedy"),
    [
        (no_agent, "it has no channel for an agent", "add the channel org.qemu.guest_agent.0"),
        (stopped, "its agent is not connected", "start qemu-guest-agent in the guest"),
        (
            hangs,
            "its agent does not answer: Guest agent is not responding: Guest agent not available",
            "start qemu-guest-agent in the guest",
        ),
        (paused, "it is paused, and its agent hears nothing", "resume it first"),
    ],
)
async def test_a_guest_that_cannot_be_frozen_is_in_the_way_and_the_way_out_names_it(
    nas: Acting,  # noqa: F811
    trouble: Callable[[PracticeGuest], None],
    why: str,
    remedy: str,
) -> None:
    db02 = add_db02(nas)
    trouble(db02)

    refused = await nas.plan("snapshot", "tank@a", freeze_guests=True, recursive=True)

    assert ["not-frozen"] == [each.rule for each in refused.refusals]
    assert f"db02 cannot be frozen: {why}" in refused.refusals[0].reason
    assert refused.refusals[0].instead.startswith(remedy)
    words, instead = refused.alternatives[0]
    assert "plan again with where-possible: take it without a freeze of db02" == words
    made = await nas.operator.prepare("nas", instead)
    assert not made.is_refused
    assert any("db02 is not frozen, its part is crash-consistent" in each for each in made.warnings)
    done = await run(nas, made)
    assert RunState.DONE is done.state, done.words
    assert "web01" == await property_of(nas, "tank@a")


async def test_a_guest_that_something_else_has_frozen_is_left_alone(nas: Acting) -> None:  # noqa: F811
    web01(nas).is_frozen = True

    for optional in (False, True):
        plan = await nas.plan("snapshot", SNAPSHOT, freeze_guests=True, where_possible=optional)
        assert ["already-frozen"] == [each.rule for each in plan.refusals]
    assert web01(nas).is_frozen


async def test_a_guest_that_is_off_needs_no_freeze(nas: Acting) -> None:  # noqa: F811
    web01(nas).state = SHUT_OFF

    made = await nas.do("snapshot", SNAPSHOT, freeze_guests=True)

    assert () == guests_in(made.steps[0].argv)


async def planned(nas: Acting, **options: bool) -> Plan:  # noqa: F811
    made = await nas.plan("snapshot", SNAPSHOT, freeze_guests=True, **options)
    assert not made.is_refused, made.refusals
    return made


async def test_a_freeze_that_fails_takes_no_snapshot(nas: Acting) -> None:  # noqa: F811
    made = await planned(nas)
    web01(nas).freezes = False

    done = await run(nas, made)

    assert RunState.FAILED is done.state
    assert "no snapshot was taken, because not every guest could be frozen" in done.words
    assert "failed to freeze /" in done.words
    assert "" == await nas.said("zfs", "list", "-Ht", "snapshot", "-o", "name")


async def test_where_possible_it_is_taken_and_told_as_what_it_is(nas: Acting) -> None:  # noqa: F811
    made = await planned(nas, where_possible=True)
    web01(nas).freezes = False

    done = await run(nas, made)

    assert RunState.DONE is done.state, done.words
    assert "it is only crash-consistent for web01: error: Unable to freeze filesystems" in done.words
    assert "-" == await property_of(nas)


async def test_a_plan_is_stale_once_its_guest_is_off(nas: Acting) -> None:  # noqa: F811
    made = await planned(nas)
    web01(nas).state = SHUT_OFF

    assert RunState.STALE is (await run(nas, made)).state


async def test_the_options_are_of_a_freeze_only(nas: Acting) -> None:  # noqa: F811
    assert {"no-freeze"} == await nas.refused("snapshot", SNAPSHOT, where_possible=True)


async def test_without_libvirt_it_is_refused(nas: Acting) -> None:  # noqa: F811
    nas.host.world.lacking |= {"virsh"}

    assert {"no-libvirt"} == await nas.refused("snapshot", SNAPSHOT, freeze_guests=True)


@pytest.mark.parametrize(("given", "seconds"), [(None, 10), ("30s", 30), ("1m", 60)])
def test_the_deadline_is_asked_for(given: str | None, seconds: float) -> None:
    options = {} if given is None else {"freeze-deadline": given}

    assert seconds == deadline_of(intent("snapshot", SNAPSHOT, options=options))


@pytest.mark.parametrize("given", ["1s", "1h", "soon"])
def test_a_deadline_has_its_limits(given: str) -> None:
    with pytest.raises(UsageError):
        deadline_of(intent("snapshot", SNAPSHOT, options={"freeze-deadline": given}))


def guest(*disks: tuple[str, str, bool], **definition: object) -> Guest:
    """A running guest with disks: kind of device, dataset, and whether it is read only."""
    stored = tuple(
        StoredDisk(
            GuestDisk(f"vd{at}", f"/x/{at}", SourceKind.FILE, device, is_read_only=is_read_only),
            (StoredImage(Image(f"/x/{at}"), place), StoredImage(Image("/x/base"), "tank/base")),
        )
        for at, (device, place, is_read_only) in enumerate(disks)
    )
    made = GuestDefinition(UUID, "web01", has_agent_channel=True, is_agent_connected=True)
    status = GuestStatus("web01", GuestState.RUNNING)
    return Guest(made, status, stored)


def test_a_guest_lives_where_it_writes() -> None:
    """Not where its CD image or the golden image below its disk is."""
    found = guest(("disk", "tank/vm", False), ("cdrom", "tank/iso", True), ("disk", "tank/ro", True))

    assert ("tank/vm",) == written_places(found)


def test_only_agents_on_what_is_snapshotted_are_asked() -> None:
    facts = host((filesystem("tank"), volume("tank/vm")), guests=(guest(("disk", "tank/vm", False)),))
    froze = {"freeze-guests": True}

    assert (UUID,) == agents_to_ask(intent("snapshot", "tank/vm@a", options=froze), facts).agents
    assert () == agents_to_ask(intent("snapshot", "tank@a", options=froze), facts).agents
    below = intent("snapshot", "tank@a", options={**froze, "recursive": True})
    assert (UUID,) == agents_to_ask(below, facts).agents
    assert Needs() == agents_to_ask(intent("snapshot", "tank/vm@a"), facts)


def test_an_agent_that_may_not_be_asked_counts_by_its_channel() -> None:
    found = guest(("disk", "tank/vm", False))

    assert "" == why_not_frozen(found, AgentReading(UUID, problem="not allowed", was_asked=False))
    assert "its agent was not asked" == why_not_frozen(found, None)


def test_a_guest_of_a_session_is_not_frozen_by_an_agent_of_the_system() -> None:
    """The system may have a guest of the same uuid."""
    found = guest(("disk", "tank/vm", False))
    own = replace(found, definition=replace(found.definition, connection="qemu:///session"))

    assert "it is a guest of qemu:///session, whose agents are not asked" == why_not_frozen(
        own, AgentReading(UUID, status="thawed")
    )


def test_who_may_not_is_told_the_rules_that_a_freeze_needs() -> None:
    """The script asks sudo while guests stand still: rules that want a password are of no use to it."""
    facts = host(
        (filesystem("tank"), volume("tank/vm")),
        guests=(guest(("disk", "tank/vm", False)),),
        agents=(AgentReading(UUID, status="thawed"),),
        privileges=Privileges("gus", 1000, PrivilegeMode.PLAIN),
    )

    refused = plan(intent("snapshot", "tank/vm@a", options={"freeze-guests": True}), facts).refusals

    assert ["permission"] == [each.rule for each in refused]
    assert refused[0].instead.endswith("or zconsole sudoers --with guests --no-password")


@pytest.mark.parametrize(
    ("guests", "why"),
    [
        (None, ""),
        ((), "no running guest lives on tank/vm"),
        ((guest(("disk", "tank/vm/a", False)),), ""),
        ((guest(("disk", "tank/other", False)),), "no running guest lives on tank/vm"),
    ],
)
def test_menus_offer_it_where_a_guest_could_be_frozen(guests: tuple[Guest, ...] | None, why: str) -> None:
    facts: PlanFacts = host((filesystem("tank"),), guests=guests)

    assert why == FREEZE_GUESTS.why_not(intent("snapshot", "tank/vm@"), facts)


async def test_guests_of_one_fate_are_one_line_with_their_names(nas: Acting) -> None:  # noqa: F811
    add_db02(nas)

    both = await nas.plan("snapshot", "tank@a", freeze_guests=True, recursive=True)
    for guest in nas.host.world.guests:
        no_agent(guest)
    none = await nas.plan("snapshot", "tank@a", freeze_guests=True, recursive=True)
    without = await nas.plan("snapshot", "tank@a", freeze_guests=True, recursive=True, where_possible=True)

    assert "db02, web01: running, their agents answer; their file systems are frozen meanwhile" in both.notes
    assert any(each.startswith("all writes in these 2 guests wait") for each in both.warnings)
    (reason,) = [each.reason for each in none.refusals]
    assert reason.endswith(" cannot be frozen: they have no channels for an agent")
    assert {"db02", "web01"} == set(reason.partition(" cannot")[0].split(", "))
    assert 1 == len([each for each in without.warnings if "are not frozen, their parts are crash" in each])


async def test_that_its_writes_wait_is_a_warning(nas: Acting) -> None:  # noqa: F811
    made = await nas.plan("snapshot", SNAPSHOT, freeze_guests=True)

    assert ("all writes in web01 wait from the freeze until the thaw, at most about 10 s",) == made.warnings


async def test_a_container_is_not_frozen_and_that_is_said(nas: Acting) -> None:  # noqa: F811
    world = nas.host.world
    answer(world, ("zfs", "create", "tank/ct1"))
    root = ("/", "zfs", "tank/ct1", "rw,xattr")
    world.containers.append(
        PracticeContainer("/lxc.payload.ct1/init.scope", 3100, [root, ("/dev/incus", "tmpfs", "tmpfs", "rw")])
    )

    refused = await nas.plan("snapshot", "tank/ct1@a", freeze_guests=True)
    made = await nas.plan("snapshot", "tank/ct1@a", freeze_guests=True, where_possible=True)

    assert ["not-frozen"] == [each.rule for each in refused.refusals]
    assert refused.refusals[0].reason.startswith("ct1 cannot be frozen: nothing freezes it")
    assert not made.is_refused
    assert any("ct1 is not frozen, its part is crash-consistent" in each for each in made.warnings)
