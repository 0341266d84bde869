"""What plans say of guests whose disks they destroy or take away."""

from __future__ import annotations

import pytest

from tests.actions.dataset.plans import planned
from tests.actions.guest.test_guests_that_are_off import nas, off  # noqa: F401
from tests.actions.pool.test_practice import Acting
from tests.doubles.plan_worlds import GIB, filesystem, host, snapshot, volume
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.practice.libvirt.guests import RUNNING

TREE = (filesystem("tank"), volume("tank/web01", referenced_bytes=8 * GIB), snapshot("tank/web01@a"))
OFF_WEB01 = OutsideUse("/dev/zvol/tank/web01", "stopped guest", "web01", path="/dev/zvol/tank/web01")
CANNOT = "web01, off at present, cannot be started after this: "


def test_what_is_lost_of_a_guest_stands_before_the_number_of_objects() -> None:
    made = planned(host(TREE, uses=(OFF_WEB01,)), "destroy", "tank/web01", recursive=True)

    assert ("what guest web01 has on tank/web01, 8.00 GiB",) == made.loses
    assert 2 == made.count_to_type


def test_a_snapshot_of_a_guest_is_no_disk_of_it() -> None:
    made = planned(host(TREE, uses=(OFF_WEB01,)), "destroy", "tank/web01@a")

    assert () == made.loses
    assert not [each for each in made.warnings if "cannot be started" in each]


def test_containers_are_told_as_such_and_many_are_counted() -> None:
    tree = (filesystem("tank"), *(filesystem(f"tank/ct{at}") for at in range(8)))
    uses = tuple(OutsideUse(f"tank/ct{at}", "container data", f"ct{at}") for at in range(8))

    made = planned(host(tree, uses=uses), "destroy", "tank/ct3")
    whole = planned(
        host((*tree, filesystem("tank/all"), *(filesystem(f"tank/all/{at}") for at in range(8))),
             uses=tuple(OutsideUse(f"tank/all/{at}", "container data", f"ct{at}") for at in range(8))),
        "destroy", "tank/all", recursive=True,
    )  # fmt: skip

    assert ("what container ct3 has on tank/ct3, 2.00 GiB",) == made.loses
    assert 6 == len(whole.loses)
    assert "what guests and containers have on 3 more" == whole.loses[-1]


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("destroy", "tank/web01"), "the disks are destroyed"),
        (("destroy", "tank"), "the disks are destroyed"),
        (("export", "tank"), "the disks are away until tank is imported"),
    ],
    ids=" ".join,
)
async def test_guests_that_are_off_and_cannot_be_started_afterwards_are_named(
    off: Acting,  # noqa: F811
    words: tuple[str, ...],
    why: str,
) -> None:
    made = await off.plan(*words, **({"recursive": True} if words[1] != "tank" else {}))

    assert f"{CANNOT}{why}" in made.warnings


async def test_one_that_the_plan_shuts_down_is_said_to_stay_off(off: Acting) -> None:  # noqa: F811
    off.host.world.guests[0].state = RUNNING

    made = await off.plan("destroy", "tank/web01", recursive=True, shut_down_guests=True)

    assert not made.is_refused
    assert (
        "web01: off from the shutdown on, and cannot be started again: the disks are destroyed"
        == (made.downtime[0])
    )
    assert "web01" == made.dependents[0].name


def test_a_new_mountpoint_says_that_no_definition_follows() -> None:
    use = OutsideUse("tank/files", "stopped guest", "web01", path="/tank/files/a.raw")
    tree = (filesystem("tank"), filesystem("tank/files"))

    made = planned(host(tree, uses=(use,)), "set", "tank/files", "mountpoint=/x")

    assert any(each.startswith(CANNOT) and "no definition is changed" in each for each in made.warnings)


def test_what_runs_comes_first_among_those_that_depend_on_it() -> None:
    uses = (
        OutsideUse("tank/files", "share", "nfs"),
        OutsideUse("tank/files", "stopped guest", "web02", path="/tank/files/b.raw"),
        OutsideUse("tank/files", "guest", "web01", path="/tank/files/a.raw"),
    )

    made = planned(host((filesystem("tank"), filesystem("tank/files")), uses=uses), "unmount", "tank/files")

    assert ["guest", "stopped guest"] == [each.kind for each in made.dependents[:2]]
