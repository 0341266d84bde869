"""Disks replaced by the keys of the Repair screen, until all is redundant again; the file is read back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from tests.lab.console import confirm, on_screen, row, type_slowly, wait_for
from tests.lab.guests import said
from tests.lab.repairing import (
    FIRST_OFFER,
    SLOW_SCAN,
    carry_out,
    choices,
    finish,
    read_back,
    repairs,
    tank_of,
)
from tests.lab.shelf import Shelf, own_serial
from tests.ui.terminal.tty import Tty

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]  # the first test boots the guest, or builds it

FREE_BAY: Final = 20  # empty in a guest that has just started
LARGE: Final = (160, 50)  # every disk of the guest is in sight
UNRELIABLE: Final = 4  # critical warning of an NVMe disk
ONE_MORE: Final = "mirror-0: 1 more failure now, 1 while it runs, 1 after"
DAMAGES_DRAID: Final = "2.1"  # the same journey ends with checksum errors that ZFS itself made
PREDICTED: Final = "SMART predicts failure"
BLANK_NVME: Final = """\
for disk in /dev/nvme?n1; do
    zpool labelclear -f ${disk}p1
    wipefs -aq $disk
    sgdisk -Z $disk
done >/dev/null 2>&1
"""


@contextmanager
def repairing(alias: str, state: str = "DEGRADED", *, size: tuple[int, int] = (120, 40)) -> Iterator[Tty]:
    """The Repair screen of the pool tank."""
    with on_screen(alias, size=size) as tty:
        wait_for(tty, row("tank", state))
        type_slowly(tty, "R")
        wait_for(tty, row("repair tank"))
        yield tty


@pytest.mark.parametrize(
    "layout",
    [
        "raidz2 {0} {1} {2} {3}",
        "mirror {0} {1} spare {4}",
        "draid1:2d:5c:1s {0} {1} {2} {3} {4}",
    ],
)
def test_a_pulled_disk_is_replaced_by_the_new_one_in_its_bay(
    shelf: Shelf, ssh_alias: str, layout: str
) -> None:
    """Without a spare, with one that ZED lets stand in, and with a distributed one."""
    if "draid" in layout and shelf.guest.series == DAMAGES_DRAID:
        pytest.skip("this release damages a dRAID whose distributed spare stands in: openzfs/zfs#18307")
    before = tank_of(shelf, layout)
    shelf.pull(1)
    shelf.wait("zpool status tank | grep -q REMOVED")
    if "s {0}" in layout or "spare" in layout:
        shelf.wait("zpool status tank | grep -q INUSE")
        shelf.guest.ssh("zpool wait -t resilver tank")

    with repairing(ssh_alias) as tty:
        wait_for(tty, row("✓ 3 take out"))
        shelf.insert(1, "NEWDISK1")
        wait_for(tty, row(FIRST_OFFER, "NEWDISK1"))
        plan = carry_out(tty)
        finish(tty)

    assert "NEWDISK1" in plan
    assert [] == repairs(ssh_alias)
    assert "INUSE" not in said(shelf.guest, "zpool status tank")
    assert "NEWDISK1" in said(
        shelf.guest, "lsblk -dno SERIAL $(zpool status -LP tank | grep -o '/dev/sd[a-z]*')"
    )
    assert before == read_back(shelf)


def test_a_sound_disk_is_replaced_with_both_in(shelf: Shelf, ssh_alias: str) -> None:
    """Both serial numbers are typed; the vdev survives a failure before, meanwhile and afterwards."""
    before = tank_of(shelf, "mirror {0} {1}")
    shelf.insert(FREE_BAY, "NEWDISK1")

    with on_screen(ssh_alias, size=LARGE) as tty:
        wait_for(tty, row("tank", "ONLINE"))
        type_slowly(tty, "\r")
        wait_for(tty, row("mirror-0", "ONLINE"))
        type_slowly(tty, "G")
        type_slowly(tty, "R")
        heading = wait_for(tty, row("new disk for", own_serial(1)))
        type_slowly(tty, "NEWDISK1")
        wait_for(tty, row("filter: NEWDISK1"))
        shelf.guest.ssh(f"echo 1 > {SLOW_SCAN}")
        type_slowly(tty, "\r")
        wait_for(tty, row("options, if any"))
        type_slowly(tty, "\r")
        plan = confirm(tty)
        wait_for(tty, row("replace", ": DONE"))
        copying = said(shelf.guest, "zpool status tank")
        type_slowly(tty, "\x1b")
        wait_for(tty, row("→ 6 resilver"))
        shelf.guest.ssh(f"echo 0 > {SLOW_SCAN}")
        finish(tty)

    assert row("new disk for", "tank mirror-0")(heading)
    assert row("To go on, type", f"{own_serial(1)} NEWDISK1")(plan)
    assert row("SURVIVES", ONE_MORE)(plan)
    assert (False, True) == ("DEGRADED" in copying, "replacing" in copying)
    assert [] == repairs(ssh_alias)
    assert own_serial(1) not in said(
        shelf.guest, "lsblk -dno SERIAL $(zpool status -LP tank | grep -o '/dev/sd[a-z]*')"
    )
    assert before == read_back(shelf)


def test_the_chooser_tells_why_a_disk_does_not_fit(shelf: Shelf, ssh_alias: str) -> None:
    """Too small, of larger sectors, and with the label of another pool; Enter does not take one of them."""
    guest = shelf.guest
    before = tank_of(shelf, "mirror {0} {1}", ashift=9)
    guest.ssh(f"zpool create -f other {guest.disk(3)} && zpool export other")
    guest.ssh(f"zpool offline -f tank {guest.disk(1)}")
    shelf.insert(FREE_BAY, "TOOSMALL", size="128M")
    shelf.insert(FREE_BAY + 1, "SECTOR4K", sector_bytes=4096)

    with repairing(ssh_alias, size=LARGE) as tty:
        wait_for(tty, row(FIRST_OFFER, own_serial(2)))
        type_slowly(tty, "c")
        listed = choices(wait_for(tty, lambda text: "TOOSMALL" in text and "SECTOR4K" in text))
        type_slowly(tty, "TOOSMALL\r")
        refused = wait_for(tty, row("refused:"))
        type_slowly(tty, "\x1b\x1b")
        wait_for(tty, row("repair tank"))

    assert own_serial(2) in listed["fits"]
    assert "too small by" in listed["does not fit"]["TOOSMALL"]
    assert "label of pool other" in listed["does not fit"][own_serial(3)]
    assert "sectors of 4096 B are too large" in listed["does not fit"]["SECTOR4K"]
    assert row("refused:", "less than")(refused)
    assert row("filter: TOOSMALL")(refused)
    assert before == read_back(shelf)


@pytest.fixture
def smart(shelf: Shelf) -> Iterator[Shelf]:
    """The shelf of a guest that has NVMe disks, which tell of their health; they are blank afterwards."""
    if not shelf.guest.smart:
        pytest.skip("the guest has no disks with SMART data: python -m tests.lab up SERIES NAME --smart")
    yield shelf
    shelf.guest.warn("nvme0", 0)
    shelf.guest.wipe()
    shelf.guest.ssh(BLANK_NVME, check=False)


def nvme(shelf: Shelf, number: int) -> str:
    """The path of an NVMe disk of the guest."""
    return said(shelf.guest, f"ls /dev/disk/by-id/nvme-*NVME{number} | head -1")


def test_a_new_disk_that_fails_by_its_smart_data_is_not_to_be_chosen(smart: Shelf, ssh_alias: str) -> None:
    """Its critical warning stands beside it; a sound one of its kind fits."""
    before = tank_of(smart, "mirror {0} {1}")
    smart.guest.ssh(f"zpool offline -f tank {smart.guest.disk(1)}")
    smart.guest.warn("nvme0", UNRELIABLE)

    with repairing(ssh_alias, size=LARGE) as tty:
        wait_for(tty, row(FIRST_OFFER, own_serial(2)))
        type_slowly(tty, "c")
        listed = choices(wait_for(tty, lambda text: "NVME0" in choices(text).get("does not fit", {})))
        type_slowly(tty, "NVME0\r")
        refused = wait_for(tty, row("refused:"))
        type_slowly(tty, "\x1b\x1b")

    assert PREDICTED in listed["does not fit"]["NVME0"]
    assert "SMART ok" in listed["fits"]["NVME1"]
    assert row("refused: it is failing")(refused)
    assert before == read_back(smart)


def test_the_finding_of_a_member_that_fails_by_its_smart_data_leads_to_its_repair(
    smart: Shelf, ssh_alias: str
) -> None:
    """ZFS has counted no error; the disk is replaced while it still serves."""
    before = tank_of(smart, f"mirror {{0}} {nvme(smart, 0)}")
    smart.guest.warn("nvme0", UNRELIABLE)

    with on_screen(ssh_alias, size=LARGE) as tty:
        wait_for(tty, row("tank", "ONLINE"))
        type_slowly(tty, "d")
        wait_for(tty, row("NVME0", PREDICTED))
        type_slowly(tty, "\x1b")
        type_slowly(tty, "f")
        found = wait_for(tty, row("NVME0", PREDICTED))
        type_slowly(tty, "R")
        opened = wait_for(tty, row("repair tank mirror-0", "NVME0"))
        wait_for(tty, row(FIRST_OFFER, own_serial(1)))
        plan = carry_out(tty)
        finish(tty)

    assert "tank" in found
    assert not row("take out", "pull")(opened)
    assert row("SURVIVES", ONE_MORE)(plan)
    assert [] == repairs(ssh_alias)
    assert "nvme" not in said(smart.guest, "zpool status -LP tank")
    assert before == read_back(smart)
