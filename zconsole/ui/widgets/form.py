"""Form: text fields in a grid, each with its name, short ones side by side, wide ones below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Grid, Horizontal
from textual.message import Message
from textual.widgets import Input

from zconsole.ui.line_to_strip import Paint
from zconsole.ui.widgets.lines_at_fixed_place import TextLines
from zconsole.ui.widgets.text_input import TextBox
from zconsole.views.layout.styled_text import line

TITLE: Final = 10  # cells of a field's name
SHORT: Final = 19  # least cells of a short field with its name
MOST_COLUMNS: Final = 6


class FieldBox(Horizontal):
    """Field with its name."""

    DEFAULT_CSS = """
    FieldBox { height: 1; width: 1fr; }
    FieldBox TextLines { width: 10; }
    FieldBox Input > .input--placeholder { color: $text-muted; }
    FieldBox Input {
        width: 1fr; height: 1; border: none; padding: 0; background: $surface; color: $foreground;
    }
    """

    def __init__(self, paint: Paint, field_id: str, title: str, hint: str, *, is_wide: bool) -> None:
        super().__init__(id=f"field-{field_id}")
        self.field_id = field_id
        self.is_wide = is_wide
        self._title = title
        self._title_line = TextLines(paint)
        self.box = TextBox(placeholder=hint)

    def compose(self) -> ComposeResult:
        yield from (self._title_line, self.box)

    def on_mount(self) -> None:
        self.mark(is_wrong=False)

    def mark(self, *, is_wrong: bool) -> None:
        """Mark whether the text is valid."""
        mark = ("✗", "bad") if is_wrong else " "
        self._title_line.show((line((self._title.rjust(TITLE - 2), "bad" if is_wrong else "header"), mark),))

    def repaint(self, paint: Paint) -> None:
        """Draw in another theme."""
        self._title_line.repaint(paint)


class Form(Grid):
    """Form of all fields. Typed text stays, valid or not."""

    DEFAULT_CSS = """
    Form { height: 5; padding: 0 1; grid-gutter: 0 1; grid-rows: 1; }
    """

    class Changed(Message):
        """Message of changed text; read `texts`."""

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, Form.Changed)

    def __init__(self, paint: Paint, fields: Sequence[tuple[str, str, str, bool]]) -> None:
        """`fields`: id, title, placeholder, whether the field is wide."""
        super().__init__(id="form")
        self._boxes = {
            field_id: FieldBox(paint, field_id, title, hint, is_wide=is_wide)
            for field_id, title, hint, is_wide in fields
        }
        self._columns = 1

    def compose(self) -> ComposeResult:
        yield from self._boxes.values()

    @property
    def texts(self) -> dict[str, str]:
        """Texts by field."""
        return {field_id: each.box.value for field_id, each in self._boxes.items()}

    def fill(self, texts: Mapping[str, str]) -> None:
        """Put other texts into the fields."""
        for field_id, text in texts.items():
            if field_id in self._boxes:
                self._boxes[field_id].box.value = text

    def mark(self, wrong: Mapping[str, str]) -> None:
        """Mark the invalid fields."""
        for field_id, each in self._boxes.items():
            each.mark(is_wrong=field_id in wrong)

    @property
    def typed_into(self) -> str | None:
        """The field with the focus."""
        return next((field_id for field_id, each in self._boxes.items() if each.box.has_focus), None)

    def begin(self, field_id: str | None = None) -> None:
        """Focus a field, the first one by default; the first key typed replaces its text."""
        found = self._boxes.get(field_id or "") or next(iter(self._boxes.values()))
        found.box.focus()
        found.box.action_select_all()

    def on_descendant_focus(self) -> None:
        """Let the first key typed replace the text, however the field got the focus."""
        field = self.typed_into
        if field is not None:
            self._boxes[field].box.action_select_all()

    def step(self, rows: int) -> bool:
        """Move the focus up or down by rows; False at the end."""
        order = list(self._boxes)
        at = order.index(self.typed_into or order[0])
        short = sum(not each.is_wide for each in self._boxes.values())
        if at < short:
            place = at + rows * self._columns
            if place >= short:  # to the wide ones
                place = short if at // self._columns == (short - 1) // self._columns else short - 1
        else:
            place = at + rows
        if not 0 <= place < len(order):
            return False
        self.begin(order[place])
        return True

    def lay_out(self, cells: int) -> int:
        """Lay the fields out for a width; return the number of rows."""
        boxes = list(self._boxes.values())
        short = [each for each in boxes if not each.is_wide]
        wide = len(boxes) - len(short)
        fitting = max(1, min(MOST_COLUMNS, (cells - 2) // SHORT))
        columns = next(each for each in range(fitting, 0, -1) if not len(short) % each)
        beside = 2 if columns == MOST_COLUMNS else 1
        rows = -(-len(short) // columns) + -(-wide // beside)
        self._columns = columns
        self.styles.grid_size_columns = columns
        self.styles.grid_size_rows = rows
        self.styles.height = rows
        for each in boxes:
            each.styles.column_span = columns // beside if each.is_wide else 1
        return rows

    def repaint(self, paint: Paint) -> None:
        """Draw in another theme."""
        for each in self._boxes.values():
            each.repaint(paint)

    @on(Input.Changed)
    def _on_changed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Changed())
