"""Guids are joined with a tree by position."""

from __future__ import annotations

from tests.zfs.status.texts import TREE, pool_of
from zconsole.zfs.status.merge_guids import merge_guids


def test_guids_are_not_given_to_another_tree() -> None:
    told = pool_of()
    other = pool_of(
        tree=TREE.replace("/dev/sdb1", "17") + "\tlogs\t\n\t  18  ONLINE       0     0     0     0\n"
    )

    assert told == merge_guids(told, other)


def test_guids_come_by_position() -> None:
    merged = merge_guids(pool_of(), pool_of(tree=TREE.replace("/dev/sdb1", "17")))

    assert ("sdb", 17) == (merged.vdevs[0].name, merged.vdevs[0].guid)
