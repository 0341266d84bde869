"""Questions that the plan of a change of datasets will probably ask, from what the screens have listed.

Which snapshots it concerns follows from names and origins of datasets, and so does the dry run of ZFS. A
wrong guess costs a command that only reads, and is asked again as it should be.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from zconsole.actions.action_catalogue import spec
from zconsole.actions.action_spec import Needs
from zconsole.actions.intent import Intent
from zconsole.analysis.dependencies.snapshot_scope import scope_of
from zconsole.base.lazy_dataclass import dataclass
from zconsole.collect.answers_ahead import ExpectedQuestion
from zconsole.collect.readings.datasets_and_scoped_snapshots import origins_of, portions
from zconsole.collect.readings.send_base_search import MOST_BESIDE
from zconsole.execution.facts.recently_read_host import KnownHost
from zconsole.execution.prepare_plan import DRY_RUN_TIMEOUT_S
from zconsole.hosts.host import Command
from zconsole.model.dataset_names import dataset_of, pool_of, short_of
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotScope
from zconsole.model.host.host_state import PoolState
from zconsole.model.pools.pool import SUSPENDED
from zconsole.zfs.listing.destroy_dry_run import rehearse_destroy_dataset, rehearse_destroy_snapshots
from zconsole.zfs.listing.holds import batches
from zconsole.zfs.listing.snapshots_and_their_datasets import (
    list_details_in,
    list_details_of,
    list_snapshots_of,
)

DESTROY: Final = "destroy"
MOST_TOGETHER: Final = 2000  # snapshots with all columns, of one command for many datasets
_OF_SEVERAL: Final = frozenset(",%")


@dataclass(frozen=True, slots=True)
class OriginsAndSnapshotCounts:
    """File systems and volumes of a pool as a screen has listed them, with the number of their snapshots."""

    origins: Mapping[str, str | None]
    counts: Mapping[str, int]


def listed_datasets_of(state: PoolState) -> OriginsAndSnapshotCounts | None:
    """What the screens know of a pool's datasets; None where none has asked for them."""
    listing = state.listing.value
    if listing is not None:
        counts = {each.name: len(each.snapshots) for each in listing.table.datasets}
        return OriginsAndSnapshotCounts({each.name: each.origin for each in listing.table.datasets}, counts)
    if state.datasets.value is None:
        return None
    own = Counter(dataset_of(each.name) for each in state.datasets.value if each.type == "snapshot")
    return OriginsAndSnapshotCounts(origins_of(state.datasets.value), own)


def expected_questions(intent: Intent, known: KnownHost, state: PoolState) -> tuple[ExpectedQuestion, ...]:
    """Questions about snapshots, and ZFS's dry run, of a pool that answers."""
    pool = known.pool(intent.pool)
    listed = listed_datasets_of(state)
    if listed is None or pool is None or pool.state == SUSPENDED:
        return ()
    needs = spec(intent.action).needs(intent)
    scope = scope_of(needs.snapshots, listed.origins)
    return (
        *_snapshots(needs, scope, listed, intent.pool),
        *(_dry_run(intent) if known.user.number == 0 and intent.action == DESTROY else ()),
    )


def _snapshots(
    needs: Needs, scope: SnapshotScope, listed: OriginsAndSnapshotCounts, pool: str
) -> Iterator[ExpectedQuestion]:
    if needs.datasets != (pool,):
        return
    rows = sum(listed.counts.get(name, 0) for name in scope.whole)
    together = batches if rows <= MOST_TOGETHER else portions  # the plan asks for fewer at once
    for part in together(sorted(scope.whole)):
        yield ExpectedQuestion(list_details_in(*part), f"snapshots {part[0]}", pool)
    named = sorted(each for each in scope.named if dataset_of(each) not in scope.whole)
    for part in batches(named):
        yield ExpectedQuestion(list_details_of(part), f"snapshots {part[0]}", pool)
    names = sorted(scope.bare)
    if needs.copies and any(listed.counts.get(name) for name in (*scope.whole, *scope.bare)):
        beside = sorted(name for name in listed.origins if not scope.lists(name))
        rows = sum(listed.counts.get(name, 0) for name in beside)
        names += beside if rows <= MOST_BESIDE else []
    for part in list(batches(names))[:1]:
        yield ExpectedQuestion(list_snapshots_of(part), f"snapshots {part[0]}", pool)


def _dry_run(intent: Intent) -> Iterator[ExpectedQuestion]:
    """As the plan will ask for it; of snapshots that are named one by one."""
    words = (intent.target, *intent.arguments)
    if intent.flag("recursive") or intent.flag("with-clones") or "#" in intent.target:
        return
    if "@" not in intent.target:
        yield _rehearsal(rehearse_destroy_dataset(intent.target), intent.target)
        return
    shorts: dict[str, list[str]] = {}
    for word in dict.fromkeys(words):
        if "@" not in word or set(short_of(word)) & _OF_SEVERAL:
            return
        shorts.setdefault(dataset_of(word), []).append(short_of(word))
    for dataset, own in shorts.items():
        yield _rehearsal(rehearse_destroy_snapshots(dataset, own), intent.target)


def _rehearsal(argv: tuple[str, ...], about: str) -> ExpectedQuestion:
    return ExpectedQuestion(Command(argv, timeout_s=DRY_RUN_TIMEOUT_S), "dry-run", pool_of(about))
