"""`zconsole capacity`: what a layout holds, what data needs, which layout is better. No host is asked."""

from __future__ import annotations

from collections.abc import Iterable

from zconsole.base.harmless_text import visible
from zconsole.cli.requests import Capacity, CapacityCompare, CapacityLayout, CapacityNeed
from zconsole.reports.json.document import Document, as_line


def run_capacity(asked: Capacity) -> int:
    """Print the answer; what cannot be planned has been refused before."""
    match asked:
        case CapacityLayout():
            from zconsole.reports.json.capacity import layout_document
            from zconsole.reports.text.capacity import layout_lines

            if asked.is_json:
                _show_document(layout_document(asked.layout, asked.block_bytes))
            else:
                _show_lines(layout_lines(asked.layout, asked.block_bytes))
        case CapacityNeed():
            _need(asked)
        case CapacityCompare():
            from zconsole.analysis.pool_layouts.comparison import compare
            from zconsole.reports.text.capacity_compare import compare_document, compare_lines

            candidates = compare(asked.layouts, asked.block_bytes, asked.assumed, asked.costs)
            if asked.is_json:
                _show_document(compare_document(candidates, asked.assumed, asked.block_bytes))
            else:
                _show_lines(compare_lines(candidates, asked.assumed))
    return 0


def _need(asked: CapacityNeed) -> None:
    from zconsole.analysis.capacity.purchase import purchase
    from zconsole.analysis.capacity.space_budget import with_redundancy_of
    from zconsole.analysis.pool_layouts.usable_space import layout_space
    from zconsole.reports.json.capacity import need_document
    from zconsole.reports.text.capacity import need_lines

    budget, bought = asked.budget, None
    if asked.layout is not None:
        usable = layout_space(asked.layout).usable_bytes
        budget = with_redundancy_of(budget, asked.layout.raw_bytes, usable, asked.layout.name)
    if asked.raw_bytes is not None:
        raw, data = asked.raw_bytes, budget.data_bytes(asked.raw_bytes)
    else:
        data = asked.data_bytes or 0
        raw = budget.raw_bytes(data)
        bought = None if asked.layout is None else purchase(asked.budget, data, asked.layout)
    if asked.is_json:
        _show_document(need_document(budget, data, raw, bought))
    else:
        _show_lines(need_lines(budget, data, raw, bought, is_reverse=asked.raw_bytes is not None))


def _show_document(document: Document) -> None:
    print(as_line(document))


def _show_lines(lines: Iterable[str]) -> None:
    for line in lines:
        print(visible(line.rstrip()))
