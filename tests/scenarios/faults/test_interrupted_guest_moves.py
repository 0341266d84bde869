"""A guest's storage is moved, and at each step something fails; planned again, what is left is done.

However it was interrupted: the guest is never started on a copy that lacks something, the old place is there
with its snapshots, and in the end the guest runs at the new place with all that it wrote.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from tests.doubles.faulty_host import Crashed
from tests.doubles.moving_guests import NEW, OLD, MovingGuest, in_short
from tests.doubles.replicating import PipedHost
from zconsole.base.errors import LinkLost
from zconsole.execution.host_lock import TAKE_AS_ROOT
from zconsole.hosts.build_command_results import unknown
from zconsole.hosts.host import Command, Completed, Effect, Outcome, Piped
from zconsole.model.run import RunState
from zconsole.practice import PracticeHost
from zconsole.practice.libvirt.guests import RUNNING, SHUT_OFF

FAULTS = ("refused", "cut before", "cut after", "killed before", "killed after", "ends half-way")
ATTEMPTS = 6


class Interrupting(PipedHost):
    """At the n-th change, counted from 0, the fault happens, once."""

    def __init__(self, inner: PracticeHost, moving: MovingGuest, at: int, fault: str) -> None:
        super().__init__(inner)
        self.left = at
        self.fault = fault
        self.moving = moving
        self.ran: list[str] = []

    def _is_due(self, command: Command) -> bool:
        if command.effect is not Effect.CHANGE or command.argv == TAKE_AS_ROOT or not self.fault:
            return False
        self.left -= 1
        return self.left == -1

    def _look(self, command: Command) -> None:
        """What must hold right before a change."""
        what = in_short(command.argv)
        self.ran.append(what)
        if what == "start" and self.moving.disk.count(NEW):
            assert self.moving.guids(OLD)[-1] == self.moving.guids(NEW)[-1], "started on an older copy"
            assert "off" == self.moving.get(NEW, "readonly")
        if what == "define":
            assert SHUT_OFF == self.moving.guest.state

    async def run(self, command: Command) -> Completed:
        is_due = self._is_due(command)
        if is_due and self.fault == "refused":
            return Completed(command, Outcome.FAILED, 1, b"", b"error: not today\n", "")
        if is_due and self.fault == "cut before":
            raise LinkLost("the link was cut")
        if is_due and self.fault == "killed before":
            raise Crashed
        if command.effect is Effect.CHANGE:
            self._look(command)
        done = await super().run(command)
        if is_due and self.fault == "cut after":
            raise LinkLost("the link was cut")
        if is_due and self.fault == "killed after":
            raise Crashed
        return done

    @asynccontextmanager
    async def pipe(self, command: Command) -> AsyncIterator[Piped]:
        is_due = self._is_due(command)
        if is_due and self.fault == "killed before":
            raise Crashed
        if is_due and self.fault in {"refused", "cut before"}:
            raise LinkLost("the link was cut")
        if command.effect is Effect.CHANGE and command.argv != TAKE_AS_ROOT:
            self._look(command)
        async with super().pipe(command) as running:
            if is_due and self.fault == "ends half-way":
                yield HalfWay(running, command)
                return
            yield running
            if is_due and self.fault == "killed after":
                raise Crashed


class HalfWay:
    """A receiver that gets no more than half of the stream: then the link is cut."""

    def __init__(self, running: Piped, command: Command) -> None:
        self.read, self.kill, self.words, self.session, self.finish = (
            running.read, running.kill, running.words, running.session, running.finish,
        )  # fmt: skip
        self._running = running
        self._command = command
        self._writes = 0

    async def write(self, data: bytes) -> None:
        self._writes += 1
        if self._writes > 1:
            raise BrokenPipeError
        await self._running.write(data[: max(1, len(data) // 2)])
        raise BrokenPipeError

    async def ended(self) -> Completed:
        self._running.finish()
        done = await self._running.ended()
        return replace(unknown(self._command, "the link was cut"), session=done.session)


@pytest.mark.parametrize("on_volume", [True, False], ids=["volume", "file"])
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("at", range(11))
async def test_a_move_that_was_interrupted_goes_on_from_the_facts(
    at: int, fault: str, on_volume: bool
) -> None:
    moving = MovingGuest(on_volume=on_volume)
    inner = moving.nas.inner
    assert isinstance(inner, PracticeHost)
    host = Interrupting(inner, moving, at, fault)
    moving.nas = moving.vault = host
    seen: list[RunState | str] = []
    for _ in range(ATTEMPTS):
        operator = moving.another()
        try:
            plan = await moving.plan("guest-move", "web01", NEW, operator=operator)
            if plan.is_refused:
                assert ["already-there"] == [each.rule for each in plan.refusals], plan.refusals
                break
            run = await moving.run(plan, operator)
            seen.append(f"{run.state.value}: {run.words}")
        except (Crashed, LinkLost) as error:
            seen.append(type(error).__name__)
        moving.manual.advance(120)
        await asyncio.sleep(0)

    assert (RUNNING, f"/dev/zvol/{NEW}" if on_volume else f"/{NEW}/disk.qcow2") == (
        moving.guest.state, moving.disk,
    ), seen  # fmt: skip
    assert set(moving.guids(NEW)) <= set(moving.guids(OLD)), "the old place has all of it"
    assert moving.guids(NEW)[-1] == moving.guids(OLD)[-1]
    assert 1 == host.ran.count("start")
