"""One watch of an account runs at a time."""

from __future__ import annotations

from pathlib import Path

import pytest

from zconsole.storage.alerts.only_one_watch import WatchRuns, only_one_watch


def test_a_second_watch_is_refused_while_the_first_one_runs(tmp_path: Path) -> None:
    store = tmp_path / "state" / "alerts.sqlite"
    with only_one_watch(store), pytest.raises(WatchRuns, match="runs already"), only_one_watch(store):
        pass
    with only_one_watch(store):
        pass


def test_a_link_in_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "alerts.lock").symlink_to(tmp_path / "other")
    with pytest.raises(WatchRuns, match="cannot be opened"), only_one_watch(tmp_path / "alerts.sqlite"):
        pass
    assert not (tmp_path / "other").exists()
