"""Menu of the actions of one object: the possible ones, others with the reason, keys of the screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from zconsole.actions.available_actions import Offer
from zconsole.actions.intent import Target
from zconsole.views.layout.screen_key_registry import Action, actions, key_name
from zconsole.views.layout.styled_text import FixedLines, Line, line

KEY_CELLS = 4
WITH_HELP: Final = 50  # cells of a terminal
_NOT_FOUND: Final = frozenset({"enter", "back", "leave", "act"})  # keys of the menu itself


def heading(host: str, target: Target, colour: str | None = None) -> Line:
    """Return the host, and the object of the actions."""
    return line(
        (host, colour or "title"), (" · ", "dim"), (f"{target.kind.value} ", "dim"), (_name(target), "title")
    )


def _name(target: Target) -> str:
    return f"{target.path} of {target.name}" if target.path else target.name


def menu(offers: Sequence[Offer], cells: int = WITH_HELP) -> FixedLines:
    """Return a line for each action; the keys of the lines are the actions' ids.

    On a terminal of fewer `cells` the titles stand alone: what the one under the cursor does is told below.
    """
    wide = max((len(offer.spec.title) for offer in offers), default=0)
    lines = tuple(_line(offer, wide)[: None if cells >= WITH_HELP else 2] for offer in offers)
    return FixedLines(lines, tuple(offer.spec.id for offer in offers))


def _line(offer: Offer, title_cells: int) -> Line:
    spec = offer.spec
    key = f"{key_name(spec.key) if spec.key else '':<{KEY_CELLS}}"
    title = f"{spec.title:<{title_cells}}  "
    if offer.why_not:
        return line((key, "dim"), (title, "dim"), (f"unavailable: {offer.why_not}", "dim"))
    return line((key, "key"), title, (spec.help, "dim"))


def nothing_possible(reasons: Sequence[str], ends: str) -> Line:
    """That no line of a menu can be chosen, why where it is one reason, and what would change it."""
    return line(
        ("Nothing can be done here now", "bad"),
        (_reason(reasons), "warn"),
        (f" To change that: {ends}." if ends else ""),
    )


def none_to_mark(reasons: Sequence[str]) -> Line:
    """That no line can be marked, why where it is one reason, and that it goes on without."""
    return line(
        ("None of these can be chosen now", "warn"), (f"{_reason(reasons)} ", "dim"), "Go on without."
    )


def _reason(reasons: Sequence[str]) -> str:
    return f": {reasons[0]}." if len(set(reasons)) == 1 else "; each line says why."


def screen_keys(place: str) -> tuple[Action, ...]:
    """What else the keys of a screen do: the filter of the menu finds it too."""
    known = [each for each in actions(place) if each.group in {"Look", "Act"}]
    return tuple(each for each in known if each.meaning not in _NOT_FOUND)


def screen_key_lines(known: Sequence[Action]) -> FixedLines:
    """A line for each of these keys, by the id of its action."""
    cells = max((len(each.title) for each in known), default=0)
    lines = tuple(
        line(
            (f"{key_name(each.keys[0]):<{KEY_CELLS}}", "dim"), f"{each.title:<{cells}}  ", (each.help, "dim")
        )
        for each in known
    )
    return FixedLines(lines, tuple(each.id for each in known))
