"""The line about marked snapshots: how many, and what keeps some of them."""

from __future__ import annotations

from zconsole.analysis.snapshots.freed_by_marked_snapshots import MarkedSnapshots
from zconsole.views.datasets.marked_snapshots import marks_line
from zconsole.views.layout.styled_text import EMPTY, plain

KEPT = MarkedSnapshots(3, (), (), held=("tank@a", "tank@b"), cloned=("tank@c",))


def test_without_a_mark_there_is_no_line() -> None:
    assert EMPTY == marks_line(0, None, None)


def test_while_the_space_is_computed_the_line_says_so_or_why_not() -> None:
    assert "1 snapshot marked" in plain(marks_line(1, None, None))
    assert "adding up ..." in plain(marks_line(1, None, None))
    assert plain(marks_line(3, None, None, "no answer")).endswith("no answer")


def test_what_cannot_go_is_counted_by_its_reason_and_frees_nothing() -> None:
    shown = plain(marks_line(3, KEPT, {}))

    assert "3 marked" in shown
    assert "2 held" in shown
    assert "1 with clones" in shown
    assert "free" not in shown
