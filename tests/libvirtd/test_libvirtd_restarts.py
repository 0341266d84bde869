"""A libvirtd that is restarted, or killed, before and while a plan waits for a guest to shut down."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.libvirtd.sandbox import PATIENCE_S, Sandbox
from tests.libvirtd.storage_host import DATASET
from tests.libvirtd.test_guest_actions import Commands, commands

__all__ = ("commands",)  # the fixture

pytestmark = [pytest.mark.libvirt, pytest.mark.timeout(300)]

SHUTDOWN = " shutdown "
ASKED = "domstats --raw --state [0-9a-f]"  # while a guest shuts down
LOOKS = 2  # at a libvirtd that is dead
WAY = ("--shut-down-guests", "--guests-within", "10m", "--start-guests-after")
OBEYS = ("pkill", "-TERM", "-f", "guest=db02[,]")


@contextmanager
def rolling_back(virt: Sandbox, commands: Commands) -> Iterator[subprocess.Popen[str]]:
    """A rollback below a guest that writes and is deaf to the request to shut down."""
    folder = virt.storage("files", "512m")
    taken = commands.apply("snapshot", f"{DATASET}@a")
    assert 0 == taken.returncode, taken.stdout + taken.stderr
    virt.define("db02", f"{folder}/db02.qcow2", is_deaf=True, writes=True)
    virt.virsh("start", "db02")
    virt.until_grown(f"{folder}/db02.qcow2", 1 << 20)
    with commands.applying("rollback", f"{DATASET}@a", *WAY, confirm=f"nas1:{DATASET}@a 1") as running:
        try:
            yield running
        finally:
            running.kill()


def end(virt: Sandbox, signal: str) -> None:
    """End libvirtd, killed or as a restart ends it; none answers when this returns."""
    virt.signal_libvirtd(signal)
    virt.until_dead()


def test_the_shutdown_is_awaited_until_it_is_back_and_the_rest_is_done(
    virt: Sandbox, commands: Commands
) -> None:
    """The guest obeys only behind the restart: what follows is done then, and not before."""
    with rolling_back(virt, commands) as running:
        virt.until_called(ASKED)
        end(virt, "KILL")
        try:
            virt.until_called_again(ASKED, LOOKS)
        finally:
            virt.start_libvirtd()
        assert "running (booted)" == virt.virsh("domstate", "--reason", "db02")
        virt.until_called_again(ASKED, LOOKS)
        assert running.poll() is None

        virt.run(*OBEYS)
        said, errors = running.communicate(timeout=2 * PATIENCE_S)

    assert 0 == running.returncode, said + errors
    assert "gone" not in said
    assert "running (booted)" == virt.virsh("domstate", "--reason", "db02")
    assert 1 == sum(SHUTDOWN in each for each in virt.calls())


def test_a_shutdown_that_did_not_reach_it_is_asked_for_once_it_is_back(
    virt: Sandbox, commands: Commands
) -> None:
    virt.hold("shutdown")
    with rolling_back(virt, commands) as running:
        virt.until_called(SHUTDOWN)
        end(virt, "TERM")
        virt.hold("nothing")
        try:
            virt.until_called(ASKED)
            virt.until_called_again(ASKED, LOOKS)
        finally:
            virt.start_libvirtd()
        virt.until_called_again(ASKED, LOOKS)

        virt.run(*OBEYS)
        said, errors = running.communicate(timeout=2 * PATIENCE_S)

    assert 0 == running.returncode, said + errors
    assert "running (booted)" == virt.virsh("domstate", "--reason", "db02")
    assert 2 == sum(SHUTDOWN in each for each in virt.calls())
