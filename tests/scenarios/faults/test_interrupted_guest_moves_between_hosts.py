"""A guest is moved to another host, and at each step something fails; planned again, what is left is done.

However it was interrupted: at no moment could both copies be started, nor do both hosts start the guest when
they boot; the guest is never started on a copy that lacks something; the old copy is there with its
snapshots; and in the end the guest runs on the other host with all that it wrote.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest

from tests.doubles.faulty_host import Crashed
from tests.doubles.guests_moving_between_hosts import MovingBetweenHosts
from tests.doubles.moving_guests import NEW, OLD, in_short
from tests.doubles.replicating import PipedHost
from tests.scenarios.faults.test_interrupted_guest_moves import FAULTS, HalfWay
from zconsole.base.errors import LinkLost
from zconsole.execution.host_lock import TAKE_AS_ROOT
from zconsole.hosts.host import Command, Completed, Effect, Outcome, Piped
from zconsole.model.run import RunState
from zconsole.practice.libvirt.guests import RUNNING, SHUT_OFF

ATTEMPTS = 6
CHANGES = 13  # of a move of a file without a failure: a volume is not mounted
ALL = [*FAULTS, "source unreachable", "target unreachable"]


@dataclass
class Fault:
    """At the n-th change on either host, counted from 0, the fault happens, once."""

    moving: MovingBetweenHosts
    at: int
    kind: str
    ran: list[str] = field(default_factory=list)
    down: str = ""  # label of a host that cannot be reached until the next attempt

    def is_due(self, command: Command) -> bool:
        if command.effect is not Effect.CHANGE or command.argv == TAKE_AS_ROOT:
            return False
        self.at -= 1
        return self.at == -1

    def look(self, command: Command) -> None:
        """What must hold right before a change, and right behind it."""
        moving = self.moving
        there = moving.there
        assert not (moving.is_writable(OLD) and moving.is_writable(NEW)), "both copies could be started"
        active = [each for each in (moving.guest, there) if each is not None and each.is_active]
        assert 1 >= len(active), "it runs on both hosts"
        if in_short(command.argv) == "start":
            assert moving.guids(OLD)[-1] == moving.guids(NEW)[-1], "started on an older copy"
            assert not moving.is_writable(OLD)
            assert SHUT_OFF == moving.guest.state


class Interrupting(PipedHost):
    """One of the two hosts."""

    fault: Fault

    async def connect(self) -> None:
        if self.fault.down == self.label:
            raise LinkLost("no route to host")
        await super().connect()

    async def run(self, command: Command) -> Completed:
        fault = self.fault
        if fault.down == self.label:
            raise LinkLost("no route to host")
        is_due = fault.is_due(command)
        if is_due:
            match fault.kind:
                case "refused":
                    return Completed(command, Outcome.FAILED, 1, b"", b"error: not today\n", "")
                case "cut before":
                    raise LinkLost("the link was cut")
                case "killed before":
                    raise Crashed
                case "source unreachable" | "target unreachable":
                    fault.down = "nas1" if fault.kind.startswith("source") else "vault1"
                    if fault.down == self.label:
                        raise LinkLost("no route to host")
        if command.effect is Effect.CHANGE:
            fault.ran.append(in_short(command.argv))
            fault.look(command)
        done = await super().run(command)
        if is_due and fault.kind == "cut after":
            raise LinkLost("the link was cut")
        if is_due and fault.kind == "killed after":
            raise Crashed
        return done

    @asynccontextmanager
    async def pipe(self, command: Command) -> AsyncIterator[Piped]:
        fault = self.fault
        if fault.down == self.label:
            raise LinkLost("no route to host")
        is_due = fault.is_due(command)
        if is_due and fault.kind == "killed before":
            raise Crashed
        if is_due and fault.kind in {"refused", "cut before", "source unreachable", "target unreachable"}:
            fault.down = {"source unreachable": "nas1", "target unreachable": "vault1"}.get(fault.kind, "")
            raise LinkLost("the link was cut")
        if command.effect is Effect.CHANGE and command.argv != TAKE_AS_ROOT:
            fault.ran.append(in_short(command.argv))
            fault.look(command)
        async with super().pipe(command) as running:
            if is_due and fault.kind == "ends half-way":
                yield HalfWay(running, command)
                return
            yield running
            if is_due and fault.kind == "killed after":
                raise Crashed


def interrupted(moving: MovingBetweenHosts, at: int, kind: str) -> Fault:
    """Both hosts with the fault between the console and them."""
    fault = Fault(moving, at, kind)
    made = []
    for host in (moving.nas, moving.vault):
        each = Interrupting(host.inner)
        each.fault = fault
        made.append(each)
    moving.nas, moving.vault = made
    return fault


@pytest.mark.parametrize("on_volume", [True, False], ids=["volume", "file"])
@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("at", range(CHANGES + 1))
async def test_a_move_that_was_interrupted_goes_on_from_the_facts_of_both_hosts(
    at: int, kind: str, on_volume: bool
) -> None:
    moving = MovingBetweenHosts(on_volume=on_volume)
    fault = interrupted(moving, at, kind)
    seen: list[RunState | str] = []
    for _ in range(ATTEMPTS):
        operator = moving.another()
        try:
            plan = await moving.planned(operator=operator)
            if plan.is_refused:
                assert ["already-there"] == [each.rule for each in plan.refusals], plan.refusals
                break
            run = await moving.carried_out(plan, operator)
            seen.append(f"{run.state.value}: {run.words}")
        except (Crashed, LinkLost) as error:
            seen.append(type(error).__name__)
        fault.down = ""
        moving.manual.advance(120)
        await asyncio.sleep(0)

    there = moving.there
    assert there is not None, seen
    assert (RUNNING, moving.path(NEW), True) == (
        there.state, there.disks[0].source, there.is_started_at_boot,
    ), seen  # fmt: skip
    assert (SHUT_OFF, moving.path(OLD), False) == (
        moving.guest.state, moving.guest.disks[0].source, moving.guest.is_started_at_boot,
    ), seen  # fmt: skip
    assert set(moving.guids(NEW)) <= set(moving.guids(OLD)), "the old place has all of it"
    assert moving.guids(NEW)[-1] == moving.guids(OLD)[-1]
    assert (False, True) == (moving.is_writable(OLD), moving.is_writable(NEW))
    assert 1 == fault.ran.count("start"), seen
