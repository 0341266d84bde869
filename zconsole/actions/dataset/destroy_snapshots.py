"""Destruction of snapshots: only by names with @, so that no typing error can destroy the dataset."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.checks.dataset_in_use_checks import check_uses, refuse_unmounting_as_user
from zconsole.actions.checks.destroy_impact import add_losses
from zconsole.actions.checks.hold_checks import refuse_held
from zconsole.actions.checks.replication_impact import check_replicas
from zconsole.actions.checks.unread_or_read_only_pool import on_writable_datasets
from zconsole.actions.dataset.all_or_none_steps import destroy_in_programs, destroy_step, measure
from zconsole.actions.dataset_there_or_gone_conditions import datasets_gone
from zconsole.actions.intent import Intent
from zconsole.actions.object_lookup import dataset_of_type, listed_datasets
from zconsole.actions.plan import LONG_STEP_TIMEOUT_S, Rehearsal, Risk, Step, permissions_on
from zconsole.actions.plan_basis_of_datasets import count_data, saw_datasets
from zconsole.actions.step_subject import of_datasets
from zconsole.analysis.dependencies.affected_objects import Closure, Graph, build_graph, with_snapshots
from zconsole.analysis.dependencies.promotion_and_clones_to_promote import promotion
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of, pool_of, short_of
from zconsole.model.datasets.dataset import SNAPSHOT
from zconsole.model.host.plan_facts import PlanFacts
from zconsole.zfs.change.dataset_argv import destroy_snapshots
from zconsole.zfs.listing.destroy_dry_run import rehearse_destroy_snapshots

MOST_CHARACTERS: Final = 100_000  # of one command line word, limited to 128 KiB by Linux
_HINT: Final = "Snapshots are POOL/DATASET@SNAPSHOT, POOL/DATASET@FIRST%LAST, or several of those."


@on_writable_datasets
def plan_destroy_snapshots(intent: Intent, facts: PlanFacts) -> Draft:
    """Destructive; catastrophic when live clones are destroyed as well."""
    words = (intent.target, *intent.arguments)
    with_clones = intent.flag("with-clones")
    recursive = intent.flag("recursive") or with_clones  # `zfs destroy -R` of a snapshot is recursive
    graph = build_graph(facts.datasets)
    asked = list(dict.fromkeys(name for word in words for name in _expanded(word, graph, facts)))
    if len({pool_of(name) for name in asked}) > 1:
        raise UsageError("these are in several pools", hint="Destroy those of each pool separately.")
    names = list(
        dict.fromkeys(each for name in asked for each in (graph.same_named(name) if recursive else (name,)))
    )
    closure = with_snapshots(graph, names)
    every = listed_datasets(closure.objects, facts)
    draft = Draft(_title(names), _target(words, names), Risk.DESTRUCTIVE)
    draft.destroys.extend(closure.objects if with_clones else closure.targets)
    saw_datasets(draft, every)
    snapshots = listed_datasets(names, facts)
    goes = every if with_clones else snapshots
    refuse_held(draft, goes, facts)
    check_uses(draft, goes, facts, undone="its data would be lost")
    refuse_unmounting_as_user(draft, goes, facts)
    add_losses(draft, graph, closure, facts)
    check_replicas(draft, goes, facts)
    if not with_clones:
        _refuse_clones(draft, graph, closure)
    _tell_bookmarks(draft, graph, names)
    way = _Way(graph, facts, recursive=recursive, with_clones=with_clones)
    commands = list(way.commands(asked))
    count_data(draft, goes, facts)
    is_plain = not closure.elsewhere and not draft.refusals
    at_once = destroy_step(intent.pool, snapshots, facts) if is_plain else None
    if at_once is not None:
        draft.steps.append(at_once)
    elif not destroy_in_programs(draft, graph, goes, facts):
        draft.steps.extend(way.step(dataset, shorts) for dataset, shorts in commands)
    draft.rehearsals.extend(way.rehearsal(dataset, shorts) for dataset, shorts in commands)
    measured = measure(graph, names, facts) if is_plain and draft.frees_bytes is None else None
    if measured is not None:
        draft.rehearsals.append(measured)
    return draft


@dataclass(frozen=True, slots=True)
class _Way:
    """How commands destroy snapshots, and their reach."""

    graph: Graph
    facts: PlanFacts
    recursive: bool
    with_clones: bool

    def commands(self, names: Sequence[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Datasets with the snapshots to name per command, without those covered by an earlier one."""
        by_dataset: dict[str, list[str]] = {}
        for name in names:
            by_dataset.setdefault(dataset_of(name), []).append(name)
        taken: set[str] = set()
        for dataset in sorted(by_dataset, key=lambda each: (each.count("/"), each)):
            left = [name for name in by_dataset[dataset] if name not in taken]
            for part in _portions(left):
                yield dataset, tuple(map(short_of, part))
            taken.update(self.reached(left))

    def reached(self, names: Sequence[str]) -> tuple[str, ...]:
        """All that is destroyed when these are named."""
        if not self.recursive:
            return tuple(names)
        below = [each for name in names for each in self.graph.same_named(name)]
        return with_snapshots(self.graph, below).objects if self.with_clones else tuple(below)

    def step(self, dataset: str, shorts: Sequence[str]) -> Step:
        """One command."""
        goes = listed_datasets(self.reached([f"{dataset}@{short}" for short in shorts]), self.facts)
        count = sum(each.type == "snapshot" for each in goes)
        what = "the snapshot" if count == 1 else f"{count} snapshots"
        return Step(
            destroy_snapshots(dataset, shorts, recursive=self.recursive, with_clones=self.with_clones),
            f"destroy {what}" + (", clones and all that is in them included" if len(goes) > count else ""),
            timeout_s=LONG_STEP_TIMEOUT_S,
            settled_by=datasets_gone(goes),
            permissions=permissions_on("destroy,mount", f"{dataset}@{shorts[0]}"),
            subjects=of_datasets(goes),
        )

    def rehearsal(self, dataset: str, shorts: Sequence[str]) -> Rehearsal:
        """ZFS's dry run of it."""
        return Rehearsal(
            rehearse_destroy_snapshots(
                dataset, shorts, recursive=self.recursive, with_clones=self.with_clones
            )
        )


