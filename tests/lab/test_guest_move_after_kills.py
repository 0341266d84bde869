"""A guest moved between two pools by consoles that are killed (-9), behind each step and amid a stream.

libvirt, QEMU and OpenZFS are real; the machine writes nothing, which leaves an emulated host the time for as
many plans, and what it has must arrive to the byte. It is not among the tests of .ci/run, because it needs 30
to 80 minutes: run it by its name, with `-m lab -n0`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.lab.guests import said
from tests.lab.killed_consoles import SENT_IN_FULL, KilledConsoles
from tests.lab.test_guests import libvirt, nas, virt
from tests.lab.virtual_machines import Disk, Libvirt

__all__ = ("libvirt", "nas", "virt")  # fixtures

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]

OLD, NEW = "tank/byname", "other/moved"
MIB: Final = 192  # of a stream that a console is killed amid, on a host that sends to itself
WRITE: Final = (
    f"dd if=/dev/urandom of=/dev/zvol/{OLD} bs=1M seek=64 count={{}} conv=notrunc,fsync 2>/dev/null"
)
DIGEST: Final = f"dd if=/dev/zvol/{{}} bs=1M count={64 + MIB} 2>/dev/null | cksum"
NEWEST: Final = "zfs list -Hp -t snapshot -o guid -s createtxg {} | tail -n1"
KILLED_BEHIND: Final = (  # the first words of what a step is for
    "snapshot what is there now (live)",
    "send what was written since (live)",
    "ask byname to shut down",
    "snapshot what the guest has left (off)",
    "send what was written since (off)",
    "let it be written",
    "define the disk vdb",
    "start byname",
)


def test_each_console_goes_on_where_the_killed_one_was_and_the_old_place_stays(
    virt: Libvirt, nas: str, tmp_path: Path
) -> None:
    virt.guest.create_pool(f"-o ashift=12 other {virt.guest.disk(1)}")
    virt.guest.ssh(WRITE.format(8))
    virt.define("byname", Disk(f"/dev/zvol/{OLD}"))
    virt.start("byname")
    move = KilledConsoles(("guest-move", "byname", NEW, "--host", nas), tmp_path / "plan.json")

    while move.go_on():
        print("killed behind", move.killed_behind[-1], flush=True)
        assert OLD == said(virt.guest, f"zfs list -Ho name {OLD}")
        assert int(said(virt.guest, "pgrep -fc 'guest=byname[,]' || true")) <= 1
        assert virt.state("byname").startswith(("running", "in shutdown", "shut off")), virt.state("byname")

    killed = move.killed_behind
    assert [] == [each for each in KILLED_BEHIND if not any(kind.startswith(each) for kind in killed)], killed
    assert SENT_IN_FULL & set(killed), killed
    is_moved(virt)


def test_a_console_that_is_killed_amid_the_stream_leaves_the_rest_to_the_next_one(
    virt: Libvirt, nas: str, tmp_path: Path
) -> None:
    virt.guest.create_pool(f"-o ashift=12 other {virt.guest.disk(1)}")
    virt.guest.ssh(WRITE.format(MIB), timeout_s=600)
    virt.define("byname", Disk(f"/dev/zvol/{OLD}"))
    virt.start("byname")
    move = KilledConsoles(("guest-move", "byname", NEW, "--host", nas), tmp_path / "plan.json")

    assert move.kill_when(lambda: int(said(virt.guest, "zfs get -Hpo value used other")) > MIB << 18)

    assert "running (booted)" == virt.state("byname")
    rest = move.plan()
    assert "-t" in rest["steps"][0]["fed_by"]["argv"], rest["steps"][0]
    assert not move.kill_when(lambda: False), "it ends by itself"
    assert "byname was off for" in move.words
    is_moved(virt)


def is_moved(virt: Libvirt) -> None:
    """The guest runs at the new place, which has what the old one has; the old one is kept."""
    assert "running (booted)" == virt.state("byname")
    assert f"/dev/zvol/{NEW}" in virt.virsh("dumpxml", "byname")
    assert OLD == said(virt.guest, f"zfs list -Ho name {OLD}")
    old, new = (said(virt.guest, NEWEST.format(each)) for each in (OLD, NEW))
    assert old
    assert old == new
    old, new = (virt.guest.ssh(DIGEST.format(each), timeout_s=600) for each in (OLD, NEW))
    assert old == new
