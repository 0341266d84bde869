"""Which facts plans on datasets need."""

from __future__ import annotations

from zconsole.actions.dataset_facts_needed import snapshot_selectors
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector


def test_of_names_only_snapshots_are_listed() -> None:
    assert (SnapshotSelector("tank/a@1", below=True),) == snapshot_selectors(
        "tank/a", "tank/a@1", "tank/a#1", below=True
    )
