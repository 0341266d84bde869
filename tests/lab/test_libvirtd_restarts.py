"""Guests that run on while libvirtd is restarted, and while the storage below them changes its origin."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest

from tests.lab.acting import Acting
from tests.lab.guests import said
from tests.lab.test_guests import SHUT_DOWN, acting, libvirt, nas, virt
from tests.lab.virtual_machines import CALLS, VIRSH, Disk, Libvirt
from zconsole.model.run import RunState

__all__ = ("acting", "libvirt", "nas", "virt")  # fixtures

pytestmark = [pytest.mark.lab, pytest.mark.timeout(2400)]

GOES_OFF: Final = "kill -TERM $(pgrep -f 'guest=byname[,]')"
END: Final = "kill -{} $(pidof libvirtd); while pidof libvirtd >/dev/null; do sleep 0.2; done"
WROTE: Final = f"{VIRSH} domstats --block {{}} | sed -n 's/.*block.1.wr.reqs=//p'"
CLONED: Final = "zfs snapshot tank/byname@a && zfs clone tank/byname@a tank/clone && udevadm settle"
ASKED: Final = f"$(grep -c 'domstats --raw --state [0-9a-f]' {CALLS})"  # while it is waited for a shutdown


def until_asked_again(virt: Libvirt) -> None:
    """Wait until the console has looked for the state of its guest once more than it had by now."""
    before = said(virt.guest, f"echo {ASKED}")
    virt.until(f"[ {ASKED} -gt {before} ]")


@pytest.mark.parametrize("signal", ["TERM", "KILL"])
async def test_a_shutdown_is_awaited_across_a_restart_of_libvirtd(
    virt: Libvirt, acting: Acting, signal: str
) -> None:
    """The guest obeys only behind the restart: what follows is done then, and not before."""
    virt.guest.ssh("zfs snapshot tank/byname@a")
    virt.define("byname", Disk("/dev/zvol/tank/byname"), is_deaf=True)
    virt.start("byname")
    plan = await acting.plan(
        "rollback", "tank/byname@a", **SHUT_DOWN, guests_within="10m", start_guests_after=True
    )
    assert not plan.is_refused, plan.refusals

    running = asyncio.create_task(acting.run(plan))
    await asyncio.to_thread(virt.until, f"[ {ASKED} -gt 0 ]")
    await asyncio.to_thread(virt.guest.ssh, END.format(signal))
    await asyncio.to_thread(until_asked_again, virt)
    await asyncio.to_thread(virt.start_libvirtd)
    assert "running (booted)" == await asyncio.to_thread(virt.state, "byname")
    assert not running.done()
    await asyncio.to_thread(virt.guest.ssh, GOES_OFF)
    run = await running

    assert RunState.DONE is run.state, (run.words, run.differences, [step.said for step in run.steps])
    assert "byname was off for" in run.words
    assert "running (booted)" == virt.state("byname")


def until_more_is_written(virt: Libvirt, name: str) -> None:
    """Wait until a machine has written more than it had by now."""
    before = said(virt.guest, WROTE.format(name))
    virt.until(f"[ $({WROTE.format(name)}) -gt {before} ]")


async def test_machines_on_a_volume_and_on_its_clone_write_on_behind_a_promote(
    virt: Libvirt, acting: Acting
) -> None:
    virt.guest.ssh(CLONED)
    for name, volume in (("origin", "byname"), ("copy", "clone")):
        virt.define(name, Disk(f"/dev/zvol/tank/{volume}"), writes=True)
        virt.start(name)
    devices = said(virt.guest, "readlink -f /dev/zvol/tank/byname /dev/zvol/tank/clone")

    await acting.do("promote", "tank/clone")

    assert "tank/clone@a" == said(virt.guest, "zfs get -Ho value origin tank/byname")
    assert devices == said(virt.guest, "readlink -f /dev/zvol/tank/byname /dev/zvol/tank/clone")
    for name in ("origin", "copy"):
        until_more_is_written(virt, name)
        assert "running (booted)" == virt.state(name)
