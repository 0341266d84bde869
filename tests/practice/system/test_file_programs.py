"""`find`, `stat`, `du`, `cp` and `mv` over the files of a dataset and its snapshots."""

from __future__ import annotations

import pytest

from tests.practice.zfs.stage import Stage
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.world.datasets import FileNode

SNAPSHOT = "/tank/a/.zfs/snapshot/1"


@pytest.fixture
def stage() -> Stage:
    stage = Stage("zfs create tank/a")
    files = stage.dataset("tank/a").touched
    files |= {"d": FileNode("d", 200, 3, 5), "d/f": FileNode("f", 201, 4000, 1_500_000_000)}
    stage.does("zfs snapshot tank/a@1")
    return stage


def test_a_file_has_the_numbers_of_stat(stage: Stage) -> None:
    mode, device, inode, size, when, path, _ = stage.does("stat --printf %f -- /tank/a/d/f").split("\0")

    assert ("81a4", "201", "4000", "1.500000000", "/tank/a/d/f") == (mode, inode, size, when, path)
    of_snapshot = stage.does(f"stat --printf %f -- {SNAPSHOT}/d/f").split("\0")
    assert device != of_snapshot[1]
    assert (inode, size) == (of_snapshot[2], of_snapshot[3])


def test_a_folder_lists_its_own_entries_only(stage: Stage) -> None:
    words = stage.does("find /tank/a/. -mindepth 1 -maxdepth 1 -printf x").split("\0")

    assert ("d", "200", "d") == (words[0], words[2], words[5])
    assert "f" not in words


@pytest.mark.parametrize(("options", "total"), [("--inodes", 2), ("--apparent-size -B1", 4003)])
def test_a_folder_is_counted_with_all_below(stage: Stage, options: str, total: int) -> None:
    assert f"{total}\t/tank/a/d\0" == stage.does(f"du -sx0 {options} -- /tank/a/d")


def test_a_copy_has_inodes_of_its_own_and_takes_space(stage: Stage) -> None:
    before = stage.size("tank/a", "referenced")

    stage.does(f"cp -anT -- {SNAPSHOT}/d /tank/a/e")

    files = stage.dataset("tank/a").touched
    assert (4000, "f") == (files["e/f"].size, files["e/f"].type)
    assert files["d/f"].inode != files["e/f"].inode
    assert before < stage.size("tank/a", "referenced")


def test_a_move_keeps_the_inode(stage: Stage) -> None:
    stage.does("mv -fT -- /tank/a/d /tank/a/e")

    files = stage.dataset("tank/a").touched
    assert ("-", 201) == (files["d/f"].type, files["e/f"].inode)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("cp -anT -- /tank/a/x /tank/a/y", "cp: cannot stat '/tank/a/x': No such file or directory\n"),
        ("mv -fT -- /tank/a/x /tank/a/y", "mv: cannot stat '/tank/a/x': No such file or directory\n"),
        (
            f"cp -anT -- /tank/a/d {SNAPSHOT}/e",
            f"cp: cannot create regular file '{SNAPSHOT}/e': Read-only file system\n",
        ),
        (
            "mv -fT -- /tank/a/d/f /tank/a/x/f",
            "mv: cannot move '/tank/a/d/f' to '/tank/a/x/f': No such file or directory\n",
        ),
        ("stat --printf %f -- /tank/a/x", "stat: cannot statx '/tank/a/x': No such file or directory\n"),
        ("du -sx0 -- /tank/a/x", "du: cannot access '/tank/a/x': No such file or directory\n"),
    ],
)
def test_what_is_not_there_is_refused_as_by_coreutils(stage: Stage, line: str, said: str) -> None:
    reply = answer(stage.world, line.split())

    assert isinstance(reply, Reply)
    assert (1, said) == (reply.status, reply.stderr)
