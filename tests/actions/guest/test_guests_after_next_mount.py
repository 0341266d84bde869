"""Imports and canmount=noauto name the guests that find their images afterwards, or do not."""

from __future__ import annotations

import pytest

from tests.actions.guest.test_start_shutdown_suspend_resume import nas, web01  # noqa: F401
from tests.actions.pool.test_import_pool import VAULT, known
from tests.actions.pool.test_import_pool import planned as planned_pool
from tests.actions.pool.test_practice import Acting
from zconsole.actions.plan import Plan
from zconsole.model.host.plan_facts import OutsideUse
from zconsole.practice.libvirt.guests import SHUT_OFF, PracticeGuest, PracticeGuestDisk
from zconsole.practice.program_and_subcommand_table import answer


def imported(path: str, kind: str = "stopped guest", **options: object) -> Plan:
    use = OutsideUse("", kind, "web01", path=path)
    return planned_pool(known(VAULT, uses=(use,)), "import", "vault", **options)


def test_a_guest_whose_volume_comes_back_with_the_pool_is_named() -> None:
    made = imported("/dev/zvol/vault/web01")

    assert "guests find their disks on volumes of vault after this: web01 (off)" in made.notes
    assert not any("web01" in each for each in made.warnings)


def test_under_another_name_it_does_not_come_back() -> None:
    made = imported("/dev/zvol/vault/web01", name="v2")

    assert [True] == ["/dev/zvol/vault, and do not find them" in e for e in made.warnings if "web01" in e]
    assert not any("web01" in each for each in made.notes)


@pytest.mark.parametrize(
    ("path", "options", "is_named"),
    [
        ("/vault/vm/web01.raw", {}, True),
        ("/mnt/vault/web01.raw", {"altroot": "/mnt"}, True),
        ("/vault/vm/web01.raw", {"altroot": "/mnt"}, False),
        ("/vault2/web01.raw", {}, False),
        ("/v2/web01.raw", {"name": "v2"}, True),
    ],
)
def test_images_where_its_file_systems_are_mounted_by_default_are_told(
    path: str, options: dict[str, object], *, is_named: bool
) -> None:
    made = imported(path, "guest", **options)

    assert is_named == any("is hidden then" in each and "web01" in each for each in made.warnings)


def test_a_guest_that_was_defined_meanwhile_makes_the_plan_stale() -> None:
    before = planned_pool(known(VAULT, uses=()), "import", "vault")

    assert before.basis.differences(imported("/vault/a").basis)


async def test_a_guest_below_the_mount_point_of_a_dataset_that_is_not_mounted_by_itself(
    nas: Acting,  # noqa: F811
) -> None:
    """A boot environment that is not booted has the mountpoint of the one that is."""
    for words in (
        ("create", "-o", "mountpoint=/tank", "-o", "canmount=noauto", "tank/old"),
        ("create", "tank/vm"),
    ):
        assert 0 == answer(nas.host.world, ("zfs", *words)).status
    nas.host.world.guests.append(PracticeGuest("db01", [PracticeGuestDisk("vda", "/tank/vm/db01.raw")]))

    old, vm = await nas.plan("destroy", "tank/old"), await nas.plan("destroy", "tank/vm")

    assert () == old.refusals
    assert not {"guest", "stopped guest"} & {each.kind for each in old.dependents}
    assert ["in-use"] == [each.rule for each in vm.refusals]


async def test_one_that_is_not_mounted_by_itself_and_is_mounted_holds_its_images(
    nas: Acting,  # noqa: F811
) -> None:
    for words in (("create", "-o", "canmount=noauto", "tank/vm"), ("mount", "tank/vm")):
        answer(nas.host.world, ("zfs", *words))
    nas.host.world.guests.append(PracticeGuest("db01", [PracticeGuestDisk("vda", "/tank/vm/db01.raw")]))

    assert {"in-use"} == await nas.refused("destroy", "tank/vm")
    assert {"in-use"} == await nas.refused("unmount", "tank/vm")


async def test_a_mounted_file_system_that_nothing_mounts_by_itself_any_more_names_its_guests(
    nas: Acting,  # noqa: F811
) -> None:
    assert 0 == answer(nas.host.world, ("zfs", "create", "tank/vm")).status
    web01(nas).disks[0].source = "/tank/vm/web01.raw"
    off = PracticeGuest("db01", [PracticeGuestDisk("vda", "/tank/vm/db01.raw")], SHUT_OFF)
    nas.host.world.guests.append(off)

    made = await nas.do("set", "tank/vm", "canmount=noauto")

    assert any(
        "no import or boot mounts tank/vm" in each and "db01 (off), web01" in each for each in made.warnings
    )
    assert () == (await nas.plan("set", "tank/vm", "canmount=on")).warnings
