"""`zconsole capacity compare --json`: layouts side by side."""

from __future__ import annotations

from collections.abc import Sequence

from zconsole.analysis.capacity.smallest_layout_for_data import LayoutDemand, proposed
from zconsole.analysis.pool_layouts.layout_comparison import Candidate
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
from zconsole.reports.json.capacity.layout_and_need import advice_documents
from zconsole.reports.json.json_line import SCHEMA, Document


def compare_document(
    candidates: Sequence[Candidate],
    assumed: Assumptions,
    block_bytes: int,
    demand: LayoutDemand | None = None,
) -> Document:
    """Return the comparison, with its assumptions; and which layouts hold what they must, if they must."""
    wanted = None if demand is None else demand.wanted_bytes
    proposal = None if wanted is None else proposed(candidates, wanted)
    return {
        "schema": SCHEMA,
        "recordsize_bytes": block_bytes,
        "assumptions": {
            "yearly_failures": assumed.yearly_failures,
            "used": assumed.used,
            "resilver_bytes_per_s": assumed.rate_bytes_per_s,
            "wait_s": assumed.wait_s,
        },
        "wanted_usable_bytes": wanted,
        "proposed": None if proposal is None else proposal.layout.name,
        "layouts": [_candidate_document(candidate, wanted) for candidate in candidates],
    }


def _candidate_document(each: Candidate, wanted_bytes: int | None) -> Document:
    return {
        "layout": each.layout.name,
        "drives": each.layout.drives,
        "usable_bytes": each.usable_bytes,
        "usable_at_recordsize_bytes": each.usable_at_block_bytes,
        "is_enough": None if wanted_bytes is None else each.held_bytes >= wanted_bytes,
        "efficiency": each.efficiency,
        "survives": {
            "any": each.survival.any_failures,
            "odds": [float(odds) for odds in each.survival.odds],
        },
        "yearly_loss": each.yearly_loss,
        "resilver_s": each.resilver_s,
        "speed": {
            "random_reads": each.speed.random_reads,
            "random_writes": each.speed.random_writes,
            "stream_reads": each.speed.stream_reads,
            "stream_writes": each.speed.stream_writes,
        },
        "price": each.price,
        "price_per_tib": each.price_per_tib,
        "watts": each.watts,
        "watts_per_tib": each.watts_per_tib,
        "next_steps": [
            {"how": step.how, "drives": step.drives, "gained_bytes": step.gained_bytes} for step in each.steps
        ],
        "advice": advice_documents(each.advice),
    }
