"""A failed disk by the keys of the Repair screen, until all is redundant again; the file is read back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.lab.console import on_screen, row, shown, wait_for
from tests.lab.guests import said
from tests.lab.repairing import FIRST_OFFER, SLOW_SCAN, carry_out, finish, read_back, repairs, tank_of
from tests.lab.shelf import Shelf, own_serial
from tests.ui.terminal.tty import Tty

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]  # the first test boots the guest, or builds it

SPARE_BAY = 20  # empty in a guest that has just started
STATES = "zpool status tank | grep -cE 'DEGRADED|UNAVAIL|OFFLINE|FAULTED'"
EMPTY = "no disk that fits"


@contextmanager
def repairing(alias: str, state: str = "DEGRADED") -> Iterator[Tty]:
    """The Repair screen of the pool tank."""
    with on_screen(alias) as tty:
        wait_for(tty, row("tank", state))
        tty.type("R")
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


def test_a_sound_disk_is_replaced_with_both_in_and_redundancy_never_drops(
    shelf: Shelf, ssh_alias: str
) -> None:
    """`R` on the disk plans it; both serial numbers are typed."""
    before = tank_of(shelf, "mirror {0} {1}")
    shelf.insert(SPARE_BAY, "NEWDISK2")
    shelf.guest.ssh(f"echo 1 > {SLOW_SCAN}")

    with on_screen(ssh_alias) as tty:
        wait_for(tty, row("tank", "ONLINE"))
        tty.type("\r")
        wait_for(tty, row("mirror-0", "ONLINE"))
        for _ in range(3):  # pool, mirror, disk 0, disk 1
            tty.type("\x1b[B")
            tty.read(0.3)
        tty.type("R")
        wait_for(tty, row("type to filter"))
        tty.type("NEWDISK2")
        wait_for(tty, row("filter", "NEWDISK2"))
        wait_for(tty, lambda text: own_serial(2) not in text)
        plan = carry_out(tty)
        copying = said(shelf.guest, STATES + "; true")
        wait_for(tty, row("NEWDISK2"))
    under_way = repairs(ssh_alias)
    shelf.guest.ssh(f"echo 0 > {SLOW_SCAN}; zpool wait -t resilver tank")
    ended = said(shelf.guest, STATES + "; true")

    assert own_serial(1)[-8:] in plan
    assert ("0", "0") == (copying, ended)
    assert ["replacing"] == [each["trouble"] for each in under_way]
    assert "NEWDISK2" == under_way[0]["new_disk"]["serial"]
    assert before == read_back(shelf)


def test_disks_that_do_not_fit_are_told_apart_and_enter_takes_none_of_them(
    shelf: Shelf, ssh_alias: str
) -> None:
    """Too small, of larger sectors, and with the label of another pool; Enter takes none."""
    guest = shelf.guest
    before = tank_of(shelf, "mirror {0} {1}", ashift=9)
    guest.ssh(f"zpool create -f other {guest.disk(3)} && zpool export other")
    guest.ssh(f"zpool offline -f tank {guest.disk(1)}")
    shelf.insert(SPARE_BAY, "TOOSMALL", size="128M")
    shelf.insert(SPARE_BAY + 1, "SECTOR4K", sector_bytes=4096)

    with repairing(ssh_alias) as tty:
        wait_for(tty, row(FIRST_OFFER))
        tty.type("c")
        offered = wait_for(tty, row("SECTOR4K"))
        told = {}
        for serial in ("TOOSMALL", "SECTOR4K", own_serial(3)):
            tty.type(serial)
            wait_for(tty, row("filter", serial))
            tty.type("\r")
            told[serial] = wait_for(tty, row("refused:"))
            tty.type("\x1b")
            wait_for(tty, row("type to filter"))
        tty.type("\x1b")
        wait_for(tty, row("repair tank"))

    assert row("TOOSMALL", "too small by")(offered), offered
    assert row("SECTOR4K", "4096")(offered), offered
    assert row(own_serial(3), "other")(offered), offered
    assert all("type to filter" not in text for text in told.values())
    assert 1 == int(said(guest, "zpool status tank | grep -c FAULTED"))
    assert before == read_back(shelf)


def test_a_disk_that_calls_itself_failing_is_replaced_while_it_still_serves(
    shelf: Shelf, ssh_alias: str
) -> None:
    """NVMe disks whose critical warning QEMU sets: one in the pool, and one that must not come in."""
    guest = shelf.guest
    if not guest.smart:
        pytest.skip("the guest has no disks with SMART data: python -m tests.lab up SERIES NAME --smart")
    guest.warn("nvme0", 0)
    guest.warn("nvme1", 0)
    nvme0, nvme1 = (f"/dev/disk/by-id/nvme-QEMU_NVMe_Ctrl_NVME{each}_1" for each in (0, 1))
    before = tank_of(shelf, f"mirror {{0}} {nvme0}")
    try:
        guest.warn("nvme0", 4)
        (found,) = repairs(ssh_alias)
        with repairing(ssh_alias, "ONLINE") as tty:
            wait_for(tty, row("has", "NVME0"))
            wait_for(tty, row(FIRST_OFFER))
            print(shown(tty))
            carry_out(tty)
            finish(tty)
        print(found, nvme1)
    finally:
        guest.warn("nvme0", 0)

    assert "failing" == found["trouble"]
    assert before == read_back(shelf)
