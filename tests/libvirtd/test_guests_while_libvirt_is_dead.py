"""Plans below guests that run on while libvirtd is dead: their QEMU processes tell of them."""

from __future__ import annotations

import pytest

from tests.libvirtd.sandbox import Sandbox
from tests.libvirtd.test_guest_actions import Commands, commands

__all__ = ("commands",)  # the fixture

pytestmark = [pytest.mark.libvirt, pytest.mark.timeout(300)]

DATASET = "tank/vm/files"


@pytest.mark.parametrize(
    ("words", "status"),
    [
        (("set", DATASET, "readonly=on"), 2),
        (("destroy", DATASET), 2),
        (("unmount", DATASET), 2),
        (("set", DATASET, "quota=1G"), 0),
        (("create", "tank/thick", "--volume", "6500G"), 0),
    ],
)
def test_the_guest_is_named_and_its_power_is_not_cut(
    virt: Sandbox, commands: Commands, words: tuple[str, ...], status: int
) -> None:
    folder = virt.storage("files", "8m")
    virt.define("web01", f"{folder}/web01.qcow2")
    virt.virsh("start", "web01")
    virt.signal_libvirtd("KILL")
    virt.until_dead()
    try:
        done = commands.run("plan", *words)
    finally:
        virt.start_libvirtd()

    said = " ".join(done.stdout.split())
    assert "web01 (qemu-system-x86_64[" in said, done.stdout + done.stderr
    assert "end qemu" not in said
    if status:
        assert "bring libvirt back and shut web01 down by it" in said
        assert 0 != done.returncode


def test_a_plan_that_libvirt_cannot_confirm_does_not_say_that_its_guest_is_gone(
    virt: Sandbox, commands: Commands
) -> None:
    folder = virt.storage("files", "8m")
    virt.define("web01", f"{folder}/web01.qcow2")
    virt.virsh("start", "web01")
    planned = commands.run("plan", "guest-shutdown", "web01", "-o", str(commands.file))
    virt.signal_libvirtd("KILL")
    virt.until_dead()
    try:
        done = commands.run("apply", str(commands.file), "--confirm", "web01")
    finally:
        virt.start_libvirtd()

    assert 0 == planned.returncode, planned.stdout + planned.stderr
    assert 0 != done.returncode
    assert "is gone" not in done.stdout + done.stderr
    assert "is not known now" in " ".join((done.stdout + done.stderr).split())
    assert "running (booted)" == virt.virsh("domstate", "--reason", "web01")
