"""Steps on many objects at once, all or none: by channel program or libzfs_core.

A program checks each object in the txg in which it destroys it, and is preferred. libzfs_core compares names
only, but takes more snapshots, and cannot destroy a dataset.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.byte_count_tolerance import Figure
from zconsole.actions.dataset.unmount_before_destroy import refuse_legacy, unmounting
from zconsole.actions.dataset_there_or_gone_conditions import datasets_gone
from zconsole.actions.plan import LONG_STEP_TIMEOUT_S, Rehearsal, Step, permissions_on
from zconsole.actions.step_subject import of_datasets
from zconsole.analysis.dependencies.affected_objects import Graph
from zconsole.analysis.dependencies.destroy_order import destruction_order
from zconsole.model.dataset_names import dataset_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change import channel_program, libzfs_core_argv
from zconsole.zfs.change.argv_template import BOUND, DATASET, OBJECT, POOL, WHICH, CommandForm
from zconsole.zfs.change.channel_program import DestroyTarget, in_programs
from zconsole.zfs.change.dataset_argv import mount, unmount

PROGRAM_FORMS: Final = (  # of `destroy_in_programs`
    CommandForm(unmount, (DATASET,)),
    CommandForm(
        lambda times=1: ("zfs", "program", "-j", POOL, "-", *(OBJECT, WHICH, BOUND, BOUND) * times),
        repeated={"times": 2},
    ),
    CommandForm(mount, (DATASET,)),
)


def core_for(facts: PlanFacts, count: int) -> tuple[str, ...] | None:
    """Argv prefix of a libzfs_core call for this many snapshots; None when commands must be used."""
    return facts.core if count <= libzfs_core_argv.MOST_NAMES else None


def destroy_step(pool: str, snapshots: Sequence[Dataset], facts: PlanFacts) -> Step | None:
    """Destroy snapshots of a pool in one txg; None when only commands can."""
    doomed = doomed_in(snapshots)
    if may_program(facts) and len(doomed) == len(snapshots):
        programs = tuple(in_programs(doomed))
        if len(programs) == 1:
            return program_step(pool, programs[0], snapshots)
    core = core_for(facts, len(snapshots))
    if core is None:
        return None
    call = libzfs_core_argv.destroy_snapshots(core, [each.name for each in snapshots])
    return Step(
        call.argv,
        "destroy, all or none, in one txg; a dataset cannot be hit",
        stdin=call.stdin,
        timeout_s=LONG_STEP_TIMEOUT_S,
        settled_by=datasets_gone(snapshots),
        permissions=permissions_on("destroy,mount", snapshots[0].name),
        subjects=of_datasets(snapshots),
    )


def destroy_in_programs(draft: Draft, graph: Graph, every: Sequence[Dataset], facts: PlanFacts) -> bool:
    """Add steps that unmount, check and destroy all of these in one txg; False when impossible.

    Too many for one program are split into several, dependents first.
    """
    objects = [each for each in every if each.type != "bookmark"]
    known = {each.name: each for each in doomed_in(objects, draft.figures)}
    if not may_program(facts) or len(known) != len(objects) or draft.refusals:
        return False
    marks: dict[str, list[DestroyTarget]] = {}
    for mark in doomed_in(each for each in every if each.type == "bookmark"):
        marks.setdefault(dataset_of(mark.name), []).append(mark)
    ordered = [known[name] for name in destruction_order(graph, known)]
    programs = [  # bookmarks stay in the same program as their dataset
        (*(mark for each in part for mark in marks.get(each.name, ())), *part)
        for part in in_programs(ordered)
    ]
    refuse_legacy(draft, every)
    draft.steps.extend(unmounting(every, facts))
    listed = {each.name: each for each in every}
    for part in programs:
        draft.steps.append(program_step(every[0].pool, part, [listed[each.name] for each in part]))
    if len(programs) > 1:
        draft.warnings.append(
            f"{len(ordered)} objects take {len(programs)} programs, each of them all or none: "
            "what one has destroyed is gone where a later one is refused"
        )
    return True


def program_step(pool: str, doomed: Sequence[DestroyTarget], settled_by: Sequence[Dataset]) -> Step:
    """One program that checks and destroys these."""
    return Step(
        channel_program.destroy(pool, doomed),
        "check which objects they are, that nothing is new, and destroy, all or none, in one txg",
        stdin=channel_program.DESTROY,
        timeout_s=LONG_STEP_TIMEOUT_S,
        settled_by=datasets_gone(settled_by),
    )


def doomed_in(
    datasets: Iterable[Dataset], figures: Mapping[str, Figure] | None = None
) -> tuple[DestroyTarget, ...]:
    """The objects as program arguments, with their allowed bytes; those without guid are left out."""
    figures = figures or {}
    return tuple(
        DestroyTarget(
            each.name,
            each.guid,
            each.createtxg,
            _most(figures, f"written to {each.name} since its last snapshot"),
            _most(figures, f"referenced by {each.name}"),
        )
        for each in datasets
        if each.guid is not None and each.createtxg is not None
    )


def _most(figures: Mapping[str, Figure], what: str) -> int | None:
    return figures[what].most if what in figures else None


def measure(graph: Graph, names: Sequence[str], facts: PlanFacts) -> Rehearsal | None:
    """Dry run of the space freed by these snapshots, independent of the number of commands."""
    ranges = tuple(_ranges(graph, names))
    core = core_for(facts, len(ranges))
    if core is None:
        return None
    call = libzfs_core_argv.snaprange_space(core, ranges)
    return Rehearsal(call.argv, stdin=call.stdin, decides=False)


def _ranges(graph: Graph, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """First and last snapshot of each run without survivors in between."""
    wanted = set(names)
    for base in dict.fromkeys(map(dataset_of, names)):
        run: list[str] = []
        for name in graph.snapshots.get(base, ()):
            if name in wanted:
                run.append(name)
            elif run:
                yield run[0], run[-1]
                run = []
        if run:
            yield run[0], run[-1]


def may_program(facts: PlanFacts) -> bool:
    """Whether a channel program can be used: it requires root, and support by the host."""
    return facts.may_run_programs is True and facts.privileges.is_root
