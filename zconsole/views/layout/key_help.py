"""Key help as lines: the footer of a screen, and the page that lists every key."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from zconsole.views.layout.screen_key_registry import (
    ACTIONS,
    EVERYWHERE,
    TIME,
    Action,
    actions,
    footer,
    key_name,
    key_names,
    key_of_name,
    user_keys,
)
from zconsole.views.layout.styled_text import Line, Span, line, line_width
from zconsole.views.layout.words_of_need import in_menu, is_named

KEYS_ID = "keys"
NAMES_KEYS: Final = frozenset({"key", "cursor"})  # styles of text that names keys
BETWEEN_KEYS: Final = "   "
SCROLLING: Final = {"↑": "pageup", "↓": "pagedown"}
MOST = 12  # screens that are listed one by one
CHOOSERS: Final = (
    "In menus typing filters. While nothing is typed, a key in front of a line chooses it, and q goes back;",
    "/ begins a filter with one of these. Esc shows all lines, and then goes one step back, as everywhere.",
)


def footer_line(
    place: str, cells: int, titles: dict[str, str] | None = None, unusable: frozenset[str] = frozenset()
) -> Line:
    """The keys that fit, the most useful first, and always the one that shows all; none that is unusable."""
    return _footer_line(place, cells, tuple((titles or {}).items()), unusable, user_keys())


@lru_cache(maxsize=64)  # drawn with every frame, and nearly always unchanged
def _footer_line(
    place: str,
    cells: int,
    titles: tuple[tuple[str, str], ...],
    unusable: frozenset[str],
    keys: tuple[tuple[str, tuple[str, ...]], ...],
) -> Line:
    del keys  # part of what a line is kept by
    known = [action for action in footer(place) if action.id != KEYS_ID and action.id not in unusable]
    return _as_many(known, cells, dict(titles))


def action_at(place: str, shown: Line, cell: int) -> Action | None:
    """The action whose key or title is at a cell of a footer; None between them."""
    begins, key = 0, ""
    for span in shown:
        if span.style == "key":
            key = span.text
        if begins <= cell < begins + span.width:
            return next((each for each in actions(place) if key == key_name(each.keys[0])), None)
        begins += span.width
    return None


def key_at(shown: Line, cell: int) -> str | None:
    """The key, in the terminal library's spelling, of which the name or what it does is at a cell.

    For the last line of a dialog: what a key does ends at the blanks before the next one.
    """
    begins, key = 0, None
    for span in shown:
        at, text = cell - begins, span.text
        begins += span.width
        is_here = 0 <= at < span.width
        if span.style in NAMES_KEYS:
            known = list(_keys_in(text))
            key = known[0][1] if known else None
            if is_here:
                named = next((each for end, each in known if at < end), key)
                return named if not text[: at + 1].isspace() else None
        elif is_here:
            return key if BETWEEN_KEYS not in text[: at + 1] else None
        elif BETWEEN_KEYS in text:
            key = None
    return None


def _keys_in(text: str) -> Iterator[tuple[int, str]]:
    """The keys that a text names, each with the cell behind it."""
    for found in re.finditer(r"[↑↓]|[^\s\[\]↑↓]+", text):
        key = SCROLLING.get(found.group()) or key_of_name(found.group())
        if key is not None:
            yield found.end(), key


def time_line(place: str, cells: int) -> Line:
    """The keys that move in time, while a screen is paused."""
    return _as_many([action for action in actions(place) if action.group == TIME], cells, {})


def _as_many(known: Iterable[Action], cells: int, titles: dict[str, str]) -> Line:
    last = _entry(next(action for action in ACTIONS if action.id == KEYS_ID), titles)
    shown: list[Span] = [Span(" ")]
    for action in known:
        entry = _entry(action, titles)
        if line_width((*shown, *entry, *last)) > cells:
            continue
        shown += entry
    return (*shown, *last)


def _entry(action: Action, titles: dict[str, str]) -> Line:
    return line((key_name(action.keys[0]), "key"), f" {titles.get(action.id, action.title).lower()}  ")


def help_lines(place: str, more: Iterable[Line] = (), words: str = "") -> Iterator[Line]:
    """All keys: those of this screen first and in more detail, then those of the others.

    With `words`, only the keys whose line has all of them, in any case; the other lines are left out.
    """
    here = list(actions(place))
    elsewhere = [action for action in ACTIONS if action not in here]
    if words.strip():
        yield from _matching("On this screen", [each for each in here if is_named(each, words)])
        yield from _matching(
            "On other screens", [each for each in elsewhere if is_named(each, words)], with_where=True
        )
        yield from menu_lines(words)
        return
    yield line(("On this screen", "title"))
    yield from _groups(here)
    yield from more
    if elsewhere:
        yield ()
        yield line(("On other screens", "title"))
        yield from _groups(elsewhere, with_where=True)
    yield ()
    yield line("Arrows (or j and k), PgUp, PgDn, Home and End move; left and right look at what is cut off.")
    yield line(
        "A click selects, a double click opens, the wheel scrolls. So do a pool and a disk on the wall:"
    )
    yield line(
        "a click chooses it, as Left and Right do, a double click opens it. A click on a finding opens it."
    )
    yield from map(line, CHOOSERS)


def all_keys(found: Iterable[Action]) -> Iterator[Line]:
    """Keys by group, with the screens that have them."""
    return _groups(list(found), with_where=True)


def name_lines(found: Iterable[Action]) -> Iterator[Line]:
    """The names of actions for keys.toml, with their keys, by group."""
    known = list(found)
    for group in dict.fromkeys(action.group for action in known):
        yield line((group, "section"))
        for action in known:
            if action.group == group:
                yield line((f"  {action.id:<18}", "key"), f"{key_names(action):<12} ", (action.title, "dim"))


def menu_lines(words: str) -> Iterator[Line]:
    """The actions that the words name in the menu of an object."""
    found = in_menu(words)
    if found:
        key = key_names(next(each for each in ACTIONS if each.id == "act"))
        yield line((f"In the menu of actions ({key}), on a pool, device, dataset, disk or guest", "title"))
        for title, purpose in found:
            yield line((f"  {title:<18}", "key"), purpose)


def _matching(title: str, found: list[Action], *, with_where: bool = False) -> Iterator[Line]:
    if found:
        yield line((title, "title"))
        yield from _groups(found, with_where=with_where)


def _groups(known: list[Action], *, with_where: bool = False) -> Iterator[Line]:
    for group in dict.fromkeys(action.group for action in known):
        yield line((group, "section"))
        for action in known:
            if action.group == group:
                places = _places(action) if with_where else ""
                yield line((f"  {key_names(action):<18}", "key"), action.help, (places, "dim"))


def _places(action: Action) -> str:
    """The screens of an action, in parentheses; nothing for everywhere."""
    if EVERYWHERE in action.where:
        return ""
    return " (most screens)" if len(action.where) > MOST else f" ({', '.join(action.where)})"
