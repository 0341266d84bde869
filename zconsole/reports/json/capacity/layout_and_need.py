"""`zconsole capacity layout` and `need` with `--json`: what a layout holds and survives, what data needs."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from zconsole.analysis.capacity.storage_budget_factors import EXACT_UNITS, Budget
from zconsole.analysis.capacity.vdevs_to_buy import Purchase
from zconsole.analysis.pool_layouts.layout import KEEPERS, Layout, PlannedVdev
from zconsole.analysis.pool_layouts.layout_advice import LayoutAdvice, advice
from zconsole.analysis.pool_layouts.survivable_failures import survival
from zconsole.analysis.pool_layouts.usable_space import layout_space, vdev_space
from zconsole.analysis.pool_layouts.usable_space_by_block_size import block_costs, usable_at
from zconsole.reports.json.json_line import SCHEMA, Document


def layout_document(layout: Layout, block_bytes: int) -> Document:
    """Return a planned layout: what it holds, survives, and is advised against."""
    space, survives = layout_space(layout), survival(layout)
    return {
        "schema": SCHEMA,
        "layout": layout.name,
        "pool_size_bytes": space.size_bytes,
        "usable_bytes": space.usable_bytes,
        "efficiency": space.usable_bytes / layout.raw_bytes,
        "recordsize_bytes": block_bytes,
        "usable_at_recordsize_bytes": usable_at(layout, block_bytes),
        "survives": {"any": survives.any_failures, "odds": [float(odds) for odds in survives.odds]},
        "raw_bytes": layout.raw_bytes,
        "drives": layout.drives,
        "slop_bytes": space.slop_bytes,
        "embedded_log_bytes": space.embedded_log_bytes,
        "vdevs": [_vdev_document(vdev, count) for vdev, count in runs(layout.vdevs)],
        "block_sizes": [
            {
                "block_bytes": cost.block_bytes,
                "usable_bytes": cost.usable_bytes,
                "efficiency": cost.efficiency,
            }
            for cost in block_costs(layout)
        ],
        "advice": advice_documents(advice(layout, block_bytes)),
    }


def need_document(
    budget: Budget, data_bytes: int, raw_bytes_per_system: int, purchase: Purchase | None
) -> Document:
    """Return the budget, factor by factor, and with a chosen layout the drives to buy."""
    return {
        "schema": SCHEMA,
        "data_bytes": data_bytes,
        "factors": [
            {"name": factor.name, "value": float(factor.value), "why": factor.why}
            for factor in budget.factors
        ],
        "exact_tb_per_tib": float(EXACT_UNITS),
        "product_per_system": float(budget.product),
        "rule_per_system": budget.rule,
        "raw_bytes_per_system": raw_bytes_per_system,
        "systems": budget.systems,
        "product": float(budget.product * budget.systems),
        "rule": budget.rule * budget.systems,
        "raw_bytes": raw_bytes_per_system * budget.systems,
        "usable_bytes_per_system": budget.usable_bytes(data_bytes),
        "purchase": None if purchase is None else _purchase_document(purchase),
    }


def advice_documents(given: Iterable[LayoutAdvice]) -> list[Document]:
    """Return advice as a list of objects."""
    return [{"id": each.id, "text": each.text} for each in given]


def runs(vdevs: Iterable[PlannedVdev]) -> list[tuple[PlannedVdev, int]]:
    """Return equal neighbouring vdevs as one entry with their number: a hundred mirrors are one line."""
    return [(vdev, len(list(same))) for vdev, same in groupby(vdevs)]


def _vdev_document(vdev: PlannedVdev, count: int) -> Document:
    document: Document = {
        "type": vdev.shape.name,
        "class": vdev.vdev_class,
        "count": count,
        "ashift": vdev.ashift,
        "drive_bytes": [drive.size_bytes for drive in vdev.drives],
        "device_bytes": [drive.device_bytes for drive in vdev.drives],
        "size_bytes": None,
        "metaslab_bytes": None,
        "metaslabs": None,
        "deflate_ratio": None,
    }
    if vdev.vdev_class in KEEPERS:
        space = vdev_space(vdev)
        document |= {
            "size_bytes": space.size_bytes,
            "metaslab_bytes": 1 << space.metaslab_shift,
            "metaslabs": space.metaslabs,
            "deflate_ratio": space.deflate_ratio,
        }
    return document


def _purchase_document(purchase: Purchase) -> Document:
    return {
        "layout": purchase.layout.name,
        "drives": purchase.layout.drives,
        "raw_bytes": purchase.layout.raw_bytes,
        "usable_bytes": purchase.usable_bytes,
        "used_percent_at_first": purchase.used_percent_at_first,
        "used_percent_at_end": purchase.used_percent_at_end,
    }
