"""Search for snapshots to destroy so that a given space is freed: the oldest, or the fewest.

Unknown values are requested by generators: each question is one command on a host. A growing set frees ever
more space, so the smallest sufficient one is found by bisection; most questions are answered by what is known
of smaller and larger sets.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from typing import Final

from zconsole.analysis.snapshots.freed_space import NOTHING, Chain, Freed, Ledger, runs
from zconsole.analysis.snapshots.minimal_snapshot_set import joined, most_by_count
from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import short_of

MOST_PAIRS: Final = 10_000  # of snapshots, in one question: a second of kernel time
MOST_MOVABLE: Final = 512  # snapshots among which the fewest are found with certainty
MOST_CHECKED: Final = 100  # datasets whose result is verified at the end


@dataclass(frozen=True, slots=True)
class Destroying:
    """Question: space freed by these ranges of snapshots together. The answer is bytes, or None."""

    dataset: str
    runs: tuple[tuple[str, str], ...]  # first and last names after the @


@dataclass(frozen=True, slots=True)
class Since:
    """Question: `written` between pairs of snapshots, or snapshot and dataset. Answer: bytes by pair."""

    older: tuple[str, ...]
    newer: tuple[str, ...]


Pairs = Mapping[tuple[str, str], int]
Question = Destroying | Since
Answer = int | Pairs | None
Place = tuple[int, int]  # chain index, snapshot index
Asking = Generator[Question, Answer, bool]


@dataclass(frozen=True, slots=True)
class SnapshotChoice:
    """Chosen snapshots of each chain, and the space they free."""

    places: tuple[frozenset[int], ...]
    freed: Freed
    of_each: tuple[Freed, ...]
    is_enough: bool
    is_fewest: bool | None = None  # whether no smaller number suffices; None when not examined


class Search:
    """One search over the destroyable snapshots of some datasets; places index `chains`."""

    def __init__(self, chains: Sequence[Chain], movable: Sequence[Collection[int]], need_bytes: int) -> None:
        self.ledgers = [Ledger(chain) for chain in chains]
        self._movable = [sorted(places) for places in movable]
        self._need = need_bytes
        self._mute: set[int] = set()  # chains for which ZFS gives no answer

    def oldest(self) -> Generator[Question, Answer, SnapshotChoice]:
        """The minimum number of oldest snapshots."""
        order = self._by_age()
        count = yield from self._smallest(order)
        return (yield from self._choice(order if count is None else order[:count]))

    def fewest(self) -> Generator[Question, Answer, SnapshotChoice]:
        """The fewest snapshots; with certainty unless too many questions are needed."""
        every = self._by_age()
        if not (yield from self._suffice(every)):
            return (yield from self._choice(every))
        sure = yield from self._surely_fewest()
        if sure is not None:
            choice = yield from self._choice(sure)
            if choice.is_enough:
                return self._with(choice, is_fewest=True)
        found = yield from self._few(every)
        return self._with((yield from self._choice(found)), is_fewest=len(found) <= 1)

    @staticmethod
    def _with(choice: SnapshotChoice, *, is_fewest: bool) -> SnapshotChoice:
        return SnapshotChoice(choice.places, choice.freed, choice.of_each, choice.is_enough, is_fewest)

    # Growing sets

    def _by_age(self) -> list[Place]:
        found = [(at, place) for at, places in enumerate(self._movable) for place in places]

        def age(each: Place) -> tuple[int, int, int]:
            snapshot = self.ledgers[each[0]].chain.snapshots[each[1]]
            return (snapshot.createtxg or 0, *each)

        return sorted(found, key=age)

    def _smallest(self, order: Sequence[Place]) -> Generator[Question, Answer, int | None]:
        """Length of the shortest sufficient prefix; None when all do not suffice."""
        if not (yield from self._suffice(order)):
            return None
        too_few, enough = -1, len(order)
        while too_few + 1 < enough:
            middle = (too_few + enough) // 2
            if (yield from self._suffice(order[:middle])):
                enough = middle
            else:
                too_few = middle
        return enough

    def _suffice(self, places: Collection[Place]) -> Asking:
        """Whether these free enough; asks only while undecided."""
        of_each = self._of_each(places)
        known = [ledger.freed(of_each[at]) for at, ledger in enumerate(self.ledgers)]
        while True:
            total = sum(known, NOTHING)
            if total.least_bytes >= self._need:
                return True
            doubts = {
                each.most_bytes - each.least_bytes: at
                for at, each in enumerate(known)
                if not each.is_exact and at not in self._mute
            }
            if total.most_bytes < self._need or not doubts:
                return False
            at = doubts[max(doubts)]
            yield from self._ask(at, of_each[at])
            known[at] = self.ledgers[at].freed(of_each[at])

    def _ask(self, at: int, places: Collection[int]) -> Generator[Question, Answer, None]:
        chain = self.ledgers[at].chain
        short = [short_of(each.name) for each in chain.snapshots]
        answer = yield Destroying(
            chain.dataset.name, tuple((short[first], short[last]) for first, last in runs(places))
        )
        if isinstance(answer, int):
            self.ledgers[at].learn(places, answer)
        else:
            self._mute.add(at)

    def _of_each(self, places: Collection[Place]) -> list[set[int]]:
        found: list[set[int]] = [set() for _ in self.ledgers]
        for at, place in places:
            found[at].add(place)
        return found

    # Fewest

    def _few(self, by_age: Sequence[Place]) -> Generator[Question, Answer, list[Place]]:
        """The smallest of some likely sets: the largest snapshots, and those between two times."""
        largest = sorted(by_age, key=lambda each: -self.ledgers[each[0]].alone(each[1]))
        newest = list(reversed(by_age))
        found: list[Place] = list(by_age)
        for order in (largest, by_age, newest):
            count = yield from self._smallest(order)
            if count is None:
                continue
            first = list(order[:count])
            if order is not largest:
                shorter = yield from self._smallest(first[::-1])
                first = first[::-1][:shorter]
            found = min(found, self._without_spare(first), key=len)
        return found

    def _without_spare(self, places: Collection[Place]) -> list[Place]:
        """The set without unneeded datasets, those with the most snapshots first."""
        of_each = self._of_each(places)
        freed = [ledger.freed(of_each[at]) for at, ledger in enumerate(self.ledgers)]
        spare = sum(each.least_bytes for each in freed) - self._need
        for at in sorted(range(len(of_each)), key=lambda at: (-len(of_each[at]), freed[at].least_bytes)):
            if of_each[at] and freed[at].least_bytes <= spare:
                spare -= freed[at].least_bytes
                of_each[at] = set()
        return [(at, place) for at, chosen in enumerate(of_each) for place in sorted(chosen)]

    def _surely_fewest(self) -> Generator[Question, Answer, list[Place] | None]:
        """The minimum, from the space of every range; None when that needs too many questions."""
        if sum(map(len, self._movable)) > MOST_MOVABLE:
            return None
        asked = [
            (at, run) for at, places in enumerate(self._movable) for run in runs(places) if run[0] < run[1]
        ]
        if sum((last - first + 2) ** 2 // 2 for _, (first, last) in asked) > MOST_PAIRS:
            return None
        since: dict[tuple[str, str], int] = {}
        for at, (first, last) in asked:
            chain = self.ledgers[at].chain
            older = [chain.before(place) for place in range(first, last + 1)]
            newer = [chain.after(place).name for place in range(first, last + 1)]
            named = tuple(each for each in older if each is not None)
            answer = (yield Since(named, tuple(newer))) if named else {}
            if not isinstance(answer, Mapping):
                return None
            since.update(answer)
        sizes: list[dict[tuple[int, int], int]] = [{} for _ in self.ledgers]
        for at, (first, last) in [
            (at, run) for at, places in enumerate(self._movable) for run in runs(places)
        ]:
            for start in range(first, last + 1):
                for end in range(start, last + 1):
                    size = self.ledgers[at].of_run((start, end), since)
                    if size is None:
                        return None
                    sizes[at][start, end] = size
        return self._fewest_of([each.__getitem__ for each in sizes])

    def _fewest_of(self, of_runs: Sequence[Callable[[tuple[int, int]], int]]) -> list[Place] | None:
        total, steps = [0], []
        for at, movable in enumerate(self._movable):
            best, ways = most_by_count(movable, of_runs[at], len(movable))
            total, taken = joined(total, best, MOST_MOVABLE)
            steps.append((ways, taken))
        count = next((count for count, size in enumerate(total) if size >= self._need), None)
        if count is None:
            return None
        found: list[Place] = []
        for at in reversed(range(len(steps))):
            ways, taken = steps[at]
            mine = taken[count]
            found += [(at, place) for place in sorted(ways[mine])]
            count -= mine
        return found

    # Result

    def _choice(self, places: Collection[Place]) -> Generator[Question, Answer, SnapshotChoice]:
        """The choice without datasets that free nothing; results are verified if possible."""
        of_each = self._of_each(places)
        wanted = [at for at, chosen in enumerate(of_each) if chosen]
        for at in wanted[:MOST_CHECKED]:
            if at not in self._mute and frozenset(of_each[at]) not in self.ledgers[at].answers:
                yield from self._ask(at, of_each[at])
        freed = [ledger.freed(of_each[at]) for at, ledger in enumerate(self.ledgers)]
        for at, each in enumerate(freed):
            if each.most_bytes == 0:
                of_each[at] = set()
        total = sum(freed, NOTHING)
        return SnapshotChoice(
            tuple(map(frozenset, of_each)), total, tuple(freed), total.least_bytes >= self._need
        )


def in_runs(chain: Chain, places: Collection[int]) -> tuple[str, ...]:
    """Snapshots in ZFS's range syntax: `DATASET@FIRST%LAST`."""
    short = [short_of(each.name) for each in chain.snapshots]
    return tuple(
        f"{chain.dataset.name}@{short[first]}" + (f"%{short[last]}" if last > first else "")
        for first, last in runs(places)
    )
