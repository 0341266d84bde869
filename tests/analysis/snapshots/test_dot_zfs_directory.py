"""Where the files of a snapshot are seen, or why they cannot be."""

from __future__ import annotations

import pytest

from tests.doubles.plan_worlds import filesystem, volume
from zconsole.analysis.snapshots.dot_zfs_directory import path_in, relative, snapshot_root, why_no_files
from zconsole.base.errors import UsageError
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.snapshot_contents import Mounted

HOME = Mounted("tank/home", "/home")
ROOT = Mounted("tank", "/")


@pytest.mark.parametrize(
    ("words", "dataset"),
    [
        ("is a volume", volume("tank/v")),
        ("load its key", filesystem("tank/a", keystatus="unavailable")),
        ("its mountpoint is legacy", filesystem("tank/a", mountpoint="legacy")),
        ("canmount is off", filesystem("tank/a", canmount="off")),
        ("zconsole plan mount tank/a", filesystem("tank/a")),
    ],
)
def test_the_reason_says_what_would_help(words: str, dataset: Dataset) -> None:
    assert words in why_no_files(dataset)


def test_a_snapshot_is_seen_below_its_mountpoint() -> None:
    assert "/home/.zfs/snapshot/a" == snapshot_root(HOME, "a")
    assert "/.zfs/snapshot/a" == snapshot_root(ROOT, "a")
    assert ["/home/x", "/home", "/x"] == [path_in("/home", "x"), path_in("/home", ""), path_in("/", "x")]


@pytest.mark.parametrize(
    ("expected", "path"),
    [
        ("ann/notes", "ann/notes"),
        ("ann/notes", "/home/ann/notes"),
        ("ann", "/home/.zfs/snapshot/a/ann"),
        ("", "/home"),
        ("", ""),
        ("ann", "ann/"),
    ],
)
def test_a_path_may_be_written_in_three_ways(expected: str, path: str) -> None:
    assert expected == relative(path, HOME, "a")


@pytest.mark.parametrize(
    "path", ["/etc", "/homer/x", "../x", "a/./b", "a//b", "a\0b", ".zfs/x", "/home/.zfs"]
)
def test_a_path_that_leads_elsewhere_is_refused(path: str) -> None:
    with pytest.raises(UsageError):
        relative(path, HOME, "a")
