"""A pool on a guest, what `zconsole repair` says of it, and its Repair screen by keys."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from subprocess import CompletedProcess
from typing import Any, Final

from tests.lab.console import confirm, row, shown, type_slowly, wait_for, zconsole
from tests.lab.guests import said
from tests.lab.shelf import Shelf
from tests.ui.terminal.tty import Tty

NEEDED: Final = 1  # exit code of `zconsole repair`
SLOW_SCAN: Final = "/sys/module/zfs/parameters/zfs_scan_suspend_progress"
FILL: Final = "dd if=/dev/urandom of=/tank/f bs=1M count=16 conv=fsync 2>/dev/null; zpool sync tank"
SUM: Final = "sha256sum < /tank/f"
MOST_TRIES: Final = 5
PLANNED_S: Final = 20.0
OF_A_SLOW_HOST: Final = (" for SMART data", "Waiting for ")  # a guest has no time for all of its disks
NOTHING_LEFT: Final = "W: report"  # behind what became of it
FIRST_OFFER: Final = "▸"
MOST_OFFERS: Final = 6  # of one repair, one after another
GROUPS: Final = ("fits", "does not fit", "in use")  # headings of the chooser of disks
CHOICE: Final = re.compile(r"│ (\S+) {2,}(\S.*?) +│")

Repair = dict[str, Any]


def tank_of(shelf: Shelf, words: str, *, ashift: int = 12) -> str:
    """Make the pool tank, `{3}` being the disk in bay 3; returns the checksum of the file on it."""
    guest = shelf.guest
    guest.create_pool(f"-o ashift={ashift} tank {words.format(*map(guest.disk, range(guest.disks)))}")
    guest.ssh(FILL)
    return said(guest, SUM)


def complaints(answer: CompletedProcess[str]) -> list[str]:
    """What a command line said on stderr, but for what a slow host makes it say."""
    lines = answer.stderr.splitlines()
    return [each for each in lines if not any(map(each.__contains__, OF_A_SLOW_HOST))]


def repairs(alias: str) -> list[Repair]:
    """What `zconsole repair` says, the most urgent first."""
    answer = zconsole("repair", "--json", "--host", alias)
    assert (True, []) == (answer.returncode in {0, NEEDED}, complaints(answer))
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


def read_back(shelf: Shelf) -> str:
    """The checksum of the file, read from the disks after a scrub."""
    shelf.guest.ssh("zpool scrub -w tank && zpool export tank && zpool import tank", timeout_s=400)
    return said(shelf.guest, SUM)


def carry_out(tty: Tty, offer: str = "") -> str:
    """Enter on the advised offer, or further down on one with these words; returns its plan.

    "" where it is done meanwhile: what a plan has changed is shown once the host was read again.
    """
    if offer:
        go_to(tty, offer)
    for _ in range(MOST_TRIES):
        type_slowly(tty, "\r")
        with suppress(TimeoutError):
            tty.until(lambda now: FIRST_OFFER not in shown(now), seconds=PLANNED_S)
            break
    if NOTHING_LEFT in shown(tty):
        return ""
    plan = confirm(tty)
    wait_for(tty, lambda text: re.search(r": DONE", text) is not None)
    tty.type("\x1b")
    wait_for(tty, lambda text: ": DONE" not in text)
    return plan


def go_to(tty: Tty, offer: str) -> None:
    """Put the cursor on an offer of the present step; it begins at the advised one."""
    lines = shown(tty).splitlines()
    first = next(at for at, each in enumerate(lines) if FIRST_OFFER in each)
    wanted = next(at for at, each in enumerate(lines) if offer in each and at >= first)
    for _ in range(wanted - first):
        tty.type("\x1b[B")
        tty.read(0.2)


def choices(text: str) -> dict[str, dict[str, str]]:
    """The disks in the chooser by group and serial number, each with what is said of it."""
    found: dict[str, dict[str, str]] = {}
    group = ""
    for each in text.splitlines():
        words = each.strip("│ ")
        group = words if words in GROUPS else group
        if group and (choice := CHOICE.search(each)) is not None:
            found.setdefault(group, {})[choice[1]] = choice[2]
    return found


def finish(tty: Tty) -> None:
    """Take the advised offers of the after-care until nothing is left to do."""
    for _ in range(MOST_OFFERS):
        text = wait_for(
            tty,
            lambda text: NOTHING_LEFT in text or (row("→ 7 after-care")(text) and FIRST_OFFER in text),
        )
        if NOTHING_LEFT in text:
            return
        carry_out(tty)
    raise AssertionError(shown(tty))
