"""Purchase calculation: from data to drives, factor by factor, each with its effect and reason."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import Final

from zconsole.analysis.capacity.compute_planner_results import PlanningResults
from zconsole.analysis.capacity.storage_budget_factors import EXACT_UNITS, REDUNDANCY, UNITS, Budget
from zconsole.base.quantities import TB, TIB, binary, in_used_units, with_digits
from zconsole.views.capacity.layout_comparison import bought_line, short
from zconsole.views.capacity.table_units_and_lines import IN_TB, IN_TIB, PRECISE, RESULT
from zconsole.views.layout.styled_text import Line, Span, line

NAMES: Final = {
    "tb_per_tib": "TB per TiB",
    "free_space": "free space",
    "growth": "growth",
    "snapshots": "snapshots",
    "redundancy": "redundancy",
}
_HEAD: Final = 23  # cells of a factor and its name
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
    yield wanted_line(budget, data, found.wanted_bytes)
    yield from _own(found)


def budget_lines(
    budget: Budget, data_bytes: int, raw_bytes: int, bars: int = 0, *, is_beside: bool = True
) -> Iterator[Line]:
    """Today's data, each factor with its reason, and the drives needed.

    The data is in TiB and each row below in TB, so that each is the row above it times its factor. `bars` is
    the width of the longest bar; the reason stands beside its factor or below it.
    """
    data, counted = IN_TIB.words(data_bytes, PRECISE), in_used_units(data_bytes)
    beside = "" if counted.endswith(IN_TIB.name) else f" ({counted})"
    yield line(("data today ".rjust(_HEAD), "dim"), *_bar(bars, 0.0), f"{data}{beside}")
    amount = Fraction(data_bytes, TIB) * TB
    widest = float(amount * budget.product)
    for factor in budget.factors:
        amount *= factor.value
        times = f"  x {with_digits(float(factor.value), PRECISE):<7} "
        row = line(
            (times, "title"),
            f"{NAMES.get(factor.name, factor.name):<{_HEAD - 1 - len(times)}} ",
            *_bar(bars, float(amount) / widest),
            f"{IN_TB.words(float(amount), RESULT):<{_AMOUNT}}",
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
        (f"= x {with_digits(product, PRECISE)}", "title"),
        f", rule of thumb {budget.rule}:1: ",
        (f"{IN_TB.words(raw_bytes, RESULT)} ({binary(raw_bytes)})", "title"),
        " of drives in one system",
    )
    if budget.systems > 1:
        all_bytes = raw_bytes * budget.systems
        yield line(
            f"x {budget.systems} systems{_SYSTEMS.get(budget.systems, '')}: ",
            f"{IN_TB.words(all_bytes, RESULT)} ({binary(all_bytes)}), ",
            f"{with_digits(product * budget.systems, PRECISE)} TB for each TiB, ",
            f"rule {budget.rule * budget.systems}:1",
        )
    exact = float(budget.without(UNITS) * EXACT_UNITS)
    words = f"with the exact {float(EXACT_UNITS):.4f} TB in a TiB: x {with_digits(exact, PRECISE)}"
    yield line((words, "dim"))


def wanted_line(budget: Budget, data_bytes: int, wanted_bytes: int) -> Line:
    """The usable space that the data needs, with its factors."""
    chain = " ".join(f"x {with_digits(float(each.value), PRECISE)}" for each in budget.of_usable)
    return line(
        f"the pool must have {IN_TIB.words(data_bytes, PRECISE)} {chain} = ",
        (f"{IN_TIB.words(wanted_bytes)} usable", "title"),
        " (free space, growth, snapshots)",
    )


def _own(found: PlanningResults) -> Iterator[Line]:
    """What to buy; the totals with its redundancy in place of the general one; and from drives to data."""
    own, inputs = found.own_budget, found.inputs
    if found.bought is not None:
        yield (*line(("▸ ", "ok")), *bought_line(found.bought, inputs.budget.systems))
    if own is None:
        return
    name = short(found.taken.layout.name)
    factor = next(each for each in own.factors if each.name == REDUNDANCY)
    yield line(
        f"{name} has its own redundancy, x {with_digits(float(factor.value), PRECISE)}, counted once: ",
        f"{IN_TIB.words(inputs.data_bytes, PRECISE)} x {with_digits(float(own.product), PRECISE)} = ",
        f"{IN_TB.words(own.raw_bytes(inputs.data_bytes))} of drives",
    )
    yield line(
        f"the {inputs.bays} drives of these bays, with that redundancy: ",
        f"{IN_TB.words(inputs.bays * inputs.drive.size_bytes, PRECISE)} / ",
        f"{with_digits(float(own.product), PRECISE)} = {IN_TIB.words(found.bays_data_bytes)} of data today",
    )
