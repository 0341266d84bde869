"""Facts that plans on datasets need: the datasets of the pool, the named snapshots, the users."""

from __future__ import annotations

from dataclasses import replace

from zconsole.actions.action_spec import Needs
from zconsole.actions.intent import Intent
from zconsole.model.datasets.snapshots_selected_and_read import SnapshotSelector


def needs_datasets(intent: Intent) -> Needs:
    """Needs the datasets of the target's pool; of snapshots only the target."""
    return Needs(datasets=(intent.pool,), snapshots=snapshot_selectors(intent.target))


def needs_datasets_and_uses(intent: Intent) -> Needs:
    """The same, with their users."""
    return replace(needs_datasets(intent), uses=True)


def snapshot_selectors(*names: str, below: bool = False) -> tuple[SnapshotSelector, ...]:
    """Selectors of the snapshots among these names only."""
    return tuple(SnapshotSelector(name, below=below) for name in names if "@" in name)
