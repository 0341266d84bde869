"""Impact of a destroy on replication: copies that lose their send base."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.actions.action_spec import Draft
from zconsole.actions.plan import Dependent
from zconsole.analysis.snapshots.tool_and_period_by_snapshot_name import SYNCOID, family_of
from zconsole.base.durations_in_words import lasting
from zconsole.model.dataset_names import dataset_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.host.plan_facts import PlanFacts

SEND_BASE: Final = "send base"
_MOST_WARNINGS: Final = 3
_FRESH_S: Final = 60.0


def check_replicas(draft: Draft, doomed: Sequence[Dataset], facts: PlanFacts) -> None:
    """Name the copies that build on doomed objects, as far as known, and what remains."""
    going = frozenset(draft.destroys)
    points = [each for each in doomed if each.type in {"snapshot", "bookmark"} and each.name in going]
    found = [*_known(points, facts, going, draft), *_by_name(points, facts)]
    for dependent, _ in found:
        draft.dependents.append(dependent)
    for _, warning in found[:_MOST_WARNINGS]:
        draft.warnings.append(warning)
    if len(found) > _MOST_WARNINGS:
        draft.warnings.append(f"{len(found) - _MOST_WARNINGS} more copies build on what is destroyed")


def _known(
    points: Sequence[Dataset], facts: PlanFacts, going: frozenset[str], draft: Draft
) -> Iterator[tuple[Dependent, str]]:
    """Send bases seen on other pools and hosts: same guid in the same dataset."""
    by_guid = {(each.guid, dataset_of(each.name)): each for each in points}
    for base in facts.send_bases:
        each = by_guid.get((base.guid, dataset_of(base.name)))
        if each is None:
            continue
        twin = _twin(each, facts, going)
        if twin is not None and (base.is_at_source or twin.type == "snapshot"):
            draft.notes.append(
                f"{twin.name} is of the same instant, and the next increment can start from it"
            )
            continue
        age_s = facts.taken_at - base.seen_at
        seen = f"seen {lasting(age_s)} ago" if age_s > _FRESH_S else "seen now"
        yield (
            Dependent(SEND_BASE, base.peer, f"on {each.name}: {base.reason}; {seen}"),
            f"replication with {base.peer} continues from {each.name} ({seen})",
        )


def _twin(each: Dataset, facts: PlanFacts, going: frozenset[str]) -> Dataset | None:
    """A remaining bookmark or snapshot of the same snapshot in the same dataset."""
    return next(
        (
            other
            for other in facts.datasets
            if other.guid == each.guid
            and other.name != each.name
            and other.name not in going
            and dataset_of(other.name) == dataset_of(each.name)
        ),
        None,
    )


def _by_name(points: Sequence[Dataset], facts: PlanFacts) -> Iterator[tuple[Dependent, str]]:
    """The newest of syncoid's own snapshots per peer, which is its send base."""
    newest: dict[tuple[str, str], Dataset] = {}
    if any(family_of(each.name).tool == SYNCOID for each in points):
        for each in facts.datasets:
            family = family_of(each.name) if each.type == "snapshot" else None
            if family is not None and family.tool == SYNCOID:
                key = dataset_of(each.name), family.peer
                if key not in newest or (each.createtxg or 0) > (newest[key].createtxg or 0):
                    newest[key] = each
    for (_, peer), each in newest.items():
        if each in points:
            warning = f"{each.name} is by its name the newest that syncoid has sent ({peer})"
            detail = f"on {each.name}: by its name, the newest that it sent"
            yield Dependent(SEND_BASE, f"syncoid {peer}", detail), warning
