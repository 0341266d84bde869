"""Datasets by their names."""

from __future__ import annotations

import pytest

from zconsole.model.dataset_names import pool_of
from zconsole.model.datasets.dataset import Dataset


@pytest.mark.parametrize("name", ["tank", "tank/a", "tank/a/b@1", "tank@1", "tank#1", "tank/a#1"])
def test_the_pool_is_what_stands_before_any_mark(name: str) -> None:
    assert "tank" == pool_of(name) == Dataset(name, "snapshot").pool


def test_nothing_is_known_unless_it_was_read() -> None:
    bare = Dataset("tank", "filesystem")

    assert {None, ()} == {getattr(bare, name) for name in Dataset.__slots__ if name not in {"name", "type"}}
