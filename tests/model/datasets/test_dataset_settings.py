"""Settings of a dataset: where it stands in its pool."""

from __future__ import annotations

import pytest

from zconsole.model.datasets.dataset_settings import DatasetSettings


@pytest.mark.parametrize(("name", "parent"), [("tank", ""), ("tank/a", "tank"), ("tank/a/b c", "tank/a")])
def test_the_parent_is_the_dataset_above_and_none_of_the_root(name: str, parent: str) -> None:
    assert parent == DatasetSettings(name, "filesystem").parent
