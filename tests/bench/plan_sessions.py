"""What a plan costs on a host behind a link, and its run: sessions, rounds that wait for others, programs.

A session is what the console sends at once: one channel of the connection and one shell on the host, which
runs all the commands of that moment. A round is a session or a file that had to wait for an earlier answer.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from tests.bench.repair_plan import ANSWER_S, NEW, FarHost, Learner, collected
from tests.bench.report import Result, put_section, table_section
from zconsole.actions.intent import intent
from zconsole.base.user_config_file import Config
from zconsole.collect.guests.guest_source_protocol_and_virsh import NoLibvirt
from zconsole.collect.guests.read_guests import read_guests
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.facts_for_plans import read_datasets
from zconsole.execution.read_only_and_protection_policy import Policies
from zconsole.hosts.host import Command, Effect
from zconsole.model.guests.guest import Guest
from zconsole.model.host.host_state import HostState, Reading
from zconsole.model.pools.disk_and_inventory import Inventory
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import PracticeGuest, PracticeGuestDisk
from zconsole.service.prepare_execute_and_recover_plans import Operator

MOST_PROGRAMS: Final = 8
MANY: Final = 30  # guests
MOST_ROUNDS: Final = 2
HEADING: Final = "## What a plan sends"
HOW: Final = """\
Written by `python -m tests.bench repair`: sessions for a plan, rounds that wait for earlier answers, programs
that these sessions run on the host, and seconds when each session takes 100 ms. *On the screen* the console
has read the host within the last seconds and shows its datasets with the guests on them; whether ZFS runs
channel programs, and whether libvirt lets the user change guests, is asked once a connection. The host has
one pool, with a volume. The command line has read nothing before. A run reads everything again, which its row
counts together with the lock, the identity checks, the steps and their verification.
*Under guests*, which run on volumes below the second dataset, the destruction of that is refused, and what
the plan offers instead is planned too.
By hand it takes a session for `zfs destroy -nv` and one without `-n`, and nothing is checked.
"""
SNAPSHOT: Final = "tank/a@1"
DATASET: Final = "tank/b"
SETUP: Final = (
    ("zfs", "create", "tank/a"), ("zfs", "snapshot", SNAPSHOT), ("zfs", "snapshot", "tank/a@2"),
    ("zfs", "create", DATASET),
)  # fmt: skip
INTENTS: Final = {
    "destroy a snapshot": ("destroy", SNAPSHOT),
    "destroy a dataset": ("destroy", DATASET),
    "replace a disk": ("replace", "tank", "ata-ST4000NM0035-1V4107_ZC13A0R7"),
}


@dataclass(frozen=True, slots=True)
class Sent:
    """What was sent for a plan or a run."""

    sessions: int
    rounds: int
    programs: int

    def __str__(self) -> str:
        return f"{self.sessions} sessions in {self.rounds} rounds, {self.programs} programs"


async def sent_for(
    words: tuple[str, ...],
    *,
    knows: bool,
    answer_s: float,
    runs: bool = False,
    is_again: bool = False,
    guests: int = 0,
) -> Sent:
    """What a plan sends; with `is_again` a second one of the connection, with `runs` its run.

    With guests, which run on volumes below the dataset of the plan, the destruction of that is refused.
    """
    learner = await set_up(guests)
    host = FarHost(learner.host, answer_s)
    state = await shown(learner) if knows else None
    operator = Operator(
        [host], clock=learner.clock, policies=Policies(Config()), state_of=lambda _: state if knows else None
    )
    if words[0] == "replace":
        disk = next(disk for disk in learner.host.world.disks if disk.serial == NEW)
        words = (*words, f"/dev/disk/by-id/{disk.link}")
    plan = await operator.prepare(host.label, intent(*words))
    assert plan.is_refused is bool(guests and words[1] == DATASET), plan.refusals
    if is_again:
        host.begin_anew()
        again = await operator.prepare(host.label, intent(*words))
        assert plan.basis == again.basis
        assert plan.steps == again.steps
    if runs:
        host.begin_anew()
        run = await operator.execute(host.label, plan, plan.confirm or "")
        assert run.state is RunState.DONE, run
    return Sent(host.sessions, host.rounds, len(host.commands))


async def set_up(guests: int) -> Learner:
    """A host with a failed disk, a new one in its bay, and guests on volumes below the dataset."""
    learner = await Learner.begin("failed-disk")
    await learner.until_idle()
    await learner.pull(2)
    await learner.insert(NEW, 2)
    for argv in SETUP:
        await learner.host.run(Command(argv, Effect.CHANGE))
    if guests:
        learner.host.world.lacking -= {"virsh", "qemu-img"}
    for at in range(guests):
        await add_guest(learner, f"web{at}", f"{DATASET}/vm{at}")
    return learner


async def add_guest(learner: Learner, name: str, volume: str) -> None:
    """A guest that runs on a new volume."""
    await learner.host.run(Command(("zfs", "create", "-s", "-V", "1G", volume), Effect.CHANGE))
    disk = PracticeGuestDisk("vda", f"/dev/zvol/{volume}")
    learner.host.world.guests.append(PracticeGuest(name, [disk]))


async def shown(learner: Learner) -> HostState:
    """What the console has of the host while its datasets are on the screen, with the guests on them."""
    host = FarHost(learner.host, 0)
    asker, now = Asker(host), learner.clock.monotonic()
    state = await collected(learner, host, 3.0)
    listed = Reading(await read_datasets(asker, "tank"), now)
    guests: Reading[tuple[Guest, ...]] = Reading()
    with suppress(NoLibvirt):
        guests = Reading(
            await read_guests(asker, Privilege(asker), state.inventory.value or Inventory()), now
        )
    pools = tuple(replace(each, datasets=listed) for each in state.pools)
    return replace(state, pools=pools, guests=guests)


async def measure() -> list[Result]:
    """Each plan on the screen, on the command line, and its run."""
    found = []
    for what, words in INTENTS.items():
        under_guests: dict[str, Any] = {"knows": True, "is_again": True}
        for where, how, most in (
            ("on the screen, the first of a connection", {"knows": True}, None),
            ("on the screen", {"knows": True, "is_again": True}, MOST_PROGRAMS),
            ("on the screen, under one guest", {**under_guests, "guests": 1}, MOST_PROGRAMS),
            (f"on the screen, under {MANY} guests", {**under_guests, "guests": MANY}, MOST_PROGRAMS),
            ("on the command line", {"knows": False}, None),
            ("its run", {"knows": True, "runs": True}, None),
        ):
            sent = await sent_for(words, answer_s=ANSWER_S, **how)
            goal = f"<= {most} programs, {MOST_ROUNDS} rounds" if most else ""
            seen = f"{sent}, {sent.rounds * ANSWER_S:.1f} s"
            found.append(
                Result(
                    f"{what}: {where}",
                    goal,
                    seen,
                    most is None or (sent.programs <= most and sent.rounds <= MOST_ROUNDS),
                )
            )
    return found


def section() -> str:
    """The section of the page."""
    return table_section(HEADING, HOW, asyncio.run(measure()))


def rewrite(page: Path) -> None:
    """Put the section in its place on the page."""
    put_section(page, HEADING, section())
