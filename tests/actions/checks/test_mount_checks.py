"""Nothing is mounted over the running system; what a mount hides elsewhere is told."""

from __future__ import annotations

import pytest

from tests.actions.checks.drafts import draft, rules
from tests.doubles.plan_worlds import host
from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.mount_checks import MOST_TOLD, check_placements, why_not
from zconsole.actions.checks.mount_points_after_change import Placement
from zconsole.actions.plan import Risk
from zconsole.model.host.mount_points import HostMount, MountTarget, MountTargets, TargetType
from zconsole.model.host.plan_facts import OutsideUse

DIRECTORY = TargetType.DIRECTORY
EMPTY = MountTarget("/srv", "/srv", DIRECTORY, 0)


def judged(placement: Placement, target: MountTarget, *mounts: HostMount) -> Draft:
    made = draft()
    facts = host(mounting=MountTargets(mounts, (target,)))
    check_placements(made, (placement,), facts)
    return made


@pytest.mark.parametrize(
    ("rule", "targets"),
    [
        (None, MountTargets((), (EMPTY,))),
        ("system-mountpoint", MountTargets((), (MountTarget("/srv", "/etc", DIRECTORY, 0),))),
        ("mountpoint-unread", MountTargets((), ())),
        ("mountpoint-unread", MountTargets(None, (EMPTY,))),
        ("mountpoint-unread", MountTargets((), (MountTarget("/srv"),))),
        ("not-a-directory", MountTargets((), (MountTarget("/srv", "/srv", TargetType.OTHER),))),
        (
            "mountpoint-in-use",
            MountTargets((), (MountTarget("/srv", "/srv", DIRECTORY, 0, open_by=("sh",)),)),
        ),
        ("system-mountpoint", MountTargets((), (EMPTY,), (("/srv", "the configuration of this console"),))),
    ],
)
def test_a_path_takes_a_mount_only_where_it_is_known_to_be_harmless(
    rule: str | None, targets: MountTargets
) -> None:
    objection = why_not("/srv", host(mounting=targets))

    assert rule == (None if objection is None else objection.rule)


def test_many_processes_that_stand_there_are_counted() -> None:
    busy = MountTarget("/srv", "/srv", DIRECTORY, 0, open_by=tuple(f"p{at}" for at in range(7)))

    objection = why_not("/srv", host(mounting=MountTargets((), (busy,))))

    assert objection is not None
    assert "p0, p1, p2, p3, p4 and 2 more have open what is there" == objection.why


OFF = OutsideUse("tank", "stopped guest", "db01", "", path="/srv/db01.raw")
RUNS = OutsideUse("/dev/sda1", "guest", "web01", "", path="/images/web01.raw", real="/srv/web01.raw")
BESIDE = OutsideUse("/dev/sda1", "guest", "web02", "", path="/srv2/web02.raw")


def with_guests(target: MountTarget, *uses: OutsideUse) -> Draft:
    made = draft()
    facts = host(mounting=MountTargets((), (target,)), uses=uses)
    check_placements(made, (Placement("tank/a", "/srv"),), facts)
    return made


def test_a_mount_names_the_guests_whose_images_it_hides() -> None:
    made = with_guests(MountTarget("/srv", "/srv", DIRECTORY, 2), OFF, RUNS, BESIDE)

    assert [("stopped guest", "db01"), ("guest", "web01")] == [(e.kind, e.name) for e in made.dependents]
    assert (
        "tank/a hides images of guests (db01, web01): the next start finds there what tank/a has; files that "
        "are open stay so until then (web01)"
    ) in made.warnings


def test_an_empty_directory_hides_no_image() -> None:
    assert [] == with_guests(EMPTY, OFF, RUNS).dependents


def test_a_running_guest_in_the_directory_is_named_beside_its_process() -> None:
    made = with_guests(MountTarget("/srv", "/srv", DIRECTORY, 2, open_by=("qemu-kvm[7]",)), RUNS)

    assert ["mountpoint-in-use"] == rules(made)
    assert ["web01"] == [each.name for each in made.dependents]


