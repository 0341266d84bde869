"""Files in datasets and snapshots: a tree made from a seed and the hour.

What is there is worked out from a seed and the hour; what was copied or moved since is kept beside it.
A snapshot has the tree of its own moment.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

from zconsole.base.lazy_dataclass import dataclass
from zconsole.practice.world.datasets import FileNode, PracticeDataset, Snapshot, Tree

_HOUR: Final = 3600
_NS: Final = 1_000_000_000
_ROOT_INODE: Final = 34
_FIRST_INODE: Final = 128
_FOLDERS: Final = (
    "documents", "documents/contracts", "documents/minutes", "mail/archive", "photos/2025-harbour",
    "photos/2026-møn", "projects/website", "projects/website/assets", "projects/ledger", "tmp",
)  # fmt: skip
_NAMES: Final = (
    "budget.ods", "offer 2026.pdf", "notes.md", "inbox.mbox", "IMG_0142.jpg", "IMG_0143.jpg", "index.html",
    "logo.svg", "ledger.sqlite", "todo.txt", "plan.odt", "README",
)  # fmt: skip
_FILES: Final = 96


@dataclass(frozen=True, slots=True)
class PathInDataset:
    """A path of the host as a place in a dataset, or in a snapshot; `path` is without the mountpoint."""

    dataset: PracticeDataset
    snapshot: Snapshot | None
    path: str
    tree: Tree

    @property
    def device(self) -> int:
        """The device number of its file system."""
        return 70 + (self.dataset.objset if self.snapshot is None else 100_000 + self.snapshot.objset)

    @property
    def node(self) -> FileNode | None:
        """The file, or None."""
        return self.tree.get(self.path)


def tree_of(dataset: PracticeDataset, now: float) -> Tree:
    """The files of a dataset as it is now, by path; the root has none."""
    return _with(dataset.seed, now if dataset.files_at is None else dataset.files_at, dataset.touched)


def tree_of_snapshot(snapshot: Snapshot) -> Tree:
    """The files of a snapshot."""
    at = float(snapshot.creation) if snapshot.files_at is None else snapshot.files_at
    return _with(snapshot.dataset.seed, at, snapshot.touched)


def entries(tree: Tree, folder: str) -> list[tuple[str, FileNode]]:
    """The entries of a folder: names and nodes."""
    inside = f"{folder}/" if folder else ""
    return [
        (path[len(inside) :], node)
        for path, node in tree.items()
        if path and path.startswith(inside) and "/" not in path[len(inside) :]
    ]


def all_below(tree: Tree, path: str) -> list[tuple[str, FileNode]]:
    """A path and all that is below it."""
    inside = f"{path}/" if path else ""
    return [(each, node) for each, node in tree.items() if each == path or each.startswith(inside)]


def _with(seed: int, at: float, touched: Mapping[str, FileNode]) -> Tree:
    tree = dict(_generated(seed, int(at) // _HOUR))
    for path, node in touched.items():
        tree.pop(path, None)
        if node.type != "-":
            tree[path] = node
    return tree


@lru_cache(maxsize=64)
def _generated(seed: int, hour: int) -> Tree:
    root = FileNode("d", _ROOT_INODE, 0, _NS * 1_700_000_000)
    if not seed:
        return {"": root}
    dice = random.Random(seed)  # noqa: S311 - no secret
    files: Tree = {}
    for number in range(_FILES):
        folder, name = dice.choice(_FOLDERS), dice.choice(_NAMES)
        stem, dot, ending = name.partition(".")
        base, offset, size = f"{stem}-{number:02d}", dice.randrange(5000), dice.randrange(1, 1 << 22)
        lives, changes = dice.choice((0, 0, 0, 60, 300)), dice.choice((0, 0, 0, 5, 40))
        moves = dice.random() < 0.06
        age = hour + offset
        if lives and age % lives > lives * 2 // 3:
            continue
        born = age // lives if lives else 0
        version = age // changes if changes else 0
        changed = (hour - age % changes) * _HOUR if changes else 1_760_000_000 + offset * 60
        if moves and age // 30 % 2:
            base += "-final"
        node = FileNode(
            "f",
            _FIRST_INODE + number + born * 1000,
            size + version * 4099 % (1 << 16),
            changed * _NS + number,
        )
        files[f"{folder}/{base}{dot}{ending}"] = node
    folders = {part for path in files for part in _parents(path)}
    made: Tree = {"": root}
    for number, folder in enumerate(sorted(folders), start=2):
        made[folder] = FileNode("d", number, 0, _NS * (1_700_000_000 + number))
    for folder, node in made.items():
        inside = f"{folder}/" if folder else ""
        count = sum(
            1
            for path in (*made, *files)
            if path and path.startswith(inside) and "/" not in path[len(inside) :]
        )
        made[folder] = replace(node, size=count + 2)
    return {**made, **files}


def _parents(path: str) -> Iterable[str]:
    above = path.rpartition("/")[0]
    while above:
        yield above
        above = above.rpartition("/")[0]
