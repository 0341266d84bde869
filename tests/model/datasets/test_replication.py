"""Points of replication name their datasets and pools."""

from __future__ import annotations

import pytest

from zconsole.model.datasets.replication import ReplicatedDataset, SendBase


@pytest.mark.parametrize("name", ["tank/a@1", "tank/a#1"])
def test_a_base_is_in_the_dataset_of_its_snapshot_or_bookmark(name: str) -> None:
    assert "tank/a" == SendBase("nas1", name, 7, "nas2:vault/a", "newest", 0.0).dataset


@pytest.mark.parametrize("name", ["tank", "tank/a/b"])
def test_a_lineage_is_in_the_pool_of_its_dataset(name: str) -> None:
    assert "tank" == ReplicatedDataset(name, "filesystem", 7, 0).pool