def test_an_empty_directory_costs_no_word() -> None:
    made = judged(Placement("tank/a", "/srv"), EMPTY)

    assert [] == [*rules(made), *made.warnings]
    assert Risk.ROUTINE is made.risk
    assert {"what is in /srv": "nothing", "mounts at or below /srv": "none"} == made.basis


@pytest.mark.parametrize(
    ("said", "target"),
    [
        ("/srv is not empty: tank/a hides 1 entry", MountTarget("/srv", "/srv", DIRECTORY, 1)),
        (
            "/srv is not empty: tank/a hides at least 9 entries",
            MountTarget("/srv", "/srv", DIRECTORY, 9, True),
        ),
        ("what is in /srv could not be counted: tank/a hides it", MountTarget("/srv", "/srv", DIRECTORY)),
    ],
)
def test_what_a_mount_hides_is_told_and_makes_it_a_matter_of_caution(said: str, target: MountTarget) -> None:
    made = judged(Placement("tank/a", "/srv"), target)

    assert [said] == made.warnings
    assert Risk.CAUTION is made.risk


def test_a_file_system_without_overlay_is_not_mounted_on_what_is_not_empty() -> None:
    made = judged(Placement("tank/a", "/srv", overlay="off"), MountTarget("/srv", "/srv", DIRECTORY, 1))

    assert made.warnings[-1].startswith("overlay of tank/a is off")


def test_a_mount_below_is_hidden_and_one_that_the_action_unmounts_is_not() -> None:
    disk, own = HostMount("/dev/sdb1", "/srv/disk", "ext4"), HostMount("tank/a", "/srv/own", "zfs")

    made = judged(Placement("tank/a", "/srv", is_mounted=True), EMPTY, disk, own)

    assert ["tank/a hides /dev/sdb1, mounted on /srv/disk"] == made.warnings


def test_what_is_not_mounted_by_itself_is_warned_of_and_not_refused() -> None:
    made = judged(Placement("tank/a", "/srv", "noauto"), MountTarget("/srv", "/srv", TargetType.OTHER))

    assert [] == rules(made)
    assert "tank/a is not mounted by this: its canmount is noauto" in made.warnings[0]


def test_what_is_never_mounted_warns_of_the_system_path_that_its_descendants_inherit() -> None:
    made = judged(Placement("tank/a", "/etc", "off"), MountTarget("/etc", "/etc", DIRECTORY, 90))

    assert [] == rules(made)
    assert Risk.CAUTION is made.risk
    (said,) = made.warnings
    assert said.startswith(
        "tank/a is not mounted by this: its canmount is off; to mount it on /etc is refused: "
    )
    assert said.endswith("the running system needs it; file systems below it inherit that mountpoint")


@pytest.mark.parametrize(
    "target",
    [
        MountTarget("/srv", "/srv", DIRECTORY, 9),
        MountTarget("/srv", "/srv", DIRECTORY, 0, open_by=("sh",)),
        MountTarget("/srv"),
    ],
)
def test_what_is_never_mounted_hides_nothing_elsewhere(target: MountTarget) -> None:
    made = judged(Placement("tank/a", "/srv", "off"), target, HostMount("/dev/sdb1", "/srv/disk", "ext4"))

    assert ([], [], Risk.ROUTINE) == (rules(made), made.warnings, made.risk)


def test_of_many_the_rest_is_counted() -> None:
    placements = [Placement(f"tank/{at}", "/etc") for at in range(MOST_TOLD + 2)]
    full = [Placement(f"tank/{at}", f"/srv/{at}") for at in range(MOST_TOLD + 2)]
    there = tuple(MountTarget(each.path, each.path, DIRECTORY, 1) for each in full)
    refused, hiding = draft(), draft()

    check_placements(refused, placements, host())
    check_placements(hiding, full, host(mounting=MountTargets((), there)))

    assert MOST_TOLD + 1 == len(refused.refusals)
    assert "and 2 more would be mounted on such paths" == refused.refusals[-1].reason
    assert "2 more mountpoints are directories that may not be empty" == hiding.warnings[-1]
