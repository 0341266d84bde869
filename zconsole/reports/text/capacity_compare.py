"""`zconsole capacity compare`: layouts side by side, in two tables or as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from zconsole.analysis.pool_growth.next_step import GrowthStep
from zconsole.analysis.pool_layouts.comparison import Candidate
from zconsole.analysis.pool_layouts.loss_risk import HOUR_S, Assumptions
from zconsole.base.formatting import UNKNOWN, duration, one_in
from zconsole.base.quantities import both
from zconsole.reports.json.capacity import advice_documents
from zconsole.reports.json.document import SCHEMA, Document

_GAP: Final = "   "


def compare_document(candidates: Sequence[Candidate], assumed: Assumptions, block_bytes: int) -> Document:
    """Return the comparison, with the assumptions that it rests on."""
    return {
        "schema": SCHEMA,
        "recordsize_bytes": block_bytes,
        "assumptions": {
            "yearly_failures": assumed.yearly_failures,
            "used": assumed.used,
            "resilver_bytes_per_s": assumed.rate_bytes_per_s,
            "wait_s": assumed.wait_s,
        },
        "layouts": [_candidate_document(candidate) for candidate in candidates],
    }


def compare_lines(candidates: Sequence[Candidate], assumed: Assumptions) -> Iterator[str]:
    """Yield the comparison as tables, then the next step and the advice for each."""
    yield "What they hold, and cost"
    yield from _table(
        ("Layout", "Drives", "Usable", "Of all", "At block size", "Price", "Per TiB", "Power"),
        [_held(each) for each in candidates],
    )
    yield ""
    yield "What they survive, and do"
    yield from _table(
        ("Layout", "Any", "Then", "Loss in a year", "Resilver", "Random r/w", "Stream r/w"),
        [_survived(each) for each in candidates],
    )
    yield ""
    yield "Random and stream: reads/writes, times one disk."
    yield (
        f"Model: {assumed.yearly_failures:.2%} of disks fail in a year, one by one; "
        f"a resilver runs at {assumed.rate_bytes_per_s / 1e6:.0f} MB/s a disk,"
    )
    yield (
        f"half of it in a raidz, of pools {assumed.used:.0%} full; without a spare it begins after "
        f"{assumed.wait_s / HOUR_S:.0f} h. Good for comparing, not for a promise."
    )
    for each in candidates:
        yield ""
        yield f"{each.layout.name}"
        for step in each.steps:
            yield f"  Next: {_step(step, each)}"
        for given in each.advice:
            yield f"  Advice: {given.text}."


def _held(each: Candidate) -> tuple[str, ...]:
    return (
        each.layout.name,
        str(each.layout.drives),
        both(each.usable_bytes),
        f"{each.efficiency:.1%}",
        UNKNOWN if each.usable_at_block_bytes == each.usable_bytes else both(each.usable_at_block_bytes),
        _money(each.price),
        _money(each.price_per_tib),
        UNKNOWN if each.watts is None else f"{each.watts:.0f} W",
    )


def _survived(each: Candidate) -> tuple[str, ...]:
    certain = each.survival.any_failures
    beyond = [f"{float(odds):.0%}" for odds in each.survival.odds[certain:] if odds]
    return (
        each.layout.name,
        str(certain),
        " ".join(beyond[:2]) or "none",
        one_in(each.yearly_loss),
        duration(each.resilver_s),
        f"{each.speed.random_reads:.3g}/{each.speed.random_writes:.3g}",
        f"{each.speed.stream_reads:.3g}/{each.speed.stream_writes:.3g}",
    )


def _step(step: GrowthStep, each: Candidate) -> str:
    drives = f"{step.drives} {'drive' if step.drives == 1 else 'drives'}"
    cost = "" if each.price is None else f", {_money(each.price / each.layout.drives * step.drives)}"
    return f"{step.how}: {drives}{cost}, {both(step.gained_bytes)} more"


def _money(value: float | None) -> str:
    return UNKNOWN if value is None else f"{value:,.2f}"


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Columns as wide as their widest, without those that nothing is known of; numbers to the right."""
    known = [at for at in range(len(titles)) if any(row[at] != UNKNOWN for row in rows)]
    widths = {at: max(len(titles[at]), *(len(row[at]) for row in rows)) for at in known}
    for row in (titles, *rows):
        yield _GAP.join(row[at].ljust(widths[at]) if at == 0 else row[at].rjust(widths[at]) for at in known)


def _candidate_document(each: Candidate) -> Document:
    return {
        "layout": each.layout.name,
        "drives": each.layout.drives,
        "usable_bytes": each.usable_bytes,
        "usable_at_recordsize_bytes": each.usable_at_block_bytes,
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
