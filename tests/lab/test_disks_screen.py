"""The disks of a guest: SMART data, and what its kernel says of them."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from tests.lab.console import on_screen, row, type_slowly, wait_for, zconsole
from tests.lab.guests import Guest, said
from tests.lab.repairing import complaints, tank_of
from tests.lab.shelf import Shelf, own_serial

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]  # the first test boots the guest, or builds it

FREE_BAY: Final = 20  # empty in a guest that has just started
BAD_SECTOR: Final = "dd if=/dev/{} of=/dev/null bs=512 skip=4660 count=1 iflag=direct"  # of scsi_debug


def disks_of(alias: str) -> dict[str, dict[str, Any]]:
    """What `zconsole disks` says, by serial number."""
    answer = zconsole("disks", "--json", "--host", alias)
    assert [] == complaints(answer)
    return {each["serial"] or each["name"]: each for each in json.loads(answer.stdout)["disks"]}


def test_nvme_disks_tell_of_their_health(guest: Guest, ssh_alias: str) -> None:
    """QEMU keeps no spare blocks: 0 % left of them is no failure, and its critical warning is one."""
    if not guest.smart:
        pytest.skip("the guest has no disks with SMART data: python -m tests.lab up SERIES NAME --smart")
    try:
        guest.warn("nvme0", 4)
        found = disks_of(ssh_alias)
    finally:
        guest.warn("nvme0", 0)

    assert "nvme-warning" in {each["id"] for each in found["NVME0"]["complaints"]}
    assert [] == found["NVME1"]["complaints"]


def test_the_messages_of_a_kernel_are_found_by_the_disk_they_are_about(guest: Guest, ssh_alias: str) -> None:
    """The kernel's own disk of bad sectors: two reads fail, and each counts once."""
    guest.ssh("modprobe scsi_debug dev_size_mb=64 opts=2; udevadm settle")
    name = said(guest, "lsblk -dno NAME,MODEL | awk '/scsi_debug/ { print $1 }'")
    try:
        guest.ssh(f"for i in 1 2; do {BAD_SECTOR.format(name)}; done; true")
        (found,) = (each for each in disks_of(ssh_alias).values() if each["device"] == name)
    finally:
        guest.ssh(f"echo 1 > /sys/block/{name}/device/delete; sleep 1; rmmod scsi_debug")

    assert {"medium error": 2} == found["kernel_messages"]["counts"]
    assert "disk" == found["kernel_messages"]["part"]


def test_the_screen_shows_a_disk_once_it_is_plugged_and_no_more_once_it_is_pulled(
    shelf: Shelf, ssh_alias: str
) -> None:
    """An unused one comes and goes; one that is pulled from its pool is gone, and its pool tells so."""
    tank_of(shelf, "mirror {0} {1}")

    with on_screen(ssh_alias, size=(160, 50)) as tty:
        wait_for(tty, row("tank", "ONLINE"))
        type_slowly(tty, "d")
        first = wait_for(tty, row(own_serial(0), "tank mirror-0"))
        shelf.insert(FREE_BAY, "NEWDISK1")
        plugged = wait_for(tty, row("NEWDISK1"))
        shelf.pull(FREE_BAY)
        pulled = wait_for(tty, lambda text: "NEWDISK1" not in text)
        shelf.pull(1)
        gone = wait_for(tty, row("gone", "tank mirror-0"))
        wait_for(tty, row("1 failed"))

    for text in (first, plugged, pulled, gone):
        assert row("disks read ", " ago")(text)
