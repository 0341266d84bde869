"""Guests of the practice host after a change of a property: none starts until that is undone."""

from __future__ import annotations

import shlex

import pytest

from tests.actions.guest.test_start_shutdown_suspend_resume import nas, run, web01  # noqa: F401
from tests.actions.pool.test_practice import Acting
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import RUNNING, SHUT_OFF, PracticeGuestDisk, PracticeImage
from zconsole.practice.program_and_subcommand_table import answer

IMAGE = "/tank/vm/a.raw"
VALUES = [
    ("tank/web01", "readonly=on"),
    ("tank/web01", "volmode=none"),
    ("tank", "readonly=on"),
    ("tank/vm", "readonly=on"),
    ("tank/vm", "mountpoint=/x"),
    ("tank/vm", "mountpoint=none"),
    ("tank/vm", "mountpoint=legacy"),
    ("tank/vm", "canmount=off"),
]


def started(nas: Acting) -> int:  # noqa: F811
    """Exit status of its start."""
    return answer(nas.host.world, ("virsh", "-c", "qemu:///system", "start", "web01")).status


@pytest.mark.parametrize(("name", "setting"), VALUES)
async def test_it_does_not_start_until_the_change_is_undone(
    nas: Acting,  # noqa: F811
    name: str,
    setting: str,
) -> None:
    if name == "tank/vm":
        answer(nas.host.world, ("zfs", "create", "tank/vm"))
        nas.host.world.images[IMAGE] = PracticeImage(IMAGE, "raw", 1 << 30, 1 << 20)
        web01(nas).disks[:] = [PracticeGuestDisk("vda", IMAGE)]

    refused = await nas.plan("set", name, setting)
    assert "not to be started again after it: " in refused.alternatives[0][0]
    made = await nas.operator.prepare("nas", refused.alternatives[0][1])
    ended = await run(nas, made)

    assert RunState.DONE is ended.state, ended.words
    assert (SHUT_OFF, 1) == (web01(nas).state, started(nas))
    for command in (made.undo or "").split("; "):
        assert 0 == answer(nas.host.world, tuple(shlex.split(command))).status, command
    assert (0, RUNNING) == (started(nas), web01(nas).state)
