"""Steps that remain of a move of a guest's storage, derived from facts.

The facts are the snapshots of both sides by guid, what an interrupted receive has left, the state of the
guest and its stored definition. A move that was interrupted anywhere is planned again and goes on from there.

The snapshots of both sides tell whether the guest ran when the move began. After an interruption with the
guest off one more increment is sent, mostly empty.

Right before each step behind the last snapshot the guest is looked at, and what was written since: with the
first disk defined at the new place the guest may be started on that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from typing import Final

from zconsole.actions.guest.guest_steps import shutdown_step, start_step
from zconsole.actions.guest.move.move_progress import MoveProgress
from zconsole.actions.guest.move.snapshots_of_moves import (
    LIVE,
    OFF,
    PREFIX,
    begun_with,
    has_live,
    next_number,
)
from zconsole.actions.guest.move.storage_to_move import DiskToMove, StorageToMove, images_at_source
from zconsole.actions.plan import Condition, ConditionKind, Step, permissions_on
from zconsole.actions.replication.receiving_step import receiving_step
from zconsole.actions.replication.send_stream_choice import snapshots_of
from zconsole.actions.storage_at_rest import StorageAtRest
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import pool_of, short_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import LIBVIRT_ACCESS, Guest
from zconsole.model.host.plan_facts import PlanFacts, SendingSide
from zconsole.system.libvirt.stored_definition import update_disk
from zconsole.zfs.change.dataset_argv import mount, set_properties, snapshot
from zconsole.zfs.stream.send_receive_syncoid_argv import send, send_rest

NOT_MOUNTED: Final = frozenset({None, False})
READ_ONLY: Final = ("readonly", "on")  # what a first receive sets, and what the move takes back at its end


@dataclass(slots=True)
class _Sequence:
    """Steps under construction."""

    move: StorageToMove
    facts: PlanFacts
    source: Dataset
    number: int
    base: str = ""
    steps: list[Step] = field(default_factory=list)

    def increment(self, kind: str) -> None:
        """Take a snapshot, and send it: in full when the target has nothing."""
        short = f"{PREFIX}{self.number}-{kind}"
        self.number += 1
        whole = f"{self.source.name}@{short}"
        self.steps.append(
            Step(
                snapshot((whole,)),
                "snapshot what is there now" if kind == LIVE else "snapshot what the guest has left",
                settled_by=(Condition(ConditionKind.DATASET_THERE, whole),),
                permissions=permissions_on("snapshot", self.source.name),
                at_rest=at_rest(self.move.guest) if kind == OFF else None,
            )
        )
        base = f"{self.source.name}@{self.base}" if self.base else ""
        why = "send what was written since" if base else "send all of it"
        self.receive(send(whole, base=base), short, why, is_new=not base)

    def receive(self, argv: tuple[str, ...], short: str, why: str, *, is_new: bool) -> None:
        """Receive a snapshot of the source."""
        side = SendingSide(self.facts.identity, privileges=self.facts.privileges)
        made = receiving_step(side, argv, self.move.target_name, is_new=is_new, snapshot=(short, None))
        arrived = Condition(
            ConditionKind.SAME_SNAPSHOT,
            f"{self.move.target_name}@{short}",
            pool_of(self.move.target_name),
            value=f"{self.source.name}@{short}",
        )
        self.steps.append(replace(made, why=why, settled_by=(arrived,)))
        self.base = short


def remaining_steps(
    move: StorageToMove, progress: MoveProgress, facts: PlanFacts, *, within_s: float, starts: bool
) -> tuple[list[Step], StorageAtRest | None]:
    """All steps from here to the guest running at its new place; `within_s` limits the shutdown.

    Where it is not started, also what must be so behind the last of them.
    """
    steps: list[Step] = []
    rest = None
    if move.source is not None:
        sent = progress.common
        if not progress.has_all:
            made = _sent(move, move.source, progress, facts, within_s)
            steps, sent = made.steps, made.base
        rest = _rest_of(move, f"{move.source.name}@{sent}")
        if not progress.has_all:  # then it may have another name there
            rest = replace(rest, copy=f"{move.target_name}@{sent}")
    steps += _finishing_steps(move, progress, facts, rest)
    for each in move.to_move:
        rest = rest and rest.with_disk(each.disk.target, each.path)
    if not starts:
        return steps, rest
    return [*steps, replace(start_step(move.guest), at_rest=rest)], None


def at_rest(guest: Guest, snapshot_name: str = "") -> StorageAtRest:
    """The guest shut off, and nothing written since a snapshot, if one is given."""
    return StorageAtRest(guest.definition.address, guest.name, snapshot_name)


def _rest_of(move: StorageToMove, snapshot_name: str) -> StorageAtRest:
    """What the disks' definition at the new place rests on."""
    disks = [*(each.disk for each in move.to_move), *move.moved]
    images = () if move.is_volume else images_at_source(move)
    return replace(
        at_rest(move.guest, snapshot_name),
        images=images,
        disks=tuple((each.target, each.source) for each in disks if each.source),
    )


