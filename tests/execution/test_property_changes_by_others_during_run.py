"""Somebody else sets the same property while a plan runs: the history tells, in its order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.actions.dataset.plans import planned
from tests.doubles.plan_worlds import host, images
from tests.doubles.scripted_host import HANG, Answer, ScriptedHost, failed
from zconsole.base.clock import ManualClock
from zconsole.collect.privilege import Privilege, User
from zconsole.collect.read_command_runner import Asker
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.property_changes_by_others_during_run import changes_during_run, history_before

OURS = "zfs set quota=20G tank/home"
PLAN = planned(host(images()), "set", "tank/home", "quota=20G")
BEFORE = ("zfs create tank/home", "zfs set quota=5G tank/home")


def records(*commands: str) -> bytes:
    """A pool's history with these commands."""
    lines = (f"2026-11-21.10:00:{at:02} {text} [user 0 (root) on nas1]" for at, text in enumerate(commands))
    return "\n".join(("History for 'tank':", *lines, "")).encode()


def reader(answer: Answer) -> tuple[ScriptedHost, Reader]:
    """A host as root, with this history."""
    scripted = ScriptedHost()
    scripted.answers["zpool history"] = answer
    asker = Asker(scripted)
    return scripted, Reader(asker, ManualClock(), Privilege(asker, User("root", 0)))


async def told(after: Sequence[str]) -> str:
    """What is said of these commands, run since."""
    scripted, reads = reader(records(*BEFORE))
    before = await history_before(reads, PLAN)
    scripted.answers["zpool history"] = records(*BEFORE, *after)
    return await changes_during_run(reads, PLAN, before)


@pytest.mark.parametrize(
    ("said", "after"),
    [
        ("", [OURS]),
        ("", [OURS, "zfs set atime=off tank/home", "zfs set quota=9G tank/other", "zfs snapshot tank@1"]),
        (
            "just before it somebody else ran: zfs set quota=9G tank/home",
            ["zfs set quota=9G tank/home", OURS],
        ),
        ("after it somebody else ran: zfs inherit quota tank/home", [OURS, "zfs inherit quota tank/home"]),
        (
            (
                "just before it somebody else ran: zfs set quota=1G tank/home; "
                "after it somebody else ran: zfs set quota=2G tank/home"
            ),
            ["zfs set quota=1G tank/home", OURS, "zfs set quota=2G tank/home"],
        ),
        ("just before it somebody else ran: zfs set quota=9G tank/home", ["zfs set quota=9G tank/home"]),
    ],
)
async def test_only_changes_of_the_same_property_are_told(said: str, after: list[str]) -> None:
    assert said == await told(after)


async def test_a_plan_that_sets_nothing_reads_no_history() -> None:
    scripted, reads = reader(records(*BEFORE))

    assert await history_before(reads, planned(host(images()), "snapshot", "tank/home@new")) is None
    assert [] == scripted.commands


@pytest.mark.parametrize("answer", [HANG, failed("zpool history", 1, b"no such pool"), b"what is this\n"])
async def test_a_history_that_cannot_be_read_tells_nothing(answer: Answer) -> None:
    scripted, reads = reader(records(*BEFORE))
    before = await history_before(reads, PLAN)
    scripted.answers["zpool history"] = answer

    assert before is not None
    assert "" == await changes_during_run(reads, PLAN, before)
    assert await history_before(reads, PLAN) is None
