"""`zconsole capacity layout`, `compare` and `what-if` as text, TB and TiB side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from zconsole.analysis.capacity.smallest_layout_for_data import LayoutDemand, proposed, why_proposed
from zconsole.analysis.pool_growth.change_outcome import ChangeOutcome
from zconsole.analysis.pool_growth.live_pool import LivePool
from zconsole.analysis.pool_layouts.layout import KEEPERS, STRIPE, Layout, PlannedVdev
from zconsole.analysis.pool_layouts.layout_advice import advice
from zconsole.analysis.pool_layouts.layout_comparison import Candidate
from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
from zconsole.analysis.pool_layouts.survivable_failures import Survival, survival
from zconsole.analysis.pool_layouts.usable_space import DEFLATED_BLOCK, layout_space
from zconsole.analysis.pool_layouts.usable_space_by_block_size import block_costs, usable_at
from zconsole.base.fixed_width_formatting import odds
from zconsole.base.quantities import block_size, both
from zconsole.reports.json.capacity.layout_and_need import runs
from zconsole.reports.text.styled_text_to_plain_text import printed, printed_table
from zconsole.views.capacity.layout_comparison import (
    LayoutComparison,
    advice_line,
    assumption_lines,
    candidate_lines,
    comparison_tables,
    proposal_line,
)
from zconsole.views.capacity.what_if import TYPED, change_table, outcome_lines
from zconsole.views.layout.styled_text import EMPTY, line

MOST_ODDS: Final = 6  # printed; the JSON has all
LARGEST_BLOCK: Final = 2**20  # of the table
_WIDTH: Final = 15


def layout_lines(layout: Layout, block_bytes: int) -> Iterator[str]:
    """Yield the capacity of a planned layout, the failures that it survives, and the advice against it."""
    space = layout_space(layout)
    yield f"{layout.name}: {layout.drives} {'drive' if layout.drives == 1 else 'drives'}"
    for vdev, count in runs(layout.vdevs):
        yield f"  {count} x {_vdev(vdev)}"
    yield ""
    yield _line("Size", f"{both(space.size_bytes)}, {space.size_bytes} bytes: SIZE of `zpool list`")
    part = Fraction(space.usable_bytes, layout.raw_bytes)
    yield _line(
        "Usable", f"{both(space.usable_bytes)}, {space.usable_bytes} bytes: USED + AVAIL of `zfs list`"
    )
    yield _line("", f"{float(part):.1%} of the {both(layout.raw_bytes)} of its data drives")
    if block_bytes != DEFLATED_BLOCK:
        here = usable_at(layout, block_bytes)
        yield _line(f"At {block_size(block_bytes)}", f"{both(here)} of data in blocks of this size")
    yield _line("Survives", _survives(survival(layout)))
    yield ""
    yield "Block size   Usable                        Of the disks"
    for cost in block_costs(layout):
        if cost.block_bytes <= max(LARGEST_BLOCK, block_bytes):
            size = block_size(cost.block_bytes)
            yield f"{size:>10}   {both(cost.usable_bytes):<28}  {cost.efficiency:.1%}"
    given = advice(layout, block_bytes)
    yield from printed([EMPTY, *map(advice_line, given)] if given else [])


def compare_lines(
    candidates: Sequence[Candidate],
    assumed: Assumptions,
    block_bytes: int,
    demand: LayoutDemand | None = None,
) -> Iterator[str]:
    """Yield layouts side by side: capacity and failures survived, then growth and advice for each.

    Where they must hold something, what is proposed comes first.
    """
    of = LayoutComparison(tuple(candidates), block_bytes, assumed)
    if demand is not None:
        proposal = proposed(candidates, demand.wanted_bytes)
        why = why_proposed(candidates, demand.wanted_bytes, demand.bays)
        of = LayoutComparison(tuple(candidates), block_bytes, assumed, demand.wanted_bytes, proposal)
        yield from printed([proposal_line(proposal, why), EMPTY])
    for table in comparison_tables(of):
        yield from printed_table(table)
        yield ""
    yield from printed([*assumption_lines(of), *candidate_lines(of)])


def change_lines(host: str, now: LivePool, outcome: ChangeOutcome) -> Iterator[str]:
    """Yield a live pool beside the same pool after a change, and the steps of the change."""
    used = now.pool.usable_used_bytes or 0
    yield from printed([line(f"{host} {now.pool.name}: {outcome.what}")])
    yield from printed_table(change_table(used, now.usable_bytes, [(f"{TYPED}{outcome.what}", outcome)]))
    yield from printed(outcome_lines(outcome, now.offset_bytes))


def _vdev(vdev: PlannedVdev) -> str:
    sizes = sorted({drive.size_bytes for drive in vdev.drives})
    drives = " and ".join(both(size) for size in sizes)
    name = "disk" if vdev.shape.kind == STRIPE else vdev.shape.name
    purpose = vdev.vdev_class if vdev.vdev_class in KEEPERS else f"{vdev.vdev_class}, adds nothing to it"
    return f"{name} of {drives}, ashift {vdev.ashift}, {purpose}"


def _survives(survives: Survival) -> str:
    certain = survives.any_failures
    failures = "any 1 failure" if certain == 1 else f"any {certain} failures" if certain else "no failure"
    beyond = [odds(float(one), 1) for one in survives.odds[certain:] if one]
    if not beyond:
        return f"{failures} for certain, and none more before a resilver has ended" if certain else failures
    told = ", ".join(beyond[:MOST_ODDS]) + (", ..." if len(beyond) > MOST_ODDS else "")
    return f"{failures} for certain; each further one, before a resilver has ended, with odds of {told}"


def _line(title: str, text: str) -> str:
    return f"{title:<{_WIDTH}}{text}"
