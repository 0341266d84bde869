"""Space freed by a set of a dataset's snapshots: exact if known, otherwise bounds.

A block is in the snapshots of one contiguous stretch, from its birth to its death. It is freed by a set of
snapshots exactly when the set contains its whole stretch, which then lies within one run of neighbours. So
separate runs add up, and a run never frees less than its parts separately. See docs/snapshot-space.md.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import field
from itertools import accumulate

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.datasets.dataset import Dataset

Run = tuple[int, int]  # indexes of the first and last snapshot; the oldest is 0


@dataclass(frozen=True, slots=True)
class Chain:
    """File system or volume with all of its snapshots, oldest first."""

    dataset: Dataset
    snapshots: tuple[Dataset, ...]

    def before(self, place: int) -> str | None:
        """The previous snapshot in the dataset, or its origin; None at the beginning."""
        return self.snapshots[place - 1].name if place else self.dataset.origin

    def after(self, place: int) -> Dataset:
        """The next snapshot, or the live dataset."""
        return self.snapshots[place + 1] if place + 1 < len(self.snapshots) else self.dataset


def runs(places: Iterable[int]) -> Iterator[Run]:
    """Maximal runs of neighbours."""
    first = last = None
    for place in sorted(places):
        if last is None or first is None:
            first = place
        elif place != last + 1:
            yield first, last
            first = place
        last = place
    if first is not None and last is not None:
        yield first, last


@dataclass(frozen=True, slots=True)
class Freed:
    """Freed bytes: lower and upper bound."""

    least_bytes: int
    most_bytes: int

    @property
    def is_exact(self) -> bool:
        """Whether both bounds are equal."""
        return self.least_bytes == self.most_bytes

    def __add__(self, other: Freed) -> Freed:
        return Freed(self.least_bytes + other.least_bytes, self.most_bytes + other.most_bytes)


NOTHING = Freed(0, 0)


@dataclass(slots=True)
class Ledger:
    """Known freed space of sets of one dataset's snapshots, from the listing and from answers."""

    chain: Chain
    answers: dict[frozenset[int], int] = field(default_factory=dict)
    _written: tuple[int, ...] | None = field(init=False)  # prefix sums of WRITTEN
    _used: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self._used = tuple(each.used_bytes or 0 for each in self.chain.snapshots)
        written = [each.written_bytes for each in (*self.chain.snapshots, self.chain.dataset)]
        known = [each for each in written if each is not None]
        self._written = (0, *accumulate(known)) if len(known) == len(written) else None

    def alone(self, place: int) -> int:
        """Space freed by one snapshot: its USED."""
        return self._used[place]

    def learn(self, places: Collection[int], freed_bytes: int) -> None:
        """Record ZFS's answer for a set."""
        self.answers[frozenset(places)] = freed_bytes

    def freed(self, places: Collection[int]) -> Freed:
        """Freed space of a set, with bounds."""
        wanted = frozenset(places)
        if not wanted:
            return NOTHING
        if wanted in self.answers:
            return Freed(self.answers[wanted], self.answers[wanted])
        known = [self._of_run(*run) for run in runs(wanted)]
        exact = [each for each in known if each is not None]
        if len(exact) == len(known):
            return Freed(sum(exact), sum(exact))
        return self._bounds(wanted)

    def _bounds(self, wanted: frozenset[int]) -> Freed:
        least = 0
        for run in runs(wanted):
            of_run = self._of_run(*run)
            least += self._sum(range(run[0], run[1] + 1)) if of_run is None else of_run
        mosts = [] if (every := self._of_all()) is None else [every - self._sum_without(wanted)]
        for answered, size in self.answers.items():
            if answered < wanted:
                least = max(least, size + self._sum(wanted - answered))
            elif answered > wanted:
                mosts.append(size - self._sum(answered - wanted))
        most = min(mosts, default=self.chain.dataset.used_bytes or least)
        return Freed(least, max(least, most))

    def of_run(self, run: Run, since: Mapping[tuple[str, str], int]) -> int | None:
        """Freed space of a run, from `written@BEFORE` of its successor if it was read.

        All that was written from the run's first snapshot up to its successor, less the part still present
        there: the successor's blocks born since the run's predecessor.
        """
        first, last = run
        known = self._of_run(first, last)
        if known is not None or self._written is None:
            return known
        left = since.get((self.chain.before(first) or "", self.chain.after(last).name))
        return None if left is None else max(0, self._written[last + 2] - self._written[first] - left)

    def _of_run(self, first: int, last: int) -> int | None:
        """Freed space of a run from the listing: of one snapshot, of all, or of the oldest ones."""
        if first == last:
            return self.chain.snapshots[first].used_bytes
        if first == 0 and last == len(self.chain.snapshots) - 1:
            return self._of_all()
        if first == 0 and self.chain.dataset.origin is None and self._written is not None:
            left = self.chain.after(last).referenced_bytes
            return None if left is None else max(0, self._written[last + 2] - left)
        return None

    def _of_all(self) -> int | None:
        return self.chain.dataset.used_by_snapshots_bytes

    def _sum(self, places: Iterable[int]) -> int:
        return sum(self._used[place] for place in places)

    def _sum_without(self, places: Collection[int]) -> int:
        return sum(self._used) - self._sum(places)
