"""Names of datasets, snapshots and bookmarks taken apart, as zfs(8) builds them."""

from __future__ import annotations


def pool_of(name: str) -> str:
    """The pool of a dataset, snapshot or bookmark."""
    return dataset_of(name.partition("/")[0])


def dataset_of(name: str) -> str:
    """The dataset of a snapshot or bookmark; a dataset's own name."""
    return name.partition("@")[0].partition("#")[0]


def short_of(name: str) -> str:
    """A snapshot's name behind the @, a bookmark's behind the #; nothing of a dataset."""
    return name.partition("@")[2] or name.partition("#")[2]


def parent_of(dataset: str) -> str:
    """The dataset above a dataset; nothing above the root of a pool."""
    return dataset.rpartition("/")[0]


def last_part(dataset: str) -> str:
    """A dataset's name within its parent; the pool's of its root."""
    return dataset.rpartition("/")[2]
