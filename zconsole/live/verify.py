"""What a step that ended well has really done: the first thing that is looked at afterwards.

An exit status tells that a command did something, and not to what.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.actions.plan import ConditionKind, Step
from zconsole.actions.subject import SubjectKind, which
from zconsole.live.condition_words import in_words
from zconsole.live.conditions import Telling, holds, needs_of
from zconsole.live.facts import Reader, read_needs
from zconsole.live.which import read_whereabouts, read_which

VERIFIED: Final = frozenset(
    {
        ConditionKind.DATASET_GONE,
        ConditionKind.NAME_IS,
        ConditionKind.ORIGIN_IS,
        ConditionKind.POOL_GONE,
        ConditionKind.VDEV_GONE,
        ConditionKind.LABEL_GONE,
        ConditionKind.PROPERTY_IS,
    }
)  # that are so as soon as the command ends
_MOVES: Final = frozenset({ConditionKind.NAME_IS, ConditionKind.ORIGIN_IS})
_NAMED: Final = 5


async def what_is_not_so(reader: Reader, step: Step, told: Sequence[Telling], pool: str) -> tuple[str, ...]:
    """What the step should have brought about and has not, a clause each. Raises HostError and ParseError."""
    kinds = {each.condition.kind for each in told}
    wrong: list[str] = []
    if ConditionKind.DATASET_GONE in kinds:
        wrong += await _still_there(reader, step, told, pool)
    others = [
        each
        for each in told
        if each.condition.kind in VERIFIED and each.condition.kind is not ConditionKind.DATASET_GONE
    ]
    if others:
        facts = await read_needs(reader, needs_of(others), pool)
        wrong += [f"not so: {in_words(each)}" for each in others if holds(each, facts) is False]
    if not kinds & _MOVES:
        wrong += await _replaced(reader, step, told)
    return tuple(wrong)


async def _still_there(reader: Reader, step: Step, told: Sequence[Telling], pool: str) -> list[str]:
    """Those that were to be destroyed and are there, under whatever name."""
    doomed = {
        (which(each.condition.object, each.condition.value), each.condition.key == "bookmark")
        for each in told
        if each.condition.kind is ConditionKind.DATASET_GONE
    }
    places = await read_whereabouts(reader.asker, pool, _names(step))
    left = sorted(  # a bookmark has guid and txg of its snapshot
        (name, each)
        for each, is_bookmark in doomed
        for name in places.get(each, ())
        if is_bookmark is ("#" in name)
    )
    more = f", and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
    return [f"{name} ({each}) is still there" for name, each in left[:_NAMED]] + ([more] if more else [])


def _names(step: Step) -> list[str]:
    """The snapshots that a step names, by its subjects or to its program."""
    return [each.name for each in step.subjects] or [word for word in step.argv if "@" in word]


async def _replaced(reader: Reader, step: Step, told: Sequence[Telling]) -> list[str]:
    """What the step was done to by its name, where another object has that name now."""
    gone = {
        which(each.condition.object, each.condition.value)
        for each in told
        if each.condition.kind is ConditionKind.DATASET_GONE
    }
    kept = [each for each in step.subjects if each.kind is SubjectKind.DATASET and each.seen not in gone]
    if not kept or len(kept) != len(step.subjects) - len(gone):
        return []
    found = {each.name: each for each in await read_which(reader.asker, [each.name for each in kept])}
    return [
        f"{each.name} is another object now than the one that was reviewed, and may be what it was done to"
        for each in kept
        if each.name in found and which(found[each.name].guid, found[each.name].createtxg) != each.seen
    ]
