"""`zconsole capacity`: space of a layout, needs of data, comparison of layouts. No host is asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from zconsole.analysis.capacity.vdevs_to_buy import Purchase
from zconsole.analysis.pool_layouts.drive_size import Drive
from zconsole.base.escape_control_characters import visible
from zconsole.base.quantities import both
from zconsole.base.user_config_file import Config
from zconsole.cli.capacity_arguments import (
    CHANGE_FORMS,
    LAYOUT_FORMS,
    Capacity,
    CapacityCompareRequest,
    CapacityLayoutRequest,
    CapacityNeedRequest,
    CapacityWhatIfRequest,
    add_compare,
    add_layout,
    add_need,
    add_what_if,
    read_compare,
    read_layout,
    read_need,
    read_what_if,
)
from zconsole.cli.json_output import print_document
from zconsole.cli.subcommand import Subcommand
from zconsole.reports.json.json_line import Document
from zconsole.views.layout.styled_text import Line


def run_capacity(asked: Capacity) -> int:
    """Print the answer; the parser has refused invalid requests."""
    match asked:
        case CapacityLayoutRequest():
            from zconsole.reports.json.capacity.layout_and_need import layout_document
            from zconsole.reports.text.capacity import layout_lines

            if asked.is_json:
                _show_document(layout_document(asked.layout, asked.block_bytes))
            else:
                _show_lines(layout_lines(asked.layout, asked.block_bytes))
        case CapacityNeedRequest():
            _need(asked)
        case CapacityCompareRequest():
            _compare(asked)
    return 0


def _compare(asked: CapacityCompareRequest) -> None:
    from zconsole.analysis.capacity.smallest_layout_for_data import compared_for_data
    from zconsole.analysis.pool_layouts.layout_comparison import compare
    from zconsole.reports.json.capacity.compare import compare_document
    from zconsole.reports.text.capacity import compare_lines

    if asked.demand is None:
        candidates = compare(asked.layouts, asked.block_bytes, asked.assumed, asked.costs)
    else:
        candidates = compared_for_data(asked.demand, asked.assumed, asked.costs, asked.layouts)
    if asked.is_json:
        _show_document(compare_document(candidates, asked.assumed, asked.block_bytes, asked.demand))
    else:
        _show_lines(compare_lines(candidates, asked.assumed, asked.block_bytes, asked.demand))


def _need(asked: CapacityNeedRequest) -> None:
    from zconsole.analysis.capacity.storage_budget_factors import with_redundancy_of
    from zconsole.analysis.capacity.vdevs_to_buy import purchase
    from zconsole.analysis.pool_layouts.usable_space import layout_space
    from zconsole.reports.json.capacity.layout_and_need import need_document
    from zconsole.reports.text.styled_text_to_plain_text import printed
    from zconsole.views.capacity.drives_to_buy_factor_by_factor import budget_lines, wanted_line
    from zconsole.views.capacity.layout_comparison import bought_line
    from zconsole.views.layout.styled_text import EMPTY, line

    budget, bought, told = asked.budget, None, None
    if asked.layout is not None:
        usable = layout_space(asked.layout).usable_bytes
        budget = with_redundancy_of(budget, asked.layout.raw_bytes, usable, asked.layout.name)
    if asked.raw_bytes is not None:
        raw, data = asked.raw_bytes, budget.data_bytes(asked.raw_bytes)
    else:
        data = asked.data_bytes or 0
        raw = budget.raw_bytes(data)
        bought = None if asked.layout is None else purchase(asked.budget, data, asked.layout)
    if asked.drive is not None and asked.layout is None:
        bought, told = _smallest(asked, asked.drive, data)
    if asked.is_json:
        _show_document(need_document(budget, data, raw, bought))
        return
    lines = list(budget_lines(budget, data, raw))
    if asked.raw_bytes is None:
        lines.append(wanted_line(budget, data, budget.usable_bytes(data)))
    else:
        begun = f"{both(raw)} of drives in one system are for {both(data)} of data today"
        lines += [EMPTY, line(begun)]
    if bought is not None or told is not None:
        lines += [EMPTY, *([] if told is None else [told])]
    if bought is not None:
        lines.append(bought_line(bought, budget.systems))
    _show_lines(printed(lines))


def _smallest(asked: CapacityNeedRequest, drive: Drive, data_bytes: int) -> tuple[Purchase | None, Line]:
    """The smallest advised layout that holds the data, and why it is proposed."""
    from zconsole.analysis.capacity.smallest_layout_for_data import (
        LayoutDemand,
        compared_for_data,
        proposed,
        why_proposed,
    )
    from zconsole.analysis.capacity.vdevs_to_buy import of_layout
    from zconsole.analysis.pool_layouts.layout_comparison import Costs
    from zconsole.analysis.pool_layouts.resilver_time_and_loss_risk import Assumptions
    from zconsole.views.capacity.layout_comparison import proposal_line

    wanted = asked.budget.usable_bytes(data_bytes)
    demand = LayoutDemand(wanted, drive, asked.bays, asked.block_bytes, asked.ashift)
    candidates = compared_for_data(demand, Assumptions(), Costs())
    found = proposed(candidates, wanted)
    bought = None if found is None else of_layout(asked.budget, data_bytes, found.layout)
    return bought, proposal_line(found, why_proposed(candidates, wanted, asked.bays))


def _show_document(document: Document) -> None:
    print_document(document)


def _show_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(visible(line.rstrip()))


def _run_what_if(asked: CapacityWhatIfRequest, config: Config) -> int:
    from zconsole.cli.capacity_what_if import run_what_if  # only what-if needs a host and a loop

    return run_what_if(asked, config)


EPILOG: Final = """\
questions:
  layout LAYOUT --disk SIZE   what a layout holds and survives
  need --data SIZE            what to buy for so much data
  compare --bays N            which layout for these drives and bays
  what-if POOL CHANGE         what a change would bring to a pool of a HOST

`zconsole capacity QUESTION --help` says more.
"""
SUBCOMMAND: Final = Subcommand(
    "capacity",
    "Plan a pool: exact space, budget, comparison. Nothing is changed.",
    epilog=EPILOG,
    usage="zconsole capacity QUESTION ...",
    children=(
        Subcommand(
            "capacity layout",
            "What a layout holds, to the byte, and survives.",
            add_layout,
            read_layout,
            lambda asked, _config: run_capacity(asked),
            epilog=LAYOUT_FORMS,
        ),
        Subcommand(
            "capacity need",
            "What to buy for so much data, or what data drives are for: each factor of the budget.",
            add_need,
            read_need,
            lambda asked, _config: run_capacity(asked),
            epilog=LAYOUT_FORMS,
        ),
        Subcommand(
            "capacity compare",
            "Layouts side by side: those worth a look for so many bays, or those that you name.",
            add_compare,
            read_compare,
            lambda asked, _config: run_capacity(asked),
            epilog=LAYOUT_FORMS,
        ),
        Subcommand(
            "capacity what-if",
            "What a change would bring to a pool. Nothing is changed.",
            add_what_if,
            read_what_if,
            _run_what_if,
            epilog=CHANGE_FORMS,
            usage="zconsole capacity what-if POOL CHANGE ... [--host HOST] [--json]",
        ),
    ),
    noun="question",
)
