"""Dialog of a reclaim proposal: plan their destruction, mark them, or change the request."""

from __future__ import annotations

from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from zconsole.actions.intent import Intent
from zconsole.execution.facts.snapshots_to_free_space import Reclaim
from zconsole.ui.dialogs.base_dialog import Dialog
from zconsole.ui.key_filter import AfterClosing
from zconsole.ui.line_to_strip import Paint
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.ui.widgets.row_list import RowView
from zconsole.views.datasets.free_space_proposal import chosen, reclaim_lines
from zconsole.views.datasets.what_else_holds_space import plan_of_next
from zconsole.views.layout.screen_key_registry import WAYS_OUT, way_out_key
from zconsole.views.layout.styled_text import EMPTY, FixedLines, Line, hang, line

MARK: Final = "mark"
PLAN: Final = "plan"  # their destruction
OTHERWISE: Final = "otherwise"
NEXT: Final = "next"  # what the next 100 GiB would cost, planned
AMOUNT: Final = "amount"  # ask for another one
_WIDEST: Final = 120
_FRAME: Final = 4


class ReclaimDialog(Dialog[str]):
    """Dialog that returns PLAN, MARK, NEXT, OTHERWISE or AMOUNT. It changes nothing.

    Where the proposal does not free what was asked for, Enter asks for another amount: the key that goes on
    does not lead to the destruction of all snapshots for a goal that it does not reach.
    """

    AFTER_CLOSING = AfterClosing.FOR_SCREEN
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q", "answer('amount')", show=False),
        Binding("enter", "go_on", show=False),
        Binding("delete,ctrl+d", "plan_anyway", show=False),
        Binding("space", "answer('mark')", show=False),
        Binding(WAYS_OUT[0], "answer('next')", show=False),
        Binding("tab", "answer('otherwise')", show=False),
    ]
    DEFAULT_CSS = """
    ReclaimDialog { align: center middle; background: $background; }
    ReclaimDialog Vertical {
        width: 100%; max-width: 120; height: auto; max-height: 100%; border: solid $primary; padding: 0 1;
    }
    ReclaimDialog #ways { height: 2; }
    """

    def __init__(self, paint: Paint, found: Reclaim, *, can_mark: bool) -> None:
        super().__init__()
        self._found = found
        self._can_mark = can_mark
        self.rows = RowView(paint, id="answer", has_cursor=False)
        self._ways = TextLines(paint, id="ways")

    def compose(self) -> ComposeResult:
        with Vertical():
            yield from (self.rows, self._ways)

    def on_mount(self) -> None:
        self.rows.focus()

    def on_resize(self, event: events.Resize) -> None:
        cells = min(_WIDEST, event.size.width) - _FRAME
        lines = tuple(
            each
            for words in reclaim_lines(self._found)
            for each in (hang(words, cells) if words else [EMPTY])
        )
        self.rows.styles.height = max(1, min(len(lines), event.size.height - self.without_frame(_FRAME)))
        self.rows.show(FixedLines(lines))
        self.call_after_refresh(self._draw)

    @on(RowView.Moved)
    def _draw(self) -> None:
        """Draw the keys, and the range of visible lines where not all fit; that whole, or not at all."""
        ways: list[tuple[str, str]] = []
        if chosen(self._found):
            if self._is_enough:
                ways += [("Enter", "key"), (" plan destroy   ", "dim")]
            ways += [("Space", "key"), (" mark   ", "dim")] if self._can_mark else []
        if self._has_another:
            other = " fewest   " if self._found.wish.order == "oldest" else " oldest   "
            ways += [("Tab", "key"), (other, "dim")]
        if self._is_enough:
            ways += [("Esc", "key"), (" back", "dim")]
        else:
            ways += [("Enter", "key"), (" another amount", "dim")]
            if self._next is not None:
                ways += [(f"   {way_out_key(1)}", "key"), (" plan the next", "dim")]
            if chosen(self._found):
                ways += [("   Del", "key"), (" destroy anyway", "dim")]
        position = self.rows.position
        self._ways.show(_with_position(line(*ways), position, self._ways.size.width))

    @property
    def _is_enough(self) -> bool:
        """Whether it frees what was asked for, in the datasets at least."""
        return self._found.choice.is_enough

    @property
    def _has_another(self) -> bool:
        """Whether another proposal exists; where all snapshots together are too little, none does."""
        return self._found.choice.is_enough

    @property
    def _next(self) -> Intent | None:
        """The plan of what the next space would cost, where the proposal is too little."""
        return None if self._is_enough else plan_of_next(self._found)

    def action_go_on(self) -> None:
        """Plan what frees enough; ask for another amount where nothing does."""
        self.action_answer(PLAN if self._is_enough else AMOUNT)

    def action_plan_anyway(self) -> None:
        """Plan the destruction of all, though it frees less than was asked for."""
        if not self._is_enough:
            self.action_answer(PLAN)

    def action_answer(self, answer: str) -> None:
        """Accept the proposal."""
        is_open = {
            MARK: self._can_mark and bool(chosen(self._found)),
            PLAN: bool(chosen(self._found)),
            NEXT: self._next is not None,
            OTHERWISE: self._has_another,
        }.get(answer, True)
        if is_open:
            self.dismiss(answer)


def _with_position(ways: Line, position: str, cells: int) -> tuple[Line, Line]:
    """The keys, and the range of visible lines behind them, or above them where it would be cut."""
    if not position:
        return EMPTY, ways
    told = line(("↑↓", "key"), (f" {position}", "dim"))
    both = (*ways, *line("   "), *told)
    return (EMPTY, both) if sum(each.width for each in both) <= cells else (told, ways)