def ran_before(move: StorageToMove, facts: PlanFacts) -> bool:
    """Whether the guest runs, or ran when the move began, by the snapshots of that time."""
    if move.guest.status.state.is_active or has_live(move.target_name, facts.datasets):
        return True
    return move.source is not None and begun_with(move.source, facts.datasets) is not None


def _sent(
    move: StorageToMove, source: Dataset, progress: MoveProgress, facts: PlanFacts, within_s: float
) -> _Sequence:
    made = _Sequence(move, facts, source, next_number(_shorts(move, facts)), progress.common)
    is_active = move.guest.status.state.is_active
    is_new = move.target is None
    if progress.token:
        made.receive(
            send_rest(progress.token),
            progress.token_snapshot,
            "go on with what was interrupted",
            is_new=False,
        )
    elif is_new:
        made.increment(LIVE if is_active else OFF)
    if is_active:
        made.increment(LIVE)
        made.steps.append(shutdown_step(move.guest, within_s))
    if is_active or not is_new:
        made.increment(OFF)
    return made


def _finishing_steps(
    move: StorageToMove, progress: MoveProgress, facts: PlanFacts, rest: StorageAtRest | None
) -> list[Step]:
    """Make the target writable, define the disks there, and mount it."""
    name, steps = move.target_name, []
    if move.target is None or facts.property(name, READ_ONLY[0]) != OFF:
        steps.append(replace(_writable(name, progress.settings), at_rest=rest))
    for each in move.to_move:
        steps.append(replace(_defined(move, each), at_rest=rest))
        rest = rest and rest.with_disk(each.disk.target, each.path)
    if not move.is_volume and (move.target is None or move.target.is_mounted in NOT_MOUNTED):
        mounted = Condition(ConditionKind.PROPERTY_IS, name, pool_of(name), "mounted", "yes")
        steps.append(
            Step(mount(name), "mount it", settled_by=(mounted,), permissions=permissions_on("mount", name))
        )
    return steps


def _writable(name: str, settings: Sequence[str]) -> Step:
    words = (f"{READ_ONLY[0]}={OFF}", *settings)
    pairs = [word.partition("=")[::2] for word in words]
    return Step(
        set_properties(name, words),
        "let it be written, with what was set at the old place" if settings else "let it be written",
        settled_by=tuple(
            Condition(ConditionKind.PROPERTY_IS, name, pool_of(name), key, value) for key, value in pairs
        ),
        permissions=permissions_on(",".join(key for key, _ in pairs), name),
    )


def _defined(move: StorageToMove, each: DiskToMove) -> Step:
    uuid, target = move.guest.definition.uuid, each.disk.target
    return Step(
        update_disk(uuid),
        f"define the disk {target} of {move.guest.name} at {each.path}; the rest of its definition stays",
        stdin=each.disk.with_source(each.path) + "\n",
        settled_by=(Condition(ConditionKind.GUEST_DISK, uuid, key=target, value=each.path),),
        permissions=(LIBVIRT_ACCESS,),
    )


def _shorts(move: StorageToMove, facts: PlanFacts) -> list[str]:
    names = (move.target_name, move.source.name if move.source is not None else "")
    return [short_of(each.name) for name in names for each in snapshots_of(name, facts.datasets)]
