"""A volume with a blank in its name, whose device udev spells with `+`, through plans of its guest."""

from __future__ import annotations

from tests.actions.guest.test_start_shutdown_suspend_resume import nas, web01  # noqa: F401
from tests.actions.pool.test_practice import Acting
from zconsole.practice.libvirt.guests import RUNNING, SHUT_OFF
from zconsole.practice.program_and_subcommand_table import answer


def on_blank(nas: Acting) -> None:  # noqa: F811
    nas.host.world.lacking -= {"qemu-img"}
    for words in (("create", "-s", "-V", "64M", "tank/web 01"), ("create", "tank/new")):
        assert 0 == answer(nas.host.world, ("zfs", *words)).status
    web01(nas).disks[0].source = "/dev/zvol/tank/web+01"


async def test_it_is_renamed_and_its_guest_is_started_from_the_new_device(nas: Acting) -> None:  # noqa: F811
    on_blank(nas)
    assert {"in-use"} == await nas.refused("rename", "tank/web 01", "tank/web 02")
    assert {"in-use"} == await nas.refused("destroy", "tank/web 01")

    await nas.do("rename", "tank/web 01", "tank/web 02", shut_down_guests=True, start_guests_after=True)

    assert ("/dev/zvol/tank/web+02", RUNNING) == (web01(nas).disks[0].source, web01(nas).state)


async def test_its_guest_is_moved_to_another_such_name(nas: Acting) -> None:  # noqa: F811
    on_blank(nas)
    web01(nas).state = SHUT_OFF

    await nas.do("guest-move", "web01", "tank/new/web 01", leave_off=True)

    assert "/dev/zvol/tank/new/web+01" == web01(nas).disks[0].source
    await nas.do("guest-start", "web01")
    assert RUNNING == web01(nas).state
