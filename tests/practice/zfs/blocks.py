"""Random lives of datasets on the practice host, every block of them known: for what is judged of them."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis.stateful import rule

from tests.practice.zfs.test_books import BLOCK, Blocks, Books
from zconsole.model.datasets.dataset import Dataset as Listed
from zconsole.practice.world.datasets import PracticeDataset, Snapshot
from zconsole.zfs.listing import datasets

__all__ = ["BLOCK", "Blocks", "Lives"]
TYPES = ("filesystem", "volume", "snapshot", "bookmark")


class Lives(Books):
    """The commands of `Books`, without what is checked there after each of them."""

    def every_size_is_that_of_its_blocks(self) -> None:
        """Not here."""

    def the_pool_takes_what_all_take_together(self) -> None:
        """Not here."""

    def guids_are_unique_and_clones_know_their_origins(self) -> None:
        """Not here."""

    def what_came_since_a_snapshot_is_what_it_does_not_have(self) -> None:
        """Not here."""

    @rule(number=st.integers(0, 50), at=st.integers(0, 50), name=st.sampled_from(("a", "b", "c", "d")))
    def clone_again(self, number: int, at: int, name: str) -> None:
        """Clones of clones are what it is about."""
        self.clone(number, at, name)

    def listed(self) -> tuple[Listed, ...]:
        """All that there is, as the console reads it."""
        return tuple(
            datasets.parse_datasets(
                self.stage.does(" ".join(datasets.list_datasets("tank", types=TYPES).argv))
            )
        )

    def blocks(self, name: str) -> Blocks:
        """All that a dataset or snapshot refers to."""
        return self._of(self.there(name))

    def there(self, name: str) -> PracticeDataset | Snapshot:
        """The thing of that name."""
        return self.stage.snapshot(name) if "@" in name else self.stage.dataset(name)
