"""The exercise of a full pool: done well, resumed too early, powered off, and with too much destroyed."""

from __future__ import annotations

from tests.practice.exercises.learner import Learner
from zconsole.model.exercise import Insert, RemarkKind
from zconsole.practice.libvirt.guests import SHUT_DOWN, SHUT_OFF

GOOD, RISKY, LEFT = RemarkKind.GOOD, RemarkKind.RISKY, RemarkKind.LEFT
OLD = "tank/vm/images@before-migration"
RESUMED = "was resumed once there was space: it goes on where it stood"
EARLY = "was resumed while tank had no space: it is paused again at its next write"


def states(learner: Learner) -> dict[str, tuple[int, int]]:
    return {each.name: (each.state, each.reason) for each in learner.host.world.guests}


async def test_space_first_then_the_guests_and_nothing_is_left() -> None:
    learner = await Learner.begin("full-pool")
    assert "mail01 and shop01 do not run; tank has 0 B free." == learner.state().outcome
    assert [
        "mail01 is paused: free space, then resume it",
        "shop01 is paused: free space, then resume it",
        "tank has 0% free: it is full again soon",
    ] == learner.said(LEFT)

    await learner.do(f"zfs destroy {OLD}")
    for name in ("mail01", "shop01"):
        await learner.ask(f"virsh -c qemu:///system resume {name}")
    await learner.wait(60)

    assert [] == learner.said(RISKY) == learner.said(LEFT)
    freed, *resumed = learner.said(GOOD)
    assert "came free by destroying snapshots alone (1)" in freed
    assert [f"mail01 {RESUMED}", f"shop01 {RESUMED}"] == resumed
    assert learner.state().outcome.startswith("All guests run again, with ")
    assert learner.state().is_done


async def test_a_guest_resumed_without_space_is_paused_again() -> None:
    learner = await Learner.begin("full-pool")

    await learner.ask("virsh -c qemu:///system resume mail01")
    await learner.wait(5)

    assert [f"mail01 {EARLY}"] == learner.said(RISKY)
    assert (3, 5) == states(learner)["mail01"]
    assert "no space" in (await learner.ask("virsh -c qemu:///system domblkerror mail01")).stdout.decode()


async def test_too_little_space_is_used_up() -> None:
    learner = await Learner.begin("full-pool")
    small = min(
        (each for each in learner.host.pool("tank").datasets["tank/home"].snapshots if each.dead),
        key=lambda each: sum(each.dead.values()),
    )
    await learner.do(f"zfs destroy tank/home@{small.name}")
    await learner.ask("virsh -c qemu:///system resume shop01")
    assert any("it is full again soon" in each for each in learner.said(LEFT))

    await learner.wait(24 * 3600)

    assert (3, 5) == states(learner)["shop01"]
    assert not learner.state().is_done


async def test_a_destroyed_dataset_is_risky() -> None:
    learner = await Learner.begin("full-pool")

    await learner.do("zfs destroy -r tank/backup")

    assert ["tank/backup was destroyed: snapshots would have freed enough"] == learner.said(RISKY)


async def test_a_guest_that_is_powered_off_while_it_is_paused_loses_what_it_had_not_written() -> None:
    learner = await Learner.begin("full-pool")
    before = learner.exercise.look()
    guest = learner.host.world.guests[0]
    guest.state, guest.reason = SHUT_OFF, SHUT_DOWN

    learner.exercise.note(before)

    assert ["mail01 was powered off while it was paused: what it had not written is lost"] == learner.said(
        RISKY
    )
    assert "mail01 is off: start it" in learner.said(LEFT)


async def test_the_rack_does_nothing_here() -> None:
    learner = await Learner.begin("full-pool")
    before = learner.state().bays
    assert 4 == len(before)

    await learner.by_hand(Insert("ZC13A01K", 7))

    assert before == learner.state().bays
