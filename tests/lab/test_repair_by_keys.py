"""Disks replaced by the keys of the Repair screen, until all is redundant again; the file is read back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from tests.lab.console import on_screen, row, type_slowly, wait_for
from tests.lab.guests import said
from tests.lab.repairing import (
    FIRST_OFFER,
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
