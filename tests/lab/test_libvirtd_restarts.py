"""A guest that runs on while libvirtd is restarted, and is waited for."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest

from tests.lab.acting import Acting
from tests.lab.guests import said
from tests.lab.test_guests import SHUT_DOWN, acting, libvirt, nas, virt
from tests.lab.virtual_machines import CALLS, Disk, Libvirt
from zconsole.model.run import RunState

__all__ = ("acting", "libvirt", "nas", "virt")  # fixtures

pytestmark = [pytest.mark.lab, pytest.mark.timeout(2400)]

GOES_OFF: Final = "kill -TERM $(pgrep -f 'guest=byname[,]')"
END: Final = "kill -TERM $(pidof libvirtd); while pidof libvirtd >/dev/null; do sleep 0.2; done"
ASKED: Final = f"$(grep -c 'domstats --raw --state [0-9a-f]' {CALLS})"  # while it is waited for a shutdown


def until_asked_again(virt: Libvirt) -> None:
    """Wait until the console has looked for the state of its guest once more than it had by now."""
    before = said(virt.guest, f"echo {ASKED}")
    virt.until(f"[ {ASKED} -gt {before} ]")


async def test_a_shutdown_is_awaited_across_a_restart_of_libvirtd(virt: Libvirt, acting: Acting) -> None:
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
    await asyncio.to_thread(virt.guest.ssh, END)
    await asyncio.to_thread(until_asked_again, virt)
    await asyncio.to_thread(virt.start_libvirtd)
    assert "running (booted)" == await asyncio.to_thread(virt.state, "byname")
    assert not running.done()
    await asyncio.to_thread(virt.guest.ssh, GOES_OFF)
    run = await running

    assert RunState.DONE is run.state, (run.words, run.differences, [step.said for step in run.steps])
    assert "byname was off for" in run.words
    assert "running (booted)" == virt.state("byname")
