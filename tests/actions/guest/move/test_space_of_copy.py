"""What the copy of a guest's dataset takes where it goes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.actions.checks.drafts import draft
from tests.doubles.moving_guests import NEW, OLD, MovingGuest
from tests.doubles.plan_worlds import GIB, filesystem, host, volume
from zconsole.actions.guest.move.space_of_copy import SpaceOfCopy, refuse_without_space, tell_space
from zconsole.base.fixed_width_formatting import size
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.model.run import RunState

SOURCE = volume("tank/web01", referenced_bytes=10 * GIB)
THERE = filesystem("fast", used_bytes=GIB, available_bytes=100 * GIB)
FACTS = host([SOURCE, filesystem("tank"), THERE])


async def test_a_refreservation_comes_beside_the_data_that_a_snapshot_holds() -> None:
    """The last increment is a snapshot: USEDREFRESERV of the copy is then whole."""
    moving = MovingGuest()
    moving.type(f"zfs set refreservation=100M {OLD}")

    made = await moving.plan("guest-move", "web01", NEW)

    assert "100 MiB of refreservation beside it" in made.space[0]
    before = int(moving.get("vault", "available"))
    assert RunState.DONE is (await moving.move()).state
    taken = before - int(moving.get("vault", "available"))
    assert f"{NEW} needs {size(taken)}:" == made.space[0].partition(": ")[0] + ":"


async def test_a_reservation_goes_with_the_copy() -> None:
    moving = MovingGuest(on_volume=False)
    moving.type(f"zfs set reservation=300M {OLD}")

    made = await moving.plan("guest-move", "web01", NEW)

    assert f"{NEW} needs 300 MiB" in made.space[0]
    assert RunState.DONE is (await moving.move()).state
    assert "314572800" == moving.get(NEW, "reservation")


@pytest.mark.parametrize(
    ("copy", "whole"),
    [
        (SpaceOfCopy(10 * GIB), 10 * GIB),
        (SpaceOfCopy(10 * GIB, refreservation=5 * GIB), 15 * GIB),
        (SpaceOfCopy(10 * GIB, reservation=5 * GIB), 10 * GIB),
        (SpaceOfCopy(10 * GIB, reservation=50 * GIB), 50 * GIB),
    ],
)
def test_all_that_others_lose_is_needed_to_the_byte(copy: SpaceOfCopy, whole: int) -> None:
    fits, lacks = draft(), draft()

    refuse_without_space(fits, "fast/web01", copy, _with_free(whole))
    refuse_without_space(lacks, "fast/web01", copy, _with_free(whole - 1))

    assert [] == fits.refusals
    assert ["space"] == [each.rule for each in lacks.refusals]


def _with_free(size_bytes: int) -> PlanFacts:
    return host([SOURCE, filesystem("tank"), replace(THERE, available_bytes=size_bytes)])


def test_the_same_size_in_both_pools_is_told_once() -> None:
    made = draft()

    tell_space(made, "fast/web01", SpaceOfCopy(10 * GIB), SOURCE, FACTS)

    assert "fast/web01 needs 10.0 GiB: 10.0 GiB of data; fast has 100 GiB available" == made.space[0]
    assert made.space[1].startswith("90.0 GiB are left then for all else in fast, 100 GiB now")


def test_another_size_says_why() -> None:
    made = draft()

    tell_space(made, "fast/web01", SpaceOfCopy(15 * GIB), SOURCE, FACTS)

    assert "about 15.0 GiB of data, 10.0 GiB in tank (16.0 KiB blocks have other parity" in made.space[0]


@pytest.mark.parametrize(("used", "warned"), [(69, 0), (70, 1), (79, 1), (80, 0)])
def test_a_pool_that_passes_the_share_from_which_it_slows_down_is_warned_of(used: int, warned: int) -> None:
    made = draft()
    there = replace(THERE, used_bytes=used * GIB, available_bytes=(100 - used) * GIB)

    tell_space(made, "fast/web01", SpaceOfCopy(10 * GIB), SOURCE, host([SOURCE, filesystem("tank"), there]))

    found = [each for each in made.warnings if f"fast is {used + 10}% used afterwards, {used}% now" in each]
    assert warned == len(found)
