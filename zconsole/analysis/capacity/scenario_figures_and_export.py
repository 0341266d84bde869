"""Results of planning scenarios as numbers, and their export as Markdown, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from typing import Final

from zconsole.analysis.capacity.compute_planner_results import PlanningResults
from zconsole.analysis.capacity.planner_inputs import FIELDS
from zconsole.base.errors import UsageError
from zconsole.base.escape_control_characters import visible
from zconsole.base.fixed_width_formatting import UNKNOWN, duration, odds, one_in
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import block_size, both

SCHEMA: Final = 1
FORMATS: Final = (".md", ".csv", ".json")


@dataclass(frozen=True, slots=True)
class ScenarioFigures:
    """Results of a scenario. `layout` is the proposed one, or else the one with the most space."""

    name: str
    texts: Mapping[str, str]
    layout: str
    is_advised: bool
    is_enough: bool
    drives: int
    drive_bytes: int
    usable_bytes: int
    block_bytes: int
    usable_at_block_bytes: int
    efficiency: float
    survives_any: int
    survives_next: float  # probability of surviving one more failure
    yearly_loss: float
    resilver_s: float | None
    price: float | None
    price_per_tib: float | None
    data_bytes: int
    wanted_bytes: int
    product: float
    raw_bytes: int
    systems: int
    changes: tuple[tuple[str, int, int], ...]  # what-ifs: usable and used bytes after each


def row_of(name: str, texts: Mapping[str, str], found: PlanningResults) -> ScenarioFigures:
    """The results of a scenario as numbers."""
    inputs = found.inputs
    taken = found.taken
    certain = taken.survival.any_failures
    return ScenarioFigures(
        name,
        dict(texts),
        taken.layout.name,
        found.proposal is not None,
        found.is_enough(taken),
        taken.layout.drives,
        inputs.drive.size_bytes,
        taken.usable_bytes,
        inputs.block_bytes,
        taken.usable_at_block_bytes,
        taken.efficiency,
        certain,
        float(taken.survival.odds[certain]) if certain < len(taken.survival.odds) else 0.0,
        taken.yearly_loss,
        taken.resilver_s,
        taken.price,
        taken.price_per_tib,
        inputs.data_bytes,
        found.wanted_bytes,
        float((found.own_budget or inputs.budget).product),
        found.raw_bytes,
        inputs.budget.systems,
        tuple(
            (each.name, each.outcome.usable_after, each.outcome.used_after)
            for each in found.asked
            if each.outcome is not None
        ),
    )


def exported(rows: Sequence[ScenarioFigures], suffix: str, heading: str) -> str:
    """Scenarios as Markdown, CSV or JSON, by the suffix of a file. Raises UsageError for other suffixes."""
    match suffix.lower():
        case ".md":
            return _markdown(rows, heading)
        case ".csv":
            return _csv(rows)
        case ".json":
            return _json(rows, heading)
        case _:
            raise UsageError(
                f"{suffix or 'a name without an ending'} is no format", hint=f"Take {', '.join(FORMATS)}."
            )


def _markdown(rows: Sequence[ScenarioFigures], heading: str) -> str:
    lines = [
        f"# {_cell(heading)}",
        "",
        f"| | {' | '.join(_cell(row.name) for row in rows)} |",
        f"|---|{'---|' * len(rows)}",
    ]
    lines += [
        f"| {title} | {' | '.join(_cell(each) for each in values)} |"
        for title, values in _table(rows)
        if any(each not in ("", UNKNOWN) for each in values)
    ]
    return "\n".join([*lines, ""])


def _table(rows: Sequence[ScenarioFigures]) -> list[tuple[str, list[str]]]:
    """The lines of the comparison: title, and a value per scenario."""
    table = [
        ("Layout", [row.layout for row in rows]),
        ("Advised", ["yes" if row.is_advised else "no" for row in rows]),
        ("Enough for the data to its end", ["yes" if row.is_enough else "no" for row in rows]),
        ("Drives", [f"{row.drives} x {both(row.drive_bytes)}" for row in rows]),
        ("Usable", [both(row.usable_bytes) for row in rows]),
        (
            "Usable at block size",
            [f"{both(row.usable_at_block_bytes)} at {block_size(row.block_bytes)}" for row in rows],
        ),
        ("Of the drives", [f"{row.efficiency:.1%}" for row in rows]),
        ("Survives for certain", [str(row.survives_any) for row in rows]),
        ("Odds of surviving one more", [odds(row.survives_next, 1) for row in rows]),
        ("Lost in a year", [one_in(row.yearly_loss) for row in rows]),
        ("Resilver", [duration(row.resilver_s) for row in rows]),
        ("Price", [UNKNOWN if row.price is None else f"{row.price:,.2f}" for row in rows]),
        (
            "Price of a usable TiB",
            [UNKNOWN if row.price_per_tib is None else f"{row.price_per_tib:,.2f}" for row in rows],
        ),
        ("Data today", [both(row.data_bytes) for row in rows]),
        ("Must be usable", [both(row.wanted_bytes) for row in rows]),
        ("TB of drives for a TiB", [f"{row.product:.4g}" for row in rows]),
        ("Drives by the rule, one system", [both(row.raw_bytes) for row in rows]),
        ("Systems", [str(row.systems) for row in rows]),
        (
            "What if",
            [
                "; ".join(
                    f"{name}: {both(usable)} usable, {used / max(1, usable):.0%} used"
                    for name, usable, used in row.changes
                )
                for row in rows
            ],
        ),
    ]
    table += [(f"Input: {field.title}", [row.texts.get(field.id, "") for row in rows]) for field in FIELDS]
    return table


def _csv(rows: Sequence[ScenarioFigures]) -> str:
    """One line per scenario; plain numbers, bytes."""
    out = io.StringIO()
    documents = [_document(row) for row in rows]
    titles = [title for title in (documents[0] if documents else {}) if title not in ("inputs", "changes")]
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([*titles, *(f"input_{field.id}" for field in FIELDS)])
    for row, document in zip(rows, documents, strict=True):
        values = ["" if document[title] is None else document[title] for title in titles]
        writer.writerow([*values, *(row.texts.get(field.id, "") for field in FIELDS)])
    return out.getvalue()


def _json(rows: Sequence[ScenarioFigures], heading: str) -> str:
    document = {"schema": SCHEMA, "title": heading, "scenarios": [_document(row) for row in rows]}
    return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def _document(row: ScenarioFigures) -> dict[str, object]:
    return {
        "name": row.name,
        "layout": row.layout,
        "advised": row.is_advised,
        "enough": row.is_enough,
        "drives": row.drives,
        "drive_bytes": row.drive_bytes,
        "usable_bytes": row.usable_bytes,
        "recordsize_bytes": row.block_bytes,
        "usable_at_recordsize_bytes": row.usable_at_block_bytes,
        "efficiency": row.efficiency,
        "survives_any": row.survives_any,
        "survives_next_odds": row.survives_next,
        "yearly_loss": row.yearly_loss,
        "resilver_s": row.resilver_s,
        "price": row.price,
        "price_per_tib": row.price_per_tib,
        "data_bytes": row.data_bytes,
        "wanted_usable_bytes": row.wanted_bytes,
        "product_per_system": row.product,
        "raw_bytes_per_system": row.raw_bytes,
        "systems": row.systems,
        "changes": [
            {"what": name, "usable_bytes": usable, "used_bytes": used} for name, usable, used in row.changes
        ],
        "inputs": {field.id: row.texts.get(field.id, "") for field in FIELDS},
    }


def _cell(text: str) -> str:
    """Text escaped for a cell of a Markdown table."""
    return visible(text).replace("\\", "\\\\").replace("|", "\\|")
