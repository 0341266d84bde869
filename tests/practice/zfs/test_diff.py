"""`zfs diff`, read by the parser of the console."""

from __future__ import annotations

import pytest

from tests.practice.zfs.stage import Stage
from zconsole.practice.world.datasets import FileNode

S = 1_000_000_000


@pytest.fixture
def stage() -> Stage:
    """A filesystem of which one file is new, one is changed, one is renamed and one is gone since @1."""
    stage = Stage("zfs create tank/a")
    files = stage.dataset("tank/a").touched
    for number, name in enumerate(("kept", "old name", "changed", "gone"), start=200):
        files[name] = FileNode("f", number, 10, 5 * S)
    stage.does("zfs snapshot tank/a@1")
    del files["gone"], files["old name"]
    files |= {
        "new name": FileNode("f", 201, 10, 5 * S),
        "changed": FileNode("f", 202, 11, 6 * S),
        "new": FileNode("f", 300, 1, 7 * S),
    }
    return stage


def test_changes_come_in_the_order_of_the_objects(stage: Stage) -> None:
    """As in zfs-diff(8): letter, path, and the new path of what was renamed."""
    assert [
        "M\t/tank/a/",
        "R\t/tank/a/old\\0040name -> /tank/a/new\\0040name",
        "M\t/tank/a/changed",
        "-\t/tank/a/gone",
        "+\t/tank/a/new",
    ] == stage.does("zfs diff tank/a@1").splitlines()


def test_scripts_get_times_types_and_tabs(stage: Stage) -> None:
    lines = stage.does("zfs diff -FHt tank/a@1 tank/a").splitlines()

    assert "         5.000000000\tR\tF\t/tank/a/old\\0040name\t/tank/a/new\\0040name" == lines[1]


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ("zfs diff", 2, "must provide at least one snapshot name\nusage:\n"),
        ("zfs diff tank/a", 1, "cannot open 'tank/a': missing '@' delimiter in snapshot name\n"),
        ("zfs diff tank@1 tank/a", 1, "cannot open 'tank@1': dataset does not exist\n"),
        (
            "zfs diff tank/a@2 tank/a@1",
            1,
            "Unable to obtain diffs: \n   Not an earlier snapshot from the same fs\n",
        ),
    ],
)
def test_what_cannot_be_compared_is_refused(stage: Stage, line: str, status: int, said: str) -> None:
    stage.does("zfs snapshot tank/a@2")

    found = stage.refuses(line)

    assert status == found[0]
    assert found[1].startswith(said)
