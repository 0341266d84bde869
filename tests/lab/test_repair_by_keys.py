"""A failed disk by the keys of the Repair screen, until all is redundant again; the file is read back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.lab.console import on_screen, row, wait_for
from tests.lab.guests import said
from tests.lab.repairing import FIRST_OFFER, carry_out, finish, read_back, repairs, tank_of
from tests.lab.shelf import Shelf
from tests.ui.terminal.tty import Tty

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]  # the first test boots the guest, or builds it


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
