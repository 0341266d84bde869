"""Promotions name the guests on what moves, and the space that is charged where."""

from __future__ import annotations

import pytest

from tests.actions.dataset.plans import planned
from tests.actions.guest.test_space_taken_from_guests import available, nas  # noqa: F401
from tests.actions.pool.test_practice import Acting
from tests.doubles.plan_worlds import GIB, filesystem, host, images, linked, snapshot, volume
from zconsole.actions.plan import Plan, Risk
from zconsole.base.fixed_width_formatting import size
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.practice.libvirt.guests import PracticeGuest, PracticeGuestDisk
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.world.dataset_writes_and_snapshots import write

MIB = 1 << 20


def guest(place: str, name: str, path: str, kind: str = "guest", real: str = "") -> OutsideUse:
    return OutsideUse(place, kind, name, path, path=path, real=real)


def promoted(*uses: OutsideUse, unread: bool = False) -> Plan:
    return planned(host(images(), uses=None if unread else uses), "promote", "tank/vm1")


def test_guests_on_the_clone_its_origin_and_other_clones_are_named_and_nothing_changes_for_them() -> None:
    made = promoted(
        guest("tank/vm1", "web01", "/dev/zvol/tank/vm1", "stopped guest"),
        guest("tank/images", "mail01", "/tank/images/mail01.qcow2"),
        guest("/dev/zvol/tank/vm2", "web02", "/dev/zvol/tank/vm2"),
        guest("tank/home", "other", "/tank/home/other.raw"),
    )

    assert (
        "nothing changes for web01 (off) on tank/vm1; mail01 on tank/images; web02 on tank/vm2: "
        "mounts, devices and paths stay as they are"
    ) in made.notes
    assert Risk.CAUTION is made.risk
    assert not {"guest", "stopped guest"} & {each.kind for each in made.dependents}


@pytest.mark.parametrize(
    ("path", "place", "after"),
    [
        ("/tank/images/.zfs/snapshot/gold/a.qcow2", "tank/images", "/.zfs/snapshot/gold/a.qcow2"),
        ("/tank/images/.zfs/snapshot/gold/a.qcow2", "tank/images@gold", "/.zfs/snapshot/gold/a.qcow2"),
        ("/dev/zvol/tank/images@gold", "tank/images@gold", "/dev/zvol/tank/vm1@gold"),
        ("/dev/zvol/tank/images@gold-part1", "tank/images@gold", "/dev/zvol/tank/vm1@gold-part1"),
    ],
)
def test_a_running_guest_with_a_snapshot_that_moves_refuses_and_one_that_is_off_is_warned_of(
    path: str, place: str, after: str
) -> None:
    running = promoted(guest(place, "mail01", path))
    off = promoted(guest(place, "mail01", path, "stopped guest"))

    assert ["in-use"] == [each.rule for each in running.refusals]
    assert path in running.refusals[0].reason
    assert after in running.refusals[0].reason
    assert () == off.refusals
    assert [True] == [path in each and after in each for each in off.warnings if "mail01" in each]


@pytest.mark.parametrize("path", ["/tank/images/.zfs/snapshot/golden/a", "/tank/images/gold/a"])
def test_the_path_of_another_snapshot_or_folder_stays(path: str) -> None:
    made = promoted(guest("tank/images", "mail01", path))

    assert () == made.refusals
    assert any("nothing changes for mail01" in each for each in made.notes)


def test_without_the_uses_it_says_that_nobody_knows_which_guests_name_a_snapshot() -> None:
    assert "which guests name a snapshot that moves is not known" in promoted(unread=True).warnings


def clone_with_history(nas: Acting, above: str) -> None:  # noqa: F811
    """A file system with two snapshots of different data, and a clone of the newer one in `above`."""
    world = nas.host.world
    for words in (("create", "tank/base"), ("create", above) if above != "tank" else ("list",)):
        assert 0 == answer(world, ("zfs", *words)).status
    base = world.pools["tank"].datasets["tank/base"]
    for name in ("old", "gold"):
        write(world.pools["tank"], base, 100 * MIB)
        assert 0 == answer(world, ("zfs", "snapshot", f"tank/base@{name}")).status
    assert 0 == answer(world, ("zfs", "clone", "tank/base@gold", f"{above}/clone")).status


