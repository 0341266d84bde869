"""Which snapshots of a pool an operation concerns, and which of them were read."""

from __future__ import annotations

from zconsole.base.lazy_dataclass import dataclass
from zconsole.model.dataset_names import dataset_of


@dataclass(frozen=True, slots=True)
class SnapshotSelector:
    """Selector of snapshots by name, made before anything is read.

    The name of a dataset selects all of its snapshots; the name of a snapshot selects that one, if it exists.
    `DATASET@a%b` and `DATASET@a,b` select all snapshots of the dataset, because a range needs all to be
    resolved.
    """

    name: str
    below: bool = False  # include all descendants; for a snapshot, those with the same snapshot name
    clones: bool = False  # include all clones with their descendants, recursively
    origin: bool = False  # include the origin snapshot and the other snapshots of its dataset
    kin: bool = False  # include the siblings: the origin's dataset, its other clones, and theirs
    is_bare: bool = False  # names, guids and ages suffice


@dataclass(frozen=True, slots=True)
class SnapshotScope:
    """Snapshots that were read of some pools, by dataset. File systems and volumes were all read."""

    whole: frozenset[str] = frozenset()  # datasets of which all snapshots were read with all columns
    bare: frozenset[str] = frozenset()  # datasets of which all snapshots were read with name, guid, age
    named: frozenset[str] = frozenset()  # snapshots that were read with all columns, if they exist

    def __or__(self, other: SnapshotScope) -> SnapshotScope:
        whole = self.whole | other.whole
        return SnapshotScope(whole, (self.bare | other.bare) - whole, self.named | other.named)

    def has(self, name: str) -> bool:
        """Whether all columns of a snapshot, or of all snapshots of a dataset, were read."""
        return dataset_of(name) in self.whole or name in self.named or "#" in name

    def lists(self, dataset: str) -> bool:
        """Whether the names of all snapshots of a dataset were read."""
        return dataset in self.whole or dataset in self.bare
