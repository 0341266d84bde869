"""Somebody who does an exercise: commands in the practice world, hands at the rack, a clock that is moved."""

from __future__ import annotations

from typing import Self

from zconsole.base.clock import ManualClock
from zconsole.hosts.host import Command, Completed
from zconsole.model.exercise import ChangeCable, ExerciseState, Handwork, Insert, Pull, RemarkKind
from zconsole.practice.exercises.catalogue import open_exercise
from zconsole.practice.exercises.exercise_starting_world import serial_in
from zconsole.practice.exercises.running_exercise import RunningExercise

EPOCH = 1_795_219_200.0
LONGEST_S = 12 * 3600.0
HOP_S = 3600.0
NEW, OTHER_NEW = "ZC17K2M4", "ZC17K2P9"


class Learner:
    """An exercise and its clock."""

    def __init__(self, name: str) -> None:
        self.clock = ManualClock(EPOCH)
        self.host = open_exercise(name, self.clock)
        exercise = self.host.exercise
        assert exercise is not None
        self.exercise: RunningExercise = exercise

    @classmethod
    async def begin(cls, name: str) -> Self:
        """Somebody at the beginning of an exercise."""
        learner = cls(name)
        await learner.host.connect()
        return learner

    async def ask(self, line: str) -> Completed:
        """Run a command; disks are named by {bay} as at the beginning, or by serial."""
        words = [self._word(word) for word in line.split()]
        return await self.host.run(Command(tuple(words)))

    async def do(self, line: str) -> None:
        """Run a command, which must be accepted."""
        completed = await self.ask(line)
        assert b"" == completed.stderr
        assert 0 == completed.status

    def _word(self, word: str) -> str:
        serial = serial_in(int(word[1:-1])) if word.startswith("{") else word
        known = {disk.serial: disk for disk in self.host.world.disks}
        return f"/dev/disk/by-id/{known[serial].link}" if serial in known else word

    async def by_hand(self, work: Handwork) -> None:
        """Do something at the rack."""
        self.exercise.do(work)
        await self.wait(2)

    async def pull(self, bay: int, *, lit: bool = True) -> None:
        """Pull the disk of a bay, whose lamp is lit before, and put out after."""
        disk = next(disk for disk in self.host.world.disks if disk.bay == bay)
        if lit:
            await self.do(f"ledctl --listed-only locate=/dev/{disk.kname}")
        await self.by_hand(Pull(bay))

    async def insert(self, serial: str, bay: int) -> None:
        """Insert a disk from the table."""
        await self.by_hand(Insert(serial, bay))

    async def change(self, cable: str) -> None:
        """Put a new cable in place of one."""
        await self.by_hand(ChangeCable(cable))

    async def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.clock.advance(seconds)
        await self.ask("uname")

    async def until_idle(self) -> None:
        """Wait until nothing is resilvered or scrubbed."""
        pool = self.host.pool("tank")
        for _ in range(int(LONGEST_S / HOP_S)):
            if pool.scan is None or not pool.scan.is_running:
                return
            await self.wait(HOP_S)
        raise AssertionError("it never ends")

    async def verified(self) -> None:
        """Clear the counters, scrub, and wait for the end."""
        await self.do("zpool clear tank")
        await self.do("zpool scrub tank")
        await self.until_idle()

    def state(self) -> ExerciseState:
        """What is said of the exercise."""
        return self.exercise.state()

    def said(self, kind: RemarkKind) -> list[str]:
        """The remarks of a kind."""
        return [remark.words for remark in self.state().remarks if remark.kind is kind]
