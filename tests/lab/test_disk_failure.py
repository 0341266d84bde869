"""A disk has failed: from the finding to verified redundancy on real pools, as `zconsole repair` guides.

Each journey reads its file back at the end. The disks below bay 6 serve the pools.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tests.lab.acting import Acting, acting_on
from tests.lab.console import zconsole
from tests.lab.guests import Guest, said
from tests.lab.shelf import Shelf, own_serial
from zconsole.actions.plan import Plan
from zconsole.model.run import RunState

pytestmark = [pytest.mark.lab, pytest.mark.timeout(3600)]  # the first test boots the guest, or builds it

NEEDED: Final = 1  # exit code of `zconsole repair`
SLOW_SCAN: Final = "/sys/module/zfs/parameters/zfs_scan_suspend_progress"
FILL: Final = "dd if=/dev/urandom of=/tank/f bs=1M count=16 conv=fsync 2>/dev/null; zpool sync tank"
SUM: Final = "sha256sum < /tank/f"

Repair = dict[str, Any]


@pytest.fixture
def shelf(guest: Guest) -> Iterator[Shelf]:
    """The guest's shelf, without pools; all disks are back in their bays afterwards."""
    guest.wipe()
    shelf = Shelf(guest)
    yield shelf
    guest.ssh(f"echo 0 > {SLOW_SCAN}")
    shelf.restore()


@pytest.fixture
async def nas(shelf: Shelf, ssh_alias: str, tmp_path: Path) -> AsyncIterator[Acting]:
    """Who acts on the guest."""
    async with acting_on(shelf.guest, ssh_alias, tmp_path / "journal.sqlite") as acting:
        yield acting


def tank_of(shelf: Shelf, words: str) -> str:
    """Make the pool tank, `{3}` being the disk in bay 3; returns the checksum of the file on it."""
    guest = shelf.guest
    guest.create_pool(f"-o ashift=12 tank {words.format(*map(guest.disk, range(guest.disks)))}")
    guest.ssh(FILL)
    return said(guest, SUM)


def repairs(alias: str) -> list[Repair]:
    """What `zconsole repair` says, the most urgent first."""
    answer = zconsole("repair", "--json", "--host", alias)
    assert (True, "") == (answer.returncode in {0, NEEDED}, answer.stderr)
    found: list[Repair] = json.loads(answer.stdout)["repairs"]
    assert bool(found) == (answer.returncode == NEEDED)
    return found


def only_repair(alias: str) -> Repair:
    """The one repair that is needed."""
    (found,) = repairs(alias)
    return found


def step(repair: Repair, name: str) -> dict[str, Any]:
    """A step of a repair."""
    (found,) = (each for each in repair["steps"] if each["step"] == name)
    return found


def states(repair: Repair) -> dict[str, str]:
    """The state of each step."""
    return {each["step"]: each["state"] for each in repair["steps"]}


async def take(nas: Acting, offer: dict[str, Any]) -> Plan:
    """Do what a step offers."""
    made = await nas.plan(offer["action"], offer["target"], *offer["arguments"], **offer["options"])
    assert not made.is_refused, made.refusals
    run = await nas.run(made)
    assert RunState.DONE is run.state, (run.words, run.differences, [each.said for each in run.steps])
    return made


def read_back(shelf: Shelf) -> str:
    """The checksum of the file, read from the disks after a scrub."""
    shelf.guest.ssh("zpool scrub -w tank && zpool export tank && zpool import tank", timeout_s=400)
    return said(shelf.guest, SUM)


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

    assert stopped["alarm"].startswith(f"STOP: the wrong disk was pulled. Put back {wrong}")
    assert own_serial(1) in stopped["alarm"]
    assert "held" == states(stopped)["replace"]
    assert (own_serial(1), None) == (later["device"]["serial"], later["alarm"])
    assert "held" != states(later)["replace"]
    assert before == read_back(shelf)
