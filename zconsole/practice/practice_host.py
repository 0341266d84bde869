"""The practice host as a Host: runs programs in the practice world, with the faults that are switched on."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TypeVar

from zconsole.base.clock import Clock, SystemClock
from zconsole.base.errors import CommandFailed, HostUnreachable, LinkLost
from zconsole.hosts.host import Command, Completed, Outcome, Piped
from zconsole.practice.command_and_link_fault_switches import Faults
from zconsole.practice.demo.demo_host import demo_world
from zconsole.practice.exercises.running_exercise import RunningExercise
from zconsole.practice.io.io_simulation import Simulation
from zconsole.practice.piped_program import PracticePipe
from zconsole.practice.program_and_subcommand_table import (
    Answer,
    Following,
    FollowingWorld,
    Samples,
    answer,
    not_found,
    pools_touched,
)
from zconsole.practice.program_reply import Reply, Sending, Taking, Waiting
from zconsole.practice.system.coreutils import read as read_file
from zconsole.practice.system.proc_sys_and_etc_files import listing
from zconsole.practice.world import vdev_states_and_drive_unplugging
from zconsole.practice.world.host_world import World
from zconsole.practice.world.pools_and_vdevs import PracticePool
from zconsole.practice.zpool_show.events_history import events_header, events_text

UPTIME_S = 41 * 86400.0  # of the demonstration host when it begins
_EVENT_CHECK_S = 1.0
_EVENT_LAG_S = 0.95  # events may be told so much later than they happen
_STATE_LAG_S = 0.95  # and so may the state of a pool
_READ_LAG_S = 0.2  # the counters in files may be so old
_POOL_STATE = "/state"  # in the folder of each pool below /proc/spl/kstat/zfs
_WAIT_CHECK_S = 1.0
_NEVER_S = 1e9

T = TypeVar("T")


class PracticeHost:
    """A host without a machine. Time moves with the clock; the same seed gives the same world."""

    def __init__(
        self,
        label: str = "practice",
        clock: Clock | None = None,
        *,
        seed: int = 1,
        faults: Faults | None = None,
        world: World | None = None,
    ) -> None:
        self._label = label
        self._clock: Clock = clock or SystemClock()
        self.faults = faults or Faults()
        self.world = world or demo_world(self._clock.now(), seed)
        self.simulation = Simulation(self.world, seed)
        self.exercise: RunningExercise | None = None
        if world is None:
            self.simulation.live_through(UPTIME_S)
        self._began = self._clock.monotonic()
        self._lingering: set[Command] = set()
        self._is_connected = self._was_connected = False

    @property
    def connection(self) -> int | None:
        """Which of its connections is up."""
        return self.world.connection if self._is_connected and not self.faults.is_link_cut else None

    @property
    def label(self) -> str:
        return self._label

    @property
    def is_here(self) -> bool:
        return True  # so that it is asked all that a local host is asked

    async def connect(self) -> None:
        if self.faults.is_unreachable:
            raise HostUnreachable(f"{self._label} does not answer", hint="It is tried again by itself.")
        if self._was_connected and not (self._is_connected and not self.faults.is_link_cut):
            self.world.connection += 1  # as sshd has a process for each
        self.faults.is_link_cut = False
        self._is_connected = self._was_connected = True

    async def close(self) -> None:
        self._is_connected = False
        self._lingering.clear()
        self.faults.changed()

    async def run(self, command: Command) -> Completed:
        self._need_link()
        started = self._clock.monotonic()
        try:
            reply = await self._within(command.timeout_s, self._answer(command))
        except TimeoutError:
            if self._is_stuck(command):
                self._lingering.add(command)
            reason = f"no answer within {command.timeout_s:g} s"
            return self._unknown(command, started, reason)
        except LinkLost as error:
            return self._unknown(command, started, error.message)
        return self._completed(command, started, reply)

    @asynccontextmanager
    async def stream(self, command: Command) -> AsyncIterator[AsyncIterator[bytes]]:
        self._need_link()
        chunks = self._chunks(command)
        try:
            yield chunks
        finally:
            await chunks.aclose()

    @asynccontextmanager
    async def pipe(self, command: Command) -> AsyncIterator[Piped]:
        self._need_link()
        await self._unstuck(command)
        found = self._start(command)
        if isinstance(found, Samples | Following | FollowingWorld | Waiting):
            raise CommandFailed(f"{command.argv[0]} on {self._label} takes and gives no stream")
        running = PracticePipe(self, command, found)
        try:
            yield running
        finally:
            running.leave()

    def check_link(self) -> None:
        """Raises LinkLost where the connection is cut."""
        if self.faults.is_link_cut or not self._is_connected:
            raise LinkLost(f"the connection to {self._label} is lost")

    async def pass_time(self, seconds: float) -> None:
        """Wait. Raises LinkLost where the connection is cut meanwhile."""
        await self._sleep(seconds)
        self._catch_up()

    def is_lingering(self, command: Command) -> bool:
        if command in self._lingering and not self._is_stuck(command):
            self._lingering.discard(command)
        return command in self._lingering

    async def read(self, path: str, *, max_bytes: int = 1024 * 1024) -> bytes:
        self._need_link()
        if path in self.faults.denied:
            raise PermissionError(path)
        self._catch_up(lag_s=_STATE_LAG_S if path.endswith(_POOL_STATE) else _READ_LAG_S)
        return read_file(self.world, path).encode("utf-8", "surrogateescape")[:max_bytes]

    @property
    def runs_any_command(self) -> bool:
        return True

    @property
    def lists_folders(self) -> bool:
        return True

    async def list_folder(self, path: str) -> tuple[str, ...]:
        self._need_link()
        self._catch_up(lag_s=_STATE_LAG_S)
        return tuple(listing(self.world, path))

    def pool(self, name: str) -> PracticePool:
        """One of its pools."""
        return self.world.pools[name]

    def suspend(self, pool: str) -> None:
        """Make every command on a pool hang for ever; its kstat says SUSPENDED."""
        self._catch_up()
        self.pool(pool).is_suspended = True
        self.faults.changed()

    def resume(self, pool: str) -> None:
        """End a suspension; hanging commands are answered."""
        self._catch_up()
        self.pool(pool).is_suspended = False
        self.faults.changed()

    def unplug(self, disk: str) -> None:
        """Pull a drive, named as `World.disk` knows it."""
        self._catch_up()
        vdev_states_and_drive_unplugging.unplug(self.world, self.world.disk(disk))
        self.faults.changed()

    def plug(self, disk: str) -> None:
        """Put a drive back."""
        self._catch_up()
        vdev_states_and_drive_unplugging.plug(self.world, self.world.disk(disk))
        self.faults.changed()

    def set_slow(self, disk: str, factor: float) -> None:
        """Make a drive that many times slower than new, from now on."""
        self._catch_up()
        found = self.world.disk(disk)
        self.world.ageing = [ageing for ageing in self.world.ageing if ageing.disk is not found]
        found.slow_factor = factor

    def set_tail(self, disk: str, share: float, times: float) -> None:
        """Slow down a share of a drive's operations by a factor; a share of 0 ends that."""
        self._catch_up()
        self.world.disk(disk).tail = (share, times) if share else None

    def hang(self, *beginning: str) -> None:
        """Make every command whose argv begins so hang for ever."""
        self.faults.hanging.add(beginning)
        self.faults.changed()

    def release(self) -> None:
        """Let all hanging commands continue."""
        self.faults.hanging.clear()
        self.faults.changed()

    def cut_link(self) -> None:
        """Cut the connection under whatever runs, until `connect`."""
        self.faults.is_link_cut = True
        self.faults.changed()

    def _need_link(self) -> None:
        if self.faults.is_link_cut or self.faults.is_unreachable:
            self._is_connected = False
            raise LinkLost(f"the connection to {self._label} is lost")
        if not self._is_connected:
            raise LinkLost(f"not connected to {self._label}")

    def _catch_up(self, *, lag_s: float = 0.0) -> None:
        """Move the world on to now; not where it is behind by less than `lag_s`: a step takes 1 ms of CPU."""
        elapsed = self._clock.monotonic() - self._began
        if not 0 <= elapsed - self.world.elapsed < lag_s:
            self.simulation.advance(elapsed)
        if self.exercise is not None and self.exercise.catch_up():
            self.faults.changed()

    def _is_stuck(self, command: Command) -> bool:
        if self.faults.hangs(command.argv):
            return True
        return any(pool.is_suspended for pool in pools_touched(self.world, command.argv))

    async def _unstuck(self, command: Command) -> None:
        """Wait until nothing keeps a command from answering."""
        self.check_link()
        while self._is_stuck(command):
            await self.faults.wait()
            self.check_link()

    async def _sleep(self, seconds: float) -> None:
        """Sleep; a cut link ends it."""
        sleeper = asyncio.ensure_future(self._clock.sleep(seconds))
        try:
            while not sleeper.done():
                change = asyncio.ensure_future(self.faults.wait())
                try:
                    await asyncio.wait({sleeper, change}, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    change.cancel()
                self.check_link()
        finally:
            sleeper.cancel()

    async def _within(self, seconds: float, work: Coroutine[object, object, T]) -> T:
        """The result of `work`, unless the clock runs past `seconds` first: TimeoutError."""
        worker = asyncio.ensure_future(work)
        sleeper = asyncio.ensure_future(self._clock.sleep(seconds))
        try:
            await asyncio.wait({worker, sleeper}, return_when=asyncio.FIRST_COMPLETED)
            if not worker.done():
                raise TimeoutError
            return worker.result()
        finally:
            worker.cancel()
            sleeper.cancel()
            await asyncio.gather(worker, sleeper, return_exceptions=True)

    async def _answer(self, command: Command) -> Reply:
        """Run a program to its end."""
        await self._unstuck(command)
        if self.faults.answer_after_s:
            await self._sleep(self.faults.answer_after_s)
        return await self._to_end(command, self._start(command))

    async def _to_end(self, command: Command, found: Answer) -> Reply:
        """Run a program to its end and return its whole output."""
        if isinstance(found, Reply):
            return found
        if isinstance(found, Waiting):
            return await self._waited(found)
        if isinstance(found, Sending):
            whole = b"".join(found.chunks)
            return replace(found.reply, stdout=whole.decode("utf-8", "surrogateescape"))
        if isinstance(found, Taking):
            return found.feed(command.stdin or b"") or found.end()
        text = ""
        async for chunk in self._going_on(command, found):
            text += chunk
        return Reply(text)

    async def _waited(self, waiting: Waiting) -> Reply:
        """The reply of a waiting program, after its wait."""
        while not waiting.is_over():
            await self._sleep(_WAIT_CHECK_S)
            self._catch_up()
        return waiting.reply

    def _start(self, command: Command) -> Answer:
        program = command.argv[0].rpartition("/")[2]
        if program in self.faults.missing:
            return not_found(command.argv[0])
        if program in self.faults.denied:
            return Reply(stderr=f"{command.argv[0]}: Permission denied\n", status=126)
        denied = self.faults.denied & set(command.argv[1:])
        if denied:
            return Reply(stderr=f"{program}: {min(denied)}: Permission denied\n", status=1)
        self._catch_up()
        before = self._suspended()
        sight = self.exercise.look() if self.exercise is not None else None
        found = answer(self.world, command.argv, command.stdin or b"")
        if self.exercise is not None and sight is not None:
            self.exercise.note(sight)
        if before != self._suspended():
            self.faults.changed()
        return found

    def _suspended(self) -> list[str]:
        return [pool.name for pool in self.world.pools.values() if pool.is_suspended]

    async def _chunks(self, command: Command) -> AsyncGenerator[bytes, None]:
        sent = 0
        await self._unstuck(command)
        found = self._start(command)
        if not isinstance(found, Samples | Following | FollowingWorld):
            found = await self._to_end(command, found)
            if found.stdout:
                yield self._as_sent(found.stdout)
            raise self._ended(command, found.stderr, found.status)
        async for chunk in self._going_on(command, found):
            data = self._as_sent(chunk)
            if self.faults.cut_after_bytes is not None and sent + len(data) > self.faults.cut_after_bytes:
                yield data[: self.faults.cut_after_bytes - sent]
                raise LinkLost(f"the connection to {self._label} is lost")
            sent += len(data)
            yield data
        raise self._ended(command, "", 0)

    def _ended(self, command: Command, said: str, status: int) -> CommandFailed:
        name = " ".join(command.argv[:2])
        return CommandFailed(
            f"{name} on {self._label} ended (exit {status})", said=said.strip(), status=status
        )

    async def _going_on(
        self, command: Command, found: Samples | Following | FollowingWorld
    ) -> AsyncIterator[str]:
        """The output of a repeating program, piece by piece."""
        if isinstance(found, Following):
            async for text in self._events(command, found):
                yield text
            return
        if isinstance(found, FollowingWorld):
            async for text in self._news(command, found):
                yield text
            return
        printer, left = found.printer, found.count or _NEVER_S
        yield printer.skip() if found.omits_first else printer.sample()
        left -= 0 if found.omits_first else 1
        while left > 0:
            await self._sleep(found.interval_s)
            await self._unstuck(command)
            self._catch_up()
            left -= 1
            yield printer.sample()

    async def _events(self, command: Command, found: Following) -> AsyncIterator[str]:
        told = 0  # the number of the first event that was not
        text = events_header(found.options)
        while True:
            await self._unstuck(command)
            self._catch_up(lag_s=_EVENT_LAG_S)
            text += events_text(self.world.events_from(told), found.options)
            told = self.world.next_eid
            if text:
                yield text
            text = ""
            await self._sleep(_EVENT_CHECK_S)

    async def _news(self, command: Command, found: FollowingWorld) -> AsyncIterator[str]:
        text = found.head
        while True:
            if text:
                yield text
            await self._sleep(_EVENT_CHECK_S)
            await self._unstuck(command)
            self._catch_up(lag_s=_EVENT_LAG_S)
            text = found.news()

    def _as_sent(self, text: str) -> bytes:
        return self.faults.noise + text.encode("utf-8", "surrogateescape")

    def _unknown(self, command: Command, started: float, reason: str) -> Completed:
        lasted = self._clock.monotonic() - started
        return Completed(command, Outcome.UNKNOWN, None, b"", b"", reason=reason, duration_s=lasted)

    def _completed(self, command: Command, started: float, reply: Reply) -> Completed:
        duration_s = self._clock.monotonic() - started
        stdout, stderr = self._as_sent(reply.stdout), reply.stderr.encode("utf-8", "surrogateescape")
        limit, reason = command.max_bytes, f"more than {command.max_bytes} bytes of output"
        if self.faults.cut_after_bytes is not None and len(stdout) > self.faults.cut_after_bytes:
            limit, reason = self.faults.cut_after_bytes, f"the connection to {self._label} is lost"
        if len(stdout) > limit:
            return Completed(command, Outcome.UNKNOWN, None, stdout[:limit], stderr, reason, duration_s)
        outcome = Outcome.DONE if reply.status == 0 else Outcome.FAILED
        return Completed(command, outcome, reply.status, stdout, stderr, duration_s=duration_s)