def used(nas: Acting, name: str) -> str:  # noqa: F811
    return size(int(answer(nas.host.world, ("zfs", "get", "-Hpo", "value", "used", name)).stdout))


async def test_it_tells_what_is_charged_where_as_it_then_is(nas: Acting) -> None:  # noqa: F811
    clone_with_history(nas, "tank")
    was = used(nas, "tank/base"), used(nas, "tank/clone")

    made = await nas.do("promote", "tank/clone")

    then = used(nas, "tank/base"), used(nas, "tank/clone")
    (told,) = [each for each in made.notes if "are charged to" in each]
    assert f"charged to tank/clone then ({was[1]} used become {then[1]})" in told
    assert f"no longer to tank/base ({was[0]} become {then[0]})" in told
    left = size(available(nas, "tank/clone"))
    assert any(each.startswith(f"{left} are left for tank/clone then") for each in made.notes)


async def test_what_it_leaves_to_a_guest_below_the_quota_of_the_clone_is_told(nas: Acting) -> None:  # noqa: F811
    clone_with_history(nas, "tank/vms")
    answer(nas.host.world, ("zfs", "set", "quota=210M", "tank/vms"))
    disk = PracticeGuestDisk("vda", "/tank/vms/app.raw", "raw")
    nas.host.world.guests.append(PracticeGuest("app01", [disk]))

    made = await nas.plan("promote", "tank/vms/clone")

    assert Risk.CATASTROPHIC is made.risk
    assert {"app01"} == {each.name for each in made.dependents if each.kind == "guest"}
    assert 0 == answer(nas.host.world, ("zfs", "promote", "tank/vms/clone")).status
    left = size(available(nas, "tank/vms"))
    assert [True] == [each.startswith(f"{left} are left then") for each in made.warnings if "app01" in each]


async def test_more_than_a_quota_has_left_is_refused_as_zfs_refuses_it(nas: Acting) -> None:  # noqa: F811
    clone_with_history(nas, "tank/vms")
    answer(nas.host.world, ("zfs", "set", "quota=150M", "tank/vms"))

    made = await nas.plan("promote", "tank/vms/clone")

    assert ["space"] == [each.rule for each in made.refusals]
    done = answer(nas.host.world, ("zfs", "promote", "tank/vms/clone"))
    assert "out of space" in done.stderr
    assert "raise the quota above tank/vms/clone" in made.refusals[0].instead


def test_the_clone_of_a_clone_takes_only_what_its_origin_has_written() -> None:
    """ZFS subtracts what the first snapshot has from its own origin: `written` does."""
    tree = linked((
        filesystem("tank", used_bytes=30 * GIB),
        volume("tank/base"), snapshot("tank/base@0", 1, written_bytes=2 * GIB),
        volume("tank/a", origin="tank/base@0"), snapshot("tank/a@1", 2, written_bytes=3 * MIB),
        volume("tank/b", origin="tank/a@1"),
    ))  # fmt: skip

    made = planned(host(tree), "promote", "tank/b")

    assert any(each.startswith(f"the snapshots that move hold {size(3 * MIB)}") for each in made.notes)


def test_a_snapshot_of_unknown_size_is_said() -> None:
    tree = linked((
        filesystem("tank"), volume("tank/a"), snapshot("tank/a@1", 2, written_bytes=None),
        volume("tank/b", origin="tank/a@1"),
    ))  # fmt: skip

    made = planned(host(tree), "promote", "tank/b")

    assert "how much of tank/a will be charged to tank/b is not known" in made.warnings


@pytest.mark.parametrize(
    ("kind", "called"), [("guest", "mail01"), ("stopped guest", "mail01 (off)"), ("container", "mail01")]
)
def test_the_snapshots_of_a_guest_that_go_to_the_clone_are_warned_of_with_their_number(
    kind: str, called: str
) -> None:
    (warned,) = promoted(guest("tank/images", "mail01", "/tank/images/mail01.qcow2", kind)).warnings

    assert warned.startswith(f"a snapshot of tank/images, which {called} is on, goes to tank/vm1: ")
    assert "cannot be rolled back" in warned
    assert "no base under its own name" in warned


def test_without_a_guest_on_the_origin_there_is_no_such_warning() -> None:
    assert () == promoted(guest("tank/vm1", "web01", "/dev/zvol/tank/vm1")).warnings
