"""Theme chooser; the screen shows each theme while the cursor is on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import on
from textual.binding import Binding, BindingType

from zconsole.ui.flows.keep_theme import keep
from zconsole.ui.key_bindings_and_palette import bindings
from zconsole.ui.screens.shared.console_screen import ConsoleScreen
from zconsole.ui.theme_files import Themes
from zconsole.ui.widgets.row_list import RowView
from zconsole.views.host_states_with_findings import View
from zconsole.views.layout.page_with_table_and_details import Page
from zconsole.views.layout.styled_text import EMPTY, Line, line
from zconsole.views.layout.table import Cell, Column, Row, Table, cells_of

COLUMNS: Final[tuple[Column[tuple[str, str]], ...]] = (  # the name of a theme, and its title
    Column("name", "THEME", 18, lambda each: Cell(each[0]), need=100, is_right=False, grows_to=30),
    Column("title", "", 24, lambda each: Cell(each[1]), need=90, is_right=False, grows_to=60),
)
_SAMPLE: Final = (
    ("text ", "text"),
    ("title ", "title"),
    ("dim ", "dim"),
    ("ONLINE ", "ok"),
    ("resilver ↻ ", "info"),
    ("DEGRADED ▲ ", "warn"),
    ("FAULTED ✗ ", "bad"),
    ("▁▂▃▄▅", "strip"),
)


class ThemesScreen(ConsoleScreen):
    """List of themes: Enter writes the shown one to the configuration, Escape restores the previous one."""

    PLACE = "themes"
    FILTER_HINT = "words of a name or a title: light, contrast"
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings(PLACE),
        Binding("enter", "keep", show=False),
        Binding("escape,q,backspace", "put_back", show=False),
    ]

    def __init__(self, themes: Themes, current: str) -> None:
        super().__init__()
        self._themes = themes
        self._before = current

    def on_mount(self) -> None:
        super().on_mount()
        self.rows.put_on(self._before)

    def page(self, view: View) -> Page:
        del view
        rows = [
            Row(name, cells_of(COLUMNS, (name, theme.title))) for name, theme in self._themes.usable.items()
        ]
        rows += [
            Row(
                f"broken {broken.path}",
                line=line(("✗ ", "bad"), f"{broken.path.name}: {broken.reason}"),
                is_selectable=False,
            )
            for broken in self._themes.broken
        ]
        first = line(("Themes", "title"), (" · Enter keeps, Esc restores", "dim"))
        return Page(first, EMPTY, line(*_SAMPLE), Table(COLUMNS, tuple(rows)))

    def notes(self, view: View, key: str | None) -> Sequence[Line]:
        del view
        return (
            line(("Enter writes to config.toml:  ", "dim"), f'theme = "{key}"'),
            line(("Your own themes go beside it, into themes/NAME.toml.", "dim")),
        )

    @on(RowView.Moved)
    def _preview(self) -> None:
        name = self.rows.key
        if name is not None and name in self._themes.usable:
            self.console.use_theme(name)

    def action_keep(self) -> None:
        """Keep this theme, also for the next start."""
        name = self.console.paint.theme.name
        self.leave()
        if name == self._before:
            return
        keep(self.console, name)

    def action_put_back(self) -> None:
        """Clear the filter; without one restore the previous theme."""
        if self._shape.words:
            self._set_filter("")
            return
        self.console.use_theme(self._before)
        self.leave()
