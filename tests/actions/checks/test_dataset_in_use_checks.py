"""Who uses a dataset, and who may unmount it."""

from __future__ import annotations

import pytest

from tests.actions.checks.drafts import draft, rules
from tests.doubles.plan_worlds import filesystem, host, snapshot, volume
from zconsole.actions.checks.dataset_in_use_checks import check_uses, refuse_unmounting_as_user
from zconsole.actions.plan import Dependent, Risk
from zconsole.model.host.plan_facts import OutsideUse, Privileges


@pytest.mark.parametrize(
    ("instead", "use"),
    [
        ("shut web down first", OutsideUse("/dev/zvol/tank/v+1", "guest", "web")),
        ("swapoff /dev/zd0 first", OutsideUse("tank/v 1", "swap", "/dev/zd0")),
        ("take md0 off it first", OutsideUse("tank/v 1", "holder", "md0")),
        ("end smbd first", OutsideUse("tank/v 1", "process", "smbd")),
        ("unmount /mnt first", OutsideUse("tank/v 1", "mount", "/mnt")),
        ("pct shutdown 101, first", OutsideUse("tank/v 1", "container", "101", "", "pct shutdown 101")),
    ],
)
def test_what_runs_on_a_volume_blocks_and_is_told_how_to_end(instead: str, use: OutsideUse) -> None:
    made = draft()

    check_uses(made, (volume("tank/v 1"),), host(uses=(use,)), undone="it would be lost")

    assert ["in-use"] == rules(made)
    assert instead == made.refusals[0].instead
    assert made.refusals[0].reason.endswith(": it would be lost")


def test_a_mounted_file_system_is_a_dependent_though_no_use_tells_of_it() -> None:
    made = draft()

    check_uses(made, (filesystem("tank/a"),), host(uses=()), undone="x")

    assert [] == rules(made)
    assert [Dependent("mount", "/tank/a", "on tank/a")] == made.dependents


def test_a_dataset_of_a_stopped_container_is_told_and_does_not_block() -> None:
    made = draft()
    use = OutsideUse("tank/a", "container data", "101 (files)", "not seen running")

    check_uses(made, (filesystem("tank/a", is_mounted=False),), host(uses=(use,)), undone="x")

    assert [] == rules(made)
    assert [Dependent("container data", "101 (files)", "on tank/a, not seen running")] == made.dependents


def test_a_name_of_an_engine_is_told_as_a_name_unless_more_is_known() -> None:
    disk = volume("tank/vm-100-disk-0")
    known = OutsideUse(disk.name, "container", "100 (mail)", "", "qm shutdown 100")
    by_name, by_use = draft(), draft()

    check_uses(by_name, (disk,), host(uses=(), datasets=(disk,)), undone="x")
    check_uses(by_use, (disk,), host(uses=(known,), datasets=(disk,)), undone="x")

    words = "named as Proxmox names the disk of guest 100; whether it is one is not known"
    assert [Dependent("container data", disk.name, words)] == by_name.dependents
    assert ["container"] == [each.kind for each in by_use.dependents]
    assert [] == rules(by_name)


def test_layers_are_told_by_the_dataset_above_them() -> None:
    layers = [
        filesystem(f"tank/docker/{digit * 64}", is_mounted=False, mountpoint="legacy") for digit in "ab"
    ]
    above = filesystem("tank/docker", is_mounted=False)
    whole, one = draft(), draft()

    check_uses(whole, (above, *layers), host(uses=(), datasets=(above, *layers)), undone="x")
    check_uses(one, layers[:1], host(uses=(), datasets=(above, *layers)), undone="x")

    assert ["tank/docker"] == [each.name for each in whole.dependents]
    assert [layers[0].name] == [each.name for each in one.dependents]


def test_uses_that_could_not_be_read_are_a_warning() -> None:
    made = draft()

    check_uses(made, (), host(uses=None), undone="x")

    assert 1 == len(made.warnings)


def test_a_user_does_not_unmount() -> None:
    ann, root = draft(), draft()

    refuse_unmounting_as_user(ann, (filesystem("tank/a"),), host(privileges=Privileges("ann", 1000)))
    refuse_unmounting_as_user(root, (filesystem("tank/a"),), host())

    assert ["unmount-permission"] == rules(ann)
    assert [] == rules(root)


def test_many_guests_on_a_dataset_are_one_refusal() -> None:
    uses = tuple(OutsideUse("tank/vm", "guest", f"web{at:02}", "disk") for at in range(9))
    made = draft()

    check_uses(made, [filesystem("tank/vm")], host(uses=uses), undone="gone")

    assert [("guests web00, web01, web02 and 6 more are on tank/vm: gone", "shut them down first")] == [
        (each.reason, each.instead) for each in made.refusals
    ]
    assert 9 == len([each for each in made.dependents if each.kind == "guest"])


def test_many_datasets_with_a_guest_each_are_one_refusal() -> None:
    places = [f"tank/vm{at}" for at in range(9)]
    uses = tuple(OutsideUse(place, "guest", f"of-{place[5:]}", "disk") for place in places)
    made = draft()

    check_uses(made, [filesystem(each) for each in places], host(uses=uses), undone="gone")

    assert [
        "guests of-vm0, of-vm1, of-vm2 and 6 more are on tank/vm0, tank/vm1, tank/vm2 and 6 more: gone"
    ] == [each.reason for each in made.refusals]


def test_where_guests_could_not_be_looked_at_a_dataset_is_changed_as_if_one_had_it_open() -> None:
    made, of_snapshot = draft(), draft()
    facts = host(uses=(), guests_unread="7 guests of libvirt could not be looked at")

    check_uses(made, (volume("tank/v"),), facts, undone="x")
    check_uses(of_snapshot, (snapshot("tank/v@a", 1),), facts, undone="x")

    assert Risk.CATASTROPHIC is made.risk
    assert made.warnings[0].startswith("7 guests of libvirt could not be looked at: whether one of them")
    assert "virsh domblklist" in made.warnings[0]
    assert (Risk.ROUTINE, []) == (of_snapshot.risk, of_snapshot.warnings)
