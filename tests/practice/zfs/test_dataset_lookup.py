"""Names of datasets, snapshots and bookmarks, and the words of libzfs for wrong ones."""

from __future__ import annotations

import pytest

from tests.practice.zfs.stage import Stage
from zconsole.practice.zfs.dataset_lookup import (
    DATASETS,
    DATASETS_AND_SNAPSHOTS,
    SNAPSHOTS,
    Kinds,
    fault_of,
    kind_of,
    look_up,
    missing_ancestors,
)


@pytest.mark.parametrize(
    ("name", "kinds", "fault"),
    [
        ("tank/a", DATASETS, None),
        ("tank/a b:c_d.e-f", DATASETS, None),
        ("tank/a@s", DATASETS_AND_SNAPSHOTS, None),
        ("tank/" + "a" * 250, DATASETS, None),
        ("tank/" + "a" * 251, DATASETS, "name is too long"),
        ("/tank", DATASETS, "leading slash in name"),
        ("tank/", DATASETS, "trailing slash in name"),
        ("tank//a", DATASETS, "empty component or misplaced '@' or '#' delimiter in name"),
        ("tank/a@", SNAPSHOTS, "empty component or misplaced '@' or '#' delimiter in name"),
        ("tank@a/b", SNAPSHOTS, "empty component or misplaced '@' or '#' delimiter in name"),
        ("tank/a@b@c", SNAPSHOTS, "multiple '@' and/or '#' delimiters in name"),
        ("1tank", DATASETS, "pool doesn't begin with a letter"),
        ("tank/a*b", DATASETS, "invalid character '*' in name"),
        ("tank/./a", DATASETS, "self reference, '.' is found in name"),
        ("tank/a", SNAPSHOTS, "missing '@' delimiter in snapshot name"),
        ("tank/a#b", DATASETS, "bookmark delimiter '#' is not expected here"),
        ("tank/a", frozenset({"bookmark"}), "missing '#' delimiter in bookmark name"),
    ],
)
def test_a_wrong_name_is_told_in_the_words_of_libzfs(name: str, kinds: Kinds, fault: str | None) -> None:
    assert fault == fault_of(name, kinds)


def test_a_name_leads_to_what_has_it() -> None:
    stage = Stage("zfs create tank/a", "zfs snapshot tank/a@s", "zfs bookmark tank/a@s #b")

    kinds = [
        kind_of(thing)
        for name in ("tank", "tank/a", "tank/a@s", "tank/a#b")
        if (thing := look_up(stage.world, name)) is not None
    ]

    assert ["filesystem", "filesystem", "snapshot", "bookmark"] == kinds
    assert [None] * 3 == [look_up(stage.world, name) for name in ("other", "tank/a@x", "tank/a#s")]


def test_the_ancestors_that_are_missing_come_topmost_first() -> None:
    stage = Stage("zfs create tank/a")

    assert ["tank/a/b", "tank/a/b/c"] == missing_ancestors(stage.world, "tank/a/b/c/d")
