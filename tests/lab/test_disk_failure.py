"""A disk has failed: from the finding to verified redundancy on real pools, as `zconsole repair` guides.

Each journey reads its file back at the end. The disks below bay 6 serve the pools.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.lab.acting import Acting, acting_on
from tests.lab.console import confirm, on_screen, row, wait_for
from tests.lab.guests import said
from tests.lab.repairing import FIRST_OFFER, SLOW_SCAN, only_repair, read_back, repairs, states, step, tank_of
from tests.lab.shelf import Shelf, own_serial
from zconsole.actions.plan import Plan
from zconsole.model.run import RunState

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]  # the first test boots the guest, or builds it

SPARE_BAY: Final = 20  # empty in a guest that has just started
UNFIT: Final = {"TOOSMALL": "too-small", own_serial(3): "foreign-pool"}


@pytest.fixture
async def nas(shelf: Shelf, ssh_alias: str, tmp_path: Path) -> AsyncIterator[Acting]:
    """Who acts on the guest."""
    async with acting_on(shelf.guest, ssh_alias, tmp_path / "journal.sqlite") as acting:
        yield acting


async def take(nas: Acting, offer: dict[str, Any]) -> Plan:
    """Do what a step offers."""
    made = await nas.plan(offer["action"], offer["target"], *offer["arguments"], **offer["options"])
    assert not made.is_refused, made.refusals
    run = await nas.run(made)
    assert RunState.DONE is run.state, (run.words, run.differences, [each.said for each in run.steps])
    return made


async def test_a_pulled_disk_of_a_mirror_is_replaced_by_a_new_one(
    shelf: Shelf, nas: Acting, ssh_alias: str
) -> None:
    """From the missing disk to every vdev complete; each look at the host says which step is next."""
    before = tank_of(shelf, "mirror {0} {1}")

    shelf.pull(1)
    shelf.wait("zpool status tank | grep -q REMOVED")
    pulled = only_repair(ssh_alias)
    shelf.insert(1, "NEWDISK1")
    inserted = only_repair(ssh_alias)
    offer, *_ = step(inserted, "replace")["offers"]
    shelf.guest.ssh(f"echo 1 > {SLOW_SCAN}")
    await take(nas, offer)
    copying = only_repair(ssh_alias)
    shelf.guest.ssh(f"echo 0 > {SLOW_SCAN}; zpool wait -t resilver tank")
    after = only_repair(ssh_alias)

    assert ("failed", "mirror-0", "replace") == (pulled["trouble"], pulled["vdev"], pulled["step"])
    assert "done" == states(pulled)["take out"]
    assert "now" == states(inserted)["replace"]
    assert "NEWDISK1" in offer["words"]  # before the unused disks of other bays
    assert ("resilver", "NEWDISK1") == (copying["step"], copying["new_disk"]["serial"])
    assert ("after_care", "after-care") == (after["trouble"], after["step"])
    assert "every vdev is complete again" in step(after, "after-care")["found"]
    assert before == read_back(shelf)
    assert [] == repairs(ssh_alias)
    assert own_serial(1) not in said(shelf.guest, "lsblk -dno SERIAL")


def another_account(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    """From now on the console is started by somebody else, who has the same access and no journal."""
    shutil.copytree(Path(os.environ["HOME"], ".ssh"), folder / "home" / ".ssh")
    monkeypatch.setenv("HOME", str(folder / "home"))
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(folder / name.lower()))


def test_the_repair_screen_leads_on_and_another_account_resumes_after_its_console_was_killed(
    shelf: Shelf, ssh_alias: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By keys: the new disk is offered first as it arrives; what comes next is derived from facts."""
    before = tank_of(shelf, "mirror {0} {1}")
    shelf.pull(1)
    shelf.wait("zpool status tank | grep -q REMOVED")

    with on_screen(ssh_alias) as tty:
        wait_for(tty, row("tank", "DEGRADED"))
        tty.type("R")  # its status may not have been read yet
        pulled = wait_for(tty, row("✓ 3 take out"))
        shelf.insert(1, "NEWDISK1")
        wait_for(tty, row(FIRST_OFFER, "NEWDISK1"))
        shelf.guest.ssh(f"echo 1 > {SLOW_SCAN}")
        tty.type("\r")
        plan = confirm(tty)
        wait_for(tty, row("replace", ": DONE"))
        tty.type("\x1b")
        wait_for(tty, row("→ 6 resilver"))
        tty.process.kill()
    another_account(monkeypatch, tmp_path / "other")
    copying = only_repair(ssh_alias)
    shelf.guest.ssh(f"echo 0 > {SLOW_SCAN}; zpool wait -t resilver tank")
    after = only_repair(ssh_alias)

    assert row("repair tank mirror-0", "has failed")(pulled)
    assert row("SURVIVES", "mirror-0")(plan)
    assert ("resilver", "NEWDISK1", []) == (copying["step"], copying["new_disk"]["serial"], copying["runs"])
    assert ("after_care", "after-care") == (after["trouble"], after["step"])
    assert before == read_back(shelf)


