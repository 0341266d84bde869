"""Verification of a successful step: the effect on the host, by object identity.

An exit status shows that a command did something, but not to which object. Objects are found by identity: one
renamed since has the effect under its new name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from zconsole.actions.plan import OF_HISTORY, Condition, ConditionKind, Step
from zconsole.actions.step_subject import StepSubject, SubjectKind, is_same_disk, which
from zconsole.base.errors import CommandFailed
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.read_command_runner import failure
from zconsole.collect.readings.facts_for_plans import read_history
from zconsole.execution.facts.fact_reader_context import Reader
from zconsole.execution.facts.read_facts import read_needs
from zconsole.execution.identity_check import pool_is
from zconsole.execution.identity_lookup import read_whereabouts, read_which
from zconsole.execution.outcomes.evaluate_step_condition import holds
from zconsole.execution.outcomes.step_condition_in_words import in_words
from zconsole.execution.outcomes.step_condition_journal_form_and_needs import (
    ConditionCheck,
    needs_of,
    pool_of_condition,
)
from zconsole.execution.outcomes.why_effect_is_missing import (
    ObjectFate,
    SuccessfulCommand,
    fate,
    missing_effect_sentence,
    read_around,
)
from zconsole.hosts.host import Outcome
from zconsole.model.dataset_names import pool_of
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.system.lsblk import lsblk_of, parse_lsblk
from zconsole.zfs.change.channel_program import is_program

VERIFIED: Final = frozenset(
    {
        ConditionKind.DATASET_GONE,
        ConditionKind.NAME_IS,
        ConditionKind.ORIGIN_IS,
        ConditionKind.POOL_GONE,
        ConditionKind.VDEV_GONE,
        ConditionKind.VDEV_STATE,
        ConditionKind.LABEL_GONE,
        ConditionKind.PROPERTY_IS,
        ConditionKind.SAME_SNAPSHOT,
        ConditionKind.GUEST_DISK,
        ConditionKind.GUEST_AT_BOOT,
        ConditionKind.GUEST_GONE,
    }
)  # effects visible as soon as the command ends
_BY_GUID: Final = frozenset({ConditionKind.DATASET_GONE, ConditionKind.NAME_IS, ConditionKind.POOL_GONE})
_NAMED: Final = 5
_ZFS: Final = "zfs_member"


@dataclass(frozen=True, slots=True)
class VerifiedEffects:
    """Missing and undecidable effects of a step; a clause each.

    `since` lists effects that were changed by somebody else.
    """

    wrong: tuple[str, ...] = ()
    unclear: tuple[str, ...] = ()
    since: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StepInspection:
    """Successful step with its deciding conditions and pool."""

    step: Step
    success: SuccessfulCommand
    told: Sequence[ConditionCheck]
    pool: str


async def verify_effects(reader: Reader, looking: StepInspection) -> VerifiedEffects:
    """Verify a step's effects by object identity. Raises HostError and ParseError.

    Repeated once if something is missing, because names may move between readings.
    """
    with suppress(CommandFailed):  # its object just disappeared
        seen = await _look(reader, looking)
        if seen == VerifiedEffects():
            return seen
    return await _look(reader, looking)


async def _look(reader: Reader, looking: StepInspection) -> VerifiedEffects:
    step, told, pool = looking.step, looking.told, looking.pool
    kinds = {each.condition.kind for each in told}
    still = ConditionKind.DATASET_GONE in kinds
    wrong = await _still_there(reader, step, told, pool) if still else []
    if is_program(step.argv):  # the step checked by itself, and a promoted object may be renamed by now
        return VerifiedEffects(tuple(wrong))
    others = await _others(reader, step, told)
    moves = {name: place for name, place in others.items() if place}
    rest = [_moved(each, moves) for each in told if each.condition.kind is not ConditionKind.DATASET_GONE]
    checked = [each for each in rest if each.condition.kind in VERIFIED or others]
    if not checked:
        return _judged(others, wrong, [])
    facts = await read_needs(reader, needs_of(checked), moves.get(pool, pool))
    history = None
    if pool in others and any(each.condition.kind in OF_HISTORY for each in checked):
        history = await read_history(reader.asker, reader.privilege, moves.get(pool, pool))
    so = [holds(each, facts, history) for each in checked]  # the history has names only, and only of pools
    missed = [
        each
        for each, is_so in zip(checked, so, strict=True)
        if each.condition.kind in VERIFIED and is_so is False and not _was_renamed_since(each, facts)
    ]
    unseen = [
        each
        for each, is_so in zip(checked, so, strict=True)
        if each.condition.kind in VERIFIED and is_so is None
    ]
    if not others and not wrong:
        seen = await _why(reader, looking, missed, facts) if missed else VerifiedEffects()
        return replace(seen, unclear=(*seen.unclear, *(_unseen(each, facts) for each in unseen)))
    is_hit = not missed or (bool(moves) and await _is_so_by_name(reader, looking))
    return _judged(others, wrong, so, is_hit=is_hit)


def _unseen(told: ConditionCheck, facts: PlanFacts) -> str:
    """Reason why an effect of a successful command cannot be verified."""
    pool = facts.pool(pool_of_condition(told.condition))
    if pool is not None and pool.is_suspended:
        return f"{pool.name} is suspended, and whether it is so cannot be read: {in_words(told)}"
    if told.condition.kind is ConditionKind.PROPERTY_IS or pool is None:
        return f"what it changed is not there any more, and cannot be read: {in_words(told)}"
    return f"whether it is so cannot be read: {in_words(told)}"


async def _is_so_by_name(reader: Reader, looking: StepInspection) -> bool:
    """Whether the present holders of the names have the intended state."""
    tell = [each for each in looking.told if each.condition.kind in VERIFIED - _BY_GUID]
    facts = await read_needs(reader, needs_of(tell), looking.pool)
    return bool(tell) and all(holds(each, facts) for each in tell)


async def _why(
    reader: Reader, looking: StepInspection, missed: Sequence[ConditionCheck], facts: PlanFacts
) -> VerifiedEffects:
    """Whether missing effects were never achieved, or changed since."""
    others = await read_around(reader, looking.success, looking.pool)
    fates = [(fate(looking.success, each, facts, others), each) for each in missed]
    clauses = {
        kind: tuple(missing_effect_sentence(kind, each, facts, others) for its, each in fates if its is kind)
        for kind in ObjectFate
    }
    return VerifiedEffects(clauses[ObjectFate.NEVER], clauses[ObjectFate.OPEN], clauses[ObjectFate.SINCE])


def _judged(
    others: Mapping[str, str], wrong: Sequence[str], so: Sequence[bool | None], *, is_hit: bool = False
) -> VerifiedEffects:
    """When another object has a used name: whether the step affected that one.

    `so` are the results for the reviewed objects under their present names, or else for the names. If the
    effect is missing there and present on these, they were hit; if missing on both, it was undone.
    """
    is_known = bool(so) and None not in so
    if not others or wrong:
        return VerifiedEffects((*_another(others), *wrong))
    if all(others.values()):
        if is_known and all(so):
            return VerifiedEffects()
        if is_known and is_hit:
            return VerifiedEffects(tuple(_another(others)))
    # the present holder was not hit, so the missing object was
    elif is_known and not any((*so, *others.values())):
        return VerifiedEffects()
    return VerifiedEffects(
        unclear=tuple(
            f"{name} is another object now, and the one that was reviewed is {place or 'gone'}: it is not "
            "known to which of them it was done"
            for name, place in others.items()
        )
    )


def _another(others: Mapping[str, str]) -> Iterator[str]:
    for name, place in others.items():
        where = f"; the reviewed one is {place} now" if place else ""
        yield f"{name} is another object than the one that was reviewed, and was hit{where}"


async def _others(reader: Reader, step: Step, told: Sequence[ConditionCheck]) -> dict[str, str]:
    """Used names that another object has now, with the reviewed object's present name, "" for none.

    Includes reviewed objects under other names when nothing has their old name.
    """
    kinds = {each.condition.kind for each in told}
    found: dict[str, str] = {}
    if ConditionKind.NAME_IS not in kinds:
        found |= await _other_datasets(reader, step, told)
    if ConditionKind.POOL_GONE not in kinds:
        found |= await _other_pools(reader, step)
    return found | await _other_disks(reader, step)


async def _other_datasets(reader: Reader, step: Step, told: Sequence[ConditionCheck]) -> dict[str, str]:
    gone = {
        which(each.condition.object, each.condition.value)
        for each in told
        if each.condition.kind is ConditionKind.DATASET_GONE
    }
    kept = [each for each in step.subjects if each.kind is SubjectKind.DATASET and each.seen not in gone]
    datasets = [each for each in step.subjects if each.kind is SubjectKind.DATASET]
    if not kept or len(kept) != len(datasets) - len(gone):
        return {}
    there = {each.name: each for each in await read_which(reader.asker, [each.name for each in kept])}
    wrong = [
        each
        for each in kept
        if each.name not in there or which(there[each.name].guid, there[each.name].createtxg) != each.seen
    ]
    if not wrong:
        return {}
    names = [each.name for each in wrong]
    places = await read_whereabouts(reader.asker, pool_of(wrong[0].name), names)
    return _placed(
        wrong,
        there,
        {
            each.seen: [
                name
                for name in places.get(each.seen, ())
                if all((c in name) is (c in each.name) for c in "@#")
            ]
            for each in wrong
        },
    )


async def _other_pools(reader: Reader, step: Step) -> dict[str, str]:
    pools = [each for each in step.subjects if each.kind is SubjectKind.POOL]
    if all([await pool_is(reader.asker, each) for each in pools]):
        return {}
    needs = needs_of([ConditionCheck(Condition(ConditionKind.POOL_THERE, pools[0].name))])
    facts = await read_needs(reader, needs, pools[0].name)
    there = {each.name: f"guid {each.guid}" for each in facts.pools if each.guid is not None}
    wrong = [each for each in pools if there.get(each.name) != each.seen]
    places = {each.seen: [name for name, seen in there.items() if seen == each.seen] for each in wrong}
    return _placed(wrong, there, places)


def _placed(
    wrong: Sequence[StepSubject], there: Mapping[str, object], places: Mapping[str, Sequence[str]]
) -> dict[str, str]:
    return {
        each.name: next(iter(places.get(each.seen, ())), "")
        for each in wrong
        if places.get(each.seen) or each.name in there
    }


async def _other_disks(reader: Reader, step: Step) -> dict[str, str]:
    """Paths of other disks; not those without a ZFS label, which were not hit."""
    disks = [each for each in step.subjects if each.kind is SubjectKind.DISK]
    if not disks:
        return {}
    completed = await reader.asker.run(lsblk_of([each.name for each in disks]), kind="lsblk-of")
    if completed.outcome is Outcome.UNKNOWN:
        raise failure(completed, reader.asker.host.label)
    found = parse_lsblk(completed.stdout.decode("utf-8", "backslashreplace")) if completed.stdout else ()
    others = [each for each in found if not any(is_same_disk(subject, each) for subject in disks)]
    if not others:
        return {}
    is_joined = any(part.fstype == _ZFS for each in others for part in each.walk())
    if step.argv[0] == "zpool" and step.argv[1] != "labelclear" and not is_joined:
        return {}
    missing = [each for each in disks if not any(is_same_disk(each, disk) for disk in found)]
    return {each.name: "" for each in missing}


def _moved(told: ConditionCheck, moves: Mapping[str, str]) -> ConditionCheck:
    """The condition for the reviewed objects under their present names."""
    condition = told.condition
    if condition.kind in _BY_GUID:
        return told
    return replace(
        told,
        condition=replace(
            condition,
            object=_renamed(condition.object, moves),
            pool=moves.get(condition.pool, condition.pool),
            value=_renamed(condition.value, moves)
            if condition.kind is ConditionKind.ORIGIN_IS
            else condition.value,
        ),
    )


def _renamed(name: str, moves: Mapping[str, str]) -> str:
    for old, new in moves.items():
        if name == old or name.startswith((f"{old}/", f"{old}@", f"{old}#")):
            return new + name.removeprefix(old)
    return name


def _was_renamed_since(told: ConditionCheck, facts: PlanFacts) -> bool:
    """Whether a renamed object has its new last component, below a parent renamed since."""
    condition = told.condition
    if condition.kind is not ConditionKind.NAME_IS:
        return False
    wanted, was = _last(condition.value), _last(told.name)
    return wanted != was and any(
        _last(each.name) == wanted
        for each in facts.datasets
        if (str(each.guid), str(each.createtxg), each.pool)
        == (condition.object, condition.key, condition.pool)
    )


def _last(name: str) -> str:
    return name.rpartition("@")[2] if "@" in name else name.rpartition("/")[2]


async def _still_there(reader: Reader, step: Step, told: Sequence[ConditionCheck], pool: str) -> list[str]:
    """Objects to be destroyed that still exist under any name."""
    doomed = {
        (which(each.condition.object, each.condition.value), each.condition.key == "bookmark")
        for each in told
        if each.condition.kind is ConditionKind.DATASET_GONE
    }
    places = await read_whereabouts(reader.asker, pool, _names(step))
    left = sorted(  # a bookmark shares guid and txg with its snapshot
        (name, each)
        for each, is_bookmark in doomed
        for name in places.get(each, ())
        if is_bookmark is ("#" in name)
    )
    more = f", and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
    return [f"{name} ({each}) is still there" for name, each in left[:_NAMED]] + ([more] if more else [])


def _names(step: Step) -> list[str]:
    """The snapshots named by a step, in subjects or program."""
    return [each.name for each in step.subjects] or [word for word in step.argv if "@" in word]
