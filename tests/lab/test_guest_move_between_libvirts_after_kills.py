"""A running guest moved to another host by consoles that are killed (-9), one behind each kind of step.

Both hosts have a real libvirt, QEMU and OpenZFS. The machine writes to its disk until it is shut down, and
each write says which one it is: what the new place has to have is what the old one had when it was off. It is
not among the tests of .ci/run, because two emulated hosts need an hour for so many plans: run it by its name,
with `-m lab -n0`. For the same reason no console is killed behind three of the steps.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.lab.guests import said
from tests.lab.killed_consoles import SENT_IN_FULL, KilledConsoles
from tests.lab.test_guest_move_between_libvirts import (
    NAS,
    VAULT,
    Two,
    both,
    is_nothing_lost,
    libvirts,
    two,
    until_it_writes,
)
from tests.lab.virtual_machines import Disk, Libvirt

__all__ = ("both", "libvirts", "two")  # fixtures

pytestmark = [pytest.mark.lab, pytest.mark.timeout(7200)]

OLD, NEW = "src/web01", "dst/web01"
PAUSE_S: Final = 2.0  # between two writes: an emulated host has more to do
VOLUME: Final = f"""\
zfs create -s -V 4G {OLD} && udevadm settle
dd if=/dev/urandom of=/dev/zvol/{OLD} bs=1M seek=3072 count=24 conv=notrunc,fsync 2>/dev/null
"""
BEFORE: Final = "dd if={} bs=1M skip=3072 count=24 2>/dev/null | sha256sum"
NEWEST: Final = f"zfs list -Hp -t snapshot -o name -s createtxg {NEW} | tail -n1"
KILLED_BEHIND: Final = (  # the first words of what a step is for
    "snapshot what is there now (live)",
    "send what was written since (live)",
    "ask web01 to shut down",
    "send what was written since (off)",
    "define web01 there",
    "start web01",
)
SPARED: Final = (
    "keep the old copy from being started",
    "snapshot what the guest has left",
    "let it be written",
)


def running(virt: Libvirt) -> int:
    """How many machines of the name run on a host."""
    return int(said(virt.guest, "pgrep -fc 'guest=web01[,]' || true"))


def kill_behind_each_step(two: Two, move: KilledConsoles) -> None:
    """Until the guest is moved; meanwhile the old place is there, and the guest never runs twice."""
    nas, vault = two.nas, two.vault
    while move.go_on():
        print("killed behind", move.killed_behind[-1], flush=True)
        assert OLD == said(nas.guest, f"zfs list -Ho name {OLD}")
        assert running(nas) + running(vault) <= 1

    killed = move.killed_behind
    assert [] == [each for each in KILLED_BEHIND if not any(kind.startswith(each) for kind in killed)], killed
    assert SENT_IN_FULL & set(killed), killed


def is_moved_with_what_it_wrote(two: Two, written: int) -> None:
    """It runs at the new place, with what the old one has had since the first plan, and more."""
    nas, vault = two.nas, two.vault
    assert ("shut off (shutdown)", "running (booted)") == (nas.state("web01"), vault.state("web01"))
    assert f"/dev/zvol/{NEW}" in vault.virsh("dumpxml", "web01")
    is_nothing_lost(nas, OLD, vault, NEW)
    vault.guest.ssh(f"zfs set snapdev=visible {NEW}; udevadm settle")
    left = f"/dev/zvol/{said(vault.guest, NEWEST)}"
    until_off = nas.written(f"/dev/zvol/{OLD}")
    print("writes at the first plan, and until it was off:", written, until_off)
    assert written < until_off
    assert until_off == vault.written(left)
    assert said(nas.guest, BEFORE.format(f"/dev/zvol/{OLD}")) == said(vault.guest, BEFORE.format(left))
    assert "on off" == " ".join(
        said(virt.guest, f"zfs get -Ho value readonly {name}") for virt, name in ((nas, OLD), (vault, NEW))
    )
    until_it_writes(vault)


def test_each_console_goes_on_where_the_killed_one_was_and_nothing_is_lost(two: Two, tmp_path: Path) -> None:
    nas, vault = two.nas, two.vault
    nas.guest.ssh(VOLUME)
    nas.define("web01", Disk(f"/dev/zvol/{OLD}"), writes=True, pause_s=PAUSE_S)
    vault.put_boot("web01", writes=True, pause_s=PAUSE_S)
    nas.start("web01")
    until_it_writes(nas)
    written = nas.written(f"/dev/zvol/{OLD}")
    command = ("guest-move", "web01", NEW, "--to", VAULT, "--host", NAS)
    move = KilledConsoles(command, tmp_path / "plan.json", SPARED)

    kill_behind_each_step(two, move)

    is_moved_with_what_it_wrote(two, written)
