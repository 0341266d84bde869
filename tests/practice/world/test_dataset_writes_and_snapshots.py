"""Writing to datasets, and pools without room."""

from __future__ import annotations

import pytest

from tests.practice.zfs.stage import MIB, Stage
from zconsole.practice.world import dataset_writes_and_snapshots

MADE = ("zfs create tank/a", "zfs create tank/a/b", "zfs create -V 64M tank/v")


def test_a_quota_limits_and_a_reservation_is_taken_from_above() -> None:
    stage = Stage(*MADE)
    room = stage.size("tank", "available")

    stage.does("zfs set quota=1G reservation=512M tank/a")

    assert (1 << 30) - stage.size("tank/a", "used") == stage.size("tank/a/b", "available")
    reserved = 512 * MIB - stage.size("tank/a", "used")
    assert room - reserved == stage.size("tank", "available")


def test_a_full_pool_takes_nothing_new_but_lets_go() -> None:
    stage = Stage(*MADE, "zfs snapshot tank/a@s1")
    stage.does("zfs set refreservation=none tank/v")
    dataset_writes_and_snapshots.write(stage.pool, stage.dataset("tank/a"), stage.size("tank/a", "available"))

    with pytest.raises(dataset_writes_and_snapshots.OutOfSpace):
        dataset_writes_and_snapshots.write(stage.pool, stage.dataset("tank/a"), 4096)
    assert "cannot create 'tank/x': out of space\n" == stage.refuses("zfs create tank/x")[1]
    assert "cannot create 'tank/x': out of space\n" == stage.refuses("zfs clone tank/a@s1 tank/x")[1]
    assert stage.refuses("zfs snapshot tank/a@s2")[1].startswith("cannot create snapshots : out of space\n")
    stage.does("zfs destroy -r tank/a")
    stage.does("zfs create tank/x")
