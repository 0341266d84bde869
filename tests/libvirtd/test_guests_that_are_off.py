"""Plans of storage that guests of a real libvirtd name which are off, or whose memory was saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.libvirtd.sandbox import Sandbox
from tests.libvirtd.storage_host import DATASET
from tests.libvirtd.test_guest_actions import Commands

pytestmark = [pytest.mark.libvirt, pytest.mark.timeout(300)]


@pytest.fixture
def commands(nas: dict[str, str], tmp_path: Path) -> Commands:
    return Commands(nas, tmp_path)


def test_a_guest_that_is_off_is_named_by_its_definition_and_by_the_image_below_its_own(
    virt: Sandbox, commands: Commands
) -> None:
    folder, beside = virt.storage("files", "8m"), virt.storage("beside", "8m")
    virt.define("web01", f"{folder}/web01.qcow2")
    virt.define("db02", f"{beside}/db02.qcow2")
    virt.run("qemu-img", "rebase", "-u", "-f", "qcow2", "-F", "qcow2", "-b", f"{folder}/web01.qcow2",
             f"{beside}/db02.qcow2")  # fmt: skip

    plan = commands.run("plan", "destroy", DATASET, "--full")

    assert 0 == plan.returncode, plan.stdout + plan.stderr
    for name in ("web01", "db02"):
        named = f"stopped guest {name} (on {DATASET}, shut off; its definition names {folder}/web01.qcow2)"
        assert named in " ".join(plan.stdout.split())


def test_a_rollback_below_a_saved_memory_is_refused_until_it_is_gone(
    virt: Sandbox, commands: Commands
) -> None:
    folder = virt.storage("files", "64m")
    taken = commands.apply("snapshot", f"{DATASET}@a")
    assert 0 == taken.returncode, taken.stdout + taken.stderr
    virt.define("web01", f"{folder}/web01.qcow2")
    virt.virsh("start", "web01")
    virt.virsh("managedsave", "web01")

    saved = commands.run("plan", "rollback", f"{DATASET}@a")
    virt.virsh("managedsave-remove", "web01")
    removed = commands.run("plan", "rollback", f"{DATASET}@a")

    assert "web01 is off with its memory saved" in " ".join(saved.stdout.split())
    assert "memory saved" not in removed.stdout
    assert "stopped guest web01" in removed.stdout


def test_a_guest_whose_image_is_gone_is_told_and_not_started(virt: Sandbox, commands: Commands) -> None:
    folder = virt.storage("files", "8m")
    virt.define("web01", f"{folder}/web01.qcow2")
    virt.path(f"{folder}/web01.qcow2").unlink()

    plan = commands.run("plan", "guest-start", "web01")
    listed = commands.run("guests", "--long")

    assert f"vdb of web01 is {folder}/web01.qcow2, which does not exist" in " ".join(plan.stdout.split())
    assert f"missing  {folder}/web01.qcow2" in listed.stdout
    assert "No such file" in virt.run(
        "sh", "-c", "/srv/virsh -c qemu:///system start web01 2>&1", check=False
    )
