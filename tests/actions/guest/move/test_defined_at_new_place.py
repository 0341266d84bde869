"""A guest that is defined at the new place and not started there yet: its old place is found."""

from __future__ import annotations

from tests.doubles.moving_guests import NEW, OLD, ConsoleKilled, MovingGuest, in_short, kill_console
from tests.doubles.plan_worlds import filesystem, host, snapshot
from zconsole.actions.guest.move.defined_at_new_place import MOST_ASKED, is_off_at, needs_of_old_place
from zconsole.actions.plan import Risk
from zconsole.practice.libvirt.guests import SHUT_OFF, PracticeGuestDisk


async def defined(*, on_volume: bool = True) -> MovingGuest:
    """The console was killed before the start."""
    moving = MovingGuest(on_volume=on_volume)
    moving.meanwhile("start", 1, kill_console)
    try:
        await moving.move()
    except ConsoleKilled:
        return moving
    raise AssertionError("it was to be killed")


async def test_what_was_written_to_the_old_place_in_the_last_moment_is_sent_before_the_start() -> None:
    moving = await defined()
    moving.fill(5, OLD)
    moving.type(f"zfs snapshot {OLD}@hourly")

    left = await moving.again()
    await moving.run(left, moving.another())

    assert ["snapshot", "receive", "start"] == [in_short(step.argv) for step in left.steps]
    assert any(f"5.00 MiB was written to {OLD} since" in note for note in left.notes)
    assert "0" == moving.get(OLD, "written@zconsole-move-4-off")
    assert moving.guids(OLD)[-1] == moving.guids(NEW)[-1]


async def test_without_it_only_the_start_is_left_and_looks_again() -> None:
    moving = await defined()

    left = await moving.again()

    assert ["start"] == [in_short(step.argv) for step in left.steps]
    rest = left.steps[0].at_rest
    assert rest is not None
    assert f"{OLD}@zconsole-move-3-off" == rest.snapshot
    assert left.undo is not None
    assert OLD in left.undo


async def test_a_guest_that_has_run_at_the_new_place_gets_nothing_of_the_old_one() -> None:
    moving = await defined()
    moving.fill(5, OLD)
    moving.fill(3, NEW)

    left = await moving.again()

    (refused,) = left.refusals
    assert "half-moved" == refused.rule
    assert f"5.00 MiB was written to {OLD} since" in refused.reason
    assert ["guest-start"] == [each.action for _, each in left.alternatives]


def test_only_one_that_is_off_with_no_other_place_is_looked_for() -> None:
    assert is_off_at(NEW, (), is_active=False)
    assert not is_off_at(NEW, (OLD,), is_active=False)
    assert not is_off_at(NEW, (), is_active=True)
    assert not is_off_at("", (), is_active=False)


def test_of_many_datasets_those_of_the_same_name_are_asked_first() -> None:
    many = [filesystem(f"tank/a{number:04}") for number in range(MOST_ASKED + 5)]
    facts = host([*many, filesystem("tank/z/web01"), filesystem(NEW), snapshot(f"{NEW}@zconsole-move-3-off")])

    asked = needs_of_old_place(NEW, facts).properties

    assert 2 * MOST_ASKED == len(asked)
    assert ("tank/z/web01@zconsole-move-3-off", "guid") == asked[0]
    assert () == needs_of_old_place("tank/z/web01", facts).properties


async def test_one_that_is_to_stay_off_is_left_so() -> None:
    moving = await defined()

    left = await moving.again(**{"leave-off": True})

    assert ([], SHUT_OFF) == (list(left.steps), moving.guest.state)


async def test_a_disk_that_was_never_moved_does_not_keep_it_from_its_start() -> None:
    moving = await defined()
    moving.guest.disks.append(PracticeGuestDisk("vdb", "/srv/other.img"))

    left = await moving.again()

    assert ([], ["start"]) == (list(left.refusals), [in_short(step.argv) for step in left.steps])


async def test_a_start_there_says_what_it_would_be_without() -> None:
    moving = await defined()
    sound = await moving.plan("guest-start", "web01", operator=moving.another())
    moving.fill(5, OLD)

    short = await moving.plan("guest-start", "web01", operator=moving.another())
    moving.fill(3, NEW)
    both = await moving.plan("guest-start", "web01", operator=moving.another())

    assert (Risk.ROUTINE, ()) == (sound.risk, sound.loses)
    assert Risk.DESTRUCTIVE is short.risk
    (lost,) = short.loses
    assert f"5.00 MiB was written to {OLD} since {OLD}@zconsole-move-3-off, the last that {NEW} got" in lost
    assert f"zconsole plan guest-move web01 {NEW} sends it first" in lost
    assert Risk.DESTRUCTIVE is both.risk
    assert both.loses[0].endswith("web01 starts without it")
