"""A rename below guests of a real libvirtd: they are defined at the new paths, and start there."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.libvirtd.sandbox import GUESTS, Sandbox
from tests.libvirtd.test_guest_actions import Commands

pytestmark = [pytest.mark.libvirt, pytest.mark.timeout(300)]

OLD, NEW = "tank/vm/files/web01", "tank/vm/files/www01"


@pytest.fixture
def commands(nas: dict[str, str], tmp_path: Path) -> Commands:
    return Commands(nas, tmp_path)


def test_a_guest_is_shut_down_its_disk_defined_anew_and_started_there(
    virt: Sandbox, commands: Commands
) -> None:
    """The file systems are the practice host's; their folders are bound to one real one."""
    folder = virt.storage("files", "64m")
    made = commands.apply("create", OLD)
    assert 0 == made.returncode, made.stdout + made.stderr
    for name in ("web01", "www01"):
        virt.run("mkdir", "-p", f"{folder}/real", f"{folder}/{name}")
        virt.run("mount", "--bind", f"{folder}/real", f"{folder}/{name}")
    virt.define("web01", f"{folder}/web01/disk.qcow2")
    virt.virsh("start", "web01")
    virt.until_state("web01", "running (booted)")
    before = virt.virsh("dumpxml", "--inactive", "web01")

    refused = commands.run("plan", "rename", OLD, NEW)
    done = commands.apply("rename", OLD, NEW, "--shut-down-guests", "--start-guests-after",
                          confirm=f"nas1:{OLD} 1")  # fmt: skip

    assert f"guest web01 is on {OLD}" in " ".join(refused.stdout.split())
    assert 0 == done.returncode, done.stdout + done.stderr
    assert "running (booted)" == virt.virsh("domstate", "--reason", "web01")
    after = virt.virsh("dumpxml", "--inactive", "web01")
    assert before.replace(f"{GUESTS}/files/web01/", f"{GUESTS}/files/www01/") == after
    assert f"{GUESTS}/files/www01/disk.qcow2" in virt.virsh("domblklist", "web01")
