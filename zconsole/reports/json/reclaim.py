"""Reclaim proposal as JSON: for `zconsole reclaim --json`."""

from __future__ import annotations

from zconsole.analysis.snapshots.freed_space import Freed
from zconsole.analysis.snapshots.snapshots_to_free_space import in_runs
from zconsole.execution.facts.snapshots_to_free_space import Reclaim
from zconsole.model.datasets.dataset import Dataset
from zconsole.reports.json.json_line import SCHEMA, Document, guid


def reclaim_document(found: Reclaim, host: str) -> Document:
    """Return the proposed snapshots, the space that they free, and the kept snapshots with reasons."""
    choice = found.choice
    return {
        "schema": SCHEMA,
        "host": host,
        "dataset": found.wish.dataset,
        "need_bytes": found.need_bytes,
        "order": found.wish.order,
        "is_enough": found.is_enough,
        "is_fewest": choice.is_fewest,
        "frees": _freed(found.freed),
        "snapshots": [
            _snapshot(chain.snapshots[place])
            for chain, places in zip(found.chains, choice.places, strict=True)
            for place in sorted(places)
        ],
        "datasets": [
            {
                "name": chain.dataset.name,
                "snapshots": len(places),
                "ranges": list(in_runs(chain, places)),
                "frees": _freed(freed),
            }
            for chain, places, freed in zip(found.chains, choice.places, choice.of_each, strict=True)
            if places
        ],
        "kept": [{"name": each.name, "reason": each.reason, "detail": each.detail} for each in found.kept],
        "all_frees": _freed(found.most),
        "pool_saves_bytes": found.pool_saves_bytes,
        "unseen": list(found.unseen),
    }


def _freed(freed: Freed) -> Document:
    return {
        "lower_bytes": freed.least_bytes,
        "upper_bytes": freed.most_bytes,
        "is_exact": freed.is_exact,
    }


def _snapshot(snapshot: Dataset) -> Document:
    return {
        "name": snapshot.name,
        "guid": guid(snapshot.guid),
        "createtxg": snapshot.createtxg,
        "creation": snapshot.creation,
        "used_bytes": snapshot.used_bytes,
    }
