"""Folders and differences of snapshots, read from the practice host: what is there, and why it is not."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from zconsole.analysis.snapshots.diff_summary import DiffSummary
from zconsole.base.clock import ManualClock
from zconsole.base.errors import CommandFailed
from zconsole.collect.privilege import Privilege
from zconsole.collect.read_command_runner import Asker
from zconsole.collect.readings.folders_and_file_states import read_folder
from zconsole.collect.readings.snapshot_folders_and_diff import browse, differences
from zconsole.model.datasets.snapshot_contents import ChangeKind, FileType
from zconsole.practice import PracticeHost, create_world
from zconsole.practice.program_and_subcommand_table import answer
from zconsole.practice.program_reply import Reply
from zconsole.practice.system.dataset_files import tree_of
from zconsole.practice.system.file_programs import GONE
from zconsole.practice.world.datasets import FileNode

SETTING = (
    "create tank/a", "create -V 1G tank/v", "create -o mountpoint=legacy tank/l", "create tank/m",
    "unmount tank/m",
)  # fmt: skip
ODD = "documents/odd name\nwith é"


@pytest.fixture
async def host() -> AsyncIterator[PracticeHost]:
    """A file system with files and a snapshot, and after that a few changes."""
    world = create_world("mirror 0 1")
    dataset = None
    for line in (*SETTING, "snapshot -r tank@1"):
        if line.startswith("snapshot"):
            dataset = world.pools["tank"].datasets["tank/a"]
            dataset.seed, dataset.files_at = 7, world.now
            dataset.touched["documents/going"] = FileNode("f", 9001, 5000, 10**18)
            dataset.touched["documents/moving"] = FileNode("f", 9002, 1, 10**18)
        reply = answer(world, ("zfs", *line.split()))
        assert isinstance(reply, Reply)
        assert "" == reply.stderr, line
    assert dataset is not None
    dataset.touched["documents/going"] = GONE
    dataset.touched["documents/moving"] = GONE
    dataset.touched["documents/moved"] = FileNode("f", 9002, 1, 10**18)
    dataset.touched[ODD] = FileNode("f", 9003, 77, 10**18 + 5)
    made = PracticeHost(clock=ManualClock(world.now), world=world)
    await made.connect()
    yield made
    await made.close()


async def test_every_change_comes_with_its_folder_and_size(host: PracticeHost) -> None:
    asker, told = Asker(host), list[DiffSummary]()

    found = await differences(asker, Privilege(asker), ("tank/a@1", "tank/a"), told.append, ManualClock(0))

    documents = found.summary.folders["/tank/a/documents"]
    assert [
        (ChangeKind.REMOVED, "/tank/a/documents/going"),
        (ChangeKind.RENAMED, "/tank/a/documents/moved"),
        (ChangeKind.ADDED, f"/tank/a/{ODD}"),
    ] == [(each.kind, each.place) for each in documents.own]
    assert (5000, None) == found.sizes["/tank/a/documents/going"]
    assert (1, 1) == found.sizes["/tank/a/documents/moved"]
    assert (None, 77) == found.sizes[f"/tank/a/{ODD}"]
    assert told[-1].is_done
    assert 3 == found.summary.counts.total
    assert 1 == found.summary.counts.touched


async def test_a_diff_that_zfs_refuses_says_what_it_takes(host: PracticeHost) -> None:
    host.world.user_id = 1000
    asker = Asker(host)

    with pytest.raises(CommandFailed, match="zfs diff tank/a@1 tank/a failed") as failed:
        await differences(
            asker, Privilege(asker), ("tank/a@1", "tank/a"), list[DiffSummary]().append, ManualClock(0)
        )

    assert "zfs allow USER diff tank/a" in failed.value.hint
    assert "diff delegated permission" in failed.value.said
    reply = answer(host.world, ("zfs", "diff", "-FHt", "tank/a", "tank/a@1"))
    assert isinstance(reply, Reply)
    assert 0 != reply.status


async def test_a_folder_of_then_stands_beside_that_of_now(host: PracticeHost) -> None:
    asker = Asker(host)

    root = await browse(asker, Privilege(asker), "tank/a@1", "")
    inside = await browse(asker, Privilege(asker), "tank/a@1", "documents")

    assert "documents" in {each.name for each in root.then.entries if each.type is FileType.FOLDER}
    assert inside.now is not None
    names_then, names_now = ({each.name for each in side.entries} for side in (inside.then, inside.now))
    assert {"going", "moving"} == names_then - names_now
    assert {"moved", "odd name\nwith é"} == names_now - names_then
    types = [each.type for each in inside.then.entries]
    assert sorted(types, key=lambda each: each is not FileType.FOLDER) == types


async def test_a_folder_that_is_gone_now_is_still_seen(host: PracticeHost) -> None:
    dataset = host.world.pools["tank"].datasets["tank/a"]
    for path in list(tree_of(dataset, host.world.now)):
        if path.startswith("documents"):
            dataset.touched[path] = GONE
    asker = Asker(host)

    assert (await browse(asker, Privilege(asker), "tank/a@1", "documents")).now is None


async def test_a_folder_without_end_is_not_read_to_its_end(host: PracticeHost) -> None:
    asker = Asker(host)

    folder = await read_folder(asker, Privilege(asker), "/tank/a/documents", most=1)

    assert 1 == len(folder.entries)
    assert not folder.is_whole


@pytest.mark.parametrize(
    ("snapshot", "why"),
    [
        ("tank/v@1", "is a volume"),
        ("tank/l@1", "its mountpoint is legacy"),
        ("tank/m@1", "zconsole plan mount tank/m"),
        ("tank/a@none", "cannot be seen"),
    ],
)
async def test_why_there_are_no_files_is_a_sentence(host: PracticeHost, snapshot: str, why: str) -> None:
    asker = Asker(host)

    with pytest.raises(CommandFailed, match=why):
        await browse(asker, Privilege(asker), snapshot, "")