def _expanded(word: str, graph: Graph, facts: PlanFacts) -> Iterator[str]:
    """The snapshots that a word means: `a`, `a,b`, `a%b`, `%b`, `a%` after the @."""
    base, mark, spec = word.partition("@")
    if not mark or not spec or "#" in word:
        raise UsageError(f"{word!r} does not name snapshots", hint=_HINT)
    ordered = graph.snapshots.get(base, ())
    for part in spec.split(","):
        first, is_range, last = part.partition("%")
        if not is_range:
            yield dataset_of_type(f"{base}@{part}", SNAPSHOT, facts, hint=_HINT).name
            continue
        start = (
            ordered.index(dataset_of_type(f"{base}@{first}", SNAPSHOT, facts, hint=_HINT).name)
            if first
            else 0
        )
        end = (
            ordered.index(dataset_of_type(f"{base}@{last}", SNAPSHOT, facts, hint=_HINT).name)
            if last
            else len(ordered) - 1
        )
        if start > end or not ordered:
            raise UsageError(f"in {word!r} the first is newer than the last", hint=_HINT)
        yield from ordered[start : end + 1]


def _refuse_clones(draft: Draft, graph: Graph, closure: Closure) -> None:
    for name in closure.targets:
        clones = graph.clones.get(name, ())
        if not clones:
            continue
        draft.refuse("clones", f"{name} has clones: {', '.join(clones)}", "--with-clones destroys them too")
        for clone in clones:
            found = promotion(graph, clone) if clone in graph.datasets else None
            if found is not None and found.is_possible:
                new = dict(found.moves)[name]
                draft.alternatives.append(
                    (f"promote {clone}: it keeps the snapshot, as {new}, and every clone stays",
                     Intent("promote", clone))
                )  # fmt: skip
                break


def _tell_bookmarks(draft: Draft, graph: Graph, names: Sequence[str]) -> None:
    guids = {graph.datasets[name].guid: name for name in names}
    for each in graph.datasets.values():
        if (
            each.type == "bookmark"
            and each.guid in guids
            and dataset_of(each.name) == dataset_of(guids[each.guid])
        ):
            draft.notes.append(f"{each.name} stays, so incremental sends from {guids[each.guid]} still work")


def _portions(names: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    length = 0
    for name in names:
        length += len(short_of(name)) + 1
        if part and length > MOST_CHARACTERS:
            yield part
            part, length = [], len(short_of(name)) + 1
        part.append(name)
    if part:
        yield part


def _title(names: Sequence[str]) -> str:
    if len(names) == 1:
        return f"destroy snapshot {names[0]}"
    bases = list(dict.fromkeys(map(dataset_of, names)))
    return f"destroy {len(names)} snapshots of " + (bases[0] if len(bases) == 1 else f"{len(bases)} datasets")


def _target(words: Sequence[str], names: Sequence[str]) -> str:
    """Confirmation text: never a dataset's name."""
    return words[0] if len(words) == 1 else f"{names[0]} +{len(names) - 1}"
