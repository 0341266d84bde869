"""Number of vdevs of a layout that given data needs: the smallest that fits the budget."""

from __future__ import annotations

from zconsole.analysis.capacity.storage_budget_factors import GROWTH, SNAPSHOTS, Budget
from zconsole.analysis.pool_layouts.layout import DATA, MOST_VDEVS, Layout
from zconsole.analysis.pool_layouts.usable_space import PoolSpace, layout_space
from zconsole.base.errors import UsageError
from zconsole.base.lazy_dataclass import dataclass
from zconsole.base.quantities import both


@dataclass(frozen=True, slots=True)
class Purchase:
    """Drives to buy for one system. Percentages are of the space in `zfs list`, snapshots included."""

    layout: Layout
    usable_bytes: int
    used_percent_at_first: float
    used_percent_at_end: float  # of the assumed growth


def purchase(budget: Budget, data_bytes: int, unit: Layout) -> Purchase:
    """The smallest multiple of a layout's data vdevs that fits the budget.

    The layout's own redundancy replaces the factor for it, and bytes need no TB per TiB. Raises UsageError
    when no plannable pool is large enough.
    """
    wanted = budget.usable_bytes(data_bytes)
    most = MOST_VDEVS // len(unit.of_class(DATA))
    if _space(unit, most).usable_bytes < wanted:
        raise UsageError(f"{both(wanted)} usable are more than {most} times {unit.name} have")
    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        if _space(unit, middle).usable_bytes >= wanted:
            high = middle
        else:
            low = middle + 1
    return of_layout(budget, data_bytes, repeated(unit, low))


def of_layout(budget: Budget, data_bytes: int, layout: Layout) -> Purchase:
    """A layout as a purchase: how full the data makes it."""
    usable = layout_space(layout).usable_bytes
    first = float(data_bytes * budget.without(*_others(budget, SNAPSHOTS)))
    end = float(data_bytes * budget.without(*_others(budget, SNAPSHOTS, GROWTH)))
    return Purchase(layout, usable, 100 * first / usable, 100 * end / usable)


def repeated(unit: Layout, times: int) -> Layout:
    """A layout with its data vdevs repeated, and its other vdevs once."""
    data = unit.of_class(DATA) * times
    others = tuple(vdev for vdev in unit.vdevs if vdev.vdev_class != DATA)
    return Layout(data + others, unit.release)


def _space(unit: Layout, times: int) -> PoolSpace:
    return layout_space(repeated(unit, times))


def _others(budget: Budget, *kept: str) -> tuple[str, ...]:
    return tuple(factor.name for factor in budget.factors if factor.name not in kept)
