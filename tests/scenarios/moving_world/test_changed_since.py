"""What somebody undoes right after a command was done and is changed since, or is not known: never failed."""

from __future__ import annotations

import asyncio

import pytest

from tests.scenarios.moving_world.cases import CASES, Case
from tests.scenarios.moving_world.changes import CHANGES, Change, Focus, typed
from tests.scenarios.moving_world.moving import DiffProgress, Scenario, carry_out
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.model.run import RunState
from zconsole.practice import World
from zconsole.practice.world.vdev_states_and_drive_unplugging import unplug
from zconsole.service.prepare_execute_and_recover_plans import Operator

UNDONE = CHANGES["undone"]
MAY_MISS = frozenset({"clear tank {0}", "clear tank", "offline tank {0} --fault"})


def exported(world: World, focus: Focus) -> None:
    """The pool goes, whatever the case is about."""
    assert focus.parts
    assert typed(world, "zpool export tank")


def suspended(world: World, focus: Focus) -> None:
    """All devices of a vdev go, so that the pool tells its name and not its devices."""
    assert focus.parts
    for each in world.disks[:2]:
        unplug(world, each)
    assert world.pools["tank"].is_suspended


GONE = Change("exported", frozenset(), exported)
SUSPENDED = Change("suspended", frozenset(), suspended)


def case(name: str) -> Case:
    """One by its name."""
    return next(each for each in CASES if each.name == name)


async def disturbed(scenario: Scenario, change: str, after_act: int) -> DiffProgress:
    """A run with a change so many commands behind the last that acts."""
    position = max(scenario.told.host.acts_at) + after_act
    return await carry_out(scenario.case, scenario.start, {position: [CHANGES[change]]}, {})


@pytest.mark.parametrize("case", [each for each in CASES if each.focus.undo], ids=lambda case: case.name)
def test_what_is_undone_right_after_a_command_was_done(case: Case) -> None:
    async def ends() -> list[str]:
        scenario = Scenario(case)
        await scenario.begin()
        last = max(scenario.planned.host.acts_at)
        seen = [await scenario.disturbed(UNDONE, position) for position in scenario.positions[last + 1 :]]
        assert [] == [each.told() for each in seen if each.failures]
        return [each.state for each in seen]

    allowed = {"done", "unknown"} if case.name in MAY_MISS else {"done"}
    assert set(asyncio.run(ends())) <= allowed


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "set tank/full readonly=on",
            "not so any more: readonly of tank/full is on (somebody ran: zfs inherit readonly tank/full)",
        ),
        ("rename tank/full@t @other", "(somebody ran: zfs rename tank/full@other tank/full@t)"),
        (
            "mount tank/unmounted",
            "done; changed since, and not so any more: mounted of tank/unmounted is yes",
        ),
        ("export bulk", "not so any more: the pool bulk is not imported (somebody ran: zpool import bulk)"),
        ("labelclear {11}", "-part1 is gone"),
        ("offline tank {0}", "-part1 is OFFLINE; it is ONLINE (somebody ran: zpool "),
    ],
)
async def test_it_is_told_what_changed_it(name: str, words: str) -> None:
    scenario = Scenario(case(name))
    await scenario.begin()

    told = await disturbed(scenario, "undone", 1)

    assert told.run is not None
    assert RunState.DONE is told.run.state
    assert words in told.run.words
    assert told.run.steps[-1].settled in told.run.words


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ("the device is taken offline", "it is OFFLINE (somebody ran: zpool offline tank"),
        ("the device is pulled", "it is REMOVED"),
    ],
)
async def test_a_device_that_goes_right_after_clear_leaves_its_end_unknown(change: str, words: str) -> None:
    scenario = Scenario(case("clear tank {0}"))
    await scenario.begin()

    told = await disturbed(scenario, change, 1)

    assert told.run is not None
    assert RunState.UNKNOWN is told.run.state
    assert "not so now, and not known whether it was" in told.run.words
    assert words in told.run.words


async def test_an_end_that_was_seen_is_not_made_up_later() -> None:
    """The history has the clear, and what became of the device is not known for all that."""
    scenario = Scenario(case("clear tank {0}"))
    await scenario.begin()
    told = await disturbed(scenario, "the device is pulled", 1)
    assert told.run is not None
    operator = Operator(
        [told.host], clock=told.host.clock, policies=Policies(clock=told.host.clock), journal=told.journal
    )

    recovered = await operator.recover(told.host.label)

    assert () == recovered
    assert () == told.journal.unsettled()
    assert [(RunState.UNKNOWN, told.run.words)] == [
        (each.state, each.words) for each in told.journal.entries()
    ]


