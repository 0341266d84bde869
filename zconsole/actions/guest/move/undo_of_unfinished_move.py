"""How a move is given up that ended before the disks were defined at the new place."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from zconsole.actions.guest.move.storage_to_move import StorageToMove
from zconsole.actions.guest.start_shutdown_suspend_resume import START
from zconsole.actions.plan import Condition, ConditionKind, Step
from zconsole.actions.replication.sending_host_and_interrupted_receive import ABORT
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.guests.guest import word_for


def undo_after_steps(move: StorageToMove, steps: Sequence[Step], *, there: str = "") -> tuple[str, ...]:
    """The undo by the number of steps that are done, as long as no disk is defined at the new place.

    `there` is the other host that the target is on.
    """
    source = move.source
    if source is None or move.moved:
        return ()
    found: list[str] = []
    for done, step in enumerate(steps):
        before = steps[:done]
        if any(each.stdin is not None or _is_read_only(each, source.name) for each in before):
            break
        commands = [*_on_target(move, [*before, step], before, there), *_snapshots(before)]
        found.append(_in_words(move, source, before, commands))
    return tuple(found)


def undo_of_nothing_kept(move: StorageToMove, steps: Sequence[Step]) -> str:
    """The undo of a first receive that failed and left nothing at the target; empty where none is first."""
    first = next((at for at, step in enumerate(steps) if step.is_receive), None)
    if move.source is None or move.target is not None or first is None:
        return ""
    before = steps[:first]
    return _in_words(move, move.source, before, _snapshots(before))


def _in_words(move: StorageToMove, source: Dataset, before: Sequence[Step], commands: Sequence[str]) -> str:
    guest = f"{move.guest.name} is defined on {source.name} as before"
    if not move.guest.status.state.is_active or any(_off(each) for each in before):
        guest += f", and off: zconsole plan {START} {shlex.quote(word_for(move.guest))} starts it there"
    return f"{guest}; to give the move up: {', then '.join(commands)}" if commands else guest


def _on_target(move: StorageToMove, begun: Sequence[Step], done: Sequence[Step], there: str) -> list[str]:
    """What removes the copy: a whole one, or what a receive into nothing has kept."""
    host = ["--host", there] if there else []
    if move.target is not None or any(each.is_receive for each in done):
        return [shlex.join(["zconsole", "plan", "destroy", move.target_name, "--recursive", *host])]
    if any(each.is_receive for each in begun):
        return [shlex.join(["zconsole", "plan", ABORT, move.target_name, *host])]
    return []


def _snapshots(done: Sequence[Step]) -> list[str]:
    names = [condition.object for each in done for condition in each.settled_by if _is_snapshot(condition)]
    return [shlex.join(["zconsole", "plan", "destroy", *names])] if names else []


def _is_snapshot(condition: Condition) -> bool:
    return condition.kind is ConditionKind.DATASET_THERE and "@" in condition.object


def _off(step: Step) -> bool:
    return any(each.kind is ConditionKind.GUEST_STATE for each in step.settled_by)


def _is_read_only(step: Step, source: str) -> bool:
    """Whether it makes the old place read-only."""
    return any(
        each.kind is ConditionKind.PROPERTY_IS and (each.object, each.value) == (source, "on")
        for each in step.settled_by
    )
