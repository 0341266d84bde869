"""Which snapshots of a pool something is about, and which of them were read for it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Concern:
    """Snapshots that something is about, told by a name before anything was read.

    The name of a dataset is all of its snapshots. That of a snapshot is this one, if it is there;
    `DATASET@a%b` and `DATASET@a,b` are all snapshots of the dataset, as only those tell what is meant.
    """

    name: str
    below: bool = False  # the same of all below it too: of a snapshot, those of its name
    clones: bool = False  # all that stands on them, with all below and on that in turn
    origin: bool = False  # the snapshot that it was cloned from too, and those beside that
    kin: bool = False  # those of what they were cloned from, of other clones of that, and of their clones too
    is_bare: bool = False  # names, guids and ages are enough


@dataclass(frozen=True, slots=True)
class Scope:
    """The snapshots that were read of some pools, by their datasets. File systems and volumes all were."""

    whole: frozenset[str] = frozenset()  # datasets: all of their snapshots, with all that is known of them
    bare: frozenset[str] = frozenset()  # datasets: the names, guids and ages of all of their snapshots
    named: frozenset[str] = frozenset()  # snapshots: with all that is known of them, where they are there

    def __or__(self, other: Scope) -> Scope:
        whole = self.whole | other.whole
        return Scope(whole, (self.bare | other.bare) - whole, self.named | other.named)

    def has(self, name: str) -> bool:
        """Whether all is known of a snapshot, or of all snapshots of a dataset."""
        return name.partition("@")[0] in self.whole or name in self.named or "#" in name

    def lists(self, dataset: str) -> bool:
        """Whether the names of all snapshots of a dataset are known."""
        return dataset in self.whole or dataset in self.bare