async def test_the_last_good_copy_is_not_taken_offline_by_force() -> None:
    """ZFS marks it DEGRADED, and ends with 0."""
    scenario = Scenario(case("offline tank {0} --fault"))
    await scenario.begin()

    told = await disturbed(scenario, "a second device fails", 0)

    assert told.run is not None
    assert RunState.FAILED is told.run.state
    assert "is FAULTED; it is DEGRADED" in told.run.words


async def test_a_pool_that_is_replaced_after_its_property_was_set_was_hit_by_the_command() -> None:
    """And the one that has its name now was not."""
    scenario = Scenario(case("set tank autotrim=on"))
    await scenario.begin()

    told = await disturbed(scenario, "destroyed and made anew", 1)

    assert told.run is not None
    assert RunState.DONE is told.run.state


async def test_what_is_undone_and_moved_aside_is_not_said_to_have_been_done_to_another() -> None:
    scenario = Scenario(case("set tank/full readonly=on"))
    await scenario.begin()
    act = max(scenario.told.host.acts_at)
    changes = {act + 1: [UNDONE, CHANGES["swapped for an empty one"]]}

    told = await carry_out(scenario.case, scenario.start, changes, {})

    assert told.run is not None
    assert RunState.UNKNOWN is told.run.state
    assert "it is not known to which of them it was done" in told.run.words


@pytest.mark.parametrize(
    "name", ["set tank autotrim=on", "clear tank {0}", "offline tank {0}", "rename tank/full@t @other"]
)
@pytest.mark.parametrize("after_act", [1, 12])  # of these the second is between two readings of one look
async def test_what_is_exported_right_after_a_command_tells_nothing(name: str, after_act: int) -> None:
    """Nor that it was done: the pool may have been another one."""
    scenario = Scenario(case(name))
    await scenario.begin()
    changes = {max(scenario.told.host.acts_at) + after_act: [GONE]}

    told = await carry_out(scenario.case, scenario.start, changes, {})

    assert told.run is not None
    assert RunState.UNKNOWN is told.run.state
    assert "what it changed is not there any more, and cannot be read" in told.run.words


@pytest.mark.parametrize("name", ["clear tank", "clear tank {0}", "offline tank {0} --fault"])
async def test_a_pool_that_is_suspended_right_after_a_command_does_not_tell_that_it_was_done(
    name: str,
) -> None:
    scenario = Scenario(case(name))
    await scenario.begin()
    changes = {max(scenario.told.host.acts_at) + 1: [SUSPENDED]}

    told = await carry_out(scenario.case, scenario.start, changes, {})

    assert told.run is not None
    assert RunState.UNKNOWN is told.run.state
    assert "tank is suspended, and whether it is so cannot be read" in told.run.words


async def test_a_bookmark_that_was_made_beside_a_copy_is_not_done() -> None:
    """The copy came in the time that the command takes to start, with a snapshot of that name and guid."""
    scenario = Scenario(case("bookmark tank/home@s mark"))
    await scenario.begin()

    told = await disturbed(scenario, "swapped for a copy", 0)

    assert told.run is not None
    assert RunState.UNKNOWN is told.run.state
    assert (
        "tank/home is another object now, and the one that was reviewed is tank/home-safe" in told.run.words
    )


async def test_what_is_unmounted_leaves_no_record() -> None:
    scenario = Scenario(case("mount tank/unmounted"))
    await scenario.begin()

    told = await disturbed(scenario, "undone", 1)

    assert told.run is not None
    assert RunState.DONE is told.run.state
    assert "done; changed since, and not so any more: mounted of tank/unmounted is yes" == told.run.words


async def test_a_device_that_was_pulled_before_online_was_not_brought_online() -> None:
    """ZFS says so itself, and ends with 0."""
    scenario = Scenario(case("online tank {0}"))
    await scenario.begin()

    told = await disturbed(scenario, "the device is pulled", 0)

    assert told.run is not None
    assert RunState.FAILED is told.run.state
    assert "is ONLINE or DEGRADED; it is UNAVAIL" in told.run.words
    assert "remains in faulted state" in told.run.steps[0].said