def test_the_wrong_disk_pulled_is_a_loud_stop_that_ends_once_it_is_back(shelf: Shelf, ssh_alias: str) -> None:
    """Both disks are named; ZED brings the one that is back online, and the repair goes on."""
    before = tank_of(shelf, "raidz2 {0} {1} {2} {3}")
    wrong = Path(shelf.guest.disk(2)).name
    shelf.guest.ssh(f"zpool offline -f tank {shelf.guest.disk(1)}")

    shelf.pull(2)
    shelf.wait("zpool status tank | grep -q REMOVED")
    stopped, *_ = repairs(ssh_alias)
    shelf.insert(2)
    shelf.wait("! zpool status tank | grep -q REMOVED")
    shelf.guest.ssh("zpool wait -t resilver tank")
    later = only_repair(ssh_alias)

    assert stopped["alarm"].startswith(
        f"STOP: the wrong disk was pulled, or lost its contact. Put back {wrong}"
    )
    assert own_serial(1) in stopped["alarm"]
    assert "held" == states(stopped)["replace"]
    assert (own_serial(1), None) == (later["device"]["serial"], later["alarm"])
    assert "held" != states(later)["replace"], later
    assert before == read_back(shelf)


async def test_a_disk_that_does_not_fit_is_refused_with_the_reason_and_not_offered(
    shelf: Shelf, nas: Acting, ssh_alias: str
) -> None:
    """Too small, of larger sectors, and with the label of another pool."""
    guest = shelf.guest
    before = tank_of(shelf, "mirror {0} {1}", ashift=9)
    guest.ssh(f"zpool create -f other {guest.disk(3)} && zpool export other")
    guest.ssh(f"zpool offline -f tank {guest.disk(1)}")
    shelf.insert(SPARE_BAY, "TOOSMALL", size="128M")
    shelf.insert(SPARE_BAY + 1, "SECTOR4K", sector_bytes=4096)
    name = Path(guest.disk(1)).name

    offered = step(only_repair(ssh_alias), "replace")["offers"]

    assert own_serial(2) in offered[0]["words"]
    assert not [each for each in offered for unfit in UNFIT if unfit in each["words"]]
    for serial, rule in UNFIT.items():
        assert rule in await nas.refused("replace", "tank", name, serial)
    assert before == read_back(shelf)


@pytest.mark.parametrize(
    "layout", ["raidz2 {0} {1} {2} {3} spare {4}", "draid1:2d:5c:1s {0} {1} {2} {3} {4}"]
)
async def test_the_spare_that_zed_let_stand_in_goes_back_after_the_replacement(
    shelf: Shelf, nas: Acting, ssh_alias: str, layout: str
) -> None:
    """A hot spare and a distributed one."""
    before = tank_of(shelf, layout)

    shelf.pull(1)
    shelf.wait("zpool status tank | grep -q INUSE")
    shelf.guest.ssh("zpool wait -t resilver tank")
    standing_in, *_ = repairs(ssh_alias)
    shelf.insert(1, "NEWDISK1")
    inserted, *_ = repairs(ssh_alias)
    offer = next(each for each in step(inserted, "replace")["offers"] if "NEWDISK1" in each["words"])
    await take(nas, offer)
    shelf.guest.ssh("zpool wait -t resilver tank")
    for offer in (found for each in repairs(ssh_alias) for found in step(each, "after-care")["offers"]):
        if "return the spare" in offer["words"]:
            await take(nas, offer)

    assert "failed" == standing_in["trouble"]
    assert standing_in["spare"] is not None
    shelf.wait("zpool status tank | grep -q AVAIL")
    assert "after_care" == only_repair(ssh_alias)["trouble"]
    assert before == read_back(shelf)


async def test_a_second_failure_changes_the_advice_at_once(shelf: Shelf, nas: Acting, ssh_alias: str) -> None:
    """Another disk fails while the first is being replaced; both were present, so nothing was pulled."""
    guest = shelf.guest
    before = tank_of(shelf, "raidz2 {0} {1} {2} {3}")
    guest.ssh(f"zpool offline -f tank {guest.disk(1)}; echo 1 > {SLOW_SCAN}")

    first = only_repair(ssh_alias)
    await take(nas, step(first, "replace")["offers"][0])
    guest.ssh(f"zpool offline -f tank {guest.disk(2)}")
    both = repairs(ssh_alias)
    guest.ssh(f"echo 0 > {SLOW_SCAN}; zpool wait -t resilver tank")

    assert ("not needed", None) == (states(first)["take out"], first["alarm"])
    assert [own_serial(1), own_serial(2)] == [each["device"]["serial"] for each in both]
    assert "2 devices of raidz2-0 have failed" in both[0]["alarm"]
    assert "held" == states(both[1])["replace"]
    assert before == read_back(shelf)
