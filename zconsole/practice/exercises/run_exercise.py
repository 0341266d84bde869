"""Exercise: runs a script in the practice world, and keeps the record of what the learner does."""

from __future__ import annotations

from dataclasses import replace
from queue import Empty, SimpleQueue
from typing import Final

from zconsole.model.exercise import (
    ChangeCable,
    ExerciseState,
    Handwork,
    Insert,
    Pull,
    RackBay,
    RackDisk,
)
from zconsole.practice.exercises import debriefing, fault_effects
from zconsole.practice.exercises.exercise_starting_world import BAYS, CABLES, POOL, cable_of, serial_in
from zconsole.practice.exercises.record_of_learner_acts import (
    Act,
    CopyWatch,
    Deed,
    Record,
    Sight,
    acts_between,
    look,
)
from zconsole.practice.exercises.starting_shelf_and_timed_faults import Beat, Fails, Script, Slows, Wears
from zconsole.practice.world.drives import PracticeDisk
from zconsole.practice.world.host_world import World

_DESCRIBED_EVERY_S: Final = 1.0


class PracticeExercise:
    """A running exercise. `do` and `state` may be called from any thread, all else from the host's."""

    def __init__(self, script: Script, world: World) -> None:
        self._script, self._world, self._pool = script, world, world.pools[POOL]
        self._first = {disk.bay: disk for disk in world.disks if disk.bay is not None}
        self._beats = list(script.beats)
        self._orders: SimpleQueue[Handwork] = SimpleQueue()
        self._acts: list[Act] = []
        self._began = world.now
        self._restored_s: float | None = None
        self._reduced_s = self._suspended_s = 0.0
        self._is_cable_new = False
        self._at_fault: set[str] = set()
        self._copies = CopyWatch()
        self._survived = _surviving(self.look())  # by vdev, before anything happened
        world.on_step = self._step
        self._step(0.0)
        self._described_s = world.elapsed
        self._state = self._describe()

    def state(self) -> ExerciseState:
        """The exercise now."""
        return self._state

    def do(self, work: Handwork) -> None:
        """Do something at the rack, as soon as the host is asked for anything."""
        self._orders.put(work)

    def look(self) -> Sight:
        """The pool and the rack now."""
        return look(self._world, self._pool)

    def note(self, before: Sight) -> None:
        """Record what a command has changed."""
        done = list(acts_between(before, self.look(), self._world.elapsed))
        if done:
            self._acts += done
            self._state = self._describe()

    def catch_up(self) -> bool:
        """Carry out the handwork that was ordered; returns whether there was any."""
        is_changed = False
        while True:
            try:
                work = self._orders.get_nowait()
            except Empty:
                break
            is_changed |= self._by_hand(work)
        if is_changed or self._world.elapsed - self._described_s >= _DESCRIBED_EVERY_S:
            self._described_s = self._world.elapsed
            self._state = self._describe()
        return is_changed

    def _by_hand(self, work: Handwork) -> bool:
        """Do one thing at the rack, if it is possible."""
        before, world = self.look(), self._world
        in_bays = {disk.bay: disk for disk in world.disks if disk.is_present}
        match work:
            case Pull(bay) if bay in in_bays:
                fault_effects.take_out(world, in_bays[bay])
            case Insert(serial, bay) if bay not in in_bays and 1 <= bay <= BAYS:
                disk = next((each for each in self._on_table() if each.serial == serial), None)
                if disk is None:
                    return False
                fault_effects.put_in(world, disk, bay)
            case ChangeCable(cable) if cable in CABLES:
                fault_effects.change_cable(world, CABLES[cable])
                self._is_cable_new |= cable == self._script.bad_cable
                self._acts.append(Act(world.elapsed, Deed.CABLE, cable, before, self.look()))
            case _:
                return False
        self._acts += acts_between(before, self.look(), world.elapsed)
        return True

    def _on_table(self) -> list[PracticeDisk]:
        """Disks that are not in the rack, new ones first."""
        new = {serial for serial, _ in self._script.table}
        out = [disk for disk in self._world.disks if not disk.is_present]
        return sorted(out, key=lambda disk: disk.serial not in new)

    def _step(self, span: float) -> None:
        """Let what is due happen, and count the time without full redundancy."""
        for beat in [beat for beat in self._beats if self._is_due(beat)]:
            self._beats.remove(beat)
            fault_effects.happen(self._world, beat.what, self._first)
            if isinstance(beat.what, Fails | Slows) or (isinstance(beat.what, Wears) and beat.what.reads):
                self._at_fault.add(serial_in(beat.what.bay))
            if beat.every_s is not None:
                self._beats.append(replace(beat, at_s=beat.at_s + beat.every_s))
        fault_effects.ask_for_spares(self._world)
        sight = self.look()
        self._copies.see(sight, self._world.elapsed)
        is_well = sight.is_whole and not (self._at_fault & sight.seats.keys()) and self._is_cable_well
        if not is_well:
            self._restored_s = None
            self._reduced_s += span if self._is_reduced(sight) else 0.0
            self._suspended_s += span if sight.is_suspended else 0.0
        elif self._restored_s is None:
            self._restored_s = self._world.elapsed

    def _is_reduced(self, sight: Sight) -> bool:
        left = _surviving(sight)
        return any(left.get(vdev, -1) < before for vdev, before in self._survived.items())

    @property
    def _is_cable_well(self) -> bool:
        return not self._script.bad_cable or self._is_cable_new

    def _is_due(self, beat: Beat) -> bool:
        if self._script.bad_cable and self._is_cable_new:
            return False
        if beat.after_share is None:
            return beat.at_s <= self._world.elapsed
        scan = self._pool.resilver
        onto = {leaf.disk.serial for leaf in self._pool.root.leaves() if leaf.is_resilvering and leaf.disk}
        if scan is None or not onto & {serial for serial, _ in self._script.table}:
            return False
        return scan.issued >= beat.after_share * max(1, scan.to_examine - scan.skipped)

    def _record(self) -> Record:
        return Record(
            self._script,
            frozenset(self._at_fault),
            tuple(self._acts),
            self.look(),
            self._began,
            self._restored_s,
            self._reduced_s,
            self._suspended_s,
            self._is_cable_new,
            self._is_reduced(self.look()),
            dict(self._copies.outlasted),
        )

    def _describe(self) -> ExerciseState:
        record, world = self._record(), self._world
        in_bays = {disk.bay: disk for disk in world.disks if disk.is_present}
        return ExerciseState(
            self._script.name,
            self._script.told,
            world.elapsed,
            tuple(
                RackBay(
                    bay,
                    _label(in_bays[bay]) if bay in in_bays else None,
                    bay in in_bays and in_bays[bay].serial in world.lit,
                    cable_of(bay),
                )
                for bay in range(1, BAYS + 1)
            ),
            tuple(map(_label, self._on_table())),
            debriefing.outcome(record),
            self._restored_s,
            self._reduced_s,
            debriefing.remarks(record),
        )


def _surviving(sight: Sight) -> dict[str, int]:
    """How many further failures each vdev survives."""
    return {seat.vdev: seat.survives for seat in sight.seats.values()}


def _label(disk: PracticeDisk) -> RackDisk:
    return RackDisk(disk.serial, disk.model, disk.size)
