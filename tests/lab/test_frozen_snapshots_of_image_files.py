"""A frozen snapshot of a file system with the qcow2 image of a guest, by the rules for sudo.

As test_frozen_snapshots.py, whose machine it is, has it for a volume: what the image holds in the snapshot
needs no recovery, and the host thaws the guest when the script dies.
"""

from __future__ import annotations

import gzip
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.lab.guests import Guest, said
from tests.lab.images import LabError
from tests.lab.test_frozen_snapshots import (
    APPLY_S,
    ASK,
    BOOT_S,
    HELD,
    HOLD,
    INCOMPATIBLE,
    RECOVER,
    SUPERBLOCK,
    by_rules,
    start_snapshot,
    until,
)
from tests.lab.virtual_machines import FOLDER, Libvirt
from tests.libvirtd import agent_guest
from zconsole.system.libvirt.frozen_snapshot_script import FROZEN_GUESTS

__all__ = ("by_rules",)  # a fixture

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]

IMAGE: Final = "web01.qcow2"
MADE: Final = f"""\
zfs create tank/web01
gzip -d >{FOLDER}/disk.raw
qemu-img convert -f raw -O qcow2 {FOLDER}/disk.raw /tank/web01/{IMAGE}
"""
UNPACKED: Final = f"{FOLDER}/unpacked"


@pytest.fixture(scope="module")
def web01(libvirt_host: Guest) -> Iterator[Libvirt]:
    """Libvirt with the one machine, which writes to its image, and whose agent answers."""
    if lacks := agent_guest.missing_packages():
        pytest.skip(f"not installed: {', '.join(lacks)} (docs/testing.md)")
    try:
        files = agent_guest.kernel_and_ramdisk()
    except (LabError, subprocess.CalledProcessError) as error:
        pytest.skip(f"no kernel for the guest: {error}")
    host, virt = libvirt_host, Libvirt(libvirt_host)
    if not said(host, f"{ASK} | grep thawed || true") or not said(host, f"ls /tank/web01/{IMAGE} || true"):
        boot(virt, files)
    yield virt
    if not os.environ.get("ZFSLAB_GUEST"):
        virt.reset()


def boot(virt: Libvirt, files: tuple[Path, Path]) -> None:
    """Start the machine on an image of a pool of its own, and wait until its agent answers."""
    host = virt.guest
    virt.reset()
    host.wipe()
    host.create_pool(f"-o ashift=12 tank {host.disk(0)}")
    for file in files:
        host.copy_in(file, FOLDER)
    disk = files[0].parent / "disk"
    agent_guest.make_disk(disk)
    host.ssh(MADE, stdin=gzip.compress(disk.read_bytes(), 1))
    definition = agent_guest.definition("web01", f"/tank/web01/{IMAGE}", FOLDER, image="qcow2")
    virt.define_xml("web01", definition)
    virt.virsh("start", "web01")
    until(host, f"{ASK} | grep -q thawed", BOOT_S)


def unpack(host: Guest, snapshot: str) -> None:
    """Have the disk as the image in a snapshot holds it in a file; the image must be without errors."""
    host.ssh(f"zfs clone {snapshot} tank/looked")
    try:
        host.ssh(f"qemu-img check -q /tank/looked/{IMAGE}; [ $? -ne 2 ]")
        host.ssh(f"qemu-img convert -f qcow2 -O raw /tank/looked/{IMAGE} {UNPACKED}")
    finally:
        host.ssh("zfs destroy tank/looked")


def asks_for_recovery(host: Guest, snapshot: str) -> bool:
    """Whether the ext4 in the image of a snapshot was in use, and not frozen, when it was taken."""
    unpack(host, snapshot)
    read = f"dd if={UNPACKED} bs=1 skip={SUPERBLOCK + INCOMPATIBLE} count=4 2>/dev/null"
    return bool(int(said(host, f"{read} | od -An -tu4")) & RECOVER)


def last_written(host: Guest) -> int:
    """The last number that has reached the disk, as the machine says."""
    return agent_guest.last_written(said(host, f"cat {FOLDER}/web01.serial"))


def test_the_snapshot_of_the_image_needs_no_recovery_and_has_what_was_written(
    web01: Libvirt, by_rules: str
) -> None:
    host = web01.guest
    host.ssh("zfs snapshot tank/web01@cut")
    assert asks_for_recovery(host, "tank/web01@cut"), "what a power cut leaves"
    before = last_written(host)

    with start_snapshot(by_rules, "tank/web01@frozen", "2m") as running:
        out, _ = running.communicate(timeout=APPLY_S)

    assert 0 == running.returncode, out
    assert "the file systems of web01 were frozen for it, and are thawed" in out
    assert "web01" == said(host, f"zfs get -Ho value {FROZEN_GUESTS} tank/web01@frozen")
    assert not asks_for_recovery(host, "tank/web01@frozen")
    written = said(host, f"mount -o ro,loop {UNPACKED} /mnt && cat /mnt/count; umount /mnt")
    assert 0 < before <= int(written)
    assert '{"return":"thawed"}' == said(host, ASK)


def test_the_host_thaws_after_the_deadline_when_the_script_dies(web01: Libvirt, by_rules: str) -> None:
    """The snapshot stands still meanwhile: nothing but the watchdog can have thawed it."""
    host = web01.guest
    host.ssh(f"touch {HOLD}")
    with start_snapshot(by_rules, "tank/web01@held", "60s") as running:
        until(host, f"[ -e {HELD} ]")
        frozen = said(host, ASK)
        host.ssh("pkill -KILL -u gus -f '^sh -s -- '")
        until(host, f"{ASK} | grep -q thawed")
        is_held = said(host, f"ls {HOLD}")
        before = last_written(host)
        until(host, f"[ $(tail -n1 {FOLDER}/web01.serial | tr -dc 0-9) -gt {before} ]")
        host.ssh(f"rm {HOLD}")
        out, _ = running.communicate(timeout=APPLY_S)

    assert ('{"return":"frozen"}', HOLD) == (frozen, is_held)
    assert 0 != running.returncode, out
    assert '{"return":"thawed"}' == said(host, ASK)
    there = said(host, f"zfs get -Hpo value {FROZEN_GUESTS} tank/web01@held 2>/dev/null || true")
    assert "web01" != there, "it was thawed before the snapshot was there"
