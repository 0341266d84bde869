"""The menu of actions of one object."""

from __future__ import annotations

from zconsole.actions.action_catalogue import spec
from zconsole.actions.available_actions import Offer
from zconsole.actions.intent import Target, TargetKind
from zconsole.views.changes.action_menu import heading, menu
from zconsole.views.layout.styled_text import Line


def text(line: Line) -> str:
    return "".join(span.text for span in line)


def test_what_can_be_done_says_what_it_does_and_the_rest_why_not() -> None:
    lines = menu((Offer(spec("scrub")), Offer(spec("split"), "it has no mirror")))

    assert spec("scrub").help in text(lines.line(0))
    assert text(lines.line(1)).endswith("unavailable: it has no mirror")
    assert spec("split").help not in text(lines.line(1))
    assert ["scrub", "split"] == [lines.key(0), lines.key(1)]


def test_the_heading_names_host_kind_and_object() -> None:
    pool = Target(TargetKind.POOL, "tank", "tank")
    file = Target(TargetKind.FILE, "tank", "tank/a@1", path="docs/x")

    assert "nas1 · pool tank" == text(heading("nas1", pool))
    assert "nas1 · file docs/x of tank/a@1" == text(heading("nas1", file))
    assert "alarm" == heading("nas1", pool, "alarm")[0].style


def test_on_a_narrow_terminal_the_titles_stand_alone() -> None:
    lines = menu((Offer(spec("scrub")), Offer(spec("split"), "it has no mirror")), 40)

    assert ["S   Scrub", "    Split off a pool"] == [text(lines.line(at)).rstrip() for at in range(2)]
