"""Basis of a plan on datasets: their identity, their absence, and the amount of their data."""

from __future__ import annotations

from collections.abc import Iterable

from zconsole.actions.action_spec import Draft
from zconsole.actions.byte_count_tolerance import FigureMeasure
from zconsole.model.datasets.dataset import FILESYSTEMS_AND_VOLUMES, Dataset, type_in_words
from zconsole.model.host.plan_facts import PlanFacts


def saw_datasets(draft: Draft, datasets: Iterable[Dataset]) -> None:
    """Add the identity of these objects to the basis; names alone may be reused."""
    for each in datasets:
        draft.saw(f"{type_in_words(each)} {each.name}", f"guid {each.guid} of txg {each.createtxg}")


def count_data(draft: Draft, datasets: Iterable[Dataset], facts: PlanFacts) -> None:
    """Add to the basis the amount of data in these datasets, and the part without snapshot.

    Not of what guests write to until the plan itself has shut them down: no amount told before is binding.
    """
    for each in datasets:
        if each.type in FILESYSTEMS_AND_VOLUMES and each.name not in facts.written_until_off:
            draft.counted(f"referenced by {each.name}", FigureMeasure.REFERENCED, each.referenced_bytes)
            draft.counted(
                f"written to {each.name} since its last snapshot", FigureMeasure.WRITTEN, each.written_bytes
            )


def saw_absence(draft: Draft, name: str, facts: PlanFacts) -> None:
    """Add the absence of the name, or the identity of its object, to the basis."""
    found = facts.dataset(name)
    draft.saw(name, "not there" if found is None else f"guid {found.guid} of txg {found.createtxg}")
