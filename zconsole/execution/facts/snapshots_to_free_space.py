"""Reader for reclaim: dry runs and `written` properties, never a change."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import field, replace
from typing import Final, Literal

from zconsole.analysis.dependencies.affected_objects import Graph, build_graph
from zconsole.analysis.snapshots.amount_to_free import SpaceGoal, SpaceLimit, space_goals, tightest
from zconsole.analysis.snapshots.freed_space import NOTHING, Chain, Freed
from zconsole.analysis.snapshots.snapshots_to_free_space import (
    Answer,
    Destroying,
    Pairs,
    Question,
    Search,
    SnapshotChoice,
)
from zconsole.analysis.snapshots.snapshots_to_keep import LockedSnapshot, RetentionRules, chains, kept
from zconsole.analysis.vdevs.pool_used_percent import Fill
from zconsole.base.bounded_int import natural
from zconsole.base.errors import CommandFailed, ParseError, UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.name_lists import meant_by
from zconsole.collect.read_command_runner import Asker, failure
from zconsole.collect.read_host import read_pool_names
from zconsole.collect.readings.datasets_and_scoped_snapshots import read_excerpt
from zconsole.collect.readings.facts_for_plans import read_holds, read_pool_properties
from zconsole.collect.readings.send_base_search import read_bases
from zconsole.hosts.host import Command, Outcome
from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector
from zconsole.zfs.listing.dataset_get import get_properties, parse_properties, written_since
from zconsole.zfs.listing.destroy_dry_run import parse_destroy_dry_run, rehearse_destroy_ranges
from zconsole.zfs.listing.holds import batches

DRY_RUN_TIMEOUT_S: Final = 120.0
OLDER_AT_ONCE: Final = 64  # properties per command
Order = Literal["oldest", "fewest"]


@dataclass(frozen=True, slots=True)
class ReclaimGoal:
    """Requested space, and snapshots to keep; without an amount what gets the fullest limit to a level."""

    dataset: str
    need_bytes: int | None
    order: Order = "oldest"
    below: bool = True
    keeping: RetentionRules = field(default_factory=RetentionRules)


@dataclass(frozen=True, slots=True)
class Reclaim:
    """Proposal to free space; nothing has been destroyed."""

    wish: ReclaimGoal
    chains: tuple[Chain, ...]
    choice: SnapshotChoice
    kept: tuple[LockedSnapshot, ...]
    most: Freed  # freed by all destroyable snapshots together
    # space shared by block cloning and dedup, which the pool may not gain; None is unknown
    pool_saves_bytes: int | None
    questions: int  # number of questions asked
    unseen: tuple[str, ...] = ()  # where copies were not searched, in words
    datasets: tuple[Dataset, ...] = ()  # file systems and volumes in question, also those without snapshots
    goal: SpaceGoal | None = None  # where no amount was given

    @property
    def need_bytes(self) -> int:
        """Space to free: as given, or to the level."""
        return self.goal.need_bytes if self.goal is not None else self.wish.need_bytes or 0

    @property
    def freed(self) -> Freed:
        """Space gained by the pool: freed by datasets, less shared blocks at most."""
        saved = self.pool_saves_bytes
        if saved == 0:
            return self.choice.freed
        least = 0 if saved is None else max(0, self.choice.freed.least_bytes - saved)
        return Freed(least, self.choice.freed.most_bytes)

    @property
    def is_enough(self) -> bool:
        """Whether the proposal certainly frees enough."""
        return self.freed.least_bytes >= self.need_bytes


async def read_reclaim(asker: Asker, wish: ReclaimGoal, now: float) -> Reclaim:
    """Find snapshots. `now` is epoch seconds. Raises HostError, CommandFailed for an unknown dataset."""
    pool = pool_of(wish.dataset)
    names = await read_pool_names(asker)
    if pool not in names:
        raise CommandFailed(
            f"there is no pool {pool} on {asker.host.label}",
            hint=f"Pools there: {', '.join(names) or 'none'}.",
        )
    read = await read_excerpt(asker, pool, (SnapshotSelector(wish.dataset, below=wish.below),))
    graph = build_graph(read.datasets)
    if wish.dataset not in graph.datasets:
        raise CommandFailed(
            f"there is no dataset {wish.dataset} on {asker.host.label}",
            hint=meant_by(wish.dataset, graph.datasets),
        )
    goal = _goal(graph, wish) if wish.need_bytes is None else None
    need = goal.need_bytes if goal is not None else wish.need_bytes or 0
    found = chains(graph, wish.dataset, below=wish.below)
    inside = [each for chain in found for each in chain.snapshots]
    holds = await read_holds(asker, inside)
    copies = await read_bases(asker, read.datasets, read.scope, [name for name in names if name != pool])
    replicated = {each.name: each.reason for each in copies.bases}
    keeping = replace(wish.keeping, replication={**replicated, **wish.keeping.replication})
    stay = [kept(chain, graph, holds, keeping, now) for chain in found]
    movable = [
        [place for place in range(len(chain.snapshots)) if place not in places]
        for chain, places in zip(found, stay, strict=True)
    ]
    search = Search(found, movable, need)
    way = search.oldest() if wish.order == "oldest" else search.fewest()
    driver = _Driver(asker, pool)
    choice = await driver.drive(way)
    most = sum(
        (ledger.freed(places) for ledger, places in zip(search.ledgers, movable, strict=True)), NOTHING
    )
    return Reclaim(
        wish,
        found,
        choice,
        tuple(places[place] for places in stay for place in sorted(places)),
        most,
        await _saved(asker, pool),
        driver.questions,
        copies.unseen,
        _in_question(graph, wish),
        goal,
    )


def _goal(graph: Graph, wish: ReclaimGoal) -> SpaceGoal:
    """The smallest amount that gets the fullest of pool and quotas below a level. Raises UsageError."""
    root = graph.datasets.get(pool_of(wish.dataset))
    pool = None
    if root is not None and root.used_bytes is not None and root.available_bytes is not None:
        pool = SpaceLimit(root.name, Fill(root.used_bytes, root.used_bytes + root.available_bytes))
    limit = tightest(wish.dataset, pool, graph.datasets.values())
    if goals := space_goals(limit):
        return goals[0]
    how_full = "" if limit is None else f": {limit.in_words}"
    raise UsageError(f"how much is to be freed is not said{how_full}", hint="Say it with --need SIZE.")


def _in_question(graph: Graph, wish: ReclaimGoal) -> tuple[Dataset, ...]:
    names = graph.tree(wish.dataset) if wish.below else (wish.dataset,)
    found = (graph.datasets[name] for name in names if name in graph.datasets)
    return tuple(each for each in found if each.type in {"filesystem", "volume"})


async def _saved(asker: Asker, pool: str) -> int | None:
    """Bytes saved by block cloning; None with dedup, whose savings are unbounded."""
    try:
        properties = {key: value for _, key, value, _ in await read_pool_properties(asker, pool)}
    except (CommandFailed, ParseError):
        return None
    if properties.get("dedupratio", "1.00").rstrip("x") not in {"1.00", "1"}:
        return None
    cloned = properties.get("bclonesaved", "0")
    return natural(cloned) or 0


async def read_freed(asker: Asker, pool: str, asked: Iterable[Destroying]) -> dict[str, int]:
    """Space freed by ranges of snapshots, by dataset, as far as ZFS reports it."""
    driver = _Driver(asker, pool)
    found: dict[str, int] = {}
    for each in asked:
        answer = await driver.destroying(each)
        if answer is not None:
            found[each.dataset] = answer
    return found


class _Driver:
    """Answers the questions of a search by commands."""

    def __init__(self, asker: Asker, pool: str) -> None:
        self._asker = asker
        self._pool = pool
        self.questions = 0

    async def drive(self, search: Generator[Question, Answer, SnapshotChoice]) -> SnapshotChoice:
        """Run the search to its result."""
        answer: Answer = None
        try:
            question = next(search)
            while True:
                self.questions += 1
                answer = await self._answer(question)
                question = search.send(answer)
        except StopIteration as found:
            choice: SnapshotChoice = found.value
            return choice

    async def _answer(self, question: Question) -> Answer:
        if isinstance(question, Destroying):
            return await self.destroying(question)
        return await self._since(question.older, question.newer)

    async def destroying(self, question: Destroying) -> int | None:
        """Space from `zfs destroy -nvp` of ranges; None when not reported."""
        total = 0
        for argv in rehearse_destroy_ranges(question.dataset, question.runs):
            command = Command(argv, timeout_s=DRY_RUN_TIMEOUT_S)
            completed = await self._asker.run(command, kind=f"dry-run {question.dataset}", pool=self._pool)
            if completed.outcome is Outcome.UNKNOWN:
                raise failure(completed, self._asker.host.label)
            if not completed.is_done:
                return None
            told = parse_destroy_dry_run(completed.stdout.decode("utf-8", "surrogateescape"))
            if told.reclaims_bytes is None:
                return None
            total += told.reclaims_bytes
        return total

    async def _since(self, older: Sequence[str], newer: Sequence[str]) -> Pairs | None:
        found: dict[tuple[str, str], int] = {}
        for at in range(0, len(older), OLDER_AT_ONCE):
            keys = {written_since(each): each for each in older[at : at + OLDER_AT_ONCE]}
            for names in batches(newer):
                command = get_properties(tuple(keys), names)
                completed = await self._asker.run(command, kind=f"written {names[0]}", pool=self._pool)
                if completed.outcome is Outcome.UNKNOWN:
                    raise failure(completed, self._asker.host.label)
                text = completed.stdout.decode("utf-8", "surrogateescape")
                for name, key, value, _ in parse_properties(text, tuple(keys)):
                    written = natural(value)
                    if written is not None:
                        found[keys[key], name] = written
        return found or None
