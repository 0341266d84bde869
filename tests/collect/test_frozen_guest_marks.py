"""The marks of snapshots that were taken while guests were frozen."""

from __future__ import annotations

import pytest

from tests.doubles.scripted_host import HANG, ScriptedHost, failed
from tests.practice.zfs.stage import Stage
from zconsole.base.errors import CommandFailed
from zconsole.collect.frozen_guest_marks import read_frozen_marks
from zconsole.collect.read_command_runner import Asker
from zconsole.model.datasets.dataset import Dataset
from zconsole.model.datasets.dataset_tree import Tree, frozen_guests

KEY = "org.zconsole:frozen-guests"


async def test_marks_are_those_of_the_snapshots_themselves() -> None:
    """The practice ZFS answers the very command: a snapshot inherits what is set on its dataset."""
    stage = Stage("zfs create tank/vm")
    stage.does("zfs snapshot tank/vm@a")
    stage.does("zfs snapshot tank/vm@b")
    stage.does(f"zfs set {KEY}=web01,db02 tank/vm@a")
    stage.does(f"zfs set {KEY}=wrong tank/vm")
    host = ScriptedHost()
    host.answers["zfs get"] = b""
    await read_frozen_marks(Asker(host), ["tank"])
    host.answers["zfs get"] = stage.does(host.commands[0]).encode()

    assert {"tank/vm@a": ("web01", "db02")} == await read_frozen_marks(Asker(host), ["tank"])


async def test_what_zfs_does_not_tell_is_not_known_and_a_hang_is_an_error() -> None:
    host = ScriptedHost()
    host.answers["zfs get"] = failed("zfs get", 1, b"no")
    assert await read_frozen_marks(Asker(host), ["tank"]) is None
    host.answers["zfs get"] = HANG

    with pytest.raises(CommandFailed):
        await read_frozen_marks(Asker(host), ["tank"])


def test_a_recursive_snapshot_counts_below_where_it_is_of_the_same_txg() -> None:
    every = {
        name: Dataset(name, "snapshot", createtxg=txg)
        for name, txg in (("tank@a", 7), ("tank/vm@a", 7), ("tank/late@a", 9), ("tank/vm@b", 7))
    }
    tree = Tree(("tank",), tuple(every.values()), frozen={"tank@a": ("web01",)})

    assert [("web01",), ("web01",), (), ()] == [frozen_guests(tree, each, every) for each in every.values()]
    assert frozen_guests(Tree(("tank",)), every["tank@a"], every) is None
