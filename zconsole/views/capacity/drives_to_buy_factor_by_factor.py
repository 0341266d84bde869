"""Purchase calculation: from data to drives, factor by factor, each with its effect and reason."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import Final

from zconsole.analysis.capacity.compute_planner_results import PlanningResults
from zconsole.analysis.capacity.storage_budget_factors import EXACT_UNITS, UNITS, Budget
from zconsole.base.quantities import TB, TIB, both
from zconsole.views.capacity.layout_comparison import bought_line, short
from zconsole.views.layout.styled_text import Line, Span, line

NAMES: Final = {
    "tb_per_tib": "TB per TiB",
    "free_space": "free space",
    "growth": "growth",
    "snapshots": "snapshots",
    "redundancy": "redundancy",
}
_HEAD: Final = 21  # cells of a factor and its name
_AMOUNT: Final = 24
_SYSTEMS: Final = {3: " (production, hot spare, disaster recovery)"}
_BAR: Final = 30  # cells of the longest bar
_BESIDE: Final = 130  # least cells for the reason beside the factor


def need_lines(found: PlanningResults | None, cells: int) -> Iterator[Line]:
    """The factors, the total, and the reverse calculation from drive bays to data; not wrapped yet."""
    if found is None:
        yield line(("Computing ...", "dim"))
        return
    data, budget = found.inputs.data_bytes, found.inputs.budget
    bars = min(_BAR, max(6, cells - _HEAD - _AMOUNT - 2))
    yield from budget_lines(budget, data, found.raw_bytes, bars, is_beside=cells >= _BESIDE)
    yield line(f"the pool must be able to hold {both(found.wanted_bytes)} (free space, growth, snapshots)")
    yield from _own(found)


def budget_lines(
    budget: Budget, data_bytes: int, raw_bytes: int, bars: int = 0, *, is_beside: bool = True
) -> Iterator[Line]:
    """Today's data, each factor with its reason, and the drives needed.

    `bars` is the width of the longest bar; the reason stands beside its factor or below it.
    """
    yield line(("data today ".rjust(_HEAD), "dim"), *_bar(bars, 0.0), both(data_bytes))
    amount = Fraction(data_bytes, TIB) * TB
    widest = float(amount * budget.product)
    for factor in budget.factors:
        amount *= factor.value
        row = line(
            (f"  x {float(factor.value):<6.4g} ", "title"),
            f"{NAMES.get(factor.name, factor.name):<{_HEAD - 11}} ",
            *_bar(bars, float(amount) / widest),
            f"{both(float(amount)):<{_AMOUNT}}",
        )
        if is_beside:
            yield (*row, *line((factor.why, "dim")))
        else:
            yield row
            yield line((f"      {factor.why}", "dim"))
    yield from _sums(budget, raw_bytes)


def _bar(cells: int, part: float) -> Line:
    if not cells:
        return ()
    bar = "█" * (max(1, floor(cells * part)) if part else 0)
    return (Span(f"{bar:<{cells}} ", "strip"),)


def _sums(budget: Budget, raw_bytes: int) -> Iterator[Line]:
    """The totals of the factors, in one system and in all."""
    product = float(budget.product)
    yield line(
        (f"= x {product:.4g}", "title"),
        f", rule of thumb {budget.rule}:1: ",
        (both(raw_bytes), "title"),
        " of drives in one system",
    )
    if budget.systems > 1:
        yield line(
            f"x {budget.systems} systems{_SYSTEMS.get(budget.systems, '')}: ",
            f"{both(raw_bytes * budget.systems)}, ",
            f"{product * budget.systems:.4g} TB for each TiB, rule {budget.rule * budget.systems}:1",
        )
    exact = float(budget.without(UNITS) * EXACT_UNITS)
    yield line((f"with the exact {float(EXACT_UNITS):.4f} TB in a TiB: x {exact:.4g}", "dim"))


def _own(found: PlanningResults) -> Iterator[Line]:
    """The totals with the redundancy of one layout in place of the general one; and from drives to data."""
    own, inputs = found.own_budget, found.inputs
    if own is None:
        return
    taken = found.taken
    factor = next(each for each in own.factors if each.name == "redundancy")
    yield line(
        f"{short(taken.layout.name)} has its own redundancy, x {float(factor.value):.3g}, counted once: ",
        f"x {float(own.product):.4g}, {both(own.raw_bytes(inputs.data_bytes))} of drives",
    )
    if found.bought is not None and not found.is_enough(taken):
        yield bought_line(found.bought, inputs.budget.systems)
    drives = inputs.bays * inputs.drive.size_bytes
    yield line(
        f"the {inputs.bays} drives here, {both(drives)}, can begin with {both(found.bays_data_bytes)} of data"
    )
