"""From data to drives, factor by factor: what each does to the amount, and why it is there."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import floor
from typing import Final

from zconsole.analysis.capacity.results import Answers
from zconsole.analysis.capacity.space_budget import EXACT_UNITS, UNITS, Budget
from zconsole.base.quantities import TB, TIB, both
from zconsole.views.capacity.layouts import short
from zconsole.views.layout.styled_text import Line, line, wrap

NAMES: Final = {
    "tb_per_tib": "TB per TiB",
    "free_space": "free space",
    "growth": "growth",
    "snapshots": "snapshots",
    "redundancy": "redundancy",
}
_HEAD: Final = 21  # cells of a factor and its name
_AMOUNT: Final = 24
_BAR: Final = 30  # cells of the longest bar, at most
_BESIDE: Final = 130  # cells from which on the reason stands beside it


def need_lines(found: Answers | None, cells: int) -> Iterator[Line]:
    """The chain, what it comes to, and the way back from the drives in the bays."""
    if found is None:
        yield line(("Working it out ...", "dim"))
        return
    data, budget = found.inputs.data_bytes, found.inputs.budget
    yield line(("data today ".rjust(_HEAD), "dim"), both(data))
    yield from _chain(budget, data, cells)
    product = float(budget.product)
    sums = [
        line(
            (f"= x {product:.4g}", "title"),
            f", rule of thumb {budget.rule}:1: ",
            (both(found.raw_bytes), "title"),
            " of drives in one system",
        )
    ]
    if budget.systems > 1:
        sums.append(
            line(
                f"x {budget.systems} systems: {both(found.raw_bytes * budget.systems)}, ",
                f"{product * budget.systems:.4g} TB for each TiB, rule {budget.rule * budget.systems}:1",
            )
        )
    exact = float(budget.without(UNITS) * EXACT_UNITS)
    sums.append(line((f"with the exact {float(EXACT_UNITS):.4f} TB in a TiB: x {exact:.4g}", "dim")))
    sums.append(
        line(f"the pool must be able to hold {both(found.wanted_bytes)} (free space, growth, snapshots)")
    )
    sums += _own(found)
    for words in sums:
        yield from wrap(words, cells)


def _chain(budget: Budget, data_bytes: int, cells: int) -> Iterator[Line]:
    amount = Fraction(data_bytes, TIB) * TB
    widest = float(amount * budget.product)
    is_beside = cells >= _BESIDE
    room = min(_BAR, max(6, cells - _HEAD - _AMOUNT - 2))
    for factor in budget.factors:
        amount *= factor.value
        name = NAMES.get(factor.name, factor.name)
        bar = "█" * max(1, floor(room * float(amount) / widest))
        row = line(
            (f"  x {float(factor.value):<6.4g} ", "title"),
            f"{name:<{_HEAD - 11}} ",
            (f"{bar:<{room}} ", "strip"),
            f"{both(float(amount)):<{_AMOUNT}}",
        )
        if is_beside:
            yield (*row, *line((factor.why, "dim")))
        else:
            yield row
            for words in wrap(line((factor.why, "dim")), cells - 6):
                yield line("      ", *words)


def _own(found: Answers) -> Iterator[Line]:
    """With the redundancy of a layout in the place of the general one; and back from drives to data."""
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
        bought = found.bought
        yield line(
            (short(bought.layout.name), "title"),
            f" ({bought.layout.drives} drives) would hold it: {both(bought.usable_bytes)}, full "
            f"{bought.used_percent_at_first:.0f} % at first, {bought.used_percent_at_end:.0f} % at the end",
        )
    drives = inputs.bays * inputs.drive.size_bytes
    yield line(
        f"the {inputs.bays} drives here, {both(drives)}, can begin with {both(found.bays_data_bytes)} of data"
    )
