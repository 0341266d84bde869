"""Cache of a widget's styles after Textual's filters."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.widget import Widget

from zconsole.ui.line_to_strip import Paint


class WidgetStyles:
    """Styles of a widget, and the settings that all its strips share."""

    def __init__(self) -> None:
        self._styles: dict[tuple[str, str | None], Style] = {}
        self._common: tuple[object, ...] = ()
        self._filters: Sequence[LineFilter] = ()
        self._background = Color(0, 0, 0)
        self._paint: Paint | None = None

    def are_others(self, widget: Widget, paint: Paint, *more: object) -> bool:
        """Whether any shared setting has changed, so that no strip can stay."""
        self._background, self._filters = widget.background_colors[1], widget.get_line_filters()
        common = (paint, self._background, *self._filters, *more)
        if common == self._common:
            return False
        self._common, self._paint = common, paint
        self._styles.clear()
        return True

    def style(self, name: str, overlay: str | None = None) -> Style:
        """The style of a word, with another one laid over it."""
        found = self._styles.get((name, overlay))
        if found is None:
            assert self._paint is not None  # noqa: S101 - asked for what is painted, after `are_others`
            found = self._paint.style(name, overlay)
            for line_filter in self._filters:
                ((_, filtered, _),) = line_filter.apply([Segment(" ", found)], self._background)
                found = filtered or found
            self._styles[name, overlay] = found
        return found
