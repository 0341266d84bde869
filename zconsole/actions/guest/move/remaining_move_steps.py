"""Steps that remain of a move of a guest's storage, derived from facts.

The facts are the snapshots of both sides by guid, what an interrupted receive has left, the state of the
guest and its stored definition. A move that was interrupted anywhere is planned again and goes on from there.

Snapshots are called `zconsole-move-N-live` while the guest runs and `-off` when it is shut off: those of the
target tell whether the guest ran when the move began. After an interruption with the guest off one more
increment is sent, mostly empty, because no fact proves that nothing was written since the last snapshot.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from zconsole.actions.guest.guest_steps import shutdown_step, start_step
from zconsole.actions.guest.move.move_progress import MoveProgress
from zconsole.actions.guest.move.storage_to_move import DiskToMove, StorageToMove
from zconsole.actions.plan import Condition, ConditionKind, Step, permissions_on
from zconsole.actions.replication.receiving_step import receiving_step
from zconsole.actions.replication.send_stream_choice import snapshots_of
from zconsole.base.bounded_int import natural
from zconsole.model.dataset_names import pool_of, short_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import LIBVIRT_ACCESS
from zconsole.model.host.plan_facts import PlanFacts, SendingSide
from zconsole.system.libvirt.stored_definition import update_disk
from zconsole.zfs.change.dataset_argv import mount, set_properties, snapshot
from zconsole.zfs.stream.send_receive_syncoid_argv import send, send_rest

PREFIX: Final = "zconsole-move-"
LIVE, OFF = "live", "off"
NOT_MOUNTED: Final = frozenset({None, False})
READ_ONLY: Final = ("readonly", "on")  # what a first receive sets, and what the move takes back at its end
_NAME: Final = re.compile(rf"{PREFIX}([0-9]{{1,6}})-({LIVE}|{OFF})", re.ASCII)


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
) -> list[Step]:
    """All steps from here to the guest running at its new place; `within_s` limits the shutdown."""
    steps = _sending_steps(move, progress, facts, within_s) if move.source and not move.moved else []
    steps += _finishing_steps(move, progress, facts)
    if starts:
        steps.append(start_step(move.guest))
    return steps


def ran_before(move: StorageToMove, facts: PlanFacts) -> bool:
    """Whether the guest runs, or ran when the move began: the target then has a snapshot of that time."""
    names = (short_of(each.name) for each in snapshots_of(move.target_name, facts.datasets))
    found = (_NAME.fullmatch(name) for name in names)
    return move.guest.status.state.is_active or any(each is not None and each[2] == LIVE for each in found)


def _sending_steps(
    move: StorageToMove, progress: MoveProgress, facts: PlanFacts, within_s: float
) -> list[Step]:
    assert move.source is not None  # noqa: S101 - the caller asked
    made = _Sequence(move, facts, move.source, next_number(_shorts(move, facts)), progress.common)
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
    return made.steps


def _finishing_steps(move: StorageToMove, progress: MoveProgress, facts: PlanFacts) -> list[Step]:
    """Make the target writable, define the disks there, and mount it."""
    name, steps = move.target_name, []
    if move.target is None or facts.property(name, READ_ONLY[0]) != OFF:
        steps.append(_writable(name, progress.settings))
    steps += [_defined(move, each) for each in move.to_move]
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


def next_number(shorts: Iterable[str]) -> int:
    """One more than any snapshot of a move has, on either side."""
    found = (_NAME.fullmatch(short) for short in shorts)
    return 1 + max((natural(each[1]) or 0 for each in found if each is not None), default=0)
